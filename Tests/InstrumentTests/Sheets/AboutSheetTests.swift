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
        player.tap(41, 15, pause: 0)
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

    /// The lit LEDs of five rows from `row`, column by column.
    private func lit(_ frame: Frame, _ row: Int, from column: Int, count: Int) -> [[Bool]] {
        (column..<column + count).map { x in (row..<row + 5).map { frame[x, $0] != .black } }
    }
}
