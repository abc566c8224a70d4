import Glibc
import SignalAnalysis
import Synth
import TestSupport
import Testing

@Suite("Samples on the pads")
struct SampleTests {
    private let fullScale: Float = 32_767

    /// A steady tone of `amplitude`, full scale 1.
    private func tone(_ hertz: Double, _ frames: Int, rate: Double = 48_000, amplitude: Double = 0.5) -> [Int16] {
        (0..<frames).map { Int16((amplitude * 32_767 * sin(2 * .pi * hertz / rate * Double($0))).rounded()) }
    }

    /// Noise below a few kilohertz, like music: a cut within it is heard.
    private func noise(_ frames: Int, seed: UInt64) -> [Int16] {
        var random = SplitMix(seed: seed)
        var smooth = 0.0
        return (0..<frames).map { _ in
            smooth += 0.2 * (Double.random(in: -9_000...9_000, using: &random) - smooth)
            return Int16(smooth.rounded())
        }
    }

    /// An engine with `samples` in slot 0, heard by `pad`. The controls are at rest.
    private func engine(_ samples: [Int16], channels: Int = 1, rate: UInt32? = nil, _ pad: SynthCommand) throws
        -> TestEngine
    {
        let engine = try TestEngine()
        try #require(engine.load(samples, channels: channels, rate: rate))
        engine.post(pad)
        return engine
    }

    /// The sound of drum 0 from its hit on, in both channels.
    private func hit(_ engine: TestEngine, _ frames: Int) -> (left: [Float], right: [Float]) {
        engine.post(.audition(.rhythm, 0))
        engine.skip(engine.latency)
        return engine.renderStereo(frames)
    }

    /// The largest difference in `range`, in decibels of full scale.
    private func difference(_ sound: [Float], _ samples: [Int16], in range: Range<Int>) -> Double {
        decibels(Double(range.map { abs(sound[$0] - Float(samples[$0]) / fullScale) }.reduce(0, max)) + 1e-12)
    }

    @Test("a sample sounds as it was recorded, also in stereo")
    func exact() throws {
        let left = noise(20_000, seed: 1)
        let mono = try hit(engine(left, .pad(0, slot: 0)), 20_000)
        #expect(difference(mono.left, left, in: 12..<19_904) < -120)
        #expect(mono.right == mono.left)
        let right = noise(20_000, seed: 2)
        let both = zip(left, right).flatMap { [$0, $1] }
        let stereo = try hit(engine(both, channels: 2, .pad(0, slot: 0)), 20_000)
        #expect(difference(stereo.left, left, in: 12..<19_904) < -120)
        #expect(difference(stereo.right, right, in: 12..<19_904) < -120)
    }

    @Test(
        "slices that follow each other are the sound that they were cut from", arguments: 1...4 as ClosedRange<UInt64>)
    func slices(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let frames = 48_000
        let left = noise(frames, seed: seed), right = noise(frames, seed: seed + 10)
        let engine = try TestEngine()
        try #require(engine.load(zip(left, right).flatMap { [$0, $1] }, channels: 2))
        let cuts = (1...11).map { $0 * 4000 + Int.random(in: -900...900, using: &random) }
        let edges = [0] + cuts.map { ($0 * 1_000_000 + frames / 2) / frames } + [1_000_000]
        for drum in 0..<12 {
            engine.post(.pad(drum, slot: 0, start: edges[drum], end: edges[drum + 1]))
            engine.post(.audition(.rhythm, drum, at: (edges[drum] * frames + 500_000) / 1_000_000))
        }
        engine.skip(engine.latency)
        let sound = engine.renderStereo(frames)
        #expect(difference(sound.left, left, in: 12..<frames - 96) < -110, "seed \(seed)")
        #expect(difference(sound.right, right, in: 12..<frames - 96) < -110, "seed \(seed)")
    }

    @Test("backwards is the sound from its end to its begin")
    func backwards() throws {
        let samples = noise(9600, seed: 3)
        let sound = try hit(engine(samples, .pad(0, slot: 0, start: 1_000_000, end: 0)), 9600).left
        #expect(difference(sound, samples.reversed(), in: 12..<9504) < -120)
    }

    @Test("the volume of a pad, of a sample and of a drum")
    func volume() throws {
        let samples = noise(9600, seed: 4)
        let whole = try hit(engine(samples, .pad(0, slot: 0)), 9000).left
        let half = try hit(engine(samples, .pad(0, slot: 0, volume: 50)), 9000).left
        #expect(zip(whole, half).allSatisfy { abs($0 / 2 - $1) < 1e-6 })
        let drum = try TestEngine(), quiet = try TestEngine()
        quiet.post(.pad(0, volume: 50))
        let (loud, soft) = (hit(drum, 9000).left, hit(quiet, 9000).left)
        #expect(peak(loud) > 0.1)
        #expect(zip(loud, soft).allSatisfy { abs($0 / 2 - $1) < 1e-6 })
    }

    @Test("the tune is exact in cents", arguments: [-24, -17, -12, -7, -1, 1, 5, 7, 12, 13, 19, 24])
    func tune(semitones: Int) throws {
        let hertz = 440.0
        let sound = try hit(engine(tone(hertz, 300_000), .pad(0, slot: 0, tune: semitones)), 48_000).left
        let expected = hertz * exp2(Double(semitones) / 12)
        #expect(abs(detuning(of: sound[4800..<44_800], from: expected, rate: 48_000)) < 0.02)
    }

    @Test("a drum is tuned as well", arguments: [-12, 7, 24])
    func drumTune(semitones: Int) throws {
        // The cowbell: 560 Hz.
        let engine = try TestEngine()
        engine.post(.pad(11, tune: semitones))
        engine.post(.audition(.rhythm, 11))
        engine.skip(engine.latency)
        let expected = 560 * exp2(Double(semitones) / 12)
        let sound = engine.render(6000)
        #expect(abs(detuning(of: sound[..<6000], from: expected, rate: 48_000)) < 5)
    }

    /// Tones over the whole range, an octave up, a fifth up, a fifth and two octaves down, and from other rates.
    @Test(
        "aliases and images are at least 90 dB below the tone",
        arguments: [12, 7, 1, -7, -24], [331.0, 2093, 5171, 9343, 13_007, 17_011, 21_013])
    func aliases(semitones: Int, hertz: Double) throws {
        let samples = tone(hertz, 350_000, amplitude: 0.5)
        let sound = try hit(engine(samples, .pad(0, slot: 0, tune: semitones)), 80_000).left
        let spectrum = Spectrum(Array(sound[4800..<4800 + Spectrum.count]), rate: 48_000)
        let pitch = hertz * exp2(Double(semitones) / 12)
        // Relative to the tone's own amplitude: the tone itself may be above the Nyquist frequency.
        let spur = spectrum.worstSpur(fundamentals: [pitch], below: 23_900)
        let level = 20 * log10(spectrum.amplitude(at: spur.hertz) / 0.5)
        #expect(level < -90, "\(level) dB at \(spur.hertz) Hz")
        if pitch < 19_000, hertz < 19_000 {
            #expect(abs(decibels(spectrum.amplitude(at: pitch) / 0.5)) < 0.8)
        }
    }

    @Test("a file of another rate sounds as it is", arguments: [8000, 22_050, 44_100, 96_000, 192_000] as [UInt32])
    func rates(rate: UInt32) throws {
        for hertz in [440.0, Double(min(rate, 48_000)) * 0.37] {
            let samples = tone(hertz, Int(rate) * 3, rate: Double(rate), amplitude: 0.5)
            let sound = try hit(engine(samples, rate: rate, .pad(0, slot: 0)), 100_000).left
            let spectrum = Spectrum(Array(sound[4800..<4800 + Spectrum.count]), rate: 48_000)
            #expect(abs(decibels(spectrum.amplitude(at: hertz) / 0.5)) < 0.8)
            let spur = spectrum.worstSpur(fundamentals: [hertz], below: 23_900)
            #expect(decibels(spectrum.amplitude(at: spur.hertz) / 0.5) < -90, "\(hertz) Hz: \(spur)")
            #expect(abs(detuning(of: sound[4800..<84_800], from: hertz, rate: 48_000)) < 0.02)
        }
        // A tone above the engine's Nyquist frequency is silent.
        guard rate > 60_000 else { return }
        let samples = tone(30_000, Int(rate), rate: Double(rate), amplitude: 0.5)
        #expect(peak(try hit(engine(samples, rate: rate, .pad(0, slot: 0)), 40_000).left[200..<39_000]) < 4e-5)
    }

    @Test("no edge clicks: of a part, of a pad hit again, of a group, of Stop and of an unloaded slot")
    func smooth() throws {
        let samples = tone(220, 96_000)
        let usual = roughness(tone(220, 480).map { Float($0) / fullScale })
        let later: [[SynthCommand]] = [
            [], [.audition(.rhythm, 0, at: 4801)], [.audition(.rhythm, 1, at: 4801)], [.stop(at: 4801)],
            [.unload(0, at: 4801)], [.pad(0, slot: 0, start: 100_500, end: 300_007, volume: 10, choke: 1, at: 4801)],
        ]
        for (start, end) in [(100_500, 300_007), (300_007, 100_500)] {
            for commands in later {
                let engine = try engine(samples, .pad(0, slot: 0, start: start, end: end, choke: 1))
                // The drum that chokes is silent itself.
                engine.post(.pad(1, volume: 0, choke: 1))
                engine.post([.audition(.rhythm, 0)] + commands)
                let sound = engine.render(30_000)
                #expect(peak(sound) > 0.4)
                // A fade of 2 ms bends a tone of full level by that much at most.
                #expect(roughness(sound) < 3 * usual, "\(start), \(commands.map(\.kind))")
            }
        }
    }

    @Test("a group ends the sample that sounds in it, and another group does not", arguments: [true, false])
    func chokes(isSameGroup: Bool) throws {
        let engine = try engine(tone(220, 96_000), .pad(3, slot: 0, choke: 2))
        engine.post(.pad(5, volume: 0, choke: isSameGroup ? 2 : 3))
        engine.post([.audition(.rhythm, 3), .audition(.rhythm, 5, at: 4800)])
        let sound = engine.render(20_000)
        #expect((peak(sound[6000...]) == 0) == isSameGroup)
    }

    @Test("a slot is full until it is unloaded and no voice plays it; its pads then play their drums")
    func slots() throws {
        let samples = tone(220, 96_000)
        let engine = try engine(samples, .pad(0, slot: 0))
        #expect(!engine.load(samples))
        #expect(!engine.freeSample(0))
        engine.post(.audition(.rhythm, 0))
        engine.skip(4800)
        engine.post(.unload(0))
        engine.skip(100)
        #expect(!engine.freeSample(0))
        engine.skip(400)
        #expect(engine.freeSample(0))
        // The next one in the slot waits for its pad.
        try #require(engine.load(noise(4800, seed: 5)))
        let drum = try TestEngine()
        let expected = hit(drum, 4800).left
        engine.skip(48_000)
        #expect(hit(engine, 4800).left == expected)
    }

    @Test("numbers out of range are refused")
    func refused() throws {
        let engine = try TestEngine()
        #expect(!engine.load([1, 2, 3], slot: Int(synth_samples)))
        #expect(!engine.load([]))
        #expect(!engine.load([1, 2, 3], channels: 3))
        #expect(!engine.load([1, 2, 3], rate: 7999))
        #expect(!engine.load([1, 2, 3], rate: 192_001))
        #expect(engine.load([1, 2, 3]))
    }

    /// Every control of a pad, in stereo, with drive, filter, delay and lanes.
    private func busy(_ engine: TestEngine) throws {
        for slot in 0..<3 {
            let frames = 2 * [300, 20_000, 48_000][slot]
            try #require(
                engine.load(
                    noise(frames, seed: 7 + UInt64(slot)), slot: slot, channels: slot == 0 ? 1 : 2,
                    rate: [48_000, 44_100, 96_000][slot]))
        }
        engine.post(Session.typical)
        for drum in 0..<12 {
            engine.post(
                .pad(
                    drum, slot: drum % 4 == 3 ? nil : drum % 4, start: 37_000 * drum, end: 1_000_000 - 61_000 * drum,
                    volume: 40 + 10 * drum, tune: 3 * drum - 14, choke: drum % 5))
            engine.post(.row(.rhythm, drum, .normal, on: stride(from: drum % 3, to: 32, by: 3)))
        }
        engine.post(.set(SynthTrackDelay, 30, of: .rhythm))
        engine.post(.play(at: 11))
        engine.post(.set(SynthTrackDrive, 40, of: .rhythm, at: 60_000))
        engine.post(.set(SynthTrackCutoff, 3000, of: .rhythm, at: 80_000))
        engine.post(.pad(0, slot: 0, volume: 150, tune: 9, at: 90_001))
        engine.post(.set(SynthTrackModel, Int(SynthKitLofi.rawValue), of: .rhythm, at: 100_000))
        engine.post(.unload(1, at: 120_000))
        engine.post(.set(SynthTrackDrive, 0, of: .rhythm, at: 130_000))
        engine.post(.stop(at: 150_003))
    }

    @Test("the same bits in any block size", arguments: [1, 17, 64, 128, 1000])
    func blocks(block: Int) throws {
        let engine = try TestEngine(), other = try TestEngine()
        try busy(engine)
        try busy(other)
        #expect(engine.renderInterleaved(170_000, block: block) == other.renderInterleaved(170_000, block: 256))
    }

    /// As `DeterminismTests.golden`: `Tests/run SynthTests --filter SampleTests` prints the new hashes.
    @Test(
        "the same bits on every machine and in every build",
        arguments: [
            (44_100, 0x1fc5_1e2a_a97f_1918), (48_000, 0x3ba3_3129_c137_089f), (96_000, 0xd607_fb2b_095d_9f50),
        ] as [(Int, UInt64)])
    func golden(rate: Int, expected: UInt64) throws {
        let engine = try TestEngine(rate: UInt32(rate))
        try busy(engine)
        let hash = hash(of: engine.renderInterleaved(170_000, block: 128))
        #expect(hash == expected, "0x\(String(hash, radix: 16))")
    }
}
