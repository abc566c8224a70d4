import InputEvents
import Display
import Documents
import Instrument
import Panel
import Runtime

/// Runs a touch script, or a recording of a touch device, through the whole box on a virtual clock: the loop, touch
/// path, panel driver and engine of the hardware, at full speed. A script gives the same bytes, sound included, on
/// every machine.
public struct Replay {
    /// The input of a replay, and its length.
    public struct Plan {
        /// Touches and keys.
        public var script: TouchScript
        /// Recorded touches; nil for none.
        public var recording: RecordedTouch?
        /// The pattern at the start.
        public var start: PatternDocument?
        /// The session at the start; nil for a new one.
        public var session: Session?
        /// Store that saves the session.
        public var store: (any Store)?
        /// Makes the disk of the store fail, or be well again with nil.
        public var setDisk: ((DiskFault?) -> Void)?
        /// Runs a background task and returns its events. On the virtual clock it takes no time.
        public var runJob: ((Instrument.Job) -> [Instrument.Event])?
        /// Runs a background task that needs the engine, and returns its events: one of takes or of samples. Nil if it
        /// is none.
        public var runEngineJob: ((Instrument.Job, TakeInput?, Engine) -> [Instrument.Event]?)?
        /// Events before everything else.
        public var initialEvents: [Instrument.Event] = []
        /// The end, or the time at which Play is pressed if `loops` is not 0; nil for two seconds after the last line
        /// or report.
        public var until: Instant?
        /// Number of loops to play then.
        public var loops = 0
        /// The panel's build.
        public var panel = PanelConfiguration()
        /// The channels and the controllers of the tracks on MIDI ports; a recorded session has its own.
        public var (trackChannels, trackControllers) = (TrackChannels(), TrackControllers())
        /// Sources that stop the music at once while the performance lock is on; a recorded session has its own.
        public var stops = StopSources.leaders
        /// Sample rate of the sound; a recorded session has its own.
        public var rate = 48_000
        /// Whether the last five minutes of the sound are remembered, for takes.
        public var remembersSound = true
        /// Whether the panel's LEDs get light: without it a box is faster, and its picture can still be drawn.
        public var hasLight = true
        /// The rules of the gestures until the player sets others.
        public var rules = Rules.box
        /// Frames rendered at once; the sound does not depend on it.
        public var block = 256

        /// A plan to replay `script`.
        public init(_ script: TouchScript) { self.script = script }

        /// Channels of the sound: two, or up to the one that the script gives the pulses.
        public var channels: Int {
            script.lines.reduce(2) { most, line in
                guard case .control(.sync(.pulse(.channel(let number)))) = line.act else { return most }
                return max(most, number)
            }
        }

        /// The end, before the loops.
        var end: Instant {
            until ?? max(script.end, recording?.end ?? .zero, script.take?.end ?? .zero) + .milliseconds(2000)
        }

        /// The end as far as it is known before: a script may change the tempo or the length that the loops will have.
        public var expectedEnd: Instant {
            let pattern = start?.pattern ?? session?.composition.pattern ?? Pattern()
            return end + pattern.duration(ofSteps: loops * pattern.length)
        }
    }

    /// Callbacks for the output of a replay while it runs.
    public struct Observers {
        /// Each note that the sequencer starts.
        public var note: ((NoteEvent) -> Void)?
        /// Each MIDI message that the box sends.
        public var midi: ((MIDISender.Message) -> Void)?
        /// The time at which each pulse of the clock jack begins.
        public var pulse: ((Instant) -> Void)?
        /// Each request of the panel that takes time.
        public var job: ((Instrument.Job) -> Void)?
        /// Each frame, before gamma and power limiting.
        public var frame: ((Frame, _ at: Instant) -> Void)?
        /// Each SPI message on a chain.
        public var wire: ((_ message: [UInt8], _ chain: Int, _ at: Instant) -> Void)?
        /// The sound, interleaved, with the plan's channels; its first sample belongs to time 0.
        public var sound: ((UnsafeMutableBufferPointer<Float>) -> Void)?

        /// No observers.
        public init() {}
    }

    /// The result of a replay.
    public struct Outcome {
        /// State of the instrument at the end.
        public var state: Instrument.State
        /// The pattern at the end, with the unknown fields of the document that it started from.
        public var document: PatternDocument
        /// The last frame, before gamma and power limiting.
        public var frame: Frame
        /// The panel's light as the chips show it, three sRGB bytes per LED.
        public var light: [UInt8]
        /// Time of the end.
        public var end: Instant
    }

    /// Runs `plan`. Throws `PanelError` for an impossible panel.
    public static func run(_ plan: Plan, _ observers: Observers = Observers()) throws(PanelError) -> Outcome {
        var observers = observers
        // Takes and samples of what was heard need the sound, also where nobody listens.
        if observers.sound == nil { observers.sound = { _ in } }
        let box = try VirtualBox(plan, observers)
        let session = plan.script.start != nil ? RecordedSession(plan.script) : nil
        if let session { box.onResults = { session.add($0) } }
        let end = session?.play(box.loop, box.audio, until: plan.until) ?? play(plan, box)
        box.finish()
        return Outcome(
            state: box.loop.instrument.state, document: box.music, frame: box.loop.picture(at: end), light: box.light,
            end: end)
    }

    /// Runs the loop until `plan` ends; returns the time of the end.
    private static func play(_ plan: Plan, _ box: VirtualBox) -> Instant {
        let (loop, end) = (box.loop, plan.end)
        func press() { box.send(TouchScript.Line(at: end, act: .control(.key(.playStop)))) }
        loop.run(until: end)
        guard plan.loops > 0 else { return end }
        // A running transport is stopped first, so that Play begins at step 0.
        if loop.instrument.state.isPlaying { press() }
        press()
        let pattern = loop.instrument.state.session.composition.pattern
        let countIn = loop.instrument.state.session.countIn * pattern.metre.stepsOfBar
        let loopsEnd = end + pattern.duration(ofSteps: countIn + plan.loops * pattern.length)
        loop.run(until: loopsEnd)
        return loopsEnd
    }
}
