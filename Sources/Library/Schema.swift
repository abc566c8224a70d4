/// Why a readable file is not a valid library.
struct Damage: Error, Hashable, Sendable {
    /// One clause that follows the file's name.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The tables, and their migration from older versions.
enum Schema {
    /// Statements that each version adds to the one before, besides settings. A file's `user_version` is the number of
    /// its version.
    private static let tables = [
        version1, version2, [], version4, version5, version6, version7, version8, [], version10, [], [], [],
        version14, version15, [],
        // The words of pads in the sound, which older versions do not know.
        [],
        version18, version19, version20, version21,
        // The values of single notes in the extras, which older versions do not know.
        [],
        // The harmony in the extras, likewise.
        [],
    ]

    /// Version of the tables that this program writes.
    static let version = SettingsRow.settings.map { Int64($0.version) }.reduce(Int64(tables.count), max)

    /// All statements that `version` adds; the settings of version 1 are in its table.
    private static func statements(of version: Int) -> [String] {
        let settings = version == 1 ? [] : SettingsRow.settings.filter { $0.version == version }
        return settings.map { "ALTER TABLE session ADD COLUMN \($0.name) \($0.declaration)" }
            + (tables.indices.contains(version - 1) ? tables[version - 1] : [])
    }

    /// One row of settings, and its compositions. Ranges are not repeated here: reading checks them against the
    /// instrument's.
    private static let version1 = [
        """
        CREATE TABLE session (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            muted INTEGER NOT NULL,        -- bit n is track n, from the top
            soloed INTEGER,                -- a track from the top, 0-3
            melody_page INTEGER NOT NULL,  -- since version 9 scale degrees above page 0; rhythm_page counts pages
            chords_page INTEGER NOT NULL,
            bass_page INTEGER NOT NULL,
            rhythm_page INTEGER NOT NULL,
            colour_mode TEXT NOT NULL,     -- chromatic, harmonic
            auditions INTEGER NOT NULL     -- 0, 1
        ) STRICT
        """,
        """
        CREATE TABLE composition (
            session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,            -- past, current, future
            position INTEGER NOT NULL,     -- from 0; past: oldest first, future: the next to redo last
            bpm INTEGER NOT NULL,
            length INTEGER NOT NULL,       -- steps
            root INTEGER NOT NULL,         -- pitch class, 0 is C
            scale TEXT NOT NULL,           -- major, minor, penta
            ghosts INTEGER NOT NULL,       -- 0, 1
            cells BLOB NOT NULL,           -- 4 tracks x 12 notes x 8 bytes, little-endian, two bits a step, step 0 lowest
            PRIMARY KEY (session, kind, position)
        ) STRICT
        """,
    ]

    /// The session's sound.
    private static let version2 = [
        """
        CREATE TABLE sound (
            session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            control TEXT NOT NULL,         -- a path, its words joined by points: bass.cutoff
            value INTEGER NOT NULL,        -- not the standard; what has no row here is that
            PRIMARY KEY (session, control)
        ) STRICT
        """
    ]

    /// Patterns in banks, with their revisions.
    private static let version4 = [
        """
        CREATE TABLE pattern (
            id INTEGER PRIMARY KEY,        -- drawn at random, so that programs need not agree on the next
            bank INTEGER NOT NULL,         -- 0 is A, 7 is H
            name TEXT NOT NULL,
            created INTEGER NOT NULL,      -- seconds since 1970
            modified INTEGER NOT NULL,
            unknown TEXT                   -- a JSON object of what its document said besides; null: nothing
        ) STRICT
        """,
        "CREATE INDEX pattern_bank ON pattern (bank)",
        """
        CREATE TABLE revision (
            id INTEGER PRIMARY KEY AUTOINCREMENT,  -- a later one has a higher id, whatever the clock says
            pattern INTEGER NOT NULL REFERENCES pattern (id) ON DELETE CASCADE,
            saved INTEGER NOT NULL,        -- seconds since 1970
            bpm INTEGER NOT NULL,          -- from here on as in composition
            length INTEGER NOT NULL,
            root INTEGER NOT NULL,
            scale TEXT NOT NULL,
            ghosts INTEGER NOT NULL,
            cells BLOB NOT NULL,
            muted INTEGER NOT NULL,        -- as in session
            soloed INTEGER,
            sound TEXT                     -- a JSON object: controls, as in sound, and their values; null: all standard
        ) STRICT
        """,
        "CREATE INDEX revision_pattern ON revision (pattern)",
    ]

    /// Watched programmes, and the scenes beside the current pattern in compositions and revisions.
    private static let version5 = [
        """
        CREATE TABLE watched (
            id INTEGER PRIMARY KEY,        -- a programme's number
            marked INTEGER NOT NULL        -- seconds since 1970
        ) STRICT
        """,
        "ALTER TABLE composition ADD COLUMN scenes BLOB",  // as in ScenesBlob; null: none is filled
        "ALTER TABLE revision ADD COLUMN scenes BLOB",
        "ALTER TABLE revision ADD COLUMN chain INTEGER",  // as in session; null too while no scene is filled
    ]

    /// The age of revisions by a monotonic clock.
    private static let version6 = [
        // Seconds of playing this library until the revision was saved; null: older than this column.
        "ALTER TABLE revision ADD COLUMN played INTEGER"
    ]

    /// A checksum for each row of music: see `Checksum`. Older rows get theirs at the end of the migration.
    private static let version7 = Checksum.tables.filter { $0.since <= Checksum.version }.map {
        "ALTER TABLE \($0.name) ADD COLUMN \(Checksum.column) INTEGER"
    }

    /// The notes outside the middle octave: see `NotesBlob`.
    private static let version8 = ["composition", "revision"].map { "ALTER TABLE \($0) ADD COLUMN octaves BLOB" }

    // Version 9 adds settings; see also `SettingsRow.resetPages`.

    /// The player's own sounds.
    private static let version10 = [
        """
        CREATE TABLE preset (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,            -- melodic, kit
            name TEXT NOT NULL,            -- at most one of each kind and name
            sound TEXT NOT NULL,           -- a JSON object, as the sound in a sound's file
            checksum INTEGER
        ) STRICT
        """
    ]

    // Versions 11 to 13 add settings.

    /// Lanes, and how tracks run: see `ExtrasText`.
    private static let version14 = ["composition", "revision"].map { "ALTER TABLE \($0) ADD COLUMN extras TEXT" }

    /// First version of the tables with songs.
    static let songVersion = 15

    /// The player's own tunings; the song: see `SongText`, and also the session's `plays_song`.
    private static let version15 =
        TuningRow.tables + ["composition", "revision"].map { "ALTER TABLE \($0) ADD COLUMN song TEXT" }
        // As in session; null too while no scene is filled and the song has no entries.
        + ["ALTER TABLE revision ADD COLUMN plays_song INTEGER"]

    /// The part of an undo step besides its composition: see `StepRow`.
    private static let version18 = [
        "ALTER TABLE composition ADD COLUMN word TEXT",  // the panel's word for the action; null: none
        "ALTER TABLE composition ADD COLUMN sound TEXT",  // a JSON object, as in revision; null: no change
    ]

    /// The notes of the windows after the first: see `NotesBlob`. The extras have tempos, metres and lengths that older
    /// versions do not know.
    private static let version19 = ["composition", "revision"].map { "ALTER TABLE \($0) ADD COLUMN windows BLOB" }

    /// The scenes from which tracks are borrowed: see `PartsRow`.
    private static let version20 = ["composition", "revision"].map { "ALTER TABLE \($0) ADD COLUMN parts INTEGER" }

    /// The scenes' own sounds: see `OwnSoundText`, and also the session's `own`.
    private static let version21 = ["composition", "revision"].map { "ALTER TABLE \($0) ADD COLUMN own TEXT" }

    /// Values of columns that a file of an older version lacks.
    private static let absent: [String: String] = SettingsRow.settings.reduce(
        into: [
            "scenes": "NULL", "octaves": "NULL", "extras": "NULL", "song": "NULL", "word": "NULL", "sound": "NULL",
            "windows": "NULL", "parts": "NULL", "own": "NULL",
            Checksum.column: "'\(Checksum.absent)'",
        ]
    ) {
        if $1.version > 1 { $0[$1.name] = $1.declaration.contains("NOT NULL") ? "0" : "NULL" }
    }

    /// `columns` of `table` as they can be read from a `database` that may be of an older or a newer version. The
    /// checksums of a newer version are left out, because they include columns unknown here.
    static func readable(_ columns: String, of table: String, in database: Database) throws(DatabaseError) -> String {
        var there = try self.columns(of: table, in: database)
        if case .integer(let version)? = try database.run("PRAGMA user_version").first?.first, version > Schema.version
        {
            there.removeAll { $0 == [.text(Checksum.column)] }
        }
        return columns.split(separator: ", ").map(String.init)
            .map { there.contains([.text($0)]) ? $0 : absent[$0] ?? $0 }.joined(separator: ", ")
    }

    /// Whether the session in `database` has the note pages of an older version.
    static func hasOlderPages(_ database: Database) throws(DatabaseError) -> Bool {
        try !columns(of: "session", in: database).contains([.text(SettingsRow.newPagesColumn)])
    }

    private static func columns(of table: String, in database: Database) throws(DatabaseError) -> [[Value]] {
        try database.run("SELECT name FROM pragma_table_info(?)", [.text(table)])
    }

    /// Checks `database` from end to end and returns its version; 0 if it is empty.
    static func check(_ database: Database) throws -> Int64 {
        // Makes a damaged page an error when it is read.
        try database.run("PRAGMA cell_size_check = ON")
        let found = try database.run("PRAGMA user_version")
        guard case .integer(let version)? = found.first?.first, (0...Schema.version).contains(version) else {
            throw Damage("was written by a newer pixelboop")
        }
        if version == 0, try !database.run("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty {
            throw Damage("is another program's database")
        }
        // Before any row is read: a check, a trigger or a view may contain any expression, even an expression that
        // never ends.
        try SchemaText.compare(database, with: statements(upTo: version), version: version)
        guard try isWhole(database) else { throw Damage("fails SQLite's check") }
        return version
    }

    /// Whether the file at `path` has a broken structure, so that SQLite may skip rows.
    static func isBroken(_ path: String) -> Bool {
        guard let database = try? Database(path: path, isReadOnly: true) else { return true }
        return (try? isWhole(database)) != true
    }

    /// Whether the schema of the file at `path` is not its version's schema, so that SQLite may misread rows. The
    /// schema of a newer version is unknown.
    static func isMisleading(_ path: String) -> Bool {
        guard let database = try? Database(path: path, isReadOnly: true),
            case .integer(let version)? = (try? database.run("PRAGMA user_version"))?.first?.first, version >= 0
        else { return true }
        guard version <= Schema.version else { return false }
        return (try? SchemaText.compare(database, with: statements(upTo: version), version: version)) == nil
    }

    /// All statements that create the tables of `version`.
    private static func statements(upTo version: Int64) -> [String] {
        (0..<Int(version)).flatMap { statements(of: $0 + 1) }
    }

    /// Makes `database` survive power cuts, checks it and migrates it to the current version.
    static func prepare(_ database: Database) throws {
        let version = try check(database)
        try database.run("PRAGMA foreign_keys = ON")
        try database.run("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA synchronous = FULL")
        // Also without a migration: it shows at once whether the file can be written.
        try database.transaction {
            for next in version..<Schema.version {
                for statement in statements(of: Int(next) + 1) { try database.run(statement) }
            }
            // After all columns of the checksum exist.
            if version < Checksum.version { try database.addChecksums() }
            if version < SettingsRow.pagesVersion { try SettingsRow.resetPages(in: database) }
            if version != Schema.version { try database.run("PRAGMA user_version = \(Schema.version)") }
        }
    }

    /// Whether SQLite finds no error; `thoroughly` also compares the indexes with their tables. Checks twice, because a
    /// page that is unreadable only once is no damage but still a reported error.
    static func isWhole(_ database: Database, thoroughly: Bool = false) throws(DatabaseError) -> Bool {
        for _ in 1...2 {
            let check = thoroughly ? "integrity_check(1)" : "quick_check(1)"
            if try database.run("PRAGMA \(check)") == [[.text("ok")]] { return true }
        }
        return false
    }
}
