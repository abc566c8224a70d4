import InputEvents

/// Debounces a button. It acts on the first edge, without a delay, and then ignores the line for the debounce time; the
/// level at the end of that time counts.
public struct Debouncer: Hashable, Sendable {
    /// Whether the button is held.
    public private(set) var isPressed: Bool
    private var level: Bool
    private var quietUntil: Instant?
    private let quiet: Instant.Span

    /// A press or a release.
    public struct Change: Hashable, Sendable {
        /// Whether it is a press.
        public var isPress: Bool
        /// Time of the edge.
        public var time: Instant

        /// A press or a release at `time`.
        public init(isPress: Bool, time: Instant) {
            self.isPress = isPress
            self.time = time
        }
    }

    /// A debouncer that ignores the line for `quiet` after each change. A button that is held from the start reports
    /// its release only.
    public init(quiet: Instant.Span, isPressed: Bool = false) {
        self.quiet = quiet
        self.isPressed = isPressed
        level = isPressed
    }

    /// Returns the change that the end of the debounce time brings, if it is over by `now`. Call it before `update`,
    /// and regularly.
    public mutating func advance(to now: Instant) -> Change? {
        guard let end = quietUntil, now >= end else { return nil }
        quietUntil = nil
        guard level != isPressed else { return nil }
        let change = change(at: end)
        if end + quiet <= now { quietUntil = nil }
        return change
    }

    /// Updates the line's level from `time` on; returns the change, if it is one.
    public mutating func update(_ isActive: Bool, at time: Instant) -> Change? {
        level = isActive
        return quietUntil != nil || level == isPressed ? nil : change(at: time)
    }

    private mutating func change(at time: Instant) -> Change {
        isPressed = level
        quietUntil = time + quiet
        return Change(isPress: isPressed, time: time)
    }
}

/// The power button: a press asks whether to switch off; a long hold switches off without asking.
public struct PowerButton: Hashable, Sendable {
    /// Hold time after which the box switches off without asking.
    private static let emergency = Instant.Span.milliseconds(10_000)

    /// Time of the press, until the button is released or the hold has taken effect.
    private var pressed: Instant?

    /// A button that is not pressed.
    public init() {}

    /// Updates the button with a press or a release.
    public mutating func update(_ change: Debouncer.Change) { pressed = change.isPress ? change.time : nil }

    /// Returns when a hold became long enough, once, if it is at `now`; else nil.
    public mutating func hold(at now: Instant) -> Instant? {
        guard let start = pressed, now - start >= Self.emergency else { return nil }
        pressed = nil
        return start + Self.emergency
    }
}
