/// The music's move to another key by one touch. The touch may move it several times, each time from where the notes
/// were before the touch, so that nothing is lost at the ends of the range; notes that other fingers write meanwhile
/// move along.
struct Transposition: Sendable {
    /// Root and scale before the touch.
    let tonality: Tonality
    /// Semitones of the last move; 0 before the first.
    private(set) var semitones = 0
    /// The notes as they would be without a move, and after the last.
    private var unmoved: Pattern
    private var moved: Pattern

    /// A touch on a root or a scale while `pattern` is played.
    init(from pattern: Pattern) {
        tonality = pattern.tonality
        unmoved = pattern
        moved = pattern
    }

    /// Moves the notes of `pattern` by `change` semitones from where they would be without a move.
    func apply(_ change: Int, to pattern: inout Pattern) { pattern.transpose(base(of: pattern), by: change) }

    /// Remembers that `pattern` became `result` by a move by `change` semitones.
    mutating func remember(_ change: Int, from pattern: Pattern, to result: Pattern) {
        unmoved = base(of: pattern)
        moved = result
        semitones = change
    }

    /// The next move begins from the notes that are there then.
    mutating func forget() { semitones = 0 }

    /// Changes the own values of the notes of `track` that differ in `pattern` from those after the last move.
    private func takeValues(of track: Track, from pattern: Pattern, to base: inout Pattern) {
        for note in track.notes {
            let home = Pattern.fold(note - semitones, into: track.notes)
            for lane in Lane.ofNotes {
                for step in 0..<Pattern.steps {
                    let value = pattern.lanes[track, lane, note: note, step: step]
                    if value != moved.lanes[track, lane, note: note, step: step] {
                        base.setValue(value, track, lane, note: home, step: step)
                    }
                }
            }
        }
    }

    /// The notes of `pattern` as they would be without a move: those that were moved, and those that others have
    /// changed since.
    private func base(of pattern: Pattern) -> Pattern {
        guard semitones != 0 else { return pattern }
        var base = unmoved
        for track in Track.allCases where track != .rhythm {
            for note in track.notes where pattern.cells(track, note: note) != moved.cells(track, note: note) {
                let home = Pattern.fold(note - semitones, into: track.notes)
                for step in 0..<Pattern.steps {
                    let cell = pattern[track, note: note, step: step]
                    if cell != moved[track, note: note, step: step] { base[track, note: home, step: step] = cell }
                }
            }
            if !pattern.lanes.hasSameNotes(track, as: moved.lanes) { takeValues(of: track, from: pattern, to: &base) }
        }
        return base
    }
}
