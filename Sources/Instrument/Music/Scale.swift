/// A scale: its name, and its notes as semitones above the root (docs/spec.md, section 3). The root is always one of
/// them.
public struct Scale: Hashable, Sendable {
    /// Which scale it is.
    public enum Kind: Int, CaseIterable, Sendable {
        case major, minor, penta, dorian, phrygian, lydian, mixolydian, locrian, harmonicMinor, melodicMinor
        case minorPentatonic, blues, wholeTone, diminished, hungarianMinor, hirajoshi, inSen, chromatic
        /// Notes of the player's choice.
        case user
    }

    /// Which scale it is.
    public let kind: Kind
    /// Bit *n* is set if the note *n* semitones above the root is in the scale; bit 0 always is.
    private let bits: UInt16

    /// The scale of `kind`. The player's own begins with the root only.
    public init(_ kind: Kind) {
        self.kind = kind
        bits = Scale.table[kind.rawValue].bits
    }

    /// The player's scale of the notes `intervals`, in semitones above the root, 0-11. The root is added if it is
    /// missing.
    public init(user intervals: some Sequence<Int>) {
        self.init(userBits: intervals.reduce(1) { $0 | 1 << UInt16($1) })
    }

    private init(userBits: UInt16) {
        precondition(userBits & 1 == 1 && userBits >> UInt16(Pattern.octave) == 0)
        kind = .user
        bits = userBits
    }

    /// Major.
    public static let major = Scale(.major)
    /// Natural minor.
    public static let minor = Scale(.minor)
    /// Major pentatonic.
    public static let penta = Scale(.penta)

    /// The scales that the web and phone versions know.
    public static let shared = [major, minor, penta]
    /// All scales but the player's own, in the order of the panel.
    public static let named = Kind.allCases.filter { $0 != .user }.map { Scale($0) }

    /// Name in files.
    public var name: String { kind.name }

    /// Semitones above the root, ascending.
    public var intervals: [Int] { (0..<Pattern.octave).filter(contains) }

    /// The player's scale of the same notes.
    var asUser: Scale { Scale(userBits: bits) }

    /// The player's scale of the same notes but the one `interval` semitones above the root, which is switched. The
    /// root stays.
    func toggling(_ interval: Int) -> Scale {
        Scale(userBits: interval == 0 ? bits : bits ^ 1 << UInt16(interval))
    }

    /// The nearest of the scales that the other versions know: the most common notes, then the fewest other ones.
    public var nearestShared: Scale {
        if kind.rawValue < Scale.shared.count { return self }
        func others(_ scale: Scale) -> Int { (scale.bits & ~bits).nonzeroBitCount }
        func common(_ scale: Scale) -> Int { (scale.bits & bits).nonzeroBitCount }
        let sorted = Scale.shared.enumerated().min {
            (-common($0.element), others($0.element), $0.offset) < (-common($1.element), others($1.element), $1.offset)
        }
        return sorted?.element ?? .major
    }

    // MARK: Degrees

    /// Notes in an octave, 1-12.
    var count: Int { bits.nonzeroBitCount }

    /// Whether the note `interval` semitones above the root, 0-11, is in the scale.
    public func contains(_ interval: Int) -> Bool { bits >> UInt16(interval) & 1 == 1 }

    /// Semitones above the root of the note at `place`, counted from the root, 0.
    func interval(at place: Int) -> Int {
        var rest = bits
        for _ in 0..<place { rest &= rest - 1 }
        return rest.trailingZeroBitCount
    }

    /// The place of the highest note that is at most `interval` semitones (0-11) above the root.
    func place(atOrBelow interval: Int) -> Int { (bits & (2 << UInt16(interval) - 1)).nonzeroBitCount - 1 }
}

extension Scale.Kind {
    /// Name in files.
    public var name: String { Scale.table[rawValue].name }

    /// Name on the panel.
    var title: String { Scale.table[rawValue].title }
}

extension Scale {
    /// A row of the table of scales.
    fileprivate struct Entry {
        let name, title: String
        let bits: UInt16

        init(_ name: String, _ title: String? = nil, _ intervals: Int...) {
            self.name = name
            self.title = title ?? name.uppercased()
            bits = intervals.reduce(0) { $0 | 1 << UInt16($1) }
        }
    }

    /// In the order of `Kind.allCases`. The diminished scale begins with a whole tone; hirajoshi is the scale of Kostka
    /// and Payne.
    fileprivate static let table = [
        Entry("major", nil, 0, 2, 4, 5, 7, 9, 11),
        Entry("minor", nil, 0, 2, 3, 5, 7, 8, 10),
        Entry("penta", nil, 0, 2, 4, 7, 9),
        Entry("dorian", nil, 0, 2, 3, 5, 7, 9, 10),
        Entry("phrygian", nil, 0, 1, 3, 5, 7, 8, 10),
        Entry("lydian", nil, 0, 2, 4, 6, 7, 9, 11),
        Entry("mixolydian", nil, 0, 2, 4, 5, 7, 9, 10),
        Entry("locrian", nil, 0, 1, 3, 5, 6, 8, 10),
        Entry("harmonic minor", "HARM MIN", 0, 2, 3, 5, 7, 8, 11),
        Entry("melodic minor", "MEL MIN", 0, 2, 3, 5, 7, 9, 11),
        Entry("minor pentatonic", "PENT MIN", 0, 3, 5, 7, 10),
        Entry("blues", nil, 0, 3, 5, 6, 7, 10),
        Entry("whole tone", nil, 0, 2, 4, 6, 8, 10),
        Entry("diminished", nil, 0, 2, 3, 5, 6, 8, 9, 11),
        Entry("hungarian minor", "HUNG MIN", 0, 2, 3, 6, 7, 8, 11),
        Entry("hirajoshi", nil, 0, 2, 3, 7, 8),
        Entry("in-sen", nil, 0, 1, 5, 7, 10),
        Entry("chromatic", nil, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
        Entry("user", nil, 0),
    ]
}
