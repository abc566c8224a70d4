import InputEvents
import Display
import Formats
import Instrument
import Replay
import Runtime
import Synchronization
import Testing

/// A clock that runs as fast as the loop.
private final class FastClock: Clock {
    private let time = Mutex(Instant.zero)
    var now: Instant { time.withLock { $0 } }
    func wait(until deadline: Instant) { time.withLock { $0 = max($0, deadline) } }
    func wake() {}
}

/// Actions at given times.
private final class Script: ControlSource {
    private var rest: [ControlEvent]
    private let clock: FastClock

    init(_ events: [(milliseconds: Int64, event: Event)], _ clock: FastClock) {
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
}

private final class NoPanel: FrameOutput {
    func show(_ frame: Frame, at now: Instant) {}
}

@Suite("Switching off")
struct SwitchingOffTests {
    static let courses: [(events: [(milliseconds: Int64, event: Event)], endsAt: Int64?)] = [
        ([(100, .power), (2000, .power)], 2000), ([(100, .power), (5200, .power)], nil),
        ([(100, .power), (1000, .key(.playStop)), (2000, .power)], nil),
        ([(100, .power), (10_100, .powerOff)], 10_100),
        ([(100, .power)], nil),
    ]

    @Test("the loop ends when the box is switched off, and reports it; else it continues", arguments: courses)
    func loop(course: (events: [(milliseconds: Int64, event: Event)], endsAt: Int64?)) throws {
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

@Suite("The master volume")
struct VolumeTests {
    /// The peak of a kick played with `volume`.
    private func peak(volume: Int, turned: Int? = nil) throws -> Float {
        let engine = try #require(Engine(rate: 48_000))
        var instrument = Instrument(volume: volume)
        if let turned { _ = instrument.update(.turn(.volume, by: turned), at: .zero) }
        engine.synchronise(with: instrument.state, [], at: 0)
        var samples = [Float](repeating: 0, count: 48_000)
        // The volume glides: it arrives before the kick.
        samples.withUnsafeMutableBufferPointer { engine.render(into: $0) }
        let kick = Effect.audition([Effect.Note(track: .rhythm, note: 0, velocity: 2, steps: 1)])
        engine.synchronise(with: instrument.state, [kick], at: 0)
        samples.withUnsafeMutableBufferPointer { engine.render(into: $0) }
        return samples.reduce(0) { max($0, abs($1)) }
    }

    @Test("the sound follows the state's volume, from the start and when it changes")
    func followed() throws {
        let full = try peak(volume: 100)
        let half = try peak(volume: 50)
        let turned = try peak(volume: 100, turned: -50)
        let silent = try peak(volume: 30, turned: -30)
        #expect(full > 0.01)
        #expect(half > 0.2 * full && half < 0.8 * full)
        #expect(turned == half)
        #expect(silent < 1e-4)
    }
}
