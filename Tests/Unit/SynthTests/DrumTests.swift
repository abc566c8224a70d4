import Glibc
import Synth
import Testing
import TestSupport

@Suite("Drums")
struct DrumTests {
    /// The tonal part of a drum.
    struct Tone {
        var shape = Shape.sine
        let from: Double
        var to: Double?
        var sweep = 0.0
        let gain: Double
        let decay: Double

        /// The tone's samples until its end.
        func samples(velocity: Int, rate: Double) -> [Double] {
            var turns = 0.0
            let harmonics = shape == .sine ? 1 : Int(24000 / from)
            return (0..<Int((decay * rate).rounded())).map { frame in
                let time = Double(frame) / rate
                let hertz = to.map { $0 < from && time < sweep ? from * pow($0 / from, time / sweep) : $0 } ?? from
                let value = shape.value(at: turns, harmonics: harmonics)
                turns += hertz / rate
                return value * fall(from: gain * 0.15 * Double(velocity), decay: decay, at: time) * makeUp
            }
        }
    }

    /// The noise part of a drum.
    struct Noise {
        var delays = [0.0]
        let length: Double
        let filter: Biquad.Kind
        let hertz: Double
        var q = oneDecibel
        let gain: Double
        let decay: Double

        /// The noise's samples for a generator of even numbers in -1...1.
        func samples(frames: Int, rate: Double, random: () -> Double) -> [Double] {
            var sum = [Double](repeating: 0, count: frames)
            for delay in delays {
                var filter = Biquad(filter, hertz: hertz, q: q, rate: rate)
                for frame in Int((delay * rate).rounded())..<frames {
                    let time = Double(frame) / rate - delay
                    let noise = filter(time < length ? random() : 0)
                    sum[frame] += noise * fall(from: gain * 0.15, decay: decay, at: time) * makeUp
                    if time > length + 0.005 {
                        break
                    }
                }
            }
            return sum
        }
    }

    struct Drum: CustomStringConvertible {
        let note: Int
        let description: String
        var tones: [Tone] = []
        var noise: Noise?
        let seconds: Double
    }

    static let drums = [
        Drum(
            note: 0, description: "kick", tones: [Tone(from: 150, to: 30, sweep: 0.1, gain: 1.5, decay: 0.3)],
            seconds: 0.3),
        Drum(
            note: 1, description: "kick 2", tones: [Tone(from: 120, to: 30, sweep: 0.1, gain: 1.5, decay: 0.3)],
            seconds: 0.3),
        Drum(
            note: 2, description: "low tom", tones: [Tone(from: 100, to: 60, sweep: 0.15, gain: 1, decay: 0.25)],
            seconds: 0.25),
        Drum(
            note: 3, description: "snare", tones: [Tone(from: 180, gain: 0.5, decay: 0.08)],
            noise: Noise(length: 0.15, filter: .highPass, hertz: 1000, gain: 0.8, decay: 0.15), seconds: 0.15),
        Drum(
            note: 4, description: "snare 2", tones: [Tone(from: 200, gain: 0.5, decay: 0.08)],
            noise: Noise(length: 0.15, filter: .highPass, hertz: 1500, gain: 0.8, decay: 0.15), seconds: 0.15),
        Drum(
            note: 5, description: "rimshot", tones: [Tone(shape: .triangle, from: 800, gain: 0.5, decay: 0.05)],
            seconds: 0.05),
        Drum(
            note: 6, description: "clap",
            noise: Noise(
                delays: [0, 0.015, 0.03], length: 0.02, filter: .bandPass, hertz: 1200, q: 1, gain: 0.6, decay: 0.1),
            seconds: 0.05),
        Drum(
            note: 7, description: "closed hat",
            noise: Noise(length: 0.05, filter: .highPass, hertz: 7000, gain: 0.4, decay: 0.05), seconds: 0.05),
        Drum(
            note: 8, description: "open hat",
            noise: Noise(length: 0.3, filter: .highPass, hertz: 6000, gain: 0.35, decay: 0.25), seconds: 0.3),
        Drum(
            note: 9, description: "crash",
            noise: Noise(length: 0.6, filter: .highPass, hertz: 4000, gain: 0.5, decay: 0.5), seconds: 0.6),
        Drum(
            note: 10, description: "ride",
            tones: [
                Tone(shape: .triangle, from: 350, gain: 0.25, decay: 0.4), Tone(from: 620, gain: 0.25, decay: 0.4),
            ], seconds: 0.4),
        Drum(
            note: 11, description: "cowbell",
            tones: [
                Tone(shape: .square, from: 560, gain: 0.25, decay: 0.15),
                Tone(shape: .square, from: 845, gain: 0.25, decay: 0.15),
            ], seconds: 0.15),
    ]

    // Swift 6.0 crashes on a closure among a test's arguments.
    static let tonal = drums.filter { $0.noise == nil }
    static let noisy = drums.filter { $0.noise != nil }

    private func hit(_ drum: Drum, velocity: UInt8 = 1, rate: Int = 48000) throws -> [Float] {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post(.audition(.rhythm, drum.note, velocity: velocity))
        return Array(engine.render(rate * 7 / 10)[engine.latency...])
    }

    @Test(
        "a drum of tones follows the recipe sample by sample",
        arguments: tonal, [(48000, 1), (48000, 2), (44100, 1), (96000, 1)])
    func tones(drum: Drum, setting: (rate: Int, velocity: Int)) throws {
        let sound = try hit(drum, velocity: UInt8(setting.velocity), rate: setting.rate)
        let parts = drum.tones.map { $0.samples(velocity: setting.velocity, rate: Double(setting.rate)) }
        let reference = parts[0].indices.map { frame in parts.reduce(0) { $0 + $1[frame] } }
        let largest = reference.reduce(0) { max($0, abs($1)) }
        let error = zip(sound, reference).reduce(0) { max($0, abs(Double($1.0) - $1.1)) }
        // A square has 6 % of its peak in the harmonics above 19 kHz, some of which may be missing.
        let allowance = drum.tones.contains { $0.shape == .square } ? 0.1 : 0.01
        #expect(error < allowance * largest, "\(decibels(error / largest)) dB from the recipe")
        let level = (reference.reduce(0) { $0 + $1 * $1 } / Double(reference.count)).squareRoot()
        #expect(abs(decibels(rms(sound[..<reference.count]) / level)) < 0.1)
    }

    @Test("a drum is as long as its recipe and then silent", arguments: drums)
    func lengths(drum: Drum) throws {
        let sound = try hit(drum)
        let last = try #require(sound.lastIndex { abs($0) > 0 })
        // The last 128 frames are the fade-out, or the 5 ms in which the clap's filter decays.
        #expect(last > Int(drum.seconds * 48000) - 10)
        #expect(last < Int(drum.seconds * 48000) + 250)
    }

    /// Sixteen hits, so that the energy of noise averages out: sqrt(2 / samples) in a window, 5 % (0.2 dB) or less.
    @Test("a drum of noise has the recipe's energy from start to end", arguments: noisy)
    func noises(drum: Drum) throws {
        let noise = try #require(drum.noise)
        let hits = 16
        let frames = Int(drum.seconds * 48000)
        let window = frames / 5
        var measured = [Double](repeating: 0, count: 5)
        var expected = [Double](repeating: 0, count: 5)
        let tone = drum.tones.first?.samples(velocity: 1, rate: 48000) ?? []
        var generator = SplitMix(seed: 2026)
        let engine = try TestEngine()
        for _ in 0..<hits {
            engine.post(.audition(.rhythm, drum.note))
            let sound = engine.render(frames + 600)[engine.latency...]
            let reference = noise.samples(frames: frames, rate: 48000) { Double.random(in: -1...1, using: &generator) }
            for (frame, sample) in sound.prefix(5 * window).enumerated() {
                measured[frame / window] += Double(sample) * Double(sample)
                let value = reference[frame] + (frame < tone.count ? tone[frame] : 0)
                expected[frame / window] += value * value
            }
        }
        for (measured, expected) in zip(measured, expected) {
            #expect(abs(decibels((measured / expected).squareRoot())) < 1)
        }
    }

    @Test("no two noise hits are equal, and a new engine repeats all of them")
    func noiseStreams() throws {
        func hits() throws -> [[Float]] {
            let engine = try TestEngine()
            return (0..<3).map { _ in
                engine.post(.audition(.rhythm, 7))
                return engine.render(4800)
            }
        }
        let first = try hits()
        #expect(first[0] != first[1])
        #expect(first[1] != first[2])
        #expect(try hits() == first)
    }

    @Test("sixteen crashes at once all sound")
    func polyphony() throws {
        let one = rms(try hit(Self.drums[9])[..<4800])
        let engine = try TestEngine()
        engine.post([.volume(0.25)])
        engine.render(2000)
        engine.post([SynthCommand](repeating: .audition(.rhythm, 9), count: 16))
        let sound = engine.render(4800 + engine.latency)[engine.latency...]
        // Sixteen independent noises have four times the level of one.
        #expect(abs(decibels(rms(sound) / one)) < 0.5)
        #expect(engine.counters.voices_stolen == 0)
    }
}
