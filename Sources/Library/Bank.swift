/// A bank of patterns.
public enum Bank: Int, CaseIterable, Hashable, Sendable {
    /// The banks, in their order.
    case a, b, c, d, e, f, g, h

    /// Its letter, A-H.
    public var letter: String { String(UnicodeScalar(UInt8(ascii: "A") + UInt8(rawValue))) }

    /// The bank with this letter, small or capital.
    public init?(letter: String) {
        guard let bank = Bank.allCases.first(where: { $0.letter == letter.uppercased() }) else { return nil }
        self = bank
    }
}

/// A pattern in the library, without its music.
public struct PatternEntry: Hashable, Sendable {
    /// The number by which the library knows it.
    public var number: Int64
    /// Its bank.
    public var bank: Bank
    /// Its name.
    public var name: String
    /// When it was begun, in seconds since 1970.
    public var created: Int64
    /// When its music, name or bank was last changed, likewise.
    public var modified: Int64
}

/// One state of a pattern that was kept.
public struct PatternRevision: Hashable, Sendable {
    /// Its number; a later one has a higher number.
    public var number: Int64
    /// When it was saved, in seconds since 1970.
    public var saved: Int64
}
