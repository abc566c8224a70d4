import Display

/// The gesture of one finger in a track so far: its start, its end, and whether it was held.
struct Gesture: Hashable, Sendable {
    /// The track in which it began; it does not change.
    let track: Track
    /// The place where it began.
    let start: Place
    /// The last place within the track and the pattern.
    var end: Place
    /// Whether the finger stayed within its first LED for `Limits.hold`.
    var isHeld = false

    /// A step and a note of a track.
    struct Place: Hashable, Sendable {
        /// Step, 0-31.
        var step: Int
        /// Note, 0-11.
        var note: Int
    }

    /// The cell of its first note.
    var accent: Cell { isHeld ? .accent : .normal }

    /// Steps from start to end.
    var dx: Int { end.step - start.step }
    /// Note indices from start to end.
    var dy: Int { end.note - start.note }

    /// The shape, by SPEC 3's table.
    var shape: Shape {
        let (across, along) = (abs(dx), abs(dy))
        if across <= 1 && along <= 1 { return .tap }
        // Ratio 1.3 in integers.
        if 10 * across > 13 * along {
            switch track {
            case .rhythm: return .roll
            case _ where isHeld: return .sustain
            case .melody: return .run
            case .chords: return .arpeggio
            case .bass: return .walk
            }
        }
        if 10 * along > 13 * across {
            switch track {
            case .melody, .chords: return .stack
            case .bass: return .fifth
            case .rhythm: return .multi
            }
        }
        switch track {
        case .melody, .chords: return .phrase
        case .bass, .rhythm: return .fill
        }
    }
}

/// The shapes of SPEC 3's table.
enum Shape: Sendable {
    case tap, run, arpeggio, walk, roll, sustain, stack, fifth, multi, phrase, fill
}

/// One cell that a gesture writes.
struct Placement: Hashable, Sendable {
    /// Step, 0-31.
    var step: Int
    /// Note, 0-11.
    var note: Int
    /// The new content.
    var cell: Cell
}

extension Gesture {
    /// Maximum length of `placements`: nine steps of a held triad, or a phrase of 32.
    static let placementsMax = 32

    /// Writes to `placements` the cells that the gesture sets in a pattern of `length` steps in `tonality`, in drawing order.
    /// Replaces the content; allocates nothing if it has room for `placementsMax`.
    func write(_ placements: inout [Placement], length: Int, tonality: Tonality) {
        placements.removeAll(keepingCapacity: true)
        func put(_ step: Int, _ note: Int, _ cell: Cell) {
            placements.append(Placement(step: step, note: note % 12, cell: cell))
        }
        /// Calls `body` for up to nine steps in the drag's direction, wrapping at the pattern's end.
        func alongDrag(_ body: (_ place: Int, _ step: Int) -> Void) {
            for place in 0...min(abs(dx), 8) {
                body(place, (start.step + (dx < 0 ? length - place : place)) % length)
            }
        }
        let note = start.note
        switch shape {
        case .tap:
            switch track {
            case .melody: put(start.step, tonality.snap(note), accent)
            case .chords: for tone in tonality.triad { put(start.step, note + tone, accent) }
            case .bass:
                put(start.step, note, accent)
                put(start.step, note + 7, .normal)
            case .rhythm:
                put(start.step, note, accent)
                if start.step + 2 < length { put(start.step + 2, note, .normal) }
            }
        case .run:
            let place = tonality.place(of: note)
            alongDrag { put($1, tonality.note(atPlace: dy >= 0 ? place + $0 : place - $0), $0 == 0 ? accent : .normal) }
        case .arpeggio:
            let tones = Tonality.majorSeventh
            alongDrag { put($1, note + tones[$0 % tones.count], $0 == 0 ? accent : .normal) }
        case .walk:
            alongDrag { put($1, note + [0, 7, 4, 7][$0 % 4], $0 % 2 == 0 ? accent : .normal) }
        case .roll:
            let last = min(abs(dx), 8)
            alongDrag { put($1, note, $0 == 0 || $0 == last ? accent : .normal) }
        case .sustain:
            alongDrag { place, step in
                let cell: Cell = place == 0 ? .accent : .sustain
                if track == .chords {
                    for tone in tonality.triad { put(step, note + tone, cell) }
                } else {
                    put(step, tonality.snap(note), cell)
                }
            }
        case .stack:
            for tone in Tonality.majorSeventh.prefix(min(abs(dy), 3) + 1) { put(start.step, note + tone, accent) }
        case .fifth:
            put(start.step, note, accent)
            put(start.step, note + 5, .normal)
        case .multi:
            for drum in min(note, end.note)...max(note, end.note) { put(start.step, drum, accent) }
        case .phrase:
            let place = tonality.place(of: note)
            let count = max(abs(dx), abs(dy))
            for i in 0...count {
                let t = Double(i) / Double(count)
                let step = nearest(Double(start.step) + Double(dx) * t)
                guard (0..<length).contains(step) else { continue }
                put(step, tonality.note(atPlace: place + nearest(Double(dy) * t / 2)), i == 0 ? accent : .normal)
            }
        case .fill:
            let low = (step: min(start.step, end.step), note: min(note, end.note))
            let high = (step: max(start.step, end.step), note: max(note, end.note))
            for step in low.step...high.step {
                let t = Double(step - low.step) / Double(high.step - low.step)
                put(step, nearest(Double(low.note) + Double(high.note - low.note) * t), accent)
            }
        }
    }
}

extension Gesture {
    /// The gesture's name (SPEC 5). The texts are laid out once, because the shape may change with every report.
    var title: TextLine {
        switch shape {
        case .tap: isHeld ? Title.accent : Title.tap
        case .run: Title.run
        case .arpeggio: Title.arpeggio
        case .walk: Title.walk
        case .roll: Title.roll
        case .sustain: Title.sustain
        case .stack: Title.stack
        case .fifth: Title.fifth
        case .multi: Title.multi
        case .phrase: Title.phrase
        case .fill: Title.fill
        }
    }

    private enum Title {
        static let tap = TextLine("TAP")
        static let accent = TextLine("ACCENT!")
        static let run = TextLine("RUN")
        static let arpeggio = TextLine("ARPEGGIO")
        static let walk = TextLine("WALK")
        static let roll = TextLine("ROLL")
        static let sustain = TextLine("SUSTAIN")
        static let stack = TextLine("CHORD")
        static let fifth = TextLine("ROOT+5")
        static let multi = TextLine("MULTI")
        static let phrase = TextLine("PHRASE")
        static let fill = TextLine("FILL")
    }
}
