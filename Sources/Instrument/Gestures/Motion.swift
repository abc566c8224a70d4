/// The numbers of SPEC 3 and 4 by which a touch is told apart.
enum Limits {
    /// A finger that stays this long within its first LED is a hold.
    static let hold = Instant.Span.milliseconds(400)
    /// Touch-downs of a double tap are closer than this.
    static let doubleTap = Instant.Span.milliseconds(500)
    /// A swipe takes no longer than this.
    static let swipe = Instant.Span.milliseconds(300)
    /// Columns that a swipe crosses at least.
    static let swipeColumns: Float = 6
    /// Columns that a swipe may go back before it is none: fingers tremble, and fast overlays report it.
    static let swipeTremble: Float = 1
    /// Two swipes end within this.
    static let swipePair = Instant.Span.milliseconds(500)
    /// Columns that a finger travels before its direction, or a change of it, counts.
    static let shakeColumns: Float = 2
    /// A pause longer than this ends a shake.
    static let shakePause = Instant.Span.milliseconds(500)
    /// From this reversal on a touch makes no notes.
    static let shakeMute = 3
    /// At this reversal the tracks are cleared.
    static let shakeClear = 5
    /// Holding the LED at 0, 0 this long changes the colour mode.
    static let colourHold = Instant.Span.milliseconds(600)
    /// Holding − or + this long begins to repeat it, …
    static let repeatDelay = Instant.Span.milliseconds(400)
    /// … and then again each of these.
    static let repeatInterval = Instant.Span.milliseconds(120)
    /// Tap tempo forgets its taps after this.
    static let tempoMemory = Instant.Span.milliseconds(2000)
    /// A knob that rests this long has been let go: turning it again is another step of the history.
    static let turnMemory = Instant.Span.milliseconds(2000)
    /// Holding a scene this long copies the pattern that is played into an empty one, …
    static let sceneCopy = Instant.Span.milliseconds(600)
    /// … and this long over what is in it, or empties it.
    static let sceneReplace = Instant.Span.milliseconds(1200)
    /// A finger on a scene may tremble this many LEDs beyond it.
    static let sceneTremble: Float = 0.5
    /// The second press of the power button comes within this.
    static let powerAnswer = Instant.Span.milliseconds(5000)
}

/// How one finger has moved since it landed, wherever it did: what swipes, shakes, taps and holds are read from.
struct Motion: Hashable, Sendable {
    /// When the finger landed.
    let down: Instant
    /// Where it landed, in LEDs.
    let start: Position
    /// Where it is now.
    private(set) var position: Position
    /// It has left the LED that it landed on.
    private(set) var hasLeftFirstLED = false
    /// Times that its column direction has turned around, each after `Limits.shakeColumns` of travel.
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

    /// Takes in that the finger is at `next` at `time`.
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

    /// The direction of the swipe that the finger has made if it lifts at `time`.
    func swipe(endingAt time: Instant) -> Swipe? {
        let travel = position.column - start.column
        guard time - down <= Limits.swipe, abs(travel) >= Limits.swipeColumns, !hasTurned else { return nil }
        return travel < 0 ? .left : .right
    }
}

/// A place on the panel in LEDs; LED *n* spans n − ½ to n + ½.
struct Position: Hashable, Sendable {
    /// From the left edge of the sequencer's 44 columns.
    var column: Float
    /// From the top edge.
    var row: Float

    /// The LED under it.
    var led: LED { LED(column: Int((column + 0.5).rounded(.down)), row: Int((row + 0.5).rounded(.down))) }

    /// One LED of the sequencer's grid.
    struct LED: Hashable, Sendable {
        var column: Int
        var row: Int
    }

    /// The last LED within `columns` and `rows` on the straight way from here to `end`, if it touches them.
    func lastLED(onTheWayTo end: Position, within columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> LED? {
        let across = Self.part(from: column, to: end.column, within: columns)
        let down = Self.part(from: row, to: end.row, within: rows)
        guard let across, let down, across.overlaps(down) else { return nil }
        let part = min(across.upperBound, down.upperBound)
        let last = Position(column: column + (end.column - column) * part, row: row + (end.row - row) * part).led
        // The border itself is the next LED's.
        return LED(column: last.column.clamped(to: columns), row: last.row.clamped(to: rows))
    }

    /// The part of the way from `start` to `end`, 0…1, that lies within `leds`.
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
