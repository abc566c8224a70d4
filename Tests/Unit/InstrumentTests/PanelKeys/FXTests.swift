import Display
import InputEvents
import Testing

@testable import Instrument

/// Effects that fingers play (docs/spec.md, section 16).
@Suite("FX")
struct FXTests {
    /// A player who holds the light of FX with contact 9.
    private func holding() -> Player {
        var player = Player()
        player.finger(.down, .control(.fx), contact: 9)
        return player
    }

    private func plays(_ player: Player) -> [FX] { FX.allCases.filter { player.instrument.state.fx[$0] != nil } }

    @Test("each zone plays its effect while a finger is on it", arguments: FX.allCases)
    func zones(fx: FX) {
        var player = holding()
        let zone = FXZone(fx: fx)
        for (column, row) in [
            (zone.columns.lowerBound, zone.rows.lowerBound), (zone.columns.upperBound - 1, zone.rows.upperBound - 1),
        ] {
            player.finger(.down, Float(column), Float(row))
            #expect(plays(player) == [fx])
            #expect(player.tooltip == fx.title)
            #expect(player.instrument.place(column: column, row: row).name == fx.title)
            player.finger(.up)
            #expect(plays(player) == [])
        }
        #expect(player.cells(.melody) == [])
    }

    @Test("the column is x and the height y, beyond the zone as at its edge")
    func places() {
        var player = holding()
        player.finger(.down, 4, 11)
        #expect(player.instrument.state.fx[.repeat] == FXPlay(x: 0, y: 100, waits: false))
        player.finger(.move, 11, 2)
        #expect(player.instrument.state.fx[.repeat] == FXPlay(x: 1000, y: 1000, waits: false))
        player.finger(.move, 40, -3)
        #expect(player.instrument.state.fx[.repeat] == FXPlay(x: 1000, y: 1000, waits: false))
        player.finger(.move, 0, 23)
        #expect(player.instrument.state.fx[.repeat] == FXPlay(x: 0, y: 0, waits: false))
        #expect(plays(player) == [.repeat])
    }

    @Test("eight fingers play eight effects, and of two on one the last counts")
    func together() {
        var player = holding()
        for fx in FX.allCases {
            let zone = FXZone(fx: fx)
            player.finger(.down, Float(zone.columns.lowerBound), Float(zone.rows.lowerBound), contact: fx.rawValue)
        }
        #expect(plays(player) == FX.allCases)
        player.finger(.down, 11, 11, contact: 8)
        #expect(player.instrument.state.fx[.repeat]?.x == 1000)
        player.finger(.up, contact: 8)
        #expect(player.instrument.state.fx[.repeat]?.x == 0)
        for finger in 0..<8 { player.finger(finger % 2 == 0 ? .up : .cancel, contact: finger) }
        #expect(plays(player) == [])
    }

    @Test("an effect outlives the finger on FX, scenes and tunes, and ends with another screen")
    func ends() {
        var player = holding()
        player.finger(.down, 5, 5)
        player.finger(.up, contact: 9)
        #expect(plays(player) == [.repeat])
        player.send(.opened(Session()))
        #expect(plays(player) == [.repeat])
        player.show(.settings)
        player.wait(1)
        #expect(plays(player) == [])
    }

    @Test("a tap chooses when effects begin; a hold leaves them open, and a tap closes them")
    func tap() {
        var player = Player()
        player.tap(.control(.fx))
        #expect(player.tooltip == "FX ON STEP")
        player.finger(.down, .control(.fx), contact: 9)
        player.finger(.down, 5, 5)
        #expect(player.instrument.state.fx[.repeat]?.waits == true)
        player.finger(.up)
        // It was played with: the lift is no tap.
        player.finger(.up, contact: 9)
        #expect(player.instrument.state.view.fx.waits)
        player.tap(.control(.fx))
        #expect(player.tooltip == "FX AT ONCE")
        player.tap(.control(.fx), held: 600)
        #expect(player.instrument.showsFX)
        #expect(player.instrument.words.title == "FX")
        player.finger(.down, 5, 5)
        #expect(plays(player) == [.repeat])
        player.finger(.up)
        player.tap(.control(.fx))
        #expect(!player.instrument.showsFX)
        player.tap(.step(0, .melody))
        #expect(player.cells(.melody).count == 1)
    }

    @Test("effects change no music, under the lock too, and FILL stays")
    func lock() {
        var player = holding()
        player.send(.lock(true))
        let session = player.instrument.state.session
        player.finger(.down, 5, 5)
        player.finger(.down, .spot(.fill), contact: 1)
        #expect(player.instrument.state.isFilling)
        #expect(plays(player) == [.repeat])
        player.finger(.up, contact: 1)
        player.finger(.up)
        #expect(player.instrument.state.session == session)
    }

    @Test("they lie over the keys, whose notes go on")
    func overKeys() {
        var player = Player()
        player.tap(.control(.keys))
        player.finger(.down, 18, 20, contact: 0)
        player.finger(.down, .control(.fx), contact: 9)
        player.finger(.down, 18, 20, contact: 1)
        #expect(player.instrument.state.recording.keys.count == 1)
        #expect(plays(player) == [.tape])
        player.finger(.up, contact: 1)
        player.finger(.up, contact: 9)
        player.finger(.up, contact: 0)
        #expect(player.instrument.state.recording.keys.isEmpty)
    }
}
