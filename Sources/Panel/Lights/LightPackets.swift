/// The UDP packets of a picture: their heads are written once, then only light and sequence numbers change.
public struct LightPackets: Sendable {
    /// The packets, in the order in which they are sent. Art-Net's last one tells the wall to show the picture.
    public private(set) var packets: [[UInt8]]
    /// The universe of each packet; DDP and the last packet of Art-Net have none.
    public let universes: [Int?]

    private let transport: LightProtocol
    private let count: Int
    private var sequence: UInt8 = 0

    /// Packets for `count` bytes of light by `transport`, from `universe` on. sACN tells them apart by `identity`, 16 bytes, and shows
    /// `name`, at most 63 bytes of UTF-8.
    public init(_ transport: LightProtocol, count: Int, universe: Int, identity: [UInt8], name: String) {
        self.transport = transport
        self.count = count
        let sizes = stride(from: 0, to: count, by: transport.chunk).map { min(transport.chunk, count - $0) }
        switch transport {
        case .ddp:
            packets = sizes.enumerated().map { Self.ddp(offset: $0 * 1440, size: $1, isLast: $0 == sizes.count - 1) }
            universes = sizes.map { _ in nil }
        case .sacn:
            packets = sizes.enumerated().map { Self.sacn(universe: universe + $0, size: $1, identity, name) }
            universes = sizes.indices.map { universe + $0 }
        case .artnet:
            packets = sizes.enumerated().map { Self.artnet(universe: universe + $0, size: $1) } + [Self.artSync]
            universes = sizes.indices.map { universe + $0 } + [nil]
        }
    }

    /// Writes `light` into the packets; they are the next picture.
    public mutating func write(_ light: [UInt8]) {
        precondition(light.count == count)
        if transport != .ddp { sequence = next(sequence, of: 255) }
        if transport == .sacn { for index in packets.indices { packets[index][112] = 0 } }
        for index in 0..<(count + transport.chunk - 1) / transport.chunk {
            if transport == .ddp { sequence = next(sequence, of: 15) }
            packets[index][Self.sequencePlace(transport)] = sequence
            let (start, head) = (index * transport.chunk, Self.headSize(transport))
            for place in 0..<min(transport.chunk, count - start) { packets[index][head + place] = light[start + place] }
        }
    }

    /// Marks the packets as the last of their stream: E1.31 6.2.6 wants three of them. The others have no end.
    public mutating func end() {
        guard transport == .sacn else { return }
        sequence = next(sequence, of: 255)
        for index in packets.indices {
            packets[index][111] = sequence
            packets[index][112] |= 0x40
        }
    }

    /// The number after `number`, 1 to `last`: 0 means that there is none, but for sACN.
    private func next(_ number: UInt8, of last: UInt8) -> UInt8 {
        if transport == .sacn { return number &+ 1 }
        return number % last + 1
    }

    /// Place of the sequence number.
    private static func sequencePlace(_ transport: LightProtocol) -> Int {
        switch transport {
        case .ddp: 1
        case .sacn: 111
        case .artnet: 12
        }
    }

    /// Bytes before the light.
    static func headSize(_ transport: LightProtocol) -> Int {
        switch transport {
        case .ddp: 10
        case .sacn: 126
        case .artnet: 18
        }
    }

    // MARK: Heads

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// Version 1, push at the end of a picture; RGB with 8 bits a channel; the default output.
    private static func ddp(offset: Int, size: Int, isLast: Bool) -> [UInt8] {
        [isLast ? 0x41 : 0x40, 0, 0x0b, 1] + big(offset, 4) + big(size, 2) + [UInt8](repeating: 0, count: size)
    }

    /// E1.31-2018, table 4-1: the root, framing and DMP layers of a data packet.
    private static func sacn(universe: Int, size: Int, _ identity: [UInt8], _ name: String) -> [UInt8] {
        precondition(identity.count == 16)
        let length = headSize(.sacn) + size
        let title = Array(name.utf8.prefix(63))
        var packet = acn
        packet += big(0x7000 | (length - 16), 2) + big(4, 4) + identity
        packet += big(0x7000 | (length - 38), 2) + big(2, 4) + title + [UInt8](repeating: 0, count: 64 - title.count)
        // Priority 100, no synchronisation, sequence, options, universe.
        packet += [100, 0, 0, 0, 0] + big(universe, 2)
        packet += big(0x7000 | (length - 115), 2) + [2, 0xa1, 0, 0, 0, 1] + big(1 + size, 2) + [0]
        return packet + [UInt8](repeating: 0, count: size)
    }

    /// ArtDmx. Its length is even.
    private static func artnet(universe: Int, size: Int) -> [UInt8] {
        let even = size + size % 2
        return artNet + [0, 0x50, 0, 14, 0, 0]
            + [UInt8(truncatingIfNeeded: universe), UInt8(truncatingIfNeeded: universe >> 8)] + big(even, 2)
            + [UInt8](repeating: 0, count: even)
    }

    /// ArtSync: shows what the packets before brought.
    private static let artSync: [UInt8] = artNet + [0, 0x52, 0, 14, 0, 0]

    /// The first bytes of each packet of Art-Net and of ACN: sizes and the protocol's name.
    static let artNet = Array("Art-Net".utf8) + [0]
    static let acn: [UInt8] = [0, 0x10, 0, 0] + Array("ASC-E1.17".utf8) + [0, 0, 0]
}
