import Glibc
import Synth
import Testing

/// The stereo sound of a drum with the effects. The controls were set long before.
private func drum(
    _ drum: Int, _ commands: [SynthCommand], frames: Int, rate: UInt32 = 48_000
) throws -> [[Float]] {
    let engine = try TestEngine(rate: rate)
    engine.post(commands)
    engine.skip(Int(rate) / 10)
    engine.post(.audition(.rhythm, drum, velocity: 2))
    let (left, right) = engine.renderStereo(frames + engine.latency)
    return [Array(left[engine.latency...]), Array(right[engine.latency...])]
}

// The rimshot, drum 5, is 50 ms long; the snare, drum 3, has all frequencies.

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

@Suite("The reverberation")
struct ReverbTests {
    private func reverberation(_ tenths: Int, rate: UInt32 = 48_000, seconds: Double) throws -> [[Float]] {
        let commands: [SynthCommand] = [
            .set(SynthTrackReverb, 100, of: .rhythm), .set(SynthReverbTime, tenths),
        ]
        let frames = Int(seconds * Double(rate))
        let wet = try drum(5, commands, frames: frames, rate: rate)
        let dry = try drum(5, [], frames: frames, rate: rate)
        return zip(wet, dry).map { zip($0, $1).map { $0 - $1 } }
    }

    /// Seconds for 60 dB, measured on Schroeder's backward integral from -5 dB to -25 dB (T20 of ISO 3382).
    private func decayTime(_ sound: [Float], rate: Double) -> Double {
        var sum = 0.0
        var left: [Double] = []
        for sample in sound.reversed() {
            sum += Double(sample) * Double(sample)
            left.append(sum)
        }
        left.reverse()
        func time(_ level: Double) -> Double {
            Double(left.firstIndex { 10 * log10($0 / sum) < level } ?? left.count) / rate
        }
        return 3 * (time(-25) - time(-5))
    }

    @Test(
        "falls by 60 dB in its time", arguments: [44_100, 48_000, 96_000] as [UInt32],
        [(5, 0.5), (20, 2.0), (60, 6.0)])
    func time(rate: UInt32, setting: (tenths: Int, seconds: Double)) throws {
        let sound = try reverberation(setting.tenths, rate: rate, seconds: 1.5 * setting.seconds)
        for side in sound {
            let found = decayTime(side, rate: Double(rate))
            // The all-passes before the delay lines lengthen a short decay, the treble's faster decay shortens a long one.
            #expect((0.8...1.2).contains(found / setting.seconds), "\(found) s instead of \(setting.seconds)")
        }
    }

    @Test("the channels are different but equally loud, and dense: no single echo is prominent")
    func sides() throws {
        let commands: [SynthCommand] = [.set(SynthTrackReverb, 100, of: .rhythm), .set(SynthReverbTime, 20)]
        let wet = try drum(3, commands, frames: 48_000)
        let dry = try drum(3, [], frames: 48_000)
        let both = zip(wet, dry).map { zip($0, $1).map { $0 - $1 }[4800...] }.map(Array.init)
        #expect(abs(decibels(rms(both[0]) / rms(both[1]))) < 1)
        let product = zip(both[0], both[1]).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        let correlation = product / Double(both[0].count) / (rms(both[0]) * rms(both[1]))
        #expect(abs(correlation) < 0.3, "\(correlation)")
        // After 100 ms the peak of every 50 ms is within 14 dB of their mean: noise has 12, a single echo 25.
        for start in stride(from: 0, to: 38_400, by: 2400) {
            let part = both[0][start..<(start + 2400)]
            #expect(decibels(Double(peak(part)) / rms(part)) < 14)
        }
    }

    @Test("is equally loud with any time", arguments: [5, 20, 60])
    func loudness(tenths: Int) throws {
        // The output's energy against the input's, for a snare, whose noise has all frequencies.
        let commands: [SynthCommand] = [.set(SynthTrackReverb, 100, of: .rhythm), .set(SynthReverbTime, tenths)]
        let frames = 48_000 + 4800 * tenths
        let dry = try drum(3, [], frames: frames)[0]
        let wet = zip(try drum(3, commands, frames: frames)[0], dry).map { $0 - $1 }
        let level = decibels(rms(wet) / rms(dry))
        #expect((-10 ... -5).contains(level), "\(level) dB")
    }

    @Test("it ends in exact silence, without denormal numbers")
    func end() throws {
        let sound = try reverberation(3, seconds: 3)
        #expect(!sound.joined().contains { $0.isSubnormal })
        #expect(peak(sound.joined().suffix(4800)) == 0)
    }
}
