import InputEvents
import Display
import Testing

@testable import Instrument

@Suite("Hints for a new player")
struct HintTests {
    private func newBox() -> Player {
        var player = Player()
        player.instrument.load(Session.first)
        player.send(.tick)
        return player
    }

    private static let words = ["TAP", "DRAG", "HOLD", "TAP TAP", "PLAY", "MENU"]

    /// The text of the shown hint.
    private func hint(_ player: Player) -> String? {
        guard let shown = player.instrument.state.hint else { return nil }
        return Self.words[shown.hint.rawValue]
    }

    /// Lets `milliseconds` pass in small steps.
    private func pass(_ milliseconds: Int64, _ player: inout Player) {
        for _ in 0..<milliseconds / 50 { player.wait(50) }
    }

    @Test("a box left alone shows all hints within a minute, each once, and writes nothing")
    func sequence() {
        var player = newBox()
        let start = player.now
        var seen: [String] = []
        while player.instrument.state.session.hintsLeft > 0 {
            player.wait(50)
            if let word = hint(player), seen.last != word { seen.append(word) }
            #expect(player.now - start < .milliseconds(60_000))
        }
        #expect(seen == Self.words)
        #expect(
            player.pattern == Pattern() && player.effects.isEmpty
                && player.instrument.state.session.history.past.isEmpty)
        player.wait(120_000)
        #expect(hint(player) == nil && player.instrument.state.session.hintsLeft == 0)
    }

    @Test("a touch ends the shown hint, and acts as usual; that hint is not repeated")
    func touched() {
        var player = newBox()
        player.wait(5500)
        #expect(hint(player) == "TAP")
        player.tap(10, 7)
        #expect(hint(player) == nil && !player.pattern.isEmpty && player.instrument.state.session.hintsLeft == 5)
        player.wait(4000)
        #expect(hint(player) == nil)
        player.wait(2000)
        #expect(hint(player) == "DRAG")
    }

    @Test("no hint shows while somebody plays, listens or reads")
    func busy() {
        var player = newBox()
        player.send(.key(.playStop))
        player.wait(20_000)
        #expect(hint(player) == nil)
        player.send(.key(.playStop))
        player.tap(1, 1)
        player.wait(20_000)
        #expect(hint(player) == nil)
        player.tap(1, 1)
        for _ in 0..<10 {
            player.tap(10, 7)
            player.wait(3000)
        }
        #expect(hint(player) == nil && player.instrument.state.session.hintsLeft == 6)
    }

    @Test("a box that has been played shows no hints, until requested")
    func asked() {
        var player = Player()
        player.wait(60_000)
        #expect(hint(player) == nil)
        player.tap(1, 1)
        player.tap(2, 19)
        player.tap(35, 15)
        #expect(player.instrument.state.screen == .grid && !player.instrument.state.session.isMenuOpen)
        player.wait(5500)
        #expect(hint(player) == "TAP")
    }

    @Test("a hint's finger follows the gesture, and its notes appear and disappear")
    func picture() {
        var player = newBox()
        let before = player.frame()
        pass(8000 + 5000 + 1700, &player)
        #expect(hint(player) == "DRAG")
        let during = player.frame()
        // An arpeggio over the chords' rows, and a white finger moving.
        let notes = (4..<39).filter { column in (8..<14).contains { during[column, $0] != before[column, $0] } }
        #expect(notes.count >= 6)
        pass(1400, &player)
        #expect(hint(player) == nil)
        let after = player.frame()
        #expect((1..<44).allSatisfy { column in (0..<24).allSatisfy { after[column, $0] == before[column, $0] } })
    }
}
