import Testing

@testable import Instrument

@Suite("Scenes")
struct SceneTests {
    @Test("the first hold on an empty scene turns the playing pattern into that scene; later ones copy it")
    func firstCopy() {
        var player = Player()
        player.send(.key(.faster))
        player.holdScene(2, 650)
        #expect(player.scene == 2)
        #expect(player.tempos == [0, 0, 125, 0, 0, 0, 0, 0])
        player.holdScene(5, 650)
        #expect(player.scene == 2)
        player.send(.key(.faster))
        #expect(player.tempos == [0, 0, 130, 0, 0, 125, 0, 0])
    }

    @Test("touching shows the name, lifting acts, and each action shows its result")
    func words() {
        var player = Player.withScenes([100, 110, 0])
        player.finger(.down, .scene(1))
        #expect(player.tooltip == "SCENE 2")
        player.finger(.up)
        player.wait(2000)
        player.finger(.down, .scene(5))
        #expect(player.tooltip == "COPY TO 6")
        player.wait(300)
        player.finger(.up)
        #expect(player.tooltip == "EMPTY")
        #expect(player.tempos == [100, 110, 0, 0, 0, 0, 0, 0])
        player.finger(.down, .scene(1))
        player.wait(1250)
        #expect(player.tooltip == "CLEARED 2")
        player.finger(.up)
        player.tap(.chain, pause: 0)
        #expect(player.tooltip == "CHAIN")
        #expect(player.instrument.state.session.sceneMode == .chain)
        player.tap(41, 23, pause: 0)
        #expect(player.tooltip == "ONE")
    }

    @Test("a tap on an empty scene begins a pattern of one's own there, with tempo, key and length; undo takes it back")
    func begin() {
        var player = Player.withScenes([100, 110])
        player.tap(.control(.scale(.minor)))
        player.tap(.step(0, .melody))
        player.tapScene(4)
        #expect(player.tooltip == nil || player.tooltip == "NEW SCENE 5")
        #expect(player.scene == 4 && player.pattern.isEmpty && player.tempos == [100, 110, 0, 0, 100, 0, 0, 0])
        #expect(player.pattern.tonality.scale == .minor)
        player.tapScene(0)
        #expect(player.cells(.melody) == ["0@0=1"])
        player.send(.key(.undo))
        #expect(player.tempos == [100, 110, 0, 0, 0, 0, 0, 0])
        // While the music runs it begins with the next bar.
        player.send(.key(.playStop))
        player.send(.step(0, number: 0))
        player.tapScene(2)
        #expect(player.queued == 2 && player.scene == 0)
    }

    @Test(
        "an empty scene is not begun while locked, under the rules of the phone, or from a pattern outside the scenes")
    func noBegin() {
        for prepare: (inout Player) -> Void in [
            { $0.instrument.state.session.isLocked = true }, { $0.send(.rules(.phone)) },
        ] {
            var player = Player.withScenes([100, 110])
            prepare(&player)
            player.tapScene(4)
            #expect(player.tempos == [100, 110, 0, 0, 0, 0, 0, 0] && player.scene == 0)
        }
        var player = Player.withScenes([100], playing: nil)
        player.tap(.step(0, .melody))
        player.tapScene(4)
        #expect(player.tempos == [100, 0, 0, 0, 0, 0, 0, 0] && player.scene == nil && !player.pattern.isEmpty)
    }

    @Test("while stopped a tap switches at once, and the previous scene keeps every edit")
    func stopped() {
        var player = Player.withScenes([100, 110, 0])
        player.send(.key(.faster))
        player.tapScene(1)
        #expect(player.scene == 1)
        #expect(player.pattern.tempo == 110)
        player.send(.key(.faster))
        player.tapScene(0)
        #expect(player.pattern.tempo == 105)
        #expect(player.tempos == [105, 115, 0, 0, 0, 0, 0, 0])
    }

    @Test(
        "holding takes 600 ms on an empty scene, 1200 ms on a filled or playing one, and no less",
        arguments: [
            (2, 590, [105, 110, 0], 0), (2, 610, [105, 110, 105], 0), (1, 1190, [105, 110, 0], 0),
            (1, 1210, [105, 105, 0], 0), (0, 1190, [105, 110, 0], 0), (0, 1210, [0, 110, 0], nil),
        ] as [(Int, Int64, [Int], Int?)])
    func holds(slot: Int, time: Int64, tempos: [Int], scene: Int?) {
        var player = Player.withScenes([100, 110, 0])
        player.send(.key(.faster))
        player.send(.key(.playStop))
        player.holdScene(slot, time)
        #expect(Array(player.tempos.prefix(3)) == tempos, "\(slot) for \(time)")
        #expect(player.scene == scene)
        #expect(player.pattern.tempo == 105)
        // A touch of this length is not a tap.
        #expect(player.queued == nil)
        player.send(.key(.undo))
        player.send(.key(.redo))
        #expect(Array(player.tempos.prefix(3)) == tempos, "\(slot) for \(time)")
        #expect(player.scene == scene)
    }

    @Test(
        "sliding off cancels, trembling does not",
        arguments: [(41, 6.4, 1), (38.2, 5.0, 1), (41, 7.2, nil), (37.5, 5.0, nil)] as [(Float, Float, Int?)])
    func slideOff(column: Float, row: Float, queued: Int?) {
        var player = Player.withScenes([100, 110, 0])
        player.send(.key(.playStop))
        player.finger(.down, .scene(1))
        player.finger(.move, column, row)
        player.finger(.move, .scene(1))
        player.finger(.up)
        #expect(player.queued == queued, "\(column), \(row)")
    }

    @Test("the performance lock allows playing and forbids the rest")
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

    @Test(
        "a fingertip within half an LED of a scene's bar selects it, near a light below the part, and the switch is the chain's",
        arguments: [44, 46, 50])
    func targets(columns: Int) {
        func player(_ scene: Int?) -> Player {
            var player = Player.withScenes([100, 101, 102, 103, 104, 105, 106, 107], playing: scene)
            let session = player.instrument.state.session
            player.instrument = Instrument(columns: columns)
            player.instrument.load(session)
            return player
        }
        for slot in 0..<8 {
            for offset in stride(from: Float(-0.5), through: 0.5, by: 0.125) {
                for column in stride(from: Float(39.5), through: 43, by: 0.25) {
                    var whole = player(nil)
                    whole.tap(column + Float(columns - 44), Player.row(slot) + offset)
                    #expect(whole.scene == slot, "\(column), row \(offset)")
                    var part = player(slot == 0 ? 1 : 0)
                    part.tap(column + Float(columns - 44), Player.row(slot) + 1 + 0.9 * offset)
                    let track = Track(rawValue: max(0, Int(column.rounded()) - 40)) ?? .melody
                    let composition = part.instrument.state.session.composition
                    #expect(composition.parts.tracks == TrackSet(track), "\(column), row \(offset)")
                    #expect(composition.parts[track] == slot, "\(column), row \(offset)")
                }
            }
        }
        for row in stride(from: Float(21.5), through: 23.5, by: 0.25) { #expect(SceneTouch.slot(atRow: row) == nil) }
        var player = Player()
        player.tap(41, 1.2, pause: 50)
        player.tap(41, 1.2, pause: 50)
        #expect(!player.instrument.state.isPlaying)
    }
}
