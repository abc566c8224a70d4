extension String {
    /// `number`, 0 or more, in `radix`, with leading zeros up to `digits` digits.
    public init(_ number: some BinaryInteger, digits: Int, radix: Int = 10) {
        let text = String(number, radix: radix)
        self = String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
    }

    /// `units`, 0 or more, as a decimal number with `places` decimals: 1234 with two decimals is 12.34.
    public init(_ units: some BinaryInteger, places: Int) {
        let digits = String(units, digits: places + 1)
        self = places > 0 ? "\(digits.dropLast(places)).\(digits.suffix(places))" : digits
    }

    /// MIDI bytes as scripts have them: two hexadecimal digits each, `90 3C 50`.
    public init(midi bytes: [UInt8]) {
        self = bytes.map { String($0, digits: 2, radix: 16).uppercased() }.joined(separator: " ")
    }

    /// A count with its noun: `1 pattern`, `2 patterns`.
    public init(_ count: Int, of noun: String) { self = "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension Array<UInt8> {
    /// The bytes whose hexadecimal digits, two each, are `digits`; nil if they are anything else.
    public init?(hexDigits digits: some StringProtocol) {
        let values = digits.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count.isMultiple(of: 2) else { return nil }
        self = []
        for place in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[place], let low = values[place + 1] else { return nil }
            append(UInt8(high << 4 | low))
        }
    }
}

extension String {
    /// Alternatives: `44, 46 or 50`.
    public init(oneOf words: [some CustomStringConvertible]) {
        let words = words.map { $0.description }
        let last = words.suffix(2).joined(separator: " or ")
        self = (words.dropLast(2) + [last]).joined(separator: ", ")
    }
}

extension String {
    /// The numbers of an IPv4 address, without leading zeros, which some read as octal; nil if it is none.
    public var ipv4Numbers: [UInt8]? {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
        return parts.count == 4 && numbers.count == 4 ? numbers : nil
    }
}

extension String {
    /// The first `count` characters of the text without what is not seen; ends of lines and tabs are spaces.
    package func visible(_ count: Int) -> String {
        let seen = unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
            guard scalar.isInvisible else { return scalar }
            return scalar.properties.isWhitespace ? " " : nil
        }
        return String(String(UnicodeScalarView(seen)).prefix(count))
    }
}

extension [UInt8] {
    /// Start of the text, after the byte order mark if there is one.
    package var textStart: Int { starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

    /// Number of the line, from 1, that has the byte at `offset`. A line ends with CR, LF or both.
    package func line(of offset: Int) -> Int {
        indices[..<Swift.min(offset, count)].reduce(1) { isLineEnd(at: $1) ? $0 + 1 : $0 }
    }

    /// Start of the line that has the byte at `offset`.
    package func lineStart(of offset: Int) -> Int {
        indices[..<Swift.min(offset, count)].last { isLineEnd(at: $0) }.map { $0 + 1 } ?? 0
    }

    /// Whether a line ends with the byte at `place`.
    package func isLineEnd(at place: Int) -> Bool {
        self[place] == 0x0a || self[place] == 0x0d && !(place + 1 < count && self[place + 1] == 0x0a)
    }
}

extension UInt8 {
    /// Whether this is one of 0-9 in ASCII.
    public var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether this is one of a-z or A-Z in ASCII.
    public var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension Unicode.Scalar {
    /// Whether this controls a terminal or ends a line instead of being shown.
    public var isControl: Bool { properties.generalCategory == .control }

    /// Whether this is not seen by itself: a control, a line's end, a direction of text, a character without width. The
    /// joiners of letters and emoji are seen by what they join.
    public var isInvisible: Bool {
        // Most text is ASCII, and the table of categories is slow.
        if value < 0x7f { return value < 0x20 }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        case .format: value != 0x200c && value != 0x200d
        default: false
        }
    }

    /// Its number as it is written in Unicode, `U+00A0`.
    package var codePoint: String { "U+" + String(value, digits: 4, radix: 16).uppercased() }
}

extension Character {
    /// Whether this is one of 0-9, without other scripts' digits.
    package var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
