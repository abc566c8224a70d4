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

    @Test("every glyph is five rows high and three columns wide, except . : ! with one")
    func glyphs() {
        for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .:-+/!?><=%#~♯♭▶■✓←" {
            #expect(Font.draws(character), "\(character)")
            #expect(Font.columns(of: character).count == (".:!".contains(character) ? 1 : 3), "\(character)")
            #expect(Font.columns(of: character).allSatisfy { $0 < 32 }, "\(character)")
        }
    }

    @Test("no two glyphs are equal")
    func distinct() {
        let all = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .:-+/!?><=%#~♯♭▶■✓←")
        #expect(Set(all.map(Font.columns)).count == all.count)
    }

    @Test(
        "the width of text is that of its glyphs and gaps",
        arguments: [
            ("", 0), ("A", 3), ("120 BPM", 27), ("192.168.1.47", 41), ("CLEAR!", 21), ("ß", 3),
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
