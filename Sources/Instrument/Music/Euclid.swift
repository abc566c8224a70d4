/// Hits spread as evenly as whole steps allow (Bjorklund, "The Theory of Rep-Rate Pattern Generation", 2003, in the
/// form of Bresenham's line).
public struct Euclid: Hashable, Sendable {
    /// Range of the steps, and so of the hits and of the rotation.
    public static let range = 0...32

    /// Hits in the pattern; 0 writes nothing.
    public var hits = 0
    /// Steps before it repeats, at least 1.
    public var steps = 16
    /// Steps by which it begins later.
    public var rotation = 0

    /// No hits in 16 steps.
    public init() {}

    /// Whether there is a hit at `step`, 0 or more.
    public func hasHit(at step: Int) -> Bool {
        let place = (step - rotation + steps * Euclid.range.upperBound) % steps
        return place * min(hits, steps) % steps < min(hits, steps)
    }
}

extension Pattern {
    /// Replaces the notes of `note` on `track` by the hits of `euclid`, up to the track's end.
    mutating func write(_ euclid: Euclid, _ track: Track, note: Int) {
        for step in 0..<length(of: track) {
            self[track, note: note, step: step] = euclid.hasHit(at: step) ? .normal : .empty
        }
    }
}
