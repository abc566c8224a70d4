import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

@Suite("The sound that was just heard")
struct TakeSheetTests {
    /// Frames of a beat.
    private static let beat: UInt64 = 24_000

    /// A player who heard `bars` bars of `beats` beats, from `frame` on.
    private static func heard(_ bars: Int, beats: Int = 4, from frame: UInt64 = 72) -> Player {
        var player = Player()
        player.hear(bars, beats: beats, from: frame)
        return player
    }

    /// The same on the sheet.
    private static func sheet(_ bars: Int) -> Player {
        var player = heard(bars)
        player.tap(.spot(.takeLight))
        return player
    }

    private static func span(_ first: Int, _ count: Int) -> TakeSpan {
        let begin = 72 + 4 * beat * UInt64(first)
        return TakeSpan(begin: begin, end: begin + 4 * beat * UInt64(count))
    }

    @Test("bars are counted only to their end, without a pause, and while they are remembered")
    func bars() {
        var bars = HeardBars()
        func add(_ begin: UInt64, _ end: UInt64, endsBar: Bool = false, oldest: UInt64 = 0) {
            let isBar = bars.add(HeardBeat(begin: begin, end: end, peak: 1, endsBar: endsBar, oldest: oldest))
            #expect(isBar == endsBar)
        }
        #expect(bars.span(of: 1, back: 0) == nil)
        add(0, 10)
        add(10, 20, endsBar: true)
        #expect(bars.span(of: 1, back: 0) == TakeSpan(begin: 0, end: 20))
        #expect(bars.span(of: 2, back: 0) == nil)
        // Stopped within a bar; the next one begins later.
        add(20, 30)
        add(50, 60)
        add(60, 70, endsBar: true)
        #expect(bars.span(of: 1, back: 0) == TakeSpan(begin: 50, end: 70))
        #expect(bars.span(of: 2, back: 0) == nil)
        #expect(bars.span(of: 1, back: 1) == TakeSpan(begin: 0, end: 20))
        #expect(bars.span(of: 1, back: 2) == nil)
        add(70, 90, endsBar: true)
        #expect(bars.span(of: 2, back: 0) == TakeSpan(begin: 50, end: 90))
        #expect(bars.span(of: 1, back: 1) == TakeSpan(begin: 50, end: 70))
        add(90, 100, endsBar: true, oldest: 51)
        #expect(bars.count(upTo: 8, back: 0) == 2)
        #expect(bars.bars.map(\.span.begin) == [70, 90])
    }

    @Test("the light is dark until a bar was heard; a tap opens the sheet, and the chain beside it is as before")
    func light() {
        var player = Player()
        #expect(player.led(42, 23) == player.led(41, 23))
        player.hear(1)
        #expect(player.led(42, 23) == Palette.library)
        #expect(player.led(43, 22) == .black.blended(towards: Palette.library, 0.3))
        player.tap(.chain)
        #expect(player.instrument.state.session.sceneMode == .chain)
        player.tap(.spot(.takeLight))
        #expect(player.instrument.state.view.screen == .take(TakeSheet()))
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .grid)
        var phone = Player.phone
        phone.hear(1)
        #expect(phone.led(42, 23) == Player.phone.led(42, 23))
        phone.tap(42, 22)
        #expect(phone.instrument.state.session.sceneMode == .chain)
    }

    @Test(
        "a hold of 600 ms keeps the last four bars, or the most that there are",
        arguments: [(1, 1), (2, 2), (3, 2), (5, 4), (9, 4)])
    func hold(bars: Int, kept: Int) {
        var player = Self.heard(bars)
        player.finger(.down, .spot(.takeLight))
        player.wait(590)
        #expect(player.effects == [])
        #expect(player.led(42, 23) == .white)
        player.wait(20)
        #expect(player.effects == [.job(.keepTake(Self.span(bars - kept, kept)))])
        player.finger(.up)
        player.wait(100)
        #expect(player.instrument.state.view.screen == .grid)
        #expect(player.led(42, 22) == .white)
        player.send(.notice(.tookTake(12)))
        #expect(player.tooltip == "TAKE 12")
        #expect(player.led(42, 22) != .white)
    }

    @Test("without a bar it says so, and while one is being saved nothing else is")
    func refused() {
        var player = Player()
        player.finger(.down, .spot(.takeLight))
        player.wait(610)
        #expect(player.tooltip == "NO BAR YET")
        #expect(player.effects == [])
        player = Self.sheet(4)
        player.tap(.spot(.saveTake))
        player.tap(.spot(.saveTake))
        #expect(player.effects.count == 1)
        player.send(.notice(.noRoomForTake))
        #expect(player.tooltip == "NO ROOM")
        player.tap(.spot(.saveTake))
        #expect(player.effects.count == 2)
    }

    @Test("each LED belongs to its button")
    func places() {
        let player = Self.sheet(8)
        let spots: [(Float, Float, Spot?)] = [
            (2, 2, .back), (42, 2, .play), (4, 7, .takeWave), (38, 18, .takeWave), (1, 19, .takeLength(1)),
            (7, 23, .takeLength(2)), (13, 21, .takeLength(4)), (23, 21, .takeLength(8)), (27, 19, .saveTake),
            (34, 23, .saveTake), (38, 21, .slice),
        ]
        for (column, row, spot) in spots {
            #expect(player.instrument.spot(at: Position(column: column, row: row)) == spot, "\(column), \(row)")
        }
    }

    @Test("a number chooses the bars, a drag goes back by bars, and SAVE keeps those between the posts")
    func choice() {
        var player = Self.sheet(20)
        player.tap(.spot(.takeLength(1)))
        player.tap(.spot(.saveTake))
        player.send(.notice(.tookTake(1)))
        // Two bars of columns to the right.
        player.drag(from: .spot(.takeWave, column: 10), to: .spot(.takeWave, column: 18))
        let screen = player.instrument.state.view.screen
        guard case .take(let sheet) = screen else {
            Issue.record("no take sheet")
            return
        }
        #expect(sheet.screen == screen)
        player.tap(.spot(.takeLength(8)))
        player.tap(.spot(.saveTake))
        player.send(.notice(.tookTake(2)))
        player.drag(from: .spot(.takeWave, column: 4), to: .spot(.takeWave, column: 38))
        player.drag(from: .spot(.takeWave, column: 4), to: .spot(.takeWave, column: 38))
        player.drag(from: .spot(.takeWave, column: 4), to: .spot(.takeWave, column: 38))
        player.tap(.spot(.saveTake))
        #expect(
            player.effects == [
                .job(.keepTake(Self.span(19, 1))), .job(.keepTake(Self.span(10, 8))), .job(.keepTake(Self.span(0, 1))),
            ])
        #expect(player.tooltip == nil || player.tooltip == "SAVE")
    }

    @Test("SLICE cuts the chosen bars by their steps, or held where sounds begin")
    func slice() {
        var player = Self.sheet(20)
        player.tap(.spot(.slice))
        player.tap(.spot(.takeLength(1)))
        player.finger(.down, .spot(.slice))
        player.wait(610)
        player.finger(.up)
        #expect(
            player.effects == [
                .job(.slice(Self.span(16, 4), .steps(64))), .job(.slice(Self.span(19, 1), .onsets)),
            ])
        player.send(.sliced(SliceKit(soundName("LOOP"), [0..<500_000, 500_000..<1_000_000])))
        #expect(player.instrument.state.view.screen == .kit(KitSheet(pad: 0)))
    }

    @Test("the place is said in bars while it is dragged")
    func word() {
        var player = Self.sheet(20)
        player.finger(.down, .spot(.takeWave, column: 10))
        player.wait(20)
        player.finger(.move, .spot(.takeWave, column: 14))
        #expect(player.tooltip == "-1 BAR")
        player.finger(.move, .spot(.takeWave, column: 22))
        #expect(player.tooltip == "-3 BARS")
        player.finger(.move, .spot(.takeWave, column: 10))
        #expect(player.tooltip == "NOW")
    }

    @Test("the waveform stays where it is while new bars are heard, unless it shows the last ones")
    func stays() {
        var player = Self.sheet(20)
        player.drag(from: .spot(.takeWave, column: 10), to: .spot(.takeWave, column: 18))
        let frame = player.frame()
        player.hear(1, from: 72 + 80 * Self.beat)
        #expect(player.frame() == frame)
        player.tap(.spot(.saveTake))
        #expect(player.effects.last == .job(.keepTake(Self.span(14, 4))))
        player = Self.sheet(20)
        player.hear(1, from: 72 + 80 * Self.beat)
        player.tap(.spot(.saveTake))
        #expect(player.effects.last == .job(.keepTake(Self.span(17, 4))))
    }

    @Test("a finger that rests on the waveform hears it from there until it lifts: the chosen bars again and again")
    func hearing() {
        var player = Self.sheet(20)
        // The second beat of the sixth of eight bars: the second of the four chosen.
        player.finger(.down, Float(column(21)), 12)
        player.wait(390)
        #expect(player.instrument.state.takes.hearing == nil)
        player.wait(20)
        var hearing = player.instrument.state.takes.hearing
        #expect(hearing?.from == 72 + (12 + 5) * 4 * Self.beat + Self.beat)
        #expect(hearing?.loop == Self.span(16, 4))
        // New bars do not move the waveform under the finger.
        player.hear(2, from: 72 + 80 * Self.beat)
        #expect(player.instrument.state.takes.hearing == hearing)
        player.finger(.up, Float(column(21)), 12)
        #expect(player.instrument.state.takes.hearing == nil)
        player.tap(.spot(.saveTake))
        #expect(player.effects.last == .job(.keepTake(Self.span(18, 4))))

        player = Self.sheet(20)
        player.finger(.down, .spot(.takeWave, column: 4))
        player.wait(410)
        hearing = player.instrument.state.takes.hearing
        #expect(hearing?.from == 72 + 12 * 4 * Self.beat)
        #expect(hearing?.loop == nil)
        player.finger(.cancel)
        #expect(player.instrument.state.takes.hearing == nil)
    }

    @Test("bars that were not heard cannot be chosen: their numbers and columns are dark")
    func missing() {
        let player = Self.sheet(3)
        let dark = RGB(0x262626)
        // 4 and 2.
        #expect(player.led(15, 19) == dark)
        #expect(player.led(7, 23) == .white)
        for step in 0..<20 { #expect(player.led(column(step), 12) == .black) }
        for step in 20..<32 { #expect(player.led(column(step), 12) != .black) }
        #expect(shows("2 BARS", player.quiet, column: 6))
    }

    @Test("the columns of a take turn white from left to right as it is written")
    func written() {
        var player = Self.sheet(8)
        player.finger(.down, .spot(.saveTake))
        player.finger(.up)
        player.wait(200)
        #expect(player.led(column(16), 12) == .white)
        #expect(player.led(column(31), 12) == Palette.library)
        player.wait(5000)
        #expect(player.led(column(30), 12) == .white)
        #expect(player.led(column(31), 12) == Palette.library)
        player.send(.notice(.tookTake(3)))
        #expect(player.led(column(31), 12) == .white)
        player.wait(400)
        #expect(player.led(column(16), 12) == Palette.library)
    }

    @Test("SONG's arrow opens it")
    func song() {
        var player = Self.heard(4)
        player.tap(.handle)
        player.tap(.menu(.song))
        player.tap(.spot(.openTake))
        #expect(player.instrument.state.view.screen == .take(TakeSheet()))
    }
}

extension Player {
    /// The frame without a tooltip.
    fileprivate var quiet: Frame {
        var quiet = self
        quiet.instrument.state.view.tooltip = nil
        return quiet.frame()
    }

    /// Hears `bars` bars, from the output's `frame` on.
    fileprivate mutating func hear(_ bars: Int, beats: Int = 4, from frame: UInt64 = 72) {
        for number in 0..<(bars * beats) {
            let begin = frame + UInt64(number) * 24_000
            send(
                .beat(
                    HeardBeat(
                        begin: begin, end: begin + 24_000, peak: 9000 + 100 * (number % 4),
                        endsBar: number % beats == beats - 1, oldest: 0)))
        }
    }
}
