import InputEvents
import Display

extension Instrument {
    /// The complete state of the instrument.
    public struct State: Sendable {
        /// The part that survives a power cut.
        public var session = Session()
        /// The queued scene, which begins with the next bar; nil for none.
        public internal(set) var queuedScene: Int?
        /// The queued entry of the song, which begins with the next bar; nil for none, and while a scene is queued.
        public internal(set) var queuedEntry: Int?
        /// The place in the song.
        public internal(set) var songPlace = SongPlace.start
        /// The entry of the song that a finger of the SONG sheet touched last.
        var touchedEntry: Int?
        /// Ends of the current pattern that were heard since it began.
        var passes = 0
        /// The master volume in percent until the player sets one.
        var initialVolume = Session.volumes.upperBound
        /// The rules of the gestures until the player sets others.
        var initialRules = Rules.box
        /// The screen that the panel shows.
        public internal(set) var screen = Screen.grid
        /// When that screen was opened.
        var screenSince = Instant.zero
        /// When the menu last began to open or to close.
        var menuSince = Instant(microseconds: .min / 2)
        /// The last round of the pattern that was heard; nil before the first of a scene.
        var heard: Heard?
        /// The bars of the sound that was just heard.
        var heardBars = HeardBars()
        /// Remembered sound that is heard in place of the music; nil while the music is heard.
        public internal(set) var hearing: Hearing?
        /// The take that was saved last.
        var savedTake: SavedTake?
        /// The scale that is being heard on the scale sheet.
        var scaleRun: ScaleRun?
        /// The track that the sound sheet showed last.
        var soundTrack = Track.melody
        /// The player's own sounds.
        public internal(set) var ownSounds = OwnSounds()
        /// The samples of the library, by name.
        public internal(set) var sampleNames: [SoundName] = []
        /// The samples of the pads that are in the engine's memory.
        public internal(set) var samples: [LoadedSample] = []
        /// The samples that were asked for and are not there: on their way, or refused.
        var absentSamples: [SoundName] = []
        /// The pad that sounds as soon as its sample is there.
        var awaitedPad: Int?
        /// The player's own tunings, by name.
        public internal(set) var ownTunings: [OwnTuning] = []
        /// The guide, in its last state.
        public internal(set) var guide = Guide(GuideContent(emptyFrom: .library, today: 0))
        /// The pattern that was playing when it was deleted last: an undo of the deletion plays it again.
        var deletedWhilePlaying: Int64?
        /// Whether TV listings are available.
        public internal(set) var hasListings = false
        /// Version, address and faults of the box.
        public internal(set) var facts = Facts()
        /// The facts as lines of the about sheet.
        var aboutLines: [TextLine] = []
        /// The access point as lines of its sheet; none while it is closed.
        var accessPointLines: [TextLine] = []
        /// The machines whose pictures the panel can show.
        public internal(set) var lightSources: [LightSource] = []
        /// The number of the source that was chosen last; nil for the instrument.
        var chosenLight: Int?
        /// When the panel last said how to return from a picture.
        var returnSaid: Instant?
        /// Whether light goes out to walls.
        public internal(set) var sendsLight = true
        /// The hint on the panel.
        var hint: Hint.Show?
        /// The round of hints.
        var hintRound = HintRound()
        /// Time of the last touch.
        var untouchedSince: Instant?

        /// Whether the transport runs.
        public internal(set) var isPlaying = false
        /// The audible step, and since when; nil while stopped and until the first step sounds.
        public internal(set) var playhead: Playhead?
        /// The same for each track with lanes or a shape.
        var trackPlayheads = [Playhead?](repeating: nil, count: Track.allCases.count)
        /// How an external transport last began; nil if the player did.
        public internal(set) var begun: Begin?
        /// The settings of the clocks; their source is that until the player chooses another.
        var initialSync = SyncSettings()
        /// The channels of the tracks on MIDI ports.
        public internal(set) var trackChannels = TrackChannels()
        /// The signal of the chosen source.
        public internal(set) var syncStatus = SyncStatus()
        /// The last audible beat of the count-in: the beats that remain, this one included; nil outside it.
        var counted: (beats: Int, since: Instant)?
        /// Whether played keys, and taps on the tracks, are written to the pattern while it plays.
        public internal(set) var isRecording = false
        /// The history action of the notes that were written in this pass of the pattern.
        var recordedAction: History.Action?
        /// Taps that wait for their step.
        var waitingTaps: [WaitingTap] = []
        /// Keys of MIDI keyboards.
        var playedKeys: [PlayedKey] = []
        /// MIDI channels whose sustain pedal is down, one bit each.
        var pedals: UInt16 = 0
        /// Bend, pressure and zones of the MIDI channels.
        var midiChannels = MIDIChannels()
        /// The landing whose fader has learned or forgotten a controller.
        var learnedLanding = 0
        /// The track that a key on its channel, or a finger on its rows, used last.
        var playedTrack = Track.melody
        /// The note that each track's rows were touched at last.
        var touchedNotes = Track.allCases.map { _ in 0 }
        /// The evenly spread hits that the TRACK sheet writes.
        var euclid = Euclid()
        /// The text on the panel.
        public internal(set) var tooltip: Tooltip?

        /// The fingers, by contact number: those on the overlay, and those of the keyboard.
        var contacts = (0..<Contact.countMax).map { _ in Contact() }
        /// The place that the keyboard's finger touches.
        public internal(set) var cursor = Cursor(column: 0, row: Cursor.firstRow)
        /// Scenes that have been upcoming since the current pattern began, one bit each. One of them may already be on its way
        /// through the audio buffer.
        var expectedScenes: UInt8 = 0
        /// Number of fingers that have landed.
        var landings = 0
        /// The newest group of fingers whose gestures make one history step.
        var group = Group()
        /// The last taps, oldest first: any may be the first of a double tap.
        var taps: [Tap] = []
        /// The last swipe, until it is too old for a pair.
        var lastSwipe: LastSwipe?
        /// The music's moves by fingers on roots, by contact number. Apart from the contacts, which every touch copies.
        var transpositions: [Int: Transposition] = [:]
        /// Tracks whose page was chosen by a drag: the next tap goes to page 0.
        var scrolled = TrackSet()
        /// The taps of tap tempo, oldest first, and their shared history action.
        var tempoTaps: (times: [Instant], action: History.Action?) = ([], nil)
        /// The history action of the tempos that programs have set.
        var remoteTempo: History.Action?
        /// The last turn of a knob, until the next turn is a new action, and their shared history action.
        var lastTurn: (knob: Knob, at: Instant, action: History.Action?)?
        /// Whether the panel warns that music is not being saved.
        var isWarned = false
        /// The question what to do with a USB stick, while it can be answered.
        var stickPrompt: StickPrompt?
        /// When the box asked whether to switch off; nil if it does not ask.
        var powerAsked: Instant?

        /// Position of the sequencer.
        public struct Playhead: Hashable, Sendable {
            /// The audible step.
            public var step: Int
            /// When it began to sound.
            public var since: Instant
            /// Whether its notes sound: their chance and condition may leave them out.
            public var sounds = true
            /// Its number, counted from Play or from the switch to the pattern.
            var number = 0
            /// The number of the step that was heard before it. It is the higher one if an early step comes before a late one.
            var previous: Int?

            /// Whether the step with `number` has been heard; also if it was left out because the track's shape changed.
            func hasHeard(_ number: Int) -> Bool {
                number == self.number || number == previous || number < min(self.number, previous ?? self.number)
            }
        }

        /// The audible step of `track`.
        func playhead(of track: Track) -> Playhead? {
            session.composition.pattern.isPlain(track) ? playhead : trackPlayheads[track.rawValue]
        }

        /// Ends the audible steps, until the next ones sound.
        mutating func endPlayheads() {
            playhead = nil
            for track in trackPlayheads.indices { trackPlayheads[track] = nil }
            counted = nil
        }

        /// A beginning of the transport.
        public struct Begin: Hashable, Sendable {
            /// The first step, counted from the pattern's first; beyond its end it is one of its repetitions.
            public var step: Int
            /// Number of beginnings before it.
            public var number: Int
        }

        /// The step to which a note was played.
        struct StepTarget: Hashable, Sendable {
            /// The step's number on its track, counted from Play or from the switch to the pattern.
            var number: Int
            /// When the note was played.
            var time: Instant
            /// The value for the lane `shift`; nil leaves the lane as it is.
            var shift: Int?
            /// The step of the track, once it has begun: then the note is written without sounding twice.
            var step: Int?
            /// Whether it is the first step of the scene that follows.
            var isCarried = false
        }

        /// A tap that was played and waits for its step.
        struct WaitingTap: Sendable {
            var gesture: Gesture
            var target: StepTarget

            /// Maximum number that wait at the same time: a step is at most a second long. Others are not written.
            static let countMax = 64
        }

        /// A key of a MIDI keyboard that is down, or whose note the pedal holds.
        struct PlayedKey: Sendable {
            var channel: Int
            var key: Int
            var note: Effect.Note
            var since: Instant
            /// Pressure on the key, 0-127.
            var pressure = 0
            var expression = Expression.neutral
            /// Whether the key is up.
            var isLifted = false
            /// The recorded note: that it waits for its step, or the step and the note index that were written; nil if it is not
            /// recorded.
            var recording: Recording?

            enum Recording: Hashable, Sendable {
                case waiting(StepTarget, steps: Int)
                case written(step: Int, note: Int, History.Action?)
            }

            /// The channel of a note that ended before its step began.
            static let noChannel = -1
        }

        /// The current scene, 0 to 7; nil while the pattern belongs to none.
        public var scene: Int? { session.scene }

        /// The master volume in percent, within `Session.volumes`.
        public var volume: Int { session.volume ?? initialVolume }

        /// The brightness of the LEDs in percent of the configured brightness, within `Session.brightnesses`.
        public var brightness: Int { session.brightness ?? Session.brightnesses.upperBound }

        /// The rules of the gestures.
        public var rules: Rules { session.rules ?? initialRules }

        /// The source of the tempo, and what goes to other instruments.
        public var sync: SyncSettings {
            var settings = initialSync
            if let source = session.syncSource { settings.source = source }
            return settings
        }

        /// The tempo that the player wants of all members of the Link session; nil until there was such a wish.
        public internal(set) var sessionTempo: SessionTempo?

        /// A tempo for all members of a Link session.
        public struct SessionTempo: Hashable, Sendable {
            /// Beats per minute, within `LinkState.tempos`.
            public var bpm: Int
            /// The session's tempo before.
            public var before: Double
            /// Number of wishes before it.
            public var number: Int
        }

        /// Whether another instrument sets the tempo. While it is lost its last tempo stays.
        var isFollowing: Bool { sync.source != .internal && syncStatus.tempo != nil }

        /// Whether a finger that lands on a step sounds at once: under the rules of the box it does unless the player has switched
        /// that off, under those of the phone it does not unless the player has switched it on.
        public var soundsTaps: Bool { session.soundsTaps ?? (rules == .box) }

        /// Silent tracks: muted, or another track is soloed.
        public var silent: TrackSet { session.muted.silent(soloed: session.soloed) }

        /// A recent tap.
        struct Tap: Sendable {
            var landing: Landing
            var target: Target
            var action: History.Action?

            /// The target of a tap.
            enum Target: Hashable, Sendable {
                case step(Track, Int)
                case letter(Fader)
                case outsideTracks
                case lane(Track, Lane, Int)
            }
        }

        /// A recent swipe.
        struct LastSwipe: Sendable {
            var direction: Swipe
            var landing: Landing
            /// When the finger lifted.
            var end: Instant
            /// The music and its history before the swipe wrote anything.
            var before: Before
            /// The history's revision after it.
            var revision: Int
            /// Whether it was the second of a pair, or a further one.
            var hasActed = false

            /// The music and its history; a class, because every screen reads the state, which should be small.
            final class Before: Sendable {
                let composition: Composition
                let history: History

                init(_ session: Session) { (composition, history) = (session.composition, session.history) }
            }
        }

        /// Fingers that landed on tracks at the same time.
        struct Group: Sendable {
            /// The number of the landing that began it.
            var number = 0
            /// The time of that landing.
            var since = Instant(microseconds: .min / 2)
            /// The shared history action.
            var action: History.Action?
        }
    }
}

/// A temporary text on the panel (SPEC 5).
public struct Tooltip: Hashable, Sendable {
    /// The text.
    public let line: TextLine
    /// When it appeared.
    public let since: Instant
    /// Whether it stands below, away from a finger in the panel's upper half.
    var isBelow = false
    /// Whether it stands in the middle of the steps if it is short; else in the middle of the panel.
    var isAmongSteps = false
    /// Minimum display time.
    var life = Instant.Span.milliseconds(1200)
    /// What was written off the page of a track.
    var offPage: OffPage?

    /// Notes that a gesture wrote above or below the page of its track.
    struct OffPage: Hashable, Sendable {
        let track: Track
        let isAbove: Bool
        let isBelow: Bool

        /// The arrows behind the word.
        var line: TextLine { isAbove ? isBelow ? Self.both : Self.above : Self.below }

        private static let (above, below, both) = (TextLine("↑"), TextLine("↓"), TextLine("↑↓"))
    }

    /// The text with its arrows.
    var text: String { line.text + (offPage.map { " " + $0.line.text } ?? "") }
}
