import Panel
import Testing

@testable import Box
@testable import Devices

@Suite("The choice of the panel's output")
struct PanelKindTests {
    /// What a look at the screens finds.
    enum Look: Sendable { case screen, inUse, none }

    static let choices: [(leds: Bool, isAutomatic: Bool, look: Look, isRunning: Bool, kind: PanelView.Kind)] = [
        (true, true, .screen, false, .spi),
        (false, false, .screen, false, .web),
        (false, true, .screen, false, .screen),
        (false, true, .none, false, .web),
        // The screen of a desktop is not taken, and a box that runs has it.
        (false, true, .inUse, false, .web),
        (false, true, .inUse, true, .screen),
        (false, true, .none, true, .web),
    ]

    @Test("LEDs come first, then a screen that is free, if it may be used by itself, then the page", arguments: choices)
    func automatic(choice: (leds: Bool, isAutomatic: Bool, look: Look, isRunning: Bool, kind: PanelView.Kind)) throws {
        var configuration = PanelConfiguration()
        configuration.chains[0].device = choice.leds ? "/dev/null" : "/nowhere"
        configuration.screen.isAutomatic = choice.isAutomatic
        let connector = ScreenConnector(
            "DSI-1", identifier: 1, isConnected: true, modes: [.init(width: 800, height: 480, hertz: 60)])
        let fit = try #require(ScreenFit(connector, columns: 44, rotation: .none))
        var looks = 0
        let kind = PanelView.Kind(nil, configuration, besideBox: choice.isRunning) { _ in
            looks += 1
            if choice.look == .screen { return .success(fit) }
            var failure = DeviceFailure("no screen", fix: "connect one")
            failure.isInUse = choice.look == .inUse
            return .failure(failure)
        }
        #expect(kind == choice.kind)
        // Without permission no card is opened.
        #expect(looks == (choice.isAutomatic && !choice.leds ? 1 : 0))
    }

    @Test("a chosen output is used whatever there is", arguments: PanelView.Kind.allCases)
    func chosen(kind: PanelView.Kind) {
        var configuration = PanelConfiguration()
        configuration.chains[0].device = "/dev/null"
        configuration.screen.isAutomatic = true
        #expect(PanelView.Kind(kind, configuration) { _ in .failure(DeviceFailure("", fix: "")) } == kind)
    }
}
