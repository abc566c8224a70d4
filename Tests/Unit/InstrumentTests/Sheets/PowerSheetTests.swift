import Display
import Testing

@testable import Instrument

@Suite("The power sheet")
struct PowerSheetTests {
    @Test("holding the red half for 1.2 s, while it fills, switches the box off; a shorter touch does not")
    func power() {
        var player = atPower
        player.finger(.down, .spot(.switchOff))
        player.wait(1100)
        let frame = player.frame()
        #expect(frame[26, 22] != .black && frame[26, 9] == .black)
        #expect(player.effects.isEmpty)
        player.finger(.up)
        player.wait(1000)
        #expect(player.effects.isEmpty)
        player.finger(.down, .spot(.switchOff))
        player.wait(1200)
        #expect(player.effects == [.powerOff])
    }

    @Test("a finger that slides off the red half, and the other half, leave the box on")
    func stay() {
        var player = atPower
        player.finger(.down, .spot(.switchOff))
        player.wait(600)
        player.finger(.move, 21, 15)
        player.wait(2000)
        player.finger(.up)
        player.tap(.spot(.stay), held: 2000)
        #expect(player.effects.isEmpty && player.instrument.state.view.screen == .settings)
    }
}
