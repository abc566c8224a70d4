import Display
import TestSupport
import Testing

@testable import Instrument

@Suite("The three views of the guide")
struct GuideViewsTests {
    @Test("always agree, for any touches, and stay within the edges", arguments: 1...12 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let days = Contents.today - Int.random(in: 0...100, using: &random)..<Contents.today + 1
        let channels = Int.random(in: 1...12, using: &random)
        var player = GuidePlayer(Contents.coded(channels: channels, days: days), isTurned: seed % 2 == 0)
        var compared = 0
        for _ in 0..<60 {
            act(&player, &random)
            for _ in 0..<6 {
                player.wait(.random(in: 1...90, using: &random))
                let (across, down) = (player.guide.across, player.guide.down)
                #expect((0...across.limit).contains(player.offset.across), "seed \(seed)")
                #expect((0...down.limit).contains(player.offset.down), "seed \(seed)")
                compared += compare(player, seed)
            }
        }
        #expect(compared > 1000, "seed \(seed): too few cells were seen whole")
    }

    private func act(_ player: inout GuidePlayer, _ random: inout SplitMix) {
        func place(_ random: inout SplitMix) -> (Float, Float) {
            (.random(in: 0...39, using: &random), .random(in: 0...23, using: &random))
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: player.tap(.target(.turn))
        case 1: player.tap(.target(.today))
        case 2:
            let place = place(&random)
            player.finger(.down, place.0, place.1)
            player.finger(.cancel, place.0, place.1)
        case 3:
            let place = place(&random)
            // Not on the corner, and shorter than a hold.
            player.tap(max(place.0, 12), place.1, held: .random(in: 10...500, using: &random))
            player.guide.caption = nil
            if player.guide.showsCard { player.tap(1, 1) }
        default:
            player.drag(place(&random), place(&random), milliseconds: .random(in: 30...500, using: &random))
            if player.guide.showsCard { player.tap(1, 1) }
        }
        player.guide.caption = nil
    }

    /// Finds the whole cells in the frame's grid, and compares their colours with the header and the rail in line with
    /// them. Returns the number of cells.
    private func compare(_ player: GuidePlayer, _ seed: UInt64) -> Int {
        let (guide, frame) = (player.guide, player.frame())
        if guide.fingers.contains(where: { guide.isTouched($0.target) && !$0.target.scrolls }) { return 0 }
        let days = guide.content.days
        let width = guide.isTurned ? 7 : 4
        var compared = 0
        for x in 12...39 - width {
            for y in 6...19 {
                // A cell begins where its tracks do, and ends at its gap.
                let notes = (0..<3).compactMap { note(frame[x, y + $0]) }
                guard notes.count == 3, frame[x, y + 3] == RGB(0x141414), note(frame[x + width, y]) == nil,
                    (0..<width).allSatisfy({ note(frame[x + $0, y]) == notes[0] })
                else { continue }
                let day = CalendarDate(dayNumber: days.lowerBound + notes[1] + 12 * notes[2]).day
                let (dayText, channelText) = (day < 10 ? "0\(day)" : "\(day)", Contents.names[notes[0]])
                let head = read(frame, x, 0, isNumber: guide.isTurned)
                let side = read(frame, 0, y, isNumber: !guide.isTurned)
                #expect(head == (guide.isTurned ? dayText : channelText), "seed \(seed)")
                #expect(side == (guide.isTurned ? channelText : dayText), "seed \(seed)")
                compared += 1
            }
        }
        return compared
    }

    /// The letter, or the number of two digits, at `x`, `y`.
    private func read(_ frame: Frame, _ x: Int, _ y: Int, isNumber: Bool) -> String? {
        var columns: [UInt8] = []
        for column in 0..<(isNumber ? 7 : 3) {
            columns.append((0..<5).reduce(0) { $0 | (frame[x + column, y + $1] == .black ? 0 : 1 << UInt8($1)) })
        }
        return isNumber ? Self.numbers[columns] : Self.letters[columns]
    }

    private static let letters = texts(Contents.names)
    private static let numbers = texts((1...31).map { $0 < 10 ? "0\($0)" : "\($0)" })

    private static func texts(_ texts: [String]) -> [[UInt8]: String] {
        Dictionary(uniqueKeysWithValues: texts.map { (TextLine($0).columns, $0) })
    }

    /// The note of `colour`; nil for none.
    private func note(_ colour: RGB) -> Int? {
        Self.notes[colour]
    }

    private static let notes = Dictionary(
        uniqueKeysWithValues: (0..<12).map { (RGB.black.blended(towards: Palette.note($0, .chromatic), 0.85), $0) })

    @Test("show today with a line through all of them, and its number white", arguments: [false, true])
    func today(isTurned: Bool) {
        let content = Contents.coded(channels: 8, days: Contents.today - 66..<Contents.today + 1)
        let frame = GuidePlayer(content, isTurned: isTurned).frame()
        let blue = RGB(0x2e8bff)
        if isTurned {
            // 28 columns are three and a half days: the last one is cut by the edge.
            for row in 0..<24 { #expect(frame[39, row] == blue) }
            for row in 0..<24 { #expect(frame[38, row] != blue && frame[31, row] != blue) }
        } else {
            for column in 0..<40 { #expect(frame[column, 23] == blue) }
            #expect(!(0..<40).contains { frame[$0, 17] == blue || frame[$0, 11] == blue })
        }
        // 21: the 2 ends with three lit LEDs.
        let (x, y) = isTurned ? (32, 4) : (0, 22)
        for column in x..<x + 3 { #expect(frame[column, y] == .white) }
        let (otherX, otherY) = isTurned ? (24, 4) : (0, 16)
        for column in otherX..<otherX + 3 { #expect(frame[column, otherY] == RGB(0x6a6a6a)) }
    }

    @Test("show a cell as four rows of its slices and a dot for each older one; an empty cell as a shadow")
    func cells() {
        var pattern = Pattern()
        pattern[.melody, note: 4, step: 0] = .accent
        pattern[.bass, note: 7, step: 8] = .normal
        pattern[.bass, note: 7, step: 9] = .sustain
        for step in 24..<32 { pattern[.rhythm, note: 0, step: step] = .sustain }
        let entries = (0..<3).map {
            GuideContent.Entry(id: Int64($0), title: "T", look: .thumbnail(GuideThumbnail(pattern)))
        }
        let placed = entries.map { GuideContent.Placed(channel: 0, day: Contents.today, entry: $0) }
        let content = GuideContent(
            source: .library, channels: Contents.channels(2), days: Contents.today..<Contents.today + 1,
            today: Contents.today, placed: placed)
        let frame = GuidePlayer(content).frame()
        func struck(_ note: Int) -> RGB { RGB.black.blended(towards: Palette.note(note, .chromatic), 0.85) }
        let none = RGB(0x141414)
        #expect((12..<16).map { frame[$0, 6] } == [struck(4), none, none, none])
        #expect((12..<16).map { frame[$0, 7] } == [none, none, none, none])
        #expect((12..<16).map { frame[$0, 8] } == [none, struck(7), none, none])
        let held = RGB.black.blended(towards: Palette.note(0, .chromatic), 0.3)
        #expect((12..<16).map { frame[$0, 9] } == [none, none, none, held])
        let dot = RGB(0x9a9a9a)
        #expect((12..<16).map { frame[$0, 10] } == [dot, dot, .black, .black])
        // Today's cell is where a pattern can be created.
        #expect((17..<21).map { frame[$0, 8] } == [.black, RGB(0x484848), RGB(0x484848), .black])
        // Three that day: three dots from the bottom up.
        #expect((6..<11).map { frame[9, $0] == RGB(0x545454) } == [false, false, true, true, true])
    }

    @Test("name the month of the first visible day, blue if it is the current one")
    func month() {
        let content = Contents.coded(channels: 8, days: Contents.today - 66..<Contents.today + 1)
        var player = GuidePlayer(content)
        let blue = RGB.black.blended(towards: RGB(0x2e8bff), 0.72)
        #expect(month(player.frame()) == 9)
        #expect(monthColours(player.frame()) == [blue])
        // A touch shows the month and the year.
        player.tap(.target(.month))
        #expect(player.guide.caption?.line.text == "SEP 2026" && player.acts.isEmpty)
        // Twenty days back, day by day.
        for _ in 0..<20 {
            player.drag((4, 10), (4, 16), milliseconds: 1000)
            player.wait(1000)
        }
        #expect(month(player.frame()) == 8)
        #expect(monthColours(player.frame()) == [RGB(0xc8c8c8)])
    }

    private func monthColours(_ frame: Frame) -> Set<RGB> {
        Set((4..<11).flatMap { column in (0..<5).map { frame[column, $0] } }).subtracting([.black])
    }

    @Test("show the month whole: its three letters pass by beside the corner", arguments: 1...12)
    func wholeMonth(month: Int) {
        let day = CalendarDate(year: 2026, month: month, day: 28).dayNumber
        var player = GuidePlayer(Contents.coded(channels: 8, days: day - 9..<day + 1))
        let name = CalendarDate(year: 2026, month: month, day: 28).monthName
        // Each window of seven columns is seen, from the first to the last.
        var seen: Set<Int> = []
        for _ in 0..<400 {
            let place = place(of: name, in: player.frame())
            #expect(place != nil, "\(name)")
            if let place { seen.insert(place) }
            player.wait(10)
        }
        #expect(seen == Set(0...TextLine(name).width - 7), "\(name)")
    }

    /// The month of which the first letters stand beside the corner.
    private func month(_ frame: Frame) -> Int? {
        (1...12).first { place(of: CalendarDate(year: 2026, month: $0, day: 1).monthName, in: frame) != nil }
    }

    /// The column of `name` that is the first beside the corner; nil if no part of it stands there.
    private func place(of name: String, in frame: Frame) -> Int? {
        let columns = TextLine(name).columns
        let shown = (4..<11).map { column in
            (0..<5).reduce(UInt8(0)) { $0 | (frame[column, $1] == .black ? 0 : 1 << UInt8($1)) }
        }
        return (0...columns.count - 7).first { Array(columns[$0..<$0 + 7]) == shown }
    }

    @Test("close by the same corner as every sheet: an arrow, and a bar below it")
    func corner() {
        let content = Contents.coded(channels: 8, days: Contents.today - 66..<Contents.today + 1)
        var player = GuidePlayer(content)
        #expect(shows("<", player.frame(), column: 0))
        #expect((0..<5).map { player.frame()[$0, 5] == Palette.library } == [true, true, true, true, false])
        player.tap(.target(.month))
        #expect(player.acts.isEmpty)
        player.tap(.target(.close))
        #expect(player.acts == [.show(.grid)])
    }

    @Test("content of another source begins at today; new content of the same source stays where it is")
    func sources() {
        let days = Contents.today - 66..<Contents.today + 1
        var player = GuidePlayer(Contents.coded(channels: 12, days: days))
        let home = player.offset
        for _ in 0..<3 { player.drag((30, 10), (16, 20), milliseconds: 500) }
        player.wait(2000)
        player.tap(.cell(6, daysAgo: 7))
        let moved = player.offset
        #expect(moved.across > home.across && moved.down < home.down && player.guide.selected != nil)
        player.guide.show(Contents.coded(channels: 12, days: days), at: player.now)
        #expect(player.offset == moved && player.guide.selected != nil)
        player.guide.show(Contents.coded(channels: 12, days: days, source: .listings), at: player.now)
        #expect(player.offset == home && player.guide.selected == nil && player.guide.caption == nil)
    }

    @Test(
        "titles in cells are legible on black, also watched ones, which are darker",
        arguments: ["AI", "AB", "OZ", "GO"])
    func initials(start: String) {
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
            for other in "AEKP19 " {
                let initials = GuideInitials(title: "\(start)\(letter)\(other)")
                let (bright, dim) = (initials.colour(isWatched: false), initials.colour(isWatched: true))
                func contrast(_ colour: RGB) -> Double {
                    TestSupport.contrast((colour.red, colour.green, colour.blue), (0, 0, 0))
                }
                func lightness(_ colour: RGB) -> Double {
                    ColourScience.lab(ColourScience.linear(colour.red, colour.green, colour.blue)).x
                }
                #expect(contrast(bright) >= 4.5 && contrast(dim) >= 3, "\(start)\(letter)\(other)")
                #expect(lightness(bright) - lightness(dim) >= 10, "\(start)\(letter)\(other)")
            }
        }
    }

    @Test("are the same beside the menu of a wider panel", arguments: [false, true])
    func origin(showsCard: Bool) {
        for content in [
            Contents.coded(channels: 8, days: Contents.today - 66..<Contents.today + 1), Contents.listings(count: 3),
        ] {
            for isTurned in [false, true] {
                var player = GuidePlayer(content, isTurned: isTurned)
                player.tap(14, 14)
                if showsCard { player.tap(.target(.mark)) }
                #expect(player.guide.showsCard == (showsCard && player.guide.selected != nil))
                player.finger(.down, 42, 8)
                let frame = player.frame()
                var wide = Frame(columns: 50, rows: 24)
                wide.fill(RGB(0x123456))
                player.guide.draw(into: &wide, origin: 6, at: player.now, isPlaying: false)
                for row in 0..<24 {
                    for column in 0..<44 { #expect(wide[column + 6, row] == frame[column, row]) }
                    for column in 0..<6 { #expect(wide[column, row] == RGB(0x123456)) }
                }
            }
        }
    }

    @Test("draw content of any size", arguments: [0, 1, 3, 12], [0, 1, 2, 67, 3000])
    func sizes(channels: Int, days: Int) {
        let content = Contents.coded(channels: channels, days: Contents.today - days..<Contents.today)
        for isTurned in [false, true] {
            var player = GuidePlayer(content, isTurned: isTurned)
            let drags: [(column: Float, row: Float, across: Float, down: Float)] = [
                (38, 22, -25, -15), (13, 7, 25, 15), (2, 20, 0, -12), (14, 2, 22, 0),
            ]
            for (column, row, across, down) in drags {
                player.drag((column, row), (column + across, row + down), milliseconds: 60)
                for _ in 0..<20 {
                    player.wait(50)
                    #expect(player.frame()[42, 8] != RGB.white)
                }
                for column in stride(from: Float(0), to: 44, by: 5) {
                    player.tap(column, 8)
                    player.tap(column, 22)
                    if player.guide.showsCard { player.tap(.target(.back)) }
                }
            }
            let isEmpty = channels == 0 || days == 0
            #expect((player.guide.selected == nil) || !isEmpty)
        }
    }
}
