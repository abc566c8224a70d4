import Display
import InputEvents
import Instrument
import Runtime
import Synchronization
import Testing

/// A clock that runs as fast as the loop.
private final class FastClock: LoopClock {
    private let time = Mutex(Instant.zero)
    var now: Instant { time.withLock { $0 } }
    func wait(until deadline: Instant) { time.withLock { $0 = max($0, deadline) } }
    func wake() {}
}

/// Actions at given times.
private final class Script: ControlSource {
    private var rest: [ControlEvent]
    private let clock: FastClock

    init(_ events: [(milliseconds: Int64, event: Instrument.Event)], _ clock: FastClock) {
        rest = events.map { ControlEvent(time: Instant(milliseconds: $0.milliseconds), event: $0.event) }
        self.clock = clock
    }

    func read(into events: inout [ControlEvent]) {
        while let next = rest.first, next.time <= clock.now { events.append(rest.removeFirst()) }
    }
}

private final class NoAudio: AudioOutput {
    func advance(to now: Instant) {}
    func frame(at now: Instant) -> UInt64 { 0 }
    func time(of frame: UInt64) -> Instant { .zero }
    func place(at now: Instant) -> Double? { nil }
}

private final class NoPanel: FrameOutput {
    func show(_ frame: Frame, at now: Instant) {}
}

@Suite("Switching off")
struct SwitchingOffTests {
    static let courses: [(events: [(milliseconds: Int64, event: Instrument.Event)], endsAt: Int64?)] = [
        ([(100, .power), (2000, .power)], 2000), ([(100, .power), (5200, .power)], nil),
        ([(100, .power), (1000, .key(.playStop)), (2000, .power)], nil),
        ([(100, .power), (10_100, .powerOff)], 10_100),
        ([(100, .power)], nil),
    ]

    @Test("the loop ends when the box is switched off, and reports it; else it continues", arguments: courses)
    func loop(course: (events: [(milliseconds: Int64, event: Instrument.Event)], endsAt: Int64?)) throws {
        let clock = FastClock()
        let engine = try #require(Engine(rate: 48_000))
        let loop = Loop(
            instrument: Instrument(), engine: engine, audio: NoAudio(), panel: NoPanel(), clock: clock,
            controls: [Script(course.events, clock)])
        loop.run(until: Instant(milliseconds: 12_000))
        #expect(loop.isSwitchedOff == (course.endsAt != nil))
        let end = Instant(milliseconds: course.endsAt ?? 12_000)
        // It is noticed in the next pass; this clock cannot be woken.
        #expect(clock.now >= end && clock.now - end < .milliseconds(101))
    }
}
