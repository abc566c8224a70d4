import CMath
import Instrument

/// A scale of twelve notes and an octave in the format of Scala, `.scl` (huygens-fokker.org/scala/scl_format.html).
public struct ScalaScale: Hashable, Sendable {
    /// The line that describes the scale.
    public let title: String
    /// The notes in cents above degree 0, which is the first.
    public let cents: [Double]

    private static let octave = 1200.0

    /// The name of its tuning: the description if that is a name, else the beginning of `file`, a file's name without
    /// its ending, or of the description without one. Nil if the panel can show none of it.
    public func name(orOf file: String?) -> SoundName? {
        let title = title.split { $0.isWhitespace }.joined(separator: " ")
        return SoundName(title.uppercased()) ?? SoundName(shortening: file ?? title)
    }

    /// Reads a file, completely or not at all. Throws `FormatError` with the first line that is no part of a scale of
    /// twelve notes and an octave.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var lines = ScalaLines(bytes)
        title = try lines.next("the description, which may be empty").text
        let line = try lines.next("the number of notes")
        guard let count = Int(line.word), count >= 0 else {
            throw line.refused("is \(line.shown), should be the number of notes")
        }
        guard count == Pattern.octave else {
            throw line.refused("the scale has \(String(count, of: "note")), should have \(Pattern.octave)")
        }
        var cents = [0.0]
        for degree in 1...count {
            let line = try lines.next("note \(degree) of \(count)")
            let pitch = try Self.pitch(line)
            if degree < count {
                try Self.check(pitch, degree, line)
                cents.append(pitch)
            } else if abs(pitch - Self.octave) * Double(Tuning.parts) >= 0.5 {
                throw line.refused("the last note is \(line.shown), should be an octave above the first: 2/1 or 1200.0")
            }
        }
        self.cents = cents
    }

    /// Throws if a note is too far from its place.
    private static func check(_ pitch: Double, _ degree: Int, _ line: ScalaLines.Line) throws(FormatError) {
        let place = Double(degree) * octave / Double(Pattern.octave)
        guard abs(pitch - place) <= octave else {
            throw line.refused("is \(line.shown); note \(degree) should be within an octave of \(Int(place)).0 cents")
        }
    }

    /// The pitch at the beginning of `line` in cents: with a point in cents, else a ratio or a whole number. Anything
    /// may follow.
    private static func pitch(_ line: ScalaLines.Line) throws(FormatError) -> Double {
        var rest = line.bytes.drop(while: isBlank)
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        let whole = digits(&rest)
        func number(_ text: String) throws(FormatError) -> Double {
            guard let number = Double(text), number.isFinite else { throw line.refused("is too large a number") }
            return number
        }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let decimals = digits(&rest)
            guard !(whole + decimals).isEmpty else { throw refusal(of: line) }
            return try number("\(isNegative ? "-" : "")0\(whole).\(decimals)0")
        }
        guard !whole.isEmpty else { throw refusal(of: line) }
        var after = rest.drop(while: isBlank)
        var parts = (whole, "1")
        if after.first == UInt8(ascii: "/") {
            after.removeFirst()
            after = after.drop(while: isBlank)
            parts.1 = digits(&after)
            guard !parts.1.isEmpty else { throw refusal(of: line) }
        }
        let (numerator, denominator) = (try number(parts.0), try number(parts.1))
        guard !isNegative, numerator > 0, denominator > 0 else {
            throw line.refused("is \(line.shown); a ratio should be above zero")
        }
        return octave * log2(numerator / denominator)
    }

    private static func refusal(of line: ScalaLines.Line) -> FormatError {
        line.refused("is \(line.shown), should be a ratio, such as 3/2, or cents with a point, such as 701.955")
    }

    /// Takes the digits at the beginning of `bytes`.
    private static func digits(_ bytes: inout ArraySlice<UInt8>) -> String {
        let digits = bytes.prefix { $0.isASCIIDigit }
        bytes = bytes.dropFirst(digits.count)
        return String(decoding: digits, as: UTF8.self)
    }

    // MARK: Tunings

    /// The tuning `name` of the scale, degree 0 on C, or as `mapping` says. Throws `FormatError` if a note or A4 is
    /// then out of range.
    public func tuning(named name: SoundName, _ mapping: ScalaMapping? = nil) throws(FormatError) -> OwnTuning {
        let mapping = mapping ?? ScalaMapping()
        let start = mapping.cents(ofKey: Self.middleC, cents)
        var thousandths: [Int] = []
        for pitchClass in 0..<Pattern.octave {
            let value = (mapping.cents(ofKey: Self.middleC + pitchClass, cents) - start) * Double(Tuning.parts)
            let range = Tuning.range(ofPitchClass: pitchClass)
            guard abs(value) < Double(range.upperBound) + 1, range.contains(Int(value.rounded())) else {
                throw FormatError(
                    "", "with the mapping note \(pitchClass) from C is more than an octave from its place")
            }
            thousandths.append(Int(value.rounded()))
        }
        return OwnTuning(name: name, cents: thousandths, a4: try mapping.a4(cents))
    }

    private static let middleC = 60

    /// The file of `tuning`, with its name as the description.
    public static func text(of tuning: OwnTuning) -> String {
        let notes = tuning.cents.dropFirst().map { cents in
            " \(cents < 0 ? "-" : "")\(String(cents.magnitude, places: 3))\n"
        }
        return "\(tuning.name.text)\n \(Pattern.octave)\n!\n\(notes.joined()) 2/1\n"
    }
}
