import Formats
import Instrument

// Patterns and their revisions as rows.

extension Database {
    /// Keeps the music of `session` as the newest state of the pattern `number`, if it is not that already; an empty
    /// pattern that is not there yet is not begun. Returns whether the pattern is there. To be done within a
    /// transaction.
    func keepMusic(of session: Session, as number: Int64, at seconds: Int64) throws(DatabaseError) -> Bool {
        let isNew = try !hasPattern(number)
        if isNew, session.composition.pattern == Pattern(), session.composition.scenes.isEmpty { return false }
        if isNew {
            let entry = PatternEntry(
                number: number, bank: .a, name: try freeName(), created: seconds, modified: seconds)
            try insert(entry, unknown: .null)
        }
        let music = RevisionRow.values(of: session)
        let newest = try run(
            "SELECT \(RevisionRow.columns) FROM revision WHERE pattern = ? ORDER BY id DESC LIMIT 1", [.integer(number)]
        )
        if newest.first != music { try addRevision(music, of: number, at: seconds, isNew: isNew) }
        return true
    }

    /// Whether there is a pattern `number`.
    func hasPattern(_ number: Int64) throws(DatabaseError) -> Bool {
        try !run("SELECT 1 FROM pattern WHERE id = ?", [.integer(number)]).isEmpty
    }

    /// Adds a pattern with its first revision. To be done within a transaction.
    func add(_ entry: PatternEntry, _ document: PatternDocument) throws(DatabaseError) {
        try insert(entry, unknown: EntryRow.unknown(of: document, entry).map(Value.text) ?? .null)
        try addRevision(RevisionRow.values(of: Session(document)), of: entry.number, at: entry.modified, isNew: true)
    }

    /// Adds a copy of the pattern `number`, if there is one, under the number `copy`. To be done within a transaction.
    func duplicate(_ number: Int64, as copy: Int64, at seconds: Int64) throws(DatabaseError) {
        let names = try run("SELECT name FROM pattern WHERE id = ?", [.integer(number)])
        guard case .text(let name)? = names.first?.first else { return }
        try run(
            "INSERT INTO pattern (id, bank, name, created, modified, unknown) SELECT ?2, bank, ?3, ?4, ?4, "
                + "json_remove(unknown, '$.createdAt', '$.modifiedAt') FROM pattern WHERE id = ?1",
            [.integer(number), .integer(copy), .text(try freeName(after: name)), .integer(seconds)])
        try run(
            "INSERT INTO revision (pattern, saved, played, \(RevisionRow.columns)) SELECT ?2, ?3, ?4, "
                + "\(RevisionRow.columns) FROM revision WHERE pattern = ?1 ORDER BY id DESC LIMIT 1",
            [.integer(number), .integer(copy), .integer(seconds), .integer(try played())])
    }

    /// Whether a pattern of this name has the music of `document` now.
    func has(_ document: PatternDocument, named name: String?) throws(DatabaseError) -> Bool {
        guard let name else { return false }
        let music = RevisionRow.values(of: Session(document))
        let rows = try run(
            "SELECT \(RevisionRow.columns) FROM revision WHERE id IN (SELECT max(revision.id) FROM revision "
                + "JOIN pattern ON pattern.id = revision.pattern WHERE pattern.name = ? GROUP BY pattern.id)",
            [.text(name)])
        return rows.contains(music)
    }

    /// Puts a row into `pattern`.
    func insert(_ entry: PatternEntry, unknown: Value) throws(DatabaseError) {
        let values = EntryRow.values(entry) + [unknown]
        try run("INSERT INTO pattern (\(EntryRow.columns), unknown) VALUES (\(places(values)))", values)
    }

    /// Puts a row into `revision`.
    func insertRevision(_ music: [Value], of number: Int64, at seconds: Int64) throws(DatabaseError) {
        let values = [.integer(number), .integer(seconds), .integer(try played())] + music
        try run(
            "INSERT INTO revision (pattern, saved, played, \(RevisionRow.columns)) VALUES (\(places(values)))", values)
    }

    private func addRevision(
        _ music: [Value], of number: Int64, at seconds: Int64, isNew: Bool
    ) throws(DatabaseError) {
        try insertRevision(music, of: number, at: seconds)
        guard !isNew else { return }
        // When its document said that it was changed is no longer true.
        try run(
            "UPDATE pattern SET modified = ?, unknown = json_remove(unknown, '$.modifiedAt') WHERE id = ?",
            [.integer(seconds), .integer(number)])
        let (rows, played) = (try revisionRows(of: number), try played())
        let revisions = rows.compactMap { row -> Thinning.Aged? in
            guard let revision = try? RevisionRow.revision(row) else { return nil }
            guard case .integer(let then)? = row.last else { return Thinning.Aged(revision) }
            return Thinning.Aged(revision, playedSince: max(0, played - then))
        }
        for old in Thinning.dropped(revisions, now: seconds) {
            try run("DELETE FROM revision WHERE id = ?", [.integer(old)])
        }
    }

    /// The patterns of `bank`, or of all, in the order in which they were begun.
    func entries(of bank: Bank?) throws -> [PatternEntry] {
        let condition = bank.map { "WHERE bank = \($0.rawValue)" } ?? ""
        return try run("SELECT \(EntryRow.columns) FROM pattern \(condition) ORDER BY bank, created, id")
            .map(EntryRow.entry)
    }

    /// The pattern `number`, without its music; nil if there is none.
    func entry(_ number: Int64) throws -> PatternEntry? {
        try run("SELECT \(EntryRow.columns) FROM pattern WHERE id = ?", [.integer(number)]).first.map(EntryRow.entry)
    }

    /// The states of the pattern `number` that are kept, oldest first.
    func revisions(of number: Int64) throws -> [PatternRevision] {
        try revisionRows(of: number).map(RevisionRow.revision)
    }

    private func revisionRows(of number: Int64) throws(DatabaseError) -> [[Value]] {
        try run("SELECT id, saved, played FROM revision WHERE pattern = ? ORDER BY id", [.integer(number)])
    }

    /// The pattern `number` as a document, as it is or was at `revision`; nil if there is no such.
    func document(of number: Int64, revision: Int64?) throws -> PatternDocument? {
        let patterns = try run("SELECT \(EntryRow.columns), unknown FROM pattern WHERE id = ?", [.integer(number)])
        let music = try run(
            "SELECT \(RevisionRow.columns) FROM revision WHERE pattern = ?1 AND (?2 IS NULL OR id = ?2) "
                + "ORDER BY id DESC LIMIT 1", [.integer(number), revision.map(Value.integer) ?? .null])
        guard let pattern = patterns.first, let row = music.first else { return nil }
        var document = try RevisionRow.document(row)
        try EntryRow.complete(&document, pattern)
        return document
    }
}

/// The columns of the table `pattern`.
enum EntryRow {
    static let columns = "id, bank, name, created, modified"

    static func values(_ entry: PatternEntry) -> [Value] {
        [
            .integer(entry.number), .integer(Int64(entry.bank.rawValue)), .text(entry.name), .integer(entry.created),
            .integer(entry.modified),
        ]
    }

    static func entry(_ row: [Value]) throws -> PatternEntry {
        var fields = Fields(row, of: "a pattern")
        return try entry(&fields)
    }

    private static func entry(_ fields: inout Fields) throws -> PatternEntry {
        let number = try fields.number("id")
        let bank = Bank(rawValue: try fields.integer("bank", in: 0...Bank.allCases.count - 1)) ?? .a
        return PatternEntry(
            number: number, bank: bank, name: try fields.text("name"), created: try fields.time("created"),
            modified: try fields.time("modified"))
    }

    /// What `document` says beside its music, name and times; times too where ours would be written otherwise.
    static func unknown(of document: PatternDocument, _ entry: PatternEntry) -> String? {
        var unknown = document.unknown
        for (key, text, seconds) in [
            ("createdAt", document.createdAt, entry.created), ("modifiedAt", document.modifiedAt, entry.modified),
        ] {
            if let text, text != DocumentTime.text(seconds) { unknown[key] = .string(text) }
        }
        return unknown.isEmpty ? nil : JSON.object(unknown).text(pretty: false)
    }

    /// What the column `unknown` holds.
    static func unknown(_ text: String) throws -> [String: JSON] {
        guard case .object(let unknown)? = try? JSON(parsing: Array(text.utf8)) else {
            throw Damage("holds a pattern whose unknown is no JSON object")
        }
        return unknown
    }

    /// Puts what belongs to the pattern, and not to one state of it, into `document`: the columns, and `unknown` after them.
    static func complete(_ document: inout PatternDocument, _ row: [Value]) throws {
        var fields = Fields(row, of: "a pattern")
        let entry = try entry(&fields)
        let text = try fields.orNull { try $0.text("unknown") }
        document.name = entry.name
        document.createdAt = DocumentTime.text(entry.created)
        document.modifiedAt = DocumentTime.text(entry.modified)
        guard let text else { return }
        var unknown = try Self.unknown(text)
        if case .string(let time)? = unknown.removeValue(forKey: "createdAt") { document.createdAt = time }
        if case .string(let time)? = unknown.removeValue(forKey: "modifiedAt") { document.modifiedAt = time }
        document.unknown = unknown
    }
}

/// The columns of the table `revision` that are music.
enum RevisionRow {
    static let columns = "\(CompositionRow.columns), \(MuteRow.columns), sound, chain"

    static func values(of session: Session) -> [Value] {
        let sound = session.sound
        let turned = sound.turned
        let words = JSON.object(Dictionary(uniqueKeysWithValues: turned.map { ($0.word, .integer(sound[$0])) }))
        return CompositionRow.values(of: session.composition) + MuteRow.values(session.muted, session.soloed)
            + [
                turned.isEmpty ? .null : .text(words.text(pretty: false)),
                FlagRow.value(session.chainsScenes && !session.composition.scenes.isEmpty),
            ]
    }

    /// The number of a revision and when it was saved.
    static func revision(_ row: [Value]) throws -> PatternRevision {
        var fields = Fields(row, of: "a revision")
        return PatternRevision(number: try fields.number("id"), saved: try fields.time("saved"))
    }

    static func document(_ row: [Value]) throws -> PatternDocument {
        var fields = Fields(row, of: "a revision")
        let composition = try CompositionRow.composition(&fields)
        let (muted, soloed) = try MuteRow.read(&fields)
        let sound = try fields.orNull { try Self.sound($0.text("sound")) } ?? SoundSettings()
        return PatternDocument(
            pattern: composition.pattern, sound: sound, muted: muted, soloed: soloed, scenes: composition.scenes,
            chainsScenes: try FlagRow.read("chain", &fields))
    }

    private static func sound(_ text: String) throws -> SoundSettings {
        guard case .object(let words)? = try? JSON(parsing: Array(text.utf8)) else {
            throw Damage("holds a revision whose sound is no JSON object")
        }
        return try words.reduce(into: SoundSettings()) { sound, part in
            guard let control = SoundControl(word: part.key), case .number(let digits) = part.value,
                let value = Int(digits), control.range.contains(value)
            else { throw Damage("holds a revision whose sound has a wrong \(part.key)") }
            sound[control] = value
        }
    }
}
