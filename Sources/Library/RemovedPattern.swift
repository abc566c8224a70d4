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
    private static let revision = "id, pattern, saved, played, \(RevisionRow.columns), \(Checksum.column)"

    /// Takes the pattern `number` out; nil if there is none. To be done within a transaction.
    func remove(_ number: Int64) throws(DatabaseError) -> RemovedPattern? {
        let wasPlayed = try !run("SELECT 1 FROM session WHERE pattern = ?", [.integer(number)]).isEmpty
        let revisions = try run("SELECT \(Self.revision) FROM revision WHERE pattern = ?", [.integer(number)])
        let rows = try run("DELETE FROM pattern WHERE id = ? RETURNING \(EntryRow.row)", [.integer(number)])
        guard let row = rows.first else { return nil }
        let name = if case .text(let text) = row[2] { text } else { "" }
        return RemovedPattern(number: number, name: name, row: row, revisions: revisions, wasPlayed: wasPlayed)
    }

    /// Puts `removed` back. To be done within a transaction.
    func restore(_ removed: RemovedPattern) throws(DatabaseError) {
        // Played on, it may be there again: with its name lost, and newer revisions, which have higher numbers.
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
