import Instrument

// A session as rows. Writing changes those that differ; reading believes none of them.

extension Database {
    /// Puts `session` in the place of `last`, which is what is there, or of whatever is there if that is nil. To be
    /// done within a transaction.
    func write(_ session: Session, over last: Session?) throws(DatabaseError) {
        let settings = SettingsRow.values(of: session)
        if last.map(SettingsRow.values) != settings {
            // Not REPLACE, which would delete the compositions with the row.
            let updates = SettingsRow.columns.split(separator: ", ").dropFirst().map { "\($0) = excluded.\($0)" }
            try run(
                "INSERT INTO session (\(SettingsRow.columns)) VALUES (\(places(settings))) "
                    + "ON CONFLICT (id) DO UPDATE SET \(updates.joined(separator: ", "))", settings)
        }
        if last?.sound != session.sound {
            try run("DELETE FROM sound")
            let insert = try prepare("INSERT INTO sound (\(SoundRow.columns)) VALUES (?, ?, ?)")
            for row in SoundRow.rows(of: session.sound) { try insert.run(row) }
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
            "INSERT INTO composition (session, kind, position, \(CompositionRow.columns)) VALUES (1, ?1, "
                + "(SELECT coalesce(max(position), -1) + 1 FROM composition WHERE kind = ?1), "
                + "\((2..<9).map { "?\($0)" }.joined(separator: ", ")))")
        for composition in compositions[kept...] {
            try insert.run([.text(kind)] + CompositionRow.values(of: composition))
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
        let columns = try Schema.readable(SettingsRow.columns, of: "session", in: self)
        let settings = try run("SELECT \(columns) FROM session LIMIT 2")
        let sound = try readSound()
        let past = try withHistory ? readCompositions("past", countMax: History.levels) : []
        let current = try readCompositions("current", countMax: 1)
        let future = try withHistory ? readCompositions("future", countMax: History.levels) : []
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
        let columns = try Schema.readable(CompositionRow.columns, of: "composition", in: self)
        let rows = try run(
            "SELECT position, \(columns) FROM composition WHERE kind = ? ORDER BY position LIMIT ?",
            [.text(kind), .integer(Int64(countMax) + 1)])
        guard rows.count <= countMax else { throw Damage("holds more than \(countMax) compositions of kind \(kind)") }
        return try rows.map { row in
            var fields = Fields(row, of: "a composition of kind \(kind)")
            // Positions give the order only.
            _ = try fields.number("position")
            return try CompositionRow.composition(&fields)
        }
    }
}

/// The rows of the table `sound`: the controls that do not stand at their standards.
private enum SoundRow {
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
