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

/// The music: three tracks of three octaves and one of twelve drums, by up to 128 steps, with tempo, metre, length and
/// tonality. A note's cells in a window of 32 steps are one 64-bit word: comparing, copying or sending a pattern costs
/// 120 words for each window up to the last with a note. Cells from `length` on are kept but neither visible nor
/// audible.
public struct Pattern: Hashable, Sendable {
    /// Notes of an octave, and drums of the rhythm track.
    public static let octave = 12
    /// Notes of the middle octave of a melodic track.
    public static let middleOctave = 0..<octave
    /// Maximum steps of a pattern.
    public static let steps = 128
    /// Steps of a window, which the grid shows at once.
    public static let window = 32
    /// Windows of the longest pattern.
    public static let windows = steps / window
    /// The steps of `window`, 0-3.
    public static func steps(ofWindow window: Int) -> Range<Int> {
        Pattern.window * window..<Pattern.window * (window + 1)
    }
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

    /// The words of the first window, then of the others up to the last that is not empty.
    private var words = [UInt64](repeating: 0, count: Pattern.wordCount)
    /// By track; empty while all are a new pattern's.
    private var shapes: [TrackShape] = []
    /// By track; empty while there are none.
    private var programs: [SoundProgram?] = []
    /// By track; empty while none is borrowed.
    private var origins: [Origin?] = []

    /// An empty pattern in C major, 120 BPM, 32 steps.
    public init() {}

    /// The cell at `step` (0-127) of `note` (within `track.notes`) on `track`.
    public subscript(track: Track, note note: Int, step step: Int) -> Cell {
        get {
            let word = cells(track, note: note, window: step / Pattern.window)
            return Cell(rawValue: UInt8(truncatingIfNeeded: word >> UInt64(2 * (step % Pattern.window)) & 3)) ?? .empty
        }
        set {
            let (window, shift) = (step / Pattern.window, UInt64(2 * (step % Pattern.window)))
            let word = cells(track, note: note, window: window) & ~(3 << shift) | UInt64(newValue.rawValue) << shift
            setCells(track, note: note, window: window, to: word)
        }
    }

    /// The 32 cells of `note` on `track` in `window`, 0-3: two bits each, the window's first step lowest.
    public func cells(_ track: Track, note: Int, window: Int) -> UInt64 {
        let index = index(track, note) + window * Pattern.wordCount
        return index < words.count ? words[index] : 0
    }

    /// Replaces the 32 cells of `note` on `track` in `window`, 0-3; every pair of bits is a valid cell. Where the note
    /// begins no more its own values go, and where it becomes an accent or normal its velocity.
    public mutating func setCells(_ track: Track, note: Int, window: Int, to word: UInt64) {
        let index = index(track, note) + window * Pattern.wordCount
        if lanes.hasNotes {
            let last = cells(track, note: note, window: window)
            let gone = Pattern.starts(last) & ~Pattern.starts(word)
            if gone != 0 { lanes.forget(track, note: note, from: window * Pattern.window, gone) }
            let changed = Pattern.starts(last) & Pattern.starts(word) & (last ^ word)
            if changed != 0 { lanes.forget(track, .velocity, note: note, from: window * Pattern.window, changed) }
        }
        guard index < words.count else {
            if word == 0 { return }
            words += [UInt64](repeating: 0, count: (window + 1) * Pattern.wordCount - words.count)
            return words[index] = word
        }
        words[index] = word
        if word == 0, window > 0 { freeEmptyWindows() }
    }

    /// Frees the memory of windows at the end without a note, so that equal patterns are equal values.
    private mutating func freeEmptyWindows() {
        while filledWindows > 1, words.suffix(Pattern.wordCount).allSatisfy({ $0 == 0 }) {
            words.removeLast(Pattern.wordCount)
        }
    }

    /// Number of windows up to the last that has a note; at least 1.
    public var filledWindows: Int { words.count / Pattern.wordCount }

    /// Number of windows of the pattern's length.
    public var shownWindows: Int { (length + Pattern.window - 1) / Pattern.window }

    /// The cells of `note` on `track` in all windows.
    public func cells(_ track: Track, note: Int) -> Cells {
        var cells = Cells()
        for window in 0..<filledWindows { cells[window: window] = self.cells(track, note: note, window: window) }
        return cells
    }

    /// Replaces the cells of `note` on `track` in all windows.
    public mutating func setCells(_ track: Track, note: Int, to cells: Cells) {
        for window in (0..<Pattern.windows).reversed() {
            setCells(track, note: note, window: window, to: cells[window: window])
        }
    }

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

    /// The program that `track` sends to other instruments before its first note; nil for none.
    public subscript(program track: Track) -> SoundProgram? {
        get { programs.isEmpty ? nil : programs[track.rawValue] }
        set {
            if programs.isEmpty { programs = Track.allCases.map { _ in nil } }
            programs[track.rawValue] = newValue
            if programs.allSatisfy({ $0 == nil }) { programs = [] }
        }
    }

    /// The scene's values of a track that is borrowed from it; nil for a track of the pattern's own.
    subscript(origin track: Track) -> Origin? {
        get { origins.isEmpty ? nil : origins[track.rawValue] }
        set {
            if origins.isEmpty { origins = Track.allCases.map { _ in nil } }
            origins[track.rawValue] = newValue
            if origins.allSatisfy({ $0 == nil }) { origins = [] }
        }
    }

    /// Steps before `track` repeats.
    public func length(of track: Track) -> Int { self[shape: track].length ?? wholeLength(of: track) }

    /// Steps before `track` repeats if it has no length of its own: those of its scene.
    func wholeLength(of track: Track) -> Int { self[origin: track]?.length ?? length }

    /// The number that decides the dice of `track`.
    public func seed(of track: Track) -> Int { self[origin: track]?.seed ?? seed }

    /// Whether `track` is borrowed from another scene.
    public func isBorrowed(_ track: Track) -> Bool { self[origin: track] != nil }

    /// Whether a note of `track` begins at `step`.
    func hasNote(_ track: Track, step: Int) -> Bool {
        track.notes.contains { self[track, note: $0, step: step].isStart }
    }

    /// Whether no track has a note; hidden notes count.
    public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// Whether `track` has no note; hidden notes count.
    func isEmpty(_ track: Track) -> Bool { track.notes.allSatisfy { cells(track, note: $0).isEmpty } }

    /// Clears the four tracks, with their lanes.
    mutating func clear() {
        words = [UInt64](repeating: 0, count: Pattern.wordCount)
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
        // First, as they would go one by one.
        lanes.clearNotes(track)
        for note in track.notes { setCells(track, note: note, to: Cells()) }
    }

    /// The length nearest to `length` that the other versions of PixelBoop know.
    public static func nearestSharedLength(to length: Int) -> Int { length.clamped(to: sharedLengths) }

    /// Changes the length by `count` beats, beyond the first window by as many bars, to a whole number of them, at least
    /// one, and within `limits`; hidden notes are kept.
    mutating func changeLength(by count: Int, within limits: ClosedRange<Int>) {
        for _ in 0..<count.magnitude {
            let (isUp, last) = (count > 0, length)
            let unit = (isUp ? length >= Pattern.window : length > Pattern.window) ? metre.stepsOfBar : metre.steps
            let next = isUp ? length / unit * unit + unit : (length - 1) / unit * unit
            // The last length of whole beats in the first window lies between beats and bars.
            let border = Pattern.window / metre.steps * metre.steps
            let least = last > Pattern.window ? border : metre.steps
            let goal = (isUp ? next : max(next, least)).clamped(to: limits)
            // A pattern that is shorter than a beat stays, as does one beyond the limits.
            length = isUp ? max(last, goal) : min(last, goal)
            if length == last { return }
        }
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
                let (there, moved) = (cells(track, note: target), other.cells(track, note: note))
                setCells(track, note: target, to: Cells.merge(there, moved))
                mergeValues(of: note, moved, on: track, from: other, to: target, there)
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

    /// The duration of `count` steps at the pattern's tempo, rounded down so that the next step is not included. Swing
    /// delays the second step of a pair but moves no pair.
    public func duration(ofSteps count: Int) -> Instant.Span {
        Instant.Span(microseconds: Int64(count) * 1_500_000_000 / Int64(tempo.hundredths))
    }

    /// The place of `note` in its octave, 0-11.
    static func pitchClass(of note: Int) -> Int { (note + octave) % octave }

    /// The cells of `pitchClass`, 0-11 from the lowest of the middle octave, in whichever octave they lie: of several
    /// at one step an accent before a normal note before a sustain.
    public func foldedCells(_ track: Track, pitchClass: Int) -> Cells {
        var folded = Cells()
        for note in track.notes where Pattern.pitchClass(of: note) == pitchClass {
            folded = Cells.merge(folded, cells(track, note: note))
        }
        return folded
    }

    /// The lower bits of the cells in which a note begins.
    private static func starts(_ word: UInt64) -> UInt64 { (word ^ word >> 1) & lowBits }

    /// The lower bit of each of the 32 cells of a note in a window.
    static let lowBits: UInt64 = 0x5555_5555_5555_5555

    /// The lower bits of the cells of the steps of `window` before `step`.
    static func lowBits(before step: Int, in window: Int) -> UInt64 {
        let place = (step - window * Pattern.window).clamped(to: 0...Pattern.window)
        return lowBits & (place == Pattern.window ? .max : (1 << UInt64(2 * place)) - 1)
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
