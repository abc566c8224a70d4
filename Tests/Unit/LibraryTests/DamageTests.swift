import Glibc
import Instrument
import Testing
import TestSupport

@testable import Library

@Suite("A file that is damaged")
struct DamageTests {
    let folder = Folder()

    /// A closed library with a deep history.
    private func fill() throws -> Session {
        var random = SplitMix(seed: 3)
        let session = randomSession(depth: 20, using: &random)
        let library = try Library(path: folder.library)
        library.keep(state(session), at: .zero)
        library.flush()
        return session
    }

    /// Opens the library and checks that the old file was set aside unchanged.
    private func expectSetAside(_ reason: String, _ comment: Comment? = nil) throws {
        let damaged = readBytes(folder.library)
        let library = try Library(path: folder.library)
        let notice = try #require(library.notice, comment)
        #expect(notice.contains(reason), comment)
        #expect(notice.contains(", and a new one begun; "), comment)
        #expect(!notice.contains("\n"), comment)
        #expect(notice.contains("what was played last") == (library.session() != nil), comment)
        let aside = try #require(folder.aside.first { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }, comment)
        #expect(aside.wholeMatch(of: /library\.sqlite\.damaged-\d{8}-\d{6}/) != nil, comment)
        #expect(notice.contains(aside), comment)
        #expect(readBytes(folder.path + "/" + aside) == damaged, comment)

        library.keep(state(session(bpm: 61)), at: .zero)
        library.flush()
        #expect(try Database(path: folder.library).readSession() == session(bpm: 61), comment)
    }

    @Test("that never was a database is set aside", arguments: [2, 15, 100, 511, 4096, 50_000])
    func garbage(size: Int) throws {
        write((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }, to: folder.library)
        try expectSetAside("is damaged")
    }

    @Test("that is truncated is set aside", arguments: [0.01, 0.3, 0.5, 0.9])
    func truncated(part: Double) throws {
        _ = try fill()
        let bytes = readBytes(folder.library)
        write(Array(bytes.prefix(Int(Double(bytes.count) * part))), to: folder.library)
        try expectSetAside("the library")
    }

    /// SQLite reads such a file and refuses only to write it.
    @Test("with an unknown write version is set aside when it is opened")
    func writeVersion() throws {
        _ = try fill()
        var bytes = readBytes(folder.library)
        bytes[18] = 0x59
        write(bytes, to: folder.library)
        try expectSetAside("its write version is unknown")
    }

    @Test("an empty file is a new library")
    func empty() throws {
        write([], to: folder.library)
        let library = try Library(path: folder.library)
        #expect(library.notice == nil)
        #expect(library.session() == nil)
    }

    @Test(
        "with invalid rows is set aside",
        arguments: [
            ("PRAGMA user_version = 1000", "newer pixelboop"),
            ("PRAGMA user_version = 1", "as no library of version 1 has"),
            ("PRAGMA user_version = -1", "newer pixelboop"),
            ("PRAGMA user_version = 0", "another program's database"),
            ("DROP TABLE composition", "lacks the index sqlite_autoindex_composition_1"),
            ("ALTER TABLE session RENAME COLUMN muted TO silent", "has the table session, as no library"),
            ("DELETE FROM composition WHERE kind = 'current'", "half a session"),
            ("PRAGMA foreign_keys = OFF; DELETE FROM session", "half a session"),
            ("UPDATE session SET muted = 16", "muted is not a whole number from 0 to 15"),
            ("UPDATE session SET muted = -1", "muted"),
            ("UPDATE session SET soloed = 4", "soloed"),
            ("UPDATE session SET bass_page = 41", "bass_page is not a whole number from -40 to 40"),
            ("UPDATE session SET rhythm_page = 13", "rhythm_page is not a whole number from 0 to 12"),
            ("UPDATE session SET rhythm_page = -1", "rhythm_page"),
            ("UPDATE session SET rules = 'web'", "rules is not one of box, phone"),
            ("UPDATE session SET sync_source = 'din'", "sync_source is not one of internal, midi, clock, link"),
            ("UPDATE session SET controllers = '1.64=volume'", "controllers are no controllers of faders"),
            ("UPDATE session SET controllers = ''", "controllers are no controllers of faders"),
            ("UPDATE session SET word_counts = 6", "word_counts are no counts of words"),
            ("UPDATE session SET word_counts = -1", "word_counts"),
            ("UPDATE session SET melody_page = -9223372036854775808", "melody_page"),
            ("UPDATE session SET colour_mode = 'grey'", "colour_mode is not one of chromatic, harmonic"),
            ("UPDATE session SET clear_sight = 2", "clear_sight is not a whole number from 1 to 1"),
            ("UPDATE session SET hints_due = 256", "hints_due is not a whole number from 1 to 255"),
            ("UPDATE session SET auditions = 2", "auditions"),
            ("UPDATE session SET metronome = 2", "metronome is not a whole number from 0 to 1"),
            ("UPDATE session SET count_in = 3", "count_in is not a whole number from 0 to 2"),
            ("UPDATE session SET count_in = -1", "count_in"),
            ("UPDATE session SET volume = 101", "volume is not a whole number from 0 to 100"),
            ("UPDATE session SET volume = -1", "volume"),
            ("DROP TABLE sound", "lacks the index sqlite_autoindex_sound_1"),
            ("INSERT OR REPLACE INTO sound VALUES (1, 'bass.wobble', 3, NULL)", "a sound whose control is unknown"),
            ("INSERT OR REPLACE INTO sound VALUES (1, '', 3, NULL)", "control is unknown"),
            (
                "INSERT OR REPLACE INTO sound VALUES (1, 'bass.cutoff', 19, NULL)",
                "bass.cutoff is not a whole number from 20 to 20000"
            ),
            ("INSERT OR REPLACE INTO sound VALUES (1, 'bass.cutoff', 20001, NULL)", "bass.cutoff"),
            ("INSERT OR REPLACE INTO sound VALUES (1, 'melody.pan', -9223372036854775808, NULL)", "melody.pan"),
            ("INSERT OR REPLACE INTO sound VALUES (1, 'swing', 49, NULL)", "swing"),
            ("PRAGMA foreign_keys = OFF; INSERT INTO sound VALUES (2, 'swing', 50, NULL)", "session is not"),
            (
                "PRAGMA foreign_keys = OFF; DELETE FROM session; DELETE FROM composition; DELETE FROM sound; "
                    + "INSERT INTO sound VALUES (1, 'swing', 50, NULL)", "half a session"
            ),
            (
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 196) "
                    + "INSERT INTO sound SELECT 1, 'control ' || i, 1, NULL FROM n", "more than 195"
            ),
            ("UPDATE session SET chain = 0", "chain is not a whole number from 1 to 1"),
            ("UPDATE composition SET scenes = x'00'", "scenes do not say which is played"),
            ("UPDATE composition SET scenes = x'0800'", "scenes do not say which is played"),
            ("UPDATE composition SET scenes = x'ff00'", "scenes are none"),
            ("UPDATE composition SET scenes = x'0000ff'", "scenes go on after the last"),
            (
                "UPDATE composition SET scenes = x'000178080000000000000000'",
                "scenes have one that is played and put away"
            ),
            ("UPDATE composition SET scenes = x'000278080000000000000000ff'", "scenes go on after the last"),
            ("UPDATE composition SET scenes = x'0002780800000000000000'", "scenes have no pattern in place 1"),
            ("UPDATE composition SET scenes = x'0002c9080000000000000000'", "scenes have no pattern in place 1"),
            ("UPDATE composition SET scenes = x'000278070000000000000000'", "scenes have no pattern in place 1"),
            ("UPDATE composition SET scenes = x'0002780c0c00000000000000'", "scenes have no pattern in place 1"),
            ("UPDATE composition SET scenes = x'0002780c0003000000000000'", "scenes have no pattern in place 1"),
            ("UPDATE composition SET scenes = x'000278080000010000000000'", "scenes have no pattern in place 1"),
            (
                "UPDATE composition SET scenes = x'0002780800000100000000000000000000000000'",
                "scenes have no pattern in place 1"
            ),
            ("UPDATE composition SET bpm = 201", "bpm is not a whole number from 60 to 200"),
            ("UPDATE composition SET bpm = 59 WHERE kind = 'future' AND position = 19", "kind future whose bpm"),
            ("UPDATE composition SET length = 36", "length"),
            ("UPDATE composition SET length = 4", "length"),
            ("UPDATE composition SET length = 7", "length is not a whole number from 8 to 32"),
            ("UPDATE composition SET extras = '[]'", "extras"),
            (
                "UPDATE composition SET extras = '{\"pattern\": {\"lanes\": {\"bass\": {\"chance\": [101]}}}}'",
                "extras are wrong"
            ),
            (
                "UPDATE composition SET extras = '{\"pattern\": {\"noteLanes\": {\"bass\": {\"24\": {}}}}}'",
                "extras are wrong"
            ),
            (
                "UPDATE composition SET extras = '{\"pattern\": {\"noteLanes\": {\"bass\": {\"0\": {\"gate\": [4]}}}}}'",
                "extras are wrong"
            ),
            ("UPDATE composition SET extras = '{\"7\": {\"seed\": 2}}'", "belong to no pattern"),
            ("UPDATE composition SET extras = '{\"pattern\": {\"name\": 2}}'", "have other keys"),
            ("UPDATE composition SET song = ''", "song is no order of scenes"),
            ("UPDATE composition SET song = '0.1 8.1'", "song is no order of scenes"),
            ("UPDATE composition SET song = '0.1  1.1'", "song is no order of scenes"),
            ("UPDATE composition SET song = '0.9'", "song is no order of scenes"),
            ("UPDATE composition SET song = '0.1 1.+'", "song is no order of scenes"),
            (
                "UPDATE composition SET song = '0.1' || replace(hex(zeroblob(64)), '00', ' 7.8')",
                "song is no order of scenes"
            ),
            ("UPDATE session SET plays_song = 2", "plays_song is not a whole number from 1 to 1"),
            ("UPDATE composition SET parts = 9", "parts are no parts of scenes"),
            ("UPDATE composition SET parts = 0", "parts are no parts of scenes"),
            ("UPDATE composition SET parts = -1", "parts are no parts of scenes"),
            ("UPDATE composition SET parts = 65536", "parts are no parts of scenes"),
            ("UPDATE session SET own = '{}'", "own is no scenes' own sound"),
            ("UPDATE session SET own = '[null]'", "own is no scenes' own sound"),
            ("UPDATE session SET own = '{\"8\": {\"muted\": 0, \"sound\": {}}}'", "own is no scenes' own sound"),
            ("UPDATE session SET own = '{\"00\": {\"muted\": 0, \"sound\": {}}}'", "own is no scenes' own sound"),
            ("UPDATE session SET own = '{\"0\": null}'", "own is no scenes' own sound"),
            ("UPDATE session SET own = '{\"0\": {\"sound\": {}}}'", "own is no scenes' own sound"),
            ("UPDATE session SET own = '{\"0\": {\"muted\": 16, \"sound\": {}}}'", "own is no scenes' own sound"),
            (
                "UPDATE session SET own = '{\"0\": {\"muted\": 0, \"sound\": {\"swing\": 76}}}'",
                "own is no scenes' own sound"
            ),
            (
                "UPDATE session SET own = '{\"0\": {\"muted\": 0, \"sound\": {\"swing\": 60.5}}}'",
                "own is no scenes' own sound"
            ),
            ("UPDATE composition SET own = '{\"values\": 8}'", "own is no scenes' own sound"),
            ("UPDATE composition SET own = '{\"values\": null}'", "own is no scenes' own sound"),
            ("UPDATE composition SET own = '{\"0\": null, \"1\": null}'", "own is no scenes' own sound"),
            ("UPDATE composition SET own = '{\"0\": {\"muted\": 0}}'", "own is no scenes' own sound"),
            ("UPDATE composition SET root = 12", "root"),
            ("UPDATE composition SET root = 9223372036854775807", "root"),
            ("UPDATE composition SET scale = 'blues'", "scale"),
            ("UPDATE composition SET ghosts = -1", "ghosts"),
            ("UPDATE composition SET cells = x'00'", "cells are not 384 bytes"),
            ("UPDATE composition SET cells = zeroblob(385)", "cells"),
            ("UPDATE composition SET cells = zeroblob(2097153)", "too big"),
            (
                "WITH RECURSIVE n(i) AS (SELECT 20 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO composition "
                    + "SELECT 1, 'past', i, bpm, length, root, scale, ghosts, cells, scenes, checksum, octaves, extras, song, word, "
                    + "sound, windows, parts, own FROM n, composition WHERE kind = 'current'", "more than 50"
            ),
        ])
    func rows(sql: String, reason: String) throws {
        _ = try fill()
        do {
            let database = try Database(path: folder.library, lengthMax: 10 * Database.lengthMax)
            for statement in sql.split(separator: "; ") { try database.run(String(statement)) }
        }
        try expectSetAside(reason, "\(sql)")
    }

    @Test("whose sound has a control character in a key is reported on one line of printable text")
    func controlCharacter() throws {
        do {
            let library = try Library(path: folder.library)
            var played = session(bpm: 100)
            played.pattern = 7
            played.sound[.swing] = 60
            library.keep(state(played), at: .zero)
            library.flush()
            try library.run("UPDATE revision SET sound = replace(sound, 'swing', 's' || char(127) || 'g')")
        }
        let library = try Library(path: folder.library, as: .reader)
        let problems = try library.check()
        #expect(problems.contains { $0.contains("whose sound has a wrong s\\u{7f}g") }, "\(problems)")
    }

    @Test("is set aside together with its write-ahead log")
    func companions() throws {
        write(Array(repeating: 7, count: 5000), to: folder.library)
        write(Array(repeating: 8, count: 5000), to: folder.library + "-wal")
        let library = try Library(path: folder.library)
        #expect(library.notice != nil)
        let log = try #require(folder.aside.first { $0.hasSuffix("-wal") })
        #expect(readBytes(folder.path + "/" + log) == Array(repeating: 8, count: 5000))
    }

    @Test("is set aside with all its companions, so that SQLite rolls none of them back into the new file")
    func allCompanions() throws {
        let suffixes = ["", "-wal", "-shm", "-journal"]
        for suffix in suffixes { write([1], to: folder.library + suffix) }
        let aside = try #require(try SetAside.rename(folder.library, Damage("is damaged"), as: "damaged"))
        #expect(names(in: folder.path).count == suffixes.count)
        #expect(suffixes.allSatisfy { readBytes(aside + $0) == [1] })
    }

    @Test("twice within a second is set aside twice")
    func twice() throws {
        for count in 1...3 {
            write(Array(repeating: UInt8(count), count: 1000), to: folder.library)
            #expect(try Library(path: folder.library).notice != nil)
            #expect(folder.aside.count == count)
        }
    }

    @Test(
        "is kept with the nine before it, whatever the clock shows, and other files stay",
        arguments: [2001, 2999])
    func oldest(year: Int) throws {
        let before = (1...12).map { "library.sqlite.damaged-\(year)01\(String($0, digits: 2))-120000" }
        let strangers = ["damaged-notes", "damaged-20010101", "damaged-20010101-12000x", "replaced-20010101-120000"]
            .map { "library.sqlite.\($0)" }
        for name in before.flatMap({ [$0, $0 + "-wal"] }) + strangers { write([1], to: "\(folder.path)/\(name)") }
        write(Array(repeating: 7, count: 1000), to: folder.library)
        let library = try Library(path: folder.library)
        let notice = try #require(library.notice)
        let there = Set(names(in: folder.path))
        #expect(there.isSuperset(of: before.suffix(9).flatMap { [$0, $0 + "-wal"] } + strangers))
        #expect(there.isDisjoint(with: before.prefix(3).flatMap { [$0, $0 + "-wal"] }))
        #expect(there.count { notice.contains("/\($0);") || notice.contains("/\($0),") } == 1)
    }

    @Test("at any byte opens as the old session or another valid one, or is set aside")
    func anywhere() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        _ = try fill()
        let whole = readBytes(folder.library)
        for _ in 0..<60 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            let folder = Folder()
            write(bytes, to: folder.library)
            let library = try Library(path: folder.library)
            guard let session = library.session() else { continue }
            var box = Instrument()
            box.load(session)
            #expect(Tempo.range.contains(box.state.session.composition.pattern.tempo), "seed \(seed)")
        }
    }
}
