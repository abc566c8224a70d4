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

    @Test("a finger on the source says what it means, in words that pass by to their end, and changes nothing")
    func source() {
        var player = atSheet(15)
        let before = player.instrument.state.session
        player.finger(.down, 20, 21)
        #expect(player.tooltip == "INTERNAL: THE BOX KEEPS TIME")
        let start = player.frame()
        #expect(shows("INTERNA", start, column: 6))
        player.finger(.up, 20, 21)
        // 28 letters of four columns; 31 columns are visible, 25 pass in a second.
        player.wait(400 + 80 * 40 + 300)
        #expect(player.tooltip != nil)
        #expect((36...36).contains { column in (0..<5).contains { player.frame()[column, $0] != .black } })
        player.wait(400)
        #expect(player.tooltip == nil && player.instrument.state.session == before)
    }
}
