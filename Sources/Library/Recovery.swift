import Documents
import Formats
import Instrument

/// The readable data of a damaged file.
struct Recovery {
    /// The session.
    private(set) var session: Session?
    /// The patterns, each with its other fields and the rows of its revisions.
    private(set) var patterns: [Pattern] = []
    /// Marks of watched programmes: number and time.
    private var watched: [[Value]] = []
    /// The player's own sounds.
    private var presets: [SoundPreset] = []
    /// The player's own tunings.
    private var tunings: [OwnTuning] = []

    /// Whether the device failed, rather than the content: a retry may read more.
    private(set) var isDisturbed = false

    /// Number of revisions that were skipped for a wrong checksum because their pattern has others.
    private var leftOut = 0
    /// Damage that was skipped.
    private var notes: [String] = []

    /// A pattern.
    struct Pattern {
        var entry: PatternEntry
        var unknown: Value
        var revisions: [(saved: Int64, music: [Value], isWhole: Bool)]
    }

    /// Maximum gap between rows that is searched key by key.
    private static let keysMax = 100_000

    /// Reads the file at `path` without changing it. Skips damaged parts.
    init(path: String) {
        guard let database = try? Database(path: path, isReadOnly: true) else {
            isDisturbed = true
            return
        }
        // Before the next pragma: after it SQLite takes the tables that it finds up to a failed read for all of them.
        do { try database.run("SELECT 1 FROM sqlite_schema LIMIT 1") } catch { note(error) }
        // Without this SQLite reads nothing of a truncated file.
        _ = try? database.run("PRAGMA writable_schema = ON")
        // A scan of its pages finds the rows of a hostile file without its tables.
        do {
            guard try SchemaText.isPlain(database) else { return }
        } catch {
            note(error)
        }
        readSession(from: database)
        notes = database.drainNotes()
        readPatterns(from: database)
        watched = rows(of: "watched", WatchedRow.columns, in: database) { _, _ in [] }.filter(WatchedRow.isRight)
        for row in ownRows(of: "preset", PresetRow.columns, in: database) {
            guard let preset = try? PresetRow.preset(Array(row.values.dropFirst())) else { continue }
            if !row.isWhole { notes.append("the sound \(preset.name.text) has a wrong checksum: kept as it stands") }
            presets.removeAll { $0.kind == preset.kind && $0.name == preset.name }
            presets.append(preset)
        }
        for row in ownRows(of: "tuning", TuningRow.columns, in: database) {
            guard let tuning = try? TuningRow.tuning(Array(row.values.dropFirst())) else { continue }
            if !row.isWhole { notes.append("the tuning \(tuning.name.text) has a wrong checksum: kept as it stands") }
            tunings.removeAll { $0.name == tuning.name }
            tunings.append(tuning)
        }
    }

    /// The readable rows of a table of the player's own sounds or tunings, of which the last of a name counts, with
    /// their keys.
    private mutating func ownRows(of table: String, _ columns: String, in database: Database) -> [SummedRow] {
        // A library of an older version has no such table.
        do {
            let there = try database.run("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(table)])
            if there.isEmpty { return [] }
        } catch {
            note(error)
            return []
        }
        let found = rows(of: table, "id, \(columns), \(Checksum.column)", in: database) { last, next in
            let (gap, isBeyond) = next.subtractingReportingOverflow(last)
            return last < next && !isBeyond && gap < Self.keysMax ? Array(last...next) : []
        }
        return found.map { SummedRow($0, keys: 1) }
    }

    private mutating func readSession(from database: Database) {
        do {
            session = try database.readSession()
        } catch {
            note(error)
            session = (try? database.readSession(withHistory: false)) ?? nil
        }
    }

    private mutating func readPatterns(from database: Database) {
        let columns = "\(RevisionRow.columns), \(Checksum.column)"
        let music = (try? Schema.readable(columns, of: "revision", in: database)) ?? columns
        let revisions = rows(of: "revision", "id, pattern, saved, \(music)", in: database) { last, next in
            // Keys in a damaged file may be as far apart as integers can be.
            let (gap, isBeyond) = next.subtractingReportingOverflow(last)
            guard last < next, !isBeyond, gap < Self.keysMax else { return [] }
            return Array(last...next)
        }
        let numbers = Set(revisions.compactMap { Self.integer($0[1]) })
        let entries = rows(of: "pattern", "\(EntryRow.columns), unknown", in: database) { _, _ in numbers.sorted() }
        var places: [Int64: Int] = [:]
        for row in entries {
            guard let entry = try? EntryRow.entry(row) else { continue }
            places[entry.number] = patterns.count
            // The music is kept even if the other fields are damaged.
            var unknown = Value.null
            if case .text(let text)? = row.last, (try? EntryRow.unknown(text)) != nil { unknown = .text(text) }
            patterns.append(Pattern(entry: entry, unknown: unknown, revisions: []))
        }
        var nameless = 0
        for row in revisions {
            guard let number = Self.integer(row[1]), let saved = Self.integer(row[2]),
                DocumentTime.range.contains(saved)
            else { continue }
            let summed = SummedRow(row, keys: 3)
            let music = Array(summed.values[3...])
            guard (try? RevisionRow.document(music)) != nil else { continue }
            if places[number] == nil {
                places[number] = patterns.count
                nameless += 1
                let entry = PatternEntry(
                    number: number, bank: .a, name: "FOUND \(nameless)", created: saved, modified: saved)
                patterns.append(Pattern(entry: entry, unknown: .null, revisions: []))
            }
            patterns[places[number] ?? 0].revisions.append((saved, music, summed.isWhole))
        }
        patterns.removeAll(where: \.revisions.isEmpty)
        patterns = patterns.map { withoutDamage($0) }
    }

    /// Removes the revisions with a wrong checksum; if there are no others, keeps the newest one unchanged.
    private mutating func withoutDamage(_ pattern: Pattern) -> Pattern {
        var pattern = pattern
        let whole = pattern.revisions.filter(\.isWhole)
        let kept = whole.isEmpty ? pattern.revisions.suffix(1) : whole
        leftOut += pattern.revisions.count - kept.count
        if whole.isEmpty { notes.append("\(pattern.entry.name.shown) has a wrong checksum: kept as it stands") }
        pattern.revisions = kept
        return pattern
    }

    private static func integer(_ value: Value?) -> Int64? {
        guard case .integer(let integer)? = value else { return nil }
        return integer
    }

    /// The readable rows of `table`, whose first column is its key: from the front, from the back, and each of `keys`
    /// in between.
    private mutating func rows(
        of table: String, _ columns: String, in database: Database, keys: (_ last: Int64, _ next: Int64) -> [Int64]
    ) -> [[Value]] {
        let selection = "\(columns) FROM \(table) NOT INDEXED"
        let front = rows("\(selection) ORDER BY id ASC", in: database)
        if !front.isBroken { return front.rows }
        let last = Self.integer(front.rows.last?.first) ?? 0
        let back = rows("\(selection) ORDER BY id DESC", in: database).rows.prefix { row in
            Self.integer(row.first).map { $0 > last } ?? false
        }
        let reach = Int64(Self.keysMax) / 10
        let next = Self.integer(back.last?.first) ?? (last > .max - reach ? .max : last + reach)
        let between = keys(last, next).filter { $0 > last && $0 < next }
        return front.rows + between.flatMap { rows("\(selection) WHERE id = \($0)", in: database).rows }
            + back.reversed()
    }

    private mutating func rows(
        _ selection: String, in database: Database
    ) -> (rows: [[Value]], isBroken: Bool) {
        do {
            let (rows, error) = try database.prepare("SELECT \(selection)").readable()
            if let error { note(error) }
            return (rows, error != nil)
        } catch {
            note(error)
            return ([], true)
        }
    }

    private mutating func note(_ error: any Error) {
        if let error = error as? DatabaseError, !error.isDamage { isDisturbed = true }
    }

    /// Whether neither a session nor patterns, sounds nor tunings were found.
    var isEmpty: Bool { session == nil && patterns.isEmpty && presets.isEmpty && tunings.isEmpty }

    /// Copies the marks and patterns from a scan of the pages unless it has fewer, and the session if there is none or
    /// it was misread.
    mutating func add(_ scan: Recovery, isMisread: Bool) {
        session = isMisread ? scan.session ?? session : session ?? scan.session
        if scan.watched.count >= watched.count { watched = scan.watched }
        if scan.presets.count >= presets.count { presets = scan.presets }
        if scan.tunings.count >= tunings.count { tunings = scan.tunings }
        guard scan.states >= states else { return }
        (patterns, leftOut, notes) = (scan.patterns, scan.leftOut, scan.notes)
    }

    private var states: Int { patterns.reduce(0) { $0 + $1.revisions.count } }

    /// A description of the recovered data.
    var summary: String {
        let count = String(patterns.count, of: "pattern")
        let left = leftOut > 0 ? ", without \(String(leftOut, of: "state")) with a wrong checksum" : ""
        let own = [(presets.count, "own sound"), (tunings.count, "own tuning")].filter { $0.0 > 0 }
            .map { "\(String($0.0, of: $0.1)) recovered" }
        return ([recovered(count) + left] + own + notes).joined(separator: "; ")
    }

    private func recovered(_ count: String) -> String {
        switch (session == nil, patterns.isEmpty) {
        case (false, true): "what was played last was recovered"
        case (false, false): "what was played last and \(count) were recovered"
        case (true, false): "\(count) \(patterns.count == 1 ? "was" : "were") recovered"
        case (true, true): "nothing could be recovered"
        }
    }

    /// Writes the recovered data into the new `database`.
    func write(into database: Database) throws {
        try database.transaction {
            for pattern in patterns {
                try database.insert(pattern.entry, unknown: pattern.unknown)
                for (saved, music, _) in pattern.revisions {
                    try database.insertRevision(music, of: pattern.entry.number, at: saved)
                }
            }
            for row in watched { try database.insertWatched(row) }
            for preset in presets { try database.insertPreset(PresetRow.values(of: preset)) }
            for tuning in tunings { try database.insertTuning(TuningRow.values(of: tuning)) }
            guard var session else { return }
            if !patterns.contains(where: { $0.entry.number == session.pattern }) { session.pattern = nil }
            try database.write(session, over: nil)
        }
    }
}
