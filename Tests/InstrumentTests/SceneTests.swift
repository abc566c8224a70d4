import Display
import TestSupport
import Testing

@testable import Instrument

extension Player {
    /// The row of the touch that means scene `slot` best.
    static func row(_ slot: Int) -> Float { [2.5, 4.5, 7.5, 9.5, 12.5, 14.5, 17.5, 19.5][slot] }

    mutating func tapScene(_ slot: Int) { tap(41, Player.row(slot)) }

    mutating func holdScene(_ slot: Int, _ held: Int64) { tap(41, Player.row(slot), held: held) }

    var scene: Int? { instrument.state.scene }
    var queued: Int? { instrument.state.queuedScene }

    /// The tempos of the scenes, 0 for none.
    var tempos: [Int] { (0..<8).map { instrument.state.session.composition[scene: $0]?.bpm ?? 0 } }

    /// A box with scenes of these tempos, 0 for none; the first of them is played.
    static func withScenes(_ tempos: [Int], playing scene: Int? = 0) -> Player {
        var player = Player()
        let patterns = tempos.map { tempo -> Pattern? in
            var pattern = Pattern()
            pattern.bpm = tempo
            return tempo == 0 ? nil : pattern
        }
        let played = scene.flatMap { patterns[$0] } ?? Pattern()
        player.instrument.load(
            Session(Composition(pattern: played, scenes: Scenes(patterns, current: scene))))
        return player
    }
}

@Suite("Scenes")
struct SceneTests {
    @Test("the first hold on an empty scene makes what is played that scene; others are copies of it")
    func firstCopy() {
        var player = Player()
        player.send(.key(.up))
        player.holdScene(2, 650)
        #expect(player.scene == 2)
        #expect(player.tempos == [0, 0, 125, 0, 0, 0, 0, 0])
        player.holdScene(5, 650)
        #expect(player.scene == 2)
        player.send(.key(.up))
        #expect(player.tempos == [0, 0, 130, 0, 0, 125, 0, 0])
    }

    @Test("a touch names, lift acts, and each says what it did")
    func words() {
        var player = Player.withScenes([100, 110, 0])
        player.finger(.down, 41, Player.row(1))
        #expect(player.tooltip == "SCENE 2")
        player.finger(.up, 41, Player.row(1))
        player.wait(2000)
        player.finger(.down, 41, Player.row(5))
        #expect(player.tooltip == "COPY TO 6")
        player.wait(300)
        player.finger(.up, 41, Player.row(5))
        #expect(player.tooltip == "EMPTY")
        #expect(player.tempos == [100, 110, 0, 0, 0, 0, 0, 0])
        player.finger(.down, 41, Player.row(1))
        player.wait(1250)
        #expect(player.tooltip == "CLEARED 2")
        player.finger(.up, 41, Player.row(1))
        player.tap(41, 22.5, pause: 0)
        #expect(player.tooltip == "CHAIN")
        #expect(player.instrument.state.session.chainsScenes)
        player.tap(41, 23, pause: 0)
        #expect(player.tooltip == "NO CHAIN")
    }

    @Test("while stopped a tap plays a scene at once, and what was played keeps every edit")
    func stopped() {
        var player = Player.withScenes([100, 110, 0])
        player.send(.key(.up))
        player.tapScene(1)
        #expect(player.scene == 1)
        #expect(player.pattern.bpm == 110)
        player.send(.key(.up))
        player.tapScene(0)
        #expect(player.pattern.bpm == 105)
        #expect(player.tempos == [105, 115, 0, 0, 0, 0, 0, 0])
    }

    @Test("while playing a tap queues, a second one cancels, and so does one on what is played")
    func queue() {
        var player = Player.withScenes([100, 110, 120])
        player.send(.key(.space))
        player.tapScene(1)
        #expect(player.queued == 1)
        #expect(player.scene == 0)
        player.tapScene(2)
        #expect(player.queued == 2)
        player.tapScene(2)
        #expect(player.queued == nil)
        player.tapScene(1)
        player.tapScene(0)
        #expect(player.queued == nil)
        player.tapScene(7)
        #expect(player.queued == nil)
        player.tapScene(1)
        player.send(.sceneBegan(1))
        #expect(player.scene == 1)
        #expect(player.queued == nil)
    }

    @Test("holding: 600 ms into an empty scene, 1200 ms onto another or on what is played, and not a moment sooner")
    func holds() {
        for (slot, time, tempos, scene) in [
            (2, 590, [105, 110, 0], 0), (2, 610, [105, 110, 105], 0), (1, 1190, [105, 110, 0], 0),
            (1, 1210, [105, 105, 0], 0), (0, 1190, [105, 110, 0], 0), (0, 1210, [0, 110, 0], nil),
        ] as [(Int, Int64, [Int], Int?)] {
            var player = Player.withScenes([100, 110, 0])
            player.send(.key(.up))
            player.send(.key(.space))
            player.holdScene(slot, time)
            #expect(Array(player.tempos.prefix(3)) == tempos, "\(slot) for \(time)")
            #expect(player.scene == scene)
            #expect(player.pattern.bpm == 105)
            // Whoever holds so long does not tap.
            #expect(player.queued == nil)
            player.send(.key(.undo))
            player.send(.key(.redo))
            #expect(Array(player.tempos.prefix(3)) == tempos, "\(slot) for \(time)")
            #expect(player.scene == scene)
        }
    }

    @Test("sliding off cancels, trembling does not")
    func slideOff() {
        for (column, row, queued) in [(41, 6.4, 1), (38.2, 5.0, 1), (41, 7.2, nil), (37.5, 5.0, nil)]
            as [(Float, Float, Int?)]
        {
            var player = Player.withScenes([100, 110, 0])
            player.send(.key(.space))
            player.finger(.down, 41, 5)
            player.finger(.move, column, row)
            player.finger(.move, 41, 5)
            player.finger(.up, 41, 5)
            #expect(player.queued == queued, "\(column), \(row)")
        }
    }

    @Test("the performance lock leaves playing alone and forbids the rest")
    func locked() {
        var player = Player.withScenes([100, 110, 0])
        player.send(.lock(true))
        player.holdScene(2, 2000)
        player.holdScene(0, 2000)
        #expect(player.tempos == [100, 110, 0, 0, 0, 0, 0, 0])
        player.holdScene(1, 2000)
        #expect(player.scene == 1)
        #expect(player.tempos == [100, 110, 0, 0, 0, 0, 0, 0])
    }

    @Test("undo takes back an edit wherever it was made, and stays in the scene")
    func undo() {
        var player = Player.withScenes([100, 110, 0])
        player.send(.key(.up))
        player.tapScene(1)
        player.send(.key(.down))
        player.send(.key(.undo))
        player.send(.key(.undo))
        #expect(player.scene == 1)
        #expect(player.tempos == [100, 110, 0, 0, 0, 0, 0, 0])
        player.send(.key(.redo))
        #expect(player.tempos == [105, 110, 0, 0, 0, 0, 0, 0])
        player.send(.key(.redo))
        #expect(player.tempos == [105, 105, 0, 0, 0, 0, 0, 0])
        player.send(.key(.redo))
        #expect(player.tooltip == "REDO")
    }

    @Test("undo that takes the scene away lets its pattern play on as one of none; redo brings it back")
    func undoneScene() {
        var player = Player.withScenes([100, 0, 0])
        player.holdScene(1, 650)
        player.tapScene(1)
        player.send(.key(.up))
        player.send(.key(.undo))
        player.send(.key(.undo))
        #expect(player.scene == nil)
        #expect(player.pattern.bpm == 100)
        #expect(player.tempos == [100, 0, 0, 0, 0, 0, 0, 0])
        player.send(.key(.redo))
        #expect(player.scene == 1)
        player.send(.key(.redo))
        #expect(player.tempos == [100, 105, 0, 0, 0, 0, 0, 0])
    }

    @Test("undo of the first copy, and of emptying, gives back what was")
    func undoneCopy() {
        var player = Player()
        player.holdScene(3, 650)
        player.send(.key(.undo))
        #expect(player.scene == nil)
        #expect(player.instrument.state.session.composition.scenes.isEmpty)
        player.send(.key(.redo))
        #expect(player.scene == 3)
        player.holdScene(3, 1250)
        #expect(player.scene == nil)
        player.send(.key(.undo))
        #expect(player.scene == 3)
        #expect(player.tempos == [0, 0, 0, 120, 0, 0, 0, 0])
    }

    @Test("a queued scene falls away with Stop, with its pattern, and when another is loaded")
    func queueFalls() {
        var player = Player.withScenes([100, 0, 0])
        player.holdScene(1, 650)
        player.send(.key(.space))
        player.tapScene(1)
        #expect(player.queued == 1)
        player.send(.key(.undo))
        #expect(player.queued == nil)
        player.send(.sceneBegan(1))
        #expect(player.scene == 0)
        player.send(.key(.redo))
        player.tapScene(1)
        player.send(.key(.space))
        #expect(player.queued == nil)
        player.send(.sceneBegan(1))
        #expect(player.scene == 0)
        player.send(.key(.space))
        player.tapScene(1)
        player.instrument.load(
            Session(Composition(scenes: Scenes([Pattern(), Pattern()], current: 0))))
        #expect(player.queued == nil)
        player.send(.sceneBegan(1))
        #expect(player.scene == 0)
    }

    @Test("a switch that has happened is followed though the player took it back before it was heard")
    func lateCancel() {
        var player = Player.withScenes([100, 110, 120])
        player.send(.key(.space))
        player.tapScene(1)
        player.tapScene(2)
        player.send(.key(.up))
        player.send(.sceneBegan(1))
        #expect(player.scene == 1)
        #expect(player.queued == 2)
        #expect(player.tempos == [105, 110, 120, 0, 0, 0, 0, 0])
        player.tapScene(2)
        player.send(.sceneBegan(2))
        #expect(player.scene == 2)
    }

    @Test("whatever was begun on one pattern makes nothing in the next")
    func gesturesEnd() {
        var player = Player.withScenes([100, 110, 120])
        player.send(.key(.space))
        player.tapScene(1)
        // A note, a tempo that repeats, a Clear and a copy are under way.
        player.finger(.down, 10, 5, contact: 1)
        player.finger(.down, 28, 0, contact: 2)
        player.finger(.down, 41, 0, contact: 3)
        player.finger(.down, 41, Player.row(6), contact: 4)
        player.send(.turn(.tempo, by: 1))
        #expect(player.tempos == [106, 110, 120, 0, 0, 0, 0, 0])
        player.wait(50)
        player.send(.sceneBegan(1))
        #expect(player.instrument.state.contacts[1].placements.isEmpty)
        player.wait(1000)
        for contact in 1...4 { player.finger(.up, contact == 2 ? 28 : 10, 5, contact: contact) }
        #expect(player.tempos == [106, 110, 120, 0, 0, 0, 0, 0])
        #expect(player.pattern.isEmpty)
        // The knob's next turn is a step of the history of its own.
        player.send(.turn(.tempo, by: 1))
        player.send(.key(.undo))
        #expect(player.tempos == [106, 110, 120, 0, 0, 0, 0, 0])
    }

    @Test("taps, swipes and tempo taps do not make pairs across a switch")
    func pairsEnd() {
        var player = Player.withScenes([100, 110])
        player.tap(10, 5, pause: 10)
        player.tap(41, Player.row(1), held: 20, pause: 10)
        player.tap(10, 5, pause: 10)
        #expect(player.scene == 1)
        // Two taps on one step of one pattern would have erased it.
        #expect(!player.pattern.isEmpty)
        player.tap(27, 0, pause: 100)
        player.tap(41, Player.row(0), held: 20, pause: 100)
        player.tap(27, 0, pause: 100)
        #expect(player.pattern.bpm == 100)
    }

    @Test("the chain goes through the filled scenes, from the end of each; a tap comes before it")
    func chain() {
        var player = Player.withScenes([100, 0, 120, 0, 0, 150])
        #expect(player.instrument.state.upcomingScene == nil)
        player.tap(41, 22)
        #expect(player.instrument.state.upcomingScene == nil)
        player.send(.key(.space))
        for next in [2, 5, 0, 2] {
            #expect(player.instrument.state.upcomingScene == State.UpcomingScene(slot: next, isAtBar: false))
            player.send(.sceneBegan(next))
            #expect(player.scene == next)
        }
        player.tapScene(0)
        #expect(player.instrument.state.upcomingScene == State.UpcomingScene(slot: 0, isAtBar: true))
        player.send(.sceneBegan(0))
        #expect(player.instrument.state.upcomingScene == State.UpcomingScene(slot: 2, isAtBar: false))
    }

    @Test("a chain of the one scene that is played goes nowhere; of none, it begins with the first that is filled")
    func chainEnds() {
        for (tempos, scene, next) in [([100], 0, nil), ([0, 100, 120], nil, 1), ([0], nil, nil)]
            as [([Int], Int?, Int?)]
        {
            var player = Player.withScenes(tempos, playing: scene)
            player.tap(41, 22)
            player.send(.key(.space))
            #expect(player.instrument.state.upcomingScene?.slot == next)
        }
    }

    @Test(
        "a fingertip about the middle of a scene means it, and the switch below is the chain's",
        arguments: [44, 46, 50])
    func targets(columns: Int) {
        // The fingertip's centre may be 0.75 LED off the middle of the two rows that are drawn; 0.25 LED is left.
        var slack: Float = .infinity
        for slot in 0..<8 {
            let middle = Player.row(slot)
            for offset in stride(from: Float(-0.75), through: 0.75, by: 0.125) {
                for column in stride(from: Float(39.5), through: 43, by: 0.25) {
                    var player = Player.withScenes([100, 101, 102, 103, 104, 105, 106, 107], playing: nil)
                    let session = player.instrument.state.session
                    player.instrument = Instrument(columns: columns)
                    player.instrument.load(session)
                    player.tap(column + Float(columns - 44), middle + offset)
                    #expect(player.scene == slot, "\(column), \(middle + offset)")
                }
                var edge = offset
                while SceneTouch.slot(atRow: middle + edge) == slot { edge += offset < 0 ? -0.01 : 0.01 }
                slack = min(slack, abs(edge) - 0.75)
            }
        }
        #expect(abs(slack - 0.25) < 0.02, "rows of slack: \(slack)")
        for row in stride(from: Float(21.5), through: 23.5, by: 0.25) { #expect(SceneTouch.slot(atRow: row) == nil) }
        var player = Player()
        player.tap(41, 1.2, pause: 50)
        player.tap(41, 1.2, pause: 50)
        #expect(!player.instrument.state.isPlaying)
    }

    // MARK: The song sheet

    @Test("the song sheet plays, copies and empties scenes as the grid's columns do, anywhere on a scene")
    func song() {
        var player = Player.withScenes([100, 110, 0, 0, 0, 0, 0, 120], playing: 0)
        player.tap(1, 1)
        player.tap(2, 11)
        #expect(player.instrument.state.screen == .song)
        for (column, row) in [(8, 7), (14, 14)] as [(Float, Float)] {
            player.tap(column, row)
            #expect(player.scene == 1)
            player.tap(column - 8, row)
            #expect(player.scene == 0)
        }
        player.tap(31, 22)
        #expect(player.scene == 7)
        player.tap(20, 10, held: 700)
        #expect(player.tempos == [100, 110, 120, 0, 0, 0, 0, 120])
        player.tap(28, 18, held: 1300)
        #expect(player.scene == nil && player.tempos == [100, 110, 120, 0, 0, 0, 0, 0])
        player.tap(39, 15)
        #expect(player.instrument.state.session.chainsScenes)
        player.tap(1, 2)
        #expect(player.instrument.state.screen == .grid)
    }

    @Test("a finger that slides off a scene of the song sheet takes it back")
    func songSlide() {
        var player = Player.withScenes([100, 110, 0, 0, 0, 0, 0, 0], playing: 0)
        player.tap(1, 1)
        player.tap(2, 11)
        player.drag(from: (10, 10), to: (20, 10))
        #expect(player.scene == 0)
    }

    // MARK: By chance

    /// Scenes as a list of tempos, which is all that they need to be told apart, with undo as whole copies.
    private struct Model {
        struct Music: Equatable {
            var scenes = [Int](repeating: 0, count: 8)
            var loose = 120
            var scene: Int?

            var played: Int {
                get { scene.map { scenes[$0] } ?? loose }
                set { if let scene { scenes[scene] = newValue } else { loose = newValue } }
            }
        }

        var music = Music()
        var past: [Music] = []
        var future: [Music] = []

        mutating func act(_ change: (inout Music) -> Void) {
            let before = music
            change(&music)
            guard music.scenes != before.scenes || music.played != before.played || music.scene != before.scene else {
                return
            }
            past.append(before)
            if past.count > 50 { past.removeFirst() }
            future = []
        }

        /// What `there` is for someone who stays where he is.
        private func staying(_ there: Music) -> Music {
            var next = there
            if next.scene == music.scene { return next }
            if let scene = music.scene, there.scenes[scene] != 0 {
                next.scene = scene
            } else if music.scene != nil || there.played != music.played {
                next.scene = nil
                next.loose = music.played
            }
            return next
        }

        func looksLike(_ other: Music) -> Bool {
            music.scenes == other.scenes && music.scene == other.scene && music.played == other.played
        }

        mutating func undo() {
            let present = music
            repeat {
                guard let there = past.popLast() else { return }
                future.append(music)
                music = staying(there)
            } while looksLike(present)
        }

        mutating func redo() {
            let present = music
            repeat {
                guard let there = future.popLast() else { return }
                past.append(music)
                music = staying(there)
            } while looksLike(present)
        }
    }

    @Test(
        "no edit is lost or lands in another scene, whatever is done in whatever order",
        arguments: 1...30 as ClosedRange<UInt64>)
    func byChance(number: UInt64) {
        let seed = number &* 0x9e37
        var random = SplitMix(seed: seed)
        var player = Player()
        var model = Model()
        for _ in 0..<150 {
            let slot = Int.random(in: 0..<4, using: &random)
            let isPlaying = player.instrument.state.isPlaying
            let isFilled = model.music.scenes[slot] != 0
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3:
                let step = Bool.random(using: &random) ? 1 : -1
                player.send(.turn(.tempo, by: step))
                // What one turn does shortly after another is one step of the history.
                player.wait(2500)
                model.act { $0.played = min(200, max(60, $0.played + step)) }
            case 4, 5:
                player.tapScene(slot)
                if !isPlaying, isFilled { model.music.scene = slot }
            case 6:
                guard let upcoming = player.instrument.state.upcomingScene else { continue }
                #expect(model.music.scenes[upcoming.slot] != 0, "seed \(seed)")
                player.send(.sceneBegan(upcoming.slot))
                model.music.scene = upcoming.slot
            case 7:
                player.holdScene(slot, 1300)
                model.act {
                    if slot == $0.scene {
                        $0.loose = $0.played
                        $0.scenes[slot] = 0
                        $0.scene = nil
                    } else {
                        $0.scenes[slot] = $0.played
                        if $0.scene == nil { $0.scene = slot }
                    }
                }
            case 8, 9:
                player.send(.key(.undo))
                model.undo()
            case 10:
                player.send(.key(.redo))
                model.redo()
            default:
                player.send(.key(.space))
                if Bool.random(using: &random) { player.tap(41, 22.5) }
            }
            #expect(player.tempos == model.music.scenes, "seed \(seed)")
            #expect(player.scene == model.music.scene, "seed \(seed)")
            #expect(player.pattern.bpm == model.music.played, "seed \(seed)")
            if player.tempos != model.music.scenes || player.scene != model.music.scene { return }
        }
    }
}
