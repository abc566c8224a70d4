import Testing

@testable import Instrument

@Suite("The sync sheet")
struct SyncSheetTests {
    @Test("the sync sheet moves the tempo by one, repeats while held, and takes taps; it is one undo step a touch")
    func tempo() {
        var player = atSheet(15)
        player.tap(40, 12)
        #expect(player.pattern.bpm == 121)
        player.finger(.down, 3, 12)
        player.wait(1000)
        player.finger(.up, 3, 12)
        #expect(player.pattern.bpm == 121 - 7)
        for _ in 0..<5 { player.tap(20, 12, held: 50, pause: 350) }
        #expect(player.pattern.bpm == 150)
        #expect(player.instrument.state.session.history.past.count == 3)
    }
}
