import Formats
import Glibc
import Instrument
import Testing
import TestSupport

@testable import Library

@Suite("Damage that is found after the library was opened")
struct FoundLaterTests {
    let folder = Folder()
    let timer = ManualTimer()

    /// A closed library of a few patterns with revisions and an undo history. Returns the last session.
    private func fill() throws -> Session {
        let library = try Library(path: folder.library, as: .player, timer: timer.timer)
        var last = Session()
        for number in 1...3 {
            for bpm in 100..<108 {
                last = session(bpm: bpm)
                last.pattern = Int64(number)
                last.history = History(
                    past: (60..<bpm).map { History.Step(session(bpm: $0).composition) }, future: [])
                library.keep(state(last), at: .zero)
                library.flush()
            }
        }
        #expect(library.lastFailure == nil)
        return last
    }

    /// The byte range of the index `name`, if it is a single page.
    private func page(of name: String) throws -> Range<Int> {
        let database = try Database(path: folder.library, isReadOnly: true)
        let found = try database.run("SELECT rootpage FROM sqlite_schema WHERE name = ?", [.text(name)])
        guard case .integer(let page)? = found.first?.first else { return 0..<0 }
        return Int(page - 1) * 4096..<Int(page) * 4096
    }

    static let indexes = ["pattern_bank", "revision_pattern", "sqlite_autoindex_composition_1"]

    @Test("a flipped bit in an index loses nothing and prevents no write", arguments: indexes)
    func index(name: String) throws {
        var last = try fill()
        let whole = readBytes(folder.library)
        let page = try page(of: name)
        try #require(!page.isEmpty && whole.indices.contains(page.upperBound - 1))
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        // Cells are at the end of a page.
        let used = page.filter { whole[$0] != 0 }
        for _ in 0..<40 {
            var bytes = whole
            let (place, bit) = (used.randomElement(using: &random) ?? 0, UInt8.random(in: 0..<8, using: &random))
            bytes[place] ^= 1 << bit
            let comment: Comment = "byte \(place - page.lowerBound), bit \(bit), seed \(seed)"
            let folder = Folder()
            write(bytes, to: folder.library)
            let library = try Library(path: folder.library, as: .player, timer: ManualTimer().timer)
            last.composition.pattern.tempo = 140
            last.history = History(past: [], future: [])
            library.keep(state(last), at: .zero)
            library.flush()
            #expect(library.lastFailure == nil, comment)
            // Damage that no write has met is left for a check.
            _ = try library.repair()
            #expect(try library.check() == [], comment)
            #expect(library.session() == last, comment)
            #expect(try (1...3).map { try library.revisions(of: $0).count } == [8, 8, 9], comment)
        }
    }

    @Test("a reader reports it and changes nothing")
    func reader() throws {
        _ = try fill()
        let whole = readBytes(folder.library)
        // The first flipped bit of the index that opening does not detect.
        let place = try page(of: "pattern_bank").suffix(60).first { place in
            var bytes = whole
            bytes[place] ^= 1
            write(bytes, to: folder.library)
            let library = try? Library(path: folder.library, as: .reader)
            return try library?.check().isEmpty == false
        }
        _ = try #require(place)
        let damaged = readBytes(folder.library)
        #expect(try !Library(path: folder.library, as: .reader).check().isEmpty)
        #expect(readBytes(folder.library) == damaged && folder.aside.isEmpty)
        #expect(try !Library(path: folder.library).repair().isEmpty)
        #expect(try Library(path: folder.library).check() == [])
    }

    @Test("a removed file is rewritten with all its content")
    func removed() throws {
        var last = try fill()
        let library = try Library(path: folder.library, as: .player, timer: timer.timer)
        for suffix in databaseSuffixes { unlink(folder.library + suffix) }
        last.composition.pattern.tempo = 141
        library.keep(state(last), at: .zero)
        library.flush()
        #expect(library.lastFailure == nil)
        #expect(library.drainNotices().first?.contains("was removed") == true)
        let other = try Library(path: folder.library, as: .reader)
        #expect(other.session() == last)
        #expect(try (1...3).map { try other.revisions(of: $0).count } == [8, 8, 9])
        #expect(try other.check() == [])
    }

    @Test("a replaced file is left, and its replacement receives the music besides its own")
    func replaced() throws {
        var last = try fill()
        let another = Folder()
        var theirs = session(bpm: 77)
        theirs.pattern = 9
        do {
            let library = try Library(path: another.library)
            library.keep(state(theirs), at: .zero)
            library.flush()
        }
        let library = try Library(path: folder.library, as: .player, timer: timer.timer)
        #expect(rename(folder.library, folder.path + "/moved.sqlite") == 0)
        for suffix in databaseSuffixes where !suffix.isEmpty { unlink(folder.library + suffix) }
        write(readBytes(another.library), to: folder.library)
        last.composition.pattern.tempo = 141
        library.keep(state(last), at: .zero)
        library.flush()
        #expect(library.lastFailure == nil)
        let opened = try Library(path: folder.library, as: .reader)
        #expect(opened.session() == last)
        #expect(try opened.document(of: 9).pattern.tempo == 77)
        #expect(try opened.document(of: 3).pattern.tempo == 141)
    }
}
