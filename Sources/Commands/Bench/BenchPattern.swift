import Documents
import Instrument

/// The bench's patterns.
enum BenchPattern: String, CaseIterable {
    /// Typical of players: a melody with held notes, chords, a bass line and a beat.
    case typical
    /// Every second step of every note of every track.
    case dense
    /// All of the engine's voices: every note on every step at 300 BPM, all sent to both effects.
    case full
    /// The longest and fullest: every note of every octave on each of 128 steps at 300 BPM.
    case long

    /// The pattern and its sound; without effects, like a new one, except `full`.
    var document: PatternDocument {
        var document = PatternDocument(pattern: pattern)
        guard self == .full else { return document }
        for track in Track.allCases {
            document.sound[.track(track, .delay)] = 100
            document.sound[.track(track, .reverb)] = 100
        }
        return document
    }

    /// The same with a typical amount of delay and reverberation.
    var withEffects: PatternDocument {
        var document = document
        for (track, delay, reverb) in [(Track.melody, 30, 25), (.chords, 0, 40), (.rhythm, 5, 10)] {
            document.sound[.track(track, .delay)] = delay
            document.sound[.track(track, .reverb)] = reverb
        }
        return document
    }

    /// The same with the factory set of a new pattern.
    var withFactorySounds: PatternDocument {
        PatternDocument(pattern: pattern, sound: .factory)
    }

    /// The same with values on every step: each track plays by lanes and has a length of its own, and the drums repeat
    /// their hits.
    var withLanes: PatternDocument {
        var pattern = pattern
        for (place, track) in Track.allCases.enumerated() {
            pattern[shape: track].length = [32, 24, 7, 13][place]
            for step in 0..<Pattern.window {
                let values: [(Lane, Int)] = [
                    (.velocity, 60 + step), (.chance, 90), (.gate, 80), (.shift, step % 8 - 4), (.cutoff, step - 16),
                ]
                for (lane, value) in values { pattern.lanes[track, lane, step: step] = value }
            }
        }
        for step in stride(from: 0, to: Pattern.window, by: 4) { pattern.lanes[.rhythm, .ratchet, step: step] = 4 }
        return PatternDocument(pattern: pattern)
    }

    /// The same with the controls that cost the most: four unison copies of the dearest model on each melodic track,
    /// modulated, driven and sent to both effects.
    var withDearestSounds: PatternDocument {
        var document = document
        let costly: [(TrackControl, Int)] = [
            (.unison, 4), (.drive, 50), (.chorus, 100), (.lfoDepth, 30), (.lfoTarget, 1), (.envelopeDepth, 40),
            (.delay, 100), (.reverb, 100), (.release, 1000), (.timbre1, 60), (.timbre2, 60), (.timbre3, 80),
            (.timbre5, 50),
        ]
        for (track, model) in [(Track.melody, SoundModel.pluck), (.chords, .wavetable), (.bass, .fm)] {
            document.sound[.track(track, .model)] = model.rawValue
            for (control, value) in costly { document.sound[.track(track, control)] = value }
        }
        document.sound[.track(.rhythm, .model)] = SoundKit.lofi.rawValue
        for (control, value) in costly.dropFirst() { document.sound[.track(.rhythm, control)] = value }
        document.sound[.compression] = 100
        document.sound[.tone] = 50
        return document
    }

    /// The name of the sample that `withSamples` plays.
    static let sample = SoundName(shortening: "BENCH")

    /// The same with a sample on each drum's pad: parts of a minute, each at another pitch, every second one backwards.
    var withSamples: PatternDocument {
        var document = document
        for pad in Track.rhythm.notes {
            document.sound[sampleOf: pad] = Self.sample
            document.sound[.pad(pad, .tune)] = 2 * pad - 11
            let ends = [PadControl.whole / 12 * pad, PadControl.whole / 12 * (pad + 1)]
            document.sound[.pad(pad, .start)] = ends[pad % 2]
            document.sound[.pad(pad, .end)] = ends[1 - pad % 2]
        }
        return document
    }

    private var pattern: Pattern {
        var pattern = Pattern()
        switch self {
        case .typical:
            for step in 0..<Pattern.window {
                if step % 2 == 0 {
                    pattern[.melody, note: [0, 4, 7, 11, 9, 7, 4, 2][step / 2 % 8], step: step] = .normal
                }
                if step % 2 == 1, step % 8 > 4 { pattern[.melody, note: 9, step: step] = .sustain }
                if step % 8 == 0 { for note in [0, 4, 7] { pattern[.chords, note: note, step: step] = .accent } }
                if step % 8 == 1 || step % 8 == 2 {
                    for note in [0, 4, 7] { pattern[.chords, note: note, step: step] = .sustain }
                }
                if step % 4 == 0 { pattern[.bass, note: step % 8 == 0 ? 0 : 7, step: step] = .accent }
                if step % 8 == 0 { pattern[.rhythm, note: 0, step: step] = .accent }
                if step % 8 == 4 { pattern[.rhythm, note: 3, step: step] = .normal }
                if step % 2 == 0 { pattern[.rhythm, note: 7, step: step] = .normal }
            }
        case .dense: Self.fill(&pattern) { note in stride(from: note % 2, to: Pattern.window, by: 2) }
        case .full:
            Self.fill(&pattern) { _ in stride(from: 0, to: Pattern.window, by: 1) }
            pattern.tempo = Tempo.range.upperBound
        case .long:
            for track in Track.allCases {
                for note in track.notes {
                    for step in 0..<Pattern.steps { pattern[track, note: note, step: step] = .accent }
                }
            }
            pattern.length = Pattern.steps
            pattern.tempo = Tempo.range.upperBound
        }
        return pattern
    }

    /// Accents on the same steps for every note of each track.
    private static func fill(_ pattern: inout Pattern, _ steps: (Int) -> StrideTo<Int>) {
        for track in Track.allCases {
            for note in 0..<Pattern.octave {
                for step in steps(note) { pattern[track, note: note, step: step] = .accent }
            }
        }
    }
}
