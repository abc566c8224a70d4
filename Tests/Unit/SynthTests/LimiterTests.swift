import Glibc
import SignalAnalysis
import Synth
import SynthProbe
import Testing
import TestSupport

@Suite("The limiter by itself")
struct LimiterTests {
    /// An input at full scale.
    struct Input: CustomStringConvertible {
        let description: String
        let left: [Float]
        let right: [Float]
        /// Allowed overshoot in decibels between the samples.
        let overshoot: Double

        init(_ description: String, left: [Float], right: [Float]? = nil, overshoot: Double = 0) {
            self.description = description
            self.left = left
            self.right = right ?? left
            self.overshoot = overshoot
        }
    }

    private static let frames = 9600

    /// Frequencies as fractions of the rate. At a quarter and 45° every sample is 3 dB below the peaks between samples.
    private static func sine(_ frequency: Double, degrees: Double = 0) -> [Float] {
        (0..<frames).map { frame -> Float in
            let turns: Double = frequency * Double(frame) + degrees / 360
            return Float(sin(2 * Double.pi * turns))
        }
    }

    private static func noise(seed: UInt64) -> [Float] {
        var random = SplitMix(seed: seed)
        return (0..<frames).map { _ in Float.random(in: -1...1, using: &random) }
    }

    /// Noise up to 0.4 of the rate: 63 taps of a windowed sinc.
    private static func audibleNoise(seed: UInt64) -> [Float] {
        let taps = (-31...31).map { tap -> Float in
            let x = Double(tap)
            let sinc = tap == 0 ? 0.8 : sin(0.8 * .pi * x) / (.pi * x)
            return Float(sinc * (0.5 + 0.5 * cos(.pi * x / 32)))
        }
        let white = noise(seed: seed)
        return white.indices.map { frame in
            guard frame >= taps.count else { return 0 }
            return taps.indices.reduce(0) { $0 + taps[$1] * white[frame - $1] }
        }
    }

    /// Fades in and out over 10 ms.
    private static func faded(_ sound: [Float]) -> [Float] {
        sound.enumerated().map { $1 * min(1, Float(min($0, frames - $0)) / 480) }
    }

    private static func alternating(_ size: Float, period: Int) -> [Float] {
        (0..<frames).map { $0 % period < period / 2 ? size : -size }
    }

    private static let silence = [Float](repeating: 0, count: frames)

    static let inputs: [Input] = {
        let burst = sine(0.25, degrees: 45).enumerated().map { $0 % 1000 < 50 ? $1 : 0 }
        return [
            Input("a quarter of the rate between the samples", left: sine(0.25, degrees: 45)),
            Input("a third of the rate", left: sine(1.0 / 3, degrees: 30)),
            Input("a sixth of the rate between the samples", left: sine(1.0 / 6, degrees: 30)),
            Input("0.4 of the rate", left: sine(0.4)),
            Input("0.45 of the rate", left: faded(sine(0.45))),
            Input("0.49 of the rate", left: faded(sine(0.49))),
            Input("100 Hz", left: sine(100.0 / 48000)),
            Input("bursts", left: burst),
            Input("noise", left: audibleNoise(seed: 1)),
            Input("two noises", left: audibleNoise(seed: 2), right: audibleNoise(seed: 3)),
            Input("a square of 240 Hz", left: alternating(1, period: 200)),
            Input("a tone on the left only", left: sine(0.25, degrees: 45), right: silence),
            Input("noise on the right only", left: silence, right: audibleNoise(seed: 4)),
            // Its 12 taps miss the last tenth below half the rate, which a converter also attenuates.
            Input("white noise", left: noise(seed: 5), overshoot: 1.2),
            Input("every sample the other sign", left: faded(alternating(1, period: 2))),
        ]
    }()

    @Test("full scale is never exceeded, on or between the samples", arguments: inputs, [1, 4] as [Float])
    func truePeaks(input: Input, gain: Float) throws {
        let limiter = try TestLimiter()
        let (left, right) = limiter.run(left: input.left.map { $0 * gain }, right: input.right.map { $0 * gain })
        for side in [left, right] {
            #expect(peak(side) <= 1)
            let between = truePeak(side)
            #expect(decibels(between) <= input.overshoot, "\(input) × \(gain): \(decibels(between)) dB")
        }
        // It limits without muting.
        #expect(max(peak(left), peak(right)) > 0.5)
    }

    @Test("both channels have one gain: the stereo image is kept", arguments: [0.25, 0.5, 1] as [Float])
    func image(ratio: Float) throws {
        let limiter = try TestLimiter()
        let loud = Self.noise(seed: 5).map { $0 * 3 }
        // Scaling by a power of two is exact, also through a common gain.
        let (left, right) = limiter.run(left: loud, right: loud.map { $0 * ratio })
        #expect(peak(left) < 1)
        #expect(zip(left, right).allSatisfy { $0 * ratio == $1 })
    }

    @Test("a loud left turns a quiet right down by as much")
    func commonGain() throws {
        let limiter = try TestLimiter()
        let loud = Self.sine(0.01).map { $0 * 4 }
        let quiet = Self.sine(0.013).map { $0 * 0.125 }
        let (left, right) = limiter.run(left: loud, right: quiet)
        var largest: Float = 0
        for frame in TestLimiter.delay..<Self.frames {
            // The gain of each channel, in one frame.
            let input = frame - TestLimiter.delay
            largest = max(largest, abs(left[frame] * quiet[input] - right[frame] * loud[input]))
        }
        // Products up to 0.5, each rounded three times.
        #expect(largest < 2e-7, "\(largest)")
        #expect(peak(right[4000...]) < 0.06)
    }

    /// Peaks of noise at 0.42 stay below the ceiling between samples too; a slow sine's peaks are on its samples.
    @Test("below the ceiling the output is the input, to the bit, delayed")
    func transparent() throws {
        for input in [Self.noise(seed: 6).map { $0 * 0.42 }, Self.sine(0.002).map { $0 * 0.89 }] {
            let limiter = try TestLimiter()
            let output = limiter.run(input)
            #expect(output[..<TestLimiter.delay].allSatisfy { $0 == 0 })
            #expect(output.dropFirst(TestLimiter.delay) == input.dropLast(TestLimiter.delay))
        }
    }

    @Test("after a loud passage the gain returns to exactly 1, within 2 s", arguments: [44100, 48000, 96000])
    func recovers(rate: Int) throws {
        let limiter = try TestLimiter(rate: UInt32(rate))
        _ = limiter.run(Self.noise(seed: 7).map { $0 * 8 })
        // Meanwhile it is below 1: the same quiet noise comes out smaller.
        let quiet = Self.noise(seed: 8).map { $0 * 0.25 }
        let early = limiter.run(quiet)
        #expect(early[TestLimiter.delay] != quiet[0])
        _ = limiter.run([Float](repeating: 0, count: 2 * rate))
        #expect(limiter.isAtRest)
        let late = limiter.run(quiet)
        #expect(late.dropFirst(TestLimiter.delay) == quiet.dropLast(TestLimiter.delay))
    }
}
