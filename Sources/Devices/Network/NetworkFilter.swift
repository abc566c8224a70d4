import Glibc

/// The addresses that a service may exchange packets with: `IPAddressAllow=` and `IPAddressDeny=` of
/// systemd.resource-control(5). Only IPv4, as all ports of the box are.
public struct NetworkFilter: Hashable, Sendable {
    private var allowed: [InterfaceNetwork]
    private var denied: [InterfaceNetwork]

    /// The filter of the properties with these names, as `systemctl show` writes them: networks such as `10.0.0.0/8`.
    init(allow: String, deny: String) {
        (allowed, denied) = (Self.networks(allow), Self.networks(deny))
    }

    private static func networks(_ text: String) -> [InterfaceNetwork] {
        text.split(separator: " ").compactMap { word in
            let parts = word.split(separator: "/")
            guard let first = parts.first, let address = UDPCalls.address(String(first)),
                let length = parts.count > 1 ? Int(parts[1]) : 32, (0...32).contains(length)
            else { return nil }
            return InterfaceNetwork(address: address, mask: UInt32(truncatingIfNeeded: ~0 << (32 - length)).bigEndian)
        }
    }

    /// Whether packets may come from an address, in network order, and go there.
    func permits(_ address: UInt32) -> Bool {
        allowed.contains { $0.reaches(address) } || !denied.contains { $0.reaches(address) }
    }

    /// The first of `networks` with which no packets may be exchanged, such as `203.0.113.0`; nil if there is none.
    func deniedNetwork(of networks: [InterfaceNetwork]) -> String? {
        networks.first { !permits($0.address) || !permits($0.address | ~$0.mask) }
            .map { UDPCalls.text(of: $0.address & $0.mask) }
    }

    /// The commands that open the service's filter to every address.
    static let fix =
        "sudo install -D -m 644 /usr/share/doc/pixelboop/examples/network.conf -t /etc/systemd/system/pixelboop.service.d, "
        + "sudo systemctl daemon-reload, and restart it"

    /// The failure of `name` because packets with `address` are denied.
    public static func failure(_ name: String, _ address: String) -> DeviceFailure {
        DeviceFailure("\(name): the service's filter denies packets with \(address) (IPAddressDeny)", fix: fix)
    }
}
