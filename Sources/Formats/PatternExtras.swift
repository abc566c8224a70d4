import Instrument

/// The keys of a pattern that other versions of PixelBoop do not know: lanes, and how its tracks run (docs/formats.md).
///
/// A pattern's document has them beside the others, and the library keeps them as an object of their own.
package enum PatternExtras {
    /// All keys.
    package static let keys = ["lanes", "trackLengths", "divisions", "directions", "transposes", "voicings", "seed"]

    /// The keys of `pattern` that are not those of an empty one.
    package static func written(_ pattern: Pattern) -> [String: JSON] {
        var parts: [String: JSON] = [:]
        parts["lanes"] = perTrack(Track.allCases) { track in
            let lanes = Lane.allCases.filter { pattern.lanes.has(track, $0) }
            if lanes.isEmpty { return nil }
            return .object(
                Dictionary(uniqueKeysWithValues: lanes.map { ($0.rawValue, written(pattern.lanes, track, $0)) }))
        }
        func shapes(_ value: (TrackShape) -> JSON?) -> JSON? { perTrack(Track.allCases) { value(pattern[shape: $0]) } }
        parts["trackLengths"] = shapes { $0.length.map { .integer($0) } }
        parts["divisions"] = shapes { $0.division == .whole ? nil : .string($0.division.word) }
        parts["directions"] = shapes { $0.direction == .forward ? nil : .string($0.direction.rawValue) }
        parts["transposes"] = shapes { $0.transposition == 0 ? nil : .integer($0.transposition) }
        parts["voicings"] = shapes { $0.voicing == .root ? nil : .string($0.voicing.rawValue) }
        if pattern.seed != Pattern().seed { parts["seed"] = .integer(pattern.seed) }
        return parts
    }

    private static func perTrack(_ tracks: [Track], _ value: (Track) -> JSON?) -> JSON? {
        var parts: [String: JSON] = [:]
        for track in tracks { parts[track.name] = value(track) }
        return parts.isEmpty ? nil : .object(parts)
    }

    /// The values of a lane up to its last; null for none.
    private static func written(_ lanes: Lanes, _ track: Track, _ lane: Lane) -> JSON {
        var values: [JSON] = (0..<Pattern.steps).map { step in
            guard let value = lanes[track, lane, step: step] else { return .null }
            return lane == .when ? StepCondition(code: value).map { .string($0.word) } ?? .null : .integer(value)
        }
        while values.last == .null { values.removeLast() }
        return .array(values)
    }

    /// Reads the keys in the object `fields` into `pattern`. Throws `FormatError` with the path of the first wrong value.
    package static func read(_ fields: [String: JSON], into pattern: inout Pattern) throws(FormatError) {
        try read(JSONField(.object(fields)), into: &pattern)
    }

    static func read(_ field: JSONField, into pattern: inout Pattern) throws(FormatError) {
        if let lanes = try field.part("lanes") { try read(lanes, into: &pattern.lanes) }
        func shapes(
            _ key: String, _ tracks: [Track] = Track.allCases,
            _ read: (JSONField, inout TrackShape) throws(FormatError) -> Void
        ) throws(FormatError) {
            guard let parts = try field.part(key) else { return }
            try parts.only(tracks.map(\.name))
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
        try field.take("seed", in: Pattern.seeds, into: &pattern.seed)
    }

    private static let divisions = TrackShape.Division.allCases.map { (word: $0.word, choice: $0) }
    private static let conditions = StepCondition.all.map { (word: $0.word, choice: $0) }

    private static func read(_ field: JSONField, into lanes: inout Lanes) throws(FormatError) {
        try field.only(Track.allCases.map(\.name))
        for track in Track.allCases {
            guard let part = try field.part(track.name) else { continue }
            let known = Lane.allCases.filter { $0.exists(on: track) }
            try part.only(known.map(\.rawValue))
            for lane in known {
                guard let values = try part.part(lane.rawValue)?.list(counts: 0...Pattern.steps) else { continue }
                for (step, value) in values.enumerated() where value.value != .null {
                    lanes[track, lane, step: step] =
                        lane == .when ? try value.choice(conditions).code : try value.integer(in: lane.values)
                }
            }
        }
    }
}
