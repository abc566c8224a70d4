import Display
import Testing

@testable import Instrument

@Suite("The phone's rules: the panel")
struct PhoneScreenTests {
    @Test("one LED per note; on a shared LED accent beats normal beats sustain, then the higher note")
    func shared() {
        var player = Player.phone
        func show(_ cells: [Int: Cell]) -> RGB {
            var pattern = Pattern()
            for (note, cell) in cells { pattern[.rhythm, note: note, step: 4] = cell }
            player.instrument.load(Session(Composition(pattern: pattern)))
            return player.led(.step(4, .rhythm))
        }
        // Notes 0 and 1 share the lowest row of rhythm.
        #expect(isClose(show([0: .normal, 1: .normal]), over(0xff4500, 187.0 / 255)))
        #expect(show([0: .accent, 1: .normal]) == RGB(0xff0000))
        #expect(isClose(show([0: .normal, 1: .sustain]), over(0xff0000, 187.0 / 255)))
    }

    @Test("another track's note is a ghost on a free LED, first track first, while ghosts are on")
    func ghosts() {
        var player = Player.phone
        player.tap(.step(1, .rhythm))
        player.tap(.step(1, .melody))
        #expect(isClose(player.led(.step(1, .chords)), over(0xf7dc6f, 0x22 / 255.0)))
        #expect(isClose(player.led(.step(3, .chords)), over(0xff6b6b, 0x22 / 255.0)))
        player.tap(.control(.ghosts))
        #expect(player.led(.step(1, .chords)) == RGB(0x0a0a0a))
    }

    @Test("empty LEDs: bar steps, rows out of the scale, background")
    func empty() {
        var player = Player.phone
        player.instrument.state.session.composition.pattern.tonality = Tonality(root: 1, scale: .penta)
        #expect(player.led(.step(0, .melody, row: 5)) == RGB(0x111111))
        #expect(player.led(.step(8, .melody)) == RGB(0x111111))
        #expect(player.led(.step(1, .melody, row: 5)) == RGB(0x060606))
        #expect(player.led(.step(1, .rhythm)) == RGB(0x0a0a0a))
        #expect(player.led(12, 5) == RGB(0x0a0a0a))
        #expect(player.led(41, 5) == RGB(0x0a0a0a))
    }

    @Test("the shake meter shows the reversals")
    func meter() {
        var player = Player.phone
        player.finger(.down, .step(6, .melody, row: 2))
        for column in [13, 10, 13] { player.finger(.move, Float(column), 5) }
        #expect(player.led(34, 0) == .hsl(240, 1, 0.5) && player.led(35, 0) == .hsl(240, 1, 0.5))
        #expect(player.led(36, 0) == RGB(0x222222))
        player.finger(.up)
        #expect(player.led(34, 0) == RGB(0x222222))
    }

    @Test("column 3 shows the note page; column 2 glows if notes are off it")
    func pages() {
        var player = Player.phone
        player.tap(.step(0, .melody, row: 5))
        player.tap(.page(.melody))
        #expect(player.led(2, 2) != RGB(0x111111))
        #expect(player.led(2, 7) == RGB(0x111111))
        #expect(player.led(3, 7) != RGB(0x0a0a0a))
        #expect(player.led(3, 2) == RGB(0x0a0a0a))
        player.tap(.page(.melody))
        #expect(player.led(2, 2) == RGB(0x111111))
        #expect(player.led(3, 2) != RGB(0x0a0a0a))
        #expect(player.led(.step(0, .melody, row: 5)) != RGB(0x111111))
    }

    @Test("a gesture's name appears while the finger is down, as soon as its shape is known")
    func gestureWords() {
        var player = Player.phone
        player.finger(.down, .step(0, .melody))
        #expect(player.tooltip == "TAP")
        player.finger(.move, .step(2, .melody))
        #expect(player.tooltip == "RUN")
        player.finger(.move, .step(2, .melody, row: 2))
        #expect(player.tooltip == "CHORD")
        player.finger(.up)
        player.tap(.step(0, .melody), held: 500, pause: 0)
        #expect(player.tooltip == "ACCENT!")
    }
}
