import Glibc
import SignalAnalysis
import Synth
import SynthProbe
import Testing

@Suite("Aliasing and distortion")
struct SpectrumTests {
    static let rates = [44100.0, 48000, 96000]
    static let waves = ["triangle": SynthProbeTriangle, "saw": SynthProbeSaw, "square": SynthProbeSquare]

    private func worstSpur(_ name: String, hertz: Double, rate: Double) throws -> Spectrum.Spur {
        let wave = try #require(Self.waves[name])
        let tone = oscillator(wave, hertz: hertz, rate: rate, frames: Spectrum.count)
        return Spectrum(tone.samples, rate: rate).worstSpur(fundamental: tone.hertz, below: 16000)
    }

    @Test("the analysis itself finds a line at -120 dB, and nothing above -160 dB in a pure tone")
    func analysis() {
        func tone(spur: Double) -> [Double] {
            (0..<Spectrum.count).map { frame in
                let time = Double(frame) / 48000
                return sin(2 * .pi * 1000.3 * time) + spur * sin(2 * .pi * 1500 * time)
            }
        }
        // In single precision the rounding alone is at -150 dB in total, and below -190 dB in a bin.
        let pure = Spectrum(tone(spur: 0).map(Float.init), rate: 48000)
        #expect(pure.worstSpur(fundamental: 1000.3, below: 16000).decibels < -160)
        let marred = Spectrum(tone(spur: 1e-6).map(Float.init), rate: 48000)
        let spur = marred.worstSpur(fundamental: 1000.3, below: 16000)
        #expect(abs(spur.decibels + 120) < 0.7 && abs(spur.hertz - 1500) < 1, "\(spur)")
    }

    @Test(
        "aliases and images of an oscillator stay 85 dB under its fundamental, below 16 kHz",
        arguments: ["triangle", "saw", "square"], rates)
    func oscillators(wave: String, rate: Double) throws {
        for hertz in [440, 2093.0045, 4186.009] {
            let spur = try worstSpur(wave, hertz: hertz, rate: rate)
            #expect(spur.decibels < -85, "\(wave) \(hertz) Hz at \(Int(rate)): \(spur)")
        }
    }

    /// The pitches where the table's images are worst, and the tops of the bands, with the next band's first alias.
    @Test("the same in the bass, and on every semitone of the keyboard", arguments: ["triangle", "saw", "square"])
    func keyboard(wave: String) throws {
        for note in 36...108 {
            let hertz = 440 * pow(2, Double(note - 69) / 12)
            let spur = try worstSpur(wave, hertz: hertz, rate: 48000)
            #expect(spur.decibels < -85, "\(wave), MIDI note \(note): \(spur)")
        }
    }

    @Test("a sine is distorted by less than -100 dB, noise included", arguments: rates)
    func sine(rate: Double) {
        for hertz in [65.4, 440, 2093.0045, 4186.009] {
            let tone = oscillator(SynthProbeSine, hertz: hertz, rate: rate, frames: Int(rate))
            let level = distortion(of: tone.samples, increment: phaseIncrement(hertz: hertz, rate: rate))
            #expect(level < -100, "\(hertz) Hz at \(Int(rate)): \(level) dB")
        }
    }

    @Test("an oscillator has no DC offset", arguments: 0..<4 as Range<UInt32>, rates)
    func mean(wave: UInt32, rate: Double) {
        for hertz in [65.4, 440, 2093.0045, 4186.009] {
            let tone = oscillator(SynthProbeWave(wave), hertz: hertz, rate: rate, frames: Spectrum.count)
            let offset = Spectrum(tone.samples, rate: rate).offset
            #expect(abs(offset) < 1e-3, "wave \(wave), \(hertz) Hz at \(Int(rate)): \(offset)")
        }
    }
}

@Suite("The spectrum of a note")
struct NoteSpectrumTests {
    struct HeldNote: CustomStringConvertible {
        let track: Track
        let base: Int  // MIDI note of index 0
        var description: String { "\(track)" }
    }

    static let tracks = [
        HeldNote(track: .melody, base: 60), HeldNote(track: .chords, base: 48), HeldNote(track: .bass, base: 36),
    ]

    /// A note of eight seconds, from the end of its attack.
    private func held(_ track: Track, _ note: Int, rate: Int, frames: Int) throws -> [Float] {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post([.tempo(60), .audition(track, note, velocity: 2, steps: 32)])
        engine.render(rate / 10, block: 4800)
        return engine.render(frames, block: 4800)
    }

    @Test(
        "a held note has no line other than its harmonics above -85 dB, below 16 kHz", arguments: tracks,
        [44100, 48000, 96000])
    func spurs(voice: HeldNote, rate: Int) throws {
        for note in 0..<12 {
            let increment = phaseIncrement(
                hertz: 440 * pow(2, Double(voice.base + note - 69) / 12), rate: Double(rate))
            let spectrum = Spectrum(
                try held(voice.track, note, rate: rate, frames: Spectrum.count), rate: Double(rate))
            let spur = spectrum.worstSpur(
                fundamental: Double(increment) / 4_294_967_296 * Double(rate), below: 16000)
            #expect(spur.decibels < -85, "\(voice) \(note) at \(rate): \(spur)")
            #expect(abs(spectrum.offset) < 1e-3, "\(voice) \(note) at \(rate): \(spectrum.offset)")
        }
    }

    @Test("a held melody note is a sine within -100 dB, harmonics and noise together")
    func sine() throws {
        for note in 0..<12 {
            let increment = phaseIncrement(hertz: 440 * pow(2, Double(60 + note - 69) / 12), rate: 48000)
            let level = distortion(
                of: try held(.melody, note, rate: 48000, frames: 96000), increment: increment)
            #expect(level < -100, "note \(note): \(level) dB")
        }
    }

    /// The mean over two seconds from its start on, also of a falling tone.
    @Test("no note and no drum has a DC offset", arguments: Track.allCases, 0..<12)
    func mean(track: Track, note: Int) throws {
        let engine = try TestEngine()
        engine.post(.audition(track, note, velocity: 2))
        let sound = engine.render(96000, block: 4800)
        let offset = sound.reduce(0.0) { $0 + Double($1) } / Double(sound.count)
        #expect(peak(sound) > 0.01)
        #expect(abs(offset) < 1e-3, "\(track) \(note): \(offset)")
    }
}
