import Instrument

/// The notes of a Standard MIDI File (RP-001) of type 0 or 1 with quarter-note timing.
struct MIDIReader {
    /// A note.
    struct Note: Hashable {
        /// Number of the file's track, from 0.
        var track: Int
        /// Channel, 0-15.
        var channel: Int
        /// The channel's program in its track, 0-127; nil if it has chosen none.
        var program: Int?
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
    /// Names of the tracks that have one, by number.
    private(set) var names: [Int: String] = [:]
    /// Tempos in microseconds per quarter note, keys, and time signatures, by time.
    private var tempos: [(tick: Int, value: Int)] = []
    private var keys: [(tick: Int, value: Key)] = []
    private var bars: [(tick: Int, value: Bar)] = []

    /// A key: number of sharps, negative for flats, and whether it is minor.
    typealias Key = (sharps: Int, isMinor: Bool)

    /// A time signature: notes of a bar, their value as 1/`note`, and the MIDI clocks of a click.
    private struct Bar {
        var count = 4
        var note = 4
        var clocks = 24

        var quarters: Double { 4 * Double(count) / Double(note) }

        /// The metre with its bars and clicks; nil for none.
        var clickedMetre: Metre? {
            let steps = clocks / 6
            guard Metre.stepsOfBeat.contains(steps) else { return nil }
            let metre = Metre(beats: Int(4 * quarters) / steps, steps: steps)
            return Metre.beatsOfBar.contains(metre.beats) && metre.signature == (count, note) ? metre : nil
        }
    }

    private let bytes: [UInt8]
    private var at = 0
    private var track = 0

    /// Reads `bytes`. Throws `FormatError` with the position of the first error.
    init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = bytes
        let tracks = try header()
        for number in 0..<tracks {
            track = number
            try readTrack()
        }
        notes = notes.inOrder { ($0.start, $0.channel, $0.key, $0.track) < ($1.start, $1.channel, $1.key, $1.track) }
    }

    /// Whether `bytes` begin with the header of a MIDI file, or with a RIFF form that has one (RP-029).
    static func recognises(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("MThd".utf8)) || isRIFF(bytes)
    }

    private static func isRIFF(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 12 && bytes.starts(with: Array("RIFF".utf8)) && bytes[8..<12].elementsEqual("RMID".utf8)
    }

    // MARK: What counts at a time

    /// Name of the first track with a name.
    var name: String? { names.min { $0.key < $1.key }?.value }
    /// Whether it is one that `MIDIFile` wrote, also after another program has changed it: the tracks behind the first
    /// have its names.
    var isExported: Bool {
        Track.allCases.enumerated().allSatisfy { place, track in names[1 + place] == track.name }
    }
    /// The tempo at `tick` in microseconds per quarter note; nil if there is none.
    func microsecondsPerQuarter(at tick: Int) -> Int? { Self.last(tempos, at: tick)?.value }
    /// The key at `tick`; nil if there is none.
    func key(at tick: Int) -> Key? { Self.last(keys, at: tick)?.value }

    /// Quarter notes of the bar at `tick`: four without a time signature.
    func quartersOfBar(at tick: Int) -> Double { Self.last(bars, at: tick)?.value.quarters ?? 4 }

    /// The metre at `tick`: with the time signature's bars and clicks, else with its bars, as many programs write 24
    /// clocks whatever the beat is; four quarter notes for none. An exported file's clicks are its pattern's beats.
    func metre(at tick: Int) -> Metre {
        guard let bar = Self.last(bars, at: tick)?.value else { return Metre() }
        return bar.clickedMetre ?? (isExported ? nil : Metre(signature: bar.count, bar.note)) ?? Metre()
    }

    /// Begin of the bar at `tick`. Bars are counted from each time signature.
    func bar(at tick: Int) -> Int {
        let bar = Self.last(bars, at: tick) ?? (0, Bar())
        let ticks = max(1, Int(bar.value.quarters * Double(ticksPerQuarter)))
        return bar.tick + (tick - bar.tick) / ticks * ticks
    }

    /// The latest of `events` at `tick` or before; of several at the same time the last one.
    private static func last<Value>(_ events: [(tick: Int, value: Value)], at tick: Int) -> (tick: Int, value: Value)? {
        events.reduce(nil) { last, event in
            event.tick <= tick && event.tick >= last?.tick ?? 0 ? event : last
        }
    }

    // MARK: Chunks

    private func refused(_ problem: String) -> FormatError { FormatError("byte \(at)", problem) }

    private mutating func header() throws(FormatError) -> Int {
        guard Self.recognises(bytes) else {
            throw FormatError("byte 0", "is not the start of a MIDI file, which is MThd")
        }
        if Self.isRIFF(bytes) { try skipToData() }
        guard try readBytes(4).elementsEqual("MThd".utf8) else {
            throw FormatError("byte \(at - 4)", "is not the start of a MIDI file, which is MThd")
        }
        let length = try number(4)
        guard length >= 6 else { throw refused("the header is \(length) bytes long, should be 6") }
        let start = at
        let type = try number(2)
        guard type <= 1 else { throw refused("the file is of type \(type), should be of type 0 or 1") }
        let tracks = try number(2)
        let division = try number(2)
        guard division & 0x8000 == 0 else {
            throw refused("counts frames of film, should count parts of a quarter note")
        }
        guard division > 0 else { throw refused("has no ticks in a quarter note, should have some") }
        ticksPerQuarter = division
        _ = try readBytes(length - (at - start))
        return tracks
    }

    /// Goes to the contents of a RIFF form's first chunk of data.
    private mutating func skipToData() throws(FormatError) {
        at = 12
        while try !readBytes(4).elementsEqual("data".utf8) {
            let length = Int(clamping: try readBytes(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
            _ = try readBytes(length)
            // Chunks begin at even places.
            _ = try readBytes(length % 2)
        }
        _ = try readBytes(4)
    }

    private mutating func readTrack() throws(FormatError) {
        // Other chunks are skipped.
        while true {
            let kind = try readBytes(4)
            let length = try number(4)
            guard length <= bytes.count - at else {
                throw refused("a chunk of \(length) bytes goes beyond the end of the file")
            }
            let end = at + length
            if kind.elementsEqual("MTrk".utf8) { return try events(until: end) }
            at = end
        }
    }

    // MARK: Events

    /// A note that is on.
    private typealias Started = (tick: Int, velocity: Int, program: Int?)

    /// A track's notes that are on, by channel and key, and the programs of its channels.
    private struct Sounding {
        var notes: [Int: Queue] = [:]
        var programs: [Int: Int] = [:]
    }

    /// Queue of notes of one key: start and velocity, oldest first. Removal takes constant time, because a file may
    /// contain as many note-ons for a key as it has bytes.
    private struct Queue {
        private var notes: [Started] = []
        private var taken = 0

        /// The notes that are still on.
        var rest: ArraySlice<Started> { notes[taken...] }

        mutating func append(_ note: Started) { notes.append(note) }

        mutating func takeFirst() -> Started? {
            guard taken < notes.count else { return nil }
            defer { taken += 1 }
            return notes[taken]
        }
    }

    private mutating func events(until end: Int) throws(FormatError) {
        var tick = 0
        // Running status: the status of the last message on a channel. Other events leave it for the messages that
        // follow without a status, as most programs do.
        var running = 0
        var sounding = Sounding()
        var isOver = false
        while at < end, !isOver {
            tick += try variableLength(before: end)
            guard tick <= Self.ticksMax else { throw refused("the time is beyond \(Self.ticksMax) ticks") }
            let status = try peek(before: end) & 0x80 != 0 ? try byte(before: end) : running
            switch status {
            case 0xff:
                let kind = MIDIMeta(rawValue: UInt8(try byte(before: end)))
                meta(kind, try block(before: end), at: tick)
                isOver = kind == .end
            case 0xf0, 0xf7: _ = try block(before: end)
            case 0x80...0xef:
                running = status
                try message(status, before: end, at: tick, &sounding)
            default: throw refused("is no event of a MIDI file")
            }
        }
        self.end = max(self.end, tick)
        // Notes without a note-off end with their track.
        for (slot, notes) in sounding.notes { for started in notes.rest { try add(slot, started, end: tick) } }
        at = end
    }

    private mutating func message(
        _ status: Int, before end: Int, at tick: Int, _ sounding: inout Sounding
    ) throws(FormatError) {
        let first = try data(before: end)
        let second = (0xc0...0xdf).contains(status) ? 0 : try data(before: end)
        let slot = (status & 0x0f) << 7 | first
        switch status & 0xf0 {
        case 0x90 where second > 0:
            sounding.notes[slot, default: Queue()].append((tick, second, sounding.programs[status & 0x0f]))
        case 0xc0: sounding.programs[status & 0x0f] = first
        case 0x80, 0x90:
            // A note-off ends the oldest note.
            guard let started = sounding.notes[slot]?.takeFirst() else { return }
            try add(slot, started, end: tick)
        default: return
        }
    }

    private mutating func add(
        _ slot: Int, _ started: Started, end: Int
    ) throws(FormatError) {
        guard notes.count < Self.notesMax else { throw refused("there are more than \(Self.notesMax) notes") }
        notes.append(
            Note(
                track: track, channel: slot >> 7, program: started.program, key: slot & 0x7f,
                velocity: started.velocity,
                start: started.tick, end: end))
    }

    private mutating func meta(_ kind: MIDIMeta?, _ data: ArraySlice<UInt8>, at tick: Int) {
        let bytes = Array(data)
        switch kind {
        case .name where names[track] == nil:
            // Older programs fill names with blanks or zeros.
            let isFilling: (Character) -> Bool = { $0.isWhitespace || $0 == "\0" }
            let text = Self.text(bytes).visible(bytes.count).drop(while: isFilling).prefix(PatternDocument.nameMax)
            guard let last = text.lastIndex(where: { !isFilling($0) }) else { return }
            names[track] = String(text[...last])
        case .tempo where bytes.count == 3 && tempos.count < Self.changesMax:
            tempos.append((tick, Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])))
        case .keySignature where bytes.count == 2 && keys.count < Self.changesMax:
            keys.append((tick, (Int(Int8(bitPattern: bytes[0])), bytes[1] == 1)))
        case .timeSignature
        where bytes.count == 4 && bytes[0] > 0 && bytes[1] < 7 && bars.count < Self.changesMax:
            bars.append((tick, Bar(count: Int(bytes[0]), note: 1 << Int(bytes[1]), clocks: Int(bytes[2]))))
        default: break
        }
    }

    /// The text in `bytes`: UTF-8, otherwise Latin-1, which most older programs write. The standard does not define it.
    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    // MARK: Bytes

    /// Maximum time: ten times four hours at 960 ticks per quarter and 300 quarters per minute. It keeps sums of times
    /// from overflowing.
    private static let ticksMax = 1 << 30
    private static let notesMax = 1 << 20
    /// Maximum changes of tempo, of key and of time signature that are kept.
    private static let changesMax = 1 << 16

    private mutating func readBytes(_ count: Int) throws(FormatError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - at else { throw FormatError("byte \(bytes.count)", "the file ends too early") }
        defer { at += count }
        return bytes[at..<at + count]
    }

    /// Bytes preceded by their count.
    private mutating func block(before end: Int) throws(FormatError) -> ArraySlice<UInt8> {
        let length = try variableLength(before: end)
        guard at + length <= end else { throw refused("an event goes beyond the end of its track") }
        return try readBytes(length)
    }

    /// A number of `count` bytes, at most four, highest first. Where `Int` has 32 bits one beyond it is `Int.max`, which
    /// is longer than any file.
    private mutating func number(_ count: Int) throws(FormatError) -> Int {
        Int(clamping: try readBytes(count).reduce(0) { $0 << 8 | UInt32($1) })
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
