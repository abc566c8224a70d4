/// An effect on the whole sound, which fingers play (docs/spec.md, section 16). In the engine's order.
public enum FX: Int, CaseIterable, Sendable {
    /// What was just heard repeats.
    case `repeat`
    /// A low-pass at the left, a high-pass at the right.
    case filter
    /// Fewer bits, and a lower rate.
    case crush
    /// Silence in every second part of a division.
    case gate
    /// What was just heard plays backwards.
    case reverse
    /// A tape that stops.
    case tape
    /// A delay.
    case `throw`
    /// Noise that rises.
    case swell

    /// The panel's word.
    var title: String { Self.titles[rawValue] }

    private static let titles = ["REPEAT", "FILTER", "CRUSH", "GATE", "REVERSE", "TAPE", "THROW", "SWELL"]
}

/// The place of a finger on an effect.
public struct FXPlay: Hashable, Sendable {
    /// Time, division or frequency: 0 to 1000 from the left.
    public var x: Int
    /// Amount: 0 to 1000 from the bottom.
    public var y: Int
    /// Whether it begins with the next step while the music runs; else at once.
    public var waits: Bool
}

/// The effects that fingers play.
public struct FXPlays: Hashable, Sendable {
    private var places = SIMD16<Int16>(repeating: FXPlays.none)
    private var waiting: UInt8 = 0
    private static let none: Int16 = -1

    /// No effects.
    public init() {}

    /// Whether no effect is played.
    public var isEmpty: Bool { self == FXPlays() }

    /// How `fx` is played; nil if it is not.
    public subscript(fx: FX) -> FXPlay? {
        get {
            let x = places[2 * fx.rawValue]
            guard x != Self.none else { return nil }
            return FXPlay(
                x: Int(x), y: Int(places[2 * fx.rawValue + 1]), waits: waiting >> UInt8(fx.rawValue) & 1 == 1)
        }
        set {
            places[2 * fx.rawValue] = newValue.map { Int16($0.x) } ?? Self.none
            places[2 * fx.rawValue + 1] = newValue.map { Int16($0.y) } ?? Self.none
            let bit: UInt8 = 1 << UInt8(fx.rawValue)
            waiting = newValue?.waits == true ? waiting | bit : waiting & ~bit
        }
    }
}
