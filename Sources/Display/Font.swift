/// The 3 × 5 pixel font: capitals only. N and U have four columns, and M, W, # and the arrows up and down have five,
/// because three leave no room for a diagonal or a wide curve: where nothing wider fits, such as on a key, these have
/// three too. `.`, `:` and `!` have one. Glyphs are separated by one dark column. Two glyphs of the same width differ
/// in at least three dots, or in two that change the shape: a corner, an enclosed field, a gap between strokes, or the
/// rows and columns that are used.
public enum Font {
    /// Height of a glyph in LEDs.
    public static let height = 5

    /// All characters with a glyph, in order of the font's table.
    public static var characters: [Character] { drawings.map { $0.0 } }

    /// Whether the font has a glyph for `character`.
    public static func draws(_ character: Character) -> Bool { glyphs[character] != nil }

    /// The columns of `character`, left to right, bit 0 at the top. Lower-case letters are drawn as capitals, unknown
    /// characters as `?`.
    public static func columns(of character: Character) -> [UInt8] {
        glyphs[character] ?? character.uppercased().first.flatMap { glyphs[$0] } ?? glyphs["?"] ?? []
    }

    /// The columns of `character` where there is room for three, if it has more.
    static func narrowColumns(of character: Character) -> [UInt8] { narrow[character] ?? columns(of: character) }

    private static let glyphs = glyphs(drawings)
    private static let narrow = glyphs(narrowDrawings)

    private static func glyphs(_ drawings: [(Character, String)]) -> [Character: [UInt8]] {
        var glyphs: [Character: [UInt8]] = [:]
        for (character, art) in drawings {
            let rows = art.split(separator: " ").map(Array.init)
            var columns = [UInt8](repeating: 0, count: rows[0].count)
            for (y, row) in rows.enumerated() {
                for (x, dot) in row.enumerated() where dot == "#" { columns[x] |= 1 << UInt8(y) }
            }
            glyphs[character] = columns
        }
        return glyphs
    }

    private static let drawings: [(Character, String)] = [
        ("A", ".#. #.# ### #.# #.#"),
        ("B", "##. #.# ##. #.# ##."),
        ("C", ".## #.. #.. #.. .##"),
        ("D", "##. #.# #.# #.# ##."),
        ("E", "### #.. ##. #.. ###"),
        ("F", "### #.. ##. #.. #.."),
        ("G", ".## #.. #.# #.# ###"),
        ("H", "#.# #.# ### #.# #.#"),
        ("I", "### .#. .#. .#. ###"),
        ("J", "..# ..# ..# #.# .#."),
        ("K", "#.# ##. #.. ##. #.#"),
        ("L", "#.. #.. #.. #.. ###"),
        ("M", "#...# ##.## #.#.# #...# #...#"),
        ("N", "#..# ##.# #.## #..# #..#"),
        ("O", ".#. #.# #.# #.# .#."),
        ("P", "##. #.# ##. #.. #.."),
        ("Q", "### #.# #.# ### ..#"),
        ("R", "##. #.# ### ##. #.#"),
        ("S", ".## #.. .#. ..# ##."),
        ("T", "### .#. .#. .#. .#."),
        ("U", "#..# #..# #..# #..# .##."),
        ("V", "#.# #.# #.# .#. .#."),
        ("W", "#...# #...# #.#.# #.#.# .#.#."),
        ("X", "#.# #.# .#. #.# #.#"),
        ("Y", "#.# #.# .#. .#. .#."),
        ("Z", "### ..# .#. #.. ###"),
        ("0", "### #.# #.# #.# ###"),
        ("1", ".#. ##. .#. .#. ###"),
        ("2", ".#. #.# ..# .#. ###"),
        ("3", "### ..# .## ..# ###"),
        ("4", "..# #.# ### ..# ..#"),
        ("5", "### #.. ### ..# ###"),
        ("6", ".## #.. ##. #.# .#."),
        ("7", "### ..# ..# .#. .#."),
        ("8", ".#. #.# .#. #.# .#."),
        ("9", ".#. #.# .## ..# ##."),
        (" ", "... ... ... ... ..."),
        (".", ". . . . #"),
        (":", ". # . # ."),
        ("-", "... ... ### ... ..."),
        ("+", "... .#. ### .#. ..."),
        ("/", "..# ..# .#. #.. #.."),
        ("!", "# # # . #"),
        ("?", "##. ..# .#. ... .#."),
        (">", "#.. .#. ..# .#. #.."),
        ("<", "..# .#. #.. .#. ..#"),
        ("=", "... ### ... ### ..."),
        ("%", "#.. ..# .#. #.. ..#"),
        ("#", ".#.#. ##### .#.#. ##### .#.#."),
        ("~", "... ..# ### #.. ..."),
        ("♯", ".#. ### .#. ### .#."),
        ("♭", "#.. #.. ##. #.# ##."),
        ("▶", "#.. ##. ### ##. #.."),
        ("■", "... ### ### ### ..."),
        ("✓", "..# ..# #.# ##. .#."),
        ("←", "..# .## ### .## ..#"),
        ("↑", "..#.. .###. #.#.# ..#.. ..#.."),
        ("↓", "..#.. ..#.. #.#.# .###. ..#.."),
    ]

    private static let narrowDrawings: [(Character, String)] = [
        ("M", "### ### #.# #.# #.#"),
        ("N", "##. #.# #.# #.# #.#"),
        ("U", "#.# #.# #.# #.# .#."),
        ("W", "#.# #.# #.# ### ###"),
        ("#", "#.# ### #.# ### #.#"),
    ]
}

/// A line of text, laid out once so that drawing allocates nothing.
public struct TextLine: Hashable, Sendable {
    /// The text.
    public let text: String
    /// The columns from the left, bit 0 at the top.
    public let columns: [UInt8]

    /// Lays out `text`, with narrow glyphs if it does not fit into `room` columns with its own.
    public init(_ text: String, room: Int = .max) {
        self.text = text
        let columns = Array(text.map(Font.columns).joined(separator: [0]))
        self.columns = columns.count <= room ? columns : Array(text.map(Font.narrowColumns).joined(separator: [0]))
    }

    /// Width in columns, from the first lit one to the last.
    public var width: Int { columns.count }

    /// Blends the LEDs of the text towards `colour` by `alpha`, with its left end at `column` and its top at `row`.
    /// Only LEDs within the `clip` columns and `clipRows`, if given, are drawn. Each dot is a square of `scale` ×
    /// `scale` LEDs.
    public func draw(
        into frame: inout Frame, column: Int, row: Int, colour: RGB, alpha: Float = 1,
        clip: Range<Int> = 0..<Int.max, clipRows: Range<Int>? = nil, scale: Int = 1
    ) {
        let clipRows = clipRows ?? 0..<frame.rows
        for x in clip.clamped(to: column..<column + width * scale) {
            let dots = columns[(x - column) / scale]
            for y in clipRows.clamped(to: row..<row + Font.height * scale)
            where dots >> UInt8((y - row) / scale) & 1 == 1 {
                frame.blend(x, y, towards: colour, alpha)
            }
        }
    }

    /// Draws the text in `colour`, centred in `columns`, with its top at `row`. Only LEDs within `columns` are drawn.
    public func draw(into frame: inout Frame, centredIn columns: Range<Int>, row: Int, colour: RGB) {
        let column = columns.lowerBound + (columns.count - width) / 2
        draw(into: &frame, column: column, row: row, colour: colour, clip: columns)
    }
}
