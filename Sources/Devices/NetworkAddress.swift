import Glibc

/// The address at which other machines reach this one.
public enum NetworkAddress {
    /// The IPv4 address of the first interface that is up and not a loopback; else its IPv6 address, unless it is link-local;
    /// nil if there is neither. Calls `getifaddrs`.
    public static func current() -> String? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        let interfaces = sequence(first: first) { $0?.pointee.ifa_next }.compactMap { $0?.pointee }
        let usable = interfaces.filter { interface in
            let flags = Int32(bitPattern: interface.ifa_flags)
            return flags & Int32(IFF_UP) != 0 && flags & Int32(IFF_LOOPBACK) == 0
        }
        for family in [AF_INET, AF_INET6] {
            for interface in usable {
                guard let address = interface.ifa_addr, Int32(address.pointee.sa_family) == family,
                    let text = text(address, family), !text.hasPrefix("fe80")
                else { continue }
                return text
            }
        }
        return nil
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>, _ family: Int32) -> String? {
        let isOld = family == AF_INET
        let length = isOld ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let failure = getnameinfo(
            address, socklen_t(length), &name, socklen_t(name.count), nil, 0, Int32(NI_NUMERICHOST))
        guard failure == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
