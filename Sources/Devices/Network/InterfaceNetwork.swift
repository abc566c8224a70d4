import Glibc

/// An IPv4 network of an interface, in network order.
struct InterfaceNetwork: Hashable, Sendable {
    /// The interface's own address.
    var address: UInt32
    /// The bits of the network.
    var mask: UInt32
    /// Whether the interface reaches this machine only: then all its addresses are this machine's own.
    var isLoopback = false

    /// Whether a packet to `address` stays in the network.
    func reaches(_ address: UInt32) -> Bool { (address ^ self.address) & mask == 0 }

    /// Whether `address` is this machine's own.
    func isOwn(_ address: UInt32) -> Bool { isLoopback ? reaches(address) : address == self.address }

    /// The networks of the interface with this name. Calls `getifaddrs`.
    static func all(of name: String) -> [InterfaceNetwork] {
        guard case .success(let all) = NetworkInterface.all() else { return [] }
        return all.filter { $0.name == name }.compactMap(\.network)
    }
}
