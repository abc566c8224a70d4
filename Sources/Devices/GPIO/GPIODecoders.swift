import Instrument
import Runtime

// Decoders of edges, pure: levels and times go in, events come out.

/// Debounces a button. It acts on the first edge, without a delay, and then ignores the line for the debounce time; the level
/// at the end of that time counts.
struct Debouncer: Hashable, Sendable {
    /// Whether the button is held.
    private(set) var isPressed: Bool
    private var level: Bool
    private var quietUntil: Instant?
    private let quiet: Instant.Span

    /// A press or a release.
    struct Change: Hashable, Sendable {
        var isPress: Bool
        var time: Instant
    }

    /// A debouncer that ignores the line for `quiet` after each change. A button that is held from the start reports its release
    /// only.
    init(quiet: Instant.Span, isPressed: Bool = false) {
        self.quiet = quiet
        self.isPressed = isPressed
        level = isPressed
    }

    /// Returns the change that the end of the debounce time brings, if it is over by `now`. Call it before `take`, and
    /// regularly.
    mutating func settle(at now: Instant) -> Change? {
        guard let end = quietUntil, now >= end else { return nil }
        quietUntil = nil
        guard level != isPressed else { return nil }
        let change = change(at: end)
        if end + quiet <= now { quietUntil = nil }
        return change
    }

    /// Takes the line's level from `time` on; returns the change, if it is one.
    mutating func take(_ isActive: Bool, at time: Instant) -> Change? {
        level = isActive
        return quietUntil != nil || level == isPressed ? nil : change(at: time)
    }

    private mutating func change(at time: Instant) -> Change {
        isPressed = level
        quietUntil = time + quiet
        return Change(isPress: isPressed, time: time)
    }
}

/// Decodes a quadrature encoder: two contacts whose levels change a quarter period apart.
struct QuadratureDecoder: Hashable, Sendable {
    /// Transitions per detent.
    private let transitionsPerDetent: Int
    /// The contacts' state in a detent.
    private let rest: Int
    private var state: Int
    /// Transitions since the last detent; positive is clockwise.
    private var travel = 0

    /// Direction of each transition, by 4 · before + after. A state is 2 · a + b; clockwise the states are 3, 1, 0, 2, as
    /// contact a closes to ground first. If both contacts changed at once, an edge was lost and the direction is unknown: 0.
    private static let ways: [Int] = [
        0, -1, 1, 0,  // from 0
        1, 0, 0, -1,  // from 1
        -1, 0, 0, 1,  // from 2
        0, 1, -1, 0,  // from 3
    ]

    /// A decoder for 1, 2 or 4 `transitionsPerDetent`, with the contacts at `a` and `b`, which are taken for a detent.
    init(transitionsPerDetent: Int, a: Bool, b: Bool) {
        self.transitionsPerDetent = transitionsPerDetent
        state = Self.state(a, b)
        rest = state
    }

    private static func state(_ a: Bool, _ b: Bool) -> Int { (a ? 2 : 0) + (b ? 1 : 0) }

    /// Takes the contacts' levels; returns 1 for a detent clockwise, −1 for one counter-clockwise, 0 for none.
    mutating func take(a: Bool, b: Bool) -> Int {
        let next = Self.state(a, b)
        travel += Self.ways[4 * state + next]
        state = next
        if isDetent {
            // The count starts again in each detent, so that a lost edge has no later effect.
            defer { travel = 0 }
            return abs(travel) * 2 >= transitionsPerDetent && travel != 0 ? travel.signum() : 0
        }
        return 0
    }

    private var isDetent: Bool {
        switch transitionsPerDetent {
        case 1: true
        case 2: state == rest || state == 3 - rest
        default: state == rest
        }
    }
}

/// Acceleration of an encoder: a detent counts for more the sooner it follows another in the same direction.
struct Acceleration: Sendable {
    private var last: (way: Int, time: Instant)?

    /// Factor of a detent by the time since the last one; 1 above the longest. A slow turn makes 10 detents a second, a fast one
    /// 50.
    private static let curve: [(within: Instant.Span, factor: Int)] = [
        (.milliseconds(20), 6), (.milliseconds(35), 4), (.milliseconds(60), 2),
    ]

    /// Returns the accelerated count of the detent at `time`; `way` is 1 or −1.
    mutating func take(_ way: Int, at time: Instant) -> Int {
        defer { last = (way, time) }
        guard let last, last.way == way else { return way }
        return way * (Self.curve.first { time - last.time < $0.within }?.factor ?? 1)
    }
}

/// The power button: a press asks whether to switch off; a long hold switches off without asking.
struct PowerButton: Hashable, Sendable {
    /// Hold time after which the box switches off without asking.
    static let emergency = Instant.Span.milliseconds(10_000)

    /// Time of the press, until the button is released or the hold has taken effect.
    private var pressed: Instant?

    /// Takes a press or a release; returns the event of a press.
    mutating func take(_ change: Debouncer.Change) -> Event? {
        pressed = change.isPress ? change.time : nil
        return change.isPress ? .power : nil
    }

    /// Returns the event of a hold that is long enough at `now`.
    mutating func hold(at now: Instant) -> ControlEvent? {
        guard let start = pressed, now - start >= Self.emergency else { return nil }
        pressed = nil
        return ControlEvent(time: start + Self.emergency, event: .powerOff)
    }
}
