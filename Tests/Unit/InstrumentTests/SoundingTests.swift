import Instrument
import Testing

@Suite("Transposed and voiced tracks")
struct SoundingTests {
    private func notes(_ pattern: Pattern, _ track: Track, step: Int) -> [Int] {
        track.notes.filter { [.normal, .accent].contains(pattern[track, note: $0, step: step]) }
    }

    @Test("a track without a shape sounds as written")
    func plain() {
        var pattern = Pattern()
        pattern[.chords, note: 0, step: 0] = .accent
        pattern[.chords, note: 0, step: 1] = .sustain
        pattern.lanes[.chords, .chance, step: 0] = 10
        #expect(pattern.sounding == pattern)
    }

    @Test("degrees stay in the scale, keep lengths, and an outer note moves by an octave")
    func transposition() {
        var pattern = Pattern()
        for (step, note) in [(0, 0), (4, 4), (8, 6), (12, 23)] { pattern[.melody, note: note, step: step] = .normal }
        pattern[.melody, note: 4, step: 5] = .sustain
        pattern[shape: .melody].transposition = 2
        let sounding = pattern.sounding
        // C → E, E → G, F♯ (a semitone above F) → A♯, B two octaves up → D, an octave down.
        #expect([0, 4, 8, 12].map { notes(sounding, .melody, step: $0) } == [[4], [7], [10], [14]])
        #expect(sounding[.melody, note: 7, step: 5] == .sustain)
        pattern[shape: .melody].transposition = -7
        #expect(notes(pattern.sounding, .melody, step: 0) == [-12])
    }

    private var chords: Pattern {
        var pattern = Pattern()
        for note in [0, 4, 7] { pattern[.chords, note: note, step: 0] = .normal }
        for note in [7, 11, 14] { pattern[.chords, note: note, step: 8] = .normal }
        pattern[.chords, note: 9, step: 12] = .normal
        for note in [5, 9, 12] { pattern[.chords, note: note, step: 16] = .normal }
        return pattern
    }

    @Test("spread lifts the middle tone, close takes the nearest inversion; a single note stays")
    func voicings() {
        var pattern = chords
        pattern[shape: .chords].voicing = .spread
        #expect(notes(pattern.sounding, .chords, step: 0) == [0, 7, 16])
        #expect(notes(pattern.sounding, .chords, step: 12) == [9])
        pattern[shape: .chords].voicing = .close
        #expect(notes(pattern.sounding, .chords, step: 0) == [0, 4, 7])
        // G as B D G; F as C F A, which is as near as A C F and turned less.
        #expect(notes(pattern.sounding, .chords, step: 8) == [-1, 2, 7])
        #expect(notes(pattern.sounding, .chords, step: 16) == [0, 5, 9])
    }
}
