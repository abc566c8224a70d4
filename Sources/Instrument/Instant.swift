/// A moment, in whole microseconds since the clock that was handed in began. Everything below the commands
/// takes the time as an argument of this type; nothing there reads a clock.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since the clock began.
    public var microseconds: Int64

    /// A moment `microseconds` after the clock began.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// A moment `milliseconds` after the clock began.
    public init(milliseconds: Int64) { self.init(microseconds: milliseconds * 1000) }

    /// The moment at which the clock began.
    public static let zero = Instant(microseconds: 0)

    /// Whether `lhs` is earlier than `rhs`.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.microseconds < rhs.microseconds }

    /// The moment `span` after this one.
    public static func + (lhs: Instant, span: Span) -> Instant {
        Instant(microseconds: lhs.microseconds + span.microseconds)
    }

    /// The time from `rhs` to `lhs`.
    public static func - (lhs: Instant, rhs: Instant) -> Span {
        Span(microseconds: lhs.microseconds - rhs.microseconds)
    }

    /// A length of time, in whole microseconds.
    public struct Span: Hashable, Comparable, Sendable {
        /// The length in microseconds.
        public var microseconds: Int64

        /// A length of `microseconds`.
        public init(microseconds: Int64) { self.microseconds = microseconds }

        /// A length of `count` milliseconds.
        public static func milliseconds(_ count: Int64) -> Span { Span(microseconds: count * 1000) }

        /// Whether `lhs` is shorter than `rhs`.
        public static func < (lhs: Span, rhs: Span) -> Bool { lhs.microseconds < rhs.microseconds }

        /// This length as a part of `whole`: 0 at none of it, 1 at all of it.
        public func fraction(of whole: Span) -> Float { Float(microseconds) / Float(whole.microseconds) }
    }
}
