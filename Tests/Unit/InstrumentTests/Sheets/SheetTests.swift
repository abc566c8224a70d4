import Display
import Testing

@testable import Instrument

@Suite("Common parts of sheets")
struct SheetTests {
    @Test("the corner and the play button of a sheet are 5 × 6 and 4 × 6 LEDs")
    func corners() {
        for row in 0..<6 {
            for column in 0..<5 {
                var player = atSettings
                player.tap(Float(column), Float(row))
                #expect(player.instrument.state.view.screen == .grid)
            }
            for column in 40..<44 {
                var player = atSettings
                player.tap(Float(column), Float(row))
                #expect(player.instrument.state.isPlaying && player.instrument.state.view.screen == .settings)
            }
        }
    }

    @Test("the steps run on a sheet's row 5, and move down to it within 120 ms")
    func steps() {
        var player = atMenu()
        player.send(.key(.playStop))
        player.tap(.menu(.settings), pause: 0)
        var rows: [Int] = []
        for _ in 0..<12 {
            let frame = player.frame()
            rows.append((0..<24).first { frame[column(8), $0] == RGB(0x444444) } ?? -1)
            player.wait(12)
        }
        #expect(rows == rows.sorted() && rows.first == 1 && rows.last == 5, "\(rows)")
        player.send(.step(12, number: 12))
        #expect(player.frame()[column(12), 5] == .white)
        player.wait(200)
        #expect(player.frame()[column(12), 5] == RGB(0xaaaaaa))
    }

    @Test("no touch on a sheet writes a note, and the corner always leads back")
    func everywhere() {
        for item in [.sound, .sync, .settings] as [Menu.Item] {
            for y in 0..<24 {
                for x in stride(from: 0, to: 44, by: 3) {
                    var player = atSheet(item)
                    player.tap(Float(x), Float(y), pause: 300)
                    #expect(player.pattern.isEmpty)
                    for _ in 0..<3 where player.instrument.state.view.screen != .grid {
                        player.tap(.spot(.back), pause: 300)
                    }
                    #expect(player.instrument.state.view.screen == .grid, "\(x), \(y)")
                }
            }
        }
    }

    @Test("notices show on every sheet")
    func notices() {
        for item in [.sound, .song, .sync, .settings] as [Menu.Item] {
            var player = atSheet(item)
            player.send(.notice(.diskFull))
            #expect(shows("DISK FU", player.frame(), column: 6))
        }
        var player = atPower
        player.send(.power)
        #expect(shows("OFF?", player.frame(), column: 6))
        player.show(.letters(LetterSheet(pattern: 1, name: "OLD")))
        player.send(.notice(.notSaved))
        #expect(shows("NOT", player.frame(), column: 6))
    }
}
