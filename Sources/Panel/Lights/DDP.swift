extension LightProtocol {
    /// Distributed Display Protocol, http://www.3waylabs.com/ddp/: WLED, xLights, FPP. Packets have an offset in the
    /// picture; a packet has 480 LEDs, as in the specification. It names no time without a push; Art-Net's is used.
    public static let ddp = LightProtocol(
        rawValue: "ddp", name: "DDP", port: 4048, rateMax: 60, universes: 1...1, chunk: 1440, label: "DDP",
        headSize: 10,
        sequence: (offset: 1, numbers: 1...15), syncTimeout: 4_000_000, format: DDP())
}

private final class DDP: LightFormat {
    /// Version 1, push at the end of a picture; RGB with 8 bits a channel; the default output.
    func packet(_ part: LightPart) -> [UInt8] {
        [part.isLast ? 0x41 : 0x40, 0, 0x0b, 1] + .big(part.offset, 4) + .big(part.size, 2) + .dark(part.size)
    }

    /// A header has 10 bytes, or 14 with a time code, which is ignored.
    func read(_ packet: UnsafeRawBufferPointer) -> LightPacket? {
        guard packet.count >= 10 else { return nil }
        // Version 1; no query, reply or stored data. The identifiers of control, settings and status bring JSON.
        guard packet[0] & 0xc0 == 0x40, packet[0] & 0x0e == 0, ![246, 250, 251].contains(packet[3]) else { return nil }
        let head = packet[0] & 0x10 == 0 ? 10 : 14
        let count = packet.big(8, 2)
        guard packet.count >= head + count else { return nil }
        var light = LightPacket()
        // A push alone has any type.
        if count > 0, let form = foreignForm(packet[2]) { light.kind = .foreign(form) }
        light.offset = packet.big(4, 4)
        light.light = head..<head + count
        light.isLast = packet[0] & 1 == 1
        return light
    }

    /// Name of the form of light of a data type; nil for red, green and blue with 8 bits each. Bits 3 to 5 are the form
    /// and bits 0 to 2 the size; many senders leave out one of them, or have the form in the low bits.
    private func foreignForm(_ type: UInt8) -> String? {
        switch (type, type >> 3) {
        case (0x00, _), (0x01, _), (0x05, _), (0x0a, _), (0x0b, _), (0x0d, _): nil
        case (0x0c, _): "RGB with 16 bits a colour"
        case (0x02, _), (_, 2): "HSL"
        case (0x03, _), (_, 3): "RGBW"
        case (_, 4): "shades of grey"
        default: "data of type \(type)"
        }
    }
}
