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

    @Test(
        "a plucked string is in tune within a cent on every note of the three tracks",
        arguments: [20, 60, 100] as [Int32],
        [44_100, 48_000, 96_000] as [UInt32])
    func tuning(brightness: Int32, rate: UInt32) {
        for note in 24...83 {
            let hertz = 440 * pow(2, Double(note - 69) / 12)
            let sound = model(SynthPluck, [brightness, 80, 40], hertz: hertz, rate: rate, frames: Int(rate) / 2)
            let cents = detuning(of: sound[(Int(rate) / 20)...], from: hertz, rate: Double(rate))
            #expect(abs(cents) < 1, "brightness \(brightness), MIDI note \(note) at \(rate): \(cents) cents")
        }
    }
}
