/// Where the guide's parts stand on the 44 × 24 LEDs.
enum GuideLayout {
    /// Columns and rows of the grid.
    static let gridColumns = 12..<40
    static let gridRows = 6..<24
    /// Columns of the rail, and of its dots.
    static let railColumns = 0..<11
    static let railDots = 9
    static let shortRailDots = 5
    /// LEDs from one cell to the one below.
    static let pitchDown = 6
    /// LEDs of a cell down: four tracks, and the dots of what is older.
    static let cellRows = 5
    /// LEDs from one cell to the next across.
    static func pitchAcross(_ isTurned: Bool) -> Int {
        (isTurned ? GuideThumbnail.slicesTurned : GuideThumbnail.slices) + 1
    }
    /// The first column of the buttons on the right.
    static let buttonColumn = 40
    /// Rows of each of them.
    static let buttonRows = 6

    /// Something that a finger can land on.
    enum Target: Hashable, Sendable {
        case close, rail, header, grid
        case play, turn, today, mark
        case back, previous, next
        case action(GuideCard.Action)

        /// Whether a finger on it moves the grid.
        var scrolls: Bool {
            switch self {
            case .rail, .header, .grid: true
            default: false
            }
        }
    }

    /// What is at `position` of the grid's screen.
    static func target(at position: Position) -> Target {
        if position.column >= Float(buttonColumn) - 0.5 {
            let buttons: [Target] = [.play, .turn, .today, .mark]
            return buttons[(position.led.row / buttonRows).clamped(to: 0...buttons.count - 1)]
        }
        let isAbove = position.row < Float(gridRows.lowerBound) - 0.5
        let isLeft = position.column < Float(gridColumns.lowerBound) - 0.5
        return isLeft ? (isAbove ? .close : .rail) : isAbove ? .header : .grid
    }
}
