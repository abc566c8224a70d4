extension LightProtocol {
    /// Art-Net 4, https://art-net.org.uk. Its rate is the rate of DMX512, 44 universes a second; 170 whole LEDs in a
    /// universe of 512 bytes. A port address has 15 bits. ArtSync that stays away for four seconds is no longer waited
    /// for ("ArtSync").
    public static let artnet = LightProtocol(
        rawValue: "artnet", name: "Art-Net", port: 6454, rateMax: 44, universes: 0...32_767, chunk: 510, label: "ART",
        headSize: 18, sequence: (offset: 12, numbers: 1...255), syncTimeout: 4_000_000,
        showPacket: ArtNet.start + [0, 0x52, 0, 14, 0, 0], format: ArtNet())
}

private final class ArtNet: LightFormat {
    /// First bytes of each packet.
    static let start = Array("Art-Net".utf8) + [0]

    /// ArtDmx. Its length is even.
    func packet(_ part: LightPart) -> [UInt8] {
        let even = part.size + part.size % 2
        let low = UInt8(truncatingIfNeeded: part.universe)
        let high = UInt8(truncatingIfNeeded: part.universe >> 8)
        return Self.start + [0, 0x50, 0, 14, 0, 0, low, high] + .big(even, 2) + .dark(even)
    }

    /// ArtDmx and ArtSync. The version is ignored: old senders write 13, and some 0.
    func read(_ packet: UnsafeRawBufferPointer) -> LightPacket? {
        guard packet.count >= 12, packet.starts(with: Self.start) else { return nil }
        var light = LightPacket()
        switch packet.big(8, 2) {
        case 0x0052: light.kind = .show
        case 0x0050:
            guard packet.count >= 18 else { return nil }
            let count = packet.big(16, 2)
            guard count <= LightPacket.universeMax, packet.count >= 18 + count else { return nil }
            light.universe = Int(packet[14]) | Int(packet[15] & 0x7f) << 8
            // 0 means that the sender does not count.
            light.sequence = packet[12] == 0 ? nil : packet[12]
            light.light = 18..<18 + count
        default: return nil
        }
        return light
    }
}
