import Glibc
import SignalAnalysis
import Synth
import TestSupport
import Testing

extension SynthExpression {
    /// The expression of a note: its bend in semitones, pressure from 0 to 1 and brightness from -1 to 1.
    static func played(bend: Double = 0, pressure: Double = 0, brightness: Double = 0) -> Self {
        Self(
            bend: Int32((bend * 10_000).rounded()), pressure: Int16(pressure * 1000),
            brightness: Int16(brightness * 1000))
    }
}

extension SynthCommand {
    static func press(
        _ track: Track, _ note: Int, _ expression: SynthExpression = .played(), at frame: Int = 0
    ) -> Self {
        let press = SynthNoteOnCommand(
            expression: expression, track: track.rawValue, note: Int8(note), velocity: 127)
        return Self(SynthNoteOn, .init(note_on: press), at: frame)
    }

    static func express(_ track: Track, _ note: Int, _ expression: SynthExpression, at frame: Int) -> Self {
        let change = SynthNoteExpressionCommand(expression: expression, track: track.rawValue, note: Int8(note))
        return Self(SynthNoteExpression, .init(note_expression: change), at: frame)
    }

    static func lift(_ track: Track, _ note: Int, at frame: Int) -> Self {
        Self(SynthNoteOff, .init(note_off: .init(track: track.rawValue, note: Int8(note))), at: frame)
    }
}

@Suite("Expression of held notes")
struct ExpressionTests {
    /// A model on a track, steady and bright.
    struct Voice: CustomStringConvertible, Sendable {
        let model: SynthModel
        var timbre: [Int] = [0, 0, 0, 0]
        var description: String { "\(model.rawValue)" }

        func commands(on track: Track) -> [SynthCommand] {
            [.set(SynthTrackModel, Int(model.rawValue), of: track), .set(SynthTrackCutoff, 20_000, of: track)]
                + timbre.enumerated().map { number, value in
                    .timbre(number, value, of: track)
                }
        }
    }

    static let voices = [
        Voice(model: SynthPlain), Voice(model: SynthAnalogue), Voice(model: SynthPluck, timbre: [60, 90, 40]),
        Voice(model: SynthFm, timbre: [10, 30, 100, 0]), Voice(model: SynthOrgan, timbre: [0, 0, 8, 0]),
        Voice(model: SynthStrings), Voice(model: SynthAcid), Voice(model: SynthWavetable, timbre: [40, 0, 0, 0]),
    ]

    /// A note of a melodic track, and its MIDI note.
    private static let notes: [(Track, Int, Int)] = [
        (.melody, 0, 60), (.chords, -5, 43), (.chords, 9, 57), (.bass, -12, 24), (.bass, 7, 43),
    ]

    private func hertz(_ note: Double) -> Double { 440 * pow(2, (note - 69) / 12) }

    @Test(
        "a bend is in tune within a cent, from the note's begin and later", arguments: voices,
        [44_100, 48_000, 96_000] as [UInt32])
    func tuning(voice: Voice, rate: UInt32) throws {
        for (track, note, key) in Self.notes {
            for bend in [-2, -1, 0.5, 2, 48] {
                let hertz = hertz(Double(key) + bend)
                // A string is no shorter than 11 samples, and a low one no longer than its line.
                if hertz < 24 || (voice.model == SynthPluck && hertz > Double(rate) / 12) { continue }
                for isLater in [false, true] {
                    let engine = try TestEngine(rate: rate)
                    let expression = SynthExpression.played(bend: bend)
                    engine.post(voice.commands(on: track))
                    engine.post(.press(track, note, isLater ? .played() : expression))
                    if isLater { engine.post(.express(track, note, expression, at: 3001)) }
                    let sound = engine.render(Int(rate) * 2 / 3, block: 4800)
                    let cents = detuning(of: sound[(Int(rate) / 8)...], from: hertz, rate: Double(rate))
                    #expect(abs(cents) < 1, "\(voice), \(key) bent by \(bend) at \(rate), later \(isLater): \(cents)")
                }
            }
        }
    }

    @Test("a sweep over the whole range of a wheel makes no click", arguments: voices, [2, 48] as [Double])
    func sweep(voice: Voice, range: Double) throws {
        for track in [Track.melody, .chords, .bass] {
            let engine = try TestEngine()
            let lowest = range > 12 ? 0 : -range
            engine.post(voice.commands(on: track))
            engine.post(.press(track, 0, SynthExpression.played(bend: lowest)))
            let before = engine.render(9600)
            for move in 0...200 {
                let bend = lowest + (range - lowest) * Double(move) / 200
                engine.post(.express(track, 0, SynthExpression.played(bend: bend), at: 9600 + 240 * move))
            }
            let moving = engine.render(201 * 240)
            let after = engine.render(9600)
            let steady = max(roughness(before[2400...]), roughness(after[2400...]))
            // A wave just below the top of its band has harmonics that the next band lacks.
            #expect(roughness(moving) < 1.6 * steady, "\(voice) \(track): \(roughness(moving) / steady)")
        }
    }

    @Test("a wheel with seven bits makes no steps")
    func coarse() throws {
        // A click would have energy far above the sine.
        let engine = try TestEngine()
        engine.post(.set(SynthTrackCutoff, 20_000, of: .melody))
        engine.post(.press(.melody, 0))
        engine.skip(9600)
        for move in 0..<64 {
            let expression = SynthExpression.played(bend: 2 * Double(move) / 64)
            engine.post(.express(.melody, 0, expression, at: 9600 + 480 * move))
        }
        let spectrum = Spectrum(engine.render(Spectrum.count), rate: 48_000)
        #expect(20 * log10(spectrum.amplitude(at: 3000) / spectrum.amplitude(at: 277)) < -80)
    }

    /// Keys on all tracks with random expression; many kinds of commands between them.
    private func play(seed: UInt64, rate: UInt32, block: Int) throws -> [Float] {
        var random = SplitMix(seed: seed)
        let engine = try TestEngine(rate: rate)
        var frame = 0
        var commands = [Track.melody, .chords, .bass].map { track -> SynthCommand in
            .set(SynthTrackModel, (Int(seed) + 3 * Int(track.rawValue)) % 8, of: track)
        }
        for _ in 0..<600 {
            frame += Int.random(in: 0..<500, using: &random)
            let track = Track.allCases[Int.random(in: 0..<4, using: &random)]
            let note = Int.random(in: 0..<4, using: &random)
            let expression = SynthExpression.played(
                bend: .random(in: -60...60, using: &random), pressure: .random(in: 0...1, using: &random),
                brightness: .random(in: -1...1, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: commands.append(.press(track, note, expression, at: frame))
            case 2: commands.append(.press(track, note, at: frame))
            case 3: commands.append(.lift(track, note, at: frame))
            case 4:
                let controls = [SynthTrackVolume, SynthTrackCutoff, SynthTrackUnison, SynthTrackLfoDepth]
                let control = controls.randomElement(using: &random) ?? SynthTrackVolume
                commands.append(.set(control, .random(in: 0...3000, using: &random), of: track, at: frame))
            case 5: commands.append(.set(SynthTrackModel, .random(in: 0..<8, using: &random), of: track, at: frame))
            default: commands.append(.express(track, note, expression, at: frame))
            }
        }
        engine.post(commands)
        return engine.renderInterleaved(frame + 4800, block: block)
    }

    @Test("blocks of any size sound the same, to the bit", arguments: 1...4 as ClosedRange<UInt64>)
    func blocks(seed: UInt64) throws {
        let rate: UInt32 = [44_100, 48_000, 96_000][Int(seed) % 3]
        let expected = try play(seed: seed, rate: rate, block: 256)
        #expect(peak(expected) > 0.1)
        for block in [1, 63, 64, 333, 4096] {
            let sound = try play(seed: seed, rate: rate, block: block)
            #expect(sound == expected, "blocks of \(block)")
        }
    }

    /// The hash (64-bit FNV-1a) of every sample's bits, as in DeterminismTests.
    @Test(
        "on every machine and in every build",
        arguments: [
            (1, 0xf5e9_3ab5_39b6_191e), (2, 0xcfaf_7d1e_1fc8_933b), (3, 0xb473_6eb9_33ef_c7be),
        ] as [(UInt64, UInt64)])
    func golden(seed: UInt64, expected: UInt64) throws {
        let hash = hash(of: try play(seed: seed, rate: 48_000, block: 128))
        #expect(hash == expected, "0x\(String(hash, radix: 16))")
    }

    @Test("a neutral expression changes no bit", arguments: voices)
    func neutral(voice: Voice) throws {
        func sound(_ commands: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post(voice.commands(on: .bass) + [.press(.bass, 3), .press(.bass, 7)] + commands)
            return engine.render(24_000)
        }
        let expected = try sound([])
        let expressed = try sound((0..<50).map { .express(.bass, 3, .played(), at: 300 * $0) })
        #expect(expressed == expected)
    }

    @Test("full pressure doubles the amplitude", arguments: voices)
    func pressure(voice: Voice) throws {
        func level(_ pressure: Double, later: Double?) throws -> Double {
            let engine = try TestEngine()
            engine.post(voice.commands(on: .chords))
            engine.post(.set(SynthTrackVolume, 25, of: .chords))
            engine.post(.press(.chords, 0, SynthExpression.played(pressure: pressure)))
            if let later { engine.post(.express(.chords, 0, SynthExpression.played(pressure: later), at: 2000)) }
            return rms(engine.render(24_000)[4800...])
        }
        let soft = try level(0, later: nil)
        let cases: [(Double, Double?, Double)] = [(1, nil, 2), (0, 1, 2), (1, 0, 1), (0, 0.5, 1.5)]
        for (pressure, later, factor) in cases {
            let change = try level(pressure, later: later) / soft / factor
            #expect(abs(decibels(change)) < 0.2, "\(voice): \(pressure), \(later ?? -1)")
        }
    }

    @Test("brightness moves the low-pass of its note by two octaves", arguments: [SynthPlain, SynthAnalogue])
    func brightness(model: SynthModel) throws {
        /// The level of the seventh harmonic of a note at a cut-off.
        func level(cutoff: Int, _ brightness: Double, isLater: Bool = false) throws -> Double {
            let engine = try TestEngine()
            engine.post([
                .set(SynthTrackModel, Int(model.rawValue), of: .bass), .set(SynthTrackCutoff, cutoff, of: .bass),
                .set(SynthTrackUnison, 1, of: .bass),
            ])
            let expression = SynthExpression.played(brightness: brightness)
            engine.post(.press(.bass, 0, isLater ? .played() : expression))
            if isLater { engine.post(.express(.bass, 0, expression, at: 4800)) }
            engine.skip(24_000)
            return Spectrum(engine.render(Spectrum.count), rate: 48_000).amplitude(at: 7 * hertz(36))
        }
        for isLater in [false, true] {
            let opened = try level(cutoff: 500, 1, isLater: isLater) / level(cutoff: 2000, 0)
            let closed = try level(cutoff: 2000, -1, isLater: isLater) / level(cutoff: 500, 0)
            #expect(abs(decibels(opened)) < 0.1 && abs(decibels(closed)) < 0.1, "\(opened) \(closed)")
        }
    }

    @Test("a released note keeps its bend while it fades, and the next begins with its own")
    func release() throws {
        let engine = try TestEngine()
        engine.post(.set(SynthTrackRelease, 2000, of: .melody))
        engine.post(.press(.melody, 0, SynthExpression.played(bend: 2)))
        engine.post(.lift(.melody, 0, at: 9600))
        engine.post(.express(.melody, 0, SynthExpression.played(bend: -2), at: 9700))
        let fading = engine.render(38_400)[12_000...]
        #expect(abs(detuning(of: fading, from: hertz(62), rate: 48_000)) < 1)
        engine.post([.fade(at: 38_400), .press(.melody, 0, at: 43_200)])
        let next = engine.render(33_600)[14_400...]
        #expect(abs(detuning(of: next, from: hertz(60), rate: 48_000)) < 1)
    }

    @Test("a drum has no expression, and a note that is not held takes none")
    func nothing() throws {
        func sound(_ expression: SynthExpression) throws -> [Float] {
            let engine = try TestEngine()
            engine.post([.press(.rhythm, 3, expression), .audition(.melody, 5, steps: 4)])
            engine.post([.express(.rhythm, 3, expression, at: 100), .express(.melody, 5, expression, at: 200)])
            return engine.render(12_000)
        }
        let expected = try sound(.played())
        let expressed = try sound(SynthExpression.played(bend: 12, pressure: 1, brightness: 1))
        #expect(expressed == expected)
        #expect(peak(expected) > 0.05)
    }

    @Test("a bend stops at the MIDI notes 0 and 108, in each rate", arguments: [44_100, 48_000, 96_000] as [UInt32])
    func limits(rate: UInt32) throws {
        for (bend, key) in [(96, 108), (1000, 108)] as [(Double, Double)] {
            let engine = try TestEngine(rate: rate)
            engine.post(.set(SynthTrackCutoff, 20_000, of: .melody))
            engine.post(.press(.melody, 23, SynthExpression.played(bend: bend)))
            let sound = engine.render(Int(rate) / 2, block: 4800)
            #expect(abs(detuning(of: sound[(Int(rate) / 8)...], from: hertz(key), rate: Double(rate))) < 1)
        }
    }
}
