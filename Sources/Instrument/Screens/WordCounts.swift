/// How often each kind of word about a gesture was shown, up to `long`: a known word is shown for a shorter time.
public struct WordCounts: Hashable, Sendable {
    /// A kind of word.
    enum Kind: Int, CaseIterable, Sendable {
        case note, chord, run, arpeggio, walk, roll, long, stack, multi, line, fifth, removal
    }

    /// Number of times that a word of one kind is shown for the long time.
    static let long = 5

    /// Three bits a kind, in the order of `Kind`.
    public private(set) var bits: Int64

    /// Counts from their `bits`; counts above `long` become `long`, other bits are ignored.
    public init(bits: Int64 = 0) {
        self.bits = 0
        for kind in Kind.allCases {
            let count = Int(truncatingIfNeeded: bits >> Int64(3 * kind.rawValue) & 7)
            self.bits |= Int64(min(count, WordCounts.long)) << Int64(3 * kind.rawValue)
        }
    }

    /// Whether a word of `kind` was shown for the long time often enough.
    func isKnown(_ kind: Kind) -> Bool { count(kind) >= WordCounts.long }

    /// Counts one more word of `kind`.
    mutating func add(_ kind: Kind) {
        if !isKnown(kind) { bits += 1 << Int64(3 * kind.rawValue) }
    }

    private func count(_ kind: Kind) -> Int { Int(truncatingIfNeeded: bits >> Int64(3 * kind.rawValue) & 7) }
}
