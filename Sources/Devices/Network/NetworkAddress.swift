import Glibc

/// The address at which other machines reach this one.
public enum NetworkAddress {
    /// The IPv4 address of the first interface that is up and not a loopback; else its IPv6 address, unless it is
    /// link-local; nil if there is neither. Calls `getifaddrs` and `getnameinfo`.
    public static func current() -> String? { current(NetworkInterface.all) }

    /// Name of the interface that has this address; nil if none has.
    public static func interface(of address: String) -> String? { interface(of: address, NetworkInterface.all) }

    /// Name of the interface among `interfaces`, a call that a test can make fail.
    static func interface(
        of address: String, _ interfaces: () -> Result<[NetworkInterface], SystemError>
    ) -> String? {
        guard case .success(let all) = interfaces() else { return nil }
        return all.first { $0.address == address }?.name
    }

    /// This machine's name; "box" if the system does not tell.
    public static func hostName() -> String {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count - 1) == 0 else { return "box" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address among the addresses of `interfaces`, a call that a test can make fail.
    static func current(_ interfaces: () -> Result<[NetworkInterface], SystemError>) -> String? {
        guard case .success(let all) = interfaces() else { return nil }
        let usable = all.filter { $0.isUp && !$0.isLoopback }
        for family in [AF_INET, AF_INET6] {
            for interface in usable where interface.family == family {
                if let address = interface.address, !address.hasPrefix("fe80") { return address }
            }
        }
        return nil
    }
}

/// An address of a network interface.
struct NetworkInterface {
    /// The interface's name.
    var name: String
    /// Whether the interface is up.
    var isUp: Bool
    /// Whether the interface reaches this machine only.
    var isLoopback: Bool
    /// Family of the address, such as AF_INET; nil for an interface without an address.
    var family: Int32?
    /// The numeric address; nil if the system cannot write it.
    var address: String?
    /// The network of an IPv4 address.
    var network: InterfaceNetwork?

    /// All addresses of this machine's interfaces. Calls `getifaddrs`.
    static func all() -> Result<[NetworkInterface], SystemError> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return .failure(SystemError(errno: errno)) }
        defer { freeifaddrs(first) }
        return .success(sequence(first: first) { $0?.pointee.ifa_next }.compactMap { $0.map { Self($0.pointee) } })
    }
}

extension NetworkInterface {
    fileprivate init(_ interface: ifaddrs) {
        let flags = Int32(bitPattern: interface.ifa_flags)
        name = String(cString: interface.ifa_name)
        isUp = flags & Int32(IFF_UP) != 0
        isLoopback = flags & Int32(IFF_LOOPBACK) != 0
        family = interface.ifa_addr.map { Int32($0.pointee.sa_family) }
        address = interface.ifa_addr.flatMap { Self.text($0) }
        if family == AF_INET, let own = interface.ifa_addr, let mask = interface.ifa_netmask {
            network = InterfaceNetwork(address: Self.ipv4(own), mask: Self.ipv4(mask), isLoopback: isLoopback)
        }
    }

    private static func ipv4(_ address: UnsafeMutablePointer<sockaddr>) -> UInt32 {
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr.s_addr }
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let length =
            switch Int32(address.pointee.sa_family) {
            case AF_INET: MemoryLayout<sockaddr_in>.size
            case AF_INET6: MemoryLayout<sockaddr_in6>.size
            default: 0
            }
        guard length > 0 else { return nil }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let failure = getnameinfo(
            address, socklen_t(length), &name, socklen_t(name.count), nil, 0, Int32(NI_NUMERICHOST))
        guard failure == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
