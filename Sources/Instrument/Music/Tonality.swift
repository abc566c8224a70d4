/// A scale on a root: the key of the whole pattern.
public struct Tonality: Hashable, Sendable {
    /// Pitch class of the root, 0 (C) to 11 (B).
    public var root: Int {
        get { Int(rootNumber) }
        set { rootNumber = Int8(newValue) }
    }
    /// The scale on the root.
    public var scale: Scale

    private var rootNumber: Int8

    /// `scale` on `root`.
    public init(root: Int = 0, scale: Scale = .major) {
        precondition((0..<12).contains(root))
        rootNumber = Int8(root)
        self.scale = scale
    }

    /// Names of the pitch classes from C, as in files.
    public static let rootNames = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

    /// The panel's text, such as `C♯ MINOR`.
    var title: String { Tonality.name(ofPitchClass: root) + " " + scale.kind.title }

    /// The panel's text for a pitch class, such as `C♯`.
    static func name(ofPitchClass pitchClass: Int) -> String {
        String(rootNames[pitchClass].map { $0 == "#" ? "♯" : $0 })
    }

    /// Semitones from `root` to `other`, −6 to 5.
    static func semitones(from root: Int, to other: Int) -> Int { (other - root + 18) % Pattern.octave - 6 }

    /// Whether `note` is in the scale.
    func contains(_ note: Int) -> Bool { scale.contains((note + 24 - root) % Pattern.octave) }
}

// MARK: Scale degrees, for the rules of the box

extension Tonality {
    /// The note of degree 0: the root nearest to the lowest note of the middle octave.
    private var home: Int { root < 6 ? root : root - Pattern.octave }

    /// The note of `degree`; it may lie outside a track's notes.
    func note(ofDegree degree: Int) -> Int {
        let (octave, place) = degree.quotientAndRemainder(flooring: scale.count)
        return home + Pattern.octave * octave + scale.interval(at: place)
    }

    /// The highest degree whose note is `note` or lower.
    func degree(atOrBelow note: Int) -> Int {
        let (octave, rest) = (note - home).quotientAndRemainder(flooring: Pattern.octave)
        return octave * scale.count + scale.place(atOrBelow: rest)
    }

    /// The note as many degrees above `note`; one outside the scale keeps its distance from the degree below. It may lie
    /// outside a track's notes.
    func note(_ note: Int, movedBy degrees: Int) -> Int {
        let degree = degree(atOrBelow: note)
        return self.note(ofDegree: degree + degrees) + note - self.note(ofDegree: degree)
    }

    /// The degrees whose notes lie within `notes`.
    func degrees(within notes: ClosedRange<Int>) -> ClosedRange<Int> {
        let lowest = degree(atOrBelow: notes.lowerBound)
        let isInside = note(ofDegree: lowest) == notes.lowerBound
        return (isInside ? lowest : lowest + 1)...degree(atOrBelow: notes.upperBound)
    }

    /// The note of `tone` above `degree`. In a scale of seven notes a tone counts degrees; in any other it is the
    /// scale's note nearest to the tone's semitones, of two the lower.
    func note(of tone: Tone, above degree: Int) -> Int {
        if scale.count == 7 || tone == .root { return note(ofDegree: degree + tone.rawValue) }
        let target = note(ofDegree: degree) + tone.semitones
        let below = self.degree(atOrBelow: target)
        let (low, high) = (note(ofDegree: below), note(ofDegree: below + 1))
        return target - low <= high - target ? low : high
    }
}

/// A tone of a chord on a degree; its raw value is the distance in degrees of a scale of seven notes.
enum Tone: Int, Sendable {
    case root = 0
    case second = 1
    case third = 2
    case fourth = 3
    case fifth = 4
    case seventh = 6
    case ninth = 8
    case thirdBelow = -2
    case fourthBelow = -3
    case fifthBelow = -4
    case sixthBelow = -5
    case seventhBelow = -6

    /// Semitones to the tone in a major scale's first chord: what a scale without seven notes comes nearest to.
    fileprivate var semitones: Int {
        switch self {
        case .root: 0
        case .second: 2
        case .third: 4
        case .fourth: 5
        case .fifth: 7
        case .seventh: 11
        case .ninth: 14
        case .thirdBelow: -4
        case .fourthBelow: -5
        case .fifthBelow: -7
        case .sixthBelow: -8
        case .seventhBelow: -11
        }
    }
}

extension Int {
    /// Quotient and remainder by a positive `divisor`; the quotient is rounded down, the remainder is not negative.
    func quotientAndRemainder(flooring divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

// MARK: Pitch classes, for the rules of the phone

extension Tonality {
    /// `note` if it is in the scale, else the nearest note that is; of two, the higher.
    func snap(_ note: Int) -> Int {
        for distance in 0...6 {
            if contains(note + distance) { return (note + distance) % 12 }
            if contains(note + 12 - distance) { return (note + 12 - distance) % 12 }
        }
        return note
    }

    /// The scale degree of `note`, 0 for the root; 0 also if it is not in the scale.
    func place(of note: Int) -> Int {
        let interval = (note + 12 - root) % 12
        return scale.contains(interval) ? scale.place(atOrBelow: interval) : 0
    }

    /// The note at scale degree `place`, 0 for the root; degrees wrap around.
    func note(atPlace place: Int) -> Int {
        let count = scale.count
        return (root + scale.interval(at: (place % count + count) % count)) % 12
    }

    /// Semitones of the triad that a tap on the chord track writes: minor in a scale with a minor third and no major
    /// one.
    var triad: [Int] { scale.contains(3) && !scale.contains(4) ? [0, 3, 7] : [0, 4, 7] }

    /// Semitones of the major seventh chord, ascending.
    static let majorSeventh = [0, 4, 7, 11]
}
