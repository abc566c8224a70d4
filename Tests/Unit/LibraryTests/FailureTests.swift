import InputEvents
import Instrument
import Testing
import TestSupport

@testable import Library

@Suite("A disk that cannot be written")
struct FailureTests {
    let folder = Folder()
    let timer = ManualTimer()

    @Test(
        "is reported, retried every 2 s, and cleared after a success",
        arguments: [
            ("PRAGMA query_only = ON", "PRAGMA query_only = OFF", "readonly"),
            ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000", "full"),
        ])
    func recovery(fail: String, mend: String, word: String) throws {
        let library = try Library(path: folder.library, timer: timer.timer)
        library.keep(state(session(bpm: 61)), at: .zero)
        library.flush()
        try library.run(fail)

        var random = SplitMix(seed: 2)
        let kept = randomSession(depth: History.levels, using: &random)
        library.keep(state(kept), at: .zero)
        timer.advance(to: Instant(milliseconds: 500))
        #expect(library.failures == 1)
        let failure = try #require(library.lastFailure).description
        #expect(failure.hasPrefix("cannot write the library: "))
        #expect(failure.contains(word))
        #expect(!failure.contains("\n"))
        #expect(library.session() == kept)
        timer.advance(to: Instant(milliseconds: 2499))
        #expect(library.failures == 1)
        timer.advance(to: Instant(milliseconds: 2500))
        #expect(library.failures == 2)
        // No partial session may remain.
        #expect(try Database(path: folder.library).readSession() == session(bpm: 61))

        try library.run(mend)
        timer.advance(to: Instant(milliseconds: 4500))
        #expect(library.lastFailure == nil)
        #expect(library.failures == 2)
        #expect(timer.count == 0)
        #expect(try Database(path: folder.library).readSession() == kept)
    }

    @Test("a change after a failure is written with the next try")
    func later() throws {
        let library = try Library(path: folder.library, timer: timer.timer)
        try library.run("PRAGMA query_only = ON")
        library.keep(state(session(bpm: 61)), at: .zero)
        library.flush()
        #expect(library.failures == 1)
        library.keep(state(session(bpm: 62)), at: .zero)
        #expect(timer.count == 1)
        try library.run("PRAGMA query_only = OFF")
        timer.advance(to: Instant(milliseconds: 2000))
        #expect(library.lastFailure == nil)
        #expect(try Database(path: folder.library).readSession() == session(bpm: 62))
    }
}
