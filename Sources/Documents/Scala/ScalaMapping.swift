import CMath
import Instrument

/// A keyboard mapping in the format of Scala, `.kbm` (huygens-fokker.org/scala/help.htm#mappings): which degrees of a
/// scale of twelve notes the keys have, and the frequency of one key.
public struct ScalaMapping: Hashable, Sendable {
    /// The key with the first entry of `degrees`.
    private let middle: Int
    /// The degree of each of the twelve keys from `middle` on.
    private let degrees: [Int]
    /// The key whose frequency is given; nil without a file.
    private let reference: Reference?

    /// A key, its frequency in hertz, and the line that says so.
    private struct Reference: Hashable {
        let key: Int
        let hertz: Double
        let line: Int
    }

    private static let keys = 0...127
    private static let a4Key = 69
    /// The keys that the box plays.
    private static let played: ClosedRange<Int> = {
        let keys = Track.allCases.filter { $0 != .rhythm }.flatMap { track in
            [track.notes.lowerBound, track.notes.upperBound].map { track.midiKey(of: $0) }
        }
        return (keys.min() ?? 0)...(keys.max() ?? 0)
    }()

    /// Without a file: degree 0 is on C, and A4 has no frequency of its own.
    init() {
        middle = 60
        degrees = Array(0..<Pattern.octave)
        reference = nil
    }

    /// Reads a file, completely or not at all. Throws `FormatError` with the first line that is wrong, or that the box
    /// cannot follow.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let octave = Pattern.octave
        var lines = ScalaLines(bytes)
        let sizeLine = try lines.next("the size of the map")
        guard let size = Int(sizeLine.word), size == 0 || size == octave else {
            throw sizeLine.refused("is \(sizeLine.shown); the map should have 12 keys, or 0: all in a row")
        }
        let first = try lines.integer("the first key", in: Self.keys)
        let lastLine = try lines.next("the last key")
        guard let last = Int(lastLine.word), first <= Self.played.lowerBound, last >= Self.played.upperBound else {
            throw lastLine.refused(
                "the keys \(first) to \(lastLine.word.prefix(9)) should include those that the box plays, "
                    + "\(Self.played.lowerBound) to \(Self.played.upperBound)")
        }
        middle = try lines.integer("the middle key", in: Self.keys)
        let key = try lines.integer("the reference key", in: Self.keys)
        let line = try lines.next("the frequency of the reference key")
        guard let hertz = Double(line.word), hertz > 0, hertz.isFinite else {
            throw line.refused("is \(line.shown), should be the frequency of the reference key in hertz")
        }
        reference = Reference(key: key, hertz: hertz, line: line.number)
        let octaveLine = try lines.next("the degree of the octave")
        guard let degree = Int(octaveLine.word), degree == octave || (degree == 0 && size == 0) else {
            throw octaveLine.refused("is \(octaveLine.shown); the octave should be degree \(octave)")
        }
        guard size > 0 else {
            degrees = Array(0..<octave)
            return
        }
        var degrees: [Int] = []
        while degrees.count < octave {
            guard let line = lines.next(), line.word.lowercased() != "x" else {
                throw FormatError("", "key \(degrees.count) of the map has no note; each of the 12 should have one")
            }
            guard let degree = Int(line.word), (-octave...2 * octave).contains(degree) else {
                throw line.refused("is \(line.shown), should be a degree of the scale, or x")
            }
            degrees.append(degree)
        }
        self.degrees = degrees
    }

    /// The pitch of `key` in a scale of twelve notes, in cents above its degree 0 at the middle key.
    func cents(ofKey key: Int, _ scale: [Double]) -> Double {
        let (octave, place) = floored(key - middle)
        let (more, degree) = floored(degrees[place])
        return scale[degree] + 1200 * Double(octave + more)
    }

    /// The frequency of A4 in thousandths of a hertz, if the mapping gives one, with `scale`.
    func a4(_ scale: [Double]) throws(FormatError) -> Int? {
        guard let reference else { return nil }
        let cents = cents(ofKey: Self.a4Key, scale) - cents(ofKey: reference.key, scale)
        let hertz = reference.hertz * exp2(cents / 1200)
        let range = Tuning.references
        let value = (hertz * Double(Tuning.parts)).rounded()
        guard value >= Double(range.lowerBound), value <= Double(range.upperBound) else {
            let (lowest, highest) = (range.lowerBound / Tuning.parts, range.upperBound / Tuning.parts)
            let shown = hertz < 1e6 ? String(Int((hertz * 100).rounded()), places: 2) : "more than a million"
            throw FormatError(
                "line \(reference.line) of the mapping",
                "makes A4 (key \(Self.a4Key)) \(shown) Hz, should be \(lowest) to \(highest)")
        }
        return Int(value)
    }

    /// The octave and the place in it of `number`.
    private func floored(_ number: Int) -> (octave: Int, place: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: Pattern.octave)
        return remainder < 0 ? (quotient - 1, remainder + Pattern.octave) : (quotient, remainder)
    }

    /// The file of a mapping with degree 0 on C and A4 at `a4` thousandths of a hertz.
    public static func text(a4: Int) -> String {
        let numbers: [(String, String)] = [
            ("Size of the map", "0"), ("First and last key", "0\n127"), ("Key of degree 0", "60"),
            ("Reference key and its frequency", "\(a4Key)\n\(String(a4, places: 3))"), ("Degree of the octave", "12"),
        ]
        return numbers.map { "! \($0)\n\($1)\n" }.joined()
    }
}
