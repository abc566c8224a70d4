import Display
import Testing

@testable import Instrument

@Suite("The menu")
struct MenuTests {
    @Test(
        "the handle opens the menu and closes it, and so does the LED above its end",
        arguments: [(0, 1), (3, 1), (3, 0)])
    func handle(column: Int, row: Int) {
        var player = Player()
        player.tap(Float(column), Float(row))
        #expect(player.instrument.state.session.isMenuOpen)
        player.tap(Float(column), Float(row))
        #expect(!player.instrument.state.session.isMenuOpen)
        #expect(player.tooltip == nil && player.pattern.isEmpty)
    }

    @Test("it slides over the leftmost columns within 300 ms, and never back and forth")
    func slide() {
        var player = Player()
        player.wait(2000)
        let closed = player.frame()
        player.finger(.down, .handle)
        var seen = [0]
        for _ in 0..<18 {
            player.wait(16)
            let frame = player.frame()
            // The divider is the last black column.
            let open = (0..<10).last { column in (2..<24).allSatisfy { frame[column, $0] == .black } }.map { $0 + 1 }
            seen.append(open ?? seen[seen.count - 1])
            let edge = seen[seen.count - 1]
            #expect(
                (edge..<44).allSatisfy { column in (2..<22).allSatisfy { frame[column, $0] == closed[column, $0] } })
        }
        #expect(seen == seen.sorted() && seen.last == 6 && Set(seen).count > 3, "\(seen)")
    }

    @Test(
        "each icon shows its name when touched and opens its sheet when the finger lifts",
        arguments: [
            (.sound, "SOUND", "PLAIN"), (.sync, "SYNC", "120 BPM"), (.settings, "SETTINGS", "SETTINGS"),
            (.power, "POWER", "POWER OFF?"),
        ] as [(Menu.Item, String, String)])
    func icons(item: Menu.Item, name: String, title: String) {
        var player = atMenu()
        player.finger(.down, .menu(item))
        #expect(player.tooltip == name && player.instrument.state.view.screen == .grid)
        player.finger(.up)
        player.wait(2000)
        #expect(player.instrument.state.view.screen != .grid)
        #expect(shows(title, player.frame(), column: title == "POWER OFF?" ? 5 : 6))
        // The top left corner goes back, up to the grid.
        player.tap(.spot(.back))
        if player.instrument.state.view.screen != .grid { player.tap(.spot(.back)) }
        #expect(player.instrument.state.view.screen == .grid && player.instrument.state.session.isMenuOpen)
    }

    @Test("every LED of an icon's target activates it: 6 × 4, the two small ones 3 × 3")
    func targets() {
        for row in 2..<24 {
            for column in 0..<6 {
                var player = atMenu()
                player.finger(.down, Float(column), Float(row))
                let expected: String
                if row >= 21 {
                    expected = column < 3 ? "LOCK" : "POWER"
                } else {
                    expected = ["LIBRARY", "SOUND", "SONG", "SYNC", "SETTINGS"][min((row - 2) / 4, 4)]
                }
                #expect(
                    player.tooltip?.hasSuffix(expected) == true, "\(column), \(row): \(player.tooltip ?? "nothing")")
                player.finger(.up, Float(column), Float(row))
                #expect(player.pattern.isEmpty)
            }
        }
    }

    @Test("sliding off an icon cancels it, and sliding back selects it again")
    func slideOff() {
        var player = atMenu()
        player.finger(.down, .menu(.sound))
        player.finger(.move, 12, 7)
        player.finger(.up)
        #expect(player.instrument.state.view.screen == .grid && player.pattern.isEmpty)
        player.finger(.down, .menu(.sound))
        player.finger(.move, 12, 7)
        player.finger(.move, .menu(.sound))
        player.finger(.up)
        #expect(player.instrument.state.view.screen != .grid)
    }

    @Test("the area under the menu cannot be played; beside it the grid can")
    func covers() {
        var player = atMenu()
        player.drag(from: .menu(.library), to: .led(12, 3))
        #expect(player.pattern.isEmpty)
        player.tap(.step(6, .melody))
        #expect(!player.pattern.isEmpty)
    }

    @Test(
        "a panel with columns for the menu always shows it, and the grid's position is unchanged",
        arguments: [46, 50])
    func beside(columns: Int) {
        var player = atMenu(columns: columns)
        let origin = columns - 44
        #expect(player.led(origin - 1, 10) == .black)
        for row in [2, 6, 14, 18] {
            #expect(
                (0..<origin - 1).contains { column in (row..<row + 3).contains { player.led(column, $0) != .black } })
        }
        player.tap(.menu(.sound))
        #expect(player.instrument.state.view.screen != .grid)
        // Another icon opens its sheet from a sheet.
        player.tap(.menu(.settings))
        #expect(player.instrument.state.view.screen == .settings)
        player.tap(.spot(.back))
        player.tap(.step(6, .melody))
        #expect(!player.pattern.isEmpty)
        player.tap(.handle)
        #expect(!player.instrument.state.session.isMenuOpen)
    }

    @Test("the menu's lock shows on the handle and darkens Clear")
    func lock() {
        var player = atMenu()
        let (handle, clear) = (player.led(3, 1), player.led(41, 0))
        player.tap(.menu(.lock))
        #expect(player.instrument.state.session.isLocked)
        player.tap(.handle)
        #expect(player.led(3, 1) != handle && player.led(41, 0) != clear)
        player.tap(.control(.clear), held: 600)
        player.tap(.handle)
        player.tap(.menu(.lock))
        #expect(!player.instrument.state.session.isLocked)
    }

    @Test("a fault shows on the handle, in the menu and as text; nothing else changes")
    func faults() {
        var player = atMenu()
        var facts = Facts()
        facts.version = "1.2.3"
        facts.address = "192.168.1.47"
        player.send(.facts(facts))
        let well = player.frame()
        facts.faults = .sound
        facts.problem = "the sound device is gone"
        player.send(.facts(facts))
        var red: Set<Bool> = []
        for _ in 0..<40 {
            player.wait(25)
            let frame = player.frame()
            red.insert(frame[1, 6].red > 200 && frame[1, 6].green < 60)
            #expect((10..<44).allSatisfy { column in (2..<22).allSatisfy { frame[column, $0] == well[column, $0] } })
        }
        #expect(red == [true, false])
        facts.faults = []
        facts.problem = nil
        player.send(.facts(facts))
        player.wait(1000)
        let again = player.frame()
        // The LED in the corner pulses.
        #expect((1..<44).allSatisfy { column in (0..<24).allSatisfy { again[column, $0] == well[column, $0] } })
    }
}
