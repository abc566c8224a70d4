/// The UDP packets of a picture: their heads are written once, then only light and sequence numbers change.
public struct LightPackets: Sendable {
    /// The packets, in the order in which they are sent, with the packet that shows the picture last if the protocol
    /// has one.
    public private(set) var packets: [[UInt8]]
    /// The universe of each packet; nil for a packet without one.
    public let universes: [Int?]

    private let transport: LightProtocol
    private let count: Int
    private var sequence: UInt8 = 0

    /// Packets for `count` bytes of light by `transport`, from `universe` on. sACN tells senders apart by `identity`,
    /// 16 bytes, and shows `name`, at most 63 bytes of UTF-8.
    public init(_ transport: LightProtocol, count: Int, universe: Int, identity: [UInt8], name: String) {
        self.transport = transport
        self.count = count
        let parts = stride(from: 0, to: count, by: transport.chunk).enumerated().map { number, offset in
            LightPart(
                offset: offset, size: min(transport.chunk, count - offset), isLast: offset + transport.chunk >= count,
                universe: universe + number, identity: identity, name: name)
        }
        packets = parts.map(transport.format.packet)
        universes =
            parts.map { transport.hasUniverses ? $0.universe : nil } + (transport.showPacket == nil ? [] : [nil])
        if let show = transport.showPacket { packets.append(show) }
    }

    /// Writes `light` into the packets; they are the next picture.
    public mutating func write(_ light: [UInt8]) {
        precondition(light.count == count)
        if transport.hasUniverses { advance() }
        for index in 0..<(count + transport.chunk - 1) / transport.chunk {
            if !transport.hasUniverses { advance() }
            packets[index][transport.sequence.offset] = sequence
            if let end = transport.end { packets[index][end.offset] &= ~end.bit }
            let (start, head) = (index * transport.chunk, transport.headSize)
            for place in 0..<min(transport.chunk, count - start) { packets[index][head + place] = light[start + place] }
        }
    }

    /// Marks the packets as the last of their stream, if the protocol's streams have an end; a sender sends `endCount`
    /// of them.
    public mutating func end() {
        guard let end = transport.end else { return }
        advance()
        for index in packets.indices {
            packets[index][transport.sequence.offset] = sequence
            packets[index][end.offset] |= end.bit
        }
    }

    /// Sets the next sequence number.
    private mutating func advance() {
        let numbers = transport.sequence.numbers
        sequence = sequence >= numbers.upperBound ? numbers.lowerBound : sequence + 1
    }
}
