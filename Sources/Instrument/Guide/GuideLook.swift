import Display

/// The guide's colours.
enum GuideColour {
    static let text = RGB(0xc8c8c8)
    static let quiet = RGB(0x6a6a6a)
    static let unavailable = RGB(0x262626)
    static let today = RGB(0x2e8bff)
    static let currentMonth = RGB.black.blended(towards: today, 0.72)
    static let green = RGB(0x44ff44)
    static let stop = RGB(0xff4444)
    static let amber = RGB(0xffaa00)
    static let red = RGB(0xff2828)
    static let empty = RGB(0x1c1c1c)
    static let older = RGB(0x9a9a9a)
    static let busyDay = RGB(0x545454)
    static let busyChannel = RGB(0x3a3a3a)
    static let busyHeader = RGB(0x464646)
}

/// The guide's words, laid out once.
enum GuideWords {
    static let digits = (0...9).map { TextLine("\($0)") }
    static let months = CalendarDate.monthNames.map { TextLine($0) }
    static let close = word("CLOSE")
    static let turn = word("TURN")
    static let today = word("TODAY")
    static let more = word("MORE")
    static let undo = word("UNDO")
    static let back = word("BACK")
    static let open = word("OPEN")
    static let copy = word("COPY")
    static let rename = word("NAME")
    static let delete = word("DEL")
    static let watched = word("WATCHED")
    static let hold = TextLine("HOLD")
    static let copied = TextLine("COPIED")
    static let previousArrow = TextLine("<")
    static let nextArrow = TextLine(">")

    private static func word(_ text: String) -> Marquee { Marquee(line: TextLine(text), since: .zero) }
}

/// The guide's icons, up to five by five LEDs.
struct GuideIcon: Sendable {
    private let lit: [(column: Int, row: Int)]

    private init(_ art: String) {
        var lit: [(column: Int, row: Int)] = []
        for (row, line) in art.split(separator: " ").enumerated() {
            for (column, dot) in line.enumerated() where dot == "#" { lit.append((column, row)) }
        }
        self.lit = lit
    }

    /// Lights the icon's LEDs, its left top at `column`, `row`.
    func draw(into frame: inout Frame, _ column: Int, _ row: Int, _ colour: RGB) {
        for led in lit { frame[column + led.column, row + led.row] = colour }
    }

    static let play = GuideIcon("#.. ##. ### ##. #..")
    static let stop = GuideIcon("### ### ###")
    static let turn = GuideIcon("##. #.. #.# ..# .##")
    static let today = GuideIcon("#.# ... ... ... #.#")
    static let mark = GuideIcon("... ..# ..# #.# .#.")
    static let undo = GuideIcon("..# .## ### .## ..#")
    static let back = GuideIcon("..# .#. #.. .#. ..#")
    static let open = GuideIcon("##... ##### #...# #...# #####")
    static let copy = GuideIcon("###.. #.#.. ##### ..#.# ..###")
    static let rename = GuideIcon(".#..# #.#.# ###.# #.#.# #.#.#")
    static let delete = GuideIcon("#...# .#.#. ..#.. .#.#. #...#")
}
