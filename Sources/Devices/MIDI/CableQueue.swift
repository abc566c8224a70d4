import InputEvents

/// Messages that wait for a MIDI cable, and the order of their bytes on it.
///
/// Bytes are handed to the driver one at a time, as the cable takes them: what the driver holds can no longer be
/// overtaken. Clock and transport overtake notes and controllers, and stand inside one if need be (MIDI 1.0 Detailed
/// Specification, "System Real Time Messages"). Repeated status bytes are left out.
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
    /// Its status.
    private var status: UInt8 = 0
    private var runningStatus: UInt8 = 0
    /// The time at which the cable has sent all that was handed over.
    private var free = Instant.zero

    /// Messages that wait at most: half a second of a full cable.
    static let countMax = 512
    /// Silence after which the status is sent again, for an instrument that was plugged in meanwhile.
    private static let statusTime = Instant.Span.milliseconds(250)

    init() { waiting.reserveCapacity(Self.countMax) }

    var isEmpty: Bool { waiting.isEmpty && rest.isEmpty }

    /// Inserts a message, of one byte at least, that is due at `due`, behind other messages of the same time; false if
    /// there is no room.
    mutating func insert(_ bytes: [UInt8], at due: Instant) -> Bool {
        guard waiting.count < Self.countMax else { return false }
        var index = waiting.endIndex
        while index > 0, waiting[index - 1].due > due { index -= 1 }
        waiting.insert(Waiting(due: due, bytes: bytes), at: index)
        return true
    }

    /// Removes the messages that wait and that `isMeant` says of their status.
    mutating func removeAll(where isMeant: (_ status: UInt8) -> Bool = { _ in true }) {
        waiting.removeAll { isMeant($0.bytes[0]) }
    }

    /// The cable was lost: drops the messages that are due at `now` and the message in progress.
    mutating func skip(to now: Instant) {
        rest = []
        runningStatus = 0
        waiting.removeFirst(waiting.prefix { $0.due <= now }.count)
    }

    /// The next byte for the driver at `now`; nil before the time `next`.
    mutating func popByte(at now: Instant) -> UInt8? {
        guard now + Self.byte >= free, let byte = nextByte(at: now) else { return nil }
        free = max(free, now) + Self.byte
        return byte
    }

    /// Time of the next byte; nil if nothing waits.
    var next: Instant? {
        guard let due = rest.isEmpty ? waiting.first?.due : Instant.zero else { return nil }
        return max(due, free + Instant.Span(microseconds: -Self.byte.microseconds))
    }

    private mutating func nextByte(at now: Instant) -> UInt8? {
        if let index = realTime(at: now) { return waiting.remove(at: index).bytes[0] }
        if rest.isEmpty {
            guard let first = waiting.first, first.due <= now else { return nil }
            waiting.removeFirst()
            rest = first.bytes[...]
            status = first.bytes[0]
            if now - free > Self.statusTime { runningStatus = 0 }
            if status == runningStatus { rest.removeFirst() }
            // System messages end the running status; real-time messages, which are handled above, leave it.
            runningStatus = status < Self.system ? status : 0
        }
        return rest.popFirst()
    }

    /// The place of a message of one byte that may go first: before it are only messages of channels. A song position
    /// stays before the message that goes on from there.
    private func realTime(at now: Instant) -> Int? {
        if !rest.isEmpty, status >= Self.system { return nil }
        for (index, message) in waiting.enumerated() {
            guard message.due <= now else { return nil }
            if message.bytes[0] >= Self.realTime { return index }
            if message.bytes[0] >= Self.system { return nil }
        }
        return nil
    }

    /// The first status of the system's messages, and of its real-time messages.
    static let system: UInt8 = 0xf0
    private static let realTime: UInt8 = 0xf8
}
