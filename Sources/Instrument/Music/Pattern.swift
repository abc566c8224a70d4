import InputEvents

/// The content of one step of one note.
public enum Cell: UInt8, Sendable {
    /// Silence.
    case empty
    /// A note, velocity 1.
    case normal
    /// An accented note, velocity 2.
    case accent
    /// The note of the step before, held.
    case sustain

    /// Whether a note begins here.
    var isStart: Bool { self == .normal || self == .accent }
}

/// The music: three tracks of three octaves and one of twelve drums, by thirty-two steps, with tempo, length and
/// tonality. A note's 32 cells are one 64-bit word, two bits a step, step 0 lowest: comparing, copying or sending a
/// pattern costs 120 words. Cells from `length` on are kept but neither visible nor audible.
public struct Pattern: Hashable, Sendable {
    /// Notes of an octave, and drums of the rhythm track.
    public static let octave = 12
    /// Notes of the middle octave of a melodic track.
    public static let middleOctave = 0..<octave
    /// Maximum steps of a pattern.
    public static let steps = 32
    /// Range of the length, in steps.
    public static let lengths = 1...steps
    /// Range of the lengths that the other versions of PixelBoop know (docs/formats.md).
    public static let sharedLengths = 8...32

    /// The tempo, within `Tempo.range`.
    public var tempo: Tempo = 120
    /// Steps before the pattern repeats, within `lengths`.
    public var length = 32
    /// Beats and bars.
    public var metre = Metre()
    /// Scale and root.
    public var tonality = Tonality()
    /// Frequencies of the notes.
    public var tuning = Tuning()

    /// Values for single steps.
    public var lanes = Lanes()
    /// Number that decides the dice, within `seeds`.
    public var seed = 1
    /// Range of the seed.
    public static let seeds = 1...65_535

    private var words = [UInt64](repeating: 0, count: Pattern.wordCount)
    /// By track; empty while all are a new pattern's.
    private var shapes: [TrackShape] = []

    /// An empty pattern in C major, 120 BPM, 32 steps.
    public init() {}

    /// The cell at `step` (0-31) of `note` (within `track.notes`) on `track`.
    public subscript(track: Track, note note: Int, step step: Int) -> Cell {
        get { Cell(rawValue: UInt8(truncatingIfNeeded: cells(track, note: note) >> UInt64(2 * step) & 3)) ?? .empty }
        set {
            let shift = UInt64(2 * step)
            words[index(track, note)] = words[index(track, note)] & ~(3 << shift) | UInt64(newValue.rawValue) << shift
        }
    }

    /// The 32 cells of `note` on `track`, two bits each, step 0 lowest.
    public func cells(_ track: Track, note: Int) -> UInt64 { words[index(track, note)] }

    /// Replaces the 32 cells of `note` on `track`; every pair of bits is a valid cell.
    public mutating func setCells(_ track: Track, note: Int, to word: UInt64) { words[index(track, note)] = word }

    /// How `track` runs.
    public subscript(shape track: Track) -> TrackShape {
        get { shapes.isEmpty ? TrackShape() : shapes[track.rawValue] }
        set {
            guard newValue != self[shape: track] else { return }
            if shapes.isEmpty { shapes = Track.allCases.map { _ in TrackShape() } }
            shapes[track.rawValue] = newValue
            if shapes.allSatisfy({ $0 == TrackShape() }) { shapes = [] }
        }
    }

    /// Steps before `track` repeats.
    public func length(of track: Track) -> Int { self[shape: track].length ?? length }

    /// Whether a note of `track` begins at `step`.
    func hasNote(_ track: Track, step: Int) -> Bool {
        track.notes.contains { self[track, note: $0, step: step].isStart }
    }

    /// Whether no track has a note; hidden notes count.
    public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// Whether `track` has no note; hidden notes count.
    func isEmpty(_ track: Track) -> Bool {
        words[index(track, track.notes.lowerBound)...index(track, track.notes.upperBound)].allSatisfy { $0 == 0 }
    }

    /// Clears the four tracks, with their lanes.
    mutating func clear() {
        for index in words.indices { words[index] = 0 }
        lanes = Lanes()
        shapes = []
    }

    /// Erases all notes of `track` at `step`.
    mutating func erase(_ track: Track, step: Int) {
        for note in track.notes { self[track, note: note, step: step] = .empty }
    }

    /// Removes all notes of `track` with a cell at `step`, whole, in a pattern of `length` steps.
    mutating func removeNotes(_ track: Track, at step: Int, in length: Int) {
        for note in track.notes {
            guard let run = run(track, note: note, step: step, in: length) else { continue }
            for place in 0..<run.count { self[track, note: note, step: (run.start + place) % length] = .empty }
        }
    }

    /// Clears `track`, with its lanes.
    mutating func clear(_ track: Track) {
        removeNotes(of: track)
        lanes.clear(track)
        self[shape: track] = TrackShape()
    }

    private mutating func removeNotes(of track: Track) {
        for note in track.notes { setCells(track, note: note, to: 0) }
    }

    /// The length nearest to `length` that the other versions of PixelBoop know.
    public static func nearestSharedLength(to length: Int) -> Int { length.clamped(to: sharedLengths) }

    /// Changes the length by `count` beats to a whole number of them, within `limits`; hidden notes are kept.
    mutating func changeLength(by count: Int, within limits: ClosedRange<Int>) {
        let beat = metre.steps
        let from = count < 0 ? length + beat - 1 : length
        length = (from / beat * beat + beat * count).clamped(to: limits)
    }

    /// The length in steps of the track of the note that starts at `step`: its first cell and the sustain cells that
    /// follow, cyclic within the track's length and at most the whole of it.
    public func runLength(_ track: Track, note: Int, step: Int) -> Int {
        runLength(track, note: note, step: step, in: length(of: track))
    }

    private func runLength(_ track: Track, note: Int, step: Int, in length: Int) -> Int {
        var count = 1
        while count < length, self[track, note: note, step: (step + count) % length] == .sustain { count += 1 }
        return count
    }

    /// The cells of one held note: its first step and their number, cyclic within the pattern.
    struct Run: Hashable {
        var start: Int
        var count: Int
    }

    /// The held note to which the cell at `step` belongs, in a pattern of `length` steps; nil if the cell is empty.
    /// Sustain cells without a head count from the first of them.
    func run(_ track: Track, note: Int, step: Int, in length: Int) -> Run? {
        var (start, cell, count) = (step, self[track, note: note, step: step], 1)
        guard cell != .empty else { return nil }
        while cell == .sustain, count < length {
            let before = (start + length - 1) % length
            cell = self[track, note: note, step: before]
            if cell == .empty { break }
            (start, count) = (before, count + 1)
        }
        return Run(start: start, count: runLength(track, note: note, step: start, in: length))
    }

    /// Replaces the melodic notes by the notes of `other`, moved by `semitones`. A note that would leave the range
    /// moves an octave inward; of two that meet on one cell an accent stays before a normal note before a sustain.
    mutating func transpose(_ other: Pattern, by semitones: Int) {
        for track in Track.allCases where track != .rhythm {
            removeNotes(of: track)
            for note in track.notes {
                let target = Pattern.fold(note + semitones, into: track.notes)
                let moved = other.cells(track, note: note)
                words[index(track, target)] = Pattern.merge(cells(track, note: target), moved)
            }
        }
    }

    /// `note`, moved by octaves into `notes`, which span an octave or more.
    static func fold(_ note: Int, into notes: ClosedRange<Int>) -> Int {
        var note = note
        while note > notes.upperBound { note -= octave }
        while note < notes.lowerBound { note += octave }
        return note
    }

    /// The stronger of two notes' cells at every step.
    private static func merge(_ one: UInt64, _ other: UInt64) -> UInt64 {
        func split(_ word: UInt64) -> (normal: UInt64, accent: UInt64, sustain: UInt64) {
            let (low, high) = (word & lowBits, word >> 1 & lowBits)
            return (low & ~high, high & ~low, low & high)
        }
        let (a, b) = (split(one), split(other))
        let accent = a.accent | b.accent
        let normal = (a.normal | b.normal) & ~accent
        let sustain = (a.sustain | b.sustain) & ~(accent | normal)
        return normal | accent << 1 | sustain | sustain << 1
    }

    /// The duration of `count` steps at the pattern's tempo, rounded down so that the next step is not included. Swing
    /// delays the second step of a pair but moves no pair.
    public func duration(ofSteps count: Int) -> Instant.Span {
        Instant.Span(microseconds: Int64(count) * 1_500_000_000 / Int64(tempo.hundredths))
    }

    /// The place of `note` in its octave, 0-11.
    static func pitchClass(of note: Int) -> Int { (note + octave) % octave }

    /// The cells of `pitchClass`, 0-11 from the lowest of the middle octave, in whichever octave they lie: of several
    /// at one step an accent before a normal note before a sustain.
    public func foldedCells(_ track: Track, pitchClass: Int) -> UInt64 {
        var word: UInt64 = 0
        for note in track.notes where Pattern.pitchClass(of: note) == pitchClass {
            word = Pattern.merge(word, cells(track, note: note))
        }
        return word
    }

    /// Whether `track` has notes outside the middle octave; hidden notes count.
    public func hasOuterNotes(_ track: Track) -> Bool {
        track.notes.contains { !Pattern.middleOctave.contains($0) && cells(track, note: $0) != 0 }
    }

    /// The lower bit of each of the 32 cells of a note.
    static let lowBits: UInt64 = 0x5555_5555_5555_5555

    /// The lower bits of the cells of the steps before `step`.
    static func lowBits(before step: Int) -> UInt64 {
        lowBits & (step >= steps ? .max : (1 << UInt64(2 * step)) - 1)
    }

    private static let wordCount = Track.allCases.reduce(0) { $0 + $1.notes.count }

    private func index(_ track: Track, _ note: Int) -> Int {
        let notes = track.notes
        precondition(notes.contains(note))
        // The melodic tracks come first and have as many notes each.
        return track.rawValue * Track.melody.notes.count + note - notes.lowerBound
    }
}

extension Int {
    /// The value clamped to `range`.
    func clamped(to range: ClosedRange<Int>) -> Int { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
