import Documents
import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

@Suite("Requests of the panel to the library")
struct LibrarianTests {
    let folder = Folder()

    private func open() throws -> Library { try Library(path: folder.library, timer: ManualTimer().timer) }

    private func document(bpm: Int) -> PatternDocument {
        var pattern = Pattern()
        pattern.tempo = Tempo(bpm)
        pattern[.chords, note: 3, step: 1] = .accent
        return PatternDocument(
            pattern: pattern, muted: .init(.bass), soloed: .rhythm, modifiedAt: "2026-09-21T12:00:00Z")
    }

    /// The guide among `events`.
    private func guide(_ events: [Instrument.Event]) throws -> GuideContent {
        guard events.count == 1, case .guide(let content)? = events.first else { throw Missing() }
        return content
    }

    private struct Missing: Error {}

    private static let today = 20_717  // 2026-09-21

    @Test("open: a pattern with all its settings, after the current music is saved")
    func opens() throws {
        let library = try open()
        let librarian = Librarian(library, today: Self.today)
        let number = try #require(try library.add([.init(document(bpm: 90), to: .b)]).first?.number)
        var played = session(bpm: 111)
        played.composition.pattern[.bass, note: 0, step: 0] = .normal
        played.pattern = 5
        library.keep(state(played), at: .zero)
        let events = try librarian.run(.open(number))
        guard case .opened(let session, _)? = events.first else { throw Missing() }
        #expect(session.composition.pattern == document(bpm: 90).pattern && session.pattern == number)
        #expect(session.muted == .init(.bass) && session.soloed == .rhythm)
        #expect(try library.document(of: 5).pattern.tempo == 111)
    }

    @Test("duplicate, rename, delete and restore, each followed by the guide")
    func changes() throws {
        let library = try open()
        let librarian = Librarian(library, today: Self.today)
        let number = try #require(try library.add([.init(document(bpm: 90), name: "ONE", to: .b)]).first?.number)
        let shown = try guide(librarian.run(.showLibrary))
        #expect(shown[channel: 1, day: Self.today].map(\.title) == ["ONE"])
        #expect(shown.days.contains(Self.today) && shown.today == Self.today)
        _ = try guide(librarian.run(.duplicate(number)))
        #expect(try library.patterns(in: .b).count == 2)
        _ = try guide(librarian.run(.rename(number, "NIGHT B")))
        #expect(try library.patterns(in: .b).contains { $0.name == "NIGHT B" && $0.number == number })
        let before = try library.document(of: number)
        _ = try guide(librarian.run(.delete(number)))
        #expect(try library.patterns(in: .b).count == 1)
        _ = try guide(librarian.run(.restore(number)))
        #expect(try library.document(of: number) == before)
    }

    @Test("begin: a pattern in a bank, visible at once")
    func begins() throws {
        let library = try open()
        let librarian = Librarian(library)
        let events = try librarian.run(.begin(bank: 3, tune: 5))
        guard case .opened(let session, 5)? = events.first else { throw Missing() }
        #expect(session.composition.pattern == Pattern())
        #expect(try library.patterns(in: .d).map(\.number) == [session.pattern ?? 0])
    }

    @Test("a missing pattern is an error, and nothing changes")
    func refuses() throws {
        let library = try open()
        let librarian = Librarian(library)
        for job in [Instrument.Job.open(7), .duplicate(7), .rename(7, "A"), .delete(7), .restore(7)] {
            #expect(throws: LibraryError.noPattern("7")) { try librarian.run(job) }
        }
        #expect(try library.patterns() == [])
    }
}
