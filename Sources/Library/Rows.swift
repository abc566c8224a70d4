import Instrument

// What more than one table holds: values, compositions and mutes as columns.

/// The columns of a composition, in the tables `composition` and `revision`.
enum CompositionRow {
    static let columns = "bpm, length, root, scale, ghosts, cells, scenes"
    private static let bytesPerNote = 8
    static let bytes = Track.allCases.count * Pattern.notes * bytesPerNote

    static func values(of composition: Composition) -> [Value] {
        let pattern = composition.pattern
        var cells: [UInt8] = []
        cells.reserveCapacity(bytes)
        for track in Track.allCases {
            for note in 0..<Pattern.notes {
                withUnsafeBytes(of: pattern.cells(track, note: note).littleEndian) { cells += $0 }
            }
        }
        return [
            .integer(Int64(pattern.bpm)), .integer(Int64(pattern.length)), .integer(Int64(pattern.tonality.root)),
            .text(pattern.tonality.scale.name), .integer(composition.showsGhosts ? 1 : 0), .blob(cells),
            ScenesBlob.value(of: composition.scenes, playing: pattern),
        ]
    }

    /// The word of `note` on `track` in a column `cells`.
    static func word(_ track: Track, note: Int, in cells: [UInt8]) -> UInt64 {
        let start = (track.rawValue * Pattern.notes + note) * bytesPerNote
        return cells.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
    }

    static func composition(_ fields: inout Fields) throws -> Composition {
        var pattern = Pattern()
        pattern.bpm = try fields.integer("bpm", in: Pattern.tempos)
        pattern.length = try fields.integer("length", in: Pattern.lengths)
        guard pattern.length % 4 == 0 else { throw fields.refused("length", "is not a multiple of 4") }
        let root = try fields.integer("root", in: 0...11)
        pattern.tonality = Tonality(root: root, scale: try fields.choice("scale", Scale.allCases, word: \.name))
        let showsGhosts = try fields.integer("ghosts", in: 0...1) == 1
        let cells = try fields.blob("cells", count: bytes)
        for track in Track.allCases {
            for note in 0..<Pattern.notes {
                let start = (track.rawValue * Pattern.notes + note) * bytesPerNote
                for step in 0..<Pattern.steps {
                    let bits = cells[start + step / 4] >> UInt8(step % 4 * 2) & 3
                    if let cell = Cell(rawValue: bits) { pattern[track, note: note, step: step] = cell }
                }
            }
        }
        let scenes = try ScenesBlob.scenes(&fields)
        return Composition(pattern: pattern, showsGhosts: showsGhosts, scenes: scenes)
    }
}

/// Takes a row's values one after the other, each of which has to be what its column is for.
struct Fields {
    private var rest: ArraySlice<Value>
    private let owner: String

    init(_ row: [Value], of owner: String) {
        rest = row[...]
        self.owner = owner
    }

    func refused(_ name: String, _ problem: String) -> Damage { Damage("holds \(owner) whose \(name) \(problem)") }

    /// Whether the next value is null.
    var isNull: Bool { rest.first == .null }

    /// Passes a null.
    mutating func null<Wrapped>() -> Wrapped? {
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

    /// A control of the sound, by its word.
    mutating func control() throws -> SoundControl {
        guard case .text(let word)? = rest.popFirst(), let control = SoundControl(word: word) else {
            throw refused("control", "is unknown")
        }
        return control
    }

    mutating func number(_ name: String) throws -> Int64 {
        guard case .integer(let value)? = rest.popFirst() else { throw refused(name, "is not a whole number") }
        return value
    }

    /// Seconds since 1970.
    mutating func time(_ name: String) throws -> Int64 {
        let seconds = try number(name)
        guard Times.range.contains(seconds) else { throw refused(name, "is no time") }
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

/// A column that says yes, or nothing.
enum FlagRow {
    static func value(_ isSet: Bool) -> Value { isSet ? .integer(1) : .null }

    static func read(_ column: String, _ fields: inout Fields) throws -> Bool {
        try fields.isNull ? fields.null() ?? false : fields.integer(column, in: 1...1) == 1
    }
}

/// The columns of the tracks that are muted and soloed.
enum MuteRow {
    static let columns = "muted, soloed"

    static func values(_ muted: TrackSet, _ soloed: Track?) -> [Value] {
        [.integer(Int64(muted.rawValue)), soloed.map { .integer(Int64($0.rawValue)) } ?? .null]
    }

    static func read(_ fields: inout Fields) throws -> (muted: TrackSet, soloed: Track?) {
        let muted = try fields.integer("muted", in: 0...TrackSet(Track.allCases).rawValue)
        let soloed = try fields.isNull ? fields.null() : Track(rawValue: fields.integer("soloed", in: 0...3))
        return (TrackSet(rawValue: UInt8(muted)), soloed)
    }
}
