import TestSupport

/// A page of the documentation.
struct Page {
    /// Its path.
    let path: String
    /// Its content.
    let text: String

    /// Every page.
    static func all() throws -> [Page] {
        try Checkout.files(ending: ".md").map { Page(path: $0, text: try Checkout.text($0)) }
    }

    /// Its code: every line of a block, and every code span.
    var code: [String] {
        var code: [String] = []
        var prose = ""
        var isFenced = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isFenced.toggle()
            } else if isFenced || line.hasPrefix("    ") {
                code.append(String(line))
            } else {
                prose += line + "\n"
            }
        }
        // A code span may be broken across lines.
        let phrases = prose.matches(of: /`([^`]+)`/).map { $0.1.replacing(/\s+/, with: " ") }
        return code + phrases.map { String($0) }
    }

    /// The same, as the words of each command.
    var commands: [[String]] {
        code.flatMap { line in
            line.replacing(/(^|\s)#.*/, with: "").split(separator: /[|;&]+/).map { part in
                part.split(whereSeparator: \.isWhitespace).map { $0.trimmingQuotes }
            }
        }
    }

    /// Its links within the repository: a path from the root, and a heading there.
    var links: [(path: String, heading: String?)] {
        text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }.map { link in
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let folder = path.split(separator: "/").dropLast()
            var steps = parts[0].isEmpty ? path.split(separator: "/") : folder + parts[0].split(separator: "/")
            while let up = steps.firstIndex(of: "..") {
                steps.removeSubrange(max(0, up - 1)...up)
            }
            return (steps.joined(separator: "/"), parts.count > 1 ? parts[1] : nil)
        }
    }

    /// Its headings, as links name them.
    var headings: [String] {
        text.matches(of: /(?m)^#+ (.*)$/).map { match in
            match.1.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                .replacing(" ", with: "-")
        }
    }
}

extension Substring {
    /// The word without surrounding punctuation.
    fileprivate var trimmingQuotes: String {
        var word = self
        while let first = word.first, "\"'([{".contains(first) { word.removeFirst() }
        while let last = word.last, "\"')]},…".contains(last) { word.removeLast() }
        return String(word)
    }
}
