import Documents

// Default names for patterns. Called within the transaction that uses them.

extension Database {
    /// A free name for a pattern: TUNE 1, TUNE 2, …
    func freeName() throws(DatabaseError) -> String {
        let rows = try run("SELECT max(CAST(substr(name, 6) AS INTEGER)) FROM pattern WHERE name GLOB 'TUNE [0-9]*'")
        guard case .integer(let last)? = rows.first?.first else { return "TUNE 1" }
        return "TUNE \(last < 0 ? 1 : last &+ 1)"
    }

    /// `name` followed by the next free number: NIGHT becomes NIGHT 2, and NIGHT 2 becomes NIGHT 3.
    func freeName(after name: String) throws(DatabaseError) -> String {
        let stem = PatternName.stem(of: name)
        let rows = try run(
            "SELECT max(CAST(substr(name, length(?1) + 1) AS INTEGER)) FROM pattern WHERE substr(name, 1, length(?1)) = ?1",
            [.text(stem)])
        guard case .integer(let last)? = rows.first?.first, last > 1, last < .max else { return stem + "2" }
        return stem + "\(last + 1)"
    }
}
