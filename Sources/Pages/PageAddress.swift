import Glibc

/// An IPv4 address to serve the page at.
struct PageAddress {
    /// In dotted form.
    let text: String
    /// 127.0.0.0/8: reachable only from this machine.
    let isLoopback: Bool
    /// 0.0.0.0: every address of the machine.
    let isAny: Bool

    /// Parses an IPv4 address in dotted form, or "localhost".
    init(_ text: String) throws(PageServerError) {
        let dotted = text == "localhost" ? "127.0.0.1" : text
        var address = in_addr()
        guard inet_pton(AF_INET, dotted, &address) == 1 else { throw .badAddress(text) }
        self.text = dotted
        isLoopback = UInt32(bigEndian: address.s_addr) >> 24 == 127
        isAny = address.s_addr == 0
    }

    /// Host names by which a browser may reach this address, lower case.
    var names: [String] {
        guard !isLoopback else { return [text, "localhost"] }
        let name = Self.machineName
        return [text, name, name + ".local"] + (isAny ? ["localhost"] : [])
    }

    /// The URL of a page at `host` and `port`; 80 is HTTP's own port.
    static func url(host: String, port: Int) -> String { "http://\(host)\(port == 80 ? "" : ":\(port)")/" }

    /// The host in the page's URL.
    var nameForVisitors: String { isAny ? Self.machineName + ".local" : text }

    /// The reason that a socket cannot listen at `port`, found by binding one; nil if it can. `lws_create_context` does
    /// not report it, and version 4.3 retries for ever if the machine lacks the address.
    func reasonAgainstListening(port: Int) -> PageServerError? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return unavailable(port: port, errno) }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound != 0 else { return nil }
        return switch errno {
        case EADDRINUSE: .inUse(address: text, port: port)
        case EACCES, EPERM: .notPermitted(address: text, port: port)
        case EADDRNOTAVAIL: .noSuchAddress(text)
        case let code: unavailable(port: port, code)
        }
    }

    /// The error for the errno `code`.
    func unavailable(port: Int, _ code: Int32) -> PageServerError {
        .unavailable(address: text, port: port, reason: String(cString: strerror(code)))
    }

    /// The local address of a connected socket, in dotted form; empty if it has none.
    static func local(of descriptor: Int32) -> String {
        guard var address = address(of: descriptor, getsockname) else { return "" }
        var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
        guard inet_ntop(AF_INET, &address, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The local address of a connected socket, in network order; 0 if it has none.
    static func localNumber(of descriptor: Int32) -> UInt32 { address(of: descriptor, getsockname)?.s_addr ?? 0 }

    /// The remote address of a connected socket, in network order; 0 if it has none.
    static func remote(of descriptor: Int32) -> UInt32 { address(of: descriptor, getpeername)?.s_addr ?? 0 }

    private static func address(
        of descriptor: Int32, _ ask: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> in_addr? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &length) }
        }
        return result == 0 ? address.sin_addr : nil
    }

    private static var machineName: String {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
    }
}
