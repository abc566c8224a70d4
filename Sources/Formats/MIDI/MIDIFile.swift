import Instrument

/// A pattern as a Standard MIDI File (RP-001) of type 1: a tempo track, and the four tracks on channels 1, 2, 3 and 10, with
/// drums by General MIDI's percussion map.
public enum MIDIFile {
    /// Ticks per quarter note; a step without swing is a quarter of that. One per cent of swing is 2.4 ticks, so that no two
    /// settings round to the same tick, as they would at 96.
    public static let ticksPerQuarter = 480

    /// Name for a pattern without one.
    static let nameless = "PixelBoop"

    /// The file with `loops` repetitions of the document's pattern. Silent tracks have no notes; a run of sustained cells is
    /// one note, which ends at the end of the file at the latest. Notes begin and end on the swung steps, or where their lanes say.
    public static func bytes(_ document: PatternDocument, loops: Int) -> [UInt8] {
        var document = document
        document.pattern = document.pattern.sounding
        let pattern = document.pattern
        var conductor = Chunk()
        conductor.name(document.name ?? nameless)
        conductor.meta(.tempo, big(60_000_000 / pattern.bpm, 3))
        // 4/4, one click per quarter, eight 32nds per quarter.
        conductor.meta(.timeSignature, [4, 2, 24, 8])
        // A key signature is major or minor.
        let scale = pattern.tonality.scale.nearestShared
        if scale != .penta {
            let isMinor = scale == .minor
            let sharps = sharps(of: pattern.tonality.root, isMinor: isMinor)
            conductor.meta(.keySignature, [UInt8(bitPattern: sharps), isMinor ? 1 : 0])
        }
        let end = tick(ofStep: loops * pattern.length, swing: document.sound[.swing])
        conductor.end(at: end)
        var bytes = header(tracks: 1 + Track.allCases.count) + conductor.chunk
        for track in Track.allCases {
            var chunk = Chunk()
            chunk.name(track.name)
            for message in messages(document, track, loops: loops) { chunk.put(message.bytes, at: message.tick) }
            chunk.end(at: end)
            bytes += chunk.chunk
        }
        return bytes
    }

    /// The tick of `step`, counted from the start of the file: the first step of each pair takes `swing` per cent of the pair,
    /// rounded to the nearest tick.
    private static func tick(ofStep step: Int, swing: Int) -> Int {
        let ticksPerPair = ticksPerQuarter / 2
        return step / 2 * ticksPerPair + step % 2 * ((ticksPerPair * swing + 50) / 100)
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

    /// Note-ons and note-offs in order; at the same tick note-offs come first, so that a repeated key sounds again.
    private static func messages(
        _ document: PatternDocument, _ track: Track, loops: Int
    ) -> [(tick: Int, bytes: [UInt8])] {
        let pattern = document.pattern
        if document.muted.silent(soloed: document.soloed).contains(track) { return [] }
        let channel = UInt8(track.midiChannel)
        let end = loops * pattern.length
        let swing = document.sound[.swing]
        var messages: [(tick: Int, isOn: Bool, bytes: [UInt8])] = []
        func put(_ note: Int, _ velocity: Int, on: Int, off: Int) {
            let key = UInt8(track.midiKey(of: note))
            messages.append((on, true, [0x90 | channel, key, UInt8(velocity)]))
            messages.append((off, false, [0x80 | channel, key, 64]))
        }
        if !pattern.isPlain(track) {
            // A note ends where the same begins again: a key cannot be held twice.
            let notes = pattern.hitNotes(of: track, swing: swing, steps: end)
            var ends: [Int: Int] = [:]
            for note in notes.reversed() {
                let on = note.begin.rounded(unitsPerStep: ticksPerQuarter / Pattern.stepsPerBeat)
                let off = (note.begin + note.length).rounded(unitsPerStep: ticksPerQuarter / Pattern.stepsPerBeat)
                put(
                    note.note, note.velocity, on: on,
                    off: max(on + 1, min(off, ends[note.note] ?? tick(ofStep: end, swing: swing))))
                ends[note.note] = on
            }
        }
        for step in 0..<(pattern.isPlain(track) ? end : 0) {
            for note in track.notes {
                let cell = pattern[track, note: note, step: step % pattern.length]
                guard cell == .normal || cell == .accent else { continue }
                let run = pattern.runLength(track, note: note, step: step % pattern.length)
                put(
                    note, Track.midiVelocity(of: cell == .accent ? 2 : 1), on: tick(ofStep: step, swing: swing),
                    off: tick(ofStep: min(step + run, end), swing: swing))
            }
        }
        return messages.sorted { ($0.tick, $0.isOn ? 1 : 0, $0.bytes[1]) < ($1.tick, $1.isOn ? 1 : 0, $1.bytes[1]) }
            .map { ($0.tick, $0.bytes) }
    }

    /// A track chunk under construction.
    private struct Chunk {
        private var events: [UInt8] = []
        private var tick = 0

        mutating func put(_ message: [UInt8], at tick: Int) {
            events += MIDIFile.variableLength(tick - self.tick) + message
            self.tick = tick
        }

        mutating func meta(_ kind: MIDIMeta, _ data: [UInt8], at tick: Int = 0) {
            put([0xff, kind.rawValue] + MIDIFile.variableLength(data.count) + data, at: tick)
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
