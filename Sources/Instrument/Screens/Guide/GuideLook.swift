import Display
import InputEvents

/// Colours used by the guide only.
enum GuideColour {
    static let currentMonth = RGB.black.blended(towards: Palette.library, 0.72)
    static let empty = RGB(0x1c1c1c)
    /// A cell in which a pattern can be begun.
    static let blank = RGB(0x484848)
    static let older = RGB(0x9a9a9a)
    static let busyDay = RGB(0x545454)
    static let busyChannel = RGB(0x3a3a3a)
    static let busyHeader = RGB(0x464646)
}

/// The guide's texts, laid out once.
enum GuideWords {
    static let digits = (0...9).map { TextLine("\($0)") }
    /// Months, which scroll beside the corner; a touch shows the month and the year.
    static let months = CalendarDate.monthNames.map(word)
    static let close = word("CLOSE")
    static let turn = word("TURN")
    static let today = word("TODAY")
    static let more = word("MORE")
    static let new = word("NEW")
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

/// The guide's icons.
enum GuideIcon {
    static let turn = Icon("##. #.. #.# ..# .##")
    static let today = Icon("#.# ... ... ... #.#")
    static let mark = Icon("... ..# ..# #.# .#.")
    static let new = Icon("... .#. ### .#. ...")
    static let undo = TextLine("←")
    static let back = TextLine("<")
    static let open = Icon("##... ##### #...# #...# #####")
    static let copy = Icon("###.. #.#.. ##### ..#.# ..###")
    static let rename = Icon("...## ..#.# .#.#. #.#.. ##...")
    static let delete = Icon("#...# .#.#. ..#.. .#.#. #...#")
}
