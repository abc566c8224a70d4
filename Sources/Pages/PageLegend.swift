import Instrument

/// The legend of the page: the names around the panel, as elements that its script places.
enum PageLegend {
    /// The place of the legend in the page's file.
    private static let mark = Array("<!--legend-->".utf8)

    /// `page` with the legend at its mark.
    static func inserted(into page: [UInt8]) -> [UInt8] { page.replacing(mark, with: Array(text.utf8)) }

    /// A line for each name. Columns and rows are those of the sequencer.
    private static let text = {
        let labels = Help.legend.map { label in
            "<span data-side=\"\(label.side.rawValue)\" data-line=\"\(label.line)\" data-columns=\"\(words(label.columns))\" "
                + "data-rows=\"\(words(label.rows))\" "
                + "data-pictures=\"\(label.pictures.map(\.rawValue).joined(separator: " "))\">\(label.name)</span>"
        }
        return "<div id=\"legend\" aria-hidden=\"true\" data-columns=\"\(Help.columns)\">\n"
            + labels.joined(separator: "\n") + "\n</div>"
    }()

    private static func words(_ range: ClosedRange<Int>) -> String { "\(range.lowerBound) \(range.upperBound)" }
}
