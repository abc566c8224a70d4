import InputEvents

/// The state that survives a power cut: everything that a player has made or set.
public struct Session: Hashable, Sendable {
    /// The music, and everything else that undo restores.
    public var composition: Composition
    /// Undo and redo.
    public var history = History()
    /// What plays when the current pattern has reached its end.
    public var sceneMode = SceneMode.one
    /// The soloed track.
    public var soloed: Track?
    /// The note page of each track (`PageMap`).
    public var pages = [0, 0, 0, 0]
    /// The colours of notes, tracks and Play.
    public var colourMode = ColourMode.chromatic
    /// Whether a committed gesture sounds while the transport is stopped.
    public var auditions = true
    /// Whether a finger that lands on a step sounds at once, also while the transport runs; nil if never set by the
    /// player.
    public var soundsTaps: Bool?
    /// The rules of the gestures; nil if never set by the player.
    public var rules: Rules?
    /// The source of the tempo; nil if never chosen by the player.
    public var syncSource: SyncSource?
    /// The controllers that the player has given to faders.
    public var learned = LearnedControllers()
    /// How often the words about gestures were shown.
    public var wordCounts = WordCounts()
    /// The sounds of the tune and of its scenes.
    public var sounds = TuneSounds()
    /// Whether the scenes that have their own sound play with it. The rules of the gestures decide it: it is not kept.
    var usesOwnSounds = true
    /// Whether a click sounds on every beat while the transport runs.
    public var metronome = false
    /// Bars of clicks before step 0, within `countIns`.
    public var countIn = 0
    /// Share of a recorded note's distance from its step that is removed, in per cent, within `quantises`.
    public var quantise = quantises.upperBound
    /// The master volume in per cent, within `volumes`; nil if never set by the player.
    public var volume: Int?
    /// The brightness of the LEDs in per cent of the configured brightness, within `brightnesses`; nil if never set by
    /// the player.
    public var brightness: Int?
    /// Whether the performance lock is on: under the rules of the box nothing changes the music, under the rules of the
    /// phone no double tap, shake or Clear does.
    public var isLocked = false
    /// Whether the menu is open.
    public var isMenuOpen = false
    /// Hints whose actions the player has not done.
    public var hintsDue = HintSet()
    /// The library's number of the current pattern; nil without a library.
    public var pattern: Int64?

    /// Range of the count-in, in bars.
    public static let countIns = 0...2
    /// Range of the quantise, in per cent.
    public static let quantises = 0...100
    /// Range of the master volume, in per cent.
    public static let volumes = 0...100
    /// Range of the brightness, in per cent of the configured brightness. The minimum is not dark: on a dark panel the
    /// player could not find the control again.
    public static let brightnesses = 5...100

    /// A session with `composition`, an empty history and no hints to show.
    public init(_ composition: Composition = Composition()) { self.composition = composition }

    /// The session of a new, empty pattern of the player's. It begins with the factory's sounds; the music of a file
    /// without a sound has the plain ones.
    public static var begun: Session {
        var session = Session()
        session.sound = .factory
        return session
    }

    /// The session of a box that is switched on for the first time.
    public static var first: Session {
        var session = begun
        session.hintsDue = .all
        return session
    }

    /// The current scene, 0 to 7; nil while the pattern belongs to none.
    public var scene: Int? { composition.scenes.current }

    /// The current scene's own sound; nil if it has none.
    var ownSound: SceneSound? { scene.flatMap { sounds[own: $0] } }

    /// The scene whose own sound plays; nil for the tune's.
    public var soundOwner: Int? {
        @inline(never) get { soundOwner(in: scene) }  // Inlined, it would be in hundreds of places.
    }

    /// The scene whose own sound plays in `scene`; nil for the tune's.
    public func soundOwner(in scene: Int?) -> Int? { usesOwnSounds ? sounds.owner(in: scene) : nil }

    /// The sound that plays: the current scene's own, or the tune's. A change of it changes its owner's.
    public var sound: SoundSettings {
        // Not by `_read`: two coroutines, one in the other, allocate on each read.
        @inline(never) get { sounds[of: soundOwner].settings }
        @inline(never) _modify { yield &sounds[of: soundOwner].settings }
    }

    /// The muted tracks, likewise.
    public var muted: TrackSet {
        @inline(never) get { sounds[of: soundOwner].muted }
        @inline(never) _modify { yield &sounds[of: soundOwner].muted }
    }

    /// Takes over the music and the pattern number of `other`; the settings of the box stay.
    public mutating func takeMusic(of other: Session) {
        composition.takeMusic(of: other.composition)
        sceneMode = other.sceneMode
        soloed = other.soloed
        sounds = other.sounds
        pattern = other.pattern
    }

    /// A copy with every value within its range. `limitPages` checks the pages.
    func clamped() -> Session {
        var session = self
        session.pages = Track.allCases.map { pages.indices.contains($0.rawValue) ? pages[$0.rawValue] : 0 }
        session.countIn = countIn.clamped(to: Self.countIns)
        session.quantise = quantise.clamped(to: Self.quantises)
        session.volume = volume?.clamped(to: Self.volumes)
        session.brightness = brightness?.clamped(to: Self.brightnesses)
        session.hintsDue = hintsDue.intersection(.all)
        for slot in 0..<Scenes.count where sounds.isOwn(slot) && !composition.scenes.isFilled(slot) {
            session.sounds[own: slot] = nil
        }
        return session
    }
}

/// The colours of notes, tracks and Play (docs/spec.md, section 2).
public enum ColourMode: String, CaseIterable, Sendable {
    /// By semitones.
    case chromatic
    /// By the circle of fifths.
    case harmonic
    /// Colours that differ for every eye, also without one of its three kinds of cones.
    case clearSight

    /// Its place among the modes, in the order in which they follow one another.
    var place: Int {
        switch self {
        case .chromatic: 0
        case .harmonic: 1
        case .clearSight: 2
        }
    }

    /// Its name on the panel.
    var word: String {
        switch self {
        case .chromatic: "CHROMATIC"
        case .harmonic: "HARMONIC"
        case .clearSight: "CLEAR SIGHT"
        }
    }

    /// The mode that follows it.
    var next: ColourMode {
        let modes = Self.allCases
        return modes[(place + 1) % modes.count]
    }
}
