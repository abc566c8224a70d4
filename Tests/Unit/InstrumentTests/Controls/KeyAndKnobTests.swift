import InputEvents
import Testing

@testable import Instrument

@Suite("Keys and knobs")
struct KeyAndKnobTests {
    @Test("keys: Space, undo, redo, clear, up, down")
    func keys() {
        var player = Player()
        player.tap(.step(0, .melody))
        player.send(.key(.playStop))
        #expect(player.instrument.state.isPlaying)
        player.send(.key(.clear))
        #expect(player.pattern.isEmpty)
        player.send(.key(.undo))
        #expect(!player.pattern.isEmpty)
        #expect(player.tooltip == "UNDO CLEAR")
        player.send(.key(.redo))
        #expect(player.pattern.isEmpty)
        #expect(player.tooltip == "REDO CLEAR")
        player.send(.key(.faster))
        player.send(.key(.faster))
        player.send(.key(.slower))
        #expect(player.pattern.tempo == 125)
    }

    static let turns: [(knob: Knob, by: Int, says: String)] = [
        (.tempo, 1, "121 BPM"), (.tempo, -1, "119 BPM"), (.tempo, 500, "300 BPM"), (.tempo, -500, "20 BPM"),
        (.length, -1, "28 STEPS"), (.length, 3, "80 STEPS"), (.length, -2_000_000_000, "4 STEPS"),
        (.volume, -2, "VOL 78%"), (.volume, 2, "VOL 82%"), (.volume, 30, "VOL 100%"), (.volume, -90, "VOL 0%"),
    ]

    @Test("a knob moves its value by its units, within the range, and shows it", arguments: turns)
    func knob(turn: (knob: Knob, by: Int, says: String)) {
        var player = Player(instrument: Instrument(volume: 80))
        player.send(.turn(turn.knob, by: turn.by))
        #expect(player.tooltip == turn.says)
        let state = player.instrument.state
        #expect(
            ["\(player.pattern.tempo.text) BPM", "\(player.pattern.length) STEPS", "VOL \(state.volume)%"]
                .contains(turn.says))
    }

    @Test("one turn of a knob is one undo step; a pause, another knob and an undo start another")
    func turnsInHistory() {
        var player = Player()
        for _ in 0..<10 {
            player.send(.turn(.tempo, by: 1))
            player.wait(1900)
        }
        #expect(player.pattern.tempo == 130)
        player.wait(2000)
        player.send(.turn(.tempo, by: -5))
        player.send(.turn(.length, by: -2))
        player.send(.turn(.tempo, by: 1))
        #expect(player.instrument.state.session.history.past.map(\.composition.pattern.tempo) == [120, 130, 125, 125])
        #expect(player.instrument.state.session.history.past.map(\.composition.pattern.length) == [32, 32, 32, 24])
        player.send(.key(.undo))
        player.send(.turn(.tempo, by: 2))
        #expect(player.instrument.state.session.history.past.map(\.composition.pattern.tempo) == [120, 130, 125, 125])
        #expect(player.pattern.tempo == 127)
    }

    @Test("the volume is not undone; it is kept once turned, and nil before")
    func volume() {
        var player = Player(instrument: Instrument(volume: 80))
        #expect(player.instrument.state.volume == 80)
        #expect(player.instrument.state.session.volume == nil)
        player.send(.turn(.volume, by: 6))
        player.send(.key(.undo))
        #expect(player.instrument.state.volume == 86)
        let session = player.instrument.state.session
        var other = Instrument(volume: 20)
        other.load(session)
        #expect(other.state.volume == 86)
        other.load(Session())
        #expect(other.state.volume == 20)
    }
}
