import InputEvents

/// A tempo in hundredths of a beat per minute. A number literal is in whole beats per minute.
public struct Tempo: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    /// Hundredths of a beat per minute, within `range`; of a Link session's tempo within `LinkState.tempos`.
    public var hundredths: Int

    /// Range of a pattern's tempo.
    public static let range: ClosedRange<Tempo> = 20...300
    /// Range of whole beats per minute that the other versions of PixelBoop know (docs/formats.md).
    public static let shared = 60...200
    /// Change of one step of the buttons and keys.
    static let step: Tempo = 5

    /// A tempo of `bpm` beats per minute.
    public init(_ bpm: Int) { hundredths = 100 * bpm }

    /// The tempo nearest to `bpm` beats per minute, whose magnitude is below 10,000.
    public init(nearest bpm: Double) { hundredths = nearest(100 * bpm) }

    /// A tempo in hundredths of a beat per minute.
    public init(hundredths: Int) { self.hundredths = hundredths }

    /// A tempo of `bpm` beats per minute.
    public init(integerLiteral bpm: Int) { self.init(bpm) }

    /// Beats per minute.
    public var bpm: Double { Double(hundredths) / 100 }

    /// Beats per minute, rounded.
    public var whole: Int { (hundredths + 50) / 100 }

    /// Whether it is a number of whole beats per minute that the other versions of PixelBoop know.
    public var isShared: Bool { Tempo(nearestShared) == self }

    /// The nearest tempo that the other versions of PixelBoop know, in beats per minute.
    public var nearestShared: Int { whole.clamped(to: Tempo.shared) }

    /// Beats per minute with the decimals that they need: `120`, `97.5`, `123.45`.
    public var text: String {
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Microseconds of a beat, rounded.
    public var microsecondsOfBeat: Int { Int((6_000_000_000 + Int64(hundredths) / 2) / Int64(hundredths)) }

    /// The tempo clamped to `limits`.
    func clamped(to limits: ClosedRange<Tempo>) -> Tempo {
        Swift.min(Swift.max(self, limits.lowerBound), limits.upperBound)
    }

    /// Whether `one` is slower than `other`.
    public static func < (one: Tempo, other: Tempo) -> Bool { one.hundredths < other.hundredths }

    static func + (one: Tempo, other: Tempo) -> Tempo { Tempo(hundredths: one.hundredths + other.hundredths) }

    static func - (one: Tempo, other: Tempo) -> Tempo { Tempo(hundredths: one.hundredths - other.hundredths) }

    static func * (count: Int, tempo: Tempo) -> Tempo { Tempo(hundredths: count * tempo.hundredths) }
}
