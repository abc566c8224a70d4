import InputEvents
import Testing

@testable import Input

@Suite("The status of a source")
struct SyncStatusTests {
    private var sync = Synchroniser(source: .midi)
    private var now = Instant(milliseconds: 1000)

    /// Ticks of 125 BPM, each `offsets` microseconds late.
    private mutating func tick(_ offsets: [Int64]) {
        for offset in offsets {
            _ = sync.take(MIDIMessage.clock, at: now + Instant.Span(microseconds: offset))
            now = now + .milliseconds(20)
        }
    }

    private mutating func tick(_ count: Int) { tick(Array(repeating: 0, count: count)) }

    @Test("a source waits, settles within twelve ticks, and is locked")
    mutating func locks() {
        #expect(sync.status(at: now) == SyncStatus())
        tick(1)
        #expect(sync.status(at: now).lock == .settling && sync.status(at: now).tempo == nil)
        tick(10)
        #expect(sync.status(at: now).lock == .settling && sync.status(at: now).errors.isEmpty)
        tick(2)
        let status = sync.status(at: now)
        #expect(status.lock == .locked && status.tempo == 125 && status.missing == 0)
    }

    @Test("the column of an error is its size: 0.1 ms each, about the middle; the outer columns have those beyond")
    mutating func columns() {
        tick(300)
        // Steady ticks have no error: they are in the column right of the middle.
        #expect(sync.status(at: now).errors.enumerated().filter { $1 > 0 }.map(\.offset) == [22])
        for (offset, column) in [(750, 29), (-750, 14), (3000, 43), (-3000, 0), (2150, 43), (-2150, 0)]
            as [(Int64, Int)]
        {
            let before = sync.status(at: now).errors[column]
            tick([offset])
            // The loop follows an error by a small part, so that the next tick stays near the middle.
            #expect(sync.status(at: now).errors[column] == before + 1, "\(offset) µs")
            tick(30)
        }
    }

    @Test(
        "two sizes in turn: rms and the largest error are those of the arithmetic, and all ticks of four seconds count")
    mutating func jitter() {
        tick(400)
        tick((0..<600).map { $0 % 2 == 0 ? 600 : -600 })
        let status = sync.status(at: now)
        let columns = status.errors.enumerated().filter { $1 > 0 }.map(\.offset)
        #expect(columns.allSatisfy { (15...17).contains($0) || (27...29).contains($0) }, "\(columns)")
        #expect((199...201).contains(status.errors.reduce(0) { $0 + Int($1) }))
        #expect(abs((status.rms ?? 0) - 0.6) < 0.02 && abs((status.worst ?? 0) - 0.6) < 0.05)
    }

    @Test("errors are kept for four seconds, and no longer")
    mutating func memory() {
        tick(200)
        tick([1500])
        let late = now
        tick(100)
        #expect((sync.status(at: late + .milliseconds(3900)).worst ?? 0) > 1.4)
        #expect((sync.status(at: late + .milliseconds(4100)).worst ?? 0) < 0.2)
        #expect(sync.status(at: now + .milliseconds(5000)).errors.isEmpty)
        #expect(sync.status(at: now + .milliseconds(5000)).rms == nil)
    }

    @Test("a source is lost after half a second, keeps its tempo, and is locked again when it returns")
    mutating func lost() {
        tick(200)
        #expect(sync.status(at: now + .milliseconds(470)).lock == .locked)
        let lost = sync.status(at: now + .milliseconds(490))
        #expect(lost.lock == .lost && lost.tempo == 125)
        now = now + .milliseconds(3000)
        tick(1)
        #expect(sync.status(at: now).lock == .locked)
        #expect(sync.status(at: now).missing == 150)
    }

    @Test("ticks that did not arrive are counted")
    mutating func missing() {
        tick(100)
        for _ in 0..<5 {
            now = now + .milliseconds(20)
            tick(20)
        }
        #expect(sync.status(at: now).missing == 5 && sync.status(at: now).lock == .locked)
    }

    @Test("the source's own tempo is shown, also outside those of the box", arguments: [(10, 250.0), (60, 41.7)])
    mutating func tempo(milliseconds: Int64, bpm: Double) {
        for _ in 0..<100 {
            _ = sync.take(MIDIMessage.clock, at: now)
            now = now + .milliseconds(milliseconds)
        }
        #expect(abs((sync.status(at: now).tempo ?? 0) - bpm) < 0.1)
        let steering = sync.steering(at: Double(now.microseconds))
        #expect(Synchroniser.tempos.contains(steering?.tempo ?? 0))
    }

    @Test("Link waits for other members, counts them, and measures how late its beats are")
    mutating func link() {
        sync.source = .link
        #expect(sync.status(at: now).lock == .waiting)
        _ = sync.take(LinkState(tempo: 120, beat: 0, peers: 0), at: now)
        #expect(sync.status(at: now).lock == .waiting && sync.status(at: now).tempo == 120)
        // Half a second is one beat; 0.35 ms later it is 0.0007 less.
        for beat in 1...8 {
            let offset = Instant.Span(microseconds: beat == 4 ? 350 : 0)
            let state = LinkState(tempo: 120, beat: Double(beat), peers: 3)
            _ = sync.take(state, at: now + .milliseconds(500 * Int64(beat)) + offset)
        }
        let status = sync.status(at: now + .milliseconds(4100))
        #expect(status.lock == .locked && status.peers == 3 && status.tempo == 120)
        // The next beat is early by as much.
        #expect(status.errors[25] == 1 && status.errors[18] == 1)
        #expect(status.errors[21] + status.errors[22] == 6)
        _ = sync.take(LinkState(tempo: 120, beat: 100, peers: 3), at: now + .milliseconds(4200))
        #expect((sync.status(at: now + .milliseconds(4200)).worst ?? 9) < 0.36)
    }

    @Test("another source begins without a tempo and without errors")
    mutating func otherSource() {
        tick(200)
        sync.source = .clock
        #expect(sync.status(at: now) == SyncStatus())
        sync.source = .internal
        #expect(sync.status(at: now) == SyncStatus())
    }
}
