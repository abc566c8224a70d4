/// Names of patterns that are numbered: NIGHT, NIGHT 2, NIGHT 3.
package enum PatternName {
    /// `name` without the number at its end, and with a space there for the next number.
    package static func stem(of name: String) -> String {
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        let isNumbered = words.count > 1 && words.last.flatMap { Int($0) } ?? 0 > 0
        return (isNumbered ? words.dropLast() : words[...]).joined(separator: " ") + " "
    }
}
