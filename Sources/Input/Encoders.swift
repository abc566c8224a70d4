import InputEvents

/// Decodes a quadrature encoder: two contacts whose levels change a quarter period apart.
public struct QuadratureDecoder: Hashable, Sendable {
    /// Transitions per detent.
    private let transitionsPerDetent: Int
    /// The contacts' state in a detent.
    private let rest: Int
    private var state: Int
    /// Transitions since the last detent; positive is clockwise.
    private var travel = 0

    /// Direction of each transition, by 4 · before + after. A state is 2 · a + b; clockwise the states are 3, 1, 0, 2,
    /// as contact a closes to ground first. If both contacts changed at once, an edge was lost and the direction is
    /// unknown: 0.
    private static let ways: [Int] = [
        0, -1, 1, 0,  // from 0
        1, 0, 0, -1,  // from 1
        -1, 0, 0, 1,  // from 2
        0, 1, -1, 0,  // from 3
    ]

    /// A decoder for 1, 2 or 4 `transitionsPerDetent`, with the contacts at `a` and `b`, which are taken for a detent.
    public init(transitionsPerDetent: Int, a: Bool, b: Bool) {
        self.transitionsPerDetent = transitionsPerDetent
        state = Self.state(a, b)
        rest = state
    }

    private static func state(_ a: Bool, _ b: Bool) -> Int { (a ? 2 : 0) + (b ? 1 : 0) }

    /// Decodes the contacts' levels; returns 1 for a detent clockwise, −1 for one counter-clockwise, 0 for none.
    public mutating func decode(a: Bool, b: Bool) -> Int {
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
public struct Acceleration: Sendable {
    private var last: (way: Int, time: Instant)?

    /// The acceleration of an encoder that has not been turned.
    public init() {}

    /// Factor of a detent by the time since the last one; 1 above the longest. A slow turn makes 10 detents a second, a
    /// fast one 50.
    private static let curve: [(within: Instant.Span, factor: Int)] = [
        (.milliseconds(20), 6), (.milliseconds(35), 4), (.milliseconds(60), 2),
    ]

    /// Returns the accelerated count of the detent at `time`; `way` is 1 or −1.
    public mutating func accelerate(_ way: Int, at time: Instant) -> Int {
        defer { last = (way, time) }
        guard let last, last.way == way else { return way }
        return way * (Self.curve.first { time - last.time < $0.within }?.factor ?? 1)
    }
}
