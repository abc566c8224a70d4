import Glibc
import SignalAnalysis
import Synth
import SynthProbe
import TestSupport
import Testing

/// A tuning: twelve offsets from equal temperament in thousandths of a cent, and A4 in thousandths of a hertz.
struct Tones {
    var offsets = [Int32](repeating: 0, count: 12)
    var a4: Int32 = 440_000

    /// Werckmeister's third, with A4 at 415 Hz.
    static let werckmeister = Tones(
        offsets: [0, -9775, -7820, -5865, -9775, -1955, -11_730, -3910, -7820, -11_730, -3910, -7820], a4: 415_000)

    init(offsets: [Int32] = [Int32](repeating: 0, count: 12), a4: Int32 = 440_000) {
        self.offsets = offsets
        self.a4 = a4
    }

    init(using random: inout SplitMix) {
        offsets = [0] + (1..<12).map { _ in .random(in: -1_200_000...1_200_000, using: &random) }
        a4 = .random(in: 415_000...466_000, using: &random)
    }

    /// Frequency of MIDI note `note`.
    func hertz(_ note: Int) -> Double {
        let offset = Double(offsets[note % 12] - offsets[9]) / 1000
        return Double(a4) / 1000 * pow(2, (Double(note - 69) * 100 + offset) / 1200)
    }

    /// The commands that set it.
    func commands(at frame: Int = 0) -> [SynthCommand] {
        stride(from: 0, to: 12, by: 2).map { pitchClass in
            let tuning = SynthTuningCommand(
                offsets: (offsets[pitchClass], offsets[pitchClass + 1]), pitch_class: UInt8(pitchClass),
                pattern: .init())
            return SynthCommand(SynthTuning, .init(tuning: tuning), at: frame)
        } + [SynthCommand(SynthReference, .init(reference: .init(a4: a4, pattern: .init())), at: frame)]
    }
}

@Suite("Tunings")
struct TuningTests {
    /// Base notes of the melodic tracks.
    private static let bases: [(track: Track, note: Int)] = [(.melody, 60), (.chords, 48), (.bass, 36)]
    /// Greatest error of a note in cents.
    private static let error = 0.01

    @Test("every note of every track has its frequency")
    func frequencies() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for tones in [Tones(), .werckmeister] + (0..<200).map({ _ in Tones(using: &random) }) {
            for (track, base) in Self.bases {
                for note in -12...23 {
                    let found = synth_probe_hertz(tones.offsets, tones.a4, UInt32(track.rawValue), Int32(note))
                    let cents = 1200 * log2(found / tones.hertz(base + note))
                    #expect(abs(cents) < 1e-7, "seed \(seed), \(tones), \(track) \(note): \(cents)")
                }
            }
        }
    }

    @Test("sounds have the frequency of their note", arguments: [44_100, 48_000, 96_000] as [UInt32])
    func sounds(rate: UInt32) throws {
        var random = SplitMix(seed: 7)
        // Within a semitone, so that no note is too low to be measured.
        let near = Tones(
            offsets: [0] + (1..<12).map { _ in .random(in: -100_000...100_000, using: &random) }, a4: 466_000)
        for tones in [.werckmeister, near] {
            for (track, base) in Self.bases {
                for note in [-12, -5, 0, 3, 9, 10, 23] {
                    let engine = try TestEngine(rate: rate)
                    engine.post(tones.commands() + [.press(track, note)])
                    let sound = engine.render(Int(rate) * 2, block: 4800)
                    let cents = detuning(
                        of: sound[(Int(rate) / 4)...], from: tones.hertz(base + note), rate: Double(rate))
                    #expect(abs(cents) <= Self.error, "\(track) \(note) at \(rate): \(cents)")
                }
            }
        }
    }

    @Test("models sound at the frequency of their note", arguments: ExpressionTests.voices)
    func models(voice: ExpressionTests.Voice) throws {
        let tones = Tones.werckmeister
        // Rounding of a line's length leaves a plucked string a part of a cent away; others have single precision.
        let error = voice.model == SynthPluck ? 1 : Self.error
        for (track, base) in Self.bases {
            for note in [-2, 4, 7] {
                let engine = try TestEngine()
                engine.post(voice.commands(on: track) + tones.commands() + [.press(track, note)])
                let sound = engine.render(96_000, block: 4800)
                let cents = detuning(of: sound[12_000...], from: tones.hertz(base + note), rate: 48_000)
                #expect(abs(cents) <= error, "\(voice), \(track) \(note): \(cents)")
            }
        }
    }

    @Test("equal temperament at 440 Hz is the sound without a tuning, to the bit")
    func equal() throws {
        func sound(_ commands: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post(commands + Session.typical + [.play()])
            return engine.renderInterleaved(96_000)
        }
        let plain = try sound([])
        #expect(try sound(Tones().commands()) == plain)
        #expect(try sound(Tones.werckmeister.commands() + Tones().commands()) == plain)
        #expect(try sound(Tones.werckmeister.commands()) != plain)
    }

    @Test("drums have no tuning")
    func drums() throws {
        func sound(_ commands: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post(commands + (0..<12).map { .row(.rhythm, $0, [$0: .normal]) } + [.play()])
            return engine.renderInterleaved(96_000)
        }
        #expect(try sound(Tones.werckmeister.commands()) == sound([]))
    }

    private func cents(_ sound: [Float], _ frames: Range<Int>, from hertz: Double) -> Double {
        detuning(of: sound[frames], from: hertz, rate: 48_000)
    }

    @Test("a note keeps the tuning with which it began, also when a wheel bends it; the next has the new one")
    func change() throws {
        let (old, new) = (Tones(), Tones.werckmeister)
        let engine = try TestEngine()
        engine.post([.press(.melody, 2)] + new.commands(at: 48_000))
        engine.post([
            .express(.melody, 2, SynthExpression.played(bend: 1), at: 96_000), .lift(.melody, 2, at: 144_000),
            .press(.melody, 2, at: 168_000),
        ])
        let sound = engine.render(240_000)
        #expect(abs(cents(sound, 4800..<48_000, from: old.hertz(62))) < Self.error)
        #expect(abs(cents(sound, 52_800..<96_000, from: old.hertz(62))) < Self.error)
        #expect(abs(cents(sound, 100_800..<144_000, from: old.hertz(63))) < 0.02)
        #expect(abs(cents(sound, 175_200..<240_000, from: new.hertz(62))) < Self.error)
    }

    @Test("each pattern has its own; a key has that of the pattern that plays")
    func patterns() throws {
        let engine = try TestEngine()
        let cells = Dictionary(uniqueKeysWithValues: (0..<16).map { ($0, $0 == 0 ? Cell.accent : .sustain) })
        let rows = [SynthCommand.row(.melody, 4, cells), .length(16)]
        engine.post(rows + rows.map { $0.of(1) } + Tones.werckmeister.commands().map { $0.of(1) })
        engine.post([.play(), .change(to: 1, isWaiting: true, at: 10), .press(.bass, 0, at: 120_000)])
        let sound = engine.render(192_000)
        #expect(abs(cents(sound, 9600..<86_400, from: Tones().hertz(64))) < Self.error)
        #expect(abs(cents(sound, 105_600..<115_200, from: Tones.werckmeister.hertz(64))) < 0.1)
        #expect(abs(cents(sound, 129_600..<182_400, from: Tones.werckmeister.hertz(36))) < Self.error)
    }

    @Test("a slide begins at the frequency of the note before")
    func slide() throws {
        // D is as high as C, so nothing moves.
        let tones = Tones(offsets: [0, 0, -200_000, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        let sustained = { (first: Int) in
            Dictionary(uniqueKeysWithValues: (first..<first + 8).map { ($0, $0 == first ? Cell.accent : .sustain) })
        }
        for model in [SynthPlain, SynthAnalogue] {
            let engine = try TestEngine()
            engine.post([.set(SynthTrackModel, Int(model.rawValue), of: .melody)] + tones.commands())
            engine.post([.row(.melody, 0, sustained(0)), .row(.melody, 2, sustained(8))])
            engine.post(SynthCommand.lane(SynthLaneSlide, .melody, [8: 1]) + [.play()])
            let sound = engine.render(96_000)
            #expect(abs(cents(sound, 48_000 + 480..<48_000 + 3360, from: tones.hertz(60))) < 2, "\(model)")
            #expect(abs(cents(sound, 52_800..<91_200, from: tones.hertz(60))) < Self.error, "\(model)")
        }
    }

    @Test("values out of range are limited")
    func limits() throws {
        func sound(_ commands: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post(commands + [.audition(.melody, 1, steps: 4)])
            return engine.renderInterleaved(24_000)
        }
        var (far, most) = (Tones(), Tones())
        (far.offsets[1], far.a4) = (.max, .max)
        (most.offsets[1], most.a4) = (1_200_000, 466_000)
        #expect(try sound(far.commands()) == sound(most.commands()))
        (far.offsets[1], far.a4) = (.min, .min)
        (most.offsets[1], most.a4) = (-1_200_000, 415_000)
        #expect(try sound(far.commands()) == sound(most.commands()))
        var stray = Tones.werckmeister.commands()
        for (index, pitchClass) in ([244, 253, 12, 23, 127, 128] as [UInt8]).enumerated() {
            stray[index].payload.tuning.pitch_class = pitchClass
        }
        _ = try sound(stray)
    }
}
