import Display
import Testing

@testable import Instrument

@Suite("The controls of row 0")
struct TopRowTests {
    @Test("Play/Stop acts at touch-down, and stopping goes back to the start")
    func play() {
        var player = Player()
        player.finger(.down, .control(.play))
        #expect(player.instrument.state.isPlaying)
        #expect(player.tooltip == "PLAY")
        player.finger(.up)
        player.send(.step(5, number: 5))
        #expect(player.instrument.state.transport.playhead?.step == 5)
        player.tap(2, 0)
        #expect(!player.instrument.state.isPlaying)
        #expect(player.instrument.state.transport.playhead == nil)
        #expect(player.tooltip == nil || player.tooltip == "STOP")
    }

    @Test(
        "the LED at 0, 0 is Play at release, and the colour mode after 600 ms", arguments: [(599, true), (600, false)])
    func colourHold(milliseconds: Int64, plays: Bool) {
        var player = Player()
        player.finger(.down, .colours)
        #expect(!player.instrument.state.isPlaying)
        player.wait(milliseconds)
        player.finger(.up)
        #expect(player.instrument.state.isPlaying == plays)
        #expect(player.instrument.state.session.colourMode == (plays ? .chromatic : .harmonic))
        #expect(player.tooltip == (plays ? "PLAY" : "HARMONIC"))
    }

    @Test("holding it again goes on to CLEAR SIGHT, and returns to CHROMATIC")
    func colourHoldAgain() {
        var player = Player()
        for (mode, word) in [
            (ColourMode.harmonic, "HARMONIC"), (.clearSight, "CLEAR SIGHT"), (.chromatic, "CHROMATIC"),
        ] {
            player.tap(.colours, held: 700, pause: 0)
            #expect(player.instrument.state.session.colourMode == mode)
            #expect(player.tooltip == word)
            player.wait(1300)
        }
    }

    @Test(
        "scales and roots are chosen by one touch and show their name",
        arguments: [
            (.scale(.minor), "C MINOR"), (.scale(.penta), "C PENTA"), (.root(1), "C♯ MAJOR"), (.root(11), "B MAJOR"),
        ] as [(Control, String)])
    func tonality(control: Control, title: String) {
        var player = Player()
        player.tap(.control(control), pause: 0)
        #expect(player.tooltip == title)
        player.send(.key(.undo))
        #expect(player.pattern.tonality == Tonality())
    }

    @Test("sliding in a group of choices moves the choice, as one undo step")
    func sliding() {
        var player = Player()
        player.drag(from: .control(.root(0)), to: .control(.root(7)))
        #expect(player.pattern.tonality.root == 7)
        player.drag(from: .control(.root(7)), to: .control(.scale(.major)))
        #expect(player.pattern.tonality == Tonality(root: 0, scale: .major))
        #expect(player.instrument.state.session.history.past.count == 2)
        player.drag(from: .control(.scale(.major)), to: .control(.scale(.penta)))
        #expect(player.pattern.tonality.scale == .penta)
        player.send(.key(.undo))
        #expect(player.pattern.tonality.scale == .major)
    }

    static let near: [(Float, Control)] = [
        (6.3, .scale(.major)), (5.7, .redo), (10.4, .root(0)), (9.6, .scale(.penta)), (23.4, .ghosts), (25.4, .slower),
        (28.6, .faster), (33, .longer), (39, .clear),
    ]

    @Test("a dark LED of row 0 counts as the nearest control, up to one LED away", arguments: near)
    func darkLEDs(column: Float, control: Control) { #expect(Control.at(column: column, .box) == control) }

    @Test(
        "the menu handle's LED is no control, nor length, KEYS and FX under the rules of the phone",
        arguments: [3: nil, 31: .length, 34: .keys, 35: .keys, 36: .fx, 37: .fx, 38: .fx] as [Int: Control?])
    func noControls(column: Int, control: Control?) {
        #expect(Control.at(column: Float(column), .phone) == nil)
        #expect(Control.at(column: Float(column), .box) == control)
    }

    @Test("ghosts toggle, undoably")
    func ghosts() {
        var player = Player()
        player.tap(.control(.ghosts), pause: 0)
        #expect(!player.instrument.state.session.composition.showsGhosts)
        #expect(player.tooltip == "GHOSTS")
        player.send(.key(.undo))
        #expect(player.instrument.state.session.composition.showsGhosts)
    }

    @Test("Clear acts after a hold of 400 ms, once, undoably", arguments: [(399, false), (400, true)])
    func clear(milliseconds: Int64, clears: Bool) {
        var player = Player()
        player.tap(.step(0, .melody))
        player.tap(.control(.clear), held: milliseconds, pause: 0)
        #expect(player.pattern.isEmpty == clears)
        #expect((player.tooltip == "CLEAR!") == clears)
        #expect(player.effects.contains(.fade) == clears)
        if clears {
            player.send(.key(.undo))
            #expect(player.cells(.melody) == ["0@0=1"])
        }
    }

    @Test("Clear fills as the hold nears its end")
    func clearFills() {
        var player = Player()
        player.finger(.down, .control(.clear))
        player.wait(200)
        #expect(player.led(40, 0) == RGB(0xff2828))
        #expect(player.led(41, 0) == RGB(0xff2828))
        #expect(player.led(42, 0) == RGB(0x662222))
    }
}
