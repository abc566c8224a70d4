import Formats
import Instrument

// Columns shared by several tables: values, compositions and mutes.

/// The columns of a composition, in the tables `composition` and `revision`.
enum CompositionRow {
    /// The columns of the table `composition`.
    static let columns = "\(shared), octaves, extras, song"
    /// The columns with which the table `revision` begins.
    static let shared = "bpm, length, root, scale, ghosts, cells, scenes"
    /// The notes of all tracks in the order of their words in the column `cells`.
    static let notes = Track.allCases.flatMap { track in (0..<Pattern.octave).map { (track: track, note: $0) } }
    static let bytesPerNote = MemoryLayout<UInt64>.size
    static let bytes = Track.allCases.count * Pattern.octave * bytesPerNote

    static func values(of composition: Composition) -> [Value] {
        sharedValues(of: composition) + [
            NotesBlob.octaves.value(of: composition), ExtrasText.value(of: composition),
            SongText.value(of: composition.song),
        ]
    }

    static func sharedValues(of composition: Composition) -> [Value] {
        let pattern = composition.own
        var cells: [UInt8] = []
        cells.reserveCapacity(bytes)
        for (track, note) in notes {
            withUnsafeBytes(of: pattern.cells(track, note: note, window: 0).littleEndian) { cells += $0 }
        }
        return [
            .integer(Int64(pattern.tempo.nearestShared)),
            .integer(Int64(Pattern.nearestSharedLength(to: pattern.length))), .integer(Int64(pattern.tonality.root)),
            .text(pattern.tonality.scale.nearestShared.name), .integer(composition.showsGhosts ? 1 : 0), .blob(cells),
            ScenesBlob.value(of: composition.scenes, playing: pattern),
        ]
    }

    /// The word of `note` on `track` in the column `cells`.
    static func word(_ track: Track, note: Int, in cells: [UInt8]) -> UInt64 {
        let start = (track.rawValue * Pattern.octave + note) * bytesPerNote
        return cells.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
    }

    static func composition(_ fields: inout Fields) throws -> Composition {
        var composition = try shared(&fields)
        try NotesBlob.octaves.read(&fields, into: &composition)
        try ExtrasText.read(&fields, into: &composition)
        composition.song = try SongText.song(&fields)
        return composition
    }

    /// The composition of the shared columns, without notes outside the middle octave and without extras.
    static func shared(_ fields: inout Fields) throws -> Composition {
        var pattern = Pattern()
        pattern.tempo = Tempo(try fields.integer("bpm", in: Tempo.shared))
        pattern.length = try fields.integer("length", in: Pattern.sharedLengths)
        let root = try fields.integer("root", in: 0...11)
        pattern.tonality = Tonality(root: root, scale: try fields.choice("scale", Scale.shared, word: \.name))
        let showsGhosts = try fields.integer("ghosts", in: 0...1) == 1
        let cells = try fields.blob("cells", count: bytes)
        for (track, note) in notes {
            pattern.setCells(track, note: note, window: 0, to: word(track, note: note, in: cells))
        }
        let scenes = try ScenesBlob.scenes(&fields)
        return Composition(pattern: pattern, showsGhosts: showsGhosts, scenes: scenes)
    }
}

/// Reads a row's values one by one, and checks each.
struct Fields {
    private var rest: ArraySlice<Value>
    private let owner: String

    init(_ row: [Value], of owner: String) {
        rest = row[...]
        self.owner = owner
    }

    func refused(_ name: String, _ problem: String) -> Damage { Damage("holds \(owner) whose \(name) \(problem)") }

    /// The result of `read`; nil for a null.
    mutating func orNull<Wrapped>(_ read: (inout Fields) throws -> Wrapped) rethrows -> Wrapped? {
        guard rest.first == .null else { return try read(&self) }
        rest = rest.dropFirst()
        return nil
    }

    mutating func integer(_ name: String, in range: ClosedRange<some BinaryInteger>) throws -> Int {
        guard case .integer(let value)? = rest.popFirst(), value >= range.lowerBound, value <= range.upperBound else {
            throw refused(name, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(value)
    }

    mutating func choice<Choice>(_ name: String, _ choices: [Choice], word: (Choice) -> String) throws -> Choice {
        guard case .text(let text)? = rest.popFirst(), let choice = choices.first(where: { word($0) == text }) else {
            throw refused(name, "is not one of \(choices.map(word).joined(separator: ", "))")
        }
        return choice
    }

    /// How often the words about gestures were shown.
    mutating func wordCounts(_ name: String) throws -> WordCounts {
        let bits = try number(name)
        let counts = WordCounts(bits: bits)
        guard counts.bits == bits else { throw refused(name, "are no counts of words") }
        return counts
    }

    /// The controllers that the player has given to faders.
    mutating func controllers(_ name: String) throws -> LearnedControllers {
        guard let controllers = LearnedControllers(text: try text(name)), controllers != LearnedControllers() else {
            throw refused(name, "are no controllers of faders")
        }
        return controllers
    }

    mutating func number(_ name: String) throws -> Int64 {
        guard case .integer(let value)? = rest.popFirst() else { throw refused(name, "is not a whole number") }
        return value
    }

    /// Seconds since 1970.
    mutating func time(_ name: String) throws -> Int64 {
        let seconds = try number(name)
        guard DocumentTime.range.contains(seconds) else { throw refused(name, "is no time") }
        return seconds
    }

    mutating func text(_ name: String) throws -> String {
        guard case .text(let text)? = rest.popFirst() else { throw refused(name, "is not text") }
        return text
    }

    mutating func bytes(_ name: String) throws -> [UInt8] {
        guard case .blob(let bytes)? = rest.popFirst() else { throw refused(name, "are no bytes") }
        return bytes
    }

    mutating func blob(_ name: String, count: Int) throws -> [UInt8] {
        guard case .blob(let bytes)? = rest.popFirst(), bytes.count == count else {
            throw refused(name, "are not \(count) bytes")
        }
        return bytes
    }
}

/// The column of the scenes from which tracks are borrowed: a digit of 16 for each track, the melody's the lowest, with the
/// number of the scene and 1. Null for none.
enum PartsRow {
    static func value(of parts: Parts) -> Value { parts.isEmpty ? .null : .integer(Int64(parts.bits)) }

    static func parts(_ fields: inout Fields) throws -> Parts {
        guard let bits = try fields.orNull({ try $0.number("parts") }) else { return Parts() }
        guard let parts = Parts(bits: bits), !parts.isEmpty else {
            throw fields.refused("parts", "are no parts of scenes")
        }
        return parts
    }
}

/// A column with 1 for true and null for false.
enum FlagRow {
    static func value(_ isSet: Bool) -> Value { isSet ? .integer(1) : .null }

    static func read(_ column: String, _ fields: inout Fields) throws -> Bool {
        try fields.orNull { try $0.integer(column, in: 1...1) } != nil
    }
}

/// The columns of the muted and soloed tracks.
enum MuteRow {
    static let columns = "muted, soloed"

    static func values(_ muted: TrackSet, _ soloed: Track?) -> [Value] {
        [.integer(Int64(muted.rawValue)), soloed.map { .integer(Int64($0.rawValue)) } ?? .null]
    }

    static func read(_ fields: inout Fields) throws -> (muted: TrackSet, soloed: Track?) {
        let muted = try fields.integer("muted", in: 0...TrackSet(Track.allCases).rawValue)
        let soloed = try fields.orNull { try $0.integer("soloed", in: 0...Track.allCases.count - 1) }
        return (TrackSet(rawValue: UInt8(muted)), soloed.flatMap { Track(rawValue: $0) })
    }
}
