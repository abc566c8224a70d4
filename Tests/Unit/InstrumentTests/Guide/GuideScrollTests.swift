import InputEvents
import Display
import TestSupport
import Testing

@testable import Instrument

@Suite("Scrolling the guide")
struct GuideScrollTests {
    static let content = Contents.coded(channels: 12, days: Contents.today - 400..<Contents.today + 1)

    private func player() -> GuidePlayer {
        var player = GuidePlayer(Self.content)
        // Scroll to the middle, away from the edges.
        player.guide.across.drag(to: 15)
        player.guide.down.drag(to: 1200)
        return player
    }

    @Test("the grid moves both ways, the header across, the rail down")
    func axes() {
        let cases: [(column: Float, row: Float, across: Double, down: Double)] = [
            (20, 12, -4, -3), (20, 2, -4, 0), (4, 12, 0, -3),
        ]
        for (column, row, across, down) in cases {
            var player = player()
            player.finger(.down, column, row)
            player.finger(.move, column + 4, row + 3)
            #expect(player.offset.across == 15 + across)
            #expect(player.offset.down == 1200 + down)
        }
    }

    @Test("a throw decays with a time constant of 325 ms and settles on a cell ahead")
    func throwing() {
        var player = player()
        player.drag((4, 20), (4, 8), milliseconds: 100)
        let lift = player.now
        let from = player.offset.down
        #expect(abs(from - 1212) < 0.001)
        // 120 LEDs a second.
        for (milliseconds, part) in [(0, 0.0), (100, 0.264877), (200, 0.459594), (325, 0.632121), (500, 0.785316)] {
            player.now = lift + .milliseconds(Int64(milliseconds))
            #expect(abs(player.offset.down - (from + 120 * 0.325 * part)) < 0.01)
        }
        var last = from
        for milliseconds in 0..<1200 {
            player.now = lift + .milliseconds(Int64(milliseconds))
            #expect(player.offset.down >= last)
            last = player.offset.down
        }
        // It moves 39 LEDs, to 1251: the nearest cell is at 1248 or 1254.
        #expect(player.offset.down == 1254 || player.offset.down == 1248)
        #expect(!player.guide.isMoving(at: player.now))
    }

    @Test("a drag that ends at rest settles on the nearest cell within 150 ms")
    func settling() {
        var player = player()
        player.finger(.down, 20, 20)
        player.wait(50)
        player.finger(.move, 18, 16)
        player.wait(300)
        player.finger(.up, 18, 16)
        #expect(player.guide.isMoving(at: player.now))
        player.wait(150)
        #expect(!player.guide.isMoving(at: player.now))
        #expect(player.offset.across == 15)
        #expect(player.offset.down == 1206)
    }

    @Test("the edges stop it, and a finger that went beyond keeps its place when it returns")
    func edges() {
        var player = player()
        player.drag((14, 8), (38, 22), milliseconds: 30)
        player.wait(1500)
        #expect(player.offset.across == 0)
        player.finger(.down, 14, 10)
        player.finger(.move, 34, 10)
        #expect(player.offset.across == 0)
        player.finger(.move, 20, 10)
        #expect(player.offset.across == 0)
        player.finger(.move, 12, 10)
        #expect(player.offset.across == 2)
    }

    @Test("content smaller than the view does not move")
    func small() {
        var player = GuidePlayer(Contents.coded(channels: 3, days: Contents.today - 1..<Contents.today + 1))
        player.drag((30, 20), (13, 7), milliseconds: 40)
        for _ in 0..<30 {
            player.wait(30)
            #expect(player.offset.across == 0 && player.offset.down == 0)
        }
    }

    @Test("the same motion throws equally far at any report rate", arguments: 1...20 as ClosedRange<UInt64>)
    func reportRate(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let from = (Float.random(in: 13...38, using: &random), Float.random(in: 7...22, using: &random))
        let to = (Float.random(in: 13...38, using: &random), Float.random(in: 7...22, using: &random))
        let milliseconds = Int64.random(in: 40...400, using: &random)
        var rests: [(across: Double, down: Double)] = []
        for interval in [1, 2, 5, 8, 16, 33, 100] as [Int64] {
            var player = player()
            player.drag(from, to, milliseconds: milliseconds, interval: interval)
            player.wait(3000)
            rests.append(player.offset)
        }
        for rest in rests {
            #expect(rest.across == rests[0].across && rest.down == rests[0].down, "seed \(seed): \(rests)")
        }
    }

    @Test("a decelerating flick throws nearly equally far at any report rate")
    func slowingFlick() {
        var goals: [Double] = []
        for interval in [1, 4, 10, 20, 100] as [Int64] {
            var player = player()
            player.finger(.down, 4, 22)
            let start = player.now
            for time in stride(from: interval, through: 200, by: Int(interval)) {
                player.now = start + .milliseconds(time)
                // Decelerating, but not at rest at its end.
                let part = Float(time) / 200
                player.finger(time == 200 ? .up : .move, 4, 22 - 14 * (1.6 * part - 0.6 * part * part))
            }
            player.wait(3000)
            goals.append(player.offset.down)
        }
        #expect((goals.max() ?? 0) - (goals.min() ?? 0) <= 6, "\(goals)")
        #expect((goals.min() ?? 0) > 1214)
    }

    @Test("the rate of advancing and drawing has no effect", arguments: 1...12 as ClosedRange<UInt64>)
    func advanceRate(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var (often, seldom) = (player(), player())
        for _ in 0..<25 {
            let from = (Float.random(in: 0...43, using: &random), Float.random(in: 0...23, using: &random))
            let to = (Float.random(in: 0...43, using: &random), Float.random(in: 0...23, using: &random))
            let stays = Bool.random(using: &random)
            let held = Int64.random(in: 10...1500, using: &random)
            let rest = Int64.random(in: 1...900, using: &random)
            func stroke(_ player: inout GuidePlayer, step: Int64) {
                player.finger(.down, from.0, from.1)
                pass(&player, held, step)
                let end = stays ? from : to
                player.finger(.move, end.0, end.1)
                pass(&player, 7, step)
                player.finger(.up, end.0, end.1)
                pass(&player, rest, step)
            }
            stroke(&often, step: 3)
            stroke(&seldom, step: .max)
            seldom.guide.advance(to: seldom.now, into: &seldom.acts)
            #expect(often.now == seldom.now)
            #expect(often.frame() == seldom.frame(), "seed \(seed)")
            #expect(often.acts == seldom.acts, "seed \(seed)")
        }
    }

    /// Lets `milliseconds` pass; the guide advances every `step`.
    private func pass(_ player: inout GuidePlayer, _ milliseconds: Int64, _ step: Int64) {
        let end = player.now + .milliseconds(milliseconds)
        while step < milliseconds, player.now + .milliseconds(step) < end {
            player.wait(step)
            _ = player.frame()
        }
        player.now = end
    }

    @Test("a second finger does not disturb the first")
    func secondFinger() {
        var player = player()
        player.finger(.down, 20, 12)
        player.finger(.move, 20, 10)
        player.finger(.down, 30, 20, contact: 1)
        player.finger(.move, 14, 8, contact: 1)
        #expect(player.offset.across == 15 && player.offset.down == 1202)
        player.finger(.up, 14, 8, contact: 1)
        player.finger(.move, 20, 8)
        #expect(player.offset.across == 15 && player.offset.down == 1204)
        player.tap(.target(.play))
        #expect(player.acts == [.pressPlay])
    }

    @Test("a touch scrolls to today")
    func jump() {
        var player = player()
        player.finger(.down, .target(.today))
        player.finger(.up)
        let start = player.offset.down
        player.wait(150)
        #expect(player.offset.down > start && player.offset.down < player.guide.down.limit)
        player.wait(150)
        #expect(player.offset.down == player.guide.down.limit)
    }

    @Test("turning keeps the first day and the first channel in place")
    func turning() {
        var player = player()
        player.tap(.target(.turn))
        #expect(player.guide.isTurned)
        #expect(player.offset.across == 200 * 8)
        #expect(player.offset.down == 3 * 6)
        player.tap(.target(.turn))
        #expect(player.offset.across == 15 && player.offset.down == 1200)
    }

    // MARK: New content

    @Test("new content appears without a jump, even under a finger and during a throw")
    func newContent() {
        let older = Contents.coded(channels: 12, days: Contents.today - 430..<Contents.today + 5)
        for isHeld in [true, false] {
            var player = player()
            if isHeld {
                player.finger(.down, 20, 12)
                player.finger(.move, 21.25, 14.5)
            } else {
                player.drag((4, 8), (4, 20), milliseconds: 60)
                player.wait(100)
            }
            // The days' codes count from the first: compare their positions.
            let before = player.offset
            player.guide.show(older, at: player.now)
            #expect(abs(player.offset.down - (before.down + 30 * 6)) < 0.0001)
            #expect(player.offset.across == before.across)
            if isHeld {
                player.finger(.move, 21.25, 15.5)
                #expect(abs(player.offset.down - (before.down + 30 * 6 - 1)) < 0.0001)
            } else {
                #expect(player.guide.isMoving(at: player.now))
                var still = self.player()
                still.drag((4, 8), (4, 20), milliseconds: 60)
                still.wait(3000)
                player.wait(2900)
                #expect(abs(player.offset.down - still.offset.down - 30 * 6) <= 6)
            }
        }
    }

    @Test("a channel that moves moves the view")
    func movedChannel() {
        var player = player()
        let fewer = GuideContent(
            source: .library, channels: Array(Self.content.channels.dropFirst(2)), days: Self.content.days,
            today: Contents.today, placed: [])
        player.guide.show(fewer, at: player.now)
        #expect(player.offset.across == 5)
    }

    @Test("the selection follows its entry, and disappears with it")
    func selection() {
        var player = GuidePlayer(Contents.listings(count: 2))
        player.tap(.cell(0))
        #expect(player.guide.selected == 1)
        let entry = GuideContent.Entry(id: 1, title: "SHOW 1", look: .initials(GuideInitials(title: "SHOW 1")))
        let moved = GuideContent(
            source: .listings, channels: Contents.channels(3), days: Contents.today - 3..<Contents.today + 3,
            today: Contents.today, placed: [GuideContent.Placed(channel: 2, day: Contents.today - 1, entry: entry)])
        player.guide.show(moved, at: player.now)
        #expect(player.guide.selection == Guide.Selection(channel: 2, day: Contents.today - 1, entry: 1))
        player.guide.show(GuideContent(emptyFrom: .listings, today: Contents.today), at: player.now)
        #expect(player.guide.selected == nil)
    }
}
