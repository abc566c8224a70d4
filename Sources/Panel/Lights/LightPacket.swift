/// What one packet of light says. The packets of a picture are read here, and written by `LightPackets`.
public struct LightPacket: Hashable, Sendable {
    /// What the packet is for.
    public enum Kind: Hashable, Sendable {
        /// It brings light.
        case light
        /// It shows what the packets before it brought: Art-Net's ArtSync.
        case show
        /// Its sender ends: the last packets of sACN.
        case end
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
    /// Who sends it, beside its address: the first 8 bytes of sACN's CID; 0 for the others.
    public var sender: UInt64 = 0

    /// Bytes of light in a packet at most: those of a universe of DMX512, and 480 LEDs of DDP.
    private static let (universeMax, ddpMax) = (512, 1440)

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
        // Version 1; no query, reply or stored data.
        guard packet[0] & 0xc0 == 0x40, packet[0] & 0x0e == 0 else { return nil }
        // RGB with 8 bits a channel, or undefined; the default output, or all.
        guard [0, 1, 0x0b].contains(packet[2]), [1, 255].contains(packet[3]) else { return nil }
        let head = packet[0] & 0x10 == 0 ? 10 : 14
        let count = packet.big(8, 2)
        guard count <= Self.ddpMax, packet.count >= head + count else { return nil }
        offset = packet.big(4, 4)
        light = head..<head + count
        isLast = packet[0] & 1 == 1
    }

    /// E1.31-2018, tables 4-1 and 6-1. Light for a preview only (6.2.6) and start codes other than that of DMX512 are none.
    private init?(sacn packet: UnsafeRawBufferPointer) {
        guard packet.count >= 126, packet.starts(with: LightPackets.acn), packet.big(18, 4) == 4,
            packet.big(40, 4) == 2, packet[117] == 2, packet[118] == 0xa1
        else { return nil }
        let options = packet[112]
        let count = packet.big(123, 2) - 1
        guard options & 0x80 == 0, packet[125] == 0, (0...Self.universeMax).contains(count),
            packet.count >= 126 + count
        else { return nil }
        kind = options & 0x40 == 0 ? .light : .end
        universe = packet.big(113, 2)
        sequence = packet[111]
        light = 126..<126 + count
        sender = UInt64(packet.big(22, 4)) << 32 | UInt64(packet.big(26, 4))
    }

    /// Art-Net 4: ArtDmx and ArtSync.
    private init?(artnet packet: UnsafeRawBufferPointer) {
        guard packet.count >= 12, packet.starts(with: LightPackets.artNet), packet.big(10, 2) >= 14 else { return nil }
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
