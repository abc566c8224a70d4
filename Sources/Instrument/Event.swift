/// Something that happened to the box.
public enum Event: Hashable, Sendable {
    /// A finger landed, moved, lifted or was withdrawn.
    case touch(Touch)
    /// A key was pressed.
    case key(Key)
    /// The sequencer's step is heard now.
    case step(Int)
    /// The scene of this number, 0 to 7, that was upcoming is heard from now on.
    case sceneBegan(Int)
    /// Nothing happened, but time passed.
    case tick
    /// The performance lock was set or opened.
    case lock(Bool)
    /// Committed notes sound while stopped, or not.
    case audition(Bool)
    /// A finger that lands on a step sounds at once, or not.
    case tapSound(Bool)
    /// The brightness of the LEDs was set, in percent of the configured one.
    case brightness(Int)
    /// The hints are to be shown again.
    case showHints
    /// What the box knows of itself.
    case facts(Facts)
    /// What the guide is to show from now on.
    case guide(GuideContent)
    /// A pattern has been taken out of the library: its music is to be played, and what is done to it is kept in it.
    case opened(Session)
    /// There are listings of television to be shown; the guide opens with them.
    case listings
    /// A control of the sound was set.
    case sound(SoundControl, Int)
    /// The metronome was switched.
    case metronome(Bool)
    /// The count-in was set, in bars.
    case countIn(Int)
    /// A beat of the count-in is heard now, and so many are left with it.
    case count(Int)
    /// A knob was turned.
    case turn(Knob, by: Int)
    /// The power button was pressed: asks, or confirms.
    case power
    /// The box is to switch off at once, unasked.
    case powerOff
    /// The box has something to say.
    case notice(Notice)
    /// A stick with patterns has been plugged in, or pulled out.
    case stick(isThere: Bool)
}

/// A knob that turns without end.
public enum Knob: Hashable, Sendable {
    /// The tempo, in BPM.
    case tempo
    /// The length, in times four steps.
    case length
    /// The master volume, in percent.
    case volume
}

/// One report of one finger.
public struct Touch: Hashable, Sendable {
    /// Fingers that are followed at once: the ten of two hands, and room for a second player's.
    public static let contactsMax = 16

    /// Which finger, 0 to `contactsMax` − 1; a number is used again after its finger has lifted.
    public var contact: Int
    /// What it did.
    public var phase: Phase
    /// Where, in LEDs of the panel from its left; LED *n* spans n − ½ to n + ½.
    public var column: Float
    /// Where, in LEDs of the panel from its top.
    public var row: Float

    /// What a finger does.
    public enum Phase: String, Hashable, Sendable {
        /// It lands.
        case down
        /// It is somewhere else, or still there.
        case move
        /// It lifts.
        case up
        /// It never was: a palm, or a device that vanished.
        case cancel
    }

    /// `contact` doing `phase` at `column`, `row`.
    public init(contact: Int, phase: Phase, column: Float, row: Float) {
        self.contact = contact
        self.phase = phase
        self.column = column
        self.row = row
    }
}

/// Something to be done at once that the state does not tell. What it does tell, the music, the mutes and whether the
/// transport runs, is for whoever runs the box to carry over.
public enum Effect: Hashable, Sendable {
    /// Let every sounding note fade: its cell is gone.
    case fade
    /// Sound these notes now.
    case audition([Note])
    /// Keep everything and switch the box off.
    case powerOff
    /// Find out by taps on targets how the overlay lies on the panel.
    case calibrate
    /// Something that takes its time: what comes of it is told by an event.
    case errand(Errand)

    /// A note to sound.
    public struct Note: Hashable, Sendable {
        /// On which track.
        public var track: Track
        /// Its index, 0-11.
        public var note: Int
        /// 1 or 2.
        public var velocity: Int
        /// Its length in steps.
        public var steps: Int

        /// `note` of `track`.
        public init(track: Track, note: Int, velocity: Int, steps: Int) {
            self.track = track
            self.note = note
            self.velocity = velocity
            self.steps = steps
        }
    }
}

/// Something that the box is asked for and that is not done at once.
public enum Errand: Hashable, Sendable {
    /// Take in the patterns on the stick.
    case importPatterns
    /// Write all patterns onto the stick.
    case exportPatterns
    /// Show the library as a guide.
    case showLibrary
    /// Show the listings as a guide.
    case showListings
    /// Open this pattern of the library.
    case open(Int64)
    /// Begin a new pattern, in the bank of this place, or in none until there is music in it.
    case begin(bank: Int?)
    /// Make another pattern like this one.
    case duplicate(Int64)
    /// Call this pattern so.
    case rename(Int64, String)
    /// Take this pattern out.
    case delete(Int64)
    /// Put this pattern, which was deleted, back.
    case restore(Int64)
    /// Mark this programme as watched, or not.
    case setWatched(Int64, Bool)
}
