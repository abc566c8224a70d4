import Testing

@testable import Instrument

@Suite("The next scene")
struct UpcomingSceneTests {
    @Test("while playing a tap queues a scene, a second one cancels, and so does one on the playing scene")
    func queue() {
        var player = Player.withScenes([100, 110, 120])
        player.send(.key(.playStop))
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
        // An empty one is begun.
        player.tapScene(7)
        #expect(player.queued == 7)
        player.tapScene(1)
        player.send(.sceneBegan(1))
        #expect(player.scene == 1)
        #expect(player.queued == nil)
    }

    @Test("a queued scene is cancelled by Stop, by the loss of its pattern, and by loading another")
    func queueFalls() {
        var player = Player.withScenes([100, 0, 0])
        player.holdScene(1, 650)
        player.send(.key(.playStop))
        player.tapScene(1)
        #expect(player.queued == 1)
        player.send(.key(.undo))
        #expect(player.queued == nil)
        player.send(.sceneBegan(1))
        #expect(player.scene == 0)
        player.send(.key(.redo))
        player.tapScene(1)
        player.send(.key(.playStop))
        #expect(player.queued == nil)
        player.send(.sceneBegan(1))
        #expect(player.scene == 0)
        player.send(.key(.playStop))
        player.tapScene(1)
        player.instrument.load(
            Session(Composition(scenes: Scenes([Pattern(), Pattern()], current: 0))))
        #expect(player.queued == nil)
        player.send(.sceneBegan(1))
        #expect(player.scene == 0)
    }

    @Test("a switch that has happened is followed even if the player cancelled it before it sounded")
    func lateCancel() {
        var player = Player.withScenes([100, 110, 120])
        player.send(.key(.playStop))
        player.tapScene(1)
        player.tapScene(2)
        player.send(.key(.faster))
        player.send(.sceneBegan(1))
        #expect(player.scene == 1)
        #expect(player.queued == 2)
        #expect(player.tempos == [105, 110, 120, 0, 0, 0, 0, 0])
        player.tapScene(2)
        player.send(.sceneBegan(2))
        #expect(player.scene == 2)
    }

    @Test("actions begun on one pattern do nothing in the next")
    func gesturesEnd() {
        var player = Player.withScenes([100, 110, 120])
        player.send(.key(.playStop))
        player.tapScene(1)
        // A note, a repeating tempo, a Clear and a copy are in progress.
        player.finger(.down, .step(6, .melody, row: 2), contact: 1)
        player.finger(.down, .control(.faster), contact: 2)
        player.finger(.down, .control(.clear), contact: 3)
        player.finger(.down, .scene(6), contact: 4)
        player.send(.turn(.tempo, by: 1))
        #expect(player.tempos == [106, 110, 120, 0, 0, 0, 0, 0])
        player.wait(50)
        player.send(.sceneBegan(1))
        #expect(player.instrument.state.fingers[1].placements.isEmpty)
        player.wait(1000)
        for contact in 1...4 { player.finger(.up, contact == 2 ? 28 : 10, 5, contact: contact) }
        #expect(player.tempos == [106, 110, 120, 0, 0, 0, 0, 0])
        #expect(player.pattern.isEmpty)
        // The knob's next turn is an undo step of its own.
        player.send(.turn(.tempo, by: 1))
        player.send(.key(.undo))
        #expect(player.tempos == [106, 110, 120, 0, 0, 0, 0, 0])
    }

    @Test("taps, swipes and tempo taps do not make pairs across a switch")
    func pairsEnd() {
        var player = Player.withScenes([100, 110])
        player.tap(.step(6, .melody, row: 2), pause: 10)
        player.tap(.scene(1), held: 20, pause: 10)
        player.tap(.step(6, .melody, row: 2), pause: 10)
        #expect(player.scene == 1)
        // Two taps on one step of one pattern would have erased it.
        #expect(!player.pattern.isEmpty)
        player.tap(.control(.tapTempo), pause: 100)
        player.tap(.scene(0), held: 20, pause: 100)
        player.tap(.control(.tapTempo), pause: 100)
        #expect(player.pattern.tempo == 100)
    }

    @Test("the chain plays the filled scenes, each to its end; a tap takes precedence")
    func chain() {
        var player = Player.withScenes([100, 0, 120, 0, 0, 150])
        #expect(player.instrument.state.upcomingScene == nil)
        player.tap(.chain)
        #expect(player.instrument.state.upcomingScene == nil)
        player.send(.key(.playStop))
        for next in [2, 5, 0, 2] {
            #expect(
                player.instrument.state.upcomingScene == Instrument.SongPlay.UpcomingScene(slot: next, isAtBar: false))
            player.send(.sceneBegan(next))
            #expect(player.scene == next)
        }
        player.tapScene(0)
        #expect(player.instrument.state.upcomingScene == Instrument.SongPlay.UpcomingScene(slot: 0, isAtBar: true))
        player.send(.sceneBegan(0))
        #expect(player.instrument.state.upcomingScene == Instrument.SongPlay.UpcomingScene(slot: 2, isAtBar: false))
    }

    @Test(
        "a chain of only the playing scene does not switch; outside the scenes it starts with the first filled one",
        arguments: [([100], 0, nil), ([0, 100, 120], nil, 1), ([0], nil, nil)] as [([Int], Int?, Int?)])
    func chainEnds(tempos: [Int], scene: Int?, next: Int?) {
        var player = Player.withScenes(tempos, playing: scene)
        player.tap(.chain)
        player.send(.key(.playStop))
        #expect(player.instrument.state.upcomingScene?.slot == next)
    }
}
