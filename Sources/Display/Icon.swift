/// A small picture, laid out once, so that drawing it allocates nothing.
public struct Icon: Hashable, Sendable {
    /// LEDs across.
    public let columns: Int
    /// LEDs from top to bottom.
    public let rows: Int
    /// How far each LED goes towards the colour, row by row.
    private let ink: [Float]

    /// The picture in `art`: rows with a space between them, `#` for an LED that is lit, `o` for one that is half lit and
    /// `.` for one that stays as it is. The rows are equally long.
    public init(_ art: String) {
        let lines = art.split(separator: " ").map { $0.map { $0 == "#" ? Float(1) : $0 == "o" ? 0.5 : 0 } }
        columns = lines.first?.count ?? 0
        rows = lines.count
        ink = lines.flatMap(\.self)
        precondition(ink.count == columns * rows)
    }

    /// Moves the LEDs of the picture, its top left at `column` and `row`, towards `colour` by `alpha`. Only the LEDs in
    /// `clip` columns are touched.
    public func draw(
        into frame: inout Frame, column: Int, row: Int, colour: RGB, alpha: Float = 1, clip: Range<Int> = 0..<Int.max
    ) {
        for (index, ink) in ink.enumerated() where ink > 0 && clip.contains(column + index % columns) {
            frame.blend(column + index % columns, row + index / columns, towards: colour, ink * alpha)
        }
    }
}
