import Instrument

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

extension GuideContent {
    /// Minimum number of days of a library's guide.
    private static let days = 67

    /// The guide of a library: each bank is a channel, and `placed` has the patterns. The days go from the oldest
    /// pattern's, but at least 67 days back, to `today`, in days since 1970-01-01.
    package init(library placed: [Placed], today: Int) {
        let first = min(placed.map { $0.day }.min() ?? today, today - Self.days + 1)
        let last = max(placed.map { $0.day }.max() ?? today, today)
        self.init(
            source: .library, channels: Bank.allCases.map { Channel(id: $0.letter, name: $0.letter) },
            days: first..<last + 1, today: today, placed: placed)
    }
}
