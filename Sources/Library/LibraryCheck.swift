import Documents

// Checks of a library's file.

extension Database {
    /// One line for each problem, from SQLite's full check, from reading each row, and from each checksum.
    func problems(_ progress: Library.Progress = { _ in }) throws -> [String] {
        progress(0)
        var problems = try run("PRAGMA integrity_check").compactMap { row -> String? in
            guard case .text(let line)? = row.first, line != "ok" else { return nil }
            return line
        }
        problems += try run("PRAGMA foreign_key_check").map { "a row refers to nothing: \($0)" }
        do { _ = try readSession() } catch let damage as Damage { problems.append(damage.reason) }
        problems += try wrongChecksums(besides: "revision")
        problems += try run("SELECT \(PresetRow.columns) FROM preset").compactMap { row in
            do { _ = try PresetRow.preset(row) } catch let damage as Damage { return damage.reason }
            return nil
        }
        problems += try run("SELECT \(TuningRow.columns) FROM tuning").compactMap { row in
            do { _ = try TuningRow.tuning(row) } catch let damage as Damage { return damage.reason }
            return nil
        }
        let entries = try entries(of: nil)
        for (place, entry) in entries.enumerated() {
            progress(Self.checkedBefore + (1 - Self.checkedBefore) * Double(place) / Double(entries.count))
            for revision in try revisions(of: entry.number) {
                guard let state = try state(revision.number, of: entry.number) else { continue }
                let name = "\(entry.name.shown), revision \(revision.number)"
                do {
                    _ = try RevisionRow.document(state.music)
                    if !state.isWhole { problems.append("\(name), has a wrong checksum") }
                } catch let damage as Damage {
                    problems.append("\(name), \(damage.reason)")
                }
            }
        }
        return problems
    }

    /// Part of a check that is done before the patterns are read: about half of the time.
    private static let checkedBefore = 0.5

    /// One line for each row with a wrong checksum, except in the table `left`.
    func wrongChecksums(besides left: String = "") throws -> [String] {
        try Checksum.tables.filter { $0.name != left }.flatMap { table in
            let key = Self.keys[table.name] ?? "rowid"
            var problems: [String] = []
            try readBatches(of: "\(key), \(table.columns), \(Checksum.column)", from: table.name) { rows in
                for row in rows where !SummedRow(row, keys: 2).isWhole {
                    guard case .text(let name) = row[1] else { continue }
                    problems.append("\(name.shown) has a wrong checksum")
                }
            }
            return problems
        }
    }

    /// Description of a row in messages, as an SQL expression.
    private static let keys = [
        "session": "'the session'", "sound": "'the sound''s ' || control",
        "composition": "'the session''s ' || kind || ' composition ' || position",
        "preset": "'the sound ' || name", "tuning": "'the tuning ' || name",
        "pattern": "name || ' (its name, bank or other notes)'",
        "revision": """
        coalesce((SELECT name FROM pattern WHERE pattern.id = revision.pattern), 'a pattern without a name') \
        || ', revision ' || id || ','
        """,
    ]
}

extension String {
    /// The text as one line of at most 100 characters, without control characters that act on a terminal.
    var shown: String { FormatError("", String(prefix(100))).description }
}
