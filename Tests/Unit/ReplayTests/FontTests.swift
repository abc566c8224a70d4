import Display
import Formats
import Foundation
import TestSupport
import Testing

/// The table of the font's glyphs, `docs/font.png`. `make pictures` regenerates it.
@Suite("The picture of the font")
struct FontTests {
    private static let file = Checkout.url("docs/font.png")

    /// Glyphs in a line, and LEDs from one glyph to the next.
    private static let across = 10
    private static let (columns, rows) = (7, 7)

    private var table: Frame {
        let lines = (Font.characters.count + Self.across - 1) / Self.across
        var frame = Frame(columns: Self.across * Self.columns + 1, rows: lines * Self.rows + 1)
        for (place, character) in Font.characters.enumerated() {
            TextLine(String(character)).draw(
                into: &frame, column: 1 + place % Self.across * Self.columns, row: 1 + place / Self.across * Self.rows,
                colour: .white)
        }
        return frame
    }

    @Test("shows every glyph as the font draws it")
    func picture() throws {
        let made = Picture.portrait(table, pitch: 10)
        if ProcessInfo.processInfo.environment["PIXELBOOP_PICTURES"] != nil { try Data(made).write(to: Self.file) }
        let kept = try #require(PNGImage(Array(try Data(contentsOf: Self.file))))
        let isSame = kept == PNGImage(made)
        #expect(isSame, "if that is right: make pictures")
    }
}
