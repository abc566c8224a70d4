import Instrument

/// The notes of a Standard MIDI File (RP-001) of type 0 or 1 with quarter-note timing.
struct MIDIReader {
    /// A note.
    struct Note: Hashable {
        /// Channel, 0-15.
        var channel: Int
        /// Key, 0-127.
        var key: Int
        /// Velocity, 1-127.
        var velocity: Int
        /// Start, in ticks.
        var start: Int
        /// End, in ticks.
        var end: Int
    }

    /// Ticks per quarter note.
    private(set) var ticksPerQuarter = 0
    /// The notes, by start.
    private(set) var notes: [Note] = []
    /// End of the last track, in ticks.
    private(set) var end = 0
    /// The tempo at the start, in microseconds per quarter note; nil if there is none.
    private(set) var microsecondsPerQuarter: Int?
    /// The key at the start: number of sharps (negative for flats), and whether it is minor; nil if there is none.
    private(set) var key: (sharps: Int, isMinor: Bool)?
    /// Name of the first track with a name.
    private(set) var name: String?

    private let bytes: [UInt8]
    private var at = 0

    /// Reads `bytes`. Throws `FormatError` with the position of the first error.
    init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = bytes
        let tracks = try header()
        for _ in 0..<tracks { try track() }
        notes.sort { ($0.start, $0.channel, $0.key) < ($1.start, $1.channel, $1.key) }
    }

    /// Whether `bytes` begin with the header of a MIDI file.
    static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("MThd".utf8)) }

    // MARK: Chunks

    private func refused(_ problem: String) -> FormatError { FormatError("byte \(at)", problem) }

    private mutating func header() throws(FormatError) -> Int {
        guard Self.recognises(bytes) else {
            throw FormatError("byte 0", "is not the start of a MIDI file, which is MThd")
        }
        at = 4
        let length = try number(4)
        guard length >= 6 else { throw refused("the header is \(length) bytes long, should be 6") }
        let start = at
        let type = try number(2)
        guard type <= 1 else { throw refused("the file is of type \(type), should be of type 0 or 1") }
        let tracks = try number(2)
        let division = try number(2)
        guard division & 0x8000 == 0, division > 0 else {
            throw refused("counts frames of film, should count parts of a quarter note")
        }
        ticksPerQuarter = division
        _ = try take(start + length - at)
        return tracks
    }

    private mutating func track() throws(FormatError) {
        // Other chunks are skipped.
        while true {
            let kind = try take(4)
            let length = try number(4)
            let end = at + length
            guard end <= bytes.count else {
                throw refused("a chunk of \(length) bytes goes beyond the end of the file")
            }
            if kind.elementsEqual("MTrk".utf8) { return try events(until: end) }
            at = end
        }
    }

    // MARK: Events

    /// Notes that are on, by channel and key.
    private typealias Sounding = [Int: Queue]

    /// Queue of notes of one key: start and velocity, oldest first. Removal takes constant time, because a file may contain as
    /// many note-ons for a key as it has bytes.
    private struct Queue {
        private var notes: [(tick: Int, velocity: Int)] = []
        private var taken = 0

        /// The notes that are still on.
        var rest: ArraySlice<(tick: Int, velocity: Int)> { notes[taken...] }

        mutating func append(_ tick: Int, _ velocity: Int) { notes.append((tick, velocity)) }

        mutating func takeFirst() -> (tick: Int, velocity: Int)? {
            guard taken < notes.count else { return nil }
            defer { taken += 1 }
            return notes[taken]
        }
    }

    private mutating func events(until end: Int) throws(FormatError) {
        var tick = 0
        var status = 0
        var sounding = Sounding()
        var isOver = false
        while at < end, !isOver {
            tick += try variableLength(before: end)
            guard tick <= Self.ticksMax else { throw refused("the time is beyond \(Self.ticksMax) ticks") }
            if try peek(before: end) & 0x80 != 0 { status = try byte(before: end) }
            switch status {
            case 0xff:
                let kind = MIDIMeta(rawValue: UInt8(try byte(before: end)))
                meta(kind, try block(before: end), at: tick)
                status = 0
                isOver = kind == .end
            case 0xf0, 0xf7:
                _ = try block(before: end)
                status = 0
            case 0x80...0xef: try message(status, before: end, at: tick, &sounding)
            default: throw refused("is no event of a MIDI file")
            }
        }
        self.end = max(self.end, tick)
        // Notes without a note-off end with their track.
        for (slot, notes) in sounding { for started in notes.rest { try add(slot, started, end: tick) } }
        at = end
    }

    private mutating func message(
        _ status: Int, before end: Int, at tick: Int, _ sounding: inout Sounding
    ) throws(FormatError) {
        let first = try data(before: end)
        let second = (0xc0...0xdf).contains(status) ? 0 : try data(before: end)
        let slot = (status & 0x0f) << 7 | first
        switch status & 0xf0 {
        case 0x90 where second > 0: sounding[slot, default: Queue()].append(tick, second)
        case 0x80, 0x90:
            // A note-off ends the oldest note.
            guard let started = sounding[slot]?.takeFirst() else { return }
            try add(slot, started, end: tick)
        default: return
        }
    }

    private mutating func add(
        _ slot: Int, _ started: (tick: Int, velocity: Int), end: Int
    ) throws(FormatError) {
        guard notes.count < Self.notesMax else { throw refused("there are more than \(Self.notesMax) notes") }
        notes.append(
            Note(channel: slot >> 7, key: slot & 0x7f, velocity: started.velocity, start: started.tick, end: end))
    }

    private mutating func meta(_ kind: MIDIMeta?, _ data: ArraySlice<UInt8>, at tick: Int) {
        let bytes = Array(data)
        switch kind {
        case .name where name == nil && !bytes.isEmpty:
            name = String(Self.text(bytes).prefix(Self.nameMax))
        case .tempo where bytes.count == 3 && tick == 0 && microsecondsPerQuarter == nil:
            microsecondsPerQuarter = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
        case .keySignature where bytes.count == 2 && tick == 0 && key == nil:
            key = (Int(Int8(bitPattern: bytes[0])), bytes[1] == 1)
        default: break
        }
    }

    /// The text in `bytes`: UTF-8, otherwise Latin-1, which most older programs write. The standard does not define it.
    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    // MARK: Bytes

    /// Maximum time: ten times four hours at 960 ticks per quarter and 300 quarters per minute. It keeps sums of times from
    /// overflowing.
    private static let ticksMax = 1 << 30
    private static let notesMax = 1 << 20
    /// Maximum characters of a name.
    private static let nameMax = 200

    private mutating func take(_ count: Int) throws(FormatError) -> ArraySlice<UInt8> {
        guard at + count <= bytes.count else { throw FormatError("byte \(bytes.count)", "the file ends too early") }
        defer { at += count }
        return bytes[at..<at + count]
    }

    /// Bytes preceded by their count.
    private mutating func block(before end: Int) throws(FormatError) -> ArraySlice<UInt8> {
        let length = try variableLength(before: end)
        guard at + length <= end else { throw refused("an event goes beyond the end of its track") }
        return try take(length)
    }

    private mutating func number(_ count: Int) throws(FormatError) -> Int {
        try take(count).reduce(0) { $0 << 8 | Int($1) }
    }

    private func peek(before end: Int) throws(FormatError) -> Int {
        guard at < end else { throw refused("an event goes beyond the end of its track") }
        return Int(bytes[at])
    }

    private mutating func byte(before end: Int) throws(FormatError) -> Int {
        let value = try peek(before: end)
        at += 1
        return value
    }

    /// A data byte of an event, 0-127.
    private mutating func data(before end: Int) throws(FormatError) -> Int {
        let value = try peek(before: end)
        guard value < 0x80 else { throw refused("is \(value), should be data from 0 to 127") }
        at += 1
        return value
    }

    /// A variable-length quantity: seven bits per byte, at most four bytes.
    private mutating func variableLength(before end: Int) throws(FormatError) -> Int {
        var value = 0
        for _ in 0..<4 {
            let next = try byte(before: end)
            value = value << 7 | next & 0x7f
            if next & 0x80 == 0 { return value }
        }
        throw refused("a number is longer than four bytes")
    }
}
