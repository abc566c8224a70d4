import InputEvents
import Instrument

/// The one row of the table `session`.
enum SettingsRow {
    static let columns = (["id", MuteRow.columns] + settings.map(\.name)).joined(separator: ", ")

    /// Columns of the checksum. `pattern` is not one of them, because SQLite changes it when the pattern is removed.
    static let summed = names.filter { $0 != reference }.joined(separator: ", ")

    /// Checksum of a row of `columns`.
    static func checksum(_ row: [Value]) -> Value {
        Checksum.of(zip(names, row).filter { $0.0 != reference }.map(\.1))
    }

    private static let names = columns.split(separator: ", ").map(String.init)
    private static let reference = "pattern"

    static func values(of session: Session) -> [Value] {
        [.integer(1)] + MuteRow.values(session.sounds.tune.muted, session.soloed) + settings.map { $0.value(session) }
    }

    static func session(_ row: [Value]) throws -> Session {
        var fields = Fields(row, of: "the session")
        var session = Session()
        _ = try fields.integer("id", in: 1...1)
        (session.sounds.tune.muted, session.soloed) = try MuteRow.read(&fields)
        for setting in settings { try setting.read(&fields, &session) }
        return session
    }

    /// The settings, one column each, in the order in which the versions of the tables added them.
    static let settings: [Setting] =
        pages + [
            Setting("colour_mode", as: "TEXT NOT NULL", since: 1) {
                .text(($0.colourMode == .clearSight ? .chromatic : $0.colourMode).rawValue)
            } read: {
                $1.colourMode = try $0.choice("colour_mode", [.chromatic, .harmonic], word: \.rawValue)
            },
            .flag("auditions", \.auditions, since: 1),
            .flag("metronome", \.metronome, since: 2),
            .number("count_in", \.countIn, in: Session.countIns, since: 2),
            .optional("volume", \.volume, in: Session.volumes, since: 3),
            Setting("pattern", as: "INTEGER REFERENCES pattern (id) ON DELETE SET NULL", since: 4) {
                $0.pattern.map(Value.integer) ?? .null
            } read: {
                $1.pattern = try $0.orNull { try $0.number("pattern") }
            },
            .flag("locked", \.isLocked, since: 4),
            .optionalFlag("sounds_taps", \.soundsTaps, since: 5),
            .optional("brightness", \.brightness, in: Session.brightnesses, since: 5),
            .mark("menu_open", \.isMenuOpen, since: 5),
            // For older versions, which show the last hints once more.
            Setting("hints_left", as: "INTEGER", since: 5) {
                $0.hintsDue.isEmpty ? .null : .integer(Int64($0.hintsDue.count))
            } read: {
                $1.hintsDue = .last(try $0.orNull { try $0.integer("hints_left", in: HintSet.counts) } ?? 0)
            },
            Setting("chain", as: "INTEGER", since: 5) {
                FlagRow.value($0.sceneMode == .chain)
            } read: {
                if try FlagRow.read("chain", &$0) { $1.sceneMode = .chain }
            },
            Setting(newPagesColumn, as: "TEXT", since: pagesVersion) {
                $0.rules.map { .text($0.rawValue) } ?? .null
            } read: {
                $1.rules = try $0.orNull { try $0.choice(newPagesColumn, Rules.allCases, word: \.rawValue) }
            },
            Setting("word_counts", as: "INTEGER", since: pagesVersion) {
                $0.wordCounts == WordCounts() ? .null : .integer($0.wordCounts.bits)
            } read: {
                $1.wordCounts = try $0.orNull { try $0.wordCounts("word_counts") } ?? WordCounts()
            },
            // A column of its own: older versions, which do not know the mode, recover the session as chromatic.
            Setting("clear_sight", as: "INTEGER", since: 11) {
                FlagRow.value($0.colourMode == .clearSight)
            } read: {
                if try FlagRow.read("clear_sight", &$0) { $1.colourMode = .clearSight }
            },
            // A bit for each; without a value, `hints_left` counts.
            Setting("hints_due", as: "INTEGER", since: 11) {
                $0.hintsDue.isEmpty ? .null : .integer(Int64($0.hintsDue.rawValue))
            } read: {
                if let bits = try $0.orNull({ try $0.integer("hints_due", in: 1...HintSet.all.rawValue) }) {
                    $1.hintsDue = HintSet(rawValue: bits)
                }
            },
            Setting("sync_source", as: "TEXT", since: 12) {
                $0.syncSource.map { .text($0.rawValue) } ?? .null
            } read: {
                $1.syncSource = try $0.orNull {
                    try $0.choice("sync_source", SyncSource.allCases, word: \.rawValue)
                }
            },
            // Words with a space between them, CHANNEL.NUMBER=FADER.
            Setting("controllers", as: "TEXT", since: 13) {
                $0.learned == LearnedControllers() ? .null : .text($0.learned.text)
            } read: {
                $1.learned = try $0.orNull { try $0.controllers("controllers") } ?? LearnedControllers()
            },
            // A column of its own: older versions, which do not know the song, recover the session as playing one
            // scene.
            Setting("plays_song", as: "INTEGER", since: Schema.songVersion) {
                FlagRow.value($0.sceneMode == .song)
            } read: {
                if try FlagRow.read("plays_song", &$0) { $1.sceneMode = .song }
            },
            // Null is the default: the rows of older versions keep their checksums.
            Setting("quantise", as: "INTEGER", since: 16) {
                $0.quantise == Session.quantises.upperBound ? .null : .integer(Int64($0.quantise))
            } read: {
                $1.quantise =
                    try $0.orNull { try $0.integer("quantise", in: Session.quantises) } ?? Session.quantises.upperBound
            },
            Setting("own", as: "TEXT", since: 21) {
                OwnSoundText.value(of: $0.sounds)
            } read: {
                try OwnSoundText.read(&$0, into: &$1.sounds)
            },
        ]

    /// First version of the tables whose pages of melodic tracks are offsets in scale degrees. The pages of older
    /// versions count rows, and become 0.
    static let pagesVersion = 9
    /// A column that only versions with such pages have.
    static let newPagesColumn = "rules"
    private static let pageColumns = Track.allCases.map { "\($0.name)_page" }

    // The instrument decides which pages a track has, and shows page 0 instead of a page that does not exist.
    private static let pages: [Setting] = Track.allCases.map { track in
        .number(
            pageColumns[track.rawValue], \.pages[track.rawValue],
            in: track == .rhythm ? 0...Pattern.octave : -offsetMax...offsetMax, since: 1)
    }
    /// Maximum distance of a page from page 0, in scale degrees; 36 notes have no more degrees.
    private static let offsetMax = 40

    /// Sets the pages of the session of an older version in `database` to 0. The row's checksum stays right if it was
    /// right, and wrong if it was wrong. Runs within a transaction.
    static func resetPages(in database: Database) throws(DatabaseError) {
        let assignments = pageColumns.map { "\($0) = 0" }.joined(separator: ", ")
        for row in try database.run("SELECT \(columns), \(Checksum.column) FROM session") {
            let summed = SummedRow(row, sum: checksum)
            let reset = zip(names, summed.values).map { pageColumns.contains($0) ? .integer(0) : $1 }
            let sum = summed.isWhole ? checksum(reset) : row.last ?? .null
            try database.run(
                "UPDATE session SET \(assignments), \(Checksum.column) = ? WHERE id = ?", [sum, reset[0]])
        }
    }

    /// One setting.
    struct Setting: Sendable {
        /// Name of its column.
        let name: String
        /// Declaration of the column when a later version adds it.
        let declaration: String
        /// First version of the tables with the column.
        let version: Int
        /// Value of the column for a session.
        let value: @Sendable (Session) -> Value
        /// Reads the column's value into a session.
        let read: @Sendable (inout Fields, inout Session) throws -> Void

        fileprivate init(
            _ name: String, as declaration: String, since version: Int,
            value: @escaping @Sendable (Session) -> Value,
            read: @escaping @Sendable (inout Fields, inout Session) throws -> Void
        ) {
            self.name = name
            self.declaration = declaration
            self.version = version
            self.value = value
            self.read = read
        }

        /// An integer.
        fileprivate static func number(
            _ name: String, _ path: WritableKeyPath<Session, Int> & Sendable, in range: ClosedRange<Int>,
            since version: Int
        ) -> Setting {
            Setting(name, as: required, since: version) {
                .integer(Int64($0[keyPath: path]))
            } read: {
                $1[keyPath: path] = try $0.integer(name, in: range)
            }
        }

        /// An integer, or null if it was never set.
        fileprivate static func optional(
            _ name: String, _ path: WritableKeyPath<Session, Int?> & Sendable, in range: ClosedRange<Int>,
            since version: Int
        ) -> Setting {
            Setting(name, as: "INTEGER", since: version) {
                $0[keyPath: path].map { .integer(Int64($0)) } ?? .null
            } read: {
                $1[keyPath: path] = try $0.orNull { try $0.integer(name, in: range) }
            }
        }

        /// A Boolean as 1 or 0, or null if it was never set.
        fileprivate static func optionalFlag(
            _ name: String, _ path: WritableKeyPath<Session, Bool?> & Sendable, since version: Int
        ) -> Setting {
            Setting(name, as: "INTEGER", since: version) {
                $0[keyPath: path].map { .integer($0 ? 1 : 0) } ?? .null
            } read: {
                $1[keyPath: path] = try $0.orNull { try $0.integer(name, in: 0...1) }.map { $0 == 1 }
            }
        }

        /// A Boolean as 1 or 0.
        fileprivate static func flag(
            _ name: String, _ path: WritableKeyPath<Session, Bool> & Sendable, since version: Int
        ) -> Setting {
            Setting(name, as: required, since: version) {
                .integer($0[keyPath: path] ? 1 : 0)
            } read: {
                $1[keyPath: path] = try $0.integer(name, in: 0...1) == 1
            }
        }

        /// A Boolean as 1 or null.
        fileprivate static func mark(
            _ name: String, _ path: WritableKeyPath<Session, Bool> & Sendable, since version: Int
        ) -> Setting {
            Setting(name, as: "INTEGER", since: version) {
                FlagRow.value($0[keyPath: path])
            } read: {
                $1[keyPath: path] = try FlagRow.read(name, &$0)
            }
        }

        private static let required = "INTEGER NOT NULL DEFAULT 0"
    }
}
