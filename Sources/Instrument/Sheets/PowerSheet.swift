import Display

/// The question whether to switch off: one half of the panel for staying on, the other to be held for going off.
enum PowerSheet {
    /// Held so long, the box goes off.
    static let hold = Instant.Span.milliseconds(1200)

    private static let rows = 8..<24
    private static let stay = 0..<20
    private static let off = 24..<44
    private static let stayLine = TextLine("STAY")
    private static let holdLine = TextLine("HOLD")

    static func spot(at position: Position) -> Spot? {
        guard position.row >= 6.5 else { return nil }
        if position.column < 20.5 { return .stay }
        return position.column >= 23.5 ? .switchOff : nil
    }

    /// Draws it; `progress` is how far a finger has held it, 0-1.
    static func draw(progress: Float, into frame: inout Frame, origin: Int) {
        frame.ring(columns: stay.moved(by: origin), rows: rows, RGB(0x5a5a5a))
        stayLine.draw(into: &frame, column: origin + 3, row: 14, colour: .white, clip: 0..<frame.columns)
        let height = Int(Float(rows.count) * progress)
        frame.fill(
            columns: off.moved(by: origin), rows: rows.upperBound - height..<rows.upperBound,
            RGB.black.blended(towards: Palette.danger, 0.3))
        frame.ring(columns: off.moved(by: origin), rows: rows, RGB.black.blended(towards: Palette.danger, 0.9))
        holdLine.draw(into: &frame, column: origin + 27, row: 14, colour: .white, clip: 0..<frame.columns)
    }
}

extension Range where Bound == Int {
    /// The range `count` further right.
    func moved(by count: Int) -> Range<Int> { lowerBound + count..<upperBound + count }
}

extension Frame {
    /// Draws the edge of `columns` × `rows`.
    mutating func ring(columns: Range<Int>, rows: Range<Int>, _ colour: RGB) {
        for column in columns {
            self[column, rows.lowerBound] = colour
            self[column, rows.upperBound - 1] = colour
        }
        for row in rows {
            self[columns.lowerBound, row] = colour
            self[columns.upperBound - 1, row] = colour
        }
    }
}
