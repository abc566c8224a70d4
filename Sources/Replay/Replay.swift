import Display
import Formats
import Instrument
import Panel
import Runtime

/// A touch script, or a recording of a touch device, run through the whole box on a virtual clock: the same loop, touch path,
/// drive path and engine as on the hardware, as fast as they go. The same script gives the same bytes, sound included, on
/// every machine.
public struct Replay {
    /// What is replayed, and for how long.
    public struct Plan {
        /// What fingers and keys do.
        public var script: TouchScript
        /// What a touch device reported; one, or none.
        public var recording: RecordedTouch?
        /// The pattern that is there at the start.
        public var start: PatternDocument?
        /// What is there at the start, if that is more than a pattern.
        public var session: Session?
        /// What keeps what is played.
        public var store: (any Store)?
        /// Does what takes its time; here it takes none.
        public var errand: ((Errand) -> [Event])?
        /// What happens to the box before anything else.
        public var news: [Event] = []
        /// When time ends, or Play is pressed if `loops` is not 0; nil for two seconds after the last line or report.
        public var until: Instant?
        /// Times that the pattern is then played.
        public var loops = 0
        /// How the panel is built.
        public var panel = PanelConfiguration()
        /// Frames a second of the sound.
        public var rate = 48_000
        /// Frames of sound that are rendered at once; they make no difference.
        public var block = 256

        /// A plan to replay `script`.
        public init(_ script: TouchScript) { self.script = script }
    }

    /// What is wanted of a replay while it runs.
    public struct Observers {
        /// Each note that the sequencer starts.
        public var note: ((NoteEvent) -> Void)?
        /// Each frame that the panel is shown, before gamma and power limiting.
        public var frame: ((Frame, _ at: Instant) -> Void)?
        /// Each message on a chain.
        public var wire: ((_ message: [UInt8], _ chain: Int, _ at: Instant) -> Void)?
        /// The sound, interleaved stereo; its first sample belongs to time 0.
        public var sound: ((UnsafeMutableBufferPointer<Float>) -> Void)?

        /// No observers.
        public init() {}
    }

    /// How it ended.
    public struct Outcome {
        /// The state of the box.
        public var state: State
        /// Its pattern, with what the document that it started from said beside it.
        public var document: PatternDocument
        /// The panel as the instrument drew it, before gamma and power limiting.
        public var frame: Frame
        /// The panel as the chips show it, three sRGB bytes an LED.
        public var light: [UInt8]
        /// When it ended.
        public var end: Instant
    }

    /// Runs `plan`. Throws `PanelError` for a panel that cannot be.
    public static func run(_ plan: Plan, _ observers: Observers = Observers()) throws(PanelError) -> Outcome {
        var instrument = Instrument(columns: plan.panel.columns)
        if let session = plan.session { instrument.load(session) }
        if let start = plan.start { instrument.load(start) }
        guard let engine = Engine(rate: plan.rate) else {
            preconditionFailure("no engine at \(plan.rate) frames a second")
        }
        let bus = ObservedBus(try SimulatedPanel(plan.panel), observers.wire)
        let player = ScriptPlayer(plan.script, columns: plan.panel.columns, rows: Instrument.rows)
        let recorded = plan.recording.map { RecordedOverlay($0) }
        let clock = VirtualClock(inputs: [player] + (recorded.map { [$0] } ?? []))
        let audio = VirtualAudio(engine, block: plan.block) { observers.sound?($0) }
        let panel = ObservedPanel(DirectPanel(try PanelDriver(plan.panel), bus: bus), observers.frame)
        let loop = Loop(
            instrument: instrument, engine: engine, audio: audio, panel: panel, clock: clock,
            touch: [player.overlay] + (recorded.map { [$0] } ?? []), controls: [player.keyboard], store: plan.store)
        for event in plan.news { player.keyboard.post(event, at: .zero) }
        loop.onErrand = { errand in
            for event in plan.errand?(errand) ?? [] { player.keyboard.post(event, at: clock.now) }
        }
        if let note = observers.note {
            loop.onNote = { frame, started, step in
                note(
                    NoteEvent(
                        milliseconds: Double(frame) * 1000 / Double(plan.rate), step: step, track: started.track,
                        note: started.note, velocity: started.velocity, steps: started.steps))
            }
        }
        let end = play(plan, loop, player)
        audio.finish()
        var document = plan.start ?? PatternDocument(pattern: Pattern())
        document.take(loop.instrument.state.session)
        return Outcome(
            state: loop.instrument.state, document: document, frame: loop.picture(at: end), light: bus.panel.pixels,
            end: end)
    }

    /// Lets time pass until `plan` ends, and says when that is.
    private static func play(_ plan: Plan, _ loop: Loop, _ player: ScriptPlayer) -> Instant {
        let last = max(plan.script.end, plan.recording?.end ?? .zero)
        let end = plan.until ?? last + .milliseconds(2000)
        loop.run(until: end)
        guard plan.loops > 0 else { return end }
        // Play begins at step 0, so a transport that runs is stopped first.
        if loop.instrument.state.isPlaying { player.append(.space, at: end) }
        player.append(.space, at: end)
        let pattern = loop.instrument.state.session.composition.pattern
        let countIn = loop.instrument.state.session.countIn * Pattern.stepsPerBar
        let loopsEnd = end + pattern.duration(ofSteps: countIn + plan.loops * pattern.length)
        loop.run(until: loopsEnd)
        return loopsEnd
    }
}

/// A panel with someone who looks on.
private final class ObservedPanel: FrameOutput {
    private let panel: DirectPanel
    private let observe: ((Frame, Instant) -> Void)?

    init(_ panel: DirectPanel, _ observe: ((Frame, Instant) -> Void)?) {
        self.panel = panel
        self.observe = observe
    }

    func dim(to part: Double) { panel.dim(to: part) }

    func show(_ frame: Frame, at now: Instant) {
        panel.show(frame, at: now)
        observe?(frame, now)
    }
}

/// The bus to a simulated panel, with someone who listens in.
private final class ObservedBus: PanelBus {
    let panel: SimulatedPanel
    private let observe: (([UInt8], Int, Instant) -> Void)?

    init(_ panel: SimulatedPanel, _ observe: (([UInt8], Int, Instant) -> Void)?) {
        self.panel = panel
        self.observe = observe
    }

    func send(_ message: [UInt8], chain: Int, at now: Instant) throws {
        try panel.send(message, chain: chain, at: now)
        observe?(message, chain, now)
    }
}
