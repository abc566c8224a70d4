import InputEvents
import Display

/// A temporary text on the panel (docs/spec.md, section 5).
public struct Tooltip: Hashable, Sendable {
    /// The text.
    public let line: TextLine
    /// When it appeared.
    public let since: Instant
    /// Whether it stands below, away from a finger in the panel's upper half.
    var isBelow = false
    /// Whether it stands in the middle of the steps if it is short; else in the middle of the panel.
    var isAmongSteps = false
    /// Minimum display time.
    var life = Instant.Span.milliseconds(1200)
    /// The notes that were written off the page of a track; nil for none.
    var offPage: OffPage?

    /// Notes that a gesture wrote above or below the page of its track.
    struct OffPage: Hashable, Sendable {
        let track: Track
        let isAbove: Bool
        let isBelow: Bool

        /// The arrows behind the word.
        var line: TextLine { isAbove ? isBelow ? Self.both : Self.above : Self.below }

        private static let (above, below, both) = (TextLine("↑"), TextLine("↓"), TextLine("↑↓"))
    }

    /// The text with its arrows.
    var text: String { line.text + (offPage.map { " " + $0.line.text } ?? "") }
}

extension Tooltip {
    /// First row, above and below.
    private static let rows = (above: 2, below: 16)
    /// Letters from which a text among the steps uses the whole panel.
    private static let longText = 10
    /// Columns between the text and its arrows.
    private static let gap = 2
    /// Opacity of the background behind it.
    private static let shade: Float = 0.28
    /// Opacity of its LEDs.
    private static let ink: Float = 0.85
    /// Scroll movement of a text that is too wide.
    private static let scroll = Scroll(rest: .milliseconds(400), columnsPerSecond: 25)

    /// Columns for a text on a sheet, in place of its title, and on the guide.
    static let (sheetColumns, guideColumns) = (6..<37, 12..<40)

    /// Columns that do not fit, with one LED of margin on either side.
    private var overhang: Int { max(0, width + 2 - Grid.columns) }

    /// Columns of the text, the arrows and the gap between them.
    private var width: Int { line.width + (offPage.map { Self.gap + $0.line.width } ?? 0) }

    /// Whether its time is over at `now` on `screen`. A text that scrolls stays until its end has been shown.
    func hasEnded(on screen: Instrument.Screen, at now: Instant) -> Bool {
        let hidden =
            switch screen.layout {
            case .grid: overhang
            case .guide: max(0, line.width - Self.guideColumns.count)
            case .sheet: max(0, line.width - Self.sheetColumns.count)
            }
        return now - since >= max(life, Self.scroll.length(hidden))
    }

    /// Draws it over a grid whose first column is `origin`; the background behind it is dimmed.
    func draw(into frame: inout Frame, origin: Int, at now: Instant) {
        let grid = origin..<origin + Grid.columns
        let row = isBelow ? Self.rows.below : Self.rows.above
        let room = isAmongSteps && line.text.count < Self.longText ? Grid.stepColumns : 0..<Grid.columns
        var column = origin + room.lowerBound + (room.count - width) / 2
        if overhang > 0 { column = origin + 1 - Self.scroll.travelled(overhang, after: now - since) }
        let box = (column - 1..<column + width + 1).clamped(to: grid)
        for y in row - 1...row + Font.height {
            for x in box { frame.blend(x, y, towards: .black, 1 - Self.shade) }
        }
        line.draw(into: &frame, column: column, row: row, colour: .white, alpha: Self.ink, clip: grid)
        offPage?.line.draw(
            into: &frame, column: column + line.width + Self.gap, row: row, colour: .white, alpha: Self.ink, clip: grid)
    }

    /// Draws its text in the columns `clip`, over black.
    func drawOver(into frame: inout Frame, clip: Range<Int>, row: Int, at now: Instant) {
        frame.fill(columns: clip, rows: row..<row + Font.height, .black)
        let column = clip.lowerBound - Self.scroll.travelled(max(0, line.width - clip.count), after: now - since)
        line.draw(into: &frame, column: column, row: row, colour: .white, clip: clip)
    }
}
