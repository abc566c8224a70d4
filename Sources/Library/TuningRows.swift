import Documents
import Instrument

// The player's own tunings as rows.

/// The table `tuning`.
enum TuningRow {
    /// First version of the tables with it.
    static let version: Int64 = 15

    /// The statements of that version.
    static let tables = [
        """
        CREATE TABLE tuning (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,            -- at most one of each name
            tuning TEXT NOT NULL,          -- a JSON object with the keys tuning and a4 of a pattern's document
            checksum INTEGER
        ) STRICT
        """
    ]

    static let columns = "name, tuning"

    static func values(of tuning: OwnTuning) -> [Value] {
        [.text(tuning.name.text), .text(tuning.values.text(pretty: false))]
    }

    static func tuning(_ row: [Value]) throws -> OwnTuning {
        var fields = Fields(row, of: "a tuning of the player's")
        guard let name = SoundName(try fields.text("name")) else { throw fields.refused("name", "is no name") }
        guard let tuning = try? OwnTuning(text: try fields.text("tuning"), named: name) else {
            throw fields.refused("notes", "are no tuning")
        }
        return tuning
    }
}

extension Database {
    /// The player's own tunings, by name. A tuning that cannot be read is left out; a tuning with a wrong checksum is
    /// used as it is. Both are noted.
    func tunings() throws(DatabaseError) -> [OwnTuning] {
        let rows = try run("SELECT \(TuningRow.columns), \(Checksum.column) FROM tuning ORDER BY name, id")
        return rows.compactMap { row in
            let summed = SummedRow(row)
            guard let tuning = try? TuningRow.tuning(summed.values) else {
                note("a tuning of the player's cannot be read: left out")
                return nil
            }
            if !summed.isWhole { note("the tuning \(tuning.name.text) has a wrong checksum: used as it stands") }
            return tuning
        }
    }

    /// Keeps `tuning` in place of the one of its name. Runs within a transaction.
    func keep(_ tuning: OwnTuning) throws(DatabaseError) {
        try removeTuning(tuning.name)
        try insertTuning(TuningRow.values(of: tuning))
    }

    /// Inserts a row into `tuning`.
    func insertTuning(_ values: [Value]) throws(DatabaseError) {
        try run(
            "INSERT INTO tuning (\(TuningRow.columns), \(Checksum.column)) VALUES (?, ?, ?)",
            values + [Checksum.of(values)])
    }

    /// Removes the tuning of this name; returns whether there was one.
    @discardableResult
    func removeTuning(_ name: SoundName) throws(DatabaseError) -> Bool {
        try !run("DELETE FROM tuning WHERE name = ? RETURNING 1", [.text(name.text)]).isEmpty
    }
}
