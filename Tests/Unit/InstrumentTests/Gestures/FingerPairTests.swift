import InputEvents
import Testing

@testable import Instrument

@Suite("Double taps, swipes and shakes")
struct FingerPairTests {
    // MARK: Double taps

    @Test("the second of two taps on an LED removes every note of the track at that step, whole, as one undo step")
    func doubleTap() {
        var player = Player()
        for step in 0..<4 {
            player.instrument.state.session.composition.pattern[.chords, note: 11, step: step] =
                step == 0 ? .accent : .sustain
        }
        let before = player.pattern
        player.tap(.step(2, .chords), pause: 100)
        player.tap(.step(2, .chords))
        #expect(player.cells(.chords).isEmpty)
        player.send(.key(.undo))
        #expect(player.pattern == before)
    }

    @Test("it starts no third: a third tap is a first again")
    func triple() {
        var player = Player()
        for _ in 0..<3 { player.tap(.step(0, .melody), pause: 100) }
        #expect(player.cells(.melody) == ["0@0=1"])
    }

    private static let others: [(Place, Int64, Int64)] = [
        // Another LED of the step, another step, 300 ms later, a held second touch.
        (.step(0, .melody, row: 1), 80, 100), (.step(1, .melody), 80, 100), (.step(0, .melody), 80, 220),
        (.step(0, .melody), 450, 100),
    ]

    @Test("another LED, 300 ms, or a held touch make no double tap", arguments: others)
    func notDouble(place: Place, held: Int64, pause: Int64) {
        var player = Player()
        player.instrument.state.session.composition.pattern[.melody, note: 9, step: 0] = .normal
        player.tap(.step(0, .melody), pause: pause)
        player.tap(place, held: held)
        #expect(player.cells(.melody).contains("9@0=1"))
    }

    private static let interruptions: [Place] = [
        .step(15, .rhythm, row: 1), .control(.ghosts), .mute(.rhythm), .scene(3), .chain,
    ]

    @Test("another finger between the two landings, also on a control, makes them two taps", arguments: interruptions)
    func interrupted(place: Place) {
        var player = Player()
        player.instrument.state.session.composition.pattern[.melody, note: 9, step: 0] = .normal
        player.tap(.step(0, .melody), pause: 20)
        player.finger(.down, place, contact: 1)
        player.finger(.up, contact: 1)
        player.tap(.step(0, .melody))
        #expect(player.cells(.melody).contains("9@0=1") && player.cells(.melody).count == 1)
        // So does one that was down all the time.
        player.finger(.down, place, contact: 1)
        player.tap(.step(0, .melody), pause: 50)
        player.tap(.step(0, .melody))
        player.finger(.up, contact: 1)
        #expect(player.cells(.melody).contains("9@0=1"))
    }

    @Test("a finger that taps after the second landing changes nothing about a double tap")
    func laterFinger() {
        var player = Player()
        player.instrument.state.session.composition.pattern[.melody, note: 9, step: 0] = .normal
        player.tap(.step(0, .melody), pause: 50)
        player.finger(.down, .step(0, .melody), contact: 0)
        player.finger(.down, .step(15, .rhythm, row: 1), contact: 1)
        player.wait(50)
        player.finger(.up, contact: 1)
        player.finger(.up, contact: 0)
        #expect(player.cells(.melody).isEmpty && player.cells(.rhythm).count == 1)
    }

    private static let outside: [(Float, Float, Bool)] = [
        (4, 1, true), (38, 22, true), (20, 23, true), (3, 22, false), (0, 23, false), (40, 1, false),
    ]

    @Test("on rows 1, 22 and 23 in columns 4 to 38 a double tap plays, also while locked", arguments: outside)
    func outsideTracks(column: Float, row: Float, plays: Bool) {
        for isLocked in [false, true] {
            var player = Player()
            player.send(.lock(isLocked))
            player.tap(column, row, pause: 100)
            player.tap(column, row)
            #expect(player.instrument.state.isPlaying == plays)
        }
    }

    // MARK: Swipes

    /// A swipe of `columns` from `column`, which takes `duration`, and a pause.
    private func swipe(
        _ player: inout Player, from column: Int = 30, _ columns: Int, row: Int = 5, duration: Int64 = 200,
        pause: Int64 = 150
    ) {
        player.drag(from: (column, row), to: (column + columns, row), duration: duration, pause: pause)
    }

    /// A player with two steps of undo and one of redo.
    private func swiper() -> Player {
        var player = Player()
        for step in 0..<3 { player.tap(.step(step, .melody)) }
        player.send(.key(.undo))
        return player
    }

    private let two = ["0@0=1", "0@1=1"]

    @Test("two swipes to the left undo what was there before them, two to the right redo; a further one acts once more")
    func swipes() {
        var player = swiper()
        swipe(&player, -10)
        swipe(&player, -10)
        #expect(player.cells(.melody) == ["0@0=1"] && player.tooltip == "UNDO NOTE")
        swipe(&player, -10)
        #expect(player.cells(.melody).isEmpty)
        // Nothing is left to undo, and a further swipe writes nothing.
        swipe(&player, -10, pause: 1000)
        #expect(player.cells(.melody).isEmpty)
        swipe(&player, from: 10, 10)
        swipe(&player, from: 10, 10)
        #expect(player.cells(.melody) == ["0@0=1"] && player.tooltip == "REDO NOTE")
        swipe(&player, from: 10, 10)
        swipe(&player, from: 10, 10)
        #expect(player.cells(.melody) == ["0@0=1", "0@1=1", "0@2=1"])
    }

    @Test("with nothing to undo or redo two swipes are gestures like any, and the second begins no pair")
    func nothingToUndo() {
        for columns in [-10, 10] {
            var player = Player()
            swipe(&player, from: 20, columns)
            swipe(&player, from: 20, columns, row: 4)
            let written = player.cells(.melody)
            #expect(!written.isEmpty && player.instrument.state.session.history.past.count == 2)
            swipe(&player, from: 20, columns, row: 5, pause: 1000)
            #expect(player.instrument.state.session.history.future.isEmpty)
        }
    }

    /// The second of two swipes, and whether they are a pair.
    private static let seconds:
        [(String, from: Int, columns: Int, row: Int, duration: Int64, pause: Int64, isPair: Bool)] = [
            ("as the first", 30, -10, 5, 200, 150, true),
            // Eleven columns: six in common are a pair, five are not.
            ("5 columns beside", 25, -10, 5, 200, 150, true),
            ("6 columns beside", 24, -10, 5, 200, 150, false),
            ("a shorter one within it", 30, -8, 5, 200, 150, true),
            ("a row above", 30, -10, 4, 200, 150, false),
            ("a row below", 30, -10, 6, 200, 150, false),
            ("8 columns", 30, -8, 5, 200, 150, true),
            ("7 columns", 30, -7, 5, 200, 150, false),
            ("in 250 ms", 30, -10, 5, 250, 150, true),
            ("in 251 ms", 30, -10, 5, 251, 150, false),
            ("400 ms after the first", 30, -10, 5, 200, 400, true),
            ("401 ms after the first", 30, -10, 5, 200, 401, false),
            ("to the right", 24, 10, 5, 200, 150, false),
        ]

    @Test("a pair has limits of time and place")
    func limits() {
        for (name, from, columns, row, duration, pause, isPair) in Self.seconds {
            var player = swiper()
            swipe(&player, -10, pause: pause)
            swipe(&player, from: from, columns, row: row, duration: duration)
            #expect((player.cells(.melody) == ["0@0=1"] && player.cells(.chords).isEmpty) == isPair, "\(name)")
        }
    }

    @Test("a swipe never turns back")
    func turns() {
        var player = swiper()
        swipe(&player, -10)
        player.finger(.down, 30, 5)
        for column in [27, 24, 25, 20] as [Float] {
            player.wait(40)
            player.finger(.move, column, 5)
        }
        player.finger(.up)
        #expect(player.cells(.melody).count > 2)
    }

    @Test("two fingers that drag left together are two gestures, and undo nothing")
    func together() {
        var player = swiper()
        let ways: [(contact: Int, row: Float)] = [(0, 5), (1, 20)]
        for way in ways { player.finger(.down, 30, way.row, contact: way.contact) }
        for column in stride(from: 29, through: 18, by: -1) {
            player.wait(15)
            for way in ways { player.finger(.move, Float(column), way.row, contact: way.contact) }
        }
        for way in ways { player.finger(.up, 18, way.row, contact: way.contact) }
        #expect(player.cells(.melody).starts(with: two) && player.cells(.melody).count == 13)
        #expect(player.cells(.rhythm).count == 11)
        player.send(.key(.undo))
        #expect(player.cells(.melody) == two && player.cells(.rhythm).isEmpty)
    }

    @Test("two swipes of two fingers that overlap are two gestures", arguments: [0, 30, 100, 149] as [Int64])
    func overlapping(apart: Int64) {
        var player = swiper()
        player.finger(.down, 30, 5, contact: 0)
        player.wait(apart)
        player.finger(.down, 30, 6, contact: 1)
        player.wait(150 - apart)
        player.finger(.up, 20, 5, contact: 0)
        player.wait(apart)
        player.finger(.up, 20, 6, contact: 1)
        #expect(player.cells(.melody).count > 10)
    }

    @Test("a finger that is down during a pair makes it two gestures")
    func disturbed() {
        var player = swiper()
        player.finger(.down, .chain, contact: 3)
        swipe(&player, -10)
        swipe(&player, -10)
        #expect(player.cells(.melody).count > 2)
    }

    @Test("two quick rolls stay: side by side, and on neighbouring rows")
    func rolls() {
        for (column, row) in [(13, 19), (4, 18), (4, 20)] {
            var player = Player()
            player.tap(.step(0, .rhythm))
            swipe(&player, from: 4, 8, row: 19)
            swipe(&player, from: column, 8, row: row)
            #expect(player.cells(.rhythm).count == 1 + 16)
        }
    }

    // MARK: Shakes

    /// A finger on `row` that goes back and forth `legs` times over `columns`.
    private func shake(_ player: inout Player, row: Float, legs: Int, columns: Float = 4, pause: Int64 = 100) {
        player.finger(.down, 14, row)
        for leg in 1...legs {
            player.wait(pause)
            player.finger(.move, leg.isMultiple(of: 2) ? 14 : 14 + columns, row)
        }
        player.wait(50)
        player.finger(.up, legs.isMultiple(of: 2) ? 14 : 14 + columns, row)
        player.wait(1000)
    }

    private func full() -> Player {
        var player = Player()
        for track in Track.allCases { player.tap(.step(0, track)) }
        player.effects = []
        return player
    }

    @Test("the fifth reversal clears the track where the finger began, as one undo step")
    func clears() {
        var player = full()
        let before = player.pattern
        shake(&player, row: 13, legs: 6)
        #expect(player.cells(.chords).isEmpty && player.effects.contains(.fade))
        #expect([Track.melody, .bass, .rhythm].allSatisfy { !player.cells($0).isEmpty })
        player.send(.key(.undo))
        #expect(player.pattern == before)
    }

    @Test("begun on rows 1, 22 or 23 it clears all four", arguments: [1, 22, 23] as [Float])
    func clearsAll(row: Float) {
        var player = full()
        shake(&player, row: row, legs: 6)
        #expect(player.pattern.isEmpty)
        player.send(.key(.undo))
        #expect(!player.pattern.isEmpty)
    }

    @Test("three or four reversals make nothing, two a gesture like any", arguments: [3, 4, 5])
    func makesNothing(legs: Int) {
        var player = full()
        let before = player.pattern
        shake(&player, row: 10, legs: legs)
        #expect((player.pattern == before) == (legs >= 4))
    }

    @Test("a leg of three columns does not count, nor one before a rest of half a second")
    func legs() {
        var player = full()
        shake(&player, row: 13, legs: 8, columns: 3)
        #expect(!player.cells(.chords).isEmpty)
        shake(&player, row: 13, legs: 8, pause: 510)
        #expect(!player.cells(.chords).isEmpty)
        shake(&player, row: 13, legs: 6, pause: 490)
        #expect(player.cells(.chords).isEmpty)
    }

    @Test("a short leg before the first long one does not spoil a shake, and a rest of 500 ms begins the count anew")
    func firstLeg() {
        for (rest, isCleared) in [(499, true), (500, false)] as [(Int64, Bool)] {
            var player = full()
            player.finger(.down, 21, 13)
            for (place, column) in ([20, 24, 20, 24, 20, 24, 20] as [Float]).enumerated() {
                player.wait(place == 4 ? rest : 60)
                player.finger(.move, column, 13)
            }
            player.finger(.up)
            #expect(player.cells(.chords).isEmpty == isCleared)
        }
    }

    @Test("controls, pages and scenes never shake", arguments: [(27, 0), (3, 13), (41, 10)] as [(Float, Float)])
    func elsewhere(column: Float, row: Float) {
        var player = full()
        player.finger(.down, column, row)
        for leg in 1...8 {
            player.wait(60)
            player.finger(.move, leg.isMultiple(of: 2) ? column : column - 8, row)
        }
        player.finger(.cancel, column, row)
        #expect([Track.melody, .chords, .bass, .rhythm].allSatisfy { !player.cells($0).isEmpty })
    }
}
