import Display
import Testing

@testable import Instrument

@Suite("The settings sheet")
struct SettingsSheetTests {
    @Test("each switch of the settings toggles its setting, anywhere on it, at lift")
    func switches() {
        var player = atSettings
        for column in [14, 20, 26, 31] as [Float] {
            let before = player.instrument.state
            player.tap(column, 8)
            player.tap(column, 14)
            player.tap(column, 20)
            let after = player.instrument.state
            #expect(
                before.session.auditions != after.session.auditions
                    && before.soundsTaps != after.soundsTaps)
            #expect(before.session.composition.showsGhosts != after.session.composition.showsGhosts)
        }
        // Undo restores ghosts.
        #expect(player.instrument.state.session.history.past.count == 4)
    }

    @Test("volume, brightness and swing have faders; the brightness is never zero")
    func settingsFaders() {
        var player = atSettings
        for fader in [.master, .light, .sound(.swing)] as [Fader] {
            player.finger(.down, .fader(fader, row: 17))
            player.wait(3000)
            player.finger(.up)
        }
        let state = player.instrument.state
        #expect(state.volume == 0 && state.brightness == 5 && state.session.sound[.swing] == 50)
        #expect(state.session.brightness == 5)
    }

    @Test("with TAP on a finger sounds when it lands, and not again when it lifts")
    func tapSound() {
        var player = Player()
        player.send(.tapSound(true))
        player.finger(.down, .step(0, .melody))
        #expect(player.effects.count == 1)
        player.finger(.up)
        #expect(player.effects.count == 1)
        player.send(.key(.playStop))
        player.tap(.step(0, .rhythm))
        #expect(player.effects.count == 2)
    }

    @Test("a button starts calibration")
    func calibration() {
        var player = atSettings
        player.tap(.spot(.button(.calibrate)))
        #expect(player.effects == [.calibrate])
    }

    // MARK: The second page

    @Test("a drag upwards shows the second page, and one downwards the first; each turns one page")
    func drags() {
        var player = atSettings
        player.drag(from: (12, 20), to: (12, 8))
        #expect(player.instrument.state.view.screen == .moreSettings)
        player.drag(from: (30, 22), to: (30, 7))
        #expect(player.instrument.state.view.screen == .moreSettings)
        player.drag(from: (16, 8), to: (16, 20))
        #expect(player.instrument.state.view.screen == .settings)
        player.drag(from: (41, 8), to: (41, 22))
        #expect(player.instrument.state.view.screen == .settings)
        // Two reports are enough.
        player.finger(.down, .spot(.button(.power)))
        player.finger(.up, 40, 9)
        #expect(player.instrument.state.view.screen == .moreSettings)
    }

    /// Drags that turn no page: too short, or more sideways than up.
    static let noTurns: [(from: [Int], to: [Int])] = [
        ([20, 20], [20, 18]), ([20, 20], [28, 13]), ([20, 20], [12, 14]), ([34, 9], [25, 9]),
    ]

    @Test("a short drag, and one that goes sideways, turn no page", arguments: noTurns)
    func otherDrags(from: [Int], to: [Int]) {
        var player = atSettings
        player.drag(from: (from[0], from[1]), to: (to[0], to[1]))
        #expect(player.instrument.state.view.screen == .settings)
    }

    @Test("the mark between faders and switches turns the page when the finger lifts from it; it says where to")
    func mark() {
        for row in [6, 12, 18, 23] as [Float] {
            var player = atSettings
            player.finger(.down, 12, row)
            #expect(player.tooltip == "PAGE 2" && player.instrument.state.view.screen == .settings)
            player.wait(80)
            player.finger(.up, 13, row)
            #expect(player.instrument.state.view.screen == .moreSettings)
            player.finger(.down, 13, row)
            #expect(player.tooltip == "PAGE 1")
            player.finger(.up, 12, row)
            #expect(player.instrument.state.view.screen == .settings)
            player.finger(.down, 12, row)
            player.finger(.move, 16, row)
            player.finger(.up, 16, row)
            #expect(player.instrument.state.view.screen == .settings)
        }
    }

    @Test("the light of the page shown is longer")
    func lights() {
        var player = atSettings
        func lit() -> [Int] { (6..<24).filter { player.led(12, $0) == Palette.text } }
        func dim() -> [Int] { (6..<24).filter { player.led(12, $0) == Palette.quiet } }
        #expect(lit() == [11, 12, 13] && dim() == [18])
        player.tap(.spot(.pageMark))
        #expect(lit() == [17, 18, 19] && dim() == [12])
    }

    /// Spots with an action: three switches and four buttons.
    static let actions: [[Int]] = [[20, 9], [20, 15], [20, 21], [35, 9], [35, 15], [41, 15], [41, 21]]

    @Test("a drag does nothing to the switch or button that it begins on, upwards or downwards", arguments: actions)
    func dragsFromActions(place: [Int]) {
        for rows in [3, 12, -3, -12] {
            var player = atSettings
            let before = player.instrument.state.session
            // It returns to the spot before it lifts.
            player.finger(.down, Float(place[0]), Float(place[1]))
            player.finger(.move, Float(place[0]), Float(place[1] + rows))
            player.finger(.move, Float(place[0]), Float(place[1]))
            player.finger(.up, Float(place[0]), Float(place[1]))
            #expect(player.instrument.state.session == before && player.effects.isEmpty)
            #expect(player.instrument.state.view.screen == (rows < 0 ? .moreSettings : .settings))
        }
    }

    @Test("a drag on a fader moves it, and one on its letter does nothing; neither turns the page")
    func faderDrags() {
        for fader in [.master, .light, .sound(.swing)] as [Fader] {
            var player = atSettings
            player.drag(from: .fader(fader, row: 8), to: .fader(fader, row: 17), duration: 4000)
            player.drag(from: .fader(fader, row: 17), to: .fader(fader, row: 8), duration: 4000)
            #expect(player.instrument.state.view.screen == .settings)
            #expect(player.instrument.state.session.volume != nil || fader != .master)
            let before = player.instrument.state.session
            player.drag(from: .letter(fader), to: .fader(fader, row: 8))
            #expect(player.instrument.state.view.screen == .settings && player.instrument.state.session == before)
        }
    }

    @Test("turning the page lets go of a fader under another finger")
    func otherFinger() {
        var player = atSettings
        player.finger(.down, .fader(.master, row: 8), contact: 1)
        player.drag(from: (20, 20), to: (20, 8))
        let volume = player.instrument.state.volume
        player.finger(.move, .fader(.quantise, row: 17), contact: 1)
        player.wait(3000)
        player.finger(.up, contact: 1)
        #expect(player.instrument.state.volume == volume && player.instrument.state.view.screen == .moreSettings)
    }

    @Test("BOX and PHONE choose the rules, anywhere on their line, at lift, and say so")
    func rules() {
        var player = atMoreSettings
        #expect(player.instrument.state.rules == .box && player.instrument.state.session.rules == nil)
        for column in [14, 26, 40] as [Float] {
            player.finger(.down, column, 21)
            #expect(player.tooltip == "PHONE RULES: ONE FINGER" && player.instrument.state.rules == .box)
            player.finger(.up, column, 21)
            #expect(player.instrument.state.session.rules == .phone)
            player.tap(column, 21)
            #expect(player.instrument.state.session.rules == .phone)
            player.finger(.down, column, 14)
            #expect(player.tooltip == "BOX RULES: TEN FINGERS" && player.instrument.state.rules == .phone)
            player.finger(.up, column, 14)
            #expect(player.instrument.state.session.rules == .box)
            player.wait(2000)
        }
        // Sliding off, the title of the choices and the ground choose nothing.
        player.finger(.down, .spot(.rules(.phone)))
        player.finger(.up, 6, 21)
        player.tap(20, 8)
        player.tap(42, 21)
        player.drag(from: (20, 23), to: (20, 14))
        #expect(player.instrument.state.session.rules == .box && player.instrument.state.view.screen == .moreSettings)
        #expect(player.effects.isEmpty && player.instrument.state.session.history.past.isEmpty)
    }

    @Test("Q is the quantise and C the count-in: their faders, and two taps on a letter reset them")
    func secondFaders() {
        var player = atMoreSettings
        #expect(player.instrument.state.session.quantise == 100 && player.instrument.state.session.countIn == 0)
        player.drag(from: .fader(.quantise, row: 7), to: .fader(.quantise, row: 12))
        #expect(player.instrument.state.session.quantise == 50 && player.instrument.state.view.screen == .moreSettings)
        player.finger(.down, .fader(.quantise, row: 12))
        #expect(player.tooltip == "QNT 50%")
        player.finger(.up)
        player.finger(.down, .spot(.letter(.quantise), column: 5))
        #expect(player.tooltip == "QUANTISE: 50%")
        player.finger(.up)
        player.tap(.letter(.quantise), pause: 100)
        player.tap(.letter(.quantise))
        #expect(player.instrument.state.session.quantise == 100)
        player.drag(from: .fader(.countIn, row: 17), to: .fader(.countIn, row: 7))
        #expect(player.instrument.state.session.countIn == 2 && player.instrument.state.view.screen == .moreSettings)
        player.finger(.down, .spot(.letter(.countIn), column: 6))
        #expect(player.tooltip == "BARS OF COUNT-IN: 2")
        player.finger(.up)
        player.tap(.spot(.letter(.countIn), column: 10), pause: 100)
        player.tap(.spot(.letter(.countIn), column: 10))
        #expect(player.instrument.state.session.countIn == 0)
        // They are no music: undo does not know them.
        #expect(player.instrument.state.session.history.past.isEmpty && player.effects.isEmpty)
        #expect(shows("Q", player.frame(), column: 1, row: 19) && shows("C", player.frame(), column: 7, row: 19))
    }

    @Test("the configured rules are chosen until the player chooses others")
    func configuredRules() {
        var player = Player(instrument: Instrument(rules: .phone))
        player.show(.moreSettings)
        #expect(player.led(37, 21) == Palette.go(.chromatic) && player.led(36, 20) == Palette.go(.chromatic))
        #expect(player.led(37, 15) == RGB(0x383838) && player.led(36, 14) == .black)
        player.tap(.spot(.rules(.box)))
        #expect(player.led(37, 15) == Palette.go(.chromatic) && player.led(36, 20) == .black)
        #expect(shows("RULES", player.frame(), column: 14, row: 7))
        #expect(shows("BOX", player.frame(), column: 14, row: 13))
        #expect(shows("PHONE", player.frame(), column: 14, row: 19))
    }

    @Test("other rules start every track on page 0")
    func pages() {
        var player = atMoreSettings
        player.instrument.state.session.pages = [1, 2, 1, 2]
        player.tap(.spot(.rules(.box)))
        #expect(player.instrument.state.session.pages == [1, 2, 1, 2])
        player.tap(.spot(.rules(.phone)))
        #expect(player.instrument.state.session.pages == [0, 0, 0, 0])
    }

    @Test("the corner leads from the second page to the grid, and the menu to the first page")
    func back() {
        var player = atMoreSettings
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .grid)
        player.tap(.menu(.settings))
        #expect(player.instrument.state.view.screen == .settings)
    }

    /// A player on the second page.
    private var atMoreSettings: Player {
        var player = atSettings
        player.drag(from: (20, 20), to: (20, 8))
        return player
    }
}
