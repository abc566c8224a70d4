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
        var instrument = Instrument(
            columns: plan.panel.columns, trackChannels: plan.trackChannels, trackControllers: plan.trackControllers,
            stops: plan.stops)
        if let start = plan.script.start {
            instrument = Instrument(
                columns: plan.panel.columns, volume: start.volume, rules: start.rules, sync: start.sync,
                trackChannels: start.trackChannels,
                trackControllers: start.trackControllers, stops: start.stops)
        }
        if let session = plan.script.take?.session ?? plan.session { instrument.load(session) }
        if let take = plan.script.take {
            instrument.show(window: take.settings.window, follows: take.settings.follows)
            if take.settings.isRecording { _ = instrument.update(.record(true), at: .zero) }
        }
        if let start = plan.start { instrument.load(start) }
        let rate = plan.script.rate ?? plan.rate
        guard let engine = Engine(rate: rate) else { preconditionFailure("no engine at \(rate) frames a second") }
        guard engine.remember(inRealTime: false) else { preconditionFailure("no memory for the engine's sound") }
        let bus = ObservedBus(try SimulatedPanel(plan.panel), observers.wire)
        let script = plan.script.start != nil ? TouchScript([]) : plan.script
        let player = ScriptPlayer(script, columns: plan.panel.columns, rows: Instrument.rows)
        let recorded = plan.recording.map { RecordedOverlay($0) }
        let clock = VirtualClock(inputs: [player] + (recorded.map { [$0] } ?? []))
        let audio = VirtualAudio(engine, block: plan.block, channels: plan.channels) { observers.sound?($0) }
        let panel = ObservedPanel(DirectPanel(try PanelDriver(plan.panel), bus: bus), observers.frame)
        let loop = Loop(
            instrument: instrument, engine: engine, audio: audio, panel: panel, clock: clock,
            touch: [player.overlay] + (recorded.map { [$0] } ?? []), controls: [player.keyboard], store: plan.store,
            heat: plan.panel.heat)
        for event in plan.initialEvents { player.keyboard.post(event, at: .zero) }
        let session = plan.script.start != nil ? RecordedSession(plan.script) : nil
        // Unsafe: Embedded Swift has no safe reference of this kind. The loop outlives its own property.
        loop.onJob = { [unowned(unsafe) loop] job in
            var input: TakeInput?
            if case .keepTake(let span) = job { input = loop.input(of: span) }
            let events = plan.runEngineJob?(job, input, engine) ?? plan.runJob?(job) ?? job.refusal
            if let session { return session.add(events) }
            for event in events { player.keyboard.post(event, at: clock.now) }
        }
        if let note = observers.note {
            loop.onNote = { frame, started, step in
                note(
                    NoteEvent(
                        milliseconds: Double(frame) * 1000 / Double(rate), step: step, track: started.track,
                        note: started.note, velocity: started.velocity, steps: started.steps))
            }
        }
        loop.onMIDI = observers.midi
        let end = session?.play(loop, audio, until: plan.until) ?? play(plan, loop, player)
        audio.finish()
        var document = plan.start ?? PatternDocument(pattern: Pattern())
        document.replaceMusic(by: loop.instrument.state.session)
        return Outcome(
            state: loop.instrument.state, document: document, frame: loop.picture(at: end), light: bus.panel.pixels,
            end: end)
    }

    /// Runs the loop until `plan` ends; returns the time of the end.
    private static func play(_ plan: Plan, _ loop: Loop, _ player: ScriptPlayer) -> Instant {
        let end = plan.end
        loop.run(until: end)
        guard plan.loops > 0 else { return end }
        // A running transport is stopped first, so that Play begins at step 0.
        if loop.instrument.state.isPlaying { player.append(.playStop, at: end) }
        player.append(.playStop, at: end)
        let pattern = loop.instrument.state.session.composition.pattern
        let countIn = loop.instrument.state.session.countIn * pattern.metre.stepsOfBar
        let loopsEnd = end + pattern.duration(ofSteps: countIn + plan.loops * pattern.length)
        loop.run(until: loopsEnd)
        return loopsEnd
    }
}

/// A panel with an observer of its frames.
private final class ObservedPanel: FrameOutput {
    private let panel: DirectPanel
    private let observe: ((Frame, Instant) -> Void)?

    init(_ panel: DirectPanel, _ observe: ((Frame, Instant) -> Void)?) {
        self.panel = panel
        self.observe = observe
    }

    func dim(to part: Double) { panel.dim(to: part) }
    func limit(to share: Double) { panel.limit(to: share) }

    func show(_ frame: Frame, at now: Instant) {
        panel.show(frame, at: now)
        observe?(frame, now)
    }
}

/// The bus to a simulated panel, with an observer of its messages.
private final class ObservedBus: PanelBus {
    let panel: SimulatedPanel
    private let observe: (([UInt8], Int, Instant) -> Void)?

    init(_ panel: SimulatedPanel, _ observe: (([UInt8], Int, Instant) -> Void)?) {
        self.panel = panel
        self.observe = observe
    }

    func send(_ message: [UInt8], chain: Int, at now: Instant) throws(WireFailure) {
        try panel.send(message, chain: chain, at: now)
        observe?(message, chain, now)
    }
}
