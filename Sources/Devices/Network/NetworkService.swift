import Glibc

/// A service of the box that programs can find on the network by DNS-SD (RFC 6763).
public struct NetworkService: Hashable, Sendable {
    /// The name in a program's list of services, at most 63 bytes of UTF-8.
    public var name: String
    /// Its type, such as `_http._tcp`.
    public var type: String
    /// Its port.
    public var port: UInt16
    /// The network interface at which it is reached; nil for all.
    public var interface: String?
    /// Attributes, each `key=value`.
    public var attributes: [String]

    /// A service at `port`, reached by IPv4. A name that is too long is cut.
    public init(_ name: String, type: String, port: UInt16, interface: String? = nil, attributes: [String] = []) {
        self.name = name.cut(toBytes: Self.nameMax)
        self.type = type
        self.port = port
        self.interface = interface
        self.attributes = attributes
    }

    /// Bytes of a label of DNS at most (RFC 1035, section 2.3.4).
    private static let nameMax = 63

    /// The service with the name that it gets as the `number`th of this name, from 2 on (RFC 6762, section 9).
    func numbered(_ number: Int) -> NetworkService {
        var service = self
        let ending = " #\(number)"
        service.name = name.cut(toBytes: Self.nameMax - ending.utf8.count) + ending
        return service
    }
}

extension String {
    /// Its first characters that have at most `count` bytes of UTF-8 together.
    fileprivate func cut(toBytes count: Int) -> String {
        var result = self
        while result.utf8.count > count { result.removeLast() }
        return result
    }
}
