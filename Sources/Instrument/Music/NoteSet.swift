/// A set of notes of one track.
struct NoteSet: Hashable, Sendable {
    /// Bit n is note n − 12.
    private(set) var bits: UInt64 = 0

    private static func bit(_ note: Int) -> UInt64 { 1 << UInt64(note + Pattern.octave) }

    /// The empty set.
    init() {}

    /// The set with these `bits`.
    init(bits: UInt64) { self.bits = bits }

    /// The set of `notes`.
    init(_ notes: some Sequence<Int>) { for note in notes { bits |= Self.bit(note) } }

    /// The notes of `track`. No loop: every row of every frame needs the set.
    init(of track: Track) {
        let notes = track.notes
        bits = (1 << UInt64(notes.count) - 1) << UInt64(notes.lowerBound + Pattern.octave)
    }

    /// The notes that `track` has from `first` up to, not including, `end`.
    init(from first: Int, upTo end: Int, of track: Track) {
        let all = track.notes.lowerBound..<track.notes.upperBound + 1
        let range = (first..<max(first, end)).clamped(to: all)
        bits = (1 << UInt64(range.count) - 1) << UInt64(range.lowerBound + Pattern.octave)
    }

    var isEmpty: Bool { bits == 0 }

    func contains(_ note: Int) -> Bool { bits & Self.bit(note) != 0 }

    func isDisjoint(with other: NoteSet) -> Bool { bits & other.bits == 0 }

    /// The notes that `track` has.
    func notes(of track: Track) -> NoteSet { NoteSet(bits: bits & NoteSet(of: track).bits) }

    /// Calls `body` for each note, lowest first.
    func forEach(_ body: (Int) -> Void) {
        var rest = bits
        while rest != 0 {
            body(rest.trailingZeroBitCount - Pattern.octave)
            rest &= rest - 1
        }
    }

    mutating func insert(_ note: Int) { bits |= Self.bit(note) }
}
