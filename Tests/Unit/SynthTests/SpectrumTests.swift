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

    /// The squares of the hats and cymbals of the analogue and the punchy kit, and the plate of the acoustic one's
    /// crash.
    private static let metals = [
        [205.3, 304.4, 369.6, 522.7, 540, 800], [417.3, 587.1, 731.9, 893.7, 1046.4, 1318.2],
        [1, 1.73, 2.33, 3.91, 4.11, 6.30].map { 262 * $0 },
    ]

    @Test(
        "aliases and images of a drum's metal stay 85 dB under its strongest line, below 16 kHz",
        arguments: metals, rates)
    func metal(squares: [Double], rate: Double) {
        for (band, high) in [(9500.0, 8000.0), (4500, 1500)] {
            var samples = [Float](repeating: .nan, count: Spectrum.count)
            synth_probe_metal(squares, band, high, UInt32(rate), &samples, UInt32(samples.count))
            let spur = Spectrum(samples, rate: rate).worstSpur(fundamentals: squares, below: 16_000)
            #expect(spur.decibels < -85, "\(squares[0]) Hz at \(Int(rate)): \(spur)")
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
