import InputEvents

/// Thresholds that distinguish the gestures: of each set of rules, and of both.
struct Limits: Sendable {
    // MARK: Of one set of rules

    /// Whether shakes and the length of swipes count in LED columns; else exactly.
    let countsLEDs: Bool
    /// Maximum time between the two touch-downs of a double tap, not included.
    let doubleTap: Instant.Span
    /// Maximum duration of a swipe.
    let swipe: Instant.Span
    /// Minimum columns of a swipe.
    let swipeColumns: Float
    /// Columns of travel from which a swipe has a direction.
    let swipeHeading: Float
    /// Maximum columns that a swipe may move backwards: fingers tremble, and fast overlays report it.
    let swipeTremble: Float
    /// Maximum time between two swipes of a pair: from lift to touch-down under the box's rules, from lift to lift
    /// under the phone's.
    let swipePair: Instant.Span
    /// Columns of travel before a direction, or a reversal, counts.
    let shakeColumns: Float
    /// Range of the tempo.
    let tempos: ClosedRange<Tempo>
    /// Range of the pattern's length.
    let lengths: ClosedRange<Int>

    static let box = Limits(
        countsLEDs: true, doubleTap: .milliseconds(300), swipe: .milliseconds(250), swipeColumns: 8, swipeHeading: 0.5,
        swipeTremble: 0.5, swipePair: .milliseconds(400), shakeColumns: 4, tempos: Tempo.range, lengths: Pattern.lengths
    )
    static let phone = Limits(
        countsLEDs: false, doubleTap: .milliseconds(500), swipe: .milliseconds(300), swipeColumns: 6, swipeHeading: 2,
        swipeTremble: 1, swipePair: .milliseconds(500), shakeColumns: 2,
        tempos: Tempo(Tempo.shared.lowerBound)...Tempo(Tempo.shared.upperBound), lengths: Pattern.sharedLengths)

    // MARK: Of the box's rules only

    /// Maximum duration of a touch that counts as still although its finger left its first LED.
    static let stillTouch = Instant.Span.milliseconds(180)
    /// A finger that left its first LED less than this time before it lifts counts as still.
    static let stillLift = Instant.Span.milliseconds(80)
    /// Fingers that land on tracks within this time of the first of them make one history step.
    static let undoMerge = Instant.Span.milliseconds(60)
    /// Hold time on a root that moves the music to its key.
    static let transpose = Instant.Span.milliseconds(600)

    /// Time after which a finger that rests on a key of the panel settles on the nearest note.
    static let keyRest = Instant.Span.milliseconds(60)
    /// Thousandths of brightness for each LED that a finger goes up on the panel's keys: eight are all.
    static let keyBrightness: Float = 125

    /// Hold time on the light of FX after which the effects stay open.
    static let fxHold = Instant.Span.milliseconds(600)

    // MARK: Of both

    /// Hold time at the place of a copy that makes it a move.
    static let move = Instant.Span.milliseconds(600)
    /// Time within the first LED that makes a hold.
    static let hold = Instant.Span.milliseconds(400)
    /// Maximum time between two taps on the letter of a fader.
    static let letterDoubleTap = Instant.Span.milliseconds(500)
    /// Hold of a letter.
    static let letterHold = Instant.Span.milliseconds(600)
    /// A longer pause ends a shake.
    static let shakePause = Instant.Span.milliseconds(500)
    /// Number of reversals from which a touch writes no notes.
    static let shakeMute = 3
    /// Number of reversals that clears.
    static let shakeClear = 5
    /// Hold time on the LED at 0, 0 that changes the colour mode.
    static let colourHold = Instant.Span.milliseconds(600)
    /// Hold time on Play that begins or ends recording.
    static let recordHold = Instant.Span.milliseconds(600)
    /// Hold time on − or + before the first repeat.
    static let repeatDelay = Instant.Span.milliseconds(400)
    /// Interval of the further repeats.
    static let repeatInterval = Instant.Span.milliseconds(120)
    /// Columns that two fingers on the row of the steps go for each window: a group of steps and its gap.
    static let scrollColumns: Float = 9
    /// Hold time on the light of the length that opens the metre.
    static let metreHold = Instant.Span.milliseconds(600)
    /// Columns of travel from which a finger on the light between − and + dials.
    static let dialColumns: Float = 1.5
    /// Tap tempo discards its taps after this time: a quarter note at 20 BPM is 3 s.
    static let tempoMemory = Instant.Span.milliseconds(3200)
    /// A knob that rests this long is released: the next turn is a new history step.
    static let turnMemory = Instant.Span.milliseconds(2000)
    /// Maximum duration of the tap that begins an empty scene.
    static let sceneTap = Instant.Span.milliseconds(300)
    /// Hold time that copies the current pattern into an empty scene.
    static let sceneCopy = Instant.Span.milliseconds(600)
    /// Hold time that replaces a filled scene, or empties the current one.
    static let sceneReplace = Instant.Span.milliseconds(1200)
    /// Hold time on the light of TAKE that saves the last bars.
    static let takeHold = Instant.Span.milliseconds(600)
    /// Time between two reminders of how to return from a picture.
    static let returnInterval = Instant.Span.milliseconds(60_000)
    /// Tolerance of a finger on a scene, in LEDs beyond its edge.
    static let sceneTremble: Float = 0.5
    /// Maximum time until the second press of the power button.
    static let powerAnswer = Instant.Span.milliseconds(5000)
}

extension Rules {
    /// The thresholds of the rules.
    var limits: Limits { self == .box ? .box : .phone }
}
