import Display
import InputEvents
import Testing

@testable import Instrument

/// Pictures of one colour, that depends on the source.
private final class Plain: LightPictures {
    static func colour(_ source: Int) -> RGB { RGB(red: UInt8(10 * source + 9), green: 1, blue: 2) }

    func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        frame.fill(columns: columns, rows: rows, Self.colour(source))
    }
}

@Suite("The light sheet")
struct LightSheetTests {
    private static let sources = [
        LightSource(number: 3, name: "DDP 60"), LightSource(number: 5, name: "ACN U1"),
        LightSource(number: 6, name: "ART U0"),
    ]

    /// A player at the sheet, opened from the settings.
    private func atLight(columns: Int = 44) -> Player {
        var player = Player(instrument: Instrument(columns: columns))
        player.instrument.pictures = Plain()
        player.send(.lights(Self.sources))
        if columns == 44 { player.tap(.handle) }
        player.tap(.menu(.settings))
        player.tap(.spot(.button(.light)))
        return player
    }

    private func picture(_ player: Player) -> Frame {
        var frame = Frame(columns: player.instrument.columns, rows: 24)
        player.instrument.draw(into: &frame, at: player.now)
        return frame
    }

    private func isLights(_ player: Player) -> Bool {
        if case .lights = player.instrument.state.view.screen { true } else { false }
    }

    @Test("lists the panel and who sends, with small pictures; a drag scrolls")
    func list() {
        var player = atLight()
        #expect(isLights(player) && player.instrument.words.title == "LIGHT")
        var frame = picture(player)
        // Half as bright as the chosen one, which is the panel.
        #expect(
            frame[0, 14].red == UInt8((Float(39) * 0.45).rounded())
                && frame[0, 20].red == UInt8((Float(59) * 0.45).rounded()))
        #expect(frame[6, 12] == Palette.settings && frame[0, 13] == .black)
        player.drag(from: (20, 20), to: (20, 14))
        frame = picture(player)
        #expect(frame[0, 8].red == UInt8((Float(39) * 0.45).rounded()))
        #expect(isLights(player))
    }

    @Test("a tap shows the picture of a source on the whole panel; the corner returns to the instrument")
    func shows() {
        for columns in [44, 50] {
            var player = atLight(columns: columns)
            let origin = Float(columns - 44)
            player.tap(.spot(.line(1)))
            #expect(player.instrument.shownSource == 3)
            var frame = picture(player)
            #expect(frame.pixels.allSatisfy { $0 == Plain.colour(3) })
            // No note is drawn meanwhile, and a finger is told how to return, once a minute.
            player.tap(origin + 20, 10, pause: 0)
            #expect(player.tooltip == "BACK: UP LEFT" && player.pattern.isEmpty)
            frame = picture(player)
            #expect(!frame.pixels.allSatisfy { $0 == Plain.colour(3) })
            player.wait(3000)
            player.tap(origin + 20, 10)
            #expect(player.tooltip == nil)
            player.wait(60_000)
            player.tap(origin + 20, 10, pause: 0)
            #expect(player.tooltip == "BACK: UP LEFT")
            player.tap(.spot(.back, column: 3, row: 1))
            #expect(player.instrument.state.view.screen == .grid && player.instrument.shownSource == nil)
        }
    }

    @Test("the list begins at the picture that was shown last; PANEL is the instrument")
    func again() {
        var player = atLight()
        player.tap(.spot(.line(1)))
        player.tap(.spot(.back))
        // The menu is still open.
        player.tap(.menu(.settings))
        player.tap(.spot(.button(.light)))
        #expect(picture(player)[6, 18] == Palette.settings)
        player.tap(.spot(.line(0)))
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("when its source is gone, a picture gives way to the list")
    func gone() {
        var player = atLight()
        player.tap(.spot(.line(1)))
        player.send(.lights(Array(Self.sources.dropFirst())))
        #expect(isLights(player))
        player.send(.lights([]))
        player.tap(.spot(.line(1)))
        #expect(isLights(player))
    }

    @Test("keys play on while a picture is shown, and Escape returns")
    func keys() {
        var player = atLight()
        player.tap(.spot(.line(1)))
        player.send(.key(.playStop))
        #expect(player.instrument.state.isPlaying && player.instrument.shownSource == 3)
        player.send(.key(.escape))
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("a source that wants fingers gets them but for those on the corner, from the landing to the end")
    func touches() {
        var player = atLight()
        let grid = LightSource(number: 9, name: "GRID", takesTouches: true)
        player.send(.lights([grid]))
        player.tap(.spot(.line(1)))
        #expect(player.instrument.shownSource == 9)
        #expect(picture(player)[3, 1] == Palette.handle(.box).closed && picture(player)[4, 1] == Plain.colour(9))
        player.effects = []
        player.finger(.down, 20, 10, contact: 2)
        player.finger(.move, 22.5, 11, contact: 2)
        player.finger(.down, 4, 0, contact: 3)
        player.finger(.cancel, contact: 3)
        player.finger(.up, 23, 11, contact: 2)
        let phases = player.effects.map { (effect: Instrument.Effect) -> String in
            guard case .touchPicture(9, let touch) = effect else { return "another effect" }
            return "\(touch.contact) \(touch.phase) \(touch.column)"
        }
        #expect(phases == ["2 down 20.0", "2 move 22.5", "3 down 4.0", "3 cancel 4.0", "2 up 23.0"])
        #expect(player.tooltip == nil && player.pattern.isEmpty)
        player.effects = []
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .grid && player.effects.isEmpty)
    }

    @Test("the arrow switches the light that goes out, if there are walls")
    func arrow() {
        var player = atLight()
        player.tap(.spot(.lightOut), pause: 0)
        #expect(player.tooltip == "NO WALLS: SEE THE CONFIGURATION" && player.instrument.state.lights.areSent)
        var facts = Facts()
        facts.hasWalls = true
        player.send(.facts(facts))
        #expect(picture(player)[43, 19] == Palette.go(.chromatic))
        player.tap(.spot(.lightOut), pause: 0)
        #expect(player.tooltip == "NO LIGHT GOES OUT" && !player.instrument.state.lights.areSent)
        #expect(picture(player)[43, 19] == Palette.quiet)
        player.tap(.spot(.lightOut), pause: 0)
        #expect(player.tooltip == "LIGHT GOES OUT" && player.instrument.state.lights.areSent)
    }
}
