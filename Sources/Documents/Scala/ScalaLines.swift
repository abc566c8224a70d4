/// The lines of a file of Scala, without comments. Its characters are ASCII or of any 8-bit set.
struct ScalaLines {
    /// A line with its number, from 1.
    struct Line {
        let number: Int
        let bytes: ArraySlice<UInt8>

        /// The text: UTF-8, or else Latin-1.
        var text: String {
            String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
        }

        /// The first word, and a reader of its bytes.
        var word: String {
            let word = bytes.drop(while: isBlank).prefix { !isBlank($0) }
            return Line(number: number, bytes: word).text
        }

        func refused(_ problem: String) -> FormatError { FormatError("line \(number)", problem) }
    }

    private var lines: ArraySlice<Line>

    /// The lines of `bytes` that do not begin with an exclamation mark. They end with LF, CR or both.
    init(_ bytes: [UInt8]) {
        var lines: [Line] = []
        var start = bytes.textStart
        var number = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 == lineFeed || $0 == carriageReturn } ?? bytes.count
            number += 1
            if bytes[start..<end].first != UInt8(ascii: "!") {
                lines.append(Line(number: number, bytes: bytes[start..<end]))
            }
            let isPair = end + 1 < bytes.count && bytes[end] == carriageReturn && bytes[end + 1] == lineFeed
            start = end + (isPair ? 2 : 1)
        }
        self.lines = lines[...]
    }

    /// The next line, which is `content`.
    mutating func next(_ content: String) throws(FormatError) -> Line {
        guard let line = lines.popFirst() else { throw FormatError("", "ends before \(content)") }
        return line
    }

    /// The next line; nil at the end.
    mutating func next() -> Line? { lines.popFirst() }

    /// The whole number at the beginning of the next line, which is `content`, in `range`.
    mutating func integer(_ content: String, in range: ClosedRange<Int>) throws(FormatError) -> Int {
        let line = try next(content)
        guard let number = Int(line.word), range.contains(number) else {
            throw line.refused(
                "is \(line.shown), should be \(content), from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

extension ScalaLines.Line {
    /// The line for a message.
    var shown: String {
        let text = text.prefix(40)
        return text.isEmpty ? "empty" : JSON.string(String(text)).text(pretty: false)
    }
}

private let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

/// Whether `byte` is a space or a tab.
func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
