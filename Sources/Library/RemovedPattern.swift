/// A pattern that was removed from a library, with the data to restore it.
public struct RemovedPattern: Sendable {
    /// Number of the pattern in the library.
    public let number: Int64
    /// Its name.
    public let name: String

    /// The rows of the pattern and its revisions.
    fileprivate let row: [Value]
    fileprivate let revisions: [[Value]]
    /// Whether it was the session's pattern.
    fileprivate let wasPlayed: Bool
}

extension Database {
    private static let revision = "id, pattern, saved, played, \(RevisionRow.columns), \(Checksum.column)"

    /// Removes the pattern `number`; nil if it does not exist. Runs within a transaction.
    func remove(_ number: Int64) throws(DatabaseError) -> RemovedPattern? {
        let wasPlayed = try !run("SELECT 1 FROM session WHERE pattern = ?", [.integer(number)]).isEmpty
        let revisions = try run("SELECT \(Self.revision) FROM revision WHERE pattern = ?", [.integer(number)])
        let rows = try run("DELETE FROM pattern WHERE id = ? RETURNING \(EntryRow.row)", [.integer(number)])
        guard let row = rows.first else { return nil }
        let name = if case .text(let text) = row[2] { text } else { "" }
        return RemovedPattern(number: number, name: name, row: row, revisions: revisions, wasPlayed: wasPlayed)
    }

    /// Restores `removed`. Runs within a transaction.
    func restore(_ removed: RemovedPattern) throws(DatabaseError) {
        // If it was played since, it exists again without its name, and with newer revisions, which have higher
        // numbers.
        try run(
            "INSERT INTO pattern (\(EntryRow.row)) VALUES (\(places(removed.row))) ON CONFLICT (id) DO UPDATE SET "
                + "bank = excluded.bank, name = excluded.name, created = excluded.created, unknown = excluded.unknown, "
                + "\(Checksum.column) = excluded.\(Checksum.column)",
            removed.row)
        for revision in removed.revisions {
            try run("INSERT OR IGNORE INTO revision (\(Self.revision)) VALUES (\(places(revision)))", revision)
        }
        guard removed.wasPlayed else { return }
        try run("UPDATE session SET pattern = ? WHERE pattern IS NULL", [.integer(removed.number)])
    }
}
