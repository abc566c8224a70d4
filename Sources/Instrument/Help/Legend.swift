import Display

// The legend: short names around the LEDs, of the parts that the help describes.

extension Help {
    /// A name beside the panel, and the LEDs that it names.
    public struct Label: Hashable, Sendable {
        /// An edge of the panel.
        public enum Side: String, Sendable {
            case top, left, right, bottom
        }

        /// A picture that the panel shows.
        public enum Picture: String, Sendable {
            /// The grid.
            case grid
            /// The grid with the open menu over its first columns.
            case menu
            /// The grid of a panel that is wider, with the menu beside it.
            case beside
        }

        /// The name.
        public let name: String
        /// The edge at which it is.
        public let side: Side
        /// Its line at this edge; 1 is next to the LEDs.
        public let line: Int
        /// Columns and rows of its LEDs, in the sequencer; of an item of the menu, on the panel.
        public let columns, rows: ClosedRange<Int>
        /// The pictures of which it is true.
        public let pictures: [Picture]
    }

    /// Columns of the sequencer, which are the right ones of a wider panel.
    public static let columns = Grid.columns

    /// The legend: the top row from the left, the tracks from the top, the parts around them, and the items of the menu.
    public static let legend: [Label] = {
        let parts = (topRow + belowTopRow).flatMap { labels(of: $0) }
        let heads = 0...stepColumns.lowerBound - 1
        let tracks = Track.allCases.map { track in
            Label(
                name: track.name, side: .left, line: 1, columns: heads,
                rows: track.rows.lowerBound...track.rows.upperBound - 1, pictures: [.grid])
        }
        let menu = Menu.Item.allCases.map { item in
            let isLow = item.rows.upperBound >= Grid.overviewRows.upperBound - 1
            return Label(
                name: item.name.text, side: isLow ? .bottom : .left, line: 1, columns: item.columns, rows: item.rows,
                pictures: [.menu, .beside])
        }
        return parts + tracks + menu
    }()

    /// The labels of `part`: one, or one for each picture; none without a name at an edge.
    private static func labels(of part: Part) -> [Label] {
        guard let side = part.side else { return [] }
        let trackRows = Track.melody.rows.lowerBound...Track.rhythm.rows.upperBound - 1
        let (columns, rows) = (part.columns ?? stepColumns, part.rows ?? trackRows)
        func label(_ columns: ClosedRange<Int>, _ pictures: [Label.Picture]) -> Label {
            Label(
                name: part.label ?? part.name, side: side, line: part.line, columns: columns, rows: rows,
                pictures: pictures)
        }
        // A menu beside the grid has no handle. The open menu covers its columns, but not Play and its handle.
        if columns == Menu.handle, rows == 1...1 { return [label(columns, [.grid, .menu])] }
        if columns == Control.play.columns || columns.lowerBound >= Menu.width {
            return [label(columns, [.grid, .menu, .beside])]
        }
        let whole = label(columns, [.grid, .beside])
        guard columns.upperBound >= Menu.width else { return [whole] }
        return [whole, label(Menu.width...columns.upperBound, [.menu])]
    }
}
