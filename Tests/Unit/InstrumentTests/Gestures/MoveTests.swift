import Display
import InputEvents
import Testing

@testable import Instrument

extension Player {
    /// A player of a pattern with `cells` on `track`, as `Player.cells` has them.
    fileprivate init(_ cells: String, on track: Track) {
        self.init()
        instrument.state.session.composition.pattern.write(cells, on: track)
    }

    /// A finger that lands at `start`, is held, goes to `end`, an LED of the panel or a place, and rests there.
    fileprivate mutating func carry(from start: Place, to end: Place, contact: Int = 0, lifts: Bool = true) {
        finger(.down, start, contact: contact)
        wait(450)
        finger(.move, end, contact: contact)
        wait(200)
        if lifts { finger(.up, contact: contact) }
    }

    fileprivate func text(_ track: Track) -> String { cells(track).joined(separator: " ") }

    fileprivate var pastCount: Int { instrument.state.session.history.past.count }
}

extension Pattern {
    /// Writes `cells` of `track`, `note@step=value` in words.
    fileprivate mutating func write(_ cells: String, on track: Track) {
        for word in cells.split(separator: " ") {
            let parts = word.split { $0 == "@" || $0 == "=" }.compactMap { Int($0) }
            self[track, note: parts[0], step: parts[1]] = Cell(rawValue: UInt8(parts[2])) ?? .empty
        }
    }
}

@Suite("Notes that a finger moves")
struct MoveTests {
    /// A move on a pattern in C major, and the cells of its track afterwards.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let track: Track
        let before: String
        let from: (step: Int, row: Int)
        /// The panel's column and row.
        let to: (column: Int, row: Int)
        let after: String

        /// A move to a step and a row of the track.
        init(
            _ name: String, _ track: Track, _ before: String, _ from: (Int, Int), _ to: (Int, Int),
            gives after: String
        ) {
            let led = (column(to.0), track.rows.upperBound - 1 - to.1)
            self.init(name, track, before, from, led: led, gives: after)
        }

        /// A move to an LED of the panel.
        init(
            _ name: String, _ track: Track, _ before: String, _ from: (Int, Int), led: (Int, Int),
            gives after: String
        ) {
            (testDescription, self.track, self.before, self.from, to) = (name, track, before, from, led)
            self.after = after
        }
    }

    private static let all: [Case] = whole + edges + meetings

    private static let whole: [Case] = [
        Case("by steps and degrees", .melody, "0@0=1", (0, 0), (4, 2), gives: "4@4=1"),
        Case("by a degree alone, downwards", .melody, "4@3=2", (3, 2), (3, 1), gives: "2@3=2"),
        Case(
            "a long note by any of its cells, with its accent", .melody, "0@2=2 0@3=3 0@4=3", (4, 0), (7, 1),
            gives: "2@5=2 2@6=3 2@7=3"),
        Case("a long note onto itself", .melody, "0@0=2 0@1=3 0@2=3", (0, 0), (1, 0), gives: "0@1=2 0@2=3 0@3=3"),
        Case("over the gap column", .melody, "0@7=1 0@8=3", (7, 0), (9, 0), gives: "0@9=1 0@10=3"),
        Case("from the right of the gap column to its left", .melody, "0@8=2", (8, 0), (7, 1), gives: "2@7=2"),
        Case("the one note of a chord", .chords, "0@0=1 4@0=1 7@0=1", (0, 2), (3, 3), gives: "0@0=1 7@0=1 5@3=1"),
        Case("a bass note", .bass, "0@0=2", (0, 0), (5, 3), gives: "5@5=2"),
        Case("a hit to another drum", .rhythm, "0@0=1", (0, 0), (2, 3), gives: "8@2=1"),
        Case("a note outside the scale, as far above a degree", .melody, "1@0=1", (0, 0), (2, 1), gives: "3@2=1"),
        Case("both notes of an LED", .melody, "0@0=1 1@0=2", (0, 0), (4, 0), gives: "0@4=1 1@4=2"),
        Case("a sustain without a head", .melody, "0@1=3", (1, 0), (3, 1), gives: "2@3=3"),
    ]

    private static let edges: [Case] = [
        Case(
            "over the pattern's end a note goes on at the beginning", .melody, "0@28=1 0@29=3 0@30=3", (28, 0), (31, 0),
            gives: "0@0=3 0@1=3 0@31=1"),
        Case(
            "a note round the end goes with its last cell", .melody, "0@30=1 0@31=3 0@0=3 0@1=3", (1, 0), (4, 0),
            gives: "0@1=1 0@2=3 0@3=3 0@4=3"),
        Case(
            "to the left no further than step 0", .melody, "0@2=1 0@3=3 0@4=3", (4, 0), (0, 0),
            gives: "0@0=1 0@1=3 0@2=3"),
        Case(
            "beyond the page's upper edge up to its last row", .melody, "5@0=1", (0, 3), led: (column(4), 0),
            gives: "9@4=1"),
        Case("beyond its lower edge", .melody, "5@0=1", (0, 3), led: (column(4), 23), gives: "0@4=1"),
        Case("beyond the last step", .melody, "5@3=1", (3, 3), led: (43, 4), gives: "5@31=1"),
        Case("beyond the first", .melody, "5@3=1", (3, 3), led: (0, 4), gives: "5@0=1"),
    ]

    private static let meetings: [Case] = [
        Case("an accent stays where a normal note lands", .melody, "0@0=1 0@4=2", (0, 0), (4, 0), gives: "0@4=2"),
        Case("an accent that lands on a normal note", .melody, "0@0=2 0@4=1", (0, 0), (4, 0), gives: "0@4=2"),
        Case(
            "of two notes that meet the longer length", .melody, "0@0=2 0@4=1 0@5=3", (0, 0), (4, 0),
            gives: "0@4=2 0@5=3"),
        Case("the same the other way", .melody, "0@0=1 0@1=3 0@4=1", (0, 0), (4, 0), gives: "0@4=1 0@5=3"),
        Case(
            "a note ends where another begins", .melody, "0@0=1 0@1=3 0@2=3 0@6=1 0@7=3", (0, 0), (4, 0),
            gives: "0@4=1 0@5=3 0@6=1 0@7=3"),
        Case(
            "it ends the note into which it falls", .melody, "0@0=1 0@4=2 0@5=3 0@6=3 0@7=3", (0, 0), (5, 0),
            gives: "0@4=2 0@5=1"),
        Case("notes of other pitches stay", .melody, "0@0=1 2@4=1 4@4=2", (0, 0), (4, 0), gives: "0@4=1 2@4=1 4@4=2"),
    ]

    @Test("move whole, as one undo step that gives back the pattern before, and redo the one after", arguments: all)
    func moves(_ example: Case) {
        var player = Player(example.before, on: example.track)
        let before = player.instrument.state.session.composition
        player.carry(
            from: .step(example.from.step, example.track, row: example.from.row),
            to: .led(Float(example.to.column), Float(example.to.row)))
        let after = player.instrument.state.session.composition
        #expect(player.text(example.track) == example.after)
        #expect(player.pastCount == 1 && player.tooltip == "MOVE")
        player.send(.key(.undo))
        let isUndone = player.instrument.state.session.composition == before
        #expect(isUndone && player.tooltip == "UNDO MOVE")
        player.send(.key(.redo))
        let isRedone = player.instrument.state.session.composition == after
        #expect(isRedone)
    }

    @Test("stay on the notes of their track: rows without a note are as far as the last one with a note")
    func rowsWithoutNotes() {
        var player = Player("19@0=1", on: .melody)
        player.instrument.state.session.pages[0] = 10
        player.carry(from: .step(0, .melody, row: 1), to: .step(2, .melody, row: 5))
        #expect(player.text(.melody) == "23@2=1")
    }

    @Test("a finger that returns, or one that cannot move its note, makes no undo step")
    func nothing() {
        var player = Player("0@0=1", on: .melody)
        player.carry(from: .step(0, .melody), to: .step(5, .melody), lifts: false)
        player.finger(.move, .step(0, .melody))
        player.wait(200)
        player.finger(.up)
        player.carry(from: .step(0, .melody), to: .led(0, 9))
        #expect(player.text(.melody) == "0@0=1" && player.pastCount == 0)
    }

    @Test("a finger that is held and lifts where it landed makes the note louder or softer, also after a tremble")
    func accent() {
        var player = Player("0@0=1 0@1=3", on: .melody)
        player.tap(.step(1, .melody), held: 450)
        #expect(player.text(.melody) == "0@0=2 0@1=3")
        player.finger(.down, .step(0, .melody))
        player.wait(450)
        player.finger(.move, .step(1, .melody))
        player.wait(300)
        player.finger(.move, .step(0, .melody))
        player.finger(.up)
        #expect(player.text(.melody) == "0@0=1 0@1=3")
    }

    @Test("without a hold a drag from a note draws as ever, and a hold beside it makes a long note up to it")
    func drawing() {
        var player = Player("0@0=1", on: .melody)
        player.drag(from: .step(0, .melody), to: .step(2, .melody))
        #expect(player.text(.melody) == "0@0=1 2@1=1 4@2=1")
        player = Player("0@0=1", on: .melody)
        player.carry(from: .step(3, .melody), to: .step(0, .melody))
        #expect(player.text(.melody) == "0@0=2 0@1=3 0@2=3 0@3=3")
    }

    // MARK: Values of lanes

    /// Lanes of `player`'s melody as `step: cutoff`.
    private func cutoffs(_ player: Player) -> [Int: Int] {
        let pairs = (0..<Pattern.steps).compactMap { step in
            player.pattern.lanes[.melody, .cutoff, step: step].map { (step, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Notes, cut-offs by step, a move to the right along a row of the melody, and the cut-offs afterwards.
    struct ValueCase: Sendable {
        let before: String
        let values: [Int: Int]
        let to: Int
        let row: Int
        let after: [Int: Int]
    }

    private static let values: [ValueCase] = [
        ValueCase(before: "0@0=1", values: [0: 40, 9: 7], to: 4, row: 0, after: [4: 40, 9: 7]),
        // At a step without a note, a value of its own gives way, also to none.
        ValueCase(before: "0@0=1", values: [0: 40, 4: 7], to: 4, row: 0, after: [4: 40]),
        ValueCase(before: "0@0=1", values: [4: 7], to: 4, row: 0, after: [:]),
        // A chord keeps its values, and the note that leaves it has them too.
        ValueCase(before: "0@0=1 7@0=1", values: [0: 40], to: 4, row: 0, after: [0: 40, 4: 40]),
        // The values of another note's step stay.
        ValueCase(before: "0@0=1 7@4=1", values: [0: 40, 4: 7], to: 4, row: 0, after: [4: 7]),
        ValueCase(before: "0@0=1 7@4=1", values: [0: 40], to: 4, row: 0, after: [:]),
        // A move of the pitch alone.
        ValueCase(before: "0@0=1", values: [0: 40], to: 0, row: 2, after: [0: 40]),
    ]

    @Test("take the values of their step with them, but never another note's", arguments: values)
    func lanes(_ example: ValueCase) {
        var player = Player(example.before, on: .melody)
        for (step, value) in example.values {
            player.instrument.state.session.composition.pattern.lanes[.melody, .cutoff, step: step] = value
        }
        player.instrument.state.session.composition.pattern.lanes[.bass, .cutoff, step: 0] = 3
        let before = player.pattern
        player.carry(from: .step(0, .melody), to: .step(example.to, .melody, row: example.row))
        #expect(cutoffs(player) == example.after)
        #expect(player.pattern.lanes[.bass, .cutoff, step: 0] == 3)
        let after = player.pattern
        player.send(.key(.undo))
        let isUndone = player.pattern == before
        #expect(isUndone)
        player.send(.key(.redo))
        let isRedone = player.pattern == after
        #expect(isRedone)
    }

    // MARK: Fingers together, lock, rules, recording

    @Test("two fingers move two notes at once, as one undo step")
    func together() {
        var player = Player("0@0=1 7@2=2 7@3=3", on: .melody)
        player.finger(.down, .step(0, .melody), contact: 0)
        player.wait(30)
        player.finger(.down, .step(3, .melody, row: 4), contact: 1)
        player.wait(450)
        player.finger(.move, .step(4, .melody, row: 1), contact: 0)
        player.finger(.move, .step(7, .melody, row: 5), contact: 1)
        player.wait(200)
        player.finger(.up, contact: 1)
        #expect(player.text(.melody) == "0@0=1 9@6=2 9@7=3")
        player.finger(.up, contact: 0)
        #expect(player.text(.melody) == "2@4=1 9@6=2 9@7=3" && player.pastCount == 1)
        player.send(.key(.undo))
        #expect(player.text(.melody) == "0@0=1 7@2=2 7@3=3" && player.tooltip == "UNDO MOVE")
    }

    @Test("a note that is gone when its finger lifts moves nothing")
    func gone() {
        var player = Player("0@0=1 4@0=1", on: .melody)
        player.carry(from: .step(0, .melody), to: .step(4, .melody), lifts: false)
        player.tap(.step(0, .melody), held: 100)
        player.finger(.up, column(4).float, 7, contact: 0)
        #expect(player.text(.melody) == "4@0=1")
    }

    @Test("the lock refuses, and shows neither a preview nor a pulse")
    func lock() {
        var player = Player("0@0=1", on: .melody)
        player.send(.lock(true))
        let before = player.instrument.state.session
        player.finger(.down, .step(0, .melody))
        let quiet = player.led(.step(0, .melody))
        player.wait(400)
        #expect(player.led(.step(0, .melody)) == quiet)
        player.finger(.move, .step(4, .melody))
        player.wait(200)
        #expect(player.led(.step(4, .melody)) == Player().led(.step(4, .melody)) && player.tooltip == "LOCKED")
        player.finger(.up)
        let isSame = player.instrument.state.session == before
        #expect(isSame)
    }

    @Test("under the rules of the phone a held drag from a note is a long note")
    func phone() {
        var player = Player.phone
        player.instrument.state.session.composition.pattern.write("0@0=1", on: .melody)
        player.carry(from: .step(0, .melody), to: .step(2, .melody))
        #expect(player.text(.melody) == "0@0=2 0@1=3 0@2=3")
    }

    @Test("while REC writes, a lit LED counts as dark")
    func recording() {
        var player = Player("0@4=1", on: .melody)
        player.send(.record(true))
        player.send(.key(.playStop))
        player.send(.step(0, number: 0))
        player.carry(from: .step(4, .melody), to: .step(6, .melody))
        #expect(player.text(.melody) == "0@4=2 0@5=3 0@6=3")
    }

    // MARK: What the panel shows

    @Test("the note pulses when it is held, and the drag shows where it goes")
    func preview() {
        var player = Player("0@0=1 0@1=3", on: .melody)
        let (head, tail) = (player.led(.step(0, .melody)), player.led(.step(1, .melody)))
        let dark = [4, 5].map { player.led(.step($0, .melody)) }
        player.finger(.down, .step(0, .melody))
        player.wait(400)
        #expect(player.led(.step(0, .melody)) == .white && player.led(.step(1, .melody)) == .white)
        player.wait(300)
        #expect(player.led(.step(1, .melody)) == tail)
        player.finger(.move, .step(4, .melody))
        #expect(player.tooltip == "MOVE")
        let shade = head.blended(towards: RGB(0x0a0a0a), Opacity.preview)
        #expect(isClose(player.led(.step(0, .melody)), shade))
        for step in 4...5 {
            let lit = dark[step - 4].blended(towards: .white, Opacity.preview)
            #expect(player.led(.step(step, .melody)) == lit)
        }
        // An LED that the note leaves and comes to.
        player.finger(.move, .step(1, .melody))
        let both = tail.blended(towards: RGB(0x0a0a0a), Opacity.preview).blended(towards: .white, Opacity.preview)
        #expect(isClose(player.led(.step(1, .melody)), both))
    }
}

extension Int {
    fileprivate var float: Float { Float(self) }
}

@Suite("Long stacks")
struct LongStackTests {
    /// A held finger's way over LEDs, a report each, and the cells of its track.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let track: Track
        let way: [(Int, Int)]
        let held: Int64
        let before: String
        let cells: String
        let word: String

        init(
            _ name: String, _ track: Track, _ way: [(Int, Int)], held: Int64 = 450, before: String = "",
            gives cells: String, _ word: String = "LONG"
        ) {
            (testDescription, self.track, self.way, self.held) = (name, track, way, held)
            (self.before, self.cells, self.word) = (before, cells, word)
        }
    }

    private static let three = "0@0=2 4@0=2 7@0=2 0@1=3 4@1=3 7@1=3 0@2=3 4@2=3 7@2=3"

    private static let all: [Case] = [
        Case("two rows up, then to the right", .melody, [(4, 7), (4, 6), (4, 5), (5, 5), (6, 5)], gives: three),
        Case("in two reports", .melody, [(4, 7), (4, 5), (6, 5)], gives: three),
        Case("to the left it begins at the lowest step", .melody, [(6, 7), (6, 5), (4, 5)], gives: three),
        Case("it may sink or rise a little on its way", .melody, [(4, 7), (4, 5), (6, 6)], gives: three),
        Case(
            "four tones from three rows on, over the gap", .chords, [(11, 13), (11, 9), (13, 9)],
            gives: "0@7=2 4@7=2 7@7=2 11@7=2 0@8=3 4@8=3 7@8=3 11@8=3"),
        Case("one row up it is a long note", .melody, [(4, 7), (4, 6), (7, 6)], gives: "0@0=2 0@1=3 0@2=3 0@3=3"),
        Case("straight up it is a stack", .melody, [(4, 7), (4, 5)], gives: "0@0=2 4@0=2 7@0=2", "C MAJ!"),
        Case("slanted upwards it is a stack", .melody, [(4, 7), (5, 3)], gives: "0@0=2 4@0=2 7@0=2 11@0=2", "C MAJ7!"),
        Case("diagonally it is a line", .melody, [(4, 7), (6, 5)], gives: "0@0=2 2@1=1 4@2=1", "LINE!"),
        Case(
            "back at its first step it is a stack", .melody, [(4, 7), (4, 5), (8, 5), (4, 5)],
            gives: "0@0=2 4@0=2 7@0=2",
            "C MAJ!"),
        Case(
            "without a hold it is a line", .melody, [(4, 7), (4, 5), (6, 5)], held: 0, gives: "0@0=1 2@1=1 4@2=1",
            "LINE"),
        Case("on bass it is a line", .bass, [(4, 17), (4, 15), (6, 15)], gives: "0@0=2 2@1=2 4@2=2", "LINE!"),
        Case("on a note it moves", .melody, [(4, 7), (4, 5), (6, 5)], before: "0@0=1", gives: "4@2=1", "MOVE"),
        Case("downwards it is a line", .melody, [(4, 5), (4, 7), (6, 7)], gives: "4@0=2 2@1=1 0@2=1", "LINE!"),
    ]

    @Test("a finger that is held, rises and goes sideways makes a stack that lasts", arguments: all)
    func shapes(_ example: Case) {
        var player = Player(example.before, on: example.track)
        let before = player.pattern
        for (number, led) in example.way.enumerated() {
            player.finger(number == 0 ? .down : .move, Float(led.0), Float(led.1))
            player.wait(number == 0 ? example.held + 20 : 100)
        }
        player.wait(200)
        player.finger(.up)
        #expect(player.text(example.track) == example.cells && player.tooltip == example.word)
        player.send(.key(.undo))
        let isUndone = player.pattern == before
        #expect(isUndone)
    }

    @Test("undo calls it LONG, and it ends the notes into which it falls")
    func ends() {
        var player = Player("4@0=1 4@1=3 4@2=3 4@3=3 4@4=3", on: .melody)
        player.finger(.down, 5, 7)
        player.wait(450)
        player.finger(.move, 5, 5)
        player.finger(.move, 6, 5)
        player.wait(200)
        player.finger(.up)
        #expect(player.text(.melody) == "4@0=1 0@1=2 4@1=2 7@1=2 0@2=3 4@2=3 7@2=3")
        player.send(.key(.undo))
        #expect(player.tooltip == "UNDO LONG")
    }
}
