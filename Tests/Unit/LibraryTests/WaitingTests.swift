import InputEvents
import CSQLite
import Documents
import Glibc
import Instrument
import Testing

@testable import Library

@Suite("A library that is waited for")
struct WaitingTests {
    let folder = FaultyFolder()
    let timer = ManualTimer()

    /// An undoable session of the pattern `number`.
    private func played(_ number: Int64?, bpm: Int) -> Session {
        var played = session(bpm: bpm)
        played.composition.pattern[.bass, note: 1, step: 2] = .accent
        played.history = History(past: [History.Step(Composition())], future: [])
        played.pattern = number
        return played
    }

    /// Keeps `session` in a library and closes it.
    private func keep(_ session: Session) throws {
        let library = try Library(path: folder.library)
        library.keep(state(session), at: .zero)
        library.flush()
        #expect(library.lastFailure == nil)
    }

    private func document(_ session: Session) -> PatternDocument {
        PatternDocument(pattern: session.composition.pattern)
    }

    /// The music of the patterns in `library`, in order.
    private func music(_ library: Library) throws -> [PatternDocument] {
        try library.patterns().map { PatternDocument(pattern: try library.document(of: $0.number).pattern) }
    }

    struct Obstacle: Sendable, CustomTestStringConvertible {
        var calls: FaultyFolder.Calls
        var result: Int32
        var testDescription: String
    }

    static let obstacles: [Obstacle] = [
        Obstacle(calls: .open, result: SQLITE_CANTOPEN, testDescription: "cannot be opened"),
        Obstacle(calls: .open, result: SQLITE_READONLY, testDescription: "is for reading only"),
        Obstacle(calls: .read, result: SQLITE_IOERR, testDescription: "cannot be read"),
        Obstacle(calls: .lock, result: SQLITE_IOERR, testDescription: "cannot be locked"),
    ]

    @Test("that contains another session keeps it as a pattern, and stores the new one", arguments: obstacles)
    func both(_ obstacle: Obstacle) throws {
        let (old, new) = (played(1, bpm: 70), played(2, bpm: 80))
        try keep(old)
        folder.fail(obstacle.calls, with: obstacle.result)
        let library = try Library(waitingFor: folder.library, timer: timer.timer)
        #expect(library.lastFailure != nil)
        #expect(library.session() == nil)
        library.keep(state(new), at: .zero)
        timer.advance(to: Instant(milliseconds: 6000))
        #expect(library.failures >= 2)
        #expect(folder.aside.isEmpty)
        folder.mend()
        timer.advance(to: Instant(milliseconds: 8000))
        #expect(library.lastFailure == nil)
        #expect(timer.count == 0)
        #expect(library.drainNotices() == [])
        let reopened = try Library(path: folder.library)
        #expect(reopened.session() == new)
        #expect(try music(reopened) == [document(old), document(new)])
    }

    @Test("also keeps the music of a session without a pattern, even if the first write fails")
    func patternless() throws {
        let (old, new) = (played(nil, bpm: 70), played(2, bpm: 80))
        try keep(old)
        folder.fail(.open)
        let library = try Library(waitingFor: folder.library, timer: timer.timer)
        library.keep(state(new), at: .zero)
        folder.fail(.write, with: SQLITE_FULL)
        timer.advance(to: Instant(milliseconds: 4000))
        #expect(library.lastFailure != nil)
        folder.mend()
        timer.advance(to: Instant(milliseconds: 6000))
        let reopened = try Library(path: folder.library)
        #expect(reopened.session() == new)
        #expect(Set(try music(reopened)) == [document(old), document(new)])
    }

    @Test("and fails only once is open at once")
    func once() throws {
        try keep(played(1, bpm: 70))
        folder.fail(.open, at: 0)
        let library = try Library(waitingFor: folder.library, timer: timer.timer)
        #expect(library.lastFailure == nil)
        #expect(library.session() == played(1, bpm: 70))
        #expect(timer.count == 0)
    }

    @Test("by a box that was not played keeps its session, including undo")
    func untouched() throws {
        let old = played(1, bpm: 70)
        try keep(old)
        folder.fail(.open)
        let library = try Library(waitingFor: folder.library, timer: timer.timer)
        folder.mend()
        timer.advance(to: Instant(milliseconds: 2000))
        #expect(library.lastFailure == nil)
        #expect(timer.count == 0)
        #expect(try Library(path: folder.library).session() == old)
    }

    @Test("because a file blocks its folder is created when that is gone")
    func inTheWay() throws {
        let path = folder.path + "/box/deep/library.sqlite"
        write([1], to: folder.path + "/box")
        let library = try Library(waitingFor: path, timer: timer.timer)
        let failure = try #require(library.lastFailure).description
        #expect(failure.contains("cannot create the library's folder"))
        library.keep(state(played(2, bpm: 80)), at: .zero)
        timer.advance(to: Instant(milliseconds: 4000))
        #expect(library.lastFailure != nil)
        #expect(readBytes(folder.path + "/box") == [1])
        unlink(folder.path + "/box")
        timer.advance(to: Instant(milliseconds: 6000))
        #expect(library.lastFailure == nil)
        #expect(try Library(path: path).session() == played(2, bpm: 80))
    }

    @Test("because its file is a folder is created when that is gone")
    func folderInPlace() throws {
        mkdir(folder.library, 0o700)
        let library = try Library(waitingFor: folder.library, timer: timer.timer)
        #expect(library.lastFailure != nil)
        library.keep(state(played(2, bpm: 80)), at: .zero)
        timer.advance(to: Instant(milliseconds: 4000))
        #expect(folder.aside.isEmpty)
        rmdir(folder.library)
        timer.advance(to: Instant(milliseconds: 6000))
        #expect(library.lastFailure == nil)
        #expect(try Library(path: folder.library).session() == played(2, bpm: 80))
    }

    @Test(
        "because its folder is read-only is created when it is writable",
        .enabled(if: geteuid() != 0, "root may write every file"))
    func forbidden() throws {
        chmod(folder.path, 0o500)
        let library = try Library(waitingFor: folder.library, timer: timer.timer)
        library.keep(state(played(2, bpm: 80)), at: .zero)
        timer.advance(to: Instant(milliseconds: 4000))
        #expect(library.lastFailure != nil)
        chmod(folder.path, 0o700)
        timer.advance(to: Instant(milliseconds: 6000))
        #expect(library.lastFailure == nil)
        #expect(try Library(path: folder.library).session() == played(2, bpm: 80))
    }
}
