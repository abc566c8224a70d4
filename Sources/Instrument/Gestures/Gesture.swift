import Display

/// The gesture of one finger in a track so far. Rules, page, key, length and the notes of its first LED are as at its
/// landing.
struct Gesture: Hashable, Sendable {
    let rules: Rules
    /// The track in which it began; it does not change.
    let track: Track
    let tonality: Tonality
    // Small numbers: every touch copies the gestures of all fingers.
    private let pageNumber: Int8
    private let lengthNumber: UInt8
    /// What a tap on the chords makes.
    let chordKind: TrackShape.ChordKind
    /// The notes that its first LED showed.
    private(set) var lit: NoteSet
    /// The place where it began.
    let start: Place
    /// The last place within the track and the pattern.
    var end: Place
    /// Whether the finger stayed within its first LED for `Limits.hold`.
    var isHeld = false
    /// Whether the finger counts as still; only the rules of the box ask.
    var isStill = true
    /// Rows by which the finger had risen when it left its first step for the first time; nil until then, and under the
    /// rules of the phone.
    private(set) var risen: Int8?

    /// The page of its track.
    var page: Int { Int(pageNumber) }
    /// Steps of the pattern.
    var length: Int { Int(lengthNumber) }

    /// A step and a row of a track.
    struct Place: Hashable, Sendable {
        private var stepNumber: Int8
        private var rowNumber: Int8

        /// Step, 0-127.
        var step: Int {
            get { Int(stepNumber) }
            set { stepNumber = Int8(newValue) }
        }
        /// Row, from the track's lowest.
        var row: Int { Int(rowNumber) }

        init(step: Int, row: Int) {
            stepNumber = Int8(step)
            rowNumber = Int8(row)
        }
    }

    /// A gesture of a finger that lands on `led`, in a track of `pattern`, of which the grid shows `window`; nil if no
    /// note can be written there.
    init?(_ rules: Rules, at led: Position.LED, pages: [Int], _ pattern: Pattern, _ window: StepWindow) {
        guard let track = Track(row: led.row),
            let place = Gesture.place(of: led, in: track, length: pattern.length, window)
        else { return nil }
        let page = pages[track.rawValue]
        let map = PageMap(rules, track, page: page, pattern.tonality)
        guard map.note(atRow: place.row) != nil else { return nil }
        let step = place.step
        var lit = NoteSet()
        map.notes(atRow: place.row).notes(of: track).forEach {
            if pattern[track, note: $0, step: step] != .empty { lit.insert($0) }
        }
        self.init(
            rules, track, page: page, pattern.tonality, length: pattern.length,
            chords: pattern[shape: .chords].chordKind, from: place)
        self.lit = lit
    }

    /// A gesture that begins at `start`, on a dark LED; a tap on the chords makes `chords`.
    init(
        _ rules: Rules, _ track: Track, page: Int, _ tonality: Tonality, length: Int, chords: TrackShape.ChordKind,
        from start: Place
    ) {
        (self.rules, self.track, self.tonality) = (rules, track, tonality)
        (pageNumber, lengthNumber, chordKind) = (Int8(page), UInt8(length), chords)
        (lit, self.start, end) = (NoteSet(), start, start)
    }

    /// The same gesture as on a dark LED.
    var overDark: Gesture {
        var gesture = self
        gesture.lit = NoteSet()
        return gesture
    }

    /// The notes of the rows.
    var map: PageMap { PageMap(rules, track, page: page, tonality) }

    /// The cell of its first note.
    var accent: Cell { isHeld ? .accent : .normal }

    /// Steps from start to end.
    var dx: Int { end.step - start.step }

    /// The step and row at `led`; nil if it is not a step of the pattern in the track.
    private static func place(of led: Position.LED, in track: Track, length: Int, _ window: StepWindow) -> Place? {
        guard track.rows.contains(led.row), let step = window.step(atColumn: led.column), step < length else {
            return nil
        }
        return Place(step: step, row: track.rows.upperBound - 1 - led.row)
    }

    /// The place of a finger that moved in a straight line from `previous` to `position` while the grid shows `window`;
    /// nil if it stays the last one.
    /// Two reports are two points of the finger's path, so the overlay's report rate does not matter.
    func place(from previous: Position, to position: Position, _ window: StepWindow) -> Place? {
        let rows = track.rows.lowerBound...track.rows.upperBound - 1
        var led = position.led
        // The pattern has become longer since the finger landed, and another window is shown.
        guard window.first < length else {
            return Place(step: length - 1, row: track.rows.upperBound - 1 - led.row.clamped(to: rows))
        }
        let columns = window.columns(ofSteps: length)
        switch rules {
        case .box:
            led = Position.LED(column: led.column.clamped(to: columns), row: led.row.clamped(to: rows))
        case .phone:
            if columns.contains(led.column), rows.contains(led.row) { break }
            guard let last = previous.lastLED(onTheWayTo: position, within: columns, rows) else { return nil }
            led = last
        }
        return Gesture.place(of: led, in: track, length: length, window)
    }

    /// Remembers how far a finger that moved in a straight line from `previous` to `position` had risen where it left
    /// its first step, if it did so for the first time and `end` is where it is now.
    mutating func rise(from previous: Position, to position: Position) {
        guard risen == nil, dx != 0 else { return }
        let edge = Float(Grid.column(ofStep: start.step % Pattern.window + (dx < 0 ? 0 : 1))) - 0.5
        let across = position.column - previous.column
        // A finger that rests while the grid scrolls leaves the step where it is.
        let way = across == 0 ? 1 : (edge - previous.column) / across
        let row = previous.row + way * (position.row - previous.row)
        let rows = track.rows.lowerBound...track.rows.upperBound - 1
        let led = Position(column: edge, row: row).led
        risen = Int8(track.rows.upperBound - 1 - led.row.clamped(to: rows) - start.row)
    }

    /// The shape, by the rules' table.
    var shape: Shape {
        switch rules {
        case .box: boxShape
        case .phone: phoneShape
        }
    }

    /// The shape of a drag along the steps.
    var shapeAlong: Shape {
        switch track {
        case .rhythm: .roll
        case _ where isHeld: .sustain
        case .melody: .run
        case .chords: .arpeggio
        case .bass: .walk
        }
    }

    /// The shape of a drag along the notes.
    var shapeUpright: Shape {
        switch track {
        case .melody, .chords: .stack
        case .bass: .fifth
        case .rhythm: .multi
        }
    }

    /// Maximum length of `placements` for most gestures: a held ninth of 128 steps. More are possible.
    static let placementsMax = 640

    /// Writes to `placements` the cells that the gesture would change in `pattern`, in drawing order. Replaces the
    /// content; allocates nothing if it has room.
    func write(_ placements: inout [Placement], over pattern: Pattern) {
        placements.removeAll(keepingCapacity: true)
        switch rules {
        case .box: writeBox(&placements, over: pattern)
        case .phone: writePhone(&placements)
        }
    }

    /// Changes `pattern`: writes `placements`, the gesture's own.
    func apply(_ placements: [Placement], to pattern: inout Pattern) {
        let before = pattern
        for placement in placements {
            pattern[track, note: placement.note, step: placement.step] = placement.cell
        }
        guard rules == .box else { return }
        let shape = shape
        if shape == .move { moveValues(from: before, in: &pattern) }
        guard shape.endsNotes else { return }
        for placement in placements where placement.cell != .empty {
            pattern.endNote(track, note: placement.note, after: placement.step, in: length) { step in
                placements.contains { $0.step == step && $0.note == placement.note }
            }
        }
    }
}

/// The shapes of the tables of both rules.
enum Shape: Hashable, Sendable {
    case tap, run, arpeggio, walk, roll, sustain, stack, fifth, multi
    // The phone's.
    case phrase, fill
    // The box's.
    case line, longStack, removal, accent, move, nothing

    /// Whether a cell that the gesture writes ends the note into which it falls. A move has the ends among its cells.
    fileprivate var endsNotes: Bool { self != .removal && self != .accent && self != .move }
}

/// One cell that a gesture writes.
struct Placement: Hashable, Sendable {
    /// Step, 0-127.
    var step: Int
    /// Note, within `Track.notes`.
    var note: Int
    /// The new content.
    var cell: Cell
}

extension Pattern {
    /// Empties the sustain cells that follow `step`, up to the first that is kept.
    fileprivate mutating func endNote(
        _ track: Track, note: Int, after step: Int, in length: Int, keeping isKept: (Int) -> Bool
    ) {
        var next = (step + 1) % length
        while next != step, self[track, note: note, step: next] == .sustain, !isKept(next) {
            self[track, note: note, step: next] = .empty
            next = (next + 1) % length
        }
    }
}
