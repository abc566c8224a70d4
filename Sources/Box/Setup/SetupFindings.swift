import Documents

/// The state of a finding of `pixelboop doctor`; its word is in the printed line.
package enum FindingState: String, CaseIterable {
    /// Nothing to do.
    case ok
    /// The box runs without the part.
    case warning
    /// The configuration names the part, and it is missing.
    case fault
}

/// Findings of `pixelboop doctor` on the box, from its printed lines.
struct SetupFindings: Hashable {
    /// A finding about a part of the box.
    private struct Finding: Hashable {
        /// The part, such as `sound devices`.
        var part: String
        var state: FindingState
        var text: String
    }

    private var findings: [Finding] = []
    /// The last line, which names what runs.
    private var verdict: String?

    /// The findings in `lines`: a part of one or more words, a state, and a text.
    init(_ lines: [Substring]) {
        for line in lines {
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(where: { FindingState(rawValue: String($0)) != nil }),
                (1...2).contains(place), let state = FindingState(rawValue: String(words[place]))
            else {
                verdict = String(line)
                continue
            }
            findings.append(
                Finding(
                    part: words[..<place].joined(separator: " "), state: state,
                    text: words[(place + 1)...].joined(separator: " ")))
        }
    }

    /// The findings for the page.
    var json: JSON {
        .object([
            "findings": .array(
                findings.map {
                    .object(["part": .string($0.part), "state": .string($0.state.rawValue), "text": .string($0.text)])
                }),
            "verdict": .orNull(verdict),
        ])
    }
}
