import Glibc
import Synth
import Testing

@Suite("The delay")
struct DelayTests {
    /// The delay's output alone: the sound with it minus the sound without it.
    private func repeats(_ commands: [SynthCommand], frames: Int, rate: UInt32 = 48_000) throws -> [[Float]] {
        let wet = try drum(5, [.set(SynthTrackDelay, 100, of: .rhythm)] + commands, frames: frames, rate: rate)
        let dry = try drum(5, [], frames: frames, rate: rate)
        return zip(wet, dry).map { zip($0, $1).map { $0 - $1 } }
    }

    private func first(_ sound: [Float], over level: Float = 1e-4) -> Int? { sound.firstIndex { abs($0) > level } }

    @Test(
        "the interval of repeats is the steps' time, to the sample", arguments: [44_100, 48_000, 96_000] as [UInt32],
        [(60, 8), (97, 3), (120, 1), (200, 5)])
    func time(rate: UInt32, setting: (bpm: UInt32, steps: Int)) throws {
        let wet = try repeats(
            [.tempo(setting.bpm), .set(SynthDelaySteps, setting.steps), .set(SynthDelayFeedback, 0)],
            frames: 3 * Int(rate), rate: rate)
        let dry = try drum(5, [], frames: Int(rate), rate: rate)
        let exact = Double(rate) * 15 * Double(setting.steps) / Double(setting.bpm)
        let start = try #require(first(dry[0]))
        let found = try #require(first(wet[0]))
        #expect(abs(Double(found - start) - exact) <= 2, "\(found - start) instead of \(exact)")
        // It is the sound itself, half way to the left at constant power.
        let shift = Int(exact.rounded())
        for (side, gain) in zip(wet, [cos(Double.pi / 8), sin(Double.pi / 8)]) {
            let error = zip(side[shift...], dry[0]).reduce(0) { max($0, abs(Double($1.0) - gain * Double($1.1))) }
            #expect(error < 1e-6, "\(error)")
        }
    }

    @Test("each repeat is softer by the feedback and on the other side", arguments: [35, 60, 90])
    func feedback(percent: Int) throws {
        let wet = try repeats(
            [.set(SynthDelaySteps, 2), .set(SynthDelayFeedback, percent)], frames: 12_000 * 8)
        func power(_ side: Int, _ number: Int) -> Double {
            rms(wet[side][(12_000 * number)..<(12_000 * number + 4800)])
        }
        for number in 1..<7 {
            let near = number % 2 == 1 ? 0 : 1
            #expect(abs(decibels(power(near, number) / power(1 - near, number)) - 7.66) < 0.1)
            let next = power(1 - near, number + 1 < 8 ? number + 1 : number)
            // The loop's low-pass at 5 kHz attenuates a sound of 800 Hz a little.
            let ratio = decibels(next / power(near, number) / (Double(percent) / 100))
            #expect(number == 6 || (-0.6...0).contains(ratio), "\(number): \(ratio) dB")
        }
    }

    @Test("a change of tempo or of the steps crossfades to the new time")
    func newTime() throws {
        let engine = try TestEngine()
        engine.post([
            .set(SynthTrackDelay, 100, of: .melody), .set(SynthDelayFeedback, 80),
            .audition(.melody, 0, velocity: 2, steps: 32), .tempo(143, at: 40_000),
            .set(SynthDelaySteps, 1, at: 41_000),
            .set(SynthDelaySteps, 8, at: 41_100), .tempo(60, at: 60_000),
        ])
        let (left, right) = engine.renderStereo(120_000, block: 100)
        // A steady note of 261 Hz is as smooth at any delay. The sum of its repeats is less than 1 / (1 - 0.8) of it.
        let plain = try TestEngine()
        plain.post(.audition(.melody, 0, velocity: 2, steps: 32))
        let allowed = roughness(plain.render(120_000)) * 5
        #expect(roughness(left) < allowed && roughness(right) < allowed)
    }

    @Test("it ends in exact silence, without denormal numbers", arguments: [0, 90])
    func end(feedback: Int) throws {
        let engine = try TestEngine()
        engine.post([
            .set(SynthTrackDelay, 100, of: .rhythm), .set(SynthDelaySteps, 1), .tempo(200),
            .set(SynthDelayFeedback, feedback), .audition(.rhythm, 5, velocity: 2),
        ])
        let sound = engine.render(48_000 * 12)
        #expect(!sound.contains { $0.isSubnormal })
        #expect(peak(sound.suffix(48_000)) == 0)
        #expect(peak(sound[..<48_000]) > 0.05)
    }
}
