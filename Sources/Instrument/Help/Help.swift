import InputEvents

/// A description of the instrument for readers, generated from its own tables.
public enum Help {
    /// A part of the panel, or a key, and its function.
    public struct Entry: Hashable, Sendable {
        /// The name, or the places on the panel.
        public let name: String
        /// The function, as a sentence without its full stop.
        public let text: String
    }

    /// A movement of a finger and its result in each track.
    public struct Gesture: Hashable, Sendable {
        /// The movement of the finger.
        public let finger: String
        /// The result in each track, top to bottom.
        public let results: [Result]
        let motion: Motion

        /// Returns the touches of a finger that makes the gesture in `track`, with their times from its landing.
        public func moves(in track: Track) -> [(milliseconds: Int, touch: Touch)] {
            let (column, row) = (Grid.column(ofStep: 8), track.rows.upperBound - 1)
            var moves: [(milliseconds: Int, touch: Touch)] = []
            func add(_ milliseconds: Int, _ phase: Touch.Phase, _ right: Int = 0, _ up: Int = 0) {
                let touch = Touch(contact: 0, phase: phase, column: Float(column + right), row: Float(row - up))
                moves.append((milliseconds, touch))
            }
            var time = 0
            if motion.isOnNote {
                add(0, .down)
                add(Self.tap, .up)
                time = Self.pause
            }
            add(time, .down)
            time += motion.isHeld ? Self.hold : Self.tap
            let count = max(motion.steps, motion.rows)
            for place in 0..<count {
                time += Self.step
                add(time, .move, motion.steps * (place + 1) / count, motion.rows * (place + 1) / count)
            }
            add(time + Self.tap, .up, motion.steps, motion.rows)
            return moves
        }

        /// Times of a finger in milliseconds: a tap, the pause before the next, a hold, and from LED to LED.
        private static let (tap, pause, hold, step) = (100, 900, 500, 100)

        /// The result in one track.
        public struct Result: Hashable, Sendable {
            /// The notes that are made.
            public let text: String
            /// The word on the panel; nil for the name of the note, the chord or the drum.
            public let word: String?
        }

        /// The movement as numbers.
        struct Motion: Hashable, Sendable {
            /// Steps and rows, rows upwards.
            var steps = 0
            var rows = 0
            /// Whether the finger is held first.
            var isHeld = false
            /// Whether it begins on a note.
            var isOnNote = false
        }
    }

    /// The columns `range` as words.
    private static func columns(_ range: ClosedRange<Int>) -> String {
        range.count == 1 ? "column \(range.lowerBound)" : "columns \(range.lowerBound) to \(range.upperBound)"
    }

    /// The rows `range` as words.
    private static func rows(_ range: ClosedRange<Int>) -> String {
        range.count == 1 ? "row \(range.lowerBound)" : "rows \(range.lowerBound) to \(range.upperBound)"
    }

    // MARK: The panel

    /// A part of the panel.
    struct Part {
        /// Its name in the help.
        let name: String
        /// Its name beside the LEDs, if it is another one; nil for `name`.
        var label: String?
        /// Where the panel's edge has its name, and in which line from the LEDs; nil where it has none.
        var side: Label.Side?
        var line = 1
        /// Its rows; nil for those of the tracks.
        var rows: ClosedRange<Int>?
        /// Its columns; nil for those of the steps.
        var columns: ClosedRange<Int>?
        /// The function.
        let text: String

        /// Its description, with the rows and columns that it has of its own.
        fileprivate var entry: Entry {
            var name = name
            if let rows { name += ", \(Help.rows(rows))" }
            if let columns { name += ", \(Help.columns(columns))" }
            return Entry(name: name, text: text)
        }
    }

    /// The controls of the top row, left to right. Those of a group are one entry.
    public static let controls: [Entry] = topRow.map { part in
        Entry(name: "\(part.name), \(columns(part.columns ?? stepColumns))", text: part.text)
    }

    /// The parts of the panel below the top row.
    public static let parts: [Entry] = belowTopRow.map { $0.entry }

    /// The columns of the steps.
    static let stepColumns = Grid.column(ofStep: 0)...Grid.stepColumns.upperBound - 1

    /// The controls of the top row, or their groups, as parts.
    static let topRow: [Part] = {
        var parts: [Part] = []
        for control in Control.all {
            let (name, label, text) = control.help
            var columns = control.columns
            if let last = parts.last, last.name == name, let first = last.columns {
                columns = first.lowerBound...columns.upperBound
                parts.removeLast()
            }
            parts.append(Part(name: name, label: label, side: .top, rows: 0...0, columns: columns, text: text))
        }
        return parts
    }()

    static let belowTopRow: [Part] = {
        let tracks = Track.allCases.map { "\($0.name) in \(rows($0.rows.lowerBound...$0.rows.upperBound - 1))" }
            .joined(separator: ", ")
        let low = Grid.overviewRows.lowerBound...Grid.overviewRows.upperBound - 1
        let take = Grid.takeColumns.lowerBound...Grid.takeColumns.upperBound - 1
        let scenes = Grid.sceneColumns.lowerBound + 1...Grid.sceneColumns.upperBound - 1
        return [
            Part(
                name: "Menu handle", label: "Menu", side: .left, rows: 1...1, columns: Menu.handle,
                text: "opens and closes the menu"),
            Part(name: "Steps", columns: stepColumns, text: "32 steps, in four groups: \(tracks)"),
            Part(name: "Mute", side: .bottom, line: 2, columns: 0...0, text: "silences the track"),
            Part(name: "Solo", side: .bottom, line: 2, columns: 1...1, text: "plays the track alone"),
            Part(
                name: "Pages", label: "Page", side: .bottom, line: 2, columns: 2...3,
                text: "a tap shows other notes of the track, a drag scrolls, a hold opens its lanes; column 2 glows "
                    + "where notes lie off the page"),
            Part(
                name: "Scenes", label: "Scenes 1–\(Scenes.count)", side: .right, columns: scenes,
                text: "eight patterns: tap a filled one to play it, an empty one to begin your own there, or hold it "
                    + "0.6 s to copy the music; below its bar a tap plays one track of it alone, a hold of 0.6 s copies "
                    + "the playing one there"),
            Part(
                name: "Chain", side: .bottom, rows: low, columns: scenes.lowerBound...take.lowerBound - 1,
                text: "plays the filled scenes in turn; again: the song, if there is one; again: one scene alone"),
            Part(
                name: "Overview", side: .bottom, rows: low,
                text:
                    "the notes of each step, of a longer pattern all of it: a tap shows the steps there, a hold of 0.6 s "
                    + "lets them go with the playhead; two taps there, or in row 1, play and stop"),
            Part(
                name: "Lanes", side: .bottom, rows: low, columns: 0...1,
                text: "values for the steps of the track touched last, such as velocity, chance and ratchets: a lane "
                    + "to choose above, heights to draw below; its light tapped again shows its notes, for values of "
                    + "one drum or note; the arrow at the right, held 0.6 s, makes a scene of the "
                    + "round that was heard; a held light of a track, or this one for all, is copied to where another finger "
                    + "taps or drags"),
            Part(
                name: "Fill", side: .bottom, rows: low, columns: 2...3,
                text: "while held, steps with the condition FILL sound"),
            Part(
                name: "Take", side: .bottom, rows: low, columns: take,
                text: "keeps what was just heard: held 0.6 s, the last four bars; a tap shows the last five minutes to "
                    + "choose from"),
        ]
    }()

    /// The items of the menu, from the top.
    public static let menu: [Entry] = Menu.Item.allCases.map { Entry(name: $0.name.text, text: $0.help) }

    // MARK: Gestures

    /// Movements and their results, under the rules of the box.
    public static let gestures: [Gesture] = [
        gesture("tap", .init(), ("a note", nil), ("a triad of the scale", nil), ("a note", nil), ("a hit", nil)),
        gesture(
            "tap, held 0.4 s", .init(isHeld: true), ("accented", nil), ("accented", nil),
            ("accented, with its fifth", nil), ("accented, with an echo", nil)),
        gesture(
            "tap on a note", .init(isOnNote: true), ("removes it", "OFF"), ("removes it", "OFF"), ("removes it", "OFF"),
            ("removes it", "OFF")),
        gesture(
            "drag along the steps", .init(steps: 6), ("a run up the scale, or down", "RUN"), ("an arpeggio", "ARP"),
            ("a walking bass", "WALK"), ("a roll", "ROLL")),
        gesture(
            "the same, held first", .init(steps: 6, isHeld: true), ("a long note", "LONG"), ("a long chord", "LONG"),
            ("a long note", "LONG"), ("an accented roll", "ROLL!")),
        gesture(
            "drag up or down", .init(rows: 3), ("a stack of tones", nil), ("a stack of tones", nil),
            ("root and fifth", "ROOT+5"), ("many drums at once", "MULTI")),
        gesture(
            "drag diagonally", .init(steps: 3, rows: 3), ("a line", "LINE"), ("a line", "LINE"), ("a line", "LINE"),
            ("a line", "LINE")),
    ]

    /// Gestures that are the same in every track.
    public static let moreGestures: [Entry] = [
        Entry(
            name: "a tap while the music is recorded",
            text: "a note at the nearest step of the time, whatever the column; drags draw as ever"),
        Entry(name: "a note held 0.4 s, then dragged", text: "moves it, with its length, accent and values"),
        Entry(
            name: "held 0.4 s, two rows up or more, then along",
            text: "on melody and chords, a stack of tones that last"),
        Entry(name: "two taps on an LED", text: "clear the step of that track"),
        Entry(name: "two quick swipes left, or right", text: "undo, or redo"),
        Entry(
            name: "a shake: five turns from side to side", text: "clears the track; begun beside the tracks, all four"),
        Entry(name: "a root held 0.6 s", text: "moves the music to its key"),
        Entry(name: "red, held until it is filled", text: "deletes"),
    ]

    private typealias Made = (text: String, word: String?)

    private static func gesture(
        _ finger: String, _ motion: Gesture.Motion, _ melody: Made, _ chords: Made, _ bass: Made, _ rhythm: Made
    ) -> Gesture {
        let results = [melody, chords, bass, rhythm].map { Gesture.Result(text: $0.text, word: $0.word) }
        return Gesture(finger: finger, results: results, motion: motion)
    }

    // MARK: Keys

    /// The keys of a keyboard.
    public static let keys: [Entry] =
        Key.allCases.compactMap { $0.help }
        + [
            Entry(name: "R", text: "begins and ends the recording of played MIDI keys and of taps"),
            Entry(name: "L, on the page", text: "shows and hides the names around the panel"),
        ]
}

extension Control {
    /// The name of the control or of its group, its short name beside the panel if that is another one, and its function.
    fileprivate var help: (name: String, label: String?, text: String) {
        switch self {
        case .play:
            (
                "Play", nil,
                "plays and stops; the first LED, held 0.6 s, changes the order of the note colours, the others begin and "
                    + "end recording"
            )
        case .undo: ("Undo", nil, "takes back the last change")
        case .redo: ("Redo", nil, "makes it again")
        case .scale:
            ("Scale", nil, "major, minor or pentatonic; held 0.4 s it opens all scales and the tuning")
        case .root: ("Root", nil, "the key, C to B; held 0.6 s it moves the music too")
        case .ghosts: ("Ghosts", nil, "shows the notes of other tracks dimly")
        case .slower: ("Slower", "−", "five BPM less; repeats while held")
        case .tapTempo:
            (
                "Tap tempo", "Tempo",
                "tap the beat; a drag changes it by one BPM an LED, beside a finger on − or + by a hundredth"
            )
        case .faster: ("Faster", "+", "five BPM more; repeats while held")
        case .shorter: ("Shorter", "−", "a beat less; repeats while held")
        case .length: ("Length", nil, "a drag changes it by a step an LED; held 0.6 s it opens the metre")
        case .longer: ("Longer", "+", "a beat more; repeats while held")
        case .keys: ("Keys", nil, "keys to play in place of the steps, and the steps again")
        case .fx:
            (
                "FX", nil,
                "while held, eight effects over the steps to play; a tap: at once or on the next step; held 0.6 s it stays open"
            )
        case .clear: ("Clear", nil, "empties the four tracks when held 0.4 s")
        }
    }
}

extension Menu.Item {
    /// Its function.
    fileprivate var help: String {
        switch self {
        case .library: "your patterns, by day"
        case .sound: "the sounds of the tracks, and their faders; O on the fifth row gives a scene its own"
        case .song: "the eight scenes, and their order in a song"
        case .sync: "the tempo and its source; recording of keys and taps"
        case .settings: "volume, light, swing and switches; a drag upwards: quantise, count-in and rules"
        case .lock: "keeps the music from any change"
        case .power: "switches the box off"
        }
    }
}

extension Key {
    /// Its name on a keyboard, and its function; nil for a key that no keyboard has.
    fileprivate var help: Help.Entry? {
        let (name, text): (String, String)
        switch self {
        case .playStop, .clear, .faster, .slower: return nil
        case .undo: (name, text) = ("Ctrl-Z", "undo")
        case .redo: (name, text) = ("Ctrl-Shift-Z, Ctrl-Y", "redo")
        case .spaceBar: (name, text) = ("Space", "plays and stops; while the cursor shows, a finger there")
        case .enter:
            name = "Enter"
            text = "shows the cursor; then a finger there, down while the key is down; confirms a name"
        case .latch:
            name = "Tab, on the box's own keyboard and in a terminal"
            text = "puts that finger down, and lifts it again"
        case .escape:
            (name, text) = ("Esc", "back: gives up a gesture, leaves a screen, closes the menu, hides the cursor")
        case .erase: (name, text) = ("Delete, Backspace", "held 0.4 s on the grid, clears; removes a letter of a name")
        case .arrowUp:
            (name, text) = ("↑, ↓", "move the cursor, and its finger; without a cursor, five BPM more or less")
        case .arrowLeft: (name, text) = ("←, →", "show the cursor, and move it and its finger")
        // Described with their pairs.
        case .arrowDown, .arrowRight: return nil
        }
        return Help.Entry(name: name, text: text)
    }
}
