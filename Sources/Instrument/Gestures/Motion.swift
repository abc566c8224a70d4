import InputEvents

/// Thresholds of SPEC 3 and 4 that distinguish the gestures.
enum Limits {
    /// Time within the first LED that makes a hold.
    static let hold = Instant.Span.milliseconds(400)
    /// Maximum time between the two touch-downs of a double tap.
    static let doubleTap = Instant.Span.milliseconds(500)
    /// Maximum duration of a swipe.
    static let swipe = Instant.Span.milliseconds(300)
    /// Minimum columns of a swipe.
    static let swipeColumns: Float = 6
    /// Maximum columns that a swipe may move backwards: fingers tremble, and fast overlays report it.
    static let swipeTremble: Float = 1
    /// Maximum time between the ends of two swipes of a pair.
    static let swipePair = Instant.Span.milliseconds(500)
    /// Columns of travel before a direction, or a reversal, counts.
    static let shakeColumns: Float = 2
    /// A longer pause ends a shake.
    static let shakePause = Instant.Span.milliseconds(500)
    /// Number of reversals from which a touch writes no notes.
    static let shakeMute = 3
    /// Number of reversals that clears the tracks.
    static let shakeClear = 5
    /// Hold time on the LED at 0, 0 that changes the colour mode.
    static let colourHold = Instant.Span.milliseconds(600)
    /// Hold time on − or + before the first repeat.
    static let repeatDelay = Instant.Span.milliseconds(400)
    /// Interval of the further repeats.
    static let repeatInterval = Instant.Span.milliseconds(120)
    /// Tap tempo discards its taps after this time.
    static let tempoMemory = Instant.Span.milliseconds(2000)
    /// A knob that rests this long is released: the next turn is a new history step.
    static let turnMemory = Instant.Span.milliseconds(2000)
    /// Hold time that copies the current pattern into an empty scene.
    static let sceneCopy = Instant.Span.milliseconds(600)
    /// Hold time that replaces a filled scene, or empties the current one.
    static let sceneReplace = Instant.Span.milliseconds(1200)
    /// Tolerance of a finger on a scene, in LEDs beyond its edge.
    static let sceneTremble: Float = 0.5
    /// Maximum time until the second press of the power button.
    static let powerAnswer = Instant.Span.milliseconds(5000)
}

/// The movement of one finger since it landed: the basis of swipes, shakes, taps and holds.
struct Motion: Hashable, Sendable {
    /// Time of landing.
    let down: Instant
    /// Position of landing, in LEDs.
    let start: Position
    /// Current position.
    private(set) var position: Position
    /// Whether it has left the LED on which it landed.
    private(set) var hasLeftFirstLED = false
    /// Number of horizontal reversals, each after `Limits.shakeColumns` of travel.
    private(set) var reversals = 0

    private var direction: Float = 0
    private var turningPoint: Float
    private var lastMove: Instant
    private var hasTurned = false

    /// A finger that lands at `position` at `time`.
    init(at position: Position, time: Instant) {
        down = time
        start = position
        self.position = position
        turningPoint = position.column
        lastMove = time
    }

    /// Updates the position to `next` at `time`.
    mutating func move(to next: Position, at time: Instant) {
        if next.led != start.led { hasLeftFirstLED = true }
        if next.column != position.column {
            if time - lastMove > Limits.shakePause {
                direction = 0
                reversals = 0
                turningPoint = position.column
            }
            lastMove = time
            follow(next.column)
        }
        position = next
    }

    private mutating func follow(_ column: Float) {
        let travel = column - turningPoint
        if travel * direction < 0, abs(travel) > Limits.swipeTremble { hasTurned = true }
        if travel * direction > 0 {
            turningPoint = column
        } else if abs(travel) >= Limits.shakeColumns {
            if direction != 0 { reversals += 1 }
            direction = travel > 0 ? 1 : -1
            turningPoint = column
        }
    }

    /// The direction of the swipe, if the finger lifts at `time`; nil for no swipe.
    func swipe(endingAt time: Instant) -> Swipe? {
        let travel = position.column - start.column
        guard time - down <= Limits.swipe, abs(travel) >= Limits.swipeColumns, !hasTurned else { return nil }
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
