import Instrument

/// A pattern from the notes of a MIDI file: each note moves to the nearest step, and its key to a row of a track.
public struct MIDIImport {
    /// The pattern.
    public let document: PatternDocument
    /// Parts of the file that the pattern does not include, one line each.
    public let remarks: [String]

    /// Whether `bytes` begin like a MIDI file.
    public static func recognises(_ bytes: [UInt8]) -> Bool { MIDIReader.recognises(bytes) }

    /// Reads a Standard MIDI File of type 0 or 1.
    ///
    /// The pattern begins with the bar of the first note; the pattern of an exported file, which its tracks' names
    /// tell, with the file. Channel 10 becomes rhythm, by General MIDI's drums. Channels 1, 2 and 3 become melody,
    /// chords and bass, as in exported files. If a file has notes on other channels, or several tracks on one channel,
    /// `MIDIParts` says what they become. A piece that repeats becomes one repetition; of another long piece the first
    /// 128 steps are used. The swing is the best fit to the notes. Throws `FormatError` with the position of the first
    /// error.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let file = try MIDIReader(bytes)
        guard let first = file.notes.first else { throw FormatError("", "the file has no notes") }
        let begin = file.isExported ? 0 : file.bar(at: first.start)
        let grid = StepGrid(of: file.notes.map { $0.start - begin }, ticksPerQuarter: file.ticksPerQuarter)
        let parts = MIDIParts(of: file)
        let length = grid.step(at: file.end - begin)
        let lengths = Self.lengths(of: file, at: begin)
        let notes = file.notes.compactMap {
            Self.placed($0, from: begin, end: file.end, lengths.contains(length) ? length : nil, on: grid, parts)
        }
        var pattern = Pattern()
        var remarks: [String] = []
        let unit = Self.unit(of: file, at: begin)
        let whole = (length + unit - 1) / unit * unit
        // A piece of one window is taken as it is, even if it repeats.
        let period = length > Pattern.window ? Self.period(of: notes, length: length, lengths) : nil
        if let period {
            pattern.length = period
        } else if length <= Pattern.steps {
            let used = max(length, (notes.map { $0.step }.max() ?? 0) + 1)
            pattern.length = lengths.first { $0 >= used } ?? Pattern.steps
            if whole > Pattern.steps { remarks.append("the first \(Pattern.steps) of \(whole) steps were taken") }
        } else {
            pattern.length = Pattern.steps
            remarks.append("the first \(Pattern.steps) of \(length) steps were taken")
        }
        if let tempo = Self.tempo(of: file, at: begin) {
            pattern.tempo = tempo.nearest
            if tempo.nearest != tempo.found {
                remarks.append("the tempo is \(tempo.found.text) BPM, and was set to \(tempo.nearest.text)")
            }
        }
        pattern.metre = file.metre(at: begin)
        pattern.tonality = Self.tonality(of: file, at: begin)
        // The longest of several notes in the same cell is kept.
        for note in notes.inOrder({ ($0.step, $0.steps) < ($1.step, $1.steps) }) {
            note.write(into: &pattern, repeats: period != nil)
        }
        var document = PatternDocument(pattern: pattern)
        document.sound[.swing] = grid.swing
        document.name = file.name == MIDIFile.nameless ? nil : file.name
        self.document = document
        self.remarks = remarks
    }

    /// The steps of which a pattern of `file` has a whole number: a bar of the time signature at `begin`; of four
    /// quarter notes, a beat.
    private static func unit(of file: MIDIReader, at begin: Int) -> Int {
        let bar = Double(Metre.stepsOfQuarter) * file.quartersOfBar(at: begin)
        let isWhole = bar == bar.rounded() && bar >= 1 && bar <= Double(Pattern.steps)
        return isWhole && bar != Double(Metre().stepsOfBar) ? Int(bar) : Metre().steps
    }

    /// The lengths that a pattern of `file` can have.
    private static func lengths(of file: MIDIReader, at begin: Int) -> [Int] {
        // The box's own pattern may end within a bar.
        let unit = file.isExported ? 1 : unit(of: file, at: begin)
        return Array(stride(from: unit, through: Pattern.steps, by: unit))
    }

    /// The place of `note` in a piece that begins at the tick `begin` and ends at `end`, after `length` steps if a
    /// pattern can be as long. A note that is played a little before the end of such a piece is the first of its next
    /// turn.
    private static func placed(
        _ note: MIDIReader.Note, from begin: Int, end: Int, _ length: Int?, on grid: StepGrid, _ parts: MIDIParts
    ) -> Placed? {
        guard let track = parts.track(of: note) else { return nil }
        let row = track.note(ofMIDIKey: note.key)
        let step = grid.step(at: note.start - begin)
        let steps = max(1, grid.step(at: note.end - begin) - step)
        let isEarly = step == length && note.start < end
        return Placed(
            track: track, note: row, step: isEarly ? 0 : step, steps: steps,
            isAccent: Track.velocity(ofMIDI: note.velocity) == 2)
    }

    private struct Placed: Hashable {
        var track: Track
        var note: Int
        var step: Int
        var steps: Int
        var isAccent: Bool

        /// Writes the note into `pattern`; if it `repeats`, a note beyond the end continues at the start.
        func write(into pattern: inout Pattern, repeats: Bool) {
            guard step < pattern.length else { return }
            let end = min(step + steps, pattern.length)
            for step in step..<end { pattern[track, note: note, step: step] = .sustain }
            pattern[track, note: note, step: step] = isAccent ? .accent : .normal
            // A sustained earlier note ends at the start of this one.
            for step in end..<pattern.length where pattern[track, note: note, step: step] == .sustain {
                pattern[track, note: note, step: step] = .empty
            }
            guard repeats else { return }
            for step in 0..<max(0, min(step + steps - pattern.length, step)) {
                guard pattern[track, note: note, step: step] == .empty else { return }
                pattern[track, note: note, step: step] = .sustain
            }
        }

        /// The same note `count` steps later, shortened to end by `end`.
        func moved(by count: Int, before end: Int) -> Placed {
            var moved = self
            moved.step += count
            moved.steps = min(steps, max(0, end - moved.step))
            return moved
        }
    }

    // MARK: Tempo and key

    /// The tempo at `begin`, and the nearest supported tempo; nil if the file has none.
    private static func tempo(of file: MIDIReader, at begin: Int) -> (found: Tempo, nearest: Tempo)? {
        guard let microseconds = file.microsecondsPerQuarter(at: begin), microseconds > 0 else { return nil }
        let tempo = Tempo(hundredths: Int((6_000_000_000 + Int64(microseconds) / 2) / Int64(microseconds)))
        return (tempo, min(max(tempo, Tempo.range.lowerBound), Tempo.range.upperBound))
    }

    private static func tonality(of file: MIDIReader, at begin: Int) -> Tonality {
        guard let key = file.key(at: begin), (-7...7).contains(key.sharps) else { return Tonality() }
        // Each sharp is a fifth up, and the relative minor is three semitones below the major key.
        let root = (7 * key.sharps + (key.isMinor ? 9 : 0)) % 12
        return Tonality(root: (root + 12) % 12, scale: key.isMinor ? .minor : .major)
    }

    // MARK: Repeats

    /// The shortest pattern length of which `notes`, `least` steps long, are repetitions; nil if there is none. A note
    /// that extends into the next repetition is shorter in the last one. Many programs end the file with its last note,
    /// not with its bar.
    private static func period(of notes: [Placed], length least: Int, _ lengths: [Int]) -> Int? {
        let all = Set(notes)
        let starts = Set(notes.map { $0.moved(by: 0, before: 0) })
        return lengths.first { period in
            let length = (least + period - 1) / period * period
            return all.allSatisfy { note in
                let before = note.moved(by: -period, before: -period)
                let after = note.moved(by: period, before: length)
                return (before.step < 0 || starts.contains(before))
                    && (after.step >= length || all.contains(after))
            }
        }
    }
}

/// The step grid of a file: four steps per quarter, with the second of each pair delayed by the swing.
private struct StepGrid {
    /// Percentage of a pair of steps that the first takes.
    let swing: Int
    private let ticksPerPair: Double

    /// The grid with the smallest distance to notes that begin at the ticks `starts`.
    init(of starts: [Int], ticksPerQuarter: Int) {
        let pair = Double(ticksPerQuarter) / 2
        ticksPerPair = pair
        let starts = Set(starts).map(Double.init)
        func error(_ swing: Int) -> Double {
            starts.reduce(0) { $0 + Self.place($1, pair, swing).error }
        }
        let swings = SoundControl.swing.range
        let straight = error(swings.lowerBound)
        let best = swings.min { error($0) < error($1) } ?? swings.lowerBound
        // Only a clearly better fit counts as swing, rather than inexact playing.
        swing = error(best) < straight / 2 ? best : swings.lowerBound
    }

    /// Maximum step where `Int` has 32 bits, so that sums of steps fit; no file reaches it with 64 bits.
    private static let stepsMax = Double(Int.max / 4)

    func step(at tick: Int) -> Int { Self.place(Double(tick), ticksPerPair, swing).step }

    /// The step nearest to `tick`, and its distance.
    private static func place(_ tick: Double, _ pair: Double, _ swing: Int) -> (step: Int, error: Double) {
        let number = (tick / pair).rounded(.down)
        let offset = tick - number * pair
        let places = [(0, offset), (1, abs(offset - pair * Double(swing) / 100)), (2, pair - offset)]
        let nearest = places.min { $0.1 < $1.1 } ?? (0, 0)
        return (Int(min(2 * number, stepsMax)) + nearest.0, nearest.1)
    }
}
