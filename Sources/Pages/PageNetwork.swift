import Glibc

/// An IPv4 network, such as 10.42.0.0/24.
public struct PageNetwork: Hashable, Sendable {
    /// Its first address and its mask, in host order.
    private let address, mask: UInt32

    /// Parses a network in CIDR notation (RFC 4632, 3.1); nil if it is invalid.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        var parsed = in_addr()
        guard parts.count == 2, inet_pton(AF_INET, String(parts[0]), &parsed) == 1,
            let bits = Int(parts[1]), (0...32).contains(bits)
        else { return nil }
        mask = bits == 0 ? 0 : ~0 << UInt32(32 - bits)
        address = UInt32(bigEndian: parsed.s_addr)
        guard address & ~mask == 0 else { return nil }
    }

    /// Whether `number`, an address in network order, is in this network.
    func contains(_ number: UInt32) -> Bool { UInt32(bigEndian: number) & mask == address }
}
