import Documents
import Instrument

// A session as rows. Writing changes only rows that differ; reading validates every row.

extension Database {
    /// Writes `session` over `last`, the stored session, or over any stored session if `last` is nil. Runs within a
    /// transaction.
    func write(_ session: Session, over last: Session?) throws(DatabaseError) {
        let settings = SettingsRow.values(of: session)
        if last.map(SettingsRow.values) != settings {
            // REPLACE would delete the compositions with the row.
            let columns = "\(SettingsRow.columns), \(Checksum.column)"
            let values = settings + [SettingsRow.checksum(settings)]
            let updates = columns.split(separator: ", ").dropFirst().map { "\($0) = excluded.\($0)" }
            try run(
                "INSERT INTO session (\(columns)) VALUES (\(places(values))) "
                    + "ON CONFLICT (id) DO UPDATE SET \(updates.joined(separator: ", "))", values)
        }
        let sound = session.sounds.tune.settings
        if last?.sounds.tune.settings != sound {
            try run("DELETE FROM sound")
            let insert = try prepare(
                "INSERT INTO sound (\(SoundRow.columns), \(Checksum.column)) VALUES (?, ?, ?, ?)")
            for row in SoundRow.rows(of: sound) { try insert.run(row + [Checksum.of(row)]) }
        }
        try write(session.history.past, over: last?.history.past, "past")
        let current = last.map { [History.Step($0.composition)] }
        try write([History.Step(session.composition)], over: current, "current")
        try write(session.history.future, over: last?.history.future, "future")
    }

    /// Writes `steps` of one kind over `last`. Most edits append one and, at the maximum, drop the first: only those
    /// rows are written.
    private func write(
        _ steps: [History.Step], over last: [History.Step]?, _ kind: String
    ) throws(DatabaseError) {
        guard last != steps else { return }
        let (dropped, kept) = last.map { overlap($0, steps) } ?? (0, 0)
        let rows = "FROM composition WHERE kind = ? ORDER BY position"
        if kept == 0 {
            try run("DELETE FROM composition WHERE kind = ?", [.text(kind)])
        } else {
            let range = "SELECT position \(rows) LIMIT ? OFFSET ?"
            let ends: [(limit: Int64, offset: Int)] = [(-1, dropped + kept), (Int64(dropped), 0)]
            for (limit, offset) in ends where limit != 0 {
                try run(
                    "DELETE FROM composition WHERE kind = ? AND position IN (\(range))",
                    [.text(kind), .text(kind), .integer(limit), .integer(Int64(offset))])
            }
        }
        let insert = try prepare(
            "INSERT INTO composition (session, kind, position, \(StepRow.columns), \(Checksum.column)) VALUES (1, ?1, "
                + "(SELECT coalesce(max(position), -1) + 1 FROM composition WHERE kind = ?1), "
                + "\((2..<18).map { "?\($0)" }.joined(separator: ", ")))")
        for step in steps[kept...] {
            let values = StepRow.values(of: step)
            try insert.run([.text(kind)] + values + [Checksum.of(values)])
        }
    }

    /// Number of steps of `last` to drop at the start, and number of the following ones with which `next`
    /// begins; chosen to keep the most.
    private func overlap(_ last: [History.Step], _ next: [History.Step]) -> (dropped: Int, kept: Int) {
        var best = (dropped: 0, kept: 0)
        for dropped in last.indices {
            let kept = zip(last[dropped...], next).prefix { $0 == $1 }.count
            if kept > best.kept { best = (dropped, kept) }
        }
        return best
    }

    /// Placeholders in a statement for `values`.
    func places(_ values: [Value]) -> String {
        Array(repeating: "?", count: values.count).joined(separator: ", ")
    }

    /// The stored session, optionally without its history; nil if there is none. Throws `Damage` for a row with invalid
    /// values.
    func readSession(withHistory: Bool = true) throws -> Session? {
        try readSessionAndWholeness(withHistory: withHistory).session
    }

    /// The stored session, and whether all its rows match their checksums.
    ///
    /// Rows with a wrong checksum are noted as damage. The newest revision of the session's pattern was written
    /// together with the session, so it replaces the music if its own checksum is right; otherwise the session is used
    /// unchanged. An undo step with a wrong checksum is left out.
    func readSessionAndWholeness(withHistory: Bool = true) throws -> (session: Session?, isWhole: Bool) {
        let columns = try Schema.readable("\(SettingsRow.columns), \(Checksum.column)", of: "session", in: self)
        let settings = try run("SELECT \(columns) FROM session LIMIT 2")
            .map { SummedRow($0, sum: SettingsRow.checksum) }
        let sound = try readSound()
        let past = try withHistory ? readSteps("past", countMax: History.levels) : []
        let current = try readSteps("current", countMax: 1)
        let future = try withHistory ? readSteps("future", countMax: History.levels) : []
        if settings.isEmpty, sound == nil, past.isEmpty, current.isEmpty, future.isEmpty { return (nil, true) }
        guard settings.count == 1, let row = settings.first, let composition = current.first else {
            throw Damage("holds half a session")
        }
        var session = try SettingsRow.session(row.values)
        if try Schema.hasOlderPages(self) { session.pages = Session().pages }
        session.sounds.tune.settings = sound?.settings ?? SoundSettings()
        session.composition = composition.step.composition
        session.history = History(past: Self.whole(past), future: Self.whole(future))
        let broken = (past + future).count { !$0.isWhole }
        if broken > 0 { note("\(String(broken, of: "undo step")) with a wrong checksum: left out") }
        guard row.isWhole, composition.isWhole, sound?.isWhole ?? true else {
            try mend(&session)
            return (session, false)
        }
        return (session, broken == 0)
    }

    private static func whole(_ steps: [SummedStep]) -> [History.Step] { steps.filter(\.isWhole).map(\.step) }

    /// Replaces the session's music by the newest revision of its pattern, if the checksum of that is right.
    private func mend(_ session: inout Session) throws {
        let problem = "the session has a wrong checksum"
        guard let number = session.pattern, let state = try newestState(of: number), state.isNewest, state.isWhole
        else {
            return note("\(problem): used as it stands")
        }
        try RevisionRow.restore(state.music, into: &session)
        note("\(problem): the newest state of its pattern is used in its place")
    }

    private struct SummedStep {
        var step: History.Step
        var isWhole: Bool
    }

    /// Content of the table `sound`; nil if it is empty.
    private func readSound() throws -> (settings: SoundSettings, isWhole: Bool)? {
        let countMax = SoundSettings.entriesMax
        let columns = try Schema.readable("\(SoundRow.columns), \(Checksum.column)", of: "sound", in: self)
        let rows = try run("SELECT \(columns) FROM sound LIMIT ?", [.integer(Int64(countMax) + 1)])
            .map { SummedRow($0) }
        guard rows.count <= countMax else { throw Damage("holds more than \(countMax) settings of the sound") }
        if rows.isEmpty { return nil }
        let entries = try rows.map { try SoundRow.entry($0.values) }
        return (SoundSettings(entries: entries) ?? SoundSettings(), rows.allSatisfy(\.isWhole))
    }

    private func readSteps(_ kind: String, countMax: Int) throws -> [SummedStep] {
        let columns = try Schema.readable("\(StepRow.columns), \(Checksum.column)", of: "composition", in: self)
        let rows = try run(
            "SELECT position, \(columns) FROM composition WHERE kind = ? ORDER BY position LIMIT ?",
            [.text(kind), .integer(Int64(countMax) + 1)])
        guard rows.count <= countMax else { throw Damage("holds more than \(countMax) compositions of kind \(kind)") }
        return try rows.map { row in
            let summed = SummedRow(row, keys: 1)
            var fields = Fields(summed.values, of: "a composition of kind \(kind)")
            // Positions only define the order.
            _ = try fields.number("position")
            return SummedStep(step: try StepRow.step(&fields), isWhole: summed.isWhole)
        }
    }
}

/// The columns of the table `composition`: a composition and, of an undo step, its word and the sound that it changed.
enum StepRow {
    static let columns = "\(CompositionRow.columns), word, sound, windows, parts, own"

    static func values(of step: History.Step) -> [Value] {
        CompositionRow.values(of: step.composition) + [
            step.word.isEmpty ? .null : .text(step.word),
            SoundText.value(of: step.sound.entries), NotesBlob.windows.value(of: step.composition),
            PartsRow.value(of: step.composition.parts), OwnSoundText.value(of: step),
        ]
    }

    static func step(_ fields: inout Fields) throws -> History.Step {
        var composition = try CompositionRow.composition(&fields)
        let word = try fields.orNull { try $0.text("word") } ?? ""
        guard word.count <= History.Step.wordMax else { throw fields.refused("word", "is too long") }
        let sound = try fields.orNull { try Self.sound(&$0) } ?? SoundChange()
        try NotesBlob.windows.read(&fields, into: &composition)
        composition.parts = try PartsRow.parts(&fields)
        var step = History.Step(composition, sound: sound, word: word)
        try OwnSoundText.read(&fields, into: &step)
        return step
    }

    private static func sound(_ fields: inout Fields) throws -> SoundChange {
        let words = SoundText.words(of: try fields.text("sound"))
        let entries = words?.compactMap { word, value in value.map { (word: word, value: $0) } }
        guard let entries, entries.count == words?.count, let change = SoundChange(entries: entries) else {
            throw fields.refused("sound", "is no change of a sound")
        }
        return change
    }
}

/// The rows of the table `sound`: the entries of the settings.
enum SoundRow {
    static let columns = "session, control, value"

    static func rows(of sound: SoundSettings) -> [[Value]] {
        sound.entries.map { [.integer(1), .text($0.word), .integer($0.value)] }
    }

    /// The entry of `row`, checked.
    static func entry(_ row: [Value]) throws -> (word: String, value: Int64) {
        var fields = Fields(row, of: "a sound")
        _ = try fields.integer("session", in: 1...1)
        let word = try fields.text("control")
        guard let range = SoundSettings.range(ofEntry: word) else { throw fields.refused("control", "is unknown") }
        let entry = (word: word, value: Int64(try fields.integer(word, in: range)))
        guard SoundSettings(entries: [entry]) != nil else { throw fields.refused(word, "is no name") }
        return entry
    }
}
