import Instrument

/// The notes of a Standard MIDI File (RP-001), types 0 and 1, in quarters: what is needed to make a pattern of it.
struct MIDIReader {
    /// A note.
    struct Note: Hashable {
        /// Its channel, 0-15.
        var channel: Int
        /// Its key, 0-127.
        var key: Int
        /// How hard it was struck, 1-127.
        var velocity: Int
        /// When it begins, in ticks.
        var start: Int
        /// When it ends, in ticks.
        var end: Int
    }

    /// Ticks of a quarter.
    private(set) var ticksPerQuarter = 0
    /// The notes, in the order in which they begin.
    private(set) var notes: [Note] = []
    /// When the last track ends, in ticks.
    private(set) var end = 0
    /// The tempo at the start, in microseconds a quarter, if it is told.
    private(set) var microsecondsPerQuarter: Int?
    /// The key at the start, as sharps (or less than 0, flats) and whether it is minor, if it is told.
    private(set) var key: (sharps: Int, isMinor: Bool)?
    /// The name of the first track that has one.
    private(set) var name: String?

    private let bytes: [UInt8]
    private var at = 0

    /// Reads `bytes`. Throws `FormatError` with the position of the first thing that is wrong.
    init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = bytes
        let tracks = try header()
        for _ in 0..<tracks { try track() }
        notes.sort { ($0.start, $0.channel, $0.key) < ($1.start, $1.channel, $1.key) }
    }

    /// Whether `bytes` begin as such a file does.
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
        // Chunks of other kinds are to be passed over.
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

    /// Notes that sound, by channel and key.
    private typealias Sounding = [Int: Queue]

    /// Notes of one key, when they began and how hard they were struck, oldest first. Taking one is as fast for a thousand
    /// as for two: a file may strike a key as often as it has bytes.
    private struct Queue {
        private var notes: [(tick: Int, velocity: Int)] = []
        private var taken = 0

        /// The notes that have not ended.
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
        // What nobody ended sounds to the end of its track.
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
            // The one that has sounded longest ends.
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

    /// The text in `bytes`: UTF-8, or else Latin-1, as most older programs write it. The standard does not say.
    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    // MARK: Bytes

    /// Four hours at 960 ticks a quarter and 300 quarters a minute, ten times over: no sum of times overflows.
    private static let ticksMax = 1 << 30
    private static let notesMax = 1 << 20
    /// Letters of a name.
    private static let nameMax = 200

    private mutating func take(_ count: Int) throws(FormatError) -> ArraySlice<UInt8> {
        guard at + count <= bytes.count else { throw FormatError("byte \(bytes.count)", "the file ends too early") }
        defer { at += count }
        return bytes[at..<at + count]
    }

    /// As many bytes as a number before them says.
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

    /// A byte of an event's data, 0-127.
    private mutating func data(before end: Int) throws(FormatError) -> Int {
        let value = try peek(before: end)
        guard value < 0x80 else { throw refused("is \(value), should be data from 0 to 127") }
        at += 1
        return value
    }

    /// Seven bits a byte, at most four of them.
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
