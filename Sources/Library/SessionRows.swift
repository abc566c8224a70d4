import Formats
import Instrument

// A session as rows. Writing changes those that differ; reading believes none of them.

extension Database {
    /// Puts `session` in the place of `last`, which is what is there, or of whatever is there if that is nil. To be
    /// done within a transaction.
    func write(_ session: Session, over last: Session?) throws(DatabaseError) {
        let settings = SettingsRow.values(of: session)
        if last.map(SettingsRow.values) != settings {
            // Not REPLACE, which would delete the compositions with the row.
            let columns = "\(SettingsRow.columns), \(Checksum.column)"
            let values = settings + [SettingsRow.checksum(settings)]
            let updates = columns.split(separator: ", ").dropFirst().map { "\($0) = excluded.\($0)" }
            try run(
                "INSERT INTO session (\(columns)) VALUES (\(places(values))) "
                    + "ON CONFLICT (id) DO UPDATE SET \(updates.joined(separator: ", "))", values)
        }
        if last?.sound != session.sound {
            try run("DELETE FROM sound")
            let insert = try prepare(
                "INSERT INTO sound (\(SoundRow.columns), \(Checksum.column)) VALUES (?, ?, ?, ?)")
            for row in SoundRow.rows(of: session.sound) { try insert.run(row + [Checksum.of(row)]) }
        }
        try write(session.history.past, over: last?.history.past, "past")
        try write([session.composition], over: last.map { [$0.composition] }, "current")
        try write(session.history.future, over: last?.history.future, "future")
    }

    /// Puts `compositions` of one kind in the place of `last`. Most edits add one at the end and, once there are as
    /// many as are kept, drop one at the start: only those rows are written.
    private func write(
        _ compositions: [Composition], over last: [Composition]?, _ kind: String
    ) throws(DatabaseError) {
        guard last != compositions else { return }
        let (dropped, kept) = last.map { overlap($0, compositions) } ?? (0, 0)
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
            "INSERT INTO composition (session, kind, position, \(CompositionRow.columns), \(Checksum.column)) VALUES (1, ?1, "
                + "(SELECT coalesce(max(position), -1) + 1 FROM composition WHERE kind = ?1), "
                + "\((2..<10).map { "?\($0)" }.joined(separator: ", ")))")
        for composition in compositions[kept...] {
            let values = CompositionRow.values(of: composition)
            try insert.run([.text(kind)] + values + [Checksum.of(values)])
        }
    }

    /// How many of `last` to drop at its start, and how many of what follows then `next` starts with: those that keep
    /// most.
    private func overlap(_ last: [Composition], _ next: [Composition]) -> (dropped: Int, kept: Int) {
        var best = (dropped: 0, kept: 0)
        for dropped in last.indices {
            let kept = zip(last[dropped...], next).prefix { $0 == $1 }.count
            if kept > best.kept { best = (dropped, kept) }
        }
        return best
    }

    /// As many places for values in a statement as there are `values`.
    func places(_ values: [Value]) -> String {
        Array(repeating: "?", count: values.count).joined(separator: ", ")
    }

    /// The session that is there, or nil if none is; without its history, if that is not wanted. Throws `Damage` where
    /// a row holds what no session can.
    func readSession(withHistory: Bool = true) throws -> Session? {
        try readSessionAndWholeness(withHistory: withHistory).session
    }

    /// The session as above, and whether all of its rows are as they were written.
    ///
    /// Rows that differ from their checksums are noted as damage. The newest state of the session's pattern was written together
    /// with the session, so it takes their place if it is whole; else they are used as they stand. An undo step that differs is
    /// left out.
    func readSessionAndWholeness(withHistory: Bool = true) throws -> (session: Session?, isWhole: Bool) {
        let columns = try Schema.readable("\(SettingsRow.columns), \(Checksum.column)", of: "session", in: self)
        let settings = try run("SELECT \(columns) FROM session LIMIT 2")
            .map { SummedRow($0, sum: SettingsRow.checksum) }
        let sound = try readSound()
        let past = try withHistory ? readCompositions("past", countMax: History.levels) : []
        let current = try readCompositions("current", countMax: 1)
        let future = try withHistory ? readCompositions("future", countMax: History.levels) : []
        if settings.isEmpty, sound == nil, past.isEmpty, current.isEmpty, future.isEmpty { return (nil, true) }
        guard settings.count == 1, let row = settings.first, let composition = current.first else {
            throw Damage("holds half a session")
        }
        var session = try SettingsRow.session(row.values)
        session.sound = sound?.settings ?? SoundSettings()
        session.composition = composition.composition
        session.history = History(past: Self.whole(past), future: Self.whole(future))
        let broken = (past + future).count { !$0.isWhole }
        if broken > 0 { note("\(String(broken, of: "undo step")) with a wrong checksum: left out") }
        guard row.isWhole, composition.isWhole, sound?.isWhole ?? true else {
            try mend(&session)
            return (session, false)
        }
        return (session, broken == 0)
    }

    private static func whole(_ compositions: [SummedComposition]) -> [Composition] {
        compositions.filter(\.isWhole).map(\.composition)
    }

    /// Puts the newest state of the session's pattern in the place of the session's music, if that state is whole.
    private func mend(_ session: inout Session) throws {
        let problem = "the session has a wrong checksum"
        guard let number = session.pattern, let state = try newestState(of: number), state.isNewest, state.isWhole
        else {
            return note("\(problem): used as it stands")
        }
        try RevisionRow.put(state.music, into: &session)
        note("\(problem): the newest state of its pattern is used in its place")
    }

    private struct SummedComposition {
        var composition: Composition
        var isWhole: Bool
    }

    /// What the table `sound` holds; nil if that is nothing.
    private func readSound() throws -> (settings: SoundSettings, isWhole: Bool)? {
        let countMax = SoundControl.allCases.count
        let columns = try Schema.readable("\(SoundRow.columns), \(Checksum.column)", of: "sound", in: self)
        let rows = try run("SELECT \(columns) FROM sound LIMIT ?", [.integer(Int64(countMax) + 1)])
            .map { SummedRow($0) }
        guard rows.count <= countMax else { throw Damage("holds more than \(countMax) settings of the sound") }
        if rows.isEmpty { return nil }
        let settings = try rows.reduce(into: SoundSettings()) { sound, row in
            try SoundRow.read(row.values, into: &sound)
        }
        return (settings, rows.allSatisfy(\.isWhole))
    }

    private func readCompositions(_ kind: String, countMax: Int) throws -> [SummedComposition] {
        let columns = try Schema.readable(
            "\(CompositionRow.columns), \(Checksum.column)", of: "composition", in: self)
        let rows = try run(
            "SELECT position, \(columns) FROM composition WHERE kind = ? ORDER BY position LIMIT ?",
            [.text(kind), .integer(Int64(countMax) + 1)])
        guard rows.count <= countMax else { throw Damage("holds more than \(countMax) compositions of kind \(kind)") }
        return try rows.map { row in
            let summed = SummedRow(row, keys: 1)
            var fields = Fields(summed.values, of: "a composition of kind \(kind)")
            // Positions give the order only.
            _ = try fields.number("position")
            return SummedComposition(
                composition: try CompositionRow.composition(&fields), isWhole: summed.isWhole)
        }
    }
}

/// The rows of the table `sound`: the controls that do not stand at their standards.
enum SoundRow {
    static let columns = "session, control, value"

    static func rows(of sound: SoundSettings) -> [[Value]] {
        sound.turned.map { [.integer(1), .text($0.word), .integer(Int64(sound[$0]))] }
    }

    static func read(_ row: [Value], into sound: inout SoundSettings) throws {
        var fields = Fields(row, of: "a sound")
        _ = try fields.integer("session", in: 1...1)
        let control = try fields.control()
        sound[control] = try fields.integer(control.word, in: control.range)
    }
}
