import InputEvents
import Display
import TestSupport
import Testing

@testable import Instrument

@Suite("The LANES screen")
struct LanesTests {
    /// A player at the lanes of `track`, with `lane` chosen.
    private func atLanes(_ track: Track = .melody, _ lane: Lane = .velocity) -> Player {
        var player = Player()
        player.tap(.spot(.lanesLight))
        if track != .melody { player.tap(.spot(.track(track))) }
        if lane != .velocity { player.tap(.lane(Lane.chosen[lane.place])) }
        if lane == .ramp { player.tap(.lane(.ratchet)) }
        return player
    }

    private func shown(_ player: Player) -> LanesSheet? {
        if case .lanes(let sheet) = player.instrument.state.view.screen { sheet } else { nil }
    }

    @Test("the light at the lower left opens the lanes of the track touched last, and leads back")
    func light() {
        var player = Player()
        player.tap(.step(4, .bass, row: 1))
        player.finger(.down, .spot(.lanesLight))
        #expect(player.tooltip == "LANES")
        player.finger(.up, 1, 23)
        #expect(shown(player)?.track == .bass)
        player.tap(0, 23)
        #expect(player.instrument.state.view.screen == .grid)
        player.tap(1, 22)
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("a still hold of 400 ms on a track's page opens its lanes and turns no page")
    func pageHold() {
        for track in Track.allCases {
            var player = Player()
            player.finger(.down, 3, Float(track.rows.lowerBound + 1))
            player.wait(399)
            #expect(player.instrument.state.view.screen == .grid)
            #expect(player.frame()[2, track.rows.upperBound - 1].red > 0xb0)
            player.wait(1)
            #expect(shown(player)?.track == track)
            player.finger(.up, 3, Float(track.rows.lowerBound + 1))
            #expect(player.instrument.state.session.pages[track.rawValue] == 0)
        }
        var player = Player()
        player.drag(from: .page(.melody, row: 2), to: .page(.melody, row: 4), duration: 500)
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("the chooser has the twelve lanes, ramp behind ratchet and harmony behind slide; a finger slides over it")
    func chooser() {
        var player = atLanes()
        let words = [
            "VEL", "CHANCE", "WHEN", "RATCHET", "GATE", "SHIFT", "SLIDE", "CUTOFF", "RESO", "PAN", "DELAY", "SPACE",
        ]
        for (place, word) in words.enumerated() {
            player.finger(.down, .lane(Lane.chosen[place]))
            #expect(player.tooltip == word)
            #expect(shown(player)?.lane == Lane.chosen[place])
            player.finger(.up)
            player.wait(1000)
        }
        player.tap(.lane(.ratchet))
        player.tap(.lane(.ratchet))
        #expect(shown(player)?.lane == .ramp)
        player.tap(.lane(.ratchet))
        #expect(shown(player)?.lane == .ratchet)
        player.drag(from: .lane(.ratchet), to: .lane(.velocity))
        #expect(shown(player)?.lane == .velocity)
        for track in [Track.melody, .bass] {
            player = atLanes(track, .slide)
            player.tap(.lane(.slide))
            #expect(shown(player)?.lane == .harmony && player.tooltip == "HARMONY")
            player.tap(.lane(.slide))
            #expect(shown(player)?.lane == .slide)
        }
        // They have no slide.
        for track in [Track.chords, .rhythm] {
            player = atLanes(track)
            for _ in 0..<2 { player.tap(.lane(.slide)) }
            #expect(shown(player)?.lane == .harmony)
        }
    }

    private static let heights: [(lane: Lane, row: Float, value: Int?, word: String)] = [
        (.velocity, 2, 127, "VEL 127"), (.velocity, 21, 6, "VEL 6"), (.velocity, 21.4, 1, "VEL 1"),
        (.chance, 9, 65, "CHANCE 65"), (.chance, 2, 100, "CHANCE 100"), (.chance, 21.4, 0, "CHANCE 0"),
        (.ratchet, 17, 3, "X3"), (.ratchet, 7, 8, "X8"), (.ratchet, 2, 8, "X8"),
        (.gate, 12, 100, "GATE 100"), (.gate, 11, 130, "GATE 130"), (.gate, 2, 400, "GATE 400"),
        (.gate, 17, 50, "GATE 50"),
        (.shift, 20, -44, "SHIFT -44"), (.shift, 3, 50, "SHIFT +50"), (.shift, 21, -50, "SHIFT -50"),
        (.slide, 11, 1, "SLIDE"), (.cutoff, 3, 100, "CUTOFF +100"), (.pan, 21, -100, "PAN -100"),
        (.reverb, 9, 33, "SPACE +33"), (.ramp, 5, 1, "RAMP +"), (.ramp, 18, -1, "RAMP -"),
        (.when, 21, StepCondition.every(turn: 1, of: 2).code, "1:2"),
        (.when, 17, StepCondition.every(turn: 3, of: 3).code, "3:3"),
        (.when, 2, StepCondition.first.code, "FIRST"), (.when, 3, StepCondition.fill.code, "FILL"),
        (.when, 4, StepCondition.previous.code, "PREV"),
    ]

    @Test("a tap sets the value at its height, and says it")
    func heights() {
        for (lane, row, value, word) in Self.heights {
            var player = atLanes(.bass, lane)
            player.finger(.down, .laneStep(9, row: row))
            #expect(player.tooltip == word, "\(lane) at \(row)")
            player.finger(.up)
            #expect(player.pattern.lanes[.bass, lane, step: 9] == value, "\(lane) at \(row)")
            player.wait(1000)
            player.instrument.undo(tooltip: "")
            #expect(player.pattern == Pattern())
        }
    }

    @Test("a drag writes the line between its points, also over steps that no report names")
    func line() {
        var player = atLanes(.melody, .chance)
        player.finger(.down, .laneStep(4, row: 17))
        player.wait(50)
        player.finger(.move, .laneStep(12, row: 9))
        player.finger(.up)
        let values = (0..<Pattern.steps).map { player.pattern.lanes[.melody, .chance, step: $0] }
        #expect(values[4...12].compactMap { $0 } == [25, 30, 35, 40, 45, 50, 55, 60, 65])
        #expect(values.compactMap { $0 }.count == 9)
        #expect(player.instrument.state.session.history.past.count == 1)
    }

    @Test("when: a finger lands on a and lifts on b; a tap keeps b; a word goes to its opposite, and away")
    func conditions() {
        var player = atLanes(.rhythm, .when)
        func word() -> String? {
            player.pattern.lanes[.rhythm, .when, step: 0].flatMap(StepCondition.init(code:))?.word
        }
        player.drag(from: .laneStep(0, row: 19), to: .laneStep(0, row: 15))
        #expect(word() == "2:4")
        player.tap(.laneStep(0, row: 17))
        #expect(word() == "3:4")
        player.drag(from: .laneStep(0, row: 21), to: .laneStep(0, row: 7))
        #expect(word() == "1:8")
        for expected in ["fill", "notFill", nil] {
            player.tap(.laneStep(0, row: 3))
            #expect(word() == expected)
        }
    }

    @Test("the second tap on a step empties it, and both are one history step")
    func doubleTap() {
        var player = atLanes()
        player.tap(.laneStep(4, row: 10))
        let before = player.pattern
        player.tap(.laneStep(2, row: 8), pause: 100)
        player.tap(.laneStep(2, row: 8), pause: 100)
        #expect(player.pattern.lanes[.melody, .velocity, step: 2] == nil)
        #expect(player.pattern == before)
    }

    @Test("ten fingers draw at once, and each is one history step")
    func fingers() {
        var player = atLanes()
        for id in 0..<10 { player.finger(.down, .laneStep(3 * id, row: Float(20 - id)), contact: id) }
        for id in 0..<10 { player.finger(.move, .laneStep(3 * id + 2, row: Float(18 - id)), contact: id) }
        for id in 0..<10 { player.finger(.up, contact: id) }
        for id in 0..<10 {
            #expect(player.pattern.lanes[.melody, .velocity, step: 3 * id + 2] == ((4 + id) * 127 + 10) / 20)
        }
        #expect(player.instrument.state.session.history.past.count == 10)
    }

    @Test("the white post is the track's own length: near it at once, elsewhere after a hold")
    func length() {
        var player = atLanes(.bass)
        player.drag(from: (39, 22), to: (column(6) + 1, 22))
        #expect(player.pattern.length(of: .bass) == 7)
        #expect(player.pattern.length(of: .melody) == 32 && player.pattern.length == 32)
        #expect(player.led(column(6) + 1, 22) == .white && player.led(column(6) + 1, 23) == .white)
        player.drag(from: .spot(.laneOverview, column: 30), to: .spot(.laneOverview, column: 34), duration: 300)
        #expect(player.pattern.length(of: .bass) == 7)
        player.drag(from: (25, 23), to: (column(19) + 1, 23), held: 450)
        #expect(player.pattern.length(of: .bass) == 20)
        player.drag(from: (column(19) + 1, 22), to: (39, 22))
        #expect(player.pattern == Pattern())
    }

    @Test("two swipes on the overview undo and redo; elsewhere on this screen they draw")
    func swipes() {
        var player = atLanes()
        player.tap(.laneStep(6, row: 8))
        let drawn = player.pattern
        func swipe(_ from: Int, _ to: Int) {
            for _ in 0..<2 { player.drag(from: (from, 23), to: (to, 23), duration: 150, pause: 100) }
            player.wait(1000)
        }
        swipe(24, 10)
        #expect(player.pattern == Pattern())
        swipe(10, 24)
        #expect(player.pattern == drawn)
    }

    @Test("× held for 1200 ms empties the lane; an early lift and the lock do not")
    func clear() {
        var player = atLanes()
        player.tap(.laneStep(6, row: 8))
        player.tap(.spot(.clearLane), held: 1100)
        #expect(player.pattern.lanes.has(.melody, .velocity))
        player.send(.lock(true))
        player.tap(.spot(.clearLane), held: 1300)
        player.tap(.laneStep(15, row: 8))
        #expect(player.pattern.lanes.has(.melody, .velocity))
        #expect(player.pattern.lanes[.melody, .velocity, step: 15] == nil)
        player.send(.lock(false))
        player.finger(.down, .spot(.clearLane))
        player.wait(1200)
        #expect(player.pattern.lanes.isEmpty && player.tooltip == "VEL OFF")
        player.finger(.up)
    }

    @Test("FILL holds as long as a finger is on it, on the grid and here, and waits under the menu")
    func fill() {
        for opens in [false, true] {
            var player = opens ? atLanes() : Player()
            player.finger(.down, .spot(.fill))
            #expect(player.instrument.state.isFilling && player.tooltip == "FILL" && player.led(3, 22) == .white)
            player.finger(.up)
            #expect(!player.instrument.state.isFilling && player.led(3, 22) == RGB(0x1c1c1c))
        }
        var menu = atMenu()
        menu.finger(.down, .menu(.power))
        #expect(!menu.instrument.state.isFilling)
        menu.finger(.cancel)
        menu.tap(.menu(.lock))
        #expect(menu.instrument.state.view.screen == .grid)
    }

    @Test("on the grid a step with a lane value dips to 38 % for 100 ms, at every second beat or once a second")
    func dip() {
        var player = Player()
        player.instrument.state.session.composition.pattern[.melody, note: 0, step: 4] = .accent
        player.instrument.state.session.composition.pattern[.melody, note: 0, step: 5] = .accent
        player.instrument.state.session.composition.pattern.lanes[.melody, .chance, step: 4] = 50
        player.now = Instant(milliseconds: 10_050)
        #expect(
            isClose(player.led(.step(4, .melody)), over(0xff0000, 0.38))
                && player.led(.step(5, .melody)) == RGB(0xff0000))
        player.now = Instant(milliseconds: 10_100)
        #expect(player.led(.step(4, .melody)) == RGB(0xff0000))
        player.send(.key(.playStop))
        for step in [0, 4, 8, 12] {
            player.now = player.now + .milliseconds(500)
            player.send(.step(step, number: step))
            player.send(.trackStep(.melody, step: step, place: 12 * step, sounds: true))
            player.now = player.now + .milliseconds(50)
            let isDark = step % 8 == 0
            #expect((player.led(.step(4, .melody)) == RGB(0xff0000)) == (!isDark && step != 4), "step \(step)")
        }
    }

    @Test("the place under the cursor is named")
    func names() {
        var player = atLanes(.bass, .chance)
        player.tap(.laneStep(2, row: 9))
        player.instrument.state.view.cursor.isShown = true
        let places: [(column: Int, row: Int, name: String)] = [
            (1, 1, "BACK"), (1, 12, "CHORDS"), (0, 22, "LANES"), (3, 23, "FILL"), (5, 0, "VEL"),
            (23, 1, "SLIDE"), (column(2), 15, "CHANCE 65 STEP 3"),
            (column(3), 15, "CHANCE STEP 4"), (20, 23, "LENGTH"), (41, 20, "CLEAR LANE"), (42, 2, "PLAY"),
        ]
        for place in places {
            (player.instrument.state.view.cursor.column, player.instrument.state.view.cursor.row) = (
                place.column, place.row
            )
            #expect(player.instrument.words.place == place.name)
        }
    }

    @Test("random fingers never leave a value outside its range, and undo restores exactly")
    func property() {
        let seed = UInt64.random(in: 0..<1 << 32)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<20 {
            var player = Player()
            let before = player.pattern
            player.tap(.spot(.lanesLight))
            for _ in 0..<60 {
                let id = Int.random(in: 0..<10, using: &random)
                let (x, y) = (Float.random(in: 4..<39.4, using: &random), Float.random(in: 0..<23.4, using: &random))
                let phase: Touch.Phase = [.down, .move, .move, .up].randomElement(using: &random) ?? .up
                player.finger(phase, x, y, contact: id)
                player.wait(Int64.random(in: 0..<120, using: &random))
                if Int.random(in: 0..<9, using: &random) == 0 {
                    player.finger(.down, 1, Float(Int.random(in: 6..<22, using: &random)), contact: 10)
                    player.finger(.up, 1, 8, contact: 10)
                }
            }
            for id in 0..<11 { player.finger(.up, 10, 10, contact: id) }
            let after = player.pattern
            for track in Track.allCases {
                for lane in Lane.ofTracks + [.harmony] {
                    for step in 0..<Pattern.steps {
                        guard let value = after.lanes[track, lane, step: step] else { continue }
                        #expect(lane.values.contains(value) && lane.exists(on: track), "seed \(seed)")
                    }
                }
                #expect(TrackShape.lengths.contains(after.length(of: track)))
            }
            while !player.instrument.state.session.history.past.isEmpty {
                let levels = player.instrument.state.session.history.past.count
                player.instrument.undo(tooltip: "")
                guard player.instrument.state.session.history.past.count < levels else { break }
            }
            if player.instrument.state.session.history.future.count < History.levels {
                #expect(player.pattern == before, "seed \(seed)")
            }
            while !player.instrument.state.session.history.future.isEmpty {
                player.instrument.redo(tooltip: "")
            }
            #expect(player.pattern == after, "seed \(seed)")
        }
    }
}
