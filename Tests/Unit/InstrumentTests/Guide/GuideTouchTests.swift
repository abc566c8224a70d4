import Display
import Testing

@testable import Instrument

@Suite("Touching the guide")
struct GuideTouchTests {
    private func library() -> GuidePlayer {
        GuidePlayer(Contents.coded(channels: 8, days: Contents.today - 66..<Contents.today + 1))
    }

    /// Today's row begins at row 18, its first cell at column 12.
    @Test("a tap selects, with a ring in the gaps; another one opens the newest entry")
    func taps() {
        var player = library()
        player.tap(.cell(1))
        #expect(player.guide.selected == 10_066)
        #expect(player.acts == [])
        let frame = player.frame()
        for column in 16...21 { #expect(frame[column, 17] == .white && frame[column, 23] == .white) }
        for row in 17...23 { #expect(frame[16, row] == .white && frame[21, row] == .white) }
        player.tap(.cell(1))
        #expect(player.acts == [.open(10_066)])
    }

    @Test("a slow press, a drag, a cancelled touch and a touch on a moving guide are not taps")
    func noTaps() {
        var player = library()
        player.tap(.cell(1), held: 320)
        #expect(player.guide.selected == nil)
        player.drag((18, 20), (19.2, 20), milliseconds: 100)
        player.wait(1000)
        #expect(player.guide.selected == nil)
        player.finger(.down, .cell(1))
        player.finger(.cancel)
        player.wait(1000)
        #expect(player.guide.selected == nil)
        player.drag((4, 8), (4, 20), milliseconds: 60)
        player.wait(100)
        player.finger(.down, .cell(1, daysAgo: 5))
        let offset = player.offset.down
        player.wait(100)
        #expect(player.offset.down == offset)
        player.finger(.up)
        player.wait(1000)
        #expect(player.guide.selected == nil)
        #expect(player.offset.down.truncatingRemainder(dividingBy: 6) == 0)
    }

    @Test("a tap that trembles less than an LED is a tap")
    func tremble() {
        var player = library()
        player.finger(.down, 18, 20)
        player.finger(.move, 18.6, 20.6)
        player.wait(100)
        player.finger(.up, 18.3, 20.5)
        #expect(player.guide.selected == 10_066)
    }

    @Test("a tap on an empty cell clears the selection")
    func emptyCell() {
        var player = GuidePlayer(Contents.listings(count: 1))
        player.tap(.cell(0))
        #expect(player.guide.selected == 1)
        player.tap(.cell(1))
        #expect(player.guide.selected == nil)
        player.tap(.cell(0))
        player.tap(39, 14)
        #expect(player.guide.selected == nil)
    }

    @Test("the title scrolls through the header at 12 columns a second, the badge first")
    func caption() {
        var player = GuidePlayer(Contents.listings(count: 1))
        player.finger(.down, .cell(0))
        player.wait(50)
        player.finger(.up)
        let line = TextLine("S1E1 SHOW 1")
        let overhang = line.width - 28
        func shows(_ travelled: Int) -> Bool {
            let frame = player.frame()
            return (0..<28).allSatisfy { column in
                let place = column + travelled
                let dots = place < line.width ? line.columns[place] : 0
                return (0..<5).allSatisfy { (frame[12 + column, $0] == .white) == (dots >> UInt8($0) & 1 == 1) }
            }
        }
        #expect(shows(0))
        player.wait(1200)
        #expect(shows(0))
        player.wait(500)
        #expect(shows(6))
        player.wait(Int64(overhang - 6) * 1000 / 12 + 50)
        #expect(shows(overhang))
        player.wait(1300)
        // The header is back.
        #expect(player.frame()[12, 0] == .black)
        #expect(player.frame()[13, 0] == RGB(0xc8c8c8))
    }

    @Test(
        "the corner closes, play plays; sliding off cancels",
        arguments: [(.close, .show(.grid)), (.play, .pressPlay)] as [(GuideLayout.Target, ScreenAct)])
    func buttons(target: GuideLayout.Target, act: ScreenAct) {
        var player = library()
        player.finger(.down, .target(target))
        #expect(player.acts == [])
        player.finger(.move, 25, 12)
        player.finger(.up)
        #expect(player.acts == [])
        player.tap(.target(target))
        #expect(player.acts == [act])
    }

    @Test("Play shows its action")
    func play() {
        let player = library()
        #expect(player.frame(isPlaying: false)[42, 2] == RGB(0x44ff44))
        #expect(player.frame(isPlaying: true)[42, 2] == RGB(0xff4444))
    }

    @Test("a tap on the header or the rail shows the name there")
    func names() {
        var player = library()
        player.tap(18, 2)
        #expect(player.guide.caption?.line.text == "B")
        player.tap(3, 20)
        #expect(player.guide.caption?.line.text == "21 SEP 2026")
    }

    // MARK: The card

    @Test("a cell that is held 600 ms opens its card, and the finger then does nothing")
    func hold() {
        var player = library()
        player.finger(.down, .cell(1))
        player.wait(599)
        #expect(!player.guide.showsCard)
        player.wait(1)
        #expect(player.guide.showsCard)
        player.finger(.up)
        #expect(player.acts == [])
        #expect(player.guide.selected == 10_066)
    }

    @Test("holding an empty cell does nothing, and the finger can still drag")
    func holdEmpty() {
        var player = GuidePlayer(Contents.listings(count: 1))
        player.tap(.cell(1), held: 900)
        #expect(!player.guide.showsCard)
        let offset = player.offset.down
        player.finger(.down, 18, 14)
        player.wait(900)
        player.finger(.move, 18, 10)
        #expect(player.offset.down == offset + 4)
    }

    @Test("✓ opens the selection's card, and `<` returns")
    func mark() {
        var player = library()
        player.tap(.target(.mark))
        #expect(!player.guide.showsCard)
        player.tap(.cell(1))
        player.tap(.target(.mark))
        #expect(player.guide.showsCard)
        player.tap(.target(.back))
        #expect(!player.guide.showsCard)
        #expect(player.guide.selected == 10_066)
        #expect(player.acts == [])
    }

    private func onCard() -> GuidePlayer {
        var player = library()
        player.tap(.cell(1))
        player.tap(.target(.mark))
        return player
    }

    @Test("the card opens, copies and renames by a tap, and plays")
    func actions() {
        let acts: [(GuideLayout.Target, ScreenAct)] = [
            (.action(.open), .open(10_066)), (.action(.copy), .effect(.job(.duplicate(10_066)))),
            (.action(.rename), .rename(10_066)), (.play, .pressPlay),
        ]
        for (target, act) in acts {
            var player = onCard()
            player.finger(.down, .target(target))
            player.finger(.up, 20, 12)
            #expect(player.acts == [])
            player.tap(.target(target))
            #expect(player.acts == [act])
        }
    }

    @Test("the card shows that it has copied")
    func copied() {
        var player = onCard()
        player.finger(.down, .target(.action(.copy)))
        player.finger(.up)
        // The C of COPIED.
        #expect((0..<5).map { player.frame()[6, $0] == .white } == [false, true, true, true, false])
        player.wait(1300)
        #expect(!(0..<5).contains { player.frame()[6, $0] == .white })
    }

    @Test("deleting takes a hold of 1200 ms that fills; an amber UNDO shows for 8 s")
    func delete() {
        var player = onCard()
        player.tap(.target(.action(.delete)), held: 1100)
        #expect(player.acts == [])
        #expect(player.guide.caption?.line.text == "HOLD")
        player.finger(.down, .target(.action(.delete)))
        player.wait(600)
        #expect(player.frame()[34, 23] == RGB.black.blended(towards: RGB(0xff2828), 0.3))
        #expect(player.frame()[34, 18] == .black)
        player.finger(.move, .target(.action(.rename)))
        player.finger(.move, .target(.action(.delete)))
        player.wait(1000)
        #expect(player.acts == [])
        player.finger(.up)
        player.finger(.down, .target(.action(.delete)))
        player.wait(1200)
        #expect(player.acts == [.delete(10_066)])
        #expect(!player.guide.showsCard)
        player.finger(.up)
        #expect(player.guide.selected == nil)
        #expect(player.frame()[42, 21] == RGB(0xffaa00))
        player.wait(7000)
        var late = player
        player.tap(.target(.mark))
        #expect(player.acts == [.delete(10_066), .effect(.job(.restore(10_066)))])
        late.wait(1000)
        #expect(late.frame()[42, 21] != RGB(0xffaa00))
        late.tap(.target(.mark))
        #expect(late.acts == [.delete(10_066)])
    }

    @Test("arrows show the other entries of the cell, if there are any")
    func arrows() {
        var player = GuidePlayer(Contents.listings(count: 3))
        player.tap(.cell(0))
        player.tap(.cell(0))
        #expect(player.guide.showsCard)
        #expect(player.acts == [])
        #expect(player.guide.card?.facts.line.text == "1/3 S1E1 20:30 21 SEP 2026 A")
        player.tap(.target(.previous))
        #expect(player.guide.selected == 1)
        for (target, entry) in [(.next, 2), (.next, 3), (.next, 3), (.previous, 2)] as [(GuideLayout.Target, Int64)] {
            player.tap(.target(target))
            #expect(player.guide.selected == entry)
        }
        #expect(player.guide.card?.title.line.text == "SHOW 2")
    }

    @Test("the switch marks a programme as watched, which dims its cell")
    func watched() {
        var player = GuidePlayer(Contents.listings(count: 1))
        let bright = player.frame()[13, 12]
        player.tap(.cell(0))
        player.tap(.cell(0))
        #expect(player.frame()[38, 20] != RGB(0x44ff44))
        player.tap(.target(.action(.watched)))
        #expect(player.acts == [.effect(.job(.setWatched(1, true)))])
        #expect(player.frame()[38, 20] == RGB(0x44ff44))
        player.tap(.target(.back))
        let dim = player.frame()[13, 12]
        #expect(bright != .black && dim != .black && dim != bright)
        player.tap(.target(.mark))
        player.tap(.target(.action(.watched)))
        #expect(player.acts == [.effect(.job(.setWatched(1, true))), .effect(.job(.setWatched(1, false)))])
    }

    @Test("a card closes when its entry disappears")
    func gone() {
        var player = onCard()
        player.guide.show(GuideContent(emptyFrom: .library, today: Contents.today), at: player.now)
        #expect(!player.guide.showsCard)
        #expect(player.guide.selected == nil)
    }
}
