import Display
import InputEvents

/// The word for a gesture under the rules of the box (docs/spec.md, section 5): what was made.
struct Word: Hashable, Sendable {
    let line: TextLine
    let kind: WordCounts.Kind

    private init(_ line: TextLine, _ kind: WordCounts.Kind) {
        self.line = line
        self.kind = kind
    }

    /// The word of a removed step.
    static let stepOff = Word(TextLine("STEP OFF"), .removal)

    /// The word for `gesture`, whose cells are `placements`; nil if it makes nothing. A finger still on a lit LED reads
    /// the note there until it lifts.
    init?(_ gesture: Gesture, _ placements: [Placement], isDone: Bool) {
        let mark = gesture.isHeld ? 1 : 0
        switch gesture.shape {
        case .tap:
            guard let first = placements.first else { return nil }
            if gesture.track == .chords, gesture.chordKind != .note {
                self.init((Word.chord(placements) ?? Line.chord)[mark], .chord)
            } else {
                self.init(Word.note(first.note, on: gesture.track)[mark], .note)
            }
        case .removal:
            if isDone {
                self.init(Line.off, .removal)
            } else {
                guard let note = placements.last?.note else { return nil }
                self.init(Word.note(note, on: gesture.track)[0], .note)
            }
        case .accent:
            guard let head = placements.last else { return nil }
            self.init(Word.note(head.note, on: gesture.track)[head.cell == .accent ? 1 : 0], .note)
        case .run: self.init(Line.run, .run)
        case .arpeggio: self.init(Line.arpeggio, .arpeggio)
        case .walk: self.init(Line.walk, .walk)
        case .roll: self.init(Line.roll[mark], .roll)
        case .sustain, .longStack: self.init(Line.long, .long)
        case .move: self.init(Line.move, .note)
        case .stack: self.init((Word.chord(placements) ?? Line.stack)[mark], .stack)
        case .fifth: self.init(Line.fifth[mark], .fifth)
        case .multi: self.init(Line.multi[mark], .multi)
        case .line: self.init(Line.line[mark], .line)
        case .phrase, .fill, .nothing: return nil
        }
    }

    /// The name of `note`, plain and accented.
    private static func note(_ note: Int, on track: Track) -> [TextLine] {
        Line.notes[track.rawValue][note - track.notes.lowerBound]
    }

    /// The name of `note` of `track`.
    static func name(ofNote note: Int, on track: Track) -> String { Word.note(note, on: track)[0].text }

    /// The name of a drum.
    static func drum(_ number: Int) -> TextLine { Word.note(number, on: .rhythm)[0] }

    /// The name of the chord of `placements` on its lowest note, plain and accented; nil if it has none.
    private static func chord(_ placements: [Placement]) -> [TextLine]? {
        guard let first = placements.first else { return nil }
        let root = placements.reduce(first.note) { min($0, $1.note) }
        let tones = placements.reduce(0) { $0 | 1 << Pattern.pitchClass(of: $1.note - root) }
        guard let place = Line.tones.firstIndex(of: tones) else { return nil }
        return Line.chords[Pattern.pitchClass(of: root)][place]
    }

    /// All words, laid out once: the word may change with every report. Those with an accent's mark are in pairs.
    private enum Line {
        static let off = TextLine("OFF")
        static let run = TextLine("RUN")
        static let arpeggio = TextLine("ARP")
        static let walk = TextLine("WALK")
        static let long = TextLine("LONG")
        static let move = TextLine("MOVE")
        static let roll = pair("ROLL")
        static let stack = pair("STACK")
        static let fifth = pair("ROOT+5")
        static let multi = pair("MULTI")
        static let line = pair("LINE")
        static let chord = pair("CHORD")

        private static func pair(_ text: String) -> [TextLine] { [TextLine(text), TextLine(text + "!")] }

        /// The notes of each track, lowest first: `F♯4` for a melodic note, where C4 is MIDI note 60, `KICK` for a
        /// drum.
        static let notes = Track.allCases.map { track in
            track.notes.map { note in
                guard let first = track.firstMIDINote else { return pair(drums[note]) }
                let name = Tonality.name(ofPitchClass: Pattern.pitchClass(of: note))
                return pair(name + "\((first + note) / Pattern.octave - 1)")
            }
        }

        private static let drums = [
            "KICK", "KICK 2", "LOW TOM", "SNARE", "SNARE 2", "RIM", "CLAP", "HAT", "OPEN HAT", "CRASH", "RIDE",
            "COWBELL",
        ]

        /// Chords, and the semitones of their tones above the root.
        private static let named: [(name: String, tones: [Int])] = [
            ("MAJ", [0, 4, 7]), ("MIN", [0, 3, 7]), ("DIM", [0, 3, 6]), ("AUG", [0, 4, 8]), ("SUS2", [0, 2, 7]),
            ("SUS4", [0, 5, 7]), ("7", [0, 4, 7, 10]), ("MAJ7", [0, 4, 7, 11]), ("MIN7", [0, 3, 7, 10]),
            ("DIM7", [0, 3, 6, 9]), ("M7♭5", [0, 3, 6, 10]), ("5", [0, 7]), ("9", [0, 2, 4, 7, 10]),
            ("MAJ9", [0, 2, 4, 7, 11]), ("MIN9", [0, 2, 3, 7, 10]),
        ]

        /// The tones of each chord as bits.
        static let tones = named.map { $0.tones.reduce(0) { $0 | 1 << $1 } }

        /// The chords on each root.
        static let chords = (0..<Pattern.octave).map { root in
            named.map { pair(Tonality.name(ofPitchClass: root) + " " + $0.name) }
        }
    }
}

extension Instrument {
    /// Shows the word for the gesture of contact `id`: what it would make, or made if it `isDone`. Under the rules of
    /// the phone, the shape's name as soon as it is known.
    mutating func showWord(of id: Int, isDone: Bool = false) {
        guard case .gesture(let gesture) = state.fingers[id].role, !state.fingers[id].isShaking else { return }
        guard gesture.rules == .box else { return showTooltip(gesture.title) }
        if isFrozen { return showTooltip("LOCKED") }
        if let word = Word(gesture, state.fingers[id].placements, isDone: isDone) {
            showWord(word, of: id, isDone: isDone)
        } else if gesture.shape == .nothing {
            // The gesture is given up.
            state.view.tooltip = nil
        }
    }

    /// Shows `word` away from the finger of contact `id`; for a shorter time once its kind is known.
    mutating func showWord(_ word: Word, of id: Int, isDone: Bool) {
        let isKnown = state.session.wordCounts.isKnown(word.kind)
        state.view.tooltip = Tooltip(
            line: word.line, since: now, isBelow: state.fingers[id].motion.position.led.row < 12,
            isAmongSteps: true, life: isKnown ? Word.shortLife : Word.longLife, offPage: offPage(of: id))
        if isDone { state.session.wordCounts.add(word.kind) }
    }

    /// What the gesture of contact `id` writes off the page that it is on; nil for nothing.
    func offPage(of id: Int) -> Tooltip.OffPage? {
        guard case .gesture(let gesture) = state.fingers[id].role else { return nil }
        let map = gesture.map
        var (isAbove, isBelow) = (false, false)
        for placement in state.fingers[id].placements where placement.cell != .empty {
            isAbove = isAbove || map.above.contains(placement.note)
            isBelow = isBelow || map.below.contains(placement.note)
        }
        guard isAbove || isBelow else { return nil }
        return Tooltip.OffPage(track: gesture.track, isAbove: isAbove, isBelow: isBelow)
    }
}

extension Word {
    /// Display time of a word that is new to the player, and of one that is known.
    static let longLife = Instant.Span.milliseconds(1200)
    static let shortLife = Instant.Span.milliseconds(500)
}

extension Gesture {
    /// The word by which undo shows it.
    var word: String {
        switch shape {
        case .tap: track == .chords && chordKind != .note ? "CHORD" : track == .rhythm ? "HIT" : "NOTE"
        case .removal: "OFF"
        case .accent: "ACCENT"
        case .move: "MOVE"
        case .run: "RUN"
        case .arpeggio: "ARP"
        case .walk: "WALK"
        case .roll: "ROLL"
        case .sustain, .longStack: "LONG"
        case .stack: "STACK"
        case .fifth: "ROOT+5"
        case .multi: "MULTI"
        case .line, .phrase, .fill, .nothing: "LINE"
        }
    }

    /// The name of the shape under the rules of the phone (docs/spec.md, section 11). The texts are laid out once,
    /// because the shape may change with every report.
    fileprivate var title: TextLine {
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
        case .fill, .line, .longStack, .removal, .accent, .move, .nothing: Title.fill
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
