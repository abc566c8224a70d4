import Instrument

/// A pattern that was taken out of a library, with all that it takes to put it back.
public struct RemovedPattern: Sendable {
    /// The number by which the library knew it.
    public let number: Int64
    /// Its name.
    public let name: String

    /// Its row, and those of its revisions.
    fileprivate let row: [Value]
    fileprivate let revisions: [[Value]]
    /// It was the pattern that is played.
    fileprivate let wasPlayed: Bool
}

extension Database {
    private static let row = "\(EntryRow.columns), unknown"
    private static let revision = "id, pattern, saved, \(RevisionRow.columns)"

    /// Takes the pattern `number` out; nil if there is none. To be done within a transaction.
    func remove(_ number: Int64) throws(DatabaseError) -> RemovedPattern? {
        let wasPlayed = try !run("SELECT 1 FROM session WHERE pattern = ?", [.integer(number)]).isEmpty
        let revisions = try run("SELECT \(Self.revision) FROM revision WHERE pattern = ?", [.integer(number)])
        let rows = try run("DELETE FROM pattern WHERE id = ? RETURNING \(Self.row)", [.integer(number)])
        guard let row = rows.first else { return nil }
        let name = if case .text(let text) = row[2] { text } else { "" }
        return RemovedPattern(number: number, name: name, row: row, revisions: revisions, wasPlayed: wasPlayed)
    }

    /// Puts `removed` back. To be done within a transaction.
    func restore(_ removed: RemovedPattern) throws(DatabaseError) {
        // Played on, it may be there again: with its name lost, and newer revisions, which have higher numbers.
        try run(
            "INSERT INTO pattern (\(Self.row)) VALUES (\(places(removed.row))) ON CONFLICT (id) DO UPDATE SET "
                + "bank = excluded.bank, name = excluded.name, created = excluded.created, unknown = excluded.unknown",
            removed.row)
        for revision in removed.revisions {
            try run("INSERT OR IGNORE INTO revision (\(Self.revision)) VALUES (\(places(revision)))", revision)
        }
        guard removed.wasPlayed else { return }
        try run("UPDATE session SET pattern = ? WHERE pattern IS NULL", [.integer(removed.number)])
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
            "INSERT INTO revision (pattern, saved, \(RevisionRow.columns)) SELECT ?2, ?3, \(RevisionRow.columns) "
                + "FROM revision WHERE pattern = ?1 ORDER BY id DESC LIMIT 1",
            [.integer(number), .integer(copy), .integer(seconds)])
    }

    /// The pattern `number`, without its music; nil if there is none.
    func entry(_ number: Int64) throws -> PatternEntry? {
        try run("SELECT \(EntryRow.columns) FROM pattern WHERE id = ?", [.integer(number)]).first.map { row in
            var fields = Fields(row, of: "a pattern")
            return try EntryRow.entry(&fields)
        }
    }

    /// `name` with the next number that no pattern has after it: NIGHT becomes NIGHT 2, and NIGHT 2 becomes NIGHT 3.
    private func freeName(after name: String) throws(DatabaseError) -> String {
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        let isNumbered = words.count > 1 && words.last.map { Int($0).map { $0 > 0 } ?? false } ?? false
        let stem = (isNumbered ? words.dropLast() : words[...]).joined(separator: " ") + " "
        let rows = try run(
            "SELECT max(CAST(substr(name, length(?1) + 1) AS INTEGER)) FROM pattern WHERE substr(name, 1, length(?1)) = ?1",
            [.text(stem)])
        guard case .integer(let last)? = rows.first?.first, last > 1, last < .max else { return stem + "2" }
        return stem + "\(last + 1)"
    }
}
