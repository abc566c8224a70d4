/// A point in time, in whole microseconds since the clock's start. All code below the commands receives the time as an
/// argument of this type; none of it reads a clock.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since the clock's start.
    public var microseconds: Int64

    /// The time `microseconds` after the clock's start.
    @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The time `milliseconds` after the clock's start.
    @inlinable public init(milliseconds: Int64) { self.init(microseconds: milliseconds * 1000) }

    /// The clock's start.
    public static let zero = Instant(microseconds: 0)

    /// Whether `lhs` is earlier than `rhs`.
    @inlinable public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.microseconds < rhs.microseconds }

    /// The time `span` after this one.
    @inlinable public static func + (lhs: Instant, span: Span) -> Instant {
        Instant(microseconds: lhs.microseconds + span.microseconds)
    }

    /// The time `span` before this one.
    @inlinable public static func - (lhs: Instant, span: Span) -> Instant {
        Instant(microseconds: lhs.microseconds - span.microseconds)
    }

    /// The time from `rhs` to `lhs`.
    @inlinable public static func - (lhs: Instant, rhs: Instant) -> Span {
        Span(microseconds: lhs.microseconds - rhs.microseconds)
    }

    /// A duration in whole microseconds.
    public struct Span: Hashable, Comparable, Sendable {
        /// The duration in microseconds.
        public var microseconds: Int64

        /// A duration of `microseconds`.
        @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

        /// A duration of `milliseconds`, rounded to whole microseconds.
        @inlinable public init(milliseconds: Double) {
            self.init(microseconds: Int64((milliseconds * 1000).rounded()))
        }

        /// A duration of `count` milliseconds.
        @inlinable public static func milliseconds(_ count: Int64) -> Span { Span(microseconds: count * 1000) }

        /// The durations one after the other.
        @inlinable public static func + (lhs: Span, rhs: Span) -> Span {
            Span(microseconds: lhs.microseconds + rhs.microseconds)
        }

        /// Whether `lhs` is shorter than `rhs`.
        @inlinable public static func < (lhs: Span, rhs: Span) -> Bool { lhs.microseconds < rhs.microseconds }

        /// The ratio of this duration to `whole`.
        @inlinable public func fraction(of whole: Span) -> Float { Float(microseconds) / Float(whole.microseconds) }
    }
}
