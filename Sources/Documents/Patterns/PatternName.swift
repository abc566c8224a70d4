/// Names of what is in a library: those of files, and numbered ones, such as NIGHT, NIGHT 2, NIGHT 3.
package enum PatternName {
    /// The name of the file called `file`, without its ending.
    package static func ofFile(_ file: String) -> String {
        guard let point = file.lastIndex(of: "."), point > file.startIndex else { return file }
        return String(file[..<point])
    }

    /// `name` without the number at its end, and with a space there for the next number.
    package static func stem(of name: String) -> String {
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        let isNumbered = words.count > 1 && words.last.flatMap { Int($0) } ?? 0 > 0
        return (isNumbered ? words.dropLast() : words[...]).joined(separator: " ") + " "
    }
}
