extension LightProtocol {
    /// Streaming ACN, ANSI E1.31-2018: lighting consoles. Its rate is the rate of DMX512, 44 universes a second
    /// (6.6.1); 170 whole LEDs in a universe of 512 bytes. Universes: 9.1.1; multicast addresses: 9.3.1; three last
    /// packets: 6.2.6; silence: 11.1.2 and 6.7.1.
    public static let sacn = LightProtocol(
        rawValue: "sacn", name: "sACN", port: 5568, rateMax: 44, universes: 1...63_999, chunk: 510, label: "ACN",
        headSize: 126, sequence: (offset: 111, numbers: 0...255), syncTimeout: 2_500_000,
        multicast: 239 << 24 | 255 << 16, end: (offset: 112, bit: 0x40, count: 3), format: SACN())
}

private final class SACN: LightFormat {
    /// First bytes of each packet of ACN: sizes and the protocol's name.
    private static let start: [UInt8] = [0, 0x10, 0, 0] + Array("ASC-E1.17".utf8) + [0, 0, 0]

    /// Table 4-1: the root, framing and DMP layers of a data packet. The name is at most 63 bytes of UTF-8.
    func packet(_ part: LightPart) -> [UInt8] {
        precondition(part.identity.count == 16)
        let length = 126 + part.size
        let title = Array(part.name.utf8.prefix(63))
        var packet = Self.start
        func size(from place: Int) -> [UInt8] { .big(0x7000 | (length - place), 2) }
        packet += size(from: 16) + .big(4, 4)
        packet += part.identity
        packet += size(from: 38) + .big(2, 4)
        packet += title
        packet += .dark(64 - title.count)
        // Priority 100, no synchronisation, sequence, options, universe.
        packet += [100, 0, 0, 0, 0] + .big(part.universe, 2)
        packet += size(from: 115) + [2, 0xa1, 0, 0, 0, 1]
        packet += .big(1 + part.size, 2) + [0]
        return packet + .dark(part.size)
    }

    /// Tables 4-1 to 4-3, 6-1 and 6-2. Light for a preview only (6.2.6) and start codes other than DMX512's are no
    /// light.
    func read(_ packet: UnsafeRawBufferPointer) -> LightPacket? {
        guard packet.count >= 49, packet.starts(with: Self.start) else { return nil }
        var light = LightPacket()
        light.sender = UInt64(packet.big(22, 4)) << 32 | UInt64(packet.big(26, 4))
        switch (packet.big(18, 4), packet.big(40, 4)) {
        case (8, 1):
            light.kind = .show
            light.synchronisation = packet.big(45, 2)
        case (4, 2):
            guard packet.count >= 126, packet[117] == 2, packet[118] == 0xa1 else { return nil }
            let options = packet[112]
            let count = packet.big(123, 2) - 1
            guard options & 0x80 == 0, packet[125] == 0, (0...LightPacket.universeMax).contains(count),
                packet.count >= 126 + count
            else { return nil }
            light.kind = options & 0x40 == 0 ? .light : .end
            light.universe = packet.big(113, 2)
            light.sequence = packet[111]
            light.light = 126..<126 + count
            light.synchronisation = packet.big(109, 2)
            light.showsUnsynchronised = options & 0x20 != 0
        default: return nil
        }
        return light
    }
}
