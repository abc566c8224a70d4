/// A small picture, laid out once so that drawing allocates nothing.
public struct Icon: Hashable, Sendable {
    /// Width in LEDs.
    public let columns: Int
    /// Height in LEDs.
    public let rows: Int
    /// Opacity of each LED, row by row.
    private let ink: [Float]

    /// The picture in `art`: rows of equal length separated by spaces, with `#` for a lit LED, `o` for a half-lit one
    /// and `.` for a transparent one.
    public init(_ art: String) {
        let lines = art.split(separator: " ").map { $0.map { $0 == "#" ? Float(1) : $0 == "o" ? 0.5 : 0 } }
        columns = lines.first?.count ?? 0
        rows = lines.count
        ink = lines.flatMap { $0 }
        precondition(ink.count == columns * rows)
    }

    /// Blends the LEDs of the picture towards `colour` by `alpha`, with its top left at `column` and `row`. Only LEDs
    /// within the `clip` columns are drawn.
    public func draw(
        into frame: inout Frame, column: Int, row: Int, colour: RGB, alpha: Float = 1, clip: Range<Int> = 0..<Int.max
    ) {
        for (index, ink) in ink.enumerated() where ink > 0 && clip.contains(column + index % columns) {
            frame.blend(column + index % columns, row + index / columns, towards: colour, ink * alpha)
        }
    }
}
