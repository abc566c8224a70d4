import InputEvents
import Testing

@testable import Input

/// A synchroniser that follows MIDI clock, and the time.
private struct Follower {
    var sync = Synchroniser(source: .midi)
    var now = Instant(milliseconds: 1000)

    /// Ticks of 125 BPM, each `offsets` microseconds late.
    mutating func tick(_ offsets: [Int64]) {
        for offset in offsets {
            _ = sync.receive(MIDIMessage.clock, at: now + Instant.Span(microseconds: offset))
            now = now + .milliseconds(20)
        }
    }

    mutating func tick(_ count: Int) { tick(Array(repeating: 0, count: count)) }

    /// The status `later` milliseconds after the last tick's period.
    func status(later: Int64 = 0) -> SyncStatus { sync.status(at: now + .milliseconds(later)) }
}

@Suite("The status of a source")
struct SyncStatusTests {
    private func isTempo(_ status: SyncStatus, _ tempo: Double) -> Bool { abs((status.tempo ?? 0) - tempo) < 1e-9 }

    @Test("a source waits, settles within twelve ticks, and is locked")
    func locks() {
        var follower = Follower()
        #expect(follower.status() == SyncStatus())
        follower.tick(1)
        #expect(follower.status().lock == .settling && follower.status().tempo == nil)
        follower.tick(10)
        #expect(follower.status().lock == .settling && follower.status().errors.isEmpty)
        follower.tick(2)
        let status = follower.status()
        #expect(status.lock == .locked && isTempo(status, 125) && status.missing == 0)
    }

    @Test("the column of an error is its size: 0.1 ms each, about the middle; the outer columns have those beyond")
    func columns() {
        var follower = Follower()
        follower.tick(300)
        // Steady ticks have no error: they are in the column right of the middle.
        #expect(follower.status().errors.enumerated().filter { $1 > 0 }.map(\.offset) == [22])
        for (offset, column) in [(750, 29), (-750, 14), (3000, 43), (-3000, 0), (2150, 43), (-2150, 0)]
            as [(Int64, Int)]
        {
            let before = follower.status().errors[column]
            follower.tick([offset])
            // The loop follows an error by a small part, so that the next tick stays near the middle.
            #expect(follower.status().errors[column] == before + 1, "\(offset) µs")
            follower.tick(30)
        }
    }

    @Test(
        "two sizes in turn: rms and the largest error are those of the arithmetic, and all ticks of four seconds count")
    func jitter() {
        var follower = Follower()
        follower.tick(400)
        follower.tick((0..<600).map { $0 % 2 == 0 ? 600 : -600 })
        let status = follower.status()
        let columns = status.errors.enumerated().filter { $1 > 0 }.map(\.offset)
        #expect(columns.allSatisfy { (15...17).contains($0) || (27...29).contains($0) }, "\(columns)")
        #expect((199...201).contains(status.errors.reduce(0) { $0 + Int($1) }))
        #expect(abs((status.rms ?? 0) - 0.6) < 0.02 && abs((status.worst ?? 0) - 0.6) < 0.05)
    }

    @Test("errors are kept for four seconds, and no longer")
    func memory() {
        var follower = Follower()
        follower.tick(200)
        follower.tick([1500])
        let late = follower.now
        follower.tick(100)
        #expect((follower.sync.status(at: late + .milliseconds(3900)).worst ?? 0) > 1.4)
        #expect((follower.sync.status(at: late + .milliseconds(4100)).worst ?? 0) < 0.2)
        #expect(follower.status(later: 5000).errors.isEmpty)
        #expect(follower.status(later: 5000).rms == nil)
    }

    @Test("a source is lost after half a second, keeps its tempo, and is locked again when it returns")
    func lost() {
        var follower = Follower()
        follower.tick(200)
        #expect(follower.status(later: 470).lock == .locked)
        let lost = follower.status(later: 490)
        #expect(lost.lock == .lost && isTempo(lost, 125))
        follower.now = follower.now + .milliseconds(3000)
        follower.tick(1)
        #expect(follower.status().lock == .locked)
        #expect(follower.status().missing == 150)
    }

    @Test("ticks that did not arrive are counted")
    func missing() {
        var follower = Follower()
        follower.tick(100)
        for _ in 0..<5 {
            follower.now = follower.now + .milliseconds(20)
            follower.tick(20)
        }
        #expect(follower.status().missing == 5 && follower.status().lock == .locked)
    }

    @Test("the source's own tempo is shown, also outside those of the box", arguments: [(5, 500.0), (150, 16.67)])
    func tempo(milliseconds: Int64, bpm: Double) {
        var follower = Follower()
        for _ in 0..<100 {
            _ = follower.sync.receive(MIDIMessage.clock, at: follower.now)
            follower.now = follower.now + .milliseconds(milliseconds)
        }
        #expect(abs((follower.status().tempo ?? 0) - bpm) < 0.1)
        let steering = follower.sync.steering(at: Double(follower.now.microseconds))
        #expect(Synchroniser.tempos.contains(steering?.tempo ?? 0))
    }

    @Test("Link waits for other members, counts them, and measures how late its beats are")
    func link() {
        var follower = Follower()
        follower.sync.source = .link
        #expect(follower.status().lock == .waiting)
        _ = follower.sync.receive(LinkState(tempo: 120, beat: 0, peers: 0), at: follower.now)
        #expect(follower.status().lock == .waiting && follower.status().tempo == 120)
        // Half a second is one beat; 0.35 ms later it is 0.0007 less.
        for beat in 1...8 {
            let offset = Instant.Span(microseconds: beat == 4 ? 350 : 0)
            let state = LinkState(tempo: 120, beat: Double(beat), peers: 3)
            _ = follower.sync.receive(state, at: follower.now + .milliseconds(500 * Int64(beat)) + offset)
        }
        let status = follower.status(later: 4100)
        #expect(status.lock == .locked && status.peers == 3 && status.tempo == 120)
        // The next beat is early by as much.
        #expect(status.errors[25] == 1 && status.errors[18] == 1)
        #expect(status.errors[21] + status.errors[22] == 6)
        _ = follower.sync.receive(LinkState(tempo: 120, beat: 100, peers: 3), at: follower.now + .milliseconds(4200))
        #expect((follower.status(later: 4200).worst ?? 9) < 0.36)
    }

    @Test("another source begins without a tempo and without errors")
    func otherSource() {
        var follower = Follower()
        follower.tick(200)
        follower.sync.source = .clock
        #expect(follower.status() == SyncStatus())
        follower.sync.source = .internal
        #expect(follower.status() == SyncStatus())
    }
}
