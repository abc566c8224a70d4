import Documents
import Instrument

/// Two bars of music for each track, by which its sounds are heard and compared: 32 steps at 120 BPM, four seconds.
enum SoundPhrase {
    /// The phrase of `track` with `sound`, without effects.
    static func document(_ track: Track, _ sound: SoundPreset) -> PatternDocument {
        var document = PatternDocument(pattern: pattern(track))
        document.sound.choose(sound, for: track)
        return document
    }

    /// One note.
    struct Note: Sendable {
        let note: Int
        let step: Int
        let length: Int
        let isAccent: Bool

        init(_ note: Int, at step: Int, for length: Int = 1, accent isAccent: Bool = false) {
            self.note = note
            self.step = step
            self.length = length
            self.isAccent = isAccent
        }
    }

    private static func pattern(_ track: Track) -> Pattern {
        var pattern = Pattern()
        for note in notes[track.rawValue] {
            pattern[track, note: note.note, step: note.step] = note.isAccent ? .accent : .normal
            for step in note.step + 1..<note.step + note.length {
                pattern[track, note: note.note, step: step] = .sustain
            }
        }
        return pattern
    }

    private static let notes: [[Note]] = [melody, chords, bass, rhythm]

    /// A run with held notes and accents.
    private static let melody: [Note] = [
        Note(0, at: 0, for: 2, accent: true), Note(4, at: 2), Note(7, at: 3), Note(12, at: 4, for: 4, accent: true),
        Note(11, at: 8), Note(9, at: 9), Note(7, at: 10, for: 2), Note(4, at: 12, for: 4, accent: true),
        Note(2, at: 16), Note(4, at: 17), Note(5, at: 18), Note(7, at: 19), Note(9, at: 20, for: 4, accent: true),
        Note(7, at: 24, for: 2), Note(5, at: 26, for: 2), Note(4, at: 28, for: 4, accent: true),
    ]

    /// Triads, long and short.
    private static let chords: [Note] =
        triad([0, 4, 7], at: 0, for: 6, accent: true) + triad([-3, 0, 4], at: 8, for: 4)
        + triad([-3, 0, 4], at: 12, for: 2) + triad([0, 5, 9], at: 16, for: 6, accent: true)
        + triad([2, 7, 11], at: 24, for: 4) + triad([2, 7, 11], at: 28, for: 2)

    private static func triad(_ notes: [Int], at step: Int, for length: Int, accent: Bool = false) -> [Note] {
        notes.map { Note($0, at: step, for: length, accent: accent) }
    }

    /// A line.
    private static let bass: [Note] = [
        Note(0, at: 0, for: 2, accent: true), Note(0, at: 3), Note(0, at: 4, for: 2), Note(7, at: 6),
        Note(5, at: 8, for: 2, accent: true), Note(5, at: 11), Note(3, at: 12, for: 3),
        Note(9, at: 16, for: 2, accent: true), Note(9, at: 19), Note(7, at: 20, for: 2), Note(4, at: 22),
        Note(2, at: 24, for: 3, accent: true), Note(7, at: 28, for: 2), Note(-5, at: 30, for: 2),
    ]

    /// Kick, snare, closed hat with an open one at the end, and clap.
    private static let rhythm: [Note] =
        [0, 8, 16, 22, 24].map { Note(0, at: $0, accent: $0 == 0) } + [4, 12, 20, 28].map { Note(3, at: $0) }
        + stride(from: 0, to: 30, by: 2).map { Note(7, at: $0, accent: $0 % 8 == 2) } + [Note(8, at: 30)]
        + [12, 28].map { Note(6, at: $0) }
}
