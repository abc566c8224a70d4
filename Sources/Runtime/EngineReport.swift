import Instrument

extension Engine {
    /// A note that the sequencer starts.
    public struct Note: Hashable, Sendable {
        /// Track.
        public var track: Track
        /// Its number on the track.
        public var note: Int
        /// MIDI velocity, 1-127; a normal cell's is 80, an accent's 127.
        public var velocity: Int
        /// Length in steps of the pattern.
        public var steps: Double
        /// Whether `Transmission.noteEnd` reports its end; otherwise it ends with a step.
        public var reportsEnd: Bool

        /// A note of `track`, which ends with a step.
        public init(track: Track, note: Int, velocity: Int, steps: Double, reportsEnd: Bool = false) {
            self.track = track
            self.note = note
            self.velocity = velocity
            self.steps = steps
            self.reportsEnd = reportsEnd
        }
    }

    /// A report of the engine.
    public enum Report: Hashable, Sendable {
        /// A round of the pattern has ended; its next step follows.
        case round(HeardRound)
        /// This step begins. Its number is the number in `Instrument.Event`.
        case step(Int, number: Int)
        /// This step of a track with lanes or a shape begins, and sounds or does not. Its place is the place in
        /// `Instrument.Event`.
        case trackStep(Track, step: Int, place: Int, sounds: Bool)
        /// The sequencer starts a note of `step`.
        case note(Note, step: Int)
        /// A beat of the count-in begins; the number of remaining beats, including this one.
        case count(Int)
        /// The upcoming scene or tune begins: pass it to `follow`.
        case switched(Switched, tag: UInt16)
        /// Parts that waited begin: pass them to `follow`.
        case partsBegan(Parts, tag: UInt32, number: UInt8)
        /// Something for other instruments.
        case transmission(Transmission)
    }

    /// An action of other instruments.
    public enum Transmission: Hashable, Sendable {
        /// One of 24 ticks of a quarter note.
        case tick
        /// The transport begins with this step of the pattern.
        case start(step: Int)
        /// The transport stops.
        case stop
        /// The notes of these tracks end.
        case silence(TrackSet)
        /// A pulse of analogue clock begins.
        case pulse
        /// A note ends that was started with `reportsEnd`.
        case noteEnd(Track, note: Int)
        /// A control of a track moves to this value: by lanes, or under a finger.
        case control(Track, TrackControl, Int)
    }
}
