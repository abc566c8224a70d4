import Glibc
import SignalAnalysis
import Synth
import Testing

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
        for note in stride(from: -12, through: 23, by: 3) {
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
        for note in stride(from: -12, through: 23, by: 3) {
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
