import Synth
import Testing

@Suite("The sequencer's clock")
struct ClockTests {
    static let tempos: [UInt32] = [20, 60, 61, 97, 119, 120, 133, 199, 200, 300]

    @Test("step k begins on frame ceil(k * rate * 15 / BPM) after Play", arguments: [44100, 48000, 96000], tempos)
    func stepsBeginOnTheirExactFrame(rate: Int, bpm: UInt32) throws {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post([.tempo(bpm), .play(at: 1234)])
        engine.render(2 * rate, block: 333)
        #expect(engine.steps.count >= 3)
        for (k, step) in engine.steps.enumerated() {
            let units = k * rate * 15
            let frame = 1234 + (units + Int(bpm) - 1) / Int(bpm)
            #expect(step.frame == UInt64(frame))
            #expect(Int(step.step) == k % 32)
        }
    }

    @Test("a tempo change keeps the phase within the step")
    func tempoChangeKeepsPhase() throws {
        let engine = try TestEngine()
        // At 120 BPM a step is 6000 frames. After 4500 (three quarters) the last quarter is at 60 BPM: 3000 frames.
        engine.post([.tempo(120), .play(), .tempo(60, at: 4500), .tempo(200, at: 7500 + 6001)])
        engine.render(24000, block: 100)
        // Then 6001 of 12000 frames at 60 BPM leave 5999 * 60 units: at 200 BPM ceil(1799.7) frames.
        #expect(Array(engine.steps.map(\.frame).prefix(4)) == [0, 7500, 15301, 18901])
    }

    @Test("a tempo change on a step's frame does not repeat or lose the step")
    func tempoChangeOnStep() throws {
        let engine = try TestEngine()
        engine.post([.play(), .tempo(60, at: 6000)])
        engine.render(30000)
        #expect(engine.steps.map(\.frame) == [0, 6000, 18000])
    }

    @Test("a tempo outside 20-300 counts as the nearest limit", arguments: [(0, 36000), (19, 36000), (900, 2400)])
    func tempoIsClamped(bpm: UInt32, frames: UInt64) throws {
        let engine = try TestEngine()
        engine.post([.tempo(bpm), .play()])
        engine.render(37000)
        #expect(engine.steps[1].frame == frames)
    }

    @Test("the pattern repeats after its length", arguments: [1, 8, 12, 31, 32] as [UInt32])
    func repeatsAfterLength(length: UInt32) throws {
        let engine = try TestEngine()
        engine.post([.tempo(200), .length(length), .play()])
        engine.render(3600 * 40)
        #expect(engine.steps.map { UInt32($0.step) } == (0..<40).map { $0 % length })
    }

    @Test("a step beyond a shortened end is followed by the first")
    func shorteningWraps() throws {
        let engine = try TestEngine()
        engine.post([.tempo(200), .play(), .length(8, at: 3600 * 20 + 5), .length(16, at: 3600 * 30)])
        engine.render(3600 * 48)
        let expected = Array(0...20) + Array(0...7) + Array(0...15) + Array(0...2)
        #expect(engine.steps.map { Int($0.step) } == expected)
    }

    @Test("Play while playing starts again at step 0 on its frame")
    func playRestarts() throws {
        let engine = try TestEngine()
        engine.post([.play(), .play(at: 13001)])
        engine.render(20000)
        #expect(engine.steps.map(\.frame) == [0, 6000, 12000, 13001, 19001])
        #expect(engine.steps.map(\.step) == [0, 1, 2, 0, 1])
    }

    @Test("Stop ends the steps, and Play begins with step 0 again")
    func stopAndPlay() throws {
        let engine = try TestEngine()
        engine.post([.play(), .stop(at: 12000), .play(at: 30000)])
        engine.render(37000)
        #expect(engine.steps.map(\.frame) == [0, 6000, 30000, 36000])
        #expect(engine.steps.map(\.step) == [0, 1, 0, 1])
    }
}
