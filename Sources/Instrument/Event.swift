import InputEvents

extension Instrument {
    /// An input of the instrument.
    public enum Event: Hashable, Sendable {
        /// A finger landed, moved, lifted or was withdrawn.
        case touch(Touch)
        /// A key was pressed, or repeats while it is held.
        case key(Key)
        /// A key was released.
        case keyUp(Key)
        /// A key was withdrawn while it was held: a finger at the cursor makes nothing.
        case keyCancel(Key)
        /// A character was typed, for a name.
        case type(Character)
        /// The sequencer's step that is audible now, and its number since Play or the switch to the pattern. It began
        /// `delay` ago.
        case step(Int, number: Int, delay: Instant.Span = .milliseconds(0))
        /// The step of a track with lanes or a shape that is audible now: where it begins without swing and shift, in
        /// twelfths of a step since Play or the switch to the pattern, and whether its notes sound. It began `delay`
        /// ago.
        case trackStep(Track, step: Int, place: Int, sounds: Bool, delay: Instant.Span = .milliseconds(0))
        /// A round of the pattern was audible: its next step follows.
        case round(HeardRound)
        /// A beat was heard to its end.
        case beat(HeardBeat)
        /// The upcoming scene with this number, 0 to 7, is audible from now on.
        case sceneBegan(Int)
        /// These parts, which waited, are audible from now on.
        case partsBegan(Parts)
        /// A tune is audible from the next event on. What is played into the present one ends, and is kept.
        case tuneEnds
        /// The queued tune with this tag is audible from now on.
        case tuneBegan(tag: Int)
        /// Time passed, without another event.
        case tick
        /// The performance lock was switched on or off.
        case lock(Bool)
        /// Audition was switched on or off: committed notes sound while stopped.
        case audition(Bool)
        /// Tap sound was switched on or off: a finger that lands on a step sounds at once.
        case tapSound(Bool)
        /// The rules of the gestures were set.
        case rules(Rules)
        /// The brightness of the LEDs was set, in per cent of the configured brightness.
        case brightness(Int)
        /// A request to show the hints again.
        case showHints
        /// Somebody began to look at the panel: a page was opened.
        case watched
        /// Version, address and faults of the box.
        case facts(Facts)
        /// New content for the guide.
        case guide(GuideContent)
        /// The player's own sounds, by name.
        case sounds([SoundPreset])
        /// The samples of the library, by name.
        case samples([SoundName])
        /// A sample that a pad needs was loaded.
        case sample(LoadedSample)
        /// A sample that a pad needs cannot be loaded: it is missing, damaged or too large.
        case sampleFailed(SoundName)
        /// A sound was cut into slices: they become the kit.
        case sliced(SliceKit)
        /// A file was dropped on the panel, at this column and row of it, and is in the library now.
        case dropped(SliceKit, column: Float, row: Float)
        /// The player's own tunings, by name.
        case tunings([OwnTuning])
        /// The machines whose pictures the panel can show.
        case lights([LightSource])
        /// A pattern was opened from the library: its music replaces the current music, and changes are saved to it. It
        /// waits if it was requested for the queued `tune`.
        case opened(Session, tune: Int? = nil)
        /// TV listings became available; the guide opens with them.
        case listings
        /// A sound control was set.
        case sound(SoundControl, Int)
        /// The metronome was switched on or off.
        case metronome(Bool)
        /// The count-in was set, in bars.
        case countIn(Int)
        /// The quantise of recorded notes was set, in per cent.
        case quantise(Int)
        /// A beat of the count-in is audible now; the value counts the remaining beats, this one included.
        case count(Int)
        /// A knob was turned.
        case turn(Knob, by: Int)
        /// The power button was pressed: the first press asks, the second confirms.
        case power
        /// A request to switch off at once, without confirmation.
        case powerOff
        /// A message about the box's state.
        case notice(Notice)
        /// A USB stick with patterns was plugged in or pulled out.
        case stick(isThere: Bool)

        /// A MIDI message arrived.
        case midi(MIDIMessage)
        /// An edge arrived on a clock jack.
        case edge(ClockEdge)
        /// The Link session has a new state.
        case link(LinkState)
        /// The transport of the chosen source began or stopped.
        case transport(TransportCommand)
        /// The signal of the chosen source has changed.
        case syncStatus(SyncStatus)
        /// A setting of the sync was set.
        case sync(SyncSetting)
        /// The LEDs have this temperature in degrees Celsius; nil if their sensor does not answer.
        case heat(Int?)
        /// The fault line of the LEDs' supply became active or inactive.
        case fault(Bool)
        /// A program on the network asks for something.
        case remote(RemoteCommand)
        /// Recording from keyboards and of taps was switched on or off.
        case record(Bool)

        /// Whether it is a stroke on a keyboard whose meaning depends on the screen.
        public var isTyped: Bool {
            switch self {
            case .key(let key): !Key.functions.contains(key)
            case .type: true
            default: false
            }
        }

        /// Whether it is what a job had to find out or to make; its notices are messages only.
        public var isResult: Bool {
            switch self {
            case .guide, .sounds, .samples, .sample, .sampleFailed, .sliced, .dropped, .tunings, .opened: true
            default: false
            }
        }

        /// The event of a keyboard's `stroke`.
        public init(_ stroke: KeyStroke) {
            switch stroke {
            case .press(let key): self = .key(key)
            case .release(let key): self = .keyUp(key)
            case .cancel(let key): self = .keyCancel(key)
            case .type(let character): self = .type(character)
            }
        }
    }
}

extension Instrument {
    /// An immediate action that does not follow from the state. The music, the mutes and the transport do follow from
    /// the state: the caller transfers them to the engine.
    public enum Effect: Hashable, Sendable {
        /// Fade out all sounding notes, because their cells were erased.
        case fade
        /// Sound these notes now.
        case audition([Note])
        /// A finger touches the picture of the source with this number.
        case touchPicture(Int, Touch)
        /// The engine no longer needs the sample in this slot.
        case unload(slot: Int)
        /// A finger turned this control of a track.
        case turn(Track, TrackControl)
        /// Sound this note with a MIDI velocity, 1-127, until its release.
        case press(Note, velocity: Int, Expression)
        /// Move this pressed note to a new expression.
        case express(Note, Expression)
        /// Release this note.
        case release(Note)
        /// Save everything and switch the box off.
        case powerOff
        /// Calibrate the touch overlay by taps on targets.
        case calibrate
        /// A request that takes time; its result arrives as an event.
        case job(Job)

        /// A note to sound.
        public struct Note: Hashable, Sendable {
            /// Track.
            public var track: Track
            /// Note index, 0-11.
            public var note: Int
            /// Velocity, 1 or 2.
            public var velocity: Int
            /// Length in steps.
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
}

extension Instrument {
    /// A request to the box that takes time.
    public enum Job: Hashable, Sendable {
        /// Import the patterns on the USB stick.
        case importPatterns
        /// Export all patterns to the USB stick.
        case exportPatterns
        /// Show the library in the guide.
        case showLibrary
        /// Show the TV listings in the guide.
        case showListings
        /// Open this pattern of the library, for the queued `tune` if that is given.
        case open(Int64, tune: Int? = nil)
        /// Begin a new pattern in the given bank, for the queued `tune` if that is given; without a bank it is in none
        /// until it contains music.
        case begin(bank: Int?, tune: Int? = nil)
        /// Duplicate this pattern.
        case duplicate(Int64)
        /// Rename this pattern.
        case rename(Int64, String)
        /// Delete this pattern.
        case delete(Int64)
        /// Restore this deleted pattern.
        case restore(Int64)
        /// List the player's own sounds.
        case showSounds
        /// Keep this own sound, in place of one of its kind and name.
        case keepSound(SoundPreset)
        /// Remove the own sound of this kind and name.
        case removeSound(SoundPreset.Kind, SoundName)
        /// List the player's own tunings.
        case showTunings
        /// Keep this part of the remembered sound in the library.
        case keepTake(TakeSpan)
        /// List the samples of the library.
        case showSamples
        /// Load this sample into the engine.
        case loadSample(SoundName)
        /// Remove this sample from the library.
        case removeSample(SoundName)
        /// Keep this part of the remembered sound as a sample, and cut it into slices.
        case slice(TakeSpan, SliceCut)
        /// Cut this sample into slices.
        case sliceSample(SoundName, SliceCut)
        /// Mark this programme as watched or unwatched.
        case setWatched(Int64, Bool)

        /// The events that refuse the job.
        public var refusal: [Event] {
            switch self {
            case .keepTake, .slice, .sliceSample: [.notice(.takeFailed)]
            case .loadSample(let name): [.sampleFailed(name)]
            default: []
            }
        }
    }
}
