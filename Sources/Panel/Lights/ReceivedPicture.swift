import Display

/// A picture that arrives in packets. Its bytes are red, green and blue of each LED, row by row.
public struct ReceivedPicture: Sendable {
    /// The last complete picture.
    public private(set) var shown: [UInt8]
    /// The bytes that arrive.
    private var arriving: [UInt8]
    private let transport: LightProtocol
    private let firstUniverse: Int
    /// The last sequence number of each universe.
    private var sequences: [UInt8?]
    /// The universes that have arrived since the last complete picture, and those of that picture: one bit each.
    private var (arrived, expected): (UInt64, UInt64) = (0, 0)
    /// Whether the sender says when a picture is complete: Art-Net's ArtSync was seen.
    private var isSynchronised = false
    /// When the last ArtSync came, in microseconds.
    private var lastSync: Int64 = 0

    /// Time without an ArtSync after which a node shows each packet again, in microseconds: Art-Net 4, "ArtSync".
    private static let syncTimeout: Int64 = 4_000_000
    /// Packets that are this much behind the last one are late ones: E1.31-2018 6.7.2.
    private static let lateMax = 20

    /// A dark picture of `count` bytes, at most 64 universes, that `transport` sends from `firstUniverse` on.
    public init(_ transport: LightProtocol, count: Int, firstUniverse: Int) {
        let universes = (count + transport.chunk - 1) / transport.chunk
        precondition(universes <= 64)
        shown = [UInt8](repeating: 0, count: count)
        arriving = shown
        self.transport = transport
        self.firstUniverse = firstUniverse
        sequences = [UInt8?](repeating: nil, count: universes)
    }

    /// Draws the last complete picture, which has the size of `frame`, over `columns` and `rows` of it: averages if they are fewer.
    public func draw(into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        precondition(shown.count == 3 * frame.columns * frame.rows)
        for y in rows {
            let sourceRows = WallPicture.part(y - rows.lowerBound, of: rows.count, in: frame.rows)
            for x in columns {
                let sourceColumns = WallPicture.part(x - columns.lowerBound, of: columns.count, in: frame.columns)
                var (red, green, blue) = (0, 0, 0)
                for row in sourceRows {
                    for column in sourceColumns {
                        let place = 3 * (row * frame.columns + column)
                        red += Int(shown[place])
                        green += Int(shown[place + 1])
                        blue += Int(shown[place + 2])
                    }
                }
                let count = sourceRows.count * sourceColumns.count
                func mean(_ sum: Int) -> UInt8 { UInt8((sum + count / 2) / count) }
                frame[x, y] = RGB(red: mean(red), green: mean(green), blue: mean(blue))
            }
        }
    }

    /// Whether `packet` has to do with this picture.
    public func concerns(_ packet: LightPacket) -> Bool {
        guard let universe = packet.universe else { return packet.kind == .show || packet.offset < shown.count }
        return sequences.indices.contains(universe - firstUniverse)
    }

    /// Takes a packet that concerns it, read from `bytes` at `microseconds`. Returns whether a picture is complete. A picture of which
    /// packets were lost is complete when the next one begins.
    public mutating func take(_ packet: LightPacket, _ bytes: UnsafeRawBufferPointer, at microseconds: Int64) -> Bool {
        switch packet.kind {
        case .end: return false
        case .show:
            (isSynchronised, lastSync) = (true, microseconds)
            return complete()
        case .light: break
        }
        guard let universe = packet.universe else {
            put(bytes[packet.light], at: packet.offset)
            return packet.isLast && complete()
        }
        let place = universe - firstUniverse
        guard isInOrder(packet.sequence, place) else { return false }
        if microseconds - lastSync > Self.syncTimeout { isSynchronised = false }
        let bit: UInt64 = 1 << UInt64(place)
        let isNext = !isSynchronised && arrived & bit != 0 && complete()
        put(bytes[packet.light].prefix(transport.chunk), at: place * transport.chunk)
        arrived |= bit
        if !isSynchronised, arrived == expected { return complete() }
        return isNext
    }

    /// Whether the packet with `sequence` of the universe at `place` is newer than the last one.
    private mutating func isInOrder(_ sequence: UInt8?, _ place: Int) -> Bool {
        guard let sequence, let last = sequences[place] else {
            sequences[place] = sequence
            return true
        }
        let step = Int(Int8(bitPattern: sequence &- last))
        guard step > 0 || step <= -Self.lateMax else { return false }
        sequences[place] = sequence
        return true
    }

    private mutating func put(_ light: Slice<UnsafeRawBufferPointer>, at offset: Int) {
        for (place, byte) in zip(offset..<max(offset, arriving.count), light) { arriving[place] = byte }
    }

    private mutating func complete() -> Bool {
        (expected, arrived) = (arrived, 0)
        shown.replaceSubrange(0..., with: arriving)
        return true
    }
}
