import Documents
import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

@Suite("The patterns of a library")
struct PatternTests {
    let folder = Folder()

    private func open() throws -> Library { try Library(path: folder.library, timer: ManualTimer().timer) }

    private func document(bpm: Int = 120, name: String? = nil, created: String? = nil) -> PatternDocument {
        var pattern = Pattern()
        pattern.tempo = Tempo(bpm)
        pattern[.chords, note: 3, step: 1] = .accent
        return PatternDocument(pattern: pattern, name: name, createdAt: created)
    }

    private func play(_ library: Library, _ number: Int64?, bpm: Int) {
        var played = session(bpm: bpm)
        played.pattern = number
        library.keep(state(played), at: .zero)
        library.flush()
        #expect(library.lastFailure == nil)
    }

    @Test("are listed by bank and creation time")
    func list() throws {
        let library = try open()
        let dates = ["2021-03-01T00:00:00Z", "2020-03-01T00:00:00Z", "2022-03-01T00:00:00Z"]
        for bank in [Bank.h, .b] {
            try library.add(
                dates.map { .init(document(created: $0), name: "\(bank.letter) \($0.prefix(4))", to: bank) })
        }
        let names = ["B 2020", "B 2021", "B 2022", "H 2020", "H 2021", "H 2022"]
        #expect(try library.patterns().map(\.name) == names)
        #expect(try library.patterns(in: .h).map(\.name) == Array(names.suffix(3)))
        #expect(try library.patterns(in: .a) == [])
    }

    @Test("without a name are called TUNE and the next number, also when played")
    func names() throws {
        let library = try open()
        #expect(
            try library.add([.init(document(), to: .c), .init(document(), to: .c)]).map(\.name) == ["TUNE 1", "TUNE 2"])
        #expect(try library.add([.init(document(name: "TUNE 41"), name: "other", to: .a)]).map(\.name) == ["TUNE 41"])
        #expect(try library.add([.init(document(), name: "from its file", to: .a)]).map(\.name) == ["from its file"])
        play(library, 9, bpm: 90)
        #expect(try library.patterns().first { $0.number == 9 }?.name == "TUNE 42")
    }

    @Test("that are left for another keep their last edit, even without a write in between")
    func left() throws {
        let library = try open()
        for number in [1, 2, 3] as [Int64] {
            var played = session(bpm: 100 + Int(number))
            played.composition.pattern[.bass, note: 1, step: 1] = .normal
            played.pattern = number
            library.keep(state(played), at: .zero)
            played.composition.pattern.tempo.hundredths += 5000
            library.keep(state(played), at: .zero)
        }
        library.flush()
        #expect(library.lastFailure == nil)
        let tempos = try ([1, 2, 3] as [Int64]).map { try library.document(of: $0).pattern.tempo }
        #expect(tempos == [151, 152, 153])
        #expect(library.session()?.pattern == 3)
    }

    @Test("are exported as the imported text, plus a missing name and times")
    func texts() throws {
        let library = try open()
        var texts: [String] = []
        for (created, modified) in [
            ("2024-01-02T03:04:05Z", "2024-02-03T04:05:06Z"), ("2024-01-02T03:04:05.678Z", "2024-02-03T05:05:06+01:00"),
            ("yesterday", "1850-01-01T00:00:00Z"), ("2024-01-02", "99999-01-01T00:00:00Z"),
        ] {
            var document = document(bpm: 99, name: "Ünïcode \u{1F3B9}", created: created)
            document.modifiedAt = modified
            document.unknown = ["colour": .string("red"), "deep": .array([.object(["a": .null]), .number("1e3")])]
            document.muted = TrackSet(.bass)
            document.sound[.swing] = 60
            texts.append(document.text())
            let entry = try #require(try library.add([.init(document, to: .a)]).first)
            #expect(try library.document(of: entry.number).text() == document.text())
        }
        // Another start reads the same.
        let reopened = try open()
        #expect(Set(try reopened.patterns().map { try reopened.document(of: $0.number).text() }) == Set(texts))
        #expect(try reopened.check() == [])
    }

    @Test("of random music are exported as imported")
    func random() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let library = try open()
        for _ in 0..<100 {
            let session = randomSession(depth: 0, using: &random)
            let document = PatternDocument(
                pattern: session.composition.own, sound: session.sound, muted: session.muted,
                soloed: session.soloed, name: "N", createdAt: "2024-01-02T03:04:05Z", modifiedAt: "2024-01-02T03:04:05Z"
            )
            let entry = try #require(try library.add([.init(document, to: .a)]).first)
            let isSame = try library.document(of: entry.number) == document
            #expect(isSame, "seed \(seed)")
        }
    }

    @Test("are renamed and put into another bank, and keep their music")
    func rename() throws {
        let library = try open()
        let entry = try #require(
            try library.add([.init(document(bpm: 77, created: "2020-01-01T00:00:00Z"), name: "a", to: .a)]).first)
        try library.rename(entry.number, "b")
        try library.rename(entry.number, bank: .g)
        let renamed = try #require(try library.patterns().first)
        #expect((renamed.name, renamed.bank) == ("b", .g))
        #expect(renamed.created == entry.created)
        #expect(renamed.modified >= entry.modified)
        #expect(try library.document(of: entry.number).pattern.tempo == 77)
    }

    @Test("are removed with their revisions")
    func remove() throws {
        let library = try open()
        let entry = try #require(try library.add([.init(document(), name: "a", to: .a)]).first)
        try library.remove(entry.number)
        #expect(try library.patterns() == [])
        #expect(try library.revisions(of: entry.number) == [])
        #expect(try Database(path: folder.library).run("SELECT count(*) FROM revision") == [[.integer(0)]])
    }

    @Test("that do not exist are an error")
    func missing() throws {
        let library = try open()
        #expect(thrown(LibraryError.self) { _ = try library.document(of: 5) } == .noPattern("5"))
        #expect(thrown(LibraryError.self) { try library.rename(5, "a") } == .noPattern("5"))
        #expect(thrown(LibraryError.self) { try library.remove(5) } == .noPattern("5"))
    }

    @Test("contain the music played, with a revision for each pause after a change")
    func revisions() throws {
        let library = try open()
        for bpm in [90, 91, 92] { play(library, 3, bpm: bpm) }
        var metronome = session(bpm: 92)
        (metronome.pattern, metronome.metronome) = (3, true)
        library.keep(state(metronome), at: .zero)
        library.flush()
        play(library, 4, bpm: 100)
        play(library, 3, bpm: 93)
        let tempos = try library.revisions(of: 3).map { try library.document(of: 3, revision: $0.number).pattern.tempo }
        #expect(tempos == [90, 91, 92, 93])
        #expect(try library.document(of: 3).pattern.tempo == 93)
        #expect(try library.revisions(of: 4).count == 1)
    }

    @Test("are not created by a box on which nothing was played")
    func empty() throws {
        let library = try open()
        var empty = Session()
        (empty.pattern, empty.metronome) = (5, true)
        library.keep(state(empty), at: .zero)
        library.flush()
        #expect(try library.patterns() == [])
        #expect(library.lastFailure == nil)
    }

    @Test("that are removed while playing return with the next change, also the session's own")
    func removedWhilePlayed() throws {
        let library = try open()
        play(library, 3, bpm: 90)
        try library.remove(3)
        play(library, 3, bpm: 91)
        #expect(try library.patterns().map(\.number) == [3])
        #expect(try open().session()?.pattern == 3)
    }

    @Test("lose their document's modification time with the first change")
    func modified() throws {
        let library = try open()
        var document = document(created: "then")
        document.modifiedAt = "once"
        let entry = try #require(try library.add([.init(document, name: "a", to: .a)]).first)
        play(library, entry.number, bpm: 101)
        let changed = try library.document(of: entry.number)
        #expect(changed.createdAt == "then")
        #expect(changed.modifiedAt != "once")
    }

    @Test("added together keep their order, and names all their letters")
    func order() throws {
        let library = try Library(path: folder.library)
        let names = ["c", "a", "\u{0}b", "Ä\u{0}", "z"]
        let document = PatternDocument(pattern: Pattern())
        for bank in [Bank.b, .d] { try library.add(names.map { (document, $0) }, to: bank) }
        #expect(try library.patterns(in: .b).map(\.name) == names)
        #expect(try library.patterns(in: .d).map(\.name) == names)
    }
}
