import Instrument

/// A pattern, or a song, as a Standard MIDI File (RP-001) of type 1: a tempo track, and the four tracks on channels 1,
/// 2, 3 and 10, with drums by General MIDI's percussion map.
public enum MIDIFile {
    /// Ticks per quarter note; a step without swing is a quarter of that. One per cent of swing is 2.4 ticks, so that
    /// no two settings round to the same tick, as they would at 96.
    public static let ticksPerQuarter = 480

    /// Name for a pattern without one.
    static let nameless = "PixelBoop"

    /// A pattern that is passed through some times.
    private struct Part {
        /// As it sounds.
        let pattern: Pattern
        /// Its sound: the swing and the mutes.
        let sound: SceneSound
        /// Its first step in the file.
        let start: Int
        /// Its steps in the file.
        let steps: Int
        /// Whether another pattern follows.
        let isFollowed: Bool

        var end: Int { start + steps }
        var swing: Int { sound.settings[.swing] }
    }

    /// The file with `loops` repetitions of the pattern that the document plays. Silent tracks have no notes; a run of
    /// sustained cells is one note, which ends at the end of the file at the latest. Notes begin and end on the swung
    /// steps, or where their lanes say.
    public static func bytes(_ document: PatternDocument, loops: Int) -> [UInt8] {
        let pattern = document.played.sounding
        return bytes(
            document,
            [
                Part(
                    pattern: pattern, sound: document.playedSound, start: 0, steps: loops * pattern.length,
                    isFollowed: false)
            ])
    }

    /// The file of the document's song, from its start to its end: the same, with the tempo and key of each entry.
    public static func songBytes(_ document: PatternDocument) -> [UInt8] {
        var parts: [Part] = []
        for entry in document.song.entries {
            guard let pattern = document.scenes.pattern(in: entry.scene, playing: document.pattern) else { continue }
            parts.append(
                Part(
                    pattern: pattern.sounding, sound: document.sounds[of: document.sounds.owner(in: entry.scene)],
                    start: parts.last?.end ?? 0, steps: entry.repeats * pattern.length, isFollowed: true))
        }
        return bytes(document, parts)
    }

    /// The file of a whole tune: its song, or its pattern once if it has none.
    public static func tuneBytes(_ document: PatternDocument) -> [UInt8] {
        document.song.isEmpty ? bytes(document, loops: 1) : songBytes(document)
    }

    private static func bytes(_ document: PatternDocument, _ parts: [Part]) -> [UInt8] {
        var conductor = Chunk()
        conductor.name(document.name ?? nameless)
        var last: Pattern?
        for part in parts {
            let start = tick(ofStep: part.start, swing: part.swing)
            if part.pattern.tempo != last?.tempo {
                conductor.meta(.tempo, big(part.pattern.tempo.microsecondsOfBeat, 3), at: start)
            }
            let signature = timeSignature(of: part.pattern)
            if signature != last.map(timeSignature) { conductor.meta(.timeSignature, signature, at: start) }
            let key = keySignature(of: part.pattern.tonality)
            if let key, key != last.flatMap({ keySignature(of: $0.tonality) }) {
                conductor.meta(.keySignature, key, at: start)
            }
            last = part.pattern
        }
        let end = parts.last.map { tick(ofStep: $0.end, swing: $0.swing) } ?? 0
        conductor.end(at: end)
        var bytes = header(tracks: 1 + Track.allCases.count) + conductor.chunk
        for track in Track.allCases {
            var chunk = Chunk()
            chunk.name(track.name)
            let audible = parts.filter { !$0.sound.muted.silent(soloed: document.soloed).contains(track) }
            let played = audible.flatMap { notes(of: track, in: $0) }
            for message in messages(played, track, end: end) { chunk.add(message.bytes, at: message.tick) }
            chunk.end(at: end)
            bytes += chunk.chunk
        }
        return bytes
    }

    /// The tick of `step`, counted from the start of the file: the first step of each pair takes `swing` per cent of
    /// the pair, rounded to the nearest tick.
    private static func tick(ofStep step: Int, swing: Int) -> Int {
        let ticksPerPair = ticksPerQuarter / 2
        return step / 2 * ticksPerPair + step % 2 * ((ticksPerPair * swing + 50) / 100)
    }

    /// The time signature of `pattern`: that of its metre; of four quarter notes and a length that is no whole number
    /// of beats, bars as long as the pattern. One click per beat, which has six MIDI clocks a step, and eight 32nds per
    /// quarter.
    private static func timeSignature(of pattern: Pattern) -> [UInt8] {
        let (length, metre) = (pattern.length, pattern.metre)
        let isOwn = metre == Metre() && length % metre.steps != 0
        let (count, note) = !isOwn ? metre.signature : length % 2 == 0 ? (length / 2, 8) : (length, 16)
        return [UInt8(count), UInt8(note.trailingZeroBitCount), UInt8(6 * metre.steps), 8]
    }

    /// The key signature; nil for a scale that is neither major nor minor.
    private static func keySignature(of tonality: Tonality) -> [UInt8]? {
        let scale = tonality.scale.nearestShared
        guard scale != .penta else { return nil }
        let isMinor = scale == .minor
        return [UInt8(bitPattern: sharps(of: tonality.root, isMinor: isMinor)), isMinor ? 1 : 0]
    }

    /// The key signature: sharps, or negative for flats; six are always sharps.
    private static func sharps(of root: Int, isMinor: Bool) -> Int8 {
        // Seven fifths up are one semitone up, so multiplying by seven converts in both directions.
        let fifths = (root + (isMinor ? 3 : 0)) * 7 % 12
        return Int8(fifths > 6 ? fifths - 12 : fifths)
    }

    private static func header(tracks: Int) -> [UInt8] {
        Array("MThd".utf8) + big(6, 4) + big(1, 2) + big(tracks, 2) + big(ticksPerQuarter, 2)
    }

    /// A note in ticks of the file.
    private struct Note {
        var key: Int
        var velocity: Int
        var on: Int
        var off: Int
    }

    /// The notes of `track` that begin in `part`; late ones after its end too.
    private static func notes(of track: Track, in part: Part) -> [Note] {
        let (pattern, swing) = (part.pattern, part.swing)
        let start = tick(ofStep: part.start, swing: swing)
        guard pattern.isPlain(track) else {
            let unit = ticksPerQuarter / Metre.stepsOfQuarter
            return pattern.hitNotes(of: track, swing: swing, steps: part.steps, goesOn: !part.isFollowed).map {
                Note(
                    key: track.midiKey(of: $0.note), velocity: $0.velocity,
                    on: start + $0.begin.rounded(unitsPerStep: unit),
                    off: start + ($0.begin + $0.length).rounded(unitsPerStep: unit))
            }
        }
        var notes: [Note] = []
        for step in 0..<part.steps {
            for note in track.notes {
                let cell = pattern[track, note: note, step: step % pattern.length]
                guard cell == .normal || cell == .accent else { continue }
                let run = pattern.runLength(track, note: note, step: step % pattern.length)
                let own = pattern.lanes[track, .velocity, note: note, step: step % pattern.length]
                notes.append(
                    Note(
                        key: track.midiKey(of: note), velocity: own ?? Track.midiVelocity(of: cell == .accent ? 2 : 1),
                        on: start + tick(ofStep: step, swing: swing),
                        off: start + tick(ofStep: step + run, swing: swing)))
            }
        }
        return notes
    }

    /// Note-ons and note-offs of `notes` before the tick `end`, in order; at the same tick note-offs come first, so
    /// that a repeated key sounds again.
    private static func messages(_ notes: [Note], _ track: Track, end: Int) -> [(tick: Int, bytes: [UInt8])] {
        let channel = UInt8(track.midiChannel)
        var messages: [(tick: Int, isOn: Bool, bytes: [UInt8])] = []
        // A note ends where the same begins again: a key cannot be held twice. A late note of a part may begin within
        // the next.
        var ends: [Int: Int] = [:]
        for note in notes.inOrder({ $0.on < $1.on }).reversed() where note.on < end {
            let off = max(note.on + 1, min(note.off, ends[note.key] ?? end))
            ends[note.key] = note.on
            messages.append((note.on, true, [0x90 | channel, UInt8(note.key), UInt8(note.velocity)]))
            messages.append((off, false, [0x80 | channel, UInt8(note.key), 64]))
        }
        return messages.inOrder { ($0.tick, $0.isOn ? 1 : 0, $0.bytes[1]) < ($1.tick, $1.isOn ? 1 : 0, $1.bytes[1]) }
            .map { ($0.tick, $0.bytes) }
    }

    /// A track chunk under construction.
    private struct Chunk {
        private var events: [UInt8] = []
        private var tick = 0

        mutating func add(_ message: [UInt8], at tick: Int) {
            events += MIDIFile.variableLength(tick - self.tick) + message
            self.tick = tick
        }

        mutating func meta(_ kind: MIDIMeta, _ data: [UInt8], at tick: Int = 0) {
            add([0xff, kind.rawValue] + MIDIFile.variableLength(data.count) + data, at: tick)
        }

        mutating func name(_ name: String) { meta(.name, Array(name.utf8)) }

        mutating func end(at tick: Int) { meta(.end, [], at: tick) }

        var chunk: [UInt8] { Array("MTrk".utf8) + MIDIFile.big(events.count, 4) + events }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// A variable-length quantity: seven bits per byte, highest first, with bit 7 set on all but the last byte.
    private static func variableLength(_ value: Int) -> [UInt8] {
        var bytes = [UInt8(value & 0x7f)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }
}

/// The supported meta events of a Standard MIDI File.
enum MIDIMeta: UInt8 {
    case name = 0x03
    case end = 0x2f
    case tempo = 0x51
    case timeSignature = 0x58
    case keySignature = 0x59
}
