import Formats
import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

@Suite("A flipped bit in a row of music")
struct ChecksumTests {
    let folder = Folder()

    /// A closed library of one pattern with revisions of these tempos. Each but the first can be undone.
    @discardableResult
    private func fill(_ tempos: [Int] = [100, 101, 102]) throws -> Session {
        let library = try Library(path: folder.library)
        var played = Session()
        played.pattern = 7
        for tempo in tempos {
            if tempo != tempos.first {
                played.history = History(past: played.history.past + [History.Step(played.composition)], future: [])
            }
            played.composition.pattern.tempo = Tempo(tempo)
            played.composition.pattern[.bass, note: tempo % 12, step: 3] = .accent
            played.sound[.swing] = 60
            played.muted = TrackSet(.chords)
            library.keep(state(played), at: .zero)
            library.flush()
            #expect(library.lastFailure == nil)
        }
        return played
    }

    /// Flips a bit in the column `cells` of the row of `table` selected by `condition`.
    private func flip(_ table: String, _ condition: String, bit: Int = 0) throws {
        let database = try Database(path: folder.library)
        let found = try database.run("SELECT cells FROM \(table) WHERE \(condition)")
        guard found.count == 1, case .blob(var cells)? = found.first?.first else {
            Issue.record("not one row: \(condition)")
            return
        }
        cells[bit / 8] ^= 1 << UInt8(bit % 8)
        try database.run("UPDATE \(table) SET cells = ? WHERE \(condition)", [.blob(cells)])
    }

    private static let newest = "id = (SELECT max(id) FROM revision)"

    @Test("of a pattern's newest revision: the one before is used, it is reported once, and check names both")
    func newest() throws {
        try fill()
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let bit = Int.random(in: 0..<CompositionRow.bytes * 8, using: &random)
        try flip("revision", Self.newest, bit: bit)
        let library = try Library(path: folder.library, as: .reader)
        #expect(library.drainNotices() == [])
        for count in [1, 0] {
            #expect(try library.document(of: 7).pattern.tempo == 101, "seed \(seed)")
            #expect(library.drainNotices().count == count, "seed \(seed)")
        }
        #expect(try library.check() == ["TUNE 1, revision 3, has a wrong checksum"], "seed \(seed)")
    }

    @Test("of an older revision that is requested: it is used unchanged, and reported")
    func older() throws {
        try fill()
        try flip("revision", "id = 2")
        let library = try Library(path: folder.library)
        #expect(try library.document(of: 7).pattern.tempo == 102)
        #expect(library.drainNotices() == [])
        #expect(try library.document(of: 7, revision: 2).pattern.tempo == 101)
        let notices = library.drainNotices()
        #expect(
            notices == ["the library \(folder.library): TUNE 1, revision 2, has a wrong checksum: used as it stands"])
    }

    @Test("of the only revision: it is used unchanged, and reported")
    func only() throws {
        try fill([100])
        try flip("revision", "1")
        let library = try Library(path: folder.library)
        #expect(try library.document(of: 7).pattern.tempo == 100)
        #expect(library.drainNotices().count == 1)
        #expect(try library.duplicate(7).name == "TUNE 2")
        #expect(try library.check() == ["TUNE 1, revision 1, has a wrong checksum"])
    }

    @Test(
        "of the session: its pattern's newest revision is used, and the next save repairs it",
        arguments: [
            "UPDATE composition SET cells = zeroblob(384) WHERE kind = 'current'",
            "UPDATE composition SET bpm = 99 WHERE kind = 'current'", "UPDATE session SET muted = 15",
            "UPDATE session SET checksum = NULL", "UPDATE sound SET value = 61",
        ])
    func session(damage: String) throws {
        let played = try fill()
        try Database(path: folder.library).run(damage)
        do {
            let library = try Library(path: folder.library, as: .player)
            #expect(library.session() == played)
            let notices = library.drainNotices()
            #expect(notices.count == 1 && notices[0].hasSuffix("newest state of its pattern is used in its place"))
            #expect(try library.check().count == 1)
            var next = played
            next.volume = 3
            library.keep(state(next), at: .zero)
            library.flush()
            #expect(try library.check() == [])
        }
        #expect(try Library(path: folder.library).drainNotices() == [])
    }

    @Test("of the session and of its pattern's newest revision: the session is used unchanged")
    func both() throws {
        let played = try fill()
        try flip("composition", "kind = 'current'", bit: 9)
        try flip("revision", Self.newest)
        let library = try Library(path: folder.library)
        #expect(library.session()?.composition.pattern.tempo == played.composition.pattern.tempo)
        let notices = library.drainNotices()
        #expect(notices == ["the library \(folder.library): the session has a wrong checksum: used as it stands"])
    }

    @Test("of an undo step: the step is left out, and reported")
    func undo() throws {
        var played = try fill()
        try flip("composition", "kind = 'past' AND position = 0")
        let library = try Library(path: folder.library)
        played.history = History(past: Array(played.history.past.dropFirst()), future: [])
        #expect(library.session() == played)
        #expect(library.drainNotices().count == 1)
        #expect(try library.check() == ["the session's past composition 0 has a wrong checksum"])
    }

    @Test("is fixed by a repair: correct revisions stay, and the file is set aside")
    func repair() throws {
        let played = try fill()
        try flip("revision", "id = 2")
        let library = try Library(path: folder.library)
        #expect(try library.repair() == ["TUNE 1, revision 2, has a wrong checksum"])
        let notices = library.drainNotices()
        #expect(notices.contains { $0.hasSuffix("1 pattern were recovered, without 1 state with a wrong checksum") })
        #expect(try library.check() == [])
        #expect(try library.revisions(of: 7).count == 2)
        #expect(library.session() == played)
        #expect(folder.databasesAside.count == 1)
    }

    @Test("of a pattern's name or other fields: it is reported, and the music is used")
    func name() throws {
        try fill()
        for damage in ["UPDATE pattern SET name = 'TUNF 1'", "UPDATE pattern SET unknown = '{\"a'"] {
            try Database(path: folder.library).run(damage)
            let library = try Library(path: folder.library)
            #expect(try library.document(of: 7).pattern.tempo == 102)
            #expect(library.drainNotices().count == 1)
            #expect(try library.check() == ["TUNF 1 (its name, bank or other notes) has a wrong checksum"])
        }
        let library = try Library(path: folder.library)
        try library.rename(7, "NIGHT")
        #expect(try library.check() == [])
    }

    @Test("is not reported after the current pattern is removed and restored")
    func removed() throws {
        try fill()
        let library = try Library(path: folder.library)
        let removed = try library.remove(7)
        #expect(try Library(path: folder.library).drainNotices() == [])
        #expect(try library.check() == [])
        try library.restore(removed)
        #expect(try Library(path: folder.library).drainNotices() == [])
        #expect(try library.check() == [])
    }

    @Test("keeps the revision before it from being removed")
    func thinning() {
        let revisions = (1...4).map { Thinning.Aged(PatternRevision(number: $0, saved: 1_700_000_040 + $0)) }
        let now: Int64 = 1_800_000_000
        #expect(Thinning.dropped(revisions, now: now) { _ in true } == [3, 2, 1])
        #expect(Thinning.dropped(revisions, now: now) { $0 != 4 } == [2, 1])
        #expect(Thinning.dropped(revisions, now: now) { _ in false } == [])
    }

    @Test("is found anywhere in the music of the file")
    func anywhere() throws {
        try fill()
        let database = try Database(path: folder.library)
        try database.run("PRAGMA journal_mode = DELETE")
        let whole = readBytes(folder.library)
        // The cells of each row are in the file as in the column.
        let rows = try database.run("SELECT cells FROM revision UNION SELECT cells FROM composition").map { $0[0] }
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var flips = 0
        for case .blob(let cells) in rows {
            for start in whole.indices where whole[start...].starts(with: cells) {
                var bytes = whole
                bytes[start + .random(in: cells.indices, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
                let folder = Folder()
                write(bytes, to: folder.library)
                #expect(try Library(path: folder.library).check().count == 1, "seed \(seed), byte \(start)")
                flips += 1
            }
        }
        #expect(flips >= 6)
    }
}
