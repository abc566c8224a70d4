import Documents

/// Findings of `pixelboop doctor` on the box, from its printed lines.
struct SetupFindings: Hashable {
    /// A finding about a part of the box.
    private struct Finding: Hashable {
        /// The part, such as `sound devices`.
        var part: String
        /// `ok`, `warning` or `fault`.
        var state: String
        var text: String
    }

    private static let states: Set<Substring> = ["ok", "warning", "fault"]

    private var findings: [Finding] = []
    /// The last line, which names what runs.
    private var verdict: String?

    /// The findings in `lines`: a part of one or more words, a state, and a text.
    init(_ lines: [Substring]) {
        for line in lines {
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(where: { Self.states.contains($0) }), (1...2).contains(place) else {
                verdict = String(line)
                continue
            }
            findings.append(
                Finding(
                    part: words[..<place].joined(separator: " "), state: String(words[place]),
                    text: words[(place + 1)...].joined(separator: " ")))
        }
    }

    /// The findings for the page.
    var json: JSON {
        .object([
            "findings": .array(
                findings.map {
                    .object(["part": .string($0.part), "state": .string($0.state), "text": .string($0.text)])
                }),
            "verdict": .orNull(verdict),
        ])
    }
}
