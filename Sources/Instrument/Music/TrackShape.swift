/// How a track runs through its steps, and where its notes sound.
public struct TrackShape: Hashable, Sendable {
    /// Range of a track's own length, in steps.
    public static let lengths = 1...Pattern.steps
    /// Range of the transposition, in degrees of the scale.
    public static let transpositions = -14...14

    /// Steps of the track before it repeats, within `lengths`; nil: the pattern's length.
    public var length: Int?
    /// Duration of the track's step.
    public var division = Division.whole
    /// Order of the steps.
    public var direction = Direction.forward
    /// Degrees of the scale by which the notes sound higher, within `transpositions`. Not of rhythm.
    public var transposition = 0
    /// How chords are spread. Of chords only.
    public var voicing = Voicing.root
    /// What a tap makes under the rules of the box. Of chords only; it changes no note that is there.
    public var chordKind = ChordKind.triad

    /// The shape of a new track.
    public init() {}

    /// Duration of a track's step in steps of the pattern.
    public enum Division: Int, CaseIterable, Sendable {
        case quarter, half, twoThirds, whole, threeHalves, double, quadruple

        /// The duration as a fraction.
        public var fraction: (numerator: Int, denominator: Int) {
            switch self {
            case .quarter: (1, 4)
            case .half: (1, 2)
            case .twoThirds: (2, 3)
            case .whole: (1, 1)
            case .threeHalves: (3, 2)
            case .double: (2, 1)
            case .quadruple: (4, 1)
            }
        }

        /// The duration in twelfths of a step of the pattern.
        public var twelfths: Int { HeardRound.twelfths * fraction.numerator / fraction.denominator }

        /// Its name in files: `1/4`, `1`.
        public var word: String {
            let (numerator, denominator) = fraction
            return denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
        }
    }

    /// Order of a track's steps.
    public enum Direction: String, CaseIterable, Sendable {
        /// From the first to the last.
        case forward
        /// From the last to the first.
        case back
        /// To the last and back; both ends sound once.
        case pendulum
        /// By dice.
        case random
    }

    /// How the tones of a chord are placed.
    public enum Voicing: String, CaseIterable, Sendable {
        /// As written.
        case root
        /// In the inversion nearest to the chord before.
        case close
        /// The middle tone an octave higher.
        case spread
    }

    /// The chord that a tap on the chords makes.
    public enum ChordKind: String, CaseIterable, Sendable {
        /// Root, third and fifth.
        case triad
        /// The triad and its seventh.
        case seventh = "7th"
        /// The triad, its seventh and its ninth.
        case ninth = "9th"
        /// The second in place of the third.
        case sus2
        /// The fourth in place of the third.
        case sus4
        /// Root and fifth.
        case power
        /// The root alone.
        case note

        /// Its place in the order of the cases.
        var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }
}
