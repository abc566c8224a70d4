import Instrument

/// The keys of a pattern that other versions of PixelBoop do not know: lanes, how its tracks run, a scale that is none
/// of the three they know, and a tuning (docs/formats.md).
///
/// A pattern's document has them beside the others, and the library keeps them as an object of their own.
package enum PatternExtras {
    /// All keys.
    package static let keys =
        [
            "lanes", "trackLengths", "divisions", "directions", "transposes", "voicings", "seed", "scaleName",
            "scaleNotes",
        ] + newKeys + Tuning.keys

    /// Those of the keys that version 0.1.0 refuses in a list of scenes: a document has them in a list beside it.
    package static let newKeys = ["chordKind", "tempo", "metre", "steps", trackSteps, "programs", noteLanes, harmony]

    /// The lengths of tracks that version 0.1.0 does not know: only in documents.
    private static let trackSteps = "trackSteps"
    /// The values of single notes.
    static let noteLanes = "noteLanes"
    private static let harmony = "harmony"

    /// The keys of `pattern` that differ from an empty pattern's.
    package static func written(_ pattern: Pattern) -> [String: JSON] {
        var parts: [String: JSON] = [:]
        parts["lanes"] = perTrack(Track.allCases) { track in
            let lanes = Lane.ofTracks.filter { pattern.lanes.has(track, $0) }
            if lanes.isEmpty { return nil }
            return .object(
                Dictionary(
                    pairs: lanes.map { ($0.rawValue, written(pattern.lanes, track, $0, 0..<Pattern.steps)) }))
        }
        parts[noteLanes] = writtenNoteLanes(pattern, 0..<Pattern.steps)
        if !pattern.lanes.harmony.isEmpty {
            parts[harmony] = written(.harmony, 0..<Pattern.steps) { pattern.lanes.harmony[$0] }
        }
        func shapes(_ value: (TrackShape) -> JSON?) -> JSON? { perTrack(Track.allCases) { value(pattern[shape: $0]) } }
        parts["trackLengths"] = shapes { $0.length.map { .integer($0) } }
        parts["divisions"] = shapes { $0.division == .whole ? nil : .string($0.division.word) }
        parts["directions"] = shapes { $0.direction == .forward ? nil : .string($0.direction.rawValue) }
        parts["transposes"] = shapes { $0.transposition == 0 ? nil : .integer($0.transposition) }
        parts["voicings"] = shapes { $0.voicing == .root ? nil : .string($0.voicing.rawValue) }
        let kind = pattern[shape: .chords].chordKind
        if kind != .triad { parts["chordKind"] = .string(kind.rawValue) }
        parts["programs"] = perTrack(Track.allCases) { pattern[program: $0]?.json }
        if pattern.seed != Pattern().seed { parts["seed"] = .integer(pattern.seed) }
        if pattern.metre != Metre() {
            parts["metre"] = .object(["beats": .integer(pattern.metre.beats), "steps": .integer(pattern.metre.steps)])
        }
        if pattern.length != Pattern.nearestSharedLength(to: pattern.length) {
            parts["steps"] = .integer(pattern.length)
        }
        if !pattern.tempo.isShared { parts["tempo"] = pattern.tempo.json }
        let scale = pattern.tonality.scale
        if !Scale.shared.contains(scale) {
            parts["scaleName"] = .string(scale.name)
            parts["scaleNotes"] = .array(scale.intervals.map { .integer($0) })
        }
        parts.merge(pattern.tuning.written)
        return parts
    }

    private static func perTrack(_ tracks: [Track], _ value: (Track) -> JSON?) -> JSON? {
        var parts: [String: JSON] = [:]
        for track in tracks { parts[track.name] = value(track) }
        return parts.isEmpty ? nil : .object(parts)
    }

    /// The keys of `pattern` as a document has them: what version 0.1.0 would refuse is under keys of its own, the lanes
    /// beyond the first window among its other windows.
    static func writtenForAll(_ pattern: Pattern) -> [String: JSON] {
        var parts = written(pattern)
        parts["lanes"] = writtenLanes(pattern, window: 0)
        parts[noteLanes] = writtenNoteLanes(pattern, Pattern.steps(ofWindow: 0))
        let long = Track.allCases.filter { pattern[shape: $0].length ?? 0 > Pattern.window }
        guard !long.isEmpty else { return parts }
        parts["trackLengths"] = perTrack(Track.allCases) { track in
            pattern[shape: track].length.map { .integer(min($0, Pattern.window)) }
        }
        parts[trackSteps] = perTrack(long) { pattern[shape: $0].length.map { .integer($0) } }
        return parts
    }

    /// The values of all lanes in a window; nil for none.
    static func writtenLanes(_ pattern: Pattern, window: Int) -> JSON? {
        let steps = Pattern.steps(ofWindow: window)
        return perTrack(Track.allCases) { track in
            let lanes = Lane.ofTracks.filter { lane in
                steps.contains { pattern.lanes[track, lane, step: $0] != nil }
            }
            if lanes.isEmpty { return nil }
            return .object(Dictionary(pairs: lanes.map { ($0.rawValue, written(pattern.lanes, track, $0, steps)) }))
        }
    }

    /// The values of single notes in `steps`; nil for none.
    static func writtenNoteLanes(_ pattern: Pattern, _ steps: Range<Int>) -> JSON? {
        if !pattern.lanes.hasNotes { return nil }
        return perTrack(Track.allCases) { track in
            var notes: [String: [String: JSON]] = [:]
            for row in pattern.lanes.rows(of: track) {
                let values = written(row.lane, steps) { pattern.lanes[track, row.lane, note: row.note, step: $0] }
                if values != .array([]) { notes["\(row.note)", default: [:]][row.lane.rawValue] = values }
            }
            return notes.isEmpty ? nil : .object(notes.mapValues { .object($0) })
        }
    }

    /// The values of a lane in `steps` up to its last; null for none.
    private static func written(_ lanes: Lanes, _ track: Track, _ lane: Lane, _ steps: Range<Int>) -> JSON {
        written(lane, steps) { lanes[track, lane, step: $0] }
    }

    private static func written(_ lane: Lane, _ steps: Range<Int>, _ value: (Int) -> Int?) -> JSON {
        var values: [JSON] = steps.map { step in
            guard let value = value(step) else { return .null }
            return lane == .when ? StepCondition(code: value).map { .string($0.word) } ?? .null : .integer(value)
        }
        while values.last == .null { values.removeLast() }
        return .array(values)
    }

    /// Reads the keys in the object `fields` into `pattern`. Throws `FormatError` with the path of the first wrong
    /// value.
    package static func read(_ fields: [String: JSON], into pattern: inout Pattern) throws(FormatError) {
        try readOlder(JSONField(.object(fields)), into: &pattern)
        try readNew(JSONField(.object(fields)), into: &pattern)
    }

    /// Reads the values of the keys that are not among `newKeys`.
    static func readOlder(_ field: JSONField, into pattern: inout Pattern) throws(FormatError) {
        if let lanes = try field.part("lanes") { try readLanes(lanes, into: &pattern) }
        func shapes(
            _ key: String, _ tracks: [Track] = Track.allCases,
            _ read: (JSONField, inout TrackShape) throws(FormatError) -> Void
        ) throws(FormatError) {
            guard let parts = try field.part(key) else { return }
            try parts.only(tracks.map { $0.name })
            for track in tracks {
                guard let part = try parts.part(track.name) else { continue }
                try read(part, &pattern[shape: track])
            }
        }
        try shapes("trackLengths") { part, shape throws(FormatError) in
            shape.length = try part.integer(in: TrackShape.lengths)
        }
        try shapes("divisions") { part, shape throws(FormatError) in shape.division = try part.choice(divisions) }
        try shapes("directions") { part, shape throws(FormatError) in
            shape.direction = try part.choice() as TrackShape.Direction
        }
        try shapes("transposes", [.melody, .chords, .bass]) { part, shape throws(FormatError) in
            shape.transposition = try part.integer(in: TrackShape.transpositions)
        }
        try shapes("voicings", [.chords]) { part, shape throws(FormatError) in
            shape.voicing = try part.choice() as TrackShape.Voicing
        }
        try field.read("seed", in: Pattern.seeds, into: &pattern.seed)
        if let scale = try scale(field) { pattern.tonality.scale = scale }
        pattern.tuning = try Tuning(field)
    }

    /// Reads the values of `newKeys`.
    static func readNew(_ field: JSONField, into pattern: inout Pattern) throws(FormatError) {
        if let kind = try field.part("chordKind") {
            pattern[shape: .chords].chordKind = try kind.choice() as TrackShape.ChordKind
        }
        if let tempo = try field.part("tempo") { pattern.tempo = try tempo.tempo() }
        if let metre = try field.part("metre") {
            try metre.only(["beats", "steps"])
            pattern.metre = Metre(
                beats: try metre.needed("beats").integer(in: Metre.beatsOfBar),
                steps: try metre.needed("steps").integer(oneOf: Metre.stepsOfBeat))
        }
        try field.read("steps", in: Pattern.lengths, into: &pattern.length)
        if let notes = try field.part(noteLanes) { try readNoteLanes(notes, 0, Pattern.steps, into: &pattern) }
        if let programs = try field.part("programs") {
            try programs.only(Track.allCases.map { $0.name })
            for track in Track.allCases {
                if let part = try programs.part(track.name) { pattern[program: track] = try SoundProgram(part) }
            }
        }
        for (step, value) in (try field.part(harmony)?.list(counts: 0...Pattern.steps) ?? []).enumerated()
        where value.value != .null {
            pattern.lanes.harmony[step] = try read(value, of: .harmony)
        }
        guard let lengths = try field.part(trackSteps) else { return }
        try lengths.only(Track.allCases.map { $0.name })
        for track in Track.allCases {
            guard let part = try lengths.part(track.name) else { continue }
            pattern[shape: track].length = try part.integer(in: TrackShape.lengths)
        }
    }

    /// The scale by its name and its notes; nil if it has neither. A name without notes has its scale's notes, notes
    /// without a name are the player's own.
    private static func scale(_ field: JSONField) throws(FormatError) -> Scale? {
        var notes: [Int]?
        let list = try field.part("scaleNotes")
        if let list {
            var intervals: [Int] = []
            for note in try list.list(counts: 1...Pattern.octave) {
                let interval = try note.integer(in: 0...Pattern.octave - 1)
                guard interval > intervals.last ?? -1 else { throw note.refused("is not above the note before it") }
                intervals.append(interval)
            }
            guard intervals.first == 0 else { throw list.refused("does not begin with the root, 0") }
            notes = intervals
        }
        var kind: Scale.Kind?
        if let name = try field.part("scaleName") {
            let word = try name.string()
            kind = Scale.Kind.allCases.first { $0.name == word }
            // The list of all is too long for a line.
            if kind == nil {
                throw name.refused("is \(name.shown), should be the name of a scale, such as dorian, or user")
            }
        }
        if kind == .user { _ = try field.needed("scaleNotes") }
        guard let kind, kind != .user else { return notes.map { Scale(user: $0) } }
        let scale = Scale(kind)
        if let list, let notes, notes != scale.intervals { throw list.refused("are not the notes of \(scale.name)") }
        return scale
    }

    private static let divisions = TrackShape.Division.allCases.map { (word: $0.word, choice: $0) }
    private static let conditions = StepCondition.all.map { (word: $0.word, choice: $0) }

    /// Reads lanes into `pattern`: all of them, or those of one of its windows.
    static func readLanes(
        _ field: JSONField, window: Int? = nil, into pattern: inout Pattern
    ) throws(FormatError) {
        let (first, count) = window.map { ($0 * Pattern.window, Pattern.window) } ?? (0, Pattern.steps)
        try field.only(Track.allCases.map { $0.name })
        for track in Track.allCases {
            guard let part = try field.part(track.name) else { continue }
            let known = Lane.ofTracks.filter { $0.exists(on: track) }
            try part.only(known.map { $0.rawValue })
            for lane in known {
                guard let values = try part.part(lane.rawValue)?.list(counts: 0...count) else { continue }
                for (step, value) in values.enumerated() where value.value != .null {
                    pattern.lanes[track, lane, step: first + step] = try read(value, of: lane)
                }
            }
        }
    }

    private static func read(_ value: JSONField, of lane: Lane) throws(FormatError) -> Int {
        lane == .when ? try value.choice(conditions).code : try value.integer(in: lane.values)
    }

    /// Reads values of single notes into `pattern`: at most `count` steps from `first` on.
    static func readNoteLanes(
        _ field: JSONField, _ first: Int, _ count: Int, into pattern: inout Pattern
    ) throws(FormatError) {
        try field.only(Track.allCases.map { $0.name })
        for track in Track.allCases {
            guard let notes = try field.part(track.name) else { continue }
            try notes.only(track.notes.map { "\($0)" })
            for note in track.notes {
                guard let lanes = try notes.part("\(note)") else { continue }
                try lanes.only(Lane.ofNotes.map { $0.rawValue })
                for lane in Lane.ofNotes {
                    guard let values = try lanes.part(lane.rawValue)?.list(counts: 0...count) else { continue }
                    for (step, value) in values.enumerated() where value.value != .null {
                        let number = try read(value, of: lane)
                        guard pattern.setValue(number, track, lane, note: note, step: first + step) else {
                            throw value.refused(
                                "is in row \(Lanes.rowsMax + 1) of the pattern, should be in one of \(Lanes.rowsMax)")
                        }
                    }
                }
            }
        }
    }
}

extension SoundProgram {
    fileprivate init(_ field: JSONField) throws(FormatError) {
        guard case .object = field.value else {
            self.init(try field.integer(in: Self.numbers))
            return
        }
        try field.only(["program", "bank"])
        self.init(
            try field.needed("program").integer(in: Self.numbers),
            bank: try field.needed("bank").integer(in: Self.banks))
    }

    fileprivate var json: JSON {
        bank.map { .object(["program": .integer(number), "bank": .integer($0)]) } ?? .integer(number)
    }
}
