/// The questions of `docs/how.md` for the page's help: the tables' first two columns, without pictures and links, which the
/// box does not serve.
enum PageQuestions {
    /// A question, and the line that answers it, in Markdown without links.
    struct Row: Equatable {
        let question: String
        let answer: String
    }

    /// The tables of `markdown`, each with the heading above it.
    static func tables(of markdown: String) -> [(title: String, rows: [Row])] {
        var tables: [(title: String, rows: [Row])] = []
        for line in markdown.split(separator: "\n") {
            if line.hasPrefix("## ") { tables.append((String(line.dropFirst(3)), [])) }
            let cells = line.split(separator: "|").map { withoutLinks(trimmed($0)) }
            // The head of a table ends with an ellipsis, and the line below it has dashes only.
            guard !tables.isEmpty, line.hasPrefix("| "), cells.count == 3, cells[0].hasSuffix("?") else { continue }
            tables[tables.count - 1].rows.append(Row(question: cells[0], answer: cells[1]))
        }
        return tables
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " }
        return String(start[..<(start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex)])
    }

    /// `text` with the words of its links in place of the links.
    private static func withoutLinks(_ text: String) -> String {
        text.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
    }
}
