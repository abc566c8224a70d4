import Glibc
import Synth
import Testing

@Suite("Voices of the melodic tracks")
struct MelodicVoiceTests {
    struct Voice: CustomStringConvertible {
        let track: Track
        let base: Int  // MIDI note of index 0
        let shape: Shape
        let lowPass: Double
        var description: String { "\(track)" }
    }

    static let voices = [
        Voice(track: .melody, base: 60, shape: .sine, lowPass: 2000),
        Voice(track: .chords, base: 48, shape: .triangle, lowPass: 1500),
        Voice(track: .bass, base: 36, shape: .saw, lowPass: 400),
    ]

    /// The recipe's samples, from the note's first frame to its end.
    private func reference(
        _ voice: Voice, note: Int, velocity: Int = 1, duration: Double, rate: Double
    ) -> [Double] {
        let hertz = 440 * pow(2, Double(voice.base + note - 69) / 12)
        var filter = Biquad(.lowPass, hertz: voice.lowPass, q: oneDecibel, rate: rate)
        // Harmonics above the 40th of the middle octave are below -70 dB after the filter.
        let harmonics = voice.shape == .sine ? 1 : max(40, Int(2620 / hertz))
        return (0..<Int(duration * rate)).map { frame in
            let time = Double(frame) / rate
            let oscillator = filter(voice.shape.value(at: hertz * time, harmonics: harmonics))
            return oscillator * envelope(velocity: velocity, duration: duration, at: time) * makeUp
        }
    }

    /// Within 1 % of the note's peak at every sample. This covers level (0.1 dB), pitch (an error of a cent would be 5
    /// % after 0.15 s of the highest note) and envelope.
    private func expectSame(_ sound: some Collection<Float>, _ reference: [Double]) {
        let largest = reference.reduce(0) { max($0, abs($1)) }
        let error = zip(sound, reference).reduce(0) { max($0, abs(Double($1.0) - $1.1)) }
        #expect(sound.count == reference.count)
        #expect(error < 0.01 * largest, "\(decibels(error / largest)) dB from the recipe")
    }

    @Test("every note follows the recipe, sample by sample, and then silence", arguments: voices, -12...23)
    func notes(voice: Voice, note: Int) throws {
        let engine = try TestEngine()
        engine.post(.audition(voice.track, note))
        let sound = Array(engine.render(9000)[engine.latency...])
        expectSame(sound[..<7200], reference(voice, note: note, duration: 0.15, rate: 48000))
        #expect(peak(sound[7200..<7328]) < 0.002, "the ending starts at the floor of 0.001")
        #expect(peak(sound[7328...]) == 0)
    }

    @Test("an accent is twice as loud", arguments: voices)
    func accents(voice: Voice) throws {
        let engine = try TestEngine()
        engine.post(.audition(voice.track, 5, velocity: 2))
        let sound = Array(engine.render(7200 + engine.latency)[engine.latency...])
        expectSame(sound, reference(voice, note: 5, velocity: 2, duration: 0.15, rate: 48000))
    }

    @Test(
        "a note lasts 0.95 of its steps, and at least 0.15 s",
        arguments: [(120, 1), (120, 2), (60, 1), (60, 3), (200, 1), (200, 3), (97, 4)] as [(UInt32, UInt32)])
    func durations(bpm: UInt32, steps: UInt32) throws {
        let engine = try TestEngine()
        engine.post([.tempo(bpm), .audition(.melody, 9, steps: steps)])
        let duration = max(0.15, 0.95 * 15 / Double(bpm) * Double(steps))
        let frames = Int(duration * 48000)
        let sound = Array(engine.render(frames + 1000)[engine.latency...])
        expectSame(
            sound[..<frames], reference(Self.voices[0], note: 9, duration: duration, rate: 48000))
        #expect(peak(sound[(frames + 130)...]) == 0)
    }

    @Test("the recipe holds at the other rates", arguments: voices, [44100, 96000])
    func rates(voice: Voice, rate: Int) throws {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post(.audition(voice.track, 7))
        let frames = rate * 15 / 100
        let sound = Array(engine.render(frames + engine.latency)[engine.latency...])
        expectSame(sound, reference(voice, note: 7, duration: 0.15, rate: Double(rate)))
    }

    @Test("the A above middle C is 440 Hz")
    func tuning() throws {
        let engine = try TestEngine()
        engine.post([.tempo(60), .audition(.melody, 9, steps: 8)])
        let sound = engine.render(48000)
        // Rising zero crossings, to a fraction of a frame.
        var crossings: [Double] = []
        for frame in 4801..<47000 where sound[frame - 1] < 0 && sound[frame] >= 0 {
            let fraction: Float = sound[frame] / (sound[frame] - sound[frame - 1])
            crossings.append(Double(frame) - Double(fraction))
        }
        let first = try #require(crossings.first)
        let last = try #require(crossings.last)
        let hertz: Double = 48000 * Double(crossings.count - 1) / (last - first)
        #expect(abs(1200 * log2(hertz / 440)) < 0.1)
    }
}
