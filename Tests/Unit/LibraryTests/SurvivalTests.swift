import InputEvents
import Instrument
import Testing
import TestSupport

@testable import Library

@Suite("Data that survives a restart")
struct SurvivalTests {
    let folder = Folder()

    @Test("a new library holds no session")
    func new() throws {
        let library = try Library(path: folder.library)
        #expect(library.session() == nil)
        #expect(library.notice == nil)
        #expect(library.lastFailure == nil)
    }

    @Test("a session with everything set survives", arguments: [0, 1, 7, History.levels])
    func everything(depth: Int) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<3 {
            let session = randomSession(depth: depth, using: &random)
            do {
                let library = try Library(path: folder.library)
                library.keep(state(session), at: .zero)
                #expect(library.session() == session, "seed \(seed)")
                library.flush()
                #expect(library.lastFailure == nil)
            }
            let reopened = try Library(path: folder.library)
            #expect(reopened.session() == session, "seed \(seed)")
            #expect(reopened.notice == nil, "seed \(seed)")
        }
    }

    @Test("only sound settings other than the defaults are written, and a reset removes them")
    func sound() throws {
        var kept = session(bpm: 99)
        kept.sound[.track(.bass, .cutoff)] = 800
        kept.sound[.swing] = 60
        let library = try Library(path: folder.library)
        library.keep(state(kept), at: .zero)
        library.flush()
        let observer = try Database(path: folder.library)
        let rows = "SELECT session, control, value FROM sound ORDER BY control"
        #expect(
            try observer.run(rows) == [
                [.integer(1), .text("bass.cutoff"), .integer(800)], [.integer(1), .text("swing"), .integer(60)],
            ])
        kept.sound[.swing] = 50
        library.keep(state(kept), at: .zero)
        library.flush()
        #expect(try observer.run(rows) == [[.integer(1), .text("bass.cutoff"), .integer(800)]])
    }

    @Test("CLEAR SIGHT is kept, in a column of its own: versions without it find CHROMATIC")
    func clearSight() throws {
        var session = Session()
        session.colourMode = .clearSight
        do {
            let library = try Library(path: folder.library)
            library.keep(state(session), at: .zero)
            library.flush()
        }
        let rows = try Database(path: folder.library, isReadOnly: true)
            .run("SELECT colour_mode, clear_sight FROM session")
        #expect(rows == [[.text("chromatic"), .integer(1)]])
        #expect(try Library(path: folder.library).session()?.colourMode == .clearSight)
    }

    @Test("a file of version 1 is migrated with its whole content, and stores the sound from then on")
    func version1() throws {
        do {
            let database = try Database(path: folder.library)
            for statement in Self.version1 { try database.run(statement) }
        }
        var kept = Session()
        kept.composition.pattern.tempo = 99
        kept.composition.pattern.length = 16
        kept.composition.pattern.tonality = Tonality(root: 7, scale: .minor)
        kept.composition.pattern[.melody, note: 0, step: 0] = .accent
        kept.composition.showsGhosts = false
        var before = kept.composition
        before.pattern.tempo = 98
        var after = kept.composition
        after.pattern.tempo = 100
        kept.history = History(past: [History.Step(before)], future: [History.Step(after)])
        kept.muted = TrackSet(.chords)
        kept.soloed = .bass
        kept.colourMode = .harmonic
        kept.auditions = false
        do {
            let library = try Library(path: folder.library)
            #expect(library.notice == nil)
            #expect(library.session() == kept)
            kept.sound[.track(.rhythm, .reverb)] = 25
            kept.metronome = true
            kept.countIn = 2
            kept.volume = 64
            kept.soundsTaps = true
            kept.brightness = 40
            kept.isMenuOpen = true
            kept.hintsDue = HintSet(rawValue: 0b1001)
            kept.rules = .phone
            kept.syncSource = .link
            kept.learned = try #require(LearnedControllers(text: "3.21=bass.cutoff 10.7=volume"))
            kept.wordCounts = WordCounts(bits: 0o5_0321)
            kept.pages = [-7, 0, 40, 2]
            library.keep(state(kept), at: .zero)
            library.flush()
            #expect(library.lastFailure == nil)
        }
        let library = try Library(path: folder.library)
        #expect(library.notice == nil)
        #expect(library.session() == kept)
        #expect(try Database(path: folder.library).run("PRAGMA user_version") == [[.integer(Schema.version)]])
    }

    /// A library as written by version 1.
    private static let version1 = [
        """
        CREATE TABLE session (
            id INTEGER PRIMARY KEY CHECK (id = 1), muted INTEGER NOT NULL, soloed INTEGER, melody_page INTEGER NOT NULL,
            chords_page INTEGER NOT NULL, bass_page INTEGER NOT NULL, rhythm_page INTEGER NOT NULL,
            colour_mode TEXT NOT NULL, auditions INTEGER NOT NULL -- 0, 1
        ) STRICT
        """,
        """
        CREATE TABLE composition (
            session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE, kind TEXT NOT NULL,
            position INTEGER NOT NULL, bpm INTEGER NOT NULL, length INTEGER NOT NULL, root INTEGER NOT NULL,
            scale TEXT NOT NULL, ghosts INTEGER NOT NULL, cells BLOB NOT NULL, PRIMARY KEY (session, kind, position)
        ) STRICT
        """,
        "PRAGMA journal_mode = WAL", "PRAGMA user_version = 1",
        "INSERT INTO session VALUES (1, 2, 2, 1, 0, 2, 3, 'harmonic', 0)",
        """
        INSERT INTO composition
        SELECT 1, column1, 0, column2, 16, 7, 'minor', 0, x'02\(String(repeating: "00", count: 383))'
        FROM (VALUES ('past', 98), ('current', 99), ('future', 100))
        """,
    ]

    @Test("undo and redo continue from their last position")
    func undo() throws {
        var box = Instrument()
        for key in [Key.faster, .faster, .slower, .faster, .undo] { _ = box.update(.key(key), at: .zero) }
        do {
            let library = try Library(path: folder.library)
            library.keep(box.state, at: .zero)
            library.flush()
        }
        var next = Instrument()
        next.load(try #require(try Library(path: folder.library).session()))
        for key in [Key.redo, .undo, .undo, .undo, .redo, .undo, .undo, .undo] {
            _ = box.update(.key(key), at: .zero)
            _ = next.update(.key(key), at: .zero)
            #expect(next.state.session == box.state.session)
        }
        #expect(next.state.session.composition == Composition())
    }

    @Test("a process that is killed loses nothing that was flushed")
    func killed() throws {
        let library = try Library(path: folder.library, timer: ManualTimer().timer)
        let kept = session(bpm: 99)
        library.keep(state(kept), at: .zero)
        library.flush()
        // The files of an open library are those that a killed process leaves behind.
        let left = Folder()
        for suffix in ["", "-wal"] { write(readBytes(folder.library + suffix), to: left.library + suffix) }
        let next = try Library(path: left.library)
        #expect(next.session() == kept)
        #expect(next.notice == nil)
    }

    @Test("missing folders are created")
    func folders() throws {
        let path = folder.path + "/one/two/library.sqlite"
        do {
            let library = try Library(path: path)
            library.keep(state(session(bpm: 99)), at: .zero)
            library.flush()
        }
        #expect(try Library(path: path).session() == session(bpm: 99))
    }

    @Test(
        "the library is in systemd's state directory, otherwise in the user's",
        arguments: [
            (["STATE_DIRECTORY": "/var/lib/box", "HOME": "/home/a"], "/var/lib/box/library.sqlite"),
            (["STATE_DIRECTORY": "/var/lib/box:/var/lib/other"], "/var/lib/box/library.sqlite"),
            (["XDG_STATE_HOME": "/state", "HOME": "/home/a"], "/state/pixelboop/library.sqlite"),
            (["XDG_STATE_HOME": "state", "HOME": "/home/a"], "/home/a/.local/state/pixelboop/library.sqlite"),
            (["XDG_STATE_HOME": "", "HOME": "/a:b"], "/a:b/.local/state/pixelboop/library.sqlite"),
        ])
    func defaultPath(environment: [String: String], path: String) {
        #expect(Library.defaultPath(environment: environment) == path)
    }
}
