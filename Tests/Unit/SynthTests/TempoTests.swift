import Synth
import Testing
import TestSupport

/// The reference clock: integers, and no rounding except a step's frame, upwards. A straight step has
/// 1500 * rate units; a frame advances by the hundredths of a beat per minute.
private struct ExactClock {
    let rate: Int
    private var tempo = 12000
    private var swing = 50

    /// The frame counted up to, and its units since Play.
    private var frame = 0
    private var units = 0

    /// The start of the last step's pair, its swing, and the number of its steps begun.
    private var pair = 0
    private var pairSwing = 50
    private var begun = 0

    init(rate: Int) { self.rate = rate }

    private var pairUnits: Int { 2 * 1500 * rate }

    /// The frame on which the next step begins.
    var nextStep: Int {
        let boundary = pair + [0, pairUnits / 100 * pairSwing, pairUnits][begun]
        return frame + (boundary - units + tempo - 1) / tempo
    }

    mutating func beginStep() {
        count(to: nextStep)
        if begun == 2 {
            pair += pairUnits
            begun = 0
        }
        if begun == 0 {
            pairSwing = swing
        }
        begun += 1
    }

    mutating func apply(_ change: TempoChange) {
        count(to: change.frame)
        tempo = change.tempo
        swing = change.swing
    }

    private mutating func count(to frame: Int) {
        units += (frame - self.frame) * tempo
        self.frame = frame
    }
}

private struct TempoChange {
    let frame: Int
    /// In hundredths of a beat per minute.
    let tempo: Int
    let swing: Int
}

@Suite("The clock over an hour")
struct TempoTests {
    struct Run: CustomStringConvertible {
        let rate: Int
        let tempo: Int
        let swing: Int
        var description: String { "\(tempo) hundredths of a BPM, swing \(swing), at \(rate)" }
    }

    /// Every rate and tempo straight, and each of them with one of the swings.
    static let runs = [44100, 48000, 96000].enumerated().flatMap { row, rate in
        [2000, 9700, 12000, 17345, 30000].enumerated().flatMap { column, tempo in
            [50, [54, 58, 62, 67, 75][(row + column) % 5]].map { Run(rate: rate, tempo: tempo, swing: $0) }
        }
    }

    /// Plays for `seconds`; returns the number of steps, and the first on a wrong frame.
    private func play(
        rate: Int, seconds: Int, _ changes: [TempoChange]
    ) throws -> (steps: Int, wrong: String?) {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post(.play())
        for change in changes {
            engine.post([
                .tempo(hundredths: change.tempo, at: change.frame),
                .set(SynthSwing, change.swing, at: change.frame),
            ])
        }
        for _ in 0..<seconds / 60 {
            engine.skip(60 * rate)
            engine.readReports()
        }
        #expect(engine.counters.reports_lost == 0)
        #expect(engine.counters.commands_refused == 0)

        var clock = ExactClock(rate: rate)
        var rest = changes[...]
        let steps = engine.steps
        for (index, step) in steps.enumerated() {
            // A change on a step's own frame applies before it.
            while let change = rest.first, change.frame <= clock.nextStep {
                clock.apply(change)
                rest.removeFirst()
            }
            if step.frame != UInt64(clock.nextStep) || Int(step.step) != index % 32 {
                return (steps.count, "step \(index) is on \(step.frame), should be on \(clock.nextStep)")
            }
            clock.beginStep()
        }
        // None is missing at the end.
        #expect(rest.isEmpty)
        #expect(clock.nextStep >= seconds * rate)
        return (steps.count, nil)
    }

    @Test("no step is a frame off in an hour", arguments: runs)
    func steady(run: Run) throws {
        let (steps, wrong) = try play(
            rate: run.rate, seconds: 3600, [TempoChange(frame: 0, tempo: run.tempo, swing: run.swing)])
        #expect(wrong == nil)
        #expect(abs(steps - 240 * run.tempo / 100) <= 1)
    }

    @Test("nor with changes of tempo and swing every few seconds", arguments: [44100, 48000, 96000])
    func changing(rate: Int) throws {
        let seed = UInt64(rate)
        var random = SplitMix(seed: seed)
        var frame = 0
        let changes = (0..<500).map { _ in
            frame += Int.random(in: 1...14 * rate, using: &random)
            return TempoChange(
                frame: min(frame, 3599 * rate), tempo: Int.random(in: 2000...30000, using: &random),
                swing: Int.random(in: 50...75, using: &random))
        }
        let (steps, wrong) = try play(rate: rate, seconds: 3600, changes)
        #expect(wrong == nil, "seed \(seed)")
        #expect(steps > 4800)
    }
}
