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

    private static let words = ["TAP", "DRAG", "HOLD", "TAP TAP", "PLAY", "MENU", "PAGE", "OFF"]

    /// The text of the shown hint.
    private func hint(_ player: Player) -> String? {
        guard let shown = player.instrument.state.hints.shown else { return nil }
        return Self.words[shown.hint.rawValue]
    }

    /// Lets `milliseconds` pass in small steps.
    private func pass(_ milliseconds: Int64, _ player: inout Player) {
        for _ in 0..<milliseconds / 50 { player.wait(50) }
    }

    /// The hints that are shown within `milliseconds`.
    private func hints(within milliseconds: Int64, _ player: inout Player) -> [String] {
        var seen: [String] = []
        for _ in 0..<milliseconds / 50 {
            player.wait(50)
            if let word = hint(player), seen.last != word { seen.append(word) }
        }
        return seen
    }

    @Test("a box left alone shows all hints within a minute, again after an idle minute, and writes nothing")
    func sequence() {
        var player = newBox()
        let first = hints(within: 60_000, &player)
        #expect(first == Self.words)
        let rest = hints(within: 55_000, &player)
        #expect(rest == [])
        let second = hints(within: 60_000, &player)
        #expect(second == Self.words)
        #expect(
            player.pattern == Pattern() && player.effects.isEmpty
                && player.instrument.state.session.history.past.isEmpty)
        #expect(player.instrument.state.session.hintsDue == .all)
    }

    @Test("a touch ends the shown hint, and acts as usual; the hints return after an idle minute, but not the one done")
    func touched() {
        var player = newBox()
        player.wait(5500)
        #expect(hint(player) == "TAP")
        player.tap(.step(6, .melody))
        #expect(hint(player) == nil && !player.pattern.isEmpty)
        #expect(player.instrument.state.session.hintsDue == HintSet.all.subtracting(HintSet(.tap)))
        pass(59_000, &player)
        #expect(hint(player) == nil)
        pass(2000, &player)
        #expect(hint(player) == "DRAG")
    }

    @Test("an action done once is no hint any more; with all done there is none")
    func done() {
        var player = newBox()
        player.tap(.step(6, .melody))
        #expect(!player.instrument.state.session.hintsDue.contains(HintSet(.tap)))
        player.drag(from: .step(0, .chords, row: 3), to: .step(5, .chords, row: 3))
        #expect(!player.instrument.state.session.hintsDue.contains(HintSet(.drag)))
        player.tap(.step(15, .rhythm, row: 2), held: 500)
        #expect(!player.instrument.state.session.hintsDue.contains(HintSet(.hold)))
        player.wait(1000)
        player.tap(.step(24, .rhythm, row: 1), pause: 100)
        player.tap(.step(24, .rhythm, row: 1))
        #expect(!player.instrument.state.session.hintsDue.contains(HintSet(.doubleTap)))
        player.send(.key(.playStop))
        player.send(.key(.playStop))
        #expect(player.instrument.state.session.hintsDue == HintSet(rawValue: 0b1110_0000))
        player.tap(.handle)
        player.tap(.handle)
        #expect(player.instrument.state.session.hintsDue == HintSet(rawValue: 0b1100_0000))
        player.tap(.page(.rhythm))
        #expect(player.instrument.state.session.hintsDue == HintSet(.off))
        player.tap(.step(6, .melody))
        #expect(player.instrument.state.session.hintsDue.isEmpty)
        player.tap(.handle)
        player.tap(.handle)
        let seen = hints(within: 130_000, &player)
        #expect(seen == [])
    }

    @Test(
        "OFF shows a note that a tap removes, on a free place even if the pattern is full of chords; not under the phone's rules"
    )
    func off() {
        var player = newBox()
        player.instrument.state.session.hintsDue = HintSet(.off)
        for step in 0..<32 where step != 20 {
            player.instrument.state.session.composition.pattern[.chords, note: 7, step: step] = .normal
        }
        pass(3500, &player)
        let before = player.frame()
        pass(1500, &player)
        #expect(hint(player) == "OFF")
        func lit(_ frame: Frame) -> Int { (8..<14).count { frame[column(20), $0] != before[column(20), $0] } }
        // The finger covers two LEDs of the column.
        #expect(lit(player.frame()) >= 3)
        pass(900, &player)
        #expect(lit(player.frame()) <= 2)
        player.send(.rules(.phone))
        player.wait(10_000)
        let seen = hints(within: 60_000, &player)
        #expect(seen == [])
    }

    @Test("who opens a page later sees the hints from the first on")
    func watched() {
        var player = newBox()
        pass(30_000, &player)
        player.send(.watched)
        #expect(hint(player) == nil)
        let seen = hints(within: 60_000, &player)
        #expect(seen == Self.words)
    }

    @Test("no hint shows while somebody plays, listens or reads")
    func busy() {
        var player = newBox()
        player.send(.key(.playStop))
        player.wait(20_000)
        #expect(hint(player) == nil)
        player.send(.key(.playStop))
        player.tap(.handle)
        player.wait(20_000)
        #expect(hint(player) == nil)
        player.tap(.handle)
        for _ in 0..<10 {
            player.tap(.step(6, .melody))
            player.wait(3000)
        }
        #expect(hint(player) == nil)
    }

    @Test("a box that has been played shows no hints, until requested")
    func asked() {
        var player = Player()
        player.wait(60_000)
        #expect(hint(player) == nil)
        player.tap(.handle)
        player.tap(.menu(.settings))
        player.tap(.spot(.button(.hints)))
        #expect(player.instrument.state.view.screen == .grid && !player.instrument.state.session.isMenuOpen)
        player.wait(5500)
        #expect(hint(player) == "TAP")
    }

    @Test("a hint's finger follows the gesture, and its notes appear and disappear")
    func picture() {
        var player = newBox()
        let before = player.frame()
        pass(7000 + 4000 + 1700, &player)
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
