import InputEvents

/// The last positions of a finger, for its speed at lift. The speed is measured over a time span, not a number of
/// reports, so that slow and fast overlays throw alike.
struct FingerTrail: Hashable, Sendable {
    /// Time before the lift over which the speed is measured.
    private static let window = Instant.Span.milliseconds(100)
    /// Minimum distance in time of stored positions, except the newest: together they span more than the window.
    private static let spacing = Instant.Span.milliseconds(18)
    private static let places = 8

    // Newest first.
    private var times = SIMD8<Int64>()
    private var columns = SIMD8<Float>()
    private var rows = SIMD8<Float>()
    private var count = 0

    /// A finger that lands at `position` at `now`.
    init(at position: Position, _ now: Instant) { push(position, now) }

    /// Adds the position at `now`.
    mutating func add(_ position: Position, at now: Instant) {
        // The newest position is always stored; older ones are thinned out.
        if count >= 2, times[0] - times[1] < Self.spacing.microseconds {
            set(0, position, now)
        } else {
            push(position, now)
        }
    }

    private mutating func push(_ position: Position, _ now: Instant) {
        for place in stride(from: Self.places - 1, to: 0, by: -1) {
            times[place] = times[place - 1]
            columns[place] = columns[place - 1]
            rows[place] = rows[place - 1]
        }
        set(0, position, now)
        count = min(count + 1, Self.places)
    }

    private mutating func set(_ place: Int, _ position: Position, _ now: Instant) {
        times[place] = now.microseconds
        columns[place] = position.column
        rows[place] = position.row
    }

    /// Velocity in LEDs per second, across and down, at `now`.
    func velocity(at now: Instant) -> (across: Double, down: Double) {
        let start = now.microseconds - Self.window.microseconds
        var (column, row, time) = (columns[count - 1], rows[count - 1], times[count - 1])
        if let place = (1..<count).first(where: { times[$0] <= start }) {
            let span = Float(times[place - 1] - times[place])
            let part = span > 0 ? min(1, Float(start - times[place]) / span) : 1
            column = columns[place] + (columns[place - 1] - columns[place]) * part
            row = rows[place] + (rows[place - 1] - rows[place]) * part
            time = start
        }
        let seconds = Double(now.microseconds - max(time, start)) / 1_000_000
        guard seconds > 0 else { return (0, 0) }
        return (Double(columns[0] - column) / seconds, Double(rows[0] - row) / seconds)
    }
}
