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
    /// One bit for each universe: the universes that have arrived since the last complete picture, the universes of
    /// that picture, and the universes whose stream the sender has not ended. A protocol without universes has one.
    private var (arrived, expected, live): (UInt64, UInt64, UInt64) = (0, 0, 0)
    /// Offset of the last packet without a universe.
    private var lastOffset = 0
    /// Whether the sender says when a picture is complete: by DDP's push, ArtSync or sACN's synchronisation.
    private var isSynchronised = false
    /// When it last did, and when the last light came, in microseconds.
    private var (lastSync, lastLight): (Int64, Int64) = (0, 0)
    /// Synchronisation address of the light, and whether light is shown if synchronisation stays away.
    private var (synchronisation, showsUnsynchronised) = (0, true)

    /// Time after which light is shown if the sender does not say when it is complete, in microseconds.
    private static let lightTimeout: Int64 = 50_000
    /// Packets that are this much behind the last one are late ones: E1.31-2018 6.7.2.
    private static let lateMax = 20

    /// A dark picture of `count` bytes, at most 64 universes, that `transport` sends from `firstUniverse` on.
    public init(_ transport: LightProtocol, count: Int, firstUniverse: Int) {
        let universes = transport.hasUniverses ? (count + transport.chunk - 1) / transport.chunk : 1
        precondition(universes <= 64)
        shown = [UInt8](repeating: 0, count: count)
        arriving = shown
        self.transport = transport
        self.firstUniverse = firstUniverse
        sequences = [UInt8?](repeating: nil, count: universes)
    }

    /// Draws the last complete picture, which has the size of `frame`, over `columns` and `rows` of it: averages if
    /// they are fewer.
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
        if packet.kind == .show { return (packet.synchronisation ?? synchronisation) == synchronisation }
        guard let universe = packet.universe else { return true }
        return sequences.indices.contains(universe - firstUniverse)
    }

    /// Receives a packet that concerns it, read from `bytes` at `microseconds`. Returns whether a picture is complete.
    /// A picture of which packets were lost is complete when the next one begins, or 50 ms after its last packet:
    /// `completeIfDue`.
    public mutating func receive(_ packet: LightPacket, _ bytes: UnsafeRawBufferPointer, at microseconds: Int64) -> Bool
    {
        switch packet.kind {
        case .light: break
        case .show: return synchronise(at: microseconds)
        case .end:
            if let universe = packet.universe {
                live &= ~(1 << UInt64(universe - firstUniverse))
                // A stream that begins again may have any number.
                sequences[universe - firstUniverse] = nil
            }
            return false
        case .foreign: return false
        }
        if isSynchronised, showsUnsynchronised, microseconds - lastSync > transport.syncTimeout {
            isSynchronised = false
        }
        lastLight = microseconds
        guard let universe = packet.universe else { return receiveByOffset(packet, bytes, at: microseconds) }
        let place = universe - firstUniverse
        guard isInOrder(packet.sequence, place) else { return false }
        if let address = packet.synchronisation {
            if address == 0 || address != synchronisation { isSynchronised = false }
            (synchronisation, showsUnsynchronised) = (address, packet.showsUnsynchronised)
        }
        let bit: UInt64 = 1 << UInt64(place)
        let isNext = !isSynchronised && arrived & bit != 0 && complete()
        write(bytes[packet.light].prefix(transport.chunk), at: place * transport.chunk)
        (arrived, live) = (arrived | bit, live | bit)
        if !isSynchronised, arrived == expected { return complete() }
        return isNext
    }

    /// Light without universes begins at the picture's start again, or ends with a push.
    private mutating func receiveByOffset(
        _ packet: LightPacket, _ bytes: UnsafeRawBufferPointer, at microseconds: Int64
    ) -> Bool {
        let isNext = !isSynchronised && arrived != 0 && packet.offset <= lastOffset && complete()
        write(bytes[packet.light], at: packet.offset)
        (arrived, live, lastOffset) = (1, 1, packet.offset)
        return packet.isLast ? synchronise(at: microseconds) : isNext
    }

    private mutating func synchronise(at microseconds: Int64) -> Bool {
        (isSynchronised, lastSync) = (true, microseconds)
        return complete()
    }

    /// When light that has arrived is complete although nothing said so, in microseconds; nil if none waits.
    public var deadline: Int64? {
        guard arrived != 0, !isSynchronised || showsUnsynchronised else { return nil }
        return max(lastLight + Self.lightTimeout, isSynchronised ? lastSync + transport.syncTimeout : 0)
    }

    /// Completes a picture whose time has come at `microseconds`. Returns whether a picture is complete.
    public mutating func completeIfDue(at microseconds: Int64) -> Bool {
        guard let deadline, deadline <= microseconds else { return false }
        return complete()
    }

    /// Whether the sender has ended all its universes.
    public var hasEnded: Bool { live == 0 }

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

    private mutating func write(_ light: Slice<UnsafeRawBufferPointer>, at offset: Int) {
        for (place, byte) in zip(offset..<max(offset, arriving.count), light) { arriving[place] = byte }
    }

    private mutating func complete() -> Bool {
        (expected, arrived) = (arrived, 0)
        shown.replaceSubrange(0..., with: arriving)
        return true
    }
}
