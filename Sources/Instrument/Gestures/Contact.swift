import InputEvents

/// One finger and its function.
struct Contact: Sendable {
    /// The number of the keyboard's finger, at the cursor.
    static let ofCursor = Touch.contactsMax
    /// The number of the finger that Delete and Backspace hold on Clear.
    static let ofEraseKey = Touch.contactsMax + 1
    /// The number of the finger of a key that plays and stops.
    static let ofPlayKey = Touch.contactsMax + 2
    /// Number of contacts, with the keyboard's.
    static let countMax = Touch.contactsMax + 3

    /// The finger's function; nil while the finger is not down.
    var role: Role?
    /// Whether the finger is down, with or without a function.
    var isDown = false
    /// `Touch.delay` of its landing.
    var soundDelay = Instant.Span.milliseconds(0)
    /// The place of its landing among all landings, and whether no other finger was down.
    var landingNumber = 0
    var landedAlone = true
    /// The group of fingers to which it belongs if it draws in a track.
    var group = 0
    /// The finger's movement since it landed.
    var motion = Motion(at: Position(column: 0, row: 0), time: .zero, .box)
    /// When holding still next has an effect; nil if it has none.
    var due: Instant?
    /// Whether the touch is a shake and writes no notes.
    var isShaking = false
    /// What its tap records; nil if recording was off when it landed.
    var recording: Recording?
    /// The history action shared by all changes of this touch.
    var action: History.Action?
    /// A number that its screen stored when it landed, for example the value that it drags.
    var remembered = 0
    /// The finger's grip on a fader.
    var grip: Fader.Grip?
    /// Cells that its gesture would write.
    var placements: [Placement] = {
        var placements: [Placement] = []
        placements.reserveCapacity(Gesture.placementsMax)
        return placements
    }()

    /// The finger is up, or loses its function, with everything that it began.
    mutating func release() {
        (role, due, isShaking, recording, action, grip) = (nil, nil, false, nil, nil, nil)
        placements.removeAll(keepingCapacity: true)
    }

    /// How it landed.
    var landing: Landing {
        Landing(number: landingNumber, time: motion.down, led: motion.start.led, isAlone: landedAlone)
    }

    /// The notes that a tap records.
    enum Recording: Hashable, Sendable {
        /// Nothing: no step is near, as in the count-in. It only sounds.
        case nothing
        /// Its notes, at a step.
        case notes(StepLine.Target)
    }
}

/// Where, when and how a finger landed.
struct Landing: Hashable, Sendable {
    /// Its place among all landings.
    var number = 0
    var time = Instant.zero
    var led = Position.LED(column: 0, row: 0)
    /// Whether no other finger was down.
    var isAlone = true

    /// Whether `next` is the landing after this one, and no other finger was down, landed or lifted in between.
    func isFollowedAlone(by next: Landing) -> Bool { isAlone && next.number == number + 1 }
}
