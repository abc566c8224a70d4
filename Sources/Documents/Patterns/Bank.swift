/// A bank of patterns.
public enum Bank: Int, CaseIterable, Hashable, Sendable {
    /// The banks in order.
    case a, b, c, d, e, f, g, h

    /// The letter, A-H.
    public var letter: String { String(UnicodeScalar(UInt8(ascii: "A") + UInt8(rawValue))) }

    /// The bank with this letter, in either case.
    public init?(letter: String) {
        guard let bank = Bank.allCases.first(where: { $0.letter == letter.uppercased() }) else { return nil }
        self = bank
    }
}
