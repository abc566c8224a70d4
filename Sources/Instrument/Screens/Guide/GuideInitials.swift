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
        let line = TextLine(String(words.filter { $0 != " " }.prefix(2)), room: GuideThumbnail.slicesTurned)
        dots = line.columns.prefix(GuideThumbnail.slicesTurned).reversed().reduce(0) { $0 << 5 | UInt64($1 & 31) }
        let sum = title.unicodeScalars.reduce(UInt32(0)) { $0 &+ $1.value }
        let hue = RGB.hsl(Float(sum % 360 * 47 % 360), 0.75, 0.58)
        bright = Self.lightened(RGB.black.blended(towards: hue, 0.95), to: 0.28)
        dim = Self.lightened(RGB.black.blended(towards: hue, 0.4), to: 0.12)
    }

    /// `colour`, blended towards white until its luminance is about `luminance`, 0-1: dark hues such as blue are not
    /// legible on black.
    private static func lightened(_ colour: RGB, to luminance: Float) -> RGB {
        func light(_ channel: UInt8) -> Float {
            let part = Float(channel) / 255
            // A gamma of 2.25.
            return part * part * part.squareRoot().squareRoot()
        }
        for step in 0..<50 {
            let lighter = colour.blended(towards: .white, Float(step) / 50)
            let sum = 0.2126 * light(lighter.red) + 0.7152 * light(lighter.green) + 0.0722 * light(lighter.blue)
            if sum >= luminance { return lighter }
        }
        return .white
    }

    /// Whether the LED at `column`, `row` of the cell is lit; a narrow cell shows its first columns.
    func isLit(_ column: Int, _ row: Int) -> Bool {
        column < GuideThumbnail.slicesTurned && dots >> UInt64(5 * column + row) & 1 == 1
    }

    /// The colour of its LEDs: dim once watched.
    func colour(isWatched: Bool) -> RGB { isWatched ? dim : bright }
}
