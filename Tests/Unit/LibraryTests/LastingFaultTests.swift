import InputEvents
import CSQLite
import Instrument
import LibraryScript
import Testing

@testable import Library

@Suite("A disk that fails for a while")
struct LastingFaultTests {
    let folder = FaultyFolder()
    let timer = ManualTimer()

    struct Fault: Sendable, CustomTestStringConvertible {
        var calls: FaultyFolder.Calls
        var result: Int32
        var testDescription: String
    }

    static let faults: [Fault] = [
        Fault(calls: .write, result: SQLITE_FULL, testDescription: "full"),
        Fault(
            calls: [.write, .truncate, .sync, .delete, .open], result: SQLITE_IOERR,
            testDescription: "mounted for reading only"),
        Fault(
            calls: [.open, .delete, .access, .read, .write, .truncate, .sync, .size, .lock, .shmMap],
            result: SQLITE_IOERR, testDescription: "pulled out"),
    ]

    @Test("is reported, the box plays on, and everything is written as soon as possible", arguments: faults)
    func mended(_ fault: Fault) throws {
        let (before, after) = (session(bpm: 61), session(bpm: 90))
        do {
            let library = try Library(path: folder.library, timer: timer.timer)
            library.keep(state(before), at: .zero)
            library.flush()
            #expect(library.lastFailure == nil)
            folder.fail(fault.calls, with: fault.result)
            for bpm in 62...90 {
                library.keep(state(session(bpm: bpm)), at: timer.now)
                timer.advance(to: timer.now + .milliseconds(500))
            }
            #expect(library.failures >= 6)
            let failure = try #require(library.lastFailure)
            #expect(failure.description.hasPrefix("cannot write the library: "))
            #expect(failure.isDiskFull == (fault.result == SQLITE_FULL))
            #expect(library.session() == after)
            folder.mend()
            timer.advance(to: timer.now + .milliseconds(2000))
            #expect(library.lastFailure == nil)
            #expect(timer.count == 0)
        }
        try expectSession(after)
    }

    @Test("and never recovers keeps what was written before", arguments: faults)
    func unmended(_ fault: Fault) throws {
        do {
            let library = try Library(path: folder.library, timer: timer.timer)
            library.keep(state(session(bpm: 61)), at: .zero)
            library.flush()
            folder.fail(fault.calls, with: fault.result)
            library.keep(state(session(bpm: 62)), at: .zero)
            library.flush()
            #expect(library.lastFailure != nil)
        }
        folder.mend()
        try expectSession(session(bpm: 61))
    }

    @Test("while patterns are added throws, and adds none of them", arguments: faults)
    func adding(_ fault: Fault) throws {
        var script = LibraryScript(seed: 5)
        let library = try Library(path: folder.library, timer: timer.timer)
        for _ in 0..<10 { #expect(library.perform(script.next())) }
        let before = script.contents
        folder.fail(fault.calls, with: fault.result)
        for _ in 0..<20 {
            let action = script.next()
            if case .play = action { continue }
            #expect(!library.perform(action))
        }
        folder.mend()
        let isAsBefore = try LibraryContents(of: library) == before
        #expect(isAsBefore)
    }

    private func expectSession(_ session: Session) throws {
        let library = try Library(path: folder.library)
        #expect(library.session() == session)
        #expect(library.drainNotices() == [])
        #expect(folder.aside.isEmpty)
        #expect(try library.check() == [])
    }
}
