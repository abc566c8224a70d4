/// Expression of a note that a keyboard holds.
public struct Expression: Hashable, Sendable {
    /// Bend in hundredths of a cent, within `bends`.
    public let bend: Int
    /// Pressure in thousandths, 0-1000: loudness and brightness beyond the track's.
    public let pressure: Int
    /// Brightness in thousandths, -1000 to 1000: the low-pass against the track's.
    public let brightness: Int

    /// Range of the bend: eight octaves.
    public static let bends = -960_000...960_000

    /// The expression of a key without bend and pressure.
    public static let neutral = Expression(bend: 0, pressure: 0, brightness: 0)

    /// An expression; values out of range become the nearest in it.
    public init(bend: Int, pressure: Int, brightness: Int) {
        self.bend = bend.clamped(to: Self.bends)
        self.pressure = pressure.clamped(to: 0...1000)
        self.brightness = brightness.clamped(to: -1000...1000)
    }
}
