import Instrument

/// The page's help: the instrument's own tables as HTML.
enum PageHelp {
    /// The place of the help in the page's file.
    private static let mark = Array("<!--help-->".utf8)

    /// `page` with the help at its mark.
    static func inserted(into page: [UInt8]) -> [UInt8] { page.replacing(mark, with: Array(text.utf8)) }

    private static let text = [
        "<p>Four tracks, top to bottom: melody, chords, bass, rhythm. A row is a note of the scale, or a drum; a column is "
            + "a step. A finger sounds where it lands.</p>",
        section("How do I …", questions),
        section("Gestures", gestures),
        section("Everywhere", table(Help.moreGestures, head: ("Finger", "What it does"))),
        section("The top row", table(Help.controls, head: ("Control", "What it does"))),
        section("The columns and rows", table(Help.parts, head: ("Part", "What it does"))),
        section("The menu", table(Help.menu, head: ("Icon", "What it opens"))),
        section("Keys", table(Help.keys, head: ("Key", "What it does"))),
    ].joined(separator: "\n")

    private static func section(_ title: String, _ content: String) -> String { "<h3>\(title)</h3>\n\(content)" }

    private static func table(_ entries: [Help.Entry], head: (String, String)) -> String {
        let rows = entries.map { "<tr><th scope=\"row\">\(escaped($0.name))</th><td>\(escaped($0.text))</td></tr>" }
        return table(head: [head.0, head.1], rows)
    }

    /// The questions, a table for each heading. What is between back quotes is code.
    private static var questions: String {
        PageQuestions.tables(of: String(decoding: PackageResources.how_txt, as: UTF8.self)).map { title, rows in
            let rows = rows.map { row in
                let answer = escaped(row.answer).split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .map { $0.offset % 2 == 0 ? String($0.element) : "<code>\($0.element)</code>" }
                return "<tr><th scope=\"row\">\(escaped(row.question))</th><td>\(answer.joined())</td></tr>"
            }
            return
                "<table><caption>\(escaped(title))</caption><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table>"
        }
        .joined(separator: "\n")
    }

    private static var gestures: String {
        let rows = Help.gestures.enumerated().map { number, gesture in
            let cells = gesture.results.map { result in
                let word = result.word.map { " <span class=\"word\">\(escaped($0))</span>" } ?? ""
                return "<td>\(escaped(result.text))\(word)</td>"
            }
            let name = escaped(gesture.finger)
            let button =
                "<button type=\"button\" class=\"film\" data-film=\"\(number)\" aria-pressed=\"false\" "
                + "aria-label=\"Film: \(name)\">film</button>"
            return "<tr><th scope=\"row\">\(name)</th>\(cells.joined())<td>\(button)</td></tr>"
        }
        return table(head: ["Finger"] + Track.allCases.map(\.name) + ["Film"], rows)
            + "<figure id=\"film\" hidden><img alt=\"\" width=\"704\" height=\"384\"><figcaption></figcaption></figure>"
            + "<p>The word on the panel is in yellow; elsewhere it is the name of the note, the chord or the drum.</p>"
    }

    private static func table(head: [String], _ rows: [String]) -> String {
        let titles = head.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
        return "<table><thead><tr>\(titles)</tr></thead><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
