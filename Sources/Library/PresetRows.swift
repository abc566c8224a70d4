import Instrument

// The player's own sounds as rows.

/// The columns of the table `preset`.
enum PresetRow {
    static let columns = "kind, name, sound"

    static func values(of preset: SoundPreset) -> [Value] {
        [.text(preset.kind.rawValue), .text(preset.name.text), .text(preset.values.text(pretty: false))]
    }

    static func preset(_ row: [Value]) throws -> SoundPreset {
        var fields = Fields(row, of: "a sound of the player's")
        let kind = try fields.choice("kind", SoundPreset.Kind.allCases, word: \.rawValue)
        guard let name = SoundName(try fields.text("name")) else { throw fields.refused("name", "is no name") }
        guard let preset = try? SoundPreset(text: try fields.text("sound"), named: name), preset.kind == kind else {
            throw fields.refused("sound", "is no sound")
        }
        return preset
    }
}

extension Database {
    /// The player's own sounds, by kind and name. A sound that cannot be read is left out; a sound with a wrong
    /// checksum is used as it is. Both are noted.
    func presets() throws(DatabaseError) -> [SoundPreset] {
        let rows = try run("SELECT \(PresetRow.columns), \(Checksum.column) FROM preset ORDER BY kind DESC, name, id")
        return rows.compactMap { row in
            let summed = SummedRow(row)
            guard let preset = try? PresetRow.preset(summed.values) else {
                note("a sound of the player's cannot be read: left out")
                return nil
            }
            if !summed.isWhole { note("the sound \(preset.name.text) has a wrong checksum: used as it stands") }
            return preset
        }
    }

    /// Keeps `preset` in place of the one of its kind and name. Runs within a transaction.
    func keep(_ preset: SoundPreset) throws(DatabaseError) {
        try remove(preset.kind, preset.name)
        try insertPreset(PresetRow.values(of: preset))
    }

    /// Inserts a row into `preset`.
    func insertPreset(_ values: [Value]) throws(DatabaseError) {
        try run(
            "INSERT INTO preset (\(PresetRow.columns), \(Checksum.column)) VALUES (?, ?, ?, ?)",
            values + [Checksum.of(values)])
    }

    /// Removes the sound of this kind and name; returns whether there was one.
    @discardableResult
    func remove(_ kind: SoundPreset.Kind, _ name: SoundName) throws(DatabaseError) -> Bool {
        try !run(
            "DELETE FROM preset WHERE kind = ? AND name = ? RETURNING 1", [.text(kind.rawValue), .text(name.text)]
        ).isEmpty
    }
}
