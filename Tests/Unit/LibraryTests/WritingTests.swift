import InputEvents
import Dispatch
import Instrument
import Synchronization
import TestTags
import Testing
import TestSupport

@testable import Library

@Suite("The time at which a change is written", .tags(.live))
struct WritingTests {
    let folder = Folder()
    let timer = ManualTimer()

    /// The tempo on the disk.
    private func tempoOnDisk() throws -> Tempo? {
        try Database(path: folder.library).readSession()?.composition.pattern.tempo
    }

    @Test("500 ms after the last change")
    func pause() throws {
        let library = try Library(path: folder.library, timer: timer.timer)
        library.keep(state(session(bpm: 61)), at: .zero)
        timer.advance(to: Instant(milliseconds: 300))
        library.keep(state(session(bpm: 62)), at: timer.now)
        timer.advance(to: Instant(milliseconds: 799))
        #expect(try tempoOnDisk() == nil)
        timer.advance(to: Instant(milliseconds: 800))
        #expect(try tempoOnDisk() == 62)
        #expect(timer.count == 0)
    }

    @Test("at latest 2 s after the first, while the player goes on")
    func longest() throws {
        let library = try Library(path: folder.library, timer: timer.timer)
        var written: [Int64] = []
        var last: Tempo?
        for frame in 0...500 {
            timer.advance(to: Instant(milliseconds: Int64(frame) * 10))
            library.keep(state(session(bpm: frame % 2 == 0 ? 100 : 101)), at: timer.now)
            #expect(timer.count == 1)
            guard frame % 50 == 0 else { continue }
            let tempo = try tempoOnDisk()
            if tempo != nil, last == nil { written.append(Int64(frame) * 10) }
            last = tempo
        }
        #expect(written == [2000])
        timer.advance(to: Instant(milliseconds: 8000))
        #expect(try tempoOnDisk() == 100)
    }

    @Test("nothing is written when nothing changed")
    func unchanged() throws {
        var random = SplitMix(seed: 1)
        let kept = state(randomSession(depth: History.levels, using: &random))
        let library = try Library(path: folder.library, timer: timer.timer)
        library.keep(Instrument().state, at: .zero)
        #expect(timer.count == 0)
        #expect(library.session() == nil)
        library.keep(kept, at: .zero)
        library.flush()
        timer.advance(to: Instant(milliseconds: 500))
        let observer = try Database(path: folder.library)
        let before = try observer.run("PRAGMA data_version")
        for millisecond in 501...3000 { library.keep(kept, at: Instant(milliseconds: Int64(millisecond))) }
        #expect(timer.count == 0)
        library.flush()
        #expect(try observer.run("PRAGMA data_version") == before)
        library.keep(state(session(bpm: 60)), at: Instant(milliseconds: 3000))
        library.flush()
        #expect(try observer.run("PRAGMA data_version") != before)
    }

    @Test("a session that was read is not written again")
    func reopened() throws {
        do {
            let library = try Library(path: folder.library)
            library.keep(state(session(bpm: 99)), at: .zero)
            library.flush()
        }
        let library = try Library(path: folder.library, timer: timer.timer)
        var box = Instrument()
        box.load(try #require(library.session()))
        library.keep(box.state, at: .zero)
        #expect(timer.count == 0)
    }

    @Test("keeping does not wait for the disk")
    func keepReturns() throws {
        let library = try Library(path: folder.library, timer: timer.timer)
        // This thread holds the disk, so waiting for it would never end.
        library.disk.withLock { _ in
            library.keep(state(session(bpm: 61)), at: .zero)
            library.keep(state(session(bpm: 62)), at: .zero)
        }
        library.flush()
        #expect(try tempoOnDisk() == 62)
    }

    @Test("also without a flush, on the real timer")
    func realTimer() throws {
        let written = DispatchSemaphore(value: 0)
        let library = try Library(path: folder.library) { delay, body in
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(Int(delay.microseconds))) {
                body()
                written.signal()
            }
        }
        library.keep(state(session(bpm: 61)), at: .zero)
        #expect(written.wait(timeout: .now() + 10) == .success)
        #expect(try tempoOnDisk() == 61)
    }

    @Test("changes made during a flush are not lost")
    func concurrent() throws {
        let library = try Library(path: folder.library)
        let flusher = DispatchSemaphore(value: 0)
        let isDone = Mutex(false)
        DispatchQueue.global().async {
            while !isDone.withLock({ $0 }) { library.flush() }
            flusher.signal()
        }
        for count in 0..<2000 { library.keep(state(session(bpm: 60 + count % 141)), at: .zero) }
        isDone.withLock { $0 = true }
        flusher.wait()
        library.flush()
        #expect(try tempoOnDisk() == Tempo(60 + 1999 % 141))
    }
}
