import Instrument
import Runtime

// What edges mean. Nothing here knows the system: levels and times go in.

/// A button whose contacts bounce. It acts on the first edge, so that nothing is waited for, and then ignores the line for
/// as long as contacts bounce; where the line has come to rest otherwise by then, that counts from then on.
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

    /// A button that ignores its line for `quiet` after each change. One that is held from the start is only let go.
    init(quiet: Instant.Span, isPressed: Bool = false) {
        self.quiet = quiet
        self.isPressed = isPressed
        level = isPressed
    }

    /// What the end of the time of bouncing brings, if it has come by `now`. To be called before `take`, and from time to
    /// time.
    mutating func settle(at now: Instant) -> Change? {
        guard let end = quietUntil, now >= end else { return nil }
        quietUntil = nil
        guard level != isPressed else { return nil }
        let change = change(at: end)
        if end + quiet <= now { quietUntil = nil }
        return change
    }

    /// The line has been active, or not, since `time`.
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

/// A knob with two contacts whose changes follow each other by a quarter turn of their pattern.
struct QuadratureDecoder: Hashable, Sendable {
    /// Transitions from one detent to the next.
    private let transitionsPerDetent: Int
    /// The state of the contacts in a detent.
    private let rest: Int
    private var state: Int
    /// Transitions since the last detent, clockwise above 0.
    private var travel = 0

    /// Which way each pair of states goes, by 4 · before + after. A state is 2 · a + b, and clockwise they follow each
    /// other as 3, 1, 0, 2: a closes to ground first. Where both contacts seem to have changed at once an edge was lost, and
    /// the way is not known.
    private static let ways: [Int] = [
        0, -1, 1, 0,  // from 0
        1, 0, 0, -1,  // from 1
        -1, 0, 0, 1,  // from 2
        0, 1, -1, 0,  // from 3
    ]

    /// A knob with `transitionsPerDetent`, 1, 2 or 4, whose contacts stand at `a` and `b`. It is taken to rest in a detent.
    init(transitionsPerDetent: Int, a: Bool, b: Bool) {
        self.transitionsPerDetent = transitionsPerDetent
        state = Self.state(a, b)
        rest = state
    }

    private static func state(_ a: Bool, _ b: Bool) -> Int { (a ? 2 : 0) + (b ? 1 : 0) }

    /// The contacts stand at `a` and `b` now. Gives the detent that this completes, 1 clockwise and −1 the other way, or 0.
    mutating func take(a: Bool, b: Bool) -> Int {
        let next = Self.state(a, b)
        travel += Self.ways[4 * state + next]
        state = next
        if isDetent {
            // In a detent the count begins afresh, so that a lost edge costs nothing later on.
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

/// Makes fast turning go further: a detent counts for more the sooner it follows another the same way.
struct Acceleration: Sendable {
    private var last: (way: Int, time: Instant)?

    /// What a detent counts that follows the last within a time; 1 for longer ones. A slow turn passes 10 detents a second,
    /// a flick of the fingers 50.
    private static let curve: [(within: Instant.Span, factor: Int)] = [
        (.milliseconds(20), 6), (.milliseconds(35), 4), (.milliseconds(60), 2),
    ]

    /// What the detent at `time` counts, `way` being 1 or −1.
    mutating func take(_ way: Int, at time: Instant) -> Int {
        defer { last = (way, time) }
        guard let last, last.way == way else { return way }
        return way * (Self.curve.first { time - last.time < $0.within }?.factor ?? 1)
    }
}

/// The power button: a press asks, and being held for long is the emergency.
struct PowerButton: Hashable, Sendable {
    /// So long it is held until the box switches off unasked.
    static let emergency = Instant.Span.milliseconds(10_000)

    /// When it was pressed, while it is held and nothing has come of that yet.
    private var pressed: Instant?

    /// A press or a release.
    mutating func take(_ change: Debouncer.Change) -> Event? {
        pressed = change.isPress ? change.time : nil
        return change.isPress ? .power : nil
    }

    /// What having been held until `now` means.
    mutating func hold(at now: Instant) -> ControlEvent? {
        guard let start = pressed, now - start >= Self.emergency else { return nil }
        pressed = nil
        return ControlEvent(time: start + Self.emergency, event: .powerOff)
    }
}
