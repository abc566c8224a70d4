import Instrument

// A session as rows. Writing replaces all of them; reading believes none of them.

extension Database {
    /// Puts `session` in the place of the one that is there, or neither if that fails.
    func write(_ session: Session) throws(DatabaseError) {
        try transaction { () throws(DatabaseError) in
            // The sound and the compositions go with it.
            try run("DELETE FROM session")
            let settings = SettingsRow.values(of: session)
            try run("INSERT INTO session (\(SettingsRow.columns)) VALUES (\(places(settings)))", settings)
            let insertSound = try prepare("INSERT INTO sound (\(SoundRow.columns)) VALUES (?, ?, ?)")
            for row in SoundRow.rows(of: session.sound) { try insertSound.run(row) }
            let insert = try prepare(
                "INSERT INTO composition (session, kind, position, \(CompositionRow.columns)) "
                    + "VALUES (1, ?, ?, \(places(CompositionRow.values(of: session.composition))))")
            for (kind, compositions) in [
                ("past", session.history.past), ("current", [session.composition]), ("future", session.history.future),
            ] {
                for (position, composition) in compositions.enumerated() {
                    let place: [Value] = [.text(kind), .integer(Int64(position))]
                    try insert.run(place + CompositionRow.values(of: composition))
                }
            }
        }
    }

    private func places(_ values: [Value]) -> String {
        Array(repeating: "?", count: values.count).joined(separator: ", ")
    }

    /// The session that is there, or nil if none is. Throws `Damage` where a row holds what no session can.
    func readSession() throws -> Session? {
        let settings = try run("SELECT \(SettingsRow.columns) FROM session LIMIT 2")
        let sound = try readSound()
        let past = try readCompositions("past", countMax: History.levels)
        let current = try readCompositions("current", countMax: 1)
        let future = try readCompositions("future", countMax: History.levels)
        if settings.isEmpty, sound == nil, past.isEmpty, current.isEmpty, future.isEmpty { return nil }
        guard settings.count == 1, let row = settings.first, let composition = current.first else {
            throw Damage("holds half a session")
        }
        var session = try SettingsRow.session(row)
        session.sound = sound ?? SoundSettings()
        session.composition = composition
        session.history = History(past: past, future: future)
        return session
    }

    /// What the table `sound` holds; nil if that is nothing.
    private func readSound() throws -> SoundSettings? {
        let countMax = SoundControl.allCases.count
        let rows = try run("SELECT \(SoundRow.columns) FROM sound LIMIT ?", [.integer(Int64(countMax) + 1)])
        guard rows.count <= countMax else { throw Damage("holds more than \(countMax) settings of the sound") }
        if rows.isEmpty { return nil }
        return try rows.reduce(into: SoundSettings()) { sound, row in try SoundRow.read(row, into: &sound) }
    }

    private func readCompositions(_ kind: String, countMax: Int) throws -> [Composition] {
        let rows = try run(
            "SELECT position, \(CompositionRow.columns) FROM composition WHERE kind = ? ORDER BY position LIMIT ?",
            [.text(kind), .integer(Int64(countMax) + 1)])
        guard rows.count <= countMax else { throw Damage("holds more than \(countMax) compositions of kind \(kind)") }
        return try rows.enumerated().map { index, row in
            var fields = Fields(row, of: "a composition of kind \(kind)")
            _ = try fields.integer("position", in: index...index)
            return try CompositionRow.composition(&fields)
        }
    }
}

/// The one row of the table `session`.
private enum SettingsRow {
    static let columns =
        "id, muted, soloed, melody_page, chords_page, bass_page, rhythm_page, colour_mode, auditions, metronome, count_in, "
        + "volume"

    static func values(of session: Session) -> [Value] {
        let pages = session.pages.map { Value.integer(Int64($0)) }
        return [
            .integer(1), .integer(Int64(session.muted.rawValue)),
            session.soloed.map { .integer(Int64($0.rawValue)) } ?? .null,
        ] + pages + [
            .text(session.colourMode.rawValue), .integer(session.auditions ? 1 : 0),
            .integer(session.metronome ? 1 : 0), .integer(Int64(session.countIn)),
            session.volume.map { .integer(Int64($0)) } ?? .null,
        ]
    }

    static func session(_ row: [Value]) throws -> Session {
        var fields = Fields(row, of: "the session")
        var session = Session()
        _ = try fields.integer("id", in: 1...1)
        let muted = try fields.integer("muted", in: 0...TrackSet(Track.allCases).rawValue)
        session.muted = TrackSet(rawValue: UInt8(muted))
        session.soloed = try fields.isNull ? fields.null() : Track(rawValue: fields.integer("soloed", in: 0...3))
        // Which pages a track has is the instrument's to say, and it shows the span for one that it lacks; but a page
        // shows at least one note.
        session.pages = try Track.allCases.map { try fields.integer("\($0.name)_page", in: 0...Pattern.notes) }
        session.colourMode = try fields.choice("colour_mode", ColourMode.allCases, word: \.rawValue)
        session.auditions = try fields.integer("auditions", in: 0...1) == 1
        session.metronome = try fields.integer("metronome", in: 0...1) == 1
        session.countIn = try fields.integer("count_in", in: Session.countIns)
        session.volume = try fields.isNull ? fields.null() : fields.integer("volume", in: Session.volumes)
        return session
    }
}

/// The rows of the table `sound`: the controls that do not stand at their standards.
private enum SoundRow {
    static let columns = "session, control, value"

    static func rows(of sound: SoundSettings) -> [[Value]] {
        SoundControl.allCases.filter { sound[$0] != $0.standard }.map {
            [.integer(1), .text($0.word), .integer(Int64(sound[$0]))]
        }
    }

    static func read(_ row: [Value], into sound: inout SoundSettings) throws {
        var fields = Fields(row, of: "a sound")
        _ = try fields.integer("session", in: 1...1)
        let control = try fields.control()
        sound[control] = try fields.integer(control.word, in: control.range)
    }
}

/// The columns of the table `composition` that are the composition's own.
private enum CompositionRow {
    static let columns = "bpm, length, root, scale, ghosts, cells"
    private static let bytesPerNote = 8
    private static let bytes = Track.allCases.count * Pattern.notes * bytesPerNote

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
        ]
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
        return Composition(pattern: pattern, showsGhosts: showsGhosts)
    }
}

/// Takes a row's values one after the other, each of which has to be what its column is for.
private struct Fields {
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

    mutating func blob(_ name: String, count: Int) throws -> [UInt8] {
        guard case .blob(let bytes)? = rest.popFirst(), bytes.count == count else {
            throw refused(name, "are not \(count) bytes")
        }
        return bytes
    }
}
