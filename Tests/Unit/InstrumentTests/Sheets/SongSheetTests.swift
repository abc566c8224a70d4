import Display
import InputEvents
import Testing

@testable import Instrument

extension Player {
    fileprivate var isOnSong: Bool { if case .song = instrument.state.view.screen { true } else { false } }

    /// Opens the menu and the SONG sheet.
    fileprivate mutating func openSong() {
        tap(1, 1)
        tap(2, 11)
    }

    /// A finger from the first of `points` over the others, and a pause.
    fileprivate mutating func slide(_ points: (Float, Float)...) {
        finger(.down, points[0].0, points[0].1)
        for point in points.dropFirst() {
            wait(100)
            finger(.move, point.0, point.1)
        }
        finger(.up, points[points.count - 1].0, points[points.count - 1].1)
        wait(1000)
    }

    /// Holds the cross for `milliseconds`.
    fileprivate mutating func cross(_ milliseconds: Int64) {
        finger(.down, 42, 21, contact: 5)
        wait(milliseconds)
        finger(.up, 42, 21, contact: 5)
    }

    /// Whether the entry at place `place` of the sheet shows `number` in `colour`.
    fileprivate func shows(_ number: String, at place: Int, _ colour: RGB) -> Bool {
        let frame = frame()
        let inks = (0..<5).flatMap { row in (0..<3).map { frame[5 * place + $0, 13 + row] } }.filter { $0 != .black }
        return InstrumentTests.shows(number, frame, column: 5 * place, row: 13) && inks.allSatisfy { $0 == colour }
    }
}

@Suite("The song sheet")
struct SongSheetTests {
    @Test("the song sheet plays, copies and clears scenes like the grid's columns")
    func scenes() {
        var player = Player.withScenes([100, 110, 0, 0, 0, 0, 0, 120], playing: 0)
        player.openSong()
        #expect(player.isOnSong)
        for (column, row) in [(5, 7), (7, 11)] as [(Float, Float)] {
            player.tap(column, row)
            #expect(player.scene == 1)
            player.tap(column - 5, row)
            #expect(player.scene == 0)
        }
        player.tap(.scene(7))
        #expect(player.scene == 7)
        player.tap(.scene(2), held: 700)
        #expect(player.tempos == [100, 110, 120, 0, 0, 0, 0, 120])
        player.tap(.scene(7), held: 1300)
        #expect(player.scene == nil && player.tempos == [100, 110, 120, 0, 0, 0, 0, 0])
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("a finger that slides off a scene cancels it, and one on the order that ends elsewhere does nothing")
    func slide() {
        var player = Player.withSong([100, 110], [(1, 1)], mode: .one)
        player.openSong()
        player.slide((6, 10), (14, 10))
        player.slide((6, 10), (6, 3))
        player.slide((6, 10), (6, 13), (42, 13))
        player.slide((1, 15), (1, 20))
        #expect(player.scene == 0 && player.order == ["1x1"] && player.instrument.state.session.sceneMode == .one)
    }

    @Test("the three lines choose what plays at the pattern's end; without a song that is not the song's")
    func mode() {
        var player = Player.withSong([100, 110], [(1, 1)], mode: .one)
        player.openSong()
        var modes: [SceneMode] = []
        for _ in 0..<3 {
            player.tap(.spot(.sceneMode))
            modes.append(player.instrument.state.session.sceneMode)
            let lit = [7, 9, 11].map { player.led(42, $0) == .white }
            #expect(lit == SceneMode.allCases.map { $0 == modes.last })
        }
        #expect(modes == [.chain, .song, .one])
        var bare = Player.withScenes([100, 110], playing: 0)
        bare.openSong()
        bare.tap(.spot(.sceneMode))
        bare.tap(.spot(.sceneMode))
        #expect(bare.instrument.state.session.sceneMode == .one)
    }

    @Test("a scene that is dragged down goes into the order where it is let go, as one undo step")
    func insert() {
        var player = Player.withScenes([100, 110, 120], playing: 0)
        player.openSong()
        player.slide((1, 9), (1, 14))
        #expect(player.order == ["0x1"] && player.tooltip == "1 X1")
        // After the last, before the first, and between the two.
        player.slide((11, 9), (12, 13), (20, 15))
        player.slide((6, 9), (6, 13), (0, 15))
        player.slide((11, 9), (11, 13), (5, 20))
        #expect(player.order == ["1x1", "2x1", "0x1", "2x1"])
        player.send(.key(.undo))
        #expect(player.order == ["1x1", "0x1", "2x1"])
        // By whatever path: beside the scenes, over the header, and down.
        player.slide((6, 9), (30, 8), (30, 2), (40, 9), (20, 15))
        #expect(player.order == ["1x1", "0x1", "2x1", "1x1"])
        player.send(.key(.undo))
        // An empty scene does not go.
        player.slide((16, 9), (16, 14))
        #expect(player.order == ["1x1", "0x1", "2x1"])
    }

    @Test("while a scene is dragged the order shows it where it would go")
    func preview() {
        var player = Player.withSong([100, 110, 120], [(0, 1), (1, 1)], mode: .one)
        player.openSong()
        player.finger(.down, .scene(2))
        player.finger(.move, 11, 13)
        player.finger(.move, 5, 14)
        // A 3 stands second, in white; the 2 has moved on.
        #expect(player.shows("3", at: 1, .white))
        #expect(player.shows("2", at: 2, Palette.song))
        player.finger(.up, 5, 3)
        #expect(player.order == ["0x1", "1x1"])
        #expect(player.shows("2", at: 1, Palette.song))
    }

    @Test("a tap on the repeats adds one, after eight it begins with one again; a drag sets them")
    func repeats() {
        var player = Player.withSong([100, 110], [(0, 7), (1, 3)], mode: .one)
        player.openSong()
        player.tap(.spot(.songRepeats(0)))
        #expect(player.order == ["0x8", "1x3"] && player.tooltip == "1 X8")
        player.tap(.spot(.songRepeats(0)))
        #expect(player.order == ["0x1", "1x3"])
        player.slide((6, 21), (6, 15), (6, 17))
        #expect(player.order == ["0x1", "1x5"])
        player.slide((6, 19), (6, 23))
        #expect(player.order == ["0x1", "1x3"])
        player.slide((6, 22), (6, 1))
        #expect(player.order == ["0x1", "1x8"])
        player.send(.key(.undo))
        #expect(player.order == ["0x1", "1x3"])
    }

    @Test("a tap on an entry plays from it at the next bar; the arrow after the last plays from the start")
    func choose() {
        var player = Player.withSong([100, 110, 0], [(1, 1), (2, 1), (0, 2)], mode: .one)
        player.openSong()
        player.tap(.spot(.songEntry(2)))
        #expect(player.place == .entry(2) && player.instrument.state.session.sceneMode == .song)
        player.tap(.spot(.songEntry(1)))
        #expect(player.tooltip == "EMPTY" && player.place == .entry(2))
        player.send(.key(.playStop))
        player.tap(.spot(.songEntry(3)))
        #expect(player.instrument.state.songPlay.queuedEntry == 0)
        #expect(player.upcoming == .init(slot: 1, isAtBar: true))
        player.tap(.spot(.songEntry(0)))
        #expect(player.instrument.state.songPlay.queuedEntry == nil)
    }

    @Test("the cross, held, removes the entry that was touched last, and names it; else the playing or the last one")
    func remove() {
        var player = Player.withSong([100, 110, 120], [(0, 1), (1, 2), (2, 3)], mode: .one)
        player.openSong()
        player.finger(.down, .spot(.songEntry(1)))
        player.finger(.cancel)
        player.finger(.down, .spot(.removeEntry))
        #expect(player.tooltip == "2 X2")
        #expect(player.shows("2", at: 1, Palette.danger))
        player.wait(1300)
        player.finger(.up)
        #expect(player.order == ["0x1", "2x3"] && player.tooltip == "2 X2 OFF")
        player.cross(1000)
        #expect(player.order == ["0x1", "2x3"])
        player.cross(1300)
        #expect(player.order == ["0x1"])
        player.cross(1300)
        player.cross(1300)
        #expect(player.order == [])
    }

    @Test("a drag sideways scrolls an order that is longer than the sheet, to the arrow after its end")
    func scroll() {
        let order: [(scene: Int, repeats: Int)] = (0..<10).map { ($0 / 9, $0 < 9 ? 1 : 4) }
        var player = Player.withSong([100, 110], order, mode: .one)
        player.openSong()
        player.slide((36, 15), (26, 15))
        player.tap(.spot(.songRepeats(9)))
        #expect(player.order[9] == "1x5")
        player.slide((36, 15), (1, 15))
        player.tap(.spot(.songRepeats(9)))
        #expect(player.order[9] == "1x6")
        // The arrow is last.
        player.tap(.spot(.songRepeats(10)))
        player.tap(.spot(.songEntry(10)))
        #expect(player.order[9] == "1x6" && player.place == .entry(0))
        player.slide((1, 15), (39, 15))
        player.tap(.spot(.songRepeats(0)))
        #expect(player.order[0] == "0x2")
    }

    @Test("the sheet follows the playing entry while no finger is on the order")
    func follow() {
        let order: [(scene: Int, repeats: Int)] = (0..<12).map { ($0 % 2, 1) }
        var player = Player.withSong([100, 110], order)
        player.send(.key(.playStop))
        player.openSong()
        for _ in 0..<9 { player.playOn() }
        #expect(player.place == .entry(9))
        #expect(player.shows("2", at: 7, .white))
        player.finger(.down, .spot(.songRepeats(2), row: 20))
        player.playOn()
        #expect(player.shows("2", at: 7, Palette.song))
        player.finger(.up, 30, 3)
        player.playOn()
        #expect(player.shows("2", at: 7, .white))
    }

    @Test("dots are the repeats: white were played, violet plays; the lowest row is the place in the song")
    func playing() {
        var player = Player.withSong([120, 60], [(0, 6), (1, 1)])
        player.openSong()
        player.send(.key(.playStop))
        for _ in 0..<2 { for step in 0..<32 { player.send(.step(step, number: step)) } }
        player.send(.step(0, number: 0))
        let dots = [(0, 19), (1, 19), (2, 19), (3, 19), (0, 21), (1, 21)].map { player.led($0.0, $0.1) }
        let grey = RGB(0x5a5a5a)
        #expect(dots == [.white, .white, Palette.song, grey, grey, grey])
        #expect(player.led(2, 21) == .black)
        // Two passes of 4 s of 24 s and 8 s.
        let lit = (0..<39).filter { player.led($0, 23) == Palette.song }
        #expect(lit == Array(0..<10))
    }

    @Test("fingers keep their entries while others insert and remove")
    func tenFingers() {
        var player = Player.withSong([100, 110, 120], [(0, 1), (1, 2), (2, 3)], mode: .one)
        player.openSong()
        player.finger(.down, .spot(.songRepeats(2), row: 20))
        player.finger(.down, .scene(0), contact: 1)
        player.finger(.move, 1, 13, contact: 1)
        player.finger(.up, 0, 13, contact: 1)
        #expect(player.order == ["0x1", "0x1", "1x2", "2x3"])
        player.finger(.move, 11, 16)
        #expect(player.order == ["0x1", "0x1", "1x2", "2x5"])
        // The finger's entry is removed: it has no function.
        player.finger(.down, .spot(.songEntry(3)), contact: 2)
        player.finger(.cancel, contact: 2)
        player.cross(1300)
        #expect(player.order == ["0x1", "0x1", "1x2"])
        player.finger(.move, 11, 10)
        player.finger(.up)
        #expect(player.order == ["0x1", "0x1", "1x2"])
    }

    @Test("a drag of the repeats goes on, as another undo step, after another finger inserts or undo removes")
    func dragPastAnother() {
        var player = Player.withSong([100, 110], [(0, 1), (1, 2)], mode: .one)
        player.openSong()
        player.finger(.down, .spot(.songRepeats(1), row: 20))
        player.finger(.move, 6, 18)
        player.finger(.down, .scene(0), contact: 1)
        player.finger(.move, 1, 13, contact: 1)
        player.finger(.up, 0, 13, contact: 1)
        #expect(player.order == ["0x1", "0x1", "1x3"])
        player.finger(.move, 6, 16)
        #expect(player.order == ["0x1", "0x1", "1x4"])
        player.send(.key(.undo))
        #expect(player.order == ["0x1", "0x1", "1x3"])
        player.send(.key(.undo))
        #expect(player.order == ["0x1", "1x3"])
        player.send(.key(.undo))
        #expect(player.order == ["0x1", "1x2"])
        // Its entry has another number now.
        player.finger(.move, 6, 14)
        player.finger(.up)
        #expect(player.order == ["0x1", "1x2"])
    }

    @Test("under the lock the order stays, and says so")
    func locked() {
        var player = Player.withSong([100, 110], [(0, 1), (1, 2)], mode: .one)
        player.openSong()
        player.send(.lock(true))
        player.slide((1, 9), (1, 14))
        player.tap(.spot(.songRepeats(0)))
        player.cross(1300)
        #expect(player.order == ["0x1", "1x2"] && player.tooltip == "LOCKED")
    }
}
