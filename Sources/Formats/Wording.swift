extension String {
    /// `number`, 0 or more, in `radix`, with zeros in front of it where it has fewer than `digits`.
    public init(_ number: some BinaryInteger, digits: Int, radix: Int = 10) {
        let text = String(number, radix: radix)
        self = String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
    }

    /// `units`, 0 or more, of which `places` zeros behind a 1 make one whole, in decimal: 1234 to two places is 12.34.
    public init(_ units: some BinaryInteger, places: Int) {
        let digits = String(units, digits: places + 1)
        self = places > 0 ? "\(digits.dropLast(places)).\(digits.suffix(places))" : digits
    }

    /// `1 pattern`, `2 patterns`.
    public init(_ count: Int, of noun: String) { self = "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension String {
    /// `44, 46 or 50`.
    public init(oneOf words: [some CustomStringConvertible]) {
        let words = words.map(\.description)
        let last = words.suffix(2).joined(separator: " or ")
        self = (words.dropLast(2) + [last]).joined(separator: ", ")
    }
}

extension [UInt8] {
    /// Where the text starts that they are: after the byte order mark, if there is one.
    var textStart: Int { starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }
}

extension Character {
    /// 0-9, and no digit of another script.
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
