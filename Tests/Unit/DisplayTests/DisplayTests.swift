import Testing

@testable import Display

@Suite("The display model")
struct DisplayTests {
    @Test(
        "hsl gives CSS's colours",
        arguments: [
            (0, 1, 0.5, 0xff0000), (120, 1, 0.5, 0x00ff00), (240, 1, 0.5, 0x0000ff), (60, 1, 0.5, 0xffff00),
            (360, 1, 0.5, 0xff0000),
            (-60, 1, 0.5, 0xff00ff), (210, 0.7, 0.5, 0x2680d9), (0, 0, 0.5, 0x808080),
        ] as [(Float, Float, Float, UInt32)])
    func hsl(hue: Float, saturation: Float, lightness: Float, hex: UInt32) {
        let (shown, should) = (RGB.hsl(hue, saturation, lightness), RGB(hex))
        #expect(abs(Int(shown.red) - Int(should.red)) <= 1)
        #expect(abs(Int(shown.green) - Int(should.green)) <= 1)
        #expect(abs(Int(shown.blue) - Int(should.blue)) <= 1)
    }

    @Test("a blend is exact at its ends and rounds to nearest")
    func blend() {
        let (black, colour) = (RGB(0x0a0a0a), RGB(0xff4500))
        #expect(black.blended(towards: colour, 0) == black)
        #expect(black.blended(towards: colour, 1) == colour)
        #expect(RGB(0x000000).blended(towards: RGB(0x010305), 0.5) == RGB(0x010203))
    }

    @Test("drawing outside a frame draws nothing")
    func outside() {
        var frame = Frame(columns: 3, rows: 2)
        let before = frame
        for (column, row) in [(-1, 0), (3, 0), (0, -1), (0, 2)] {
            frame[column, row] = .white
            frame.blend(column, row, towards: .white, 1)
            #expect(frame[column, row] == .black)
        }
        frame.fill(columns: 3..<9, rows: 0..<9, .white)
        #expect(frame == before)
    }

    private static let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .:-+/!?><=%#~♯♭▶■✓←↑↓"

    @Test("every glyph is five rows high and three columns wide, but for one, four and five of some")
    func glyphs() {
        let widths: [(String, Int)] = [(".:!", 1), ("NU", 4), ("MW#↑↓", 5)]
        for character in Self.characters {
            let width = widths.first { $0.0.contains(character) }?.1 ?? 3
            #expect(Font.draws(character), "\(character)")
            #expect(Font.columns(of: character).count == width, "\(character)")
            #expect(Font.columns(of: character).allSatisfy { $0 < 32 }, "\(character)")
        }
    }

    /// Properties of a glyph that an eye sees at a glance.
    private struct Shape: Hashable {
        /// Whether each of the four corners is lit.
        var corners: [Bool] = []
        /// Number of dark fields, the surroundings included.
        var fields = 0
        /// Number of strokes: lit dots that touch edge to edge.
        var strokes = 0
        /// Which of the columns and rows have lit dots.
        var columns: [Bool] = []
        var rows: [Bool] = []

        init(_ glyph: [UInt8]) {
            let width = glyph.count
            func isLit(_ x: Int, _ y: Int) -> Bool {
                (0..<width).contains(x) && (0..<Font.height).contains(y) && glyph[x] >> UInt8(y) & 1 == 1
            }
            corners = [isLit(0, 0), isLit(width - 1, 0), isLit(0, 4), isLit(width - 1, 4)]
            columns = (0..<width).map { glyph[$0] != 0 }
            rows = (0..<Font.height).map { y in (0..<width).contains { isLit($0, y) } }
            // Areas of one kind, with a dark margin around the glyph.
            var seen: Set<[Int]> = []
            for x in -1...width {
                for y in -1...Font.height where !seen.contains([x, y]) {
                    let kind = isLit(x, y)
                    if kind { strokes += 1 } else { fields += 1 }
                    var open = [[x, y]]
                    while let place = open.popLast() {
                        guard (-1...width).contains(place[0]), (-1...Font.height).contains(place[1]),
                            isLit(place[0], place[1]) == kind, seen.insert(place).inserted
                        else { continue }
                        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                            open.append([place[0] + dx, place[1] + dy])
                        }
                    }
                }
            }
        }
    }

    @Test("two glyphs of the same width differ in three dots, or in two that change the shape")
    func distinct() {
        let all = Font.characters
        #expect(Set(all) == Set(Self.characters))
        for (place, first) in all.enumerated() {
            for second in all[..<place] {
                let (one, two) = (Font.columns(of: first), Font.columns(of: second))
                guard one.count == two.count else { continue }
                let dots = zip(one, two).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
                // Glyphs of one column have no shape but their dots.
                let isClear = dots >= 3 || dots == 2 && (one.count == 1 || Shape(one) != Shape(two))
                #expect(isClear, "\(first) and \(second): \(dots)")
            }
        }
    }

    @Test(
        "digits, and letters that were often confused, differ in three dots",
        arguments: ["0123456789", "HK", "VYX", "MW", "NU", "S5", "Z2", "AR", "CG"])
    func clear(_ group: String) {
        for first in group {
            for second in group where second < first {
                let pairs = zip(Font.columns(of: first), Font.columns(of: second))
                #expect(pairs.reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount } >= 3, "\(first) and \(second)")
            }
        }
    }

    @Test(
        "the width of text is that of its glyphs and gaps",
        arguments: [
            ("", 0), ("A", 3), ("120 BPM", 29), ("192.168.1.47", 41), ("CLEAR!", 21), ("ß", 3),
        ])
    func width(text: String, columns: Int) { #expect(TextLine(text).width == columns) }

    @Test("lower case is drawn as capitals, and missing characters as ?")
    func substitutes() {
        #expect(Font.columns(of: "a") == Font.columns(of: "A"))
        #expect(Font.columns(of: "ø") == Font.columns(of: "?"))
    }

    @Test("text is drawn at its place, within its clip")
    func drawing() {
        var frame = Frame(columns: 12, rows: 6)
        TextLine("IT").draw(into: &frame, column: 1, row: 1, colour: .white, clip: 0..<7)
        let picture = (0..<6).map { row in String((0..<12).map { frame[$0, row] == .white ? "#" : "." }) }
        #expect(
            picture == ["............", ".###.##.....", "..#...#.....", "..#...#.....", "..#...#.....", ".###..#....."])
    }
}
