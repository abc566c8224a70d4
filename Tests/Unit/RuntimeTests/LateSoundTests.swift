import Display
import Documents
import InputEvents
import Instrument
import Replay
import Runtime
import Testing

/// Sound that is rendered as it is heard, but for a while not at all: what was due then comes late.
private final class LateAudio: AudioOutput {
    private let engine: Engine
    private let stall: Range<Int64>
    private var rendered: UInt64 = 0

    /// Renders nothing in the milliseconds `stall`.
    init(_ engine: Engine, stall: Range<Int64>) {
        self.engine = engine
        self.stall = stall
    }

    func advance(to now: Instant) {
        let isHeldUp = stall.contains(now.microseconds / 1000)
        let end = frame(at: isHeldUp ? Instant(milliseconds: stall.lowerBound) : now)
        guard end > rendered else { return }
        engine.pass(frames: Int(end - rendered))
        rendered = end
    }

    func frame(at now: Instant) -> UInt64 { UInt64(now.microseconds) * UInt64(engine.rate) / 1_000_000 }

    func time(of frame: UInt64) -> Instant {
        Instant(microseconds: Int64((frame * 1_000_000 + UInt64(engine.rate) - 1) / UInt64(engine.rate)))
    }

    func place(at now: Instant) -> Double? { Double(frame(at: now)) }
}

private final class Dark: FrameOutput {
    func show(_ frame: Frame, at now: Instant) {}
}

@Suite("Sound that is rendered late")
struct LateSoundTests {
    /// The step and the shift in per cent of a tap on melody that is recorded at `time`.
    private func recorded(tapAt time: Int64, stall: Range<Int64>, onLanes: Bool) throws -> (step: Int, shift: Int?) {
        func touch(_ phase: Touch.Phase) -> Instrument.Event {
            .touch(Touch(contact: 0, phase: phase, column: 20, row: 7))
        }
        let events: [(at: Int64, event: Instrument.Event)] = [
            (10, .quantise(0)), (20, .record(true)), (100, .key(.playStop)), (time, touch(.down)),
            (time + 40, touch(.up)),
        ]
        let lines = events.map { TouchScript.Line(at: Instant(milliseconds: $0.at), act: .control($0.event)) }
        let script = ScriptPlayer(TouchScript(lines), columns: 44, rows: Instrument.rows)
        var session = Session()
        // A track with a lane has steps of its own.
        if onLanes { session.composition.pattern.lanes[.melody, .velocity, step: 0] = 50 }
        var instrument = Instrument()
        _ = instrument.update(.opened(session, tune: nil), at: .zero)
        let clock = VirtualClock(inputs: [script])
        let engine = try #require(Engine(rate: 48_000))
        let loop = Loop(
            instrument: instrument, engine: engine, audio: LateAudio(engine, stall: stall), panel: Dark(), clock: clock,
            controls: [script.keyboard])
        loop.run(until: Instant(milliseconds: 3000))
        let pattern = loop.instrument.state.session.composition.pattern
        let steps = (0..<pattern.length(of: .melody)).filter { step in
            (0..<12).contains { [.normal, .accent].contains(pattern[.melody, note: $0, step: step]) }
        }
        let step = try #require(steps.count == 1 ? steps.first : nil)
        return (step, pattern.lanes[.melody, .shift, step: step])
    }

    @Test("a tap is recorded where it was heard, although its step was reported late", arguments: [false, true])
    func taps(onLanes: Bool) throws {
        for time: Int64 in stride(from: 1060, to: 1320, by: 13) {
            let wanted = try recorded(tapAt: time, stall: 0..<0, onLanes: onLanes)
            for end: Int64 in [1150, 1190, 1230] where end <= time {
                let late = try recorded(tapAt: time, stall: 1040..<end, onLanes: onLanes)
                #expect(
                    late.step == wanted.step && late.shift == wanted.shift, "a tap at \(time), after \(end): \(late)")
            }
        }
    }
}
