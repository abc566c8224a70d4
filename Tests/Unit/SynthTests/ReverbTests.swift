import Glibc
import Synth
import Testing

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
            // The all-passes before the delay lines lengthen a short decay, the treble's faster decay shortens a long
            // one.
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
