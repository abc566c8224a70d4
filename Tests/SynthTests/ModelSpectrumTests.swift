import Glibc
import SignalAnalysis
import Synth
import SynthProbe
import Testing

/// One voice of a model, without its envelopes.
func model(
    _ model: SynthModel, _ timbre: [Int32], hertz: Double, rate: UInt32 = 48_000, frames: Int = Spectrum.count
) -> [Float] {
    var samples = [Float](repeating: .nan, count: frames)
    let timbre = timbre + [Int32](repeating: 0, count: Int(synth_timbres) - timbre.count)
    synth_probe_model(model.rawValue, timbre, hertz, rate, &samples, UInt32(frames))
    return samples
}

@Suite("The spectra of the models")
struct ModelSpectrumTests {
    /// A model, its own controls, and the lowest line of its spectrum against the note.
    struct Voice: CustomStringConvertible, Sendable {
        let model: SynthModel
        let timbre: [Int32]
        var lowest = 1.0
        var description: String { "\(model.rawValue) \(timbre)" }
    }

    static let clean: [Voice] =
        [
            Voice(model: SynthAnalogue, timbre: [0, 0, 0, 0]),
            Voice(model: SynthAnalogue, timbre: [50, 0, 60, 0], lowest: 0.5),
            Voice(model: SynthAnalogue, timbre: [100, 0, 0, 0]),
            Voice(model: SynthFm, timbre: [10, 50, 100, 0, 0, 0]),
            Voice(model: SynthFm, timbre: [30, 100, 100, 0, 0, 0]),
            Voice(model: SynthFm, timbre: [45, 70, 100, 0, 50, 100]),
            Voice(model: SynthFm, timbre: [10, 100, 100, 100, 0, 0]),
            Voice(model: SynthFm, timbre: [75, 100, 100, 50, 100, 100]),
            Voice(model: SynthOrgan, timbre: [8, 8, 8, 8, 8, 8], lowest: 0.5),
            Voice(model: SynthOrgan, timbre: [0, 0, 8, 4, 0, 2]),
            Voice(model: SynthStrings, timbre: [0, 0, 0]),
            Voice(model: SynthStrings, timbre: [50, 100, 0]),
            Voice(model: SynthAcid, timbre: [0, 0, 50, 0]),
            Voice(model: SynthAcid, timbre: [100, 50, 50, 0], lowest: 0.5),
        ] + stride(from: 0, through: 100, by: 7).map { Voice(model: SynthWavetable, timbre: [Int32($0), 0, 0]) }

    @Test(
        "aliases and images stay 80 dB under the fundamental, below 16 kHz", arguments: clean,
        [44_100, 48_000, 96_000] as [UInt32])
    func aliases(voice: Voice, rate: UInt32) {
        for hertz in [65.4, 440, 1318.51, 2093.0045] {
            let spectrum = Spectrum(model(voice.model, voice.timbre, hertz: hertz, rate: rate), rate: Double(rate))
            let spur = spectrum.worstSpur(fundamental: hertz * voice.lowest, below: 16_000)
            let against = 20 * log10(spectrum.amplitude(at: hertz) / spectrum.amplitude(at: hertz * voice.lowest))
            #expect(spur.decibels - against < -80, "\(voice) \(hertz) Hz at \(rate): \(spur), \(against)")
        }
    }

    /// The frequency of the strongest partial near `hertz`, from the phase's advance over `samples`.
    private func frequency(of samples: ArraySlice<Float>, near hertz: Double, rate: Double) -> Double {
        let half = samples.count / 2
        let phases = [0, half / 2].map { start -> Double in
            var (sine, cosine) = (0.0, 0.0)
            for index in 0..<half {
                let frame = start + index
                let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(half))
                let angle = 2 * .pi * hertz / rate * Double(frame)
                cosine += window * Double(samples[samples.startIndex + frame]) * cos(angle)
                sine -= window * Double(samples[samples.startIndex + frame]) * sin(angle)
            }
            return atan2(sine, cosine)
        }
        let advance = remainder(phases[1] - phases[0], 2 * .pi)
        return hertz + advance / (2 * .pi) / (Double(half / 2) / rate)
    }

    @Test(
        "a plucked string is in tune within a cent on every note of the three tracks",
        arguments: [20, 60, 100] as [Int32],
        [44_100, 48_000, 96_000] as [UInt32])
    func tuning(brightness: Int32, rate: UInt32) {
        for note in 24...83 {
            let hertz = 440 * pow(2, Double(note - 69) / 12)
            let sound = model(SynthPluck, [brightness, 80, 40], hertz: hertz, rate: rate, frames: Int(rate) / 2)
            let found = frequency(of: sound[(Int(rate) / 20)...], near: hertz, rate: Double(rate))
            let cents = 1200 * log2(found / hertz)
            #expect(abs(cents) < 1, "brightness \(brightness), MIDI note \(note) at \(rate): \(cents) cents")
        }
    }
}
