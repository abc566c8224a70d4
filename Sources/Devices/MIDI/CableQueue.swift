import InputEvents

/// Messages that wait for a MIDI cable, and the order of their bytes on it.
///
/// Bytes are handed to the driver one at a time, as the cable takes them: what the driver holds can no longer be overtaken. A tick
/// of the clock overtakes notes and controllers, and stands inside one if need be (MIDI 1.0 Detailed Specification, "System Real
/// Time Messages"). Repeated status bytes are left out.
struct CableQueue: Sendable {
    /// Bits a second on the cable.
    static let baud: UInt32 = 31_250
    /// Duration of a byte: ten bits.
    static let byte = Instant.Span(microseconds: 320)

    private struct Waiting: Sendable {
        var due: Instant
        var bytes: [UInt8]
    }

    private var waiting: [Waiting] = []
    /// The rest of the message in progress.
    private var rest: ArraySlice<UInt8> = []
    private var runningStatus: UInt8 = 0
    /// The time at which the cable has sent all that was handed over.
    private var free = Instant.zero

    /// Messages that wait at most: half a second of a full cable.
    static let countMax = 512
    /// Silence after which the status is sent again, for an instrument that was plugged in meanwhile.
    private static let statusTime = Instant.Span.milliseconds(250)

    init() { waiting.reserveCapacity(Self.countMax) }

    var isEmpty: Bool { waiting.isEmpty && rest.isEmpty }

    /// Adds a message that is due at `due`, behind those of the same time; false if there is no room.
    mutating func put(_ bytes: [UInt8], at due: Instant) -> Bool {
        guard waiting.count < Self.countMax else { return false }
        var index = waiting.endIndex
        while index > 0, waiting[index - 1].due > due { index -= 1 }
        waiting.insert(Waiting(due: due, bytes: bytes), at: index)
        return true
    }

    /// Removes all messages but the one in progress.
    mutating func removeAll() { waiting.removeAll(keepingCapacity: true) }

    /// The cable was lost: what is due at `now` and the message in progress are dropped.
    mutating func skip(to now: Instant) {
        rest = []
        runningStatus = 0
        waiting.removeFirst(waiting.prefix { $0.due <= now }.count)
    }

    /// The next byte for the driver at `now`; nil before the time `next`.
    mutating func takeByte(at now: Instant) -> UInt8? {
        guard now + Self.byte >= free, let byte = nextByte(at: now) else { return nil }
        free = max(free, now) + Self.byte
        return byte
    }

    /// When the next byte is to be taken; nil if nothing waits.
    var next: Instant? {
        guard let due = rest.isEmpty ? waiting.first?.due : Instant.zero else { return nil }
        return max(due, free + Instant.Span(microseconds: -Self.byte.microseconds))
    }

    private mutating func nextByte(at now: Instant) -> UInt8? {
        if let tick = tick(at: now) {
            waiting.remove(at: tick)
            return Self.tick
        }
        if rest.isEmpty {
            guard let first = waiting.first, first.due <= now else { return nil }
            waiting.removeFirst()
            rest = first.bytes[...]
            // A real-time message leaves the running status, other system messages end it.
            if let status = rest.first, status < 0xf8 {
                if now - free > Self.statusTime { runningStatus = 0 }
                if status == runningStatus { rest.removeFirst() }
                runningStatus = status < 0xf0 ? status : 0
            }
        }
        return rest.popFirst()
    }

    /// The place of a tick that may go first: before it are only messages of channels.
    private func tick(at now: Instant) -> Int? {
        for (index, message) in waiting.enumerated() {
            guard message.due <= now, let status = message.bytes.first else { return nil }
            if status == Self.tick { return index }
            if status >= 0xf0 { return nil }
        }
        return nil
    }

    private static let tick: UInt8 = 0xf8
}
