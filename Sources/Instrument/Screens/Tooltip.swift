import Display

extension Tooltip {
    /// How long it stands.
    private static let life = Instant.Span.milliseconds(1200)
    /// The row of its top.
    private static let row = 2
    /// How much of what is behind it stays.
    private static let shade: Float = 0.28
    /// How far its LEDs go towards white.
    private static let ink: Float = 0.85
    /// Words that are wider than the panel stand this long before and after they move, …
    private static let scrollRest = Instant.Span.milliseconds(400)
    /// … and move one column in this time.
    private static let scrollColumn = Instant.Span.milliseconds(40)

    /// Columns that do not fit beside one LED of margin on either side.
    private var overhang: Int { max(0, line.width + 2 - Grid.columns) }

    /// Columns by which words have moved on at `now`, of `overhang` that they have to.
    private func travelled(_ overhang: Int, at now: Instant) -> Int {
        let moving = (now - since).microseconds - Self.scrollRest.microseconds
        return min(Int(max(0, moving) / Self.scrollColumn.microseconds), overhang)
    }

    /// Whether its time is over at `now`. Words that scroll stand until their end has been read.
    func hasEnded(at now: Instant) -> Bool {
        let scroll =
            overhang > 0 ? 2 * Self.scrollRest.microseconds + Self.scrollColumn.microseconds * Int64(overhang) : 0
        return now - since >= max(Self.life, Instant.Span(microseconds: scroll))
    }

    /// Draws it over a grid whose first column is `origin`: what is behind its box steps back, its LEDs shine.
    func draw(into frame: inout Frame, origin: Int, at now: Instant) {
        let grid = origin..<origin + Grid.columns
        var column = origin + (Grid.columns - line.width) / 2
        if overhang > 0 {
            column = origin + 1 - travelled(overhang, at: now)
        }
        let box = (column - 1..<column + line.width + 1).clamped(to: grid)
        for y in Self.row - 1...Self.row + Font.height {
            for x in box { frame.blend(x, y, towards: .black, 1 - Self.shade) }
        }
        line.draw(into: &frame, column: column, row: Self.row, colour: .white, alpha: Self.ink, clip: grid)
    }

    /// Draws its words over what is in the columns `clip`, which goes dark.
    func drawOver(into frame: inout Frame, clip: Range<Int>, row: Int, at now: Instant) {
        frame.fill(columns: clip, rows: row..<row + Font.height, .black)
        let column = clip.lowerBound - travelled(max(0, line.width - clip.count), at: now)
        line.draw(into: &frame, column: column, row: row, colour: .white, clip: clip)
    }
}
