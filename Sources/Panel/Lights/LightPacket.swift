/// What one packet of light says. The packets of a picture are read here, and written by `LightPackets`.
public struct LightPacket: Hashable, Sendable {
    /// What the packet is for.
    public enum Kind: Hashable, Sendable {
        /// It brings light.
        case light
        /// It shows what the packets before it brought: Art-Net's ArtSync, a synchronisation packet of sACN.
        case show
        /// Its sender ends a universe: the last packets of sACN.
        case end
        /// It brings light in a form that the panel does not read.
        case foreign(String)
    }

    /// What it is for.
    public var kind = Kind.light
    /// Where its light begins in the picture, in bytes: of the whole one for DDP, else of its universe.
    public var offset = 0
    /// Its universe; nil for DDP and for a packet without light.
    public var universe: Int?
    /// The bytes of the packet that are light.
    public var light = 0..<0
    /// Its number in the stream of its universe; nil if the sender does not count.
    public var sequence: UInt8?
    /// Whether the picture is complete with it: DDP's push.
    public var isLast = false
    /// The synchronisation address of sACN: the packet is shown by a synchronisation packet with the same one; 0 for none.
    public var synchronisation = 0
    /// Whether it is shown at once if synchronisation packets stay away: an option of sACN.
    public var showsUnsynchronised = true
    /// Who sends it, beside its address: the first 8 bytes of sACN's CID; 0 for the others.
    public var sender: UInt64 = 0

    /// Bytes of light in a packet of a universe of DMX512 at most.
    private static let universeMax = 512

    /// Reads `packet`; nil if it is no light of `transport`, or is cut short.
    public init?(_ packet: UnsafeRawBufferPointer, as transport: LightProtocol) {
        switch transport {
        case .ddp: self.init(ddp: packet)
        case .sacn: self.init(sacn: packet)
        case .artnet: self.init(artnet: packet)
        }
    }

    /// http://www.3waylabs.com/ddp/: a header of 10 bytes, or 14 with a time code, which is ignored.
    private init?(ddp packet: UnsafeRawBufferPointer) {
        guard packet.count >= 10 else { return nil }
        // Version 1; no query, reply or stored data. The identifiers of control, settings and status bring JSON.
        guard packet[0] & 0xc0 == 0x40, packet[0] & 0x0e == 0, ![246, 250, 251].contains(packet[3]) else { return nil }
        let head = packet[0] & 0x10 == 0 ? 10 : 14
        let count = packet.big(8, 2)
        guard packet.count >= head + count else { return nil }
        // A push alone has any type.
        if count > 0, let form = Self.foreignForm(ddp: packet[2]) { kind = .foreign(form) }
        offset = packet.big(4, 4)
        light = head..<head + count
        isLast = packet[0] & 1 == 1
    }

    /// Name of the form of light that DDP's data type means; nil for red, green and blue with 8 bits each. Bits 3 to 5 are the form and
    /// bits 0 to 2 the size; many senders leave out one of them, or have the form in the low bits.
    private static func foreignForm(ddp type: UInt8) -> String? {
        switch (type, type >> 3) {
        case (0x00, _), (0x01, _), (0x05, _), (0x0a, _), (0x0b, _), (0x0d, _): nil
        case (0x0c, _): "RGB with 16 bits a colour"
        case (0x02, _), (_, 2): "HSL"
        case (0x03, _), (_, 3): "RGBW"
        case (_, 4): "shades of grey"
        default: "data of type \(type)"
        }
    }

    /// E1.31-2018, tables 4-1 to 4-3, 6-1 and 6-2. Light for a preview only (6.2.6) and start codes other than that of DMX512 are none.
    private init?(sacn packet: UnsafeRawBufferPointer) {
        guard packet.count >= 49, packet.starts(with: LightPackets.acn) else { return nil }
        sender = UInt64(packet.big(22, 4)) << 32 | UInt64(packet.big(26, 4))
        switch (packet.big(18, 4), packet.big(40, 4)) {
        case (8, 1):
            kind = .show
            synchronisation = packet.big(45, 2)
        case (4, 2):
            guard packet.count >= 126, packet[117] == 2, packet[118] == 0xa1 else { return nil }
            let options = packet[112]
            let count = packet.big(123, 2) - 1
            guard options & 0x80 == 0, packet[125] == 0, (0...Self.universeMax).contains(count),
                packet.count >= 126 + count
            else { return nil }
            kind = options & 0x40 == 0 ? .light : .end
            universe = packet.big(113, 2)
            sequence = packet[111]
            light = 126..<126 + count
            synchronisation = packet.big(109, 2)
            showsUnsynchronised = options & 0x20 != 0
        default: return nil
        }
    }

    /// Art-Net 4: ArtDmx and ArtSync. The version is not looked at: old senders write 13, and some 0.
    private init?(artnet packet: UnsafeRawBufferPointer) {
        guard packet.count >= 12, packet.starts(with: LightPackets.artNet) else { return nil }
        switch packet.big(8, 2) {
        case 0x0052: kind = .show
        case 0x0050:
            guard packet.count >= 18 else { return nil }
            let count = packet.big(16, 2)
            guard count <= Self.universeMax, packet.count >= 18 + count else { return nil }
            universe = Int(packet[14]) | Int(packet[15] & 0x7f) << 8
            // 0 means that the sender does not count.
            sequence = packet[12] == 0 ? nil : packet[12]
            light = 18..<18 + count
        default: return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The number of `count` bytes at `place`, the highest first.
    fileprivate func big(_ place: Int, _ count: Int) -> Int {
        self[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
