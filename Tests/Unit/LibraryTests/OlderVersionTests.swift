import Instrument
import TestSupport
import Testing

@testable import Library

@Suite("A library of an older version")
struct OlderVersionTests {
    let folder = Folder()

    /// A library that the last program of a version wrote.
    struct Older: Sendable {
        /// Its name in the fixtures.
        let file: String
        /// Number of patterns.
        let patterns: Int
        /// Number of undo steps; there is one redo step.
        let past: Int
    }

    static let files: [Older] = [
        Older(file: "version6", patterns: 4, past: 4), Older(file: "version7", patterns: 4, past: 4),
        Older(file: "version8", patterns: 1, past: 7), Older(file: "version9", patterns: 1, past: 7),
        Older(file: "version11", patterns: 1, past: 9), Older(file: "version12", patterns: 1, past: 9),
        Older(file: "version13", patterns: 1, past: 9), Older(file: "version14", patterns: 2, past: 9),
        Older(file: "version15", patterns: 2, past: 9), Older(file: "version17", patterns: 2, past: 9),
        Older(file: "version18", patterns: 2, past: 11),
    ]

    /// Copies a file from the fixtures to `path`, or to the library's.
    private func copy(_ file: String, to path: String? = nil) throws {
        write(try Fixtures.bytes("libraries/\(file).sqlite"), to: path ?? folder.library)
    }

    /// All rows with a checksum; the note pages, which the migration sets to 0, are 0.
    private func rows(_ path: String) throws -> [[[Value]]] {
        let database = try Database(path: path, isReadOnly: true)
        // The table of sounds comes with version 10, the table of tunings with 15.
        return try Checksum.tables.filter { !["preset", "tuning"].contains($0.name) }.map { table in
            let columns = try Schema.readable(table.columns, of: table.name, in: database)
                .split(separator: ", ").map { $0.hasSuffix("_page") ? "0" : String($0) }.joined(separator: ", ")
            return try database.run("SELECT rowid, \(columns) FROM \(table.name) ORDER BY rowid")
        }
    }

    private static let pages = "SELECT melody_page, chords_page, bass_page, rhythm_page FROM session"
    private static let noPages: [[Value]] = [[.integer(0), .integer(0), .integer(0), .integer(0)]]

    @Test("is migrated: every row but the note pages is unchanged, and has a checksum", arguments: files)
    func migration(older: Older) throws {
        try copy(older.file)
        let before = try rows(folder.library)
        let library = try Library(path: folder.library)
        #expect(library.drainNotices() == [])
        #expect(try library.check() == [])
        #expect(try rows(folder.library) == before)
        #expect(try Database(path: folder.library, isReadOnly: true).run(Self.pages) == Self.noPages)
        #expect(try library.patterns().count == older.patterns)
        #expect(library.session()?.history.past.count == older.past)
        #expect(library.session()?.history.future.count == 1)
        #expect(library.session()?.syncSource == nil)
        #expect(library.session()?.learned == LearnedControllers())
        #expect(library.session()?.quantise == 100)
        for entry in try library.patterns() {
            for revision in try library.revisions(of: entry.number) {
                _ = try library.document(of: entry.number, revision: revision.number)
            }
        }
        #expect(library.drainNotices() == [])
        #expect(try Database(path: folder.library).run("PRAGMA user_version") == [[.integer(Schema.version)]])
    }

    /// Checks the content of `version8`, which a player made by touch.
    private func checkVersion8(_ found: Session?, _ comment: Comment? = nil) throws {
        let session = try #require(found, comment)
        #expect(session.pages == [0, 0, 0, 0], comment)
        #expect(session.rules == nil && session.wordCounts == WordCounts(), comment)
        #expect(session.soundsTaps == true && session.brightness == 60 && session.hintsDue == .all, comment)
        #expect(session.sound[.track(.melody, .cutoff)] == 900, comment)
        let scenes = session.composition.scenes
        #expect((0..<Scenes.count).filter { scenes.isFilled($0) } == [0, 2] && scenes.current == 0, comment)
        #expect(session.composition[scene: 2]?[.melody, note: 12, step: 0] == .accent, comment)
        // Every undo level has its own music, with notes of all octaves.
        let levels =
            session.history.past.map(\.composition) + [session.composition]
            + session.history.future.map(\.composition)
        #expect(levels.count == 9 && Set(levels).count == 9, comment)
        for pattern in levels.map(\.pattern) {
            #expect(pattern[.melody, note: 12, step: 0] == .accent, comment)
            #expect(pattern[.melody, note: 12, step: 1] == .sustain, comment)
            #expect(pattern[.melody, note: -5, step: 8] == .normal, comment)
            #expect(pattern[.chords, note: 14, step: 16] == .accent, comment)
            #expect(pattern[.bass, note: -12, step: 0] == .accent, comment)
            #expect(pattern[.bass, note: 7, step: 8] == .normal, comment)
            #expect(pattern[.rhythm, note: 0, step: 0] == .accent, comment)
        }
    }

    @Test("of version 8 opens with octaves, scenes, settings and every undo level")
    func version8() throws {
        try copy("version8")
        #expect(
            try Database(path: folder.library, isReadOnly: true).run(Self.pages) == [
                [.integer(2), .integer(1), .integer(1), .integer(3)]
            ])
        try checkVersion8(try Library(path: folder.library).session())
        // Once more, now from the current version.
        try checkVersion8(try Library(path: folder.library).session())
    }

    @Test("of version 14 opens with its lanes, scale and sound, and without tunings")
    func version14() throws {
        try copy("version14")
        let library = try Library(path: folder.library)
        let entry = try #require(try library.patterns().first { $0.name == "LANES" })
        let pattern = try library.document(of: entry.number).pattern
        #expect(pattern.tonality.scale == Scale(.dorian) && pattern.tuning == Tuning())
        #expect(pattern[shape: .bass].length == 7 && pattern.lanes.has(.bass, .when))
        #expect(try library.presets().map(\.name.text) == ["MY ACID"])
        #expect(try library.tunings().isEmpty)
    }

    @Test("of version 15 opens with its tunings")
    func version15() throws {
        try copy("version15")
        #expect(try Library(path: folder.library).tunings().map(\.name.text) == ["SHORT"])
    }

    @Test("of version 20 opens with every row, and then takes values of single notes")
    func version20() throws {
        var kept = session(bpm: 100)
        kept.composition.pattern.lanes[.bass, .chance, step: 3] = 40
        func keep() throws {
            let library = try Library(path: folder.library)
            library.keep(state(kept), at: .zero)
            library.flush()
            #expect(library.lastFailure == nil)
        }
        try keep()
        do { try Database(path: folder.library).run("PRAGMA user_version = 20") }
        #expect(try Library(path: folder.library).session() == kept)
        #expect(try Database(path: folder.library).run("PRAGMA user_version") == [[.integer(Schema.version)]])
        // The largest values: every row with a value on every step, in every scene.
        var full = Pattern()
        for step in 0..<Pattern.steps {
            for note in -12..<20 {
                full.setValue(StepCondition.notPrevious.code, .bass, .when, note: note, step: step)
                full.setValue(StepCondition.notPrevious.code, .melody, .when, note: note, step: step)
            }
            for track in Track.allCases {
                for lane in Lane.ofTracks where lane.exists(on: track) {
                    full.lanes[track, lane, step: step] = lane.values.lowerBound
                }
            }
        }
        kept.composition = Composition(pattern: full, scenes: Scenes([Pattern?](repeating: full, count: Scenes.count)))
        try keep()
        #expect(try Library(path: folder.library).session()?.composition == kept.composition)
    }

    @Test("is read with note pages 0 before its migration too")
    func readOnly() throws {
        try copy("version8")
        try checkVersion8(try Database(path: folder.library, isReadOnly: true).readSession())
    }

    @Test("keeps a wrong checksum of the session wrong")
    func wrongChecksum() throws {
        try copy("version8")
        do { try Database(path: folder.library).run("UPDATE session SET count_in = 1, pattern = NULL") }
        let library = try Library(path: folder.library, as: .reader)
        #expect(try library.check().contains { $0.contains("wrong checksum") })
        #expect(try Database(path: folder.library, isReadOnly: true).run(Self.pages) == Self.noPages)
    }

    @Test("of version 8 is recovered with note pages 0, by its tables and by a scan of its pages")
    func recovery() throws {
        let emptyStart = Folder()
        try copy("version8", to: emptyStart.library)
        try emptyStart.damageLibrary(isScanned: true)
        let otherSchema = Folder()
        try copy("version8", to: otherSchema.library)
        try otherSchema.damageLibrary(isScanned: false)
        for folder in [emptyStart, otherSchema] {
            let library = try Library(path: folder.library)
            #expect(library.drainNotices().count == 1)
            try checkVersion8(library.session(), "\(folder === emptyStart)")
            #expect(try library.check() == [])
        }
    }

    @Test("is read as a backup", arguments: files)
    func backup(older: Older) throws {
        let backup = folder.path + "/backup.sqlite"
        try copy(older.file, to: backup)
        #expect(try Library.restore(folder.library, from: backup) == nil)
        let library = try Library(path: folder.library)
        #expect(library.drainNotices() == [])
        #expect(library.session()?.pages == [0, 0, 0, 0])
        #expect(try library.check() == [])
    }
}
