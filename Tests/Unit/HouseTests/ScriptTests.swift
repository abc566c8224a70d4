import TestSupport
import Testing

/// Rules of the shell scripts.
@Suite("Shell scripts")
struct ScriptTests {
    private static func isScript(_ text: String, _ path: String) -> Bool {
        text.hasPrefix("#!/bin/sh\n") || path.hasSuffix(".sh")
    }

    /// The words of `line` that a shell expands and `echo` prints.
    private static func echoes(_ line: Substring) -> Bool {
        !line.drop(while: \.isWhitespace).hasPrefix("#") && line.contains(/(^|[\s;&|({`])echo\s+[^|;&)>]*[$`]/)
    }

    @Test(
        "no text from elsewhere is printed by echo: dash's expands backslashes in it; printf '%s\\n' prints it as it is"
    )
    func echo() throws {
        var found: [String] = []
        for path in Checkout.files() {
            // A script has no ending, or is a part of others.
            let name = path.split(separator: "/").last ?? ""
            guard !name.contains(".") || name.hasSuffix(".sh"), let text = try? Checkout.text(path),
                Self.isScript(text, path)
            else { continue }
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where Self.echoes(line) {
                found.append("\(path):\(number + 1): \(line)")
            }
        }
        #expect(found == [])
    }

    @Test(
        "the rule finds what it forbids",
        arguments: [
            ("echo \"$name\"", true), ("    a && echo $b", true), ("x=$(echo \"a $b\" | sed s)", true),
            ("echo UTC", false),
            ("# echo \"$x\"", false), ("printf '%s\\n' \"$x\"", false), ("echo ok; cat \"$x\"", false),
            ("echo `date`", true),
        ])
    func rule(line: String, isFound: Bool) { #expect(Self.echoes(line[...]) == isFound) }
}
