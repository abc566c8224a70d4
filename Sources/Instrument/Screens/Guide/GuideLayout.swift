/// Positions of the guide's parts on the 44 × 24 LEDs.
enum GuideLayout {
    /// Columns and rows of the grid.
    static let gridColumns = 12..<40
    static let gridRows = 6..<24
    /// Columns of the rail, and of its dots.
    static let railColumns = 0..<11
    static let railDots = 9
    static let shortRailDots = 5
    /// Columns of the corner that closes the guide, as on every sheet; the month stands beside it.
    static let closeColumns = 0..<4
    static let monthColumns = 4..<11
    /// Rows from one cell to the one below.
    static let pitchDown = 6
    /// Rows of a cell: four tracks, and the dots of older entries.
    static let cellRows = 5
    /// Columns from one cell to the next.
    static func pitchAcross(_ isTurned: Bool) -> Int {
        (isTurned ? GuideThumbnail.slicesTurned : GuideThumbnail.slices) + 1
    }
    /// The first column of the buttons on the right.
    static let buttonColumn = 40
    /// Rows of each button.
    static let buttonRows = 6

    /// A part of the guide that a finger can touch.
    enum Target: Hashable, Sendable {
        case close, month, rail, header, grid
        case play, turn, today, mark
        case back, previous, next
        case action(GuideCard.Action)

        /// Whether a finger on it scrolls the grid.
        var scrolls: Bool {
            switch self {
            case .rail, .header, .grid: true
            case .close, .month, .play, .turn, .today, .mark, .back, .previous, .next, .action: false
            }
        }
    }

    /// The target at `position` of the grid's screen.
    static func target(at position: Position) -> Target {
        if position.column >= Float(buttonColumn) - 0.5 {
            let buttons: [Target] = [.play, .turn, .today, .mark]
            return buttons[(position.led.row / buttonRows).clamped(to: 0...buttons.count - 1)]
        }
        let isAbove = position.row < Float(gridRows.lowerBound) - 0.5
        let isLeft = position.column < Float(gridColumns.lowerBound) - 0.5
        guard isAbove else { return isLeft ? .rail : .grid }
        guard isLeft else { return .header }
        return position.column < Float(closeColumns.upperBound) + 0.5 ? .close : .month
    }
}
