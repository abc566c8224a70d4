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
        let words = words.map(\.description)
        let last = words.suffix(2).joined(separator: " or ")
        self = (words.dropLast(2) + [last]).joined(separator: ", ")
    }
}

extension [UInt8] {
    /// Start of the text, after the byte order mark if there is one.
    var textStart: Int { starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }
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
}

extension Character {
    /// Whether this is one of 0-9, without other scripts' digits.
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
