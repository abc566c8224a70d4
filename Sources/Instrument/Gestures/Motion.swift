import InputEvents

/// The movement of one finger since it landed: the basis of still touches, swipes, shakes and holds.
struct Motion: Hashable, Sendable {
    /// Time of landing.
    let down: Instant
    /// Position of landing, in LEDs.
    let start: Position
    /// Current position.
    private(set) var position: Position
    /// When it left the LED on which it landed, for the first time; nil if it never did.
    private(set) var left: Instant?
    /// Whether it was ever more than one LED away from its first.
    private(set) var hasWandered = false
    /// Number of horizontal reversals, each after `Limits.shakeColumns` of travel.
    private(set) var reversals = 0

    private let rules: Rules
    private var direction: Float = 0
    private var turningPoint: Float
    private var lowest: Float
    private var highest: Float
    private var lastMove: Instant
    // A swipe has a direction, a furthest column in it, and may have moved back.
    private var heading: Float = 0
    private var front: Float
    private var hasTurned = false

    /// A finger that lands at `position` at `time`.
    init(at position: Position, time: Instant, _ rules: Rules) {
        down = time
        start = position
        self.position = position
        self.rules = rules
        turningPoint = Motion.column(of: position, rules)
        (lowest, highest) = (turningPoint, turningPoint)
        front = position.column
        lastMove = time
    }

    /// The columns from where it landed to where it is.
    var columns: ClosedRange<Int> {
        min(start.led.column, position.led.column)...max(start.led.column, position.led.column)
    }

    /// Columns from where it landed to where it is; negative to the left.
    var travel: Float { position.column - start.column }

    /// Whether it has left the LED on which it landed.
    var hasLeftFirstLED: Bool { left != nil }

    private static func column(of position: Position, _ rules: Rules) -> Float {
        rules.limits.countsLEDs ? Float(position.led.column) : position.column
    }

    /// Updates the position to `next` at `time`.
    mutating func move(to next: Position, at time: Instant) {
        let (led, first) = (next.led, start.led)
        if led != first, left == nil { left = time }
        if abs(led.column - first.column) > 1 || abs(led.row - first.row) > 1 { hasWandered = true }
        followSwipe(next.column)
        let column = Motion.column(of: next, rules)
        if column != Motion.column(of: position, rules) {
            if rules == .box ? time - lastMove >= Limits.shakePause : time - lastMove > Limits.shakePause {
                direction = 0
                reversals = 0
                turningPoint = Motion.column(of: position, rules)
                (lowest, highest) = (turningPoint, turningPoint)
            }
            lastMove = time
            followShake(column)
        }
        position = next
    }

    private mutating func followSwipe(_ column: Float) {
        let limits = rules.limits
        if heading == 0, abs(column - front) >= limits.swipeHeading {
            heading = column > front ? 1 : -1
            front = column
        } else if (column - front) * heading > 0 {
            front = column
        } else if abs(column - front) > limits.swipeTremble, heading != 0 {
            hasTurned = true
        }
    }

    private mutating func followShake(_ column: Float) {
        if direction == 0, rules == .box {
            // The first leg begins at the furthest column on the other side.
            (lowest, highest) = (min(lowest, column), max(highest, column))
            turningPoint = column - lowest > highest - column ? lowest : highest
        }
        let travel = column - turningPoint
        if travel * direction > 0 {
            turningPoint = column
        } else if abs(travel) >= rules.limits.shakeColumns {
            if direction != 0 { reversals += 1 }
            direction = travel > 0 ? 1 : -1
            turningPoint = column
        }
    }

    /// Whether the finger stayed within its first LED long enough for a hold, if it lifts at `time`.
    func isHeld(until time: Instant) -> Bool { (left ?? time) - down >= Limits.hold }

    /// Whether the finger counts as still if it lifts at `time`, under the rules of the box.
    func isStill(liftingAt time: Instant) -> Bool {
        guard let left else { return true }
        guard !hasWandered else { return false }
        return position.led == start.led || time - down <= Limits.stillTouch || time - left < Limits.stillLift
    }

    /// Until when the finger, which does not rest on its first LED, counts as still.
    var stillUntil: Instant? {
        guard let left, !hasWandered else { return nil }
        return max(down + Limits.stillTouch, left + Limits.stillLift)
    }

    /// The direction of the swipe, if the finger lifts at `time`; nil for no swipe.
    func swipe(endingAt time: Instant) -> Swipe? {
        let limits = rules.limits
        let travel = Motion.column(of: position, rules) - Motion.column(of: start, rules)
        guard time - down <= limits.swipe, abs(travel) >= limits.swipeColumns, !hasTurned else { return nil }
        return travel < 0 ? .left : .right
    }
}

/// A position on the panel in LEDs; LED *n* spans n − ½ to n + ½.
struct Position: Hashable, Sendable {
    /// Column from the left edge of the sequencer's 44 columns.
    var column: Float
    /// Row from the top edge.
    var row: Float

    /// The LED at the position.
    var led: LED { LED(column: Int((column + 0.5).rounded(.down)), row: Int((row + 0.5).rounded(.down))) }

    /// One LED of the sequencer's grid.
    struct LED: Hashable, Sendable {
        var column: Int
        var row: Int
    }

    /// The last LED within `columns` and `rows` on the straight line from here to `end`; nil if the line misses them.
    func lastLED(onTheWayTo end: Position, within columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> LED? {
        let across = Self.part(from: column, to: end.column, within: columns)
        let down = Self.part(from: row, to: end.row, within: rows)
        guard let across, let down, across.overlaps(down) else { return nil }
        let part = min(across.upperBound, down.upperBound)
        let last = Position(column: column + (end.column - column) * part, row: row + (end.row - row) * part).led
        // The border itself belongs to the next LED.
        return LED(column: last.column.clamped(to: columns), row: last.row.clamped(to: rows))
    }

    /// The part of the line from `start` to `end`, 0…1, within `leds`.
    private static func part(from start: Float, to end: Float, within leds: ClosedRange<Int>) -> ClosedRange<Float>? {
        let low = Float(leds.lowerBound) - 0.5
        let high = Float(leds.upperBound) + 0.5
        guard start != end else { return low <= start && start < high ? 0...1 : nil }
        let one = (low - start) / (end - start)
        let other = (high - start) / (end - start)
        let (enters, leaves) = (max(min(one, other), 0), min(max(one, other), 1))
        return enters <= leaves ? enters...leaves : nil
    }
}

/// Direction of a swipe.
enum Swipe: Sendable {
    /// Undo.
    case left
    /// Redo.
    case right
}
