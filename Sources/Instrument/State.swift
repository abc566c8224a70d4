import Display

/// Everything the box knows.
public struct State: Sendable {
    /// What outlives a power cut.
    public var session = Session()
    /// The scene that the player has asked for, and that begins with the next bar; nil for none.
    public internal(set) var queuedScene: Int?
    /// The master volume until it is set on the box, in percent.
    var initialVolume = Session.volumes.upperBound
    /// What the panel shows.
    public internal(set) var screen = Screen.grid
    /// Since when it shows that.
    var screenSince = Instant.zero
    /// When the menu last began to open or to close.
    var menuSince = Instant(microseconds: .min / 2)
    /// The track whose sound was last looked at.
    var soundTrack = Track.melody
    /// The guide, as it was left.
    public internal(set) var guide = Guide(GuideContent(emptyFrom: .library, today: 0))
    /// There are listings of television, too.
    public internal(set) var hasListings = false
    /// What the box knows of itself.
    public internal(set) var facts = Facts()
    /// The same for the about sheet.
    var aboutLines: [TextLine] = []
    /// The hint that is being shown.
    var hint: Hint.Show?
    /// Since when nobody has touched the box.
    var untouchedSince: Instant?

    /// The transport runs.
    public internal(set) var isPlaying = false
    /// The step that is heard, and since when; nil while stopped and until the first step is heard.
    public internal(set) var playhead: Playhead?
    /// The words that stand on the panel.
    public internal(set) var tooltip: Tooltip?

    /// The fingers, by contact number.
    var contacts = (0..<Touch.contactsMax).map { _ in Contact() }
    /// Scenes that have been upcoming since the pattern that is played began, a bit each: one of them may be on its way to
    /// the ear.
    var expectedScenes: UInt8 = 0
    /// The last tap, while it can become a double tap.
    var lastTap: Tap?
    /// The last swipe, while it can become a pair.
    var lastSwipe: (direction: Swipe, end: Instant, action: History.Action?)?
    /// Tap tempo's taps, oldest first, and the history's action that they share.
    var tempoTaps: (times: [Instant], action: History.Action?) = ([], nil)
    /// The last turn of a knob, while another goes on with it, and the history's action that they share.
    var lastTurn: (knob: Knob, at: Instant, action: History.Action?)?
    /// What is played is not kept: the panel shows it until it is.
    var isWarned = false
    /// What to do with a stick, while the answer can still come.
    var offer: Offer?
    /// When the box asked whether to switch off, while the answer can still come.
    var powerAsked: Instant?

    /// Where the sequencer is.
    public struct Playhead: Hashable, Sendable {
        /// The step that is heard.
        public var step: Int
        /// Since when.
        public var since: Instant
    }

    /// The scene that is played, 0 to 7; nil while the pattern belongs to none.
    public var scene: Int? { session.scene }

    /// A scene that is to be played, and from where in the pattern that is.
    public struct UpcomingScene: Hashable, Sendable {
        /// Which, 0 to 7; it is filled and not current.
        public var slot: Int
        /// It begins with the next bar; else with the end of the pattern.
        public var isAtBar: Bool
    }

    /// The scene that comes next while the transport runs, queued or by turns; nil if none does.
    public var upcomingScene: UpcomingScene? {
        guard isPlaying else { return nil }
        if let queuedScene { return UpcomingScene(slot: queuedScene, isAtBar: true) }
        guard session.chainsScenes, let next = session.composition.scenes.next(after: scene) else { return nil }
        return UpcomingScene(slot: next, isAtBar: false)
    }

    /// The master volume in percent, within `Session.volumes`.
    public var volume: Int { session.volume ?? initialVolume }

    /// The brightness of the LEDs in percent of the configured one, within `Session.brightnesses`.
    public var brightness: Int { session.brightness ?? Session.brightnesses.upperBound }

    /// Tracks that make no sound: muted, or another is soloed.
    public var silent: TrackSet { session.muted.silent(soloed: session.soloed) }

    /// A tap that has just been made.
    struct Tap: Hashable, Sendable {
        var down: Instant
        var target: Target
        var led: Position.LED
        var action: History.Action?

        /// What was tapped.
        enum Target: Hashable, Sendable {
            case step(Track, Int)
            case letter(Fader)
            case outsideTracks
        }
    }
}

/// What outlives a power cut: everything that a player has made or set.
public struct Session: Hashable, Sendable {
    /// The music, and what else undo brings back.
    public var composition: Composition
    /// Undo and redo.
    public var history = History()
    /// The filled scenes are played in turn.
    public var chainsScenes = false
    /// Tracks that are muted.
    public var muted = TrackSet()
    /// The one track that is soloed.
    public var soloed: Track?
    /// The note page of each track; 0 is the span.
    public var pages = [0, 0, 0, 0]
    /// How note colours are ordered.
    public var colourMode = ColourMode.chromatic
    /// A committed gesture sounds while the transport is stopped.
    public var auditions = true
    /// A finger that lands on a step sounds at once, whether the transport runs or not.
    public var soundsTaps = false
    /// How the music sounds.
    public var sound = SoundSettings()
    /// A click on every beat while the transport runs.
    public var metronome = false
    /// Bars of clicks before step 0, within `countIns`.
    public var countIn = 0
    /// The master volume in percent, within `volumes`; nil while it was never set on the box.
    public var volume: Int?
    /// The brightness of the LEDs in percent of the configured one, within `brightnesses`; nil while it was never set on the
    /// box.
    public var brightness: Int?
    /// The performance lock: no double tap, no shake, no Clear.
    public var isLocked = false
    /// The menu is open.
    public var isMenuOpen = false
    /// Hints that have not been shown yet, within `hintCounts`.
    public var hintsLeft = 0
    /// The number by which the library knows the pattern that is played; nil where there is no library.
    public var pattern: Int64?

    /// The bars that a count-in can have.
    public static let countIns = 0...2
    /// The master volumes that there are, in percent.
    public static let volumes = 0...100
    /// The brightnesses that there are, in percent of the configured one. None is dark: a dark panel cannot be made bright
    /// again.
    public static let brightnesses = 5...100
    /// The hints that can be left.
    public static let hintCounts = 0...Hint.allCases.count

    /// The session of a box that has played nothing but `composition`, and that needs no hints.
    public init(_ composition: Composition = Composition()) { self.composition = composition }

    /// The session of a box that is switched on for the first time.
    public static var first: Session {
        var session = Session()
        session.hintsLeft = hintCounts.upperBound
        return session
    }

    /// The scene that is played, 0 to 7; nil while the pattern belongs to none.
    public var scene: Int? { composition.scenes.current }

    /// Takes the music of `other` in the place of its own, and the number of its pattern; what the box is set to stays.
    public mutating func takeMusic(of other: Session) {
        composition.pattern = other.composition.pattern
        composition.scenes = other.composition.scenes
        chainsScenes = other.chainsScenes
        muted = other.muted
        soloed = other.soloed
        sound = other.sound
        pattern = other.pattern
    }

    /// The same with everything within its range. A note page that a track does not have is its span.
    func settled() -> Session {
        var session = self
        session.pages = Track.allCases.map { track in
            let page = pages.indices.contains(track.rawValue) ? pages[track.rawValue] : 0
            return (0..<NoteMap.pages(track)).contains(page) ? page : 0
        }
        session.countIn = countIn.clamped(to: Self.countIns)
        session.volume = volume?.clamped(to: Self.volumes)
        session.brightness = brightness?.clamped(to: Self.brightnesses)
        session.hintsLeft = hintsLeft.clamped(to: Self.hintCounts)
        return session
    }
}

/// One finger and what it is for.
struct Contact: Sendable {
    /// What it is for; nil while no such finger is down.
    var role: Role?
    /// How it has moved.
    var motion = Motion(at: Position(column: 0, row: 0), time: .zero)
    /// When holding still will mean something, if it can.
    var due: Instant?
    /// The shake has gone so far that the touch makes nothing any more.
    var isShaking = false
    /// The history's action that everything this touch does to a control shares.
    var action: History.Action?
    /// How it has the fader that it is on.
    var grip: Fader.Grip?
    /// What its gesture would write.
    var placements: [Placement] = {
        var placements: [Placement] = []
        placements.reserveCapacity(Gesture.placementsMax)
        return placements
    }()

    /// What a finger is for.
    enum Role: Hashable, Sendable {
        /// It draws in a track.
        case gesture(Gesture)
        /// It touches a control.
        case control(Control)
        /// It landed on something of the menu or of a sheet, and is over it still or not.
        case spot(Spot, isOver: Bool)
        /// It is on the guide, which knows more.
        case guide
        /// It is on the LED at 0, 0, which is Play/Stop at release and the colour mode when held.
        case colourHold
        /// It is on an answer to what to do with a stick, or beside both.
        case offer(Offer.Answer?)
        /// It is on a scene.
        case scene(SceneTouch)
        /// It is on the switch that chains scenes.
        case chain
        /// It is on rows 1, 22 or 23, where a double tap is Play/Stop.
        case outsideTracks
        /// It means nothing.
        case nothing
    }
}

/// How note colours are ordered (SPEC 2).
public enum ColourMode: String, CaseIterable, Sendable {
    /// By semitones.
    case chromatic
    /// By the circle of fifths.
    case harmonic
}

/// Words on the panel, for a while (SPEC 5).
public struct Tooltip: Hashable, Sendable {
    /// What they say.
    public let line: TextLine
    /// Since when they stand.
    public let since: Instant
}
