import Display
import Testing

@testable import Instrument

@Suite("The about sheet")
struct AboutSheetTests {
    @Test("the about sheet scrolls a long line at twelve columns a second, and a finger drags it")
    func about() {
        var player = atSettings
        var facts = Facts()
        facts.version = "1.2.3"
        facts.address = "192.168.1.47"
        facts.problem = "SPI BUFSIZ 4096: USE 32768"
        player.send(.facts(facts))
        player.tap(.spot(.button(.about)), pause: 0)
        let first = player.frame()
        #expect(shows("192.168.1.47", first, column: 1, row: 13))
        player.wait(800 + 1000)
        #expect(player.frame()[1, 19] != first[1, 19] || player.frame() != first)
        #expect(lit(player.frame(), 19, from: 1, count: 20) == lit(first, 19, from: 13, count: 20))
        player.finger(.down, 20, 20)
        let held = player.frame()
        player.wait(3000)
        #expect(player.frame() == held)
        player.finger(.move, 15, 20)
        #expect(lit(player.frame(), 19, from: 1, count: 20) == lit(held, 19, from: 6, count: 20))
    }

    private func facts(accessPoint: Facts.AccessPoint?) -> Facts {
        var facts = Facts()
        facts.version = "1.2.3"
        facts.address = "NO NETWORK"
        facts.accessPoint = accessPoint
        return facts
    }

    private let accessPoint = Facts.AccessPoint(name: "PB-1A2B3C", password: "7KXPW3NMQR")

    @Test("an access point that opens at the first start shows its name and password, and its sheet goes with it")
    func accessPointOpens() {
        var player = Player()
        player.send(.facts(facts(accessPoint: nil)))
        #expect(player.instrument.state.view.screen == .grid)
        player.send(.facts(facts(accessPoint: accessPoint)))
        #expect(shows("PB-1A2B3C", player.frame(), column: 1, row: 7))
        #expect(shows("7KXPW3NMQR", player.frame(), column: 1, row: 13))
        #expect(player.instrument.words.title == "WI-FI")
        player.send(.facts(facts(accessPoint: nil)))
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("back leaves the access point's sheet for the grid, and about still tells name and password")
    func accessPointLeft() {
        var player = Player()
        player.send(.facts(facts(accessPoint: accessPoint)))
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .grid)
        var other = facts(accessPoint: accessPoint)
        other.address = "10.42.0.1"
        player.send(.facts(other))
        #expect(player.instrument.state.view.screen == .grid)
        #expect(
            player.instrument.state.box.aboutLines[1] == TextLine("WI-FI PB-1A2B3C PASSWORD 7KXPW3NMQR"))
    }

    @Test("an access point disturbs no one who plays, or has touched the box")
    func accessPointWaits() {
        var touched = Player()
        touched.tap(.step(15, .melody, row: 2))
        touched.send(.facts(facts(accessPoint: accessPoint)))
        #expect(touched.instrument.state.view.screen == .grid)
        var playing = Player()
        playing.send(.key(.playStop))
        playing.send(.facts(facts(accessPoint: accessPoint)))
        #expect(playing.instrument.state.view.screen == .grid)
        var elsewhere = atSettings
        elsewhere.send(.facts(facts(accessPoint: accessPoint)))
        #expect(elsewhere.instrument.state.view.screen == .settings)
    }

    /// The lit LEDs of five rows from `row`, column by column.
    private func lit(_ frame: Frame, _ row: Int, from column: Int, count: Int) -> [[Bool]] {
        (column..<column + count).map { x in (row..<row + 5).map { frame[x, $0] != .black } }
    }
}
