import Display

/// A title in a cell of the guide: its first letters, in a hue derived from the title.
public struct GuideInitials: Hashable, Sendable {
    /// Up to seven columns of five dots, the leftmost in the lowest bits.
    private let dots: UInt64
    private let bright: RGB
    private let dim: RGB

    /// The initials of `title`, without its article.
    public init(title: String) {
        let words = title.hasPrefix("THE ") ? title.dropFirst(4) : title[...]
        let line = TextLine(String(words.filter { $0 != " " }.prefix(2)))
        dots = line.columns.prefix(GuideThumbnail.slicesTurned).reversed().reduce(0) { $0 << 5 | UInt64($1 & 31) }
        let sum = title.unicodeScalars.reduce(UInt32(0)) { $0 &+ $1.value }
        let hue = RGB.hsl(Float(sum % 360 * 47 % 360), 0.75, 0.58)
        bright = RGB.black.blended(towards: hue, 0.95)
        dim = RGB.black.blended(towards: hue, 0.28)
    }

    /// Whether the LED at `column`, `row` of the cell is lit; a narrow cell shows its first columns.
    func isLit(_ column: Int, _ row: Int) -> Bool {
        column < GuideThumbnail.slicesTurned && dots >> UInt64(5 * column + row) & 1 == 1
    }

    /// The colour of its LEDs: dim once watched.
    func colour(isWatched: Bool) -> RGB { isWatched ? dim : bright }
}
