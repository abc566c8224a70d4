import Synth
import Testing

@Suite("The end of the tail")
struct TailTests {
    /// The delay and the reverberation at their maximum, everything sent to both at full, a dense pattern.
    private func loud(rate: Int) throws -> TestEngine {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post([
            .tempo(200), .set(SynthDelayFeedback, 90), .set(SynthDelaySteps, 1),
            .set(SynthReverbTime, 100),
        ])
        engine.post(
            Track.allCases.flatMap { track -> [SynthCommand] in
                [.set(SynthTrackDelay, 100, of: track), .set(SynthTrackReverb, 100, of: track)]
                    + (0..<12).map { .row(track, $0, .accent, on: 0..<32) }
            })
        return engine
    }

    /// The reverberation decays by 60 dB in 10 s: from full scale to 1e-7, 140 dB, in 24 s. The delay decays to 90 %
    /// every 75 ms: 140 dB in 12 s. Both are detected as silent a buffer's length later: 2 s.
    @Test(
        "with both effects at their maximum it is exactly zero within 40 s, and never subnormal",
        arguments: [44100, 48000])
    func silence(rate: Int) throws {
        let engine = try loud(rate: rate)
        engine.post([.play(), .stop(at: rate)])
        let start = engine.renderInterleaved(rate, block: 4800)
        #expect(peak(start) > 0.5)
        var seconds = 0
        var subnormal = 0
        var last: Float = 1
        while seconds < 40, last > 0 {
            let sound = engine.renderInterleaved(rate, block: 4800)
            subnormal += sound.count { $0.isSubnormal }
            last = peak(sound)
            seconds += 1
        }
        #expect(last == 0, "\(last) after \(seconds) s")
        #expect(subnormal == 0)
        #expect(seconds > 10, "the tail is as long as the settings say")
    }
}
