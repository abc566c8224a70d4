import Testing

@testable import Instrument

@Suite("The song sheet")
struct SongSheetTests {
    @Test("the song sheet plays, copies and clears scenes like the grid's columns, anywhere on a scene")
    func song() {
        var player = Player.withScenes([100, 110, 0, 0, 0, 0, 0, 120], playing: 0)
        player.tap(1, 1)
        player.tap(2, 11)
        #expect(player.instrument.state.screen == .song)
        for (column, row) in [(8, 7), (14, 14)] as [(Float, Float)] {
            player.tap(column, row)
            #expect(player.scene == 1)
            player.tap(column - 8, row)
            #expect(player.scene == 0)
        }
        player.tap(31, 22)
        #expect(player.scene == 7)
        player.tap(20, 10, held: 700)
        #expect(player.tempos == [100, 110, 120, 0, 0, 0, 0, 120])
        player.tap(28, 18, held: 1300)
        #expect(player.scene == nil && player.tempos == [100, 110, 120, 0, 0, 0, 0, 0])
        player.tap(39, 15)
        #expect(player.instrument.state.session.chainsScenes)
        player.tap(1, 2)
        #expect(player.instrument.state.screen == .grid)
    }

    @Test("a finger that slides off a scene of the song sheet cancels it")
    func songSlide() {
        var player = Player.withScenes([100, 110, 0, 0, 0, 0, 0, 0], playing: 0)
        player.tap(1, 1)
        player.tap(2, 11)
        player.drag(from: (10, 10), to: (20, 10))
        #expect(player.scene == 0)
    }
}
