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

/// A pattern in the library, without its music.
public struct PatternEntry: Hashable, Sendable {
    /// Number of the pattern in the library.
    public var number: Int64
    /// Its bank.
    public var bank: Bank
    /// Its name.
    public var name: String
    /// Creation time, in seconds since 1970.
    public var created: Int64
    /// Time of the last change of its music, name or bank, in seconds since 1970.
    public var modified: Int64
}

/// A stored state of a pattern.
public struct PatternRevision: Hashable, Sendable {
    /// Number of the revision; later revisions have higher numbers.
    public var number: Int64
    /// Time of saving, in seconds since 1970.
    public var saved: Int64
}
