/// The frequencies of the notes: the distance of each pitch class from C, and the frequency of A4 (docs/spec.md,
/// section 3).
///
/// Cents and hertz are whole thousandths: finer than the increment of an oscillator, and equal on every machine.
public struct Tuning: Hashable, Sendable {
    /// Thousandths in a cent, and in a hertz.
    public static let parts = 1000
    /// Range of the frequency of A4, in thousandths of a hertz.
    public static let references = 415_000...466_000
    /// Range of the distance of a pitch class from its place in equal temperament, in thousandths of a cent: an octave.
    public static let offsets = -1_200_000...1_200_000
    /// Thousandths of a cent between two notes of equal temperament.
    static let semitone = 100_000

    /// The frequency of A4, MIDI note 69, in thousandths of a hertz, within `references`.
    public var a4 = 440_000
    /// The name on the panel; nil without one.
    public private(set) var name: SoundName?
    /// The offset of each pitch class from C; empty while all are 0.
    private var places: [Int32] = []

    /// Equal temperament with A4 at 440 Hz.
    public init() {}

    /// The tuning `name` with the pitch classes at `cents`, in thousandths of a cent above C: twelve from C, which is
    /// 0, each within its `range(ofPitchClass:)`.
    public init(cents: [Int], name: SoundName? = nil, a4: Int = Tuning().a4) {
        precondition(cents.count == Pattern.octave && cents[0] == 0 && Tuning.references.contains(a4))
        precondition(cents.indices.allSatisfy { Tuning.range(ofPitchClass: $0).contains(cents[$0]) })
        self.a4 = a4
        self.name = name
        let places = cents.enumerated().map { Int32($1 - $0 * Tuning.semitone) }
        if places.contains(where: { $0 != 0 }) { self.places = places }
    }

    /// Range of `pitchClass`, 0-11, in thousandths of a cent above C; C itself is 0.
    public static func range(ofPitchClass pitchClass: Int) -> ClosedRange<Int> {
        let equal = pitchClass * semitone
        return pitchClass == 0 ? 0...0 : offsets.lowerBound + equal...offsets.upperBound + equal
    }

    /// The offset of `pitchClass`, 0-11 from C, from its place in equal temperament above the same C, in thousandths of
    /// a cent.
    public func offset(ofPitchClass pitchClass: Int) -> Int { places.isEmpty ? 0 : Int(places[pitchClass]) }

    /// The pitch classes in thousandths of a cent above C.
    public var cents: [Int] { (0..<Pattern.octave).map { $0 * Tuning.semitone + offset(ofPitchClass: $0) } }

    /// Whether it is equal temperament, at any frequency of A4.
    public var isEqual: Bool { places.isEmpty }

    /// Takes over the notes and the name of `own`, and its frequency of A4 if it has one.
    public mutating func choose(_ own: OwnTuning) {
        self = Tuning(cents: own.cents, name: own.name, a4: own.a4 ?? a4)
    }

    /// Returns to equal temperament; A4 stays.
    mutating func makeEqual() {
        places = []
        name = nil
    }
}

/// One of the player's own tunings. At most one has a name.
public struct OwnTuning: Hashable, Sendable {
    /// Its name.
    public let name: SoundName
    /// The frequency of A4 in thousandths of a hertz; nil: the pattern's frequency stays.
    public let a4: Int?
    private let tuning: Tuning

    /// The tuning `name` with the pitch classes at `cents`, and A4 at `a4`, as a `Tuning` has them.
    public init(name: SoundName, cents: [Int], a4: Int? = nil) {
        self.name = name
        self.a4 = a4
        tuning = Tuning(cents: cents, name: name, a4: a4 ?? Tuning().a4)
    }

    /// The pitch classes in thousandths of a cent above C.
    public var cents: [Int] { tuning.cents }
}
