import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

@Suite("The player's own tunings in the library")
struct TuningTests {
    let folder = Folder()

    private func tuning(_ text: String, fifth: Int = 696_090, a4: Int? = nil) throws -> OwnTuning {
        var cents = Tuning().cents
        cents[7] = fifth
        return OwnTuning(name: try #require(SoundName(text)), cents: cents, a4: a4)
    }

    private func expect(_ tunings: [OwnTuning], in library: Library) throws {
        let found = try library.tunings()
        #expect(found == tunings)
    }

    @Test("are kept by name, replaced and removed, and survive a restart")
    func kept() throws {
        let (one, other, low) = (try tuning("ONE"), try tuning("ONE", fifth: 701_955), try tuning("LOW", a4: 415_001))
        do {
            let library = try Library(path: folder.library)
            try expect([], in: library)
            try library.keep([one, low])
            try expect([low, one], in: library)
            try library.keep([other])
        }
        let library = try Library(path: folder.library)
        try expect([low, other], in: library)
        try library.removeTuning(one.name)
        #expect(throws: LibraryError.noTuning("ONE")) { try library.removeTuning(one.name) }
        try expect([low], in: library)
        #expect(try library.check() == [])
        #expect(library.drainNotices() == [])
    }

    @Test("a request of the panel returns the list")
    func librarian() throws {
        let library = try Library(path: folder.library)
        let one = try tuning("ONE")
        try library.keep([one])
        #expect(try Librarian(library).run(.showTunings) == [.tunings([one])])
    }

    private func damage(_ sql: String) throws {
        do { try Library(path: folder.library).keep([try tuning("ONE"), try tuning("TWO")]) }
        try Database(path: folder.library).run(sql)
    }

    @Test("a wrong checksum is reported, and the tuning stays")
    func checksum() throws {
        try damage("UPDATE tuning SET tuning = replace(tuning, '696.09', '697.09') WHERE name = 'TWO'")
        let library = try Library(path: folder.library)
        #expect(try library.check() == ["the tuning TWO has a wrong checksum"])
        try expect([try tuning("ONE"), try tuning("TWO", fifth: 697_090)], in: library)
        #expect(library.drainNotices().contains { $0.contains("TWO has a wrong checksum") })
        _ = try library.repair()
        #expect(try library.check() == [])
        #expect(try library.tunings().count == 2)
    }

    @Test(
        "an unreadable tuning is left out, and removed by a repair",
        arguments: ["tuning = 'noise'", "tuning = '{\"tuning\":[0, 100]}'", "tuning = '{}'", "name = 'much too long'"])
    func unreadable(change: String) throws {
        try damage("UPDATE tuning SET \(change) WHERE name = 'TWO'")
        let library = try Library(path: folder.library)
        try expect([try tuning("ONE")], in: library)
        #expect(try library.check().count == 2)
        _ = try library.repair()
        #expect(try library.check() == [])
        try expect([try tuning("ONE")], in: library)
    }

    @Test("are recovered by the tables of a damaged file and by a scan of its pages")
    func recovery() throws {
        for isScanned in [false, true] {
            let folder = Folder()
            do { try Library(path: folder.library).keep([try tuning("ONE"), try tuning("TWO", a4: 466_000)]) }
            try folder.damageLibrary(isScanned: isScanned)
            let library = try Library(path: folder.library)
            try expect([try tuning("ONE"), try tuning("TWO", a4: 466_000)], in: library)
            #expect(library.notice?.contains("2 own tunings recovered") == true)
            #expect(try library.check() == [])
        }
    }

    @Test("are in a backup")
    func backup() throws {
        let backup = folder.path + "/backup.sqlite"
        let library = try Library(path: folder.library)
        try library.keep([try tuning("ONE")])
        try library.backup(to: backup)
        let other = Folder()
        _ = try Library.restore(other.library, from: backup)
        try expect([try tuning("ONE")], in: try Library(path: other.library))
    }
}
