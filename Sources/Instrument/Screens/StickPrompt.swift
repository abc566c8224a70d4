import InputEvents
import Display

/// The question what to do with a USB stick that was plugged in, over the middle of the grid. A finger beside it
/// dismisses the question and plays as usual.
struct StickPrompt: Hashable, Sendable {
    /// When it appeared.
    let since: Instant

    /// Time until it disappears.
    static let life = Instant.Span.milliseconds(30_000)

    /// An answer and its touch area.
    enum Answer: CaseIterable, Hashable, Sendable {
        /// Import the patterns on the stick.
        case take
        /// Export all patterns to the stick.
        case give

        /// Its columns.
        var columns: ClosedRange<Int> { self == .take ? 8...20 : 23...35 }
        /// Its rows.
        static let rows = 12...18

        /// Its word.
        fileprivate var line: TextLine { self == .take ? Self.takeLine : Self.giveLine }
        private static let takeLine = TextLine("IN")
        private static let giveLine = TextLine("OUT")
    }

    private static let columns = 7...36
    private static let rows = 3...20
    private static let title = TextLine("USB")
    private static let titleRow = 5
    private static let colour = RGB(0x2e8bff)

    /// Whether it covers `led`.
    static func covers(_ led: Position.LED) -> Bool { columns.contains(led.column) && rows.contains(led.row) }

    /// The answer at `led`.
    static func answer(at led: Position.LED) -> Answer? {
        Answer.allCases.first { $0.columns.contains(led.column) && Answer.rows.contains(led.row) }
    }

    /// Draws it over a grid whose first column is `origin`; `touched` is the answer under a finger.
    static func draw(into frame: inout Frame, origin: Int, touched: Answer?) {
        frame.fill(columns: range(columns, origin), rows: rows.lowerBound..<rows.upperBound + 1, .black)
        title.draw(into: &frame, centredIn: range(columns, origin), row: titleRow, colour: .white)
        for answer in Answer.allCases {
            let ground = RGB.black.blended(towards: colour, answer == touched ? 0.8 : 0.25)
            frame.fill(
                columns: range(answer.columns, origin), rows: Answer.rows.lowerBound..<Answer.rows.upperBound + 1,
                ground)
            answer.line.draw(
                into: &frame, centredIn: range(answer.columns, origin), row: Answer.rows.lowerBound + 1, colour: .white)
        }
    }

    private static func range(_ columns: ClosedRange<Int>, _ origin: Int) -> Range<Int> {
        columns.lowerBound + origin..<columns.upperBound + 1 + origin
    }
}
