import Display
import Documents
import InputEvents
import Instrument
import Panel
import Runtime

/// A box on a virtual clock: the loop, touch path, panel driver and engine of the hardware, with simulated devices.
public final class VirtualBox {
    /// The loop, with the instrument.
    public let loop: Loop
    /// The clock; waiting takes no time.
    public let clock: VirtualClock
    /// The panel's driver, with its current.
    public let panel: DirectPanel
    /// Sample rate, in frames per second.
    public let rate: Int

    let player: ScriptPlayer
    let audio: VirtualAudio
    /// Takes what a request to the box has found out, in place of the box.
    var onResults: (([Instrument.Event]) -> Void)?
    private let bus: ObservedBus
    private let setDisk: ((DiskFault?) -> Void)?
    private let document: PatternDocument

    /// The box of `plan`, with its script and its recording, at time 0. Without an observer of the sound none is
    /// rendered. Throws `PanelError` for an impossible panel.
    public init(_ plan: Replay.Plan, _ observers: Replay.Observers) throws(PanelError) {
        rate = plan.script.rate ?? plan.rate
        setDisk = plan.setDisk
        document = plan.start ?? PatternDocument(pattern: Pattern())
        guard let engine = Engine(rate: rate) else { preconditionFailure("no engine at \(rate) frames a second") }
        if plan.remembersSound {
            guard engine.remember(inRealTime: false) else { preconditionFailure("no memory for the engine's sound") }
        }
        bus = ObservedBus(try SimulatedPanel(plan.panel), observers.wire)
        panel = DirectPanel(try PanelDriver(plan.panel), bus: bus)
        let script = plan.script.start != nil ? TouchScript([]) : plan.script
        let player = ScriptPlayer(script, columns: plan.panel.columns, rows: Instrument.rows)
        let recorded = plan.recording.map { RecordedOverlay($0) }
        let clock = VirtualClock(inputs: [player] + (recorded.map { [$0] } ?? []))
        audio = VirtualAudio(engine, block: plan.block, channels: plan.channels, take: observers.sound)
        let loop = Loop(
            instrument: Instrument(for: plan), engine: engine, audio: audio,
            panel: ObservedPanel(panel, hasLight: plan.hasLight, observers.frame), clock: clock,
            touch: [player.overlay] + (recorded.map { [$0] } ?? []), controls: [player.keyboard], store: plan.store,
            heat: plan.panel.heat)
        (self.player, self.clock, self.loop) = (player, clock, loop)
        for event in plan.initialEvents { player.keyboard.post(event, at: .zero) }
        // Unsafe: Embedded Swift has no safe reference of this kind. The box outlives its parts' properties.
        player.onDevice = { [unowned(unsafe) self] in perform($0) }
        loop.onJob = { [unowned(unsafe) self] job in
            observers.job?(job)
            var input: TakeInput?
            if case .keepTake(let span) = job { input = self.loop.input(of: span) }
            let events = plan.runEngineJob?(job, input, engine) ?? plan.runJob?(job) ?? job.refusal
            if let onResults { return onResults(events) }
            for event in events { self.player.keyboard.post(event, at: self.clock.now) }
        }
        if let note = observers.note {
            loop.onNote = { [rate] frame, started, step in note(NoteEvent(started, step: step, at: frame, rate: rate)) }
        }
        loop.onMIDI = observers.midi
        loop.onPulse = observers.pulse
    }

    /// The time at which `frame` is heard.
    public func time(of frame: UInt64) -> Instant { audio.time(of: frame) }

    /// Adds a line to the script. It is not earlier than the present time.
    public func send(_ line: TouchScript.Line) { player.add(line) }

    private func perform(_ act: DeviceAct) {
        // Sound before this moment is as it was.
        audio.advance(to: clock.now)
        switch act {
        case .chain(let number, let fails): bus.set(number, fails: fails)
        case .sound(let isThere): audio.isUnplugged = !isThere
        case .disk(let fault): setDisk?(fault)
        case .stumble(let span): audio.stumble(frames: Int(span.microseconds) * rate / 1_000_000)
        case .overlay, .unplug: break
        }
    }

    /// Ends the sound: renders the rest up to now, which the engine's latency holds back.
    func finish() { audio.finish() }

    /// The music, with the unknown fields of the document that it started from.
    public var music: PatternDocument {
        var document = document
        document.replaceMusic(by: loop.instrument.state.session)
        return document
    }

    /// The panel's light as the chips show it, three sRGB bytes per LED.
    public var light: [UInt8] { bus.panel.pixels }
}

extension NoteEvent {
    /// The `note` that the engine begins with `frame`, of `rate` frames per second.
    public init(_ note: Engine.Note, step: Int, at frame: UInt64, rate: Int) {
        self.init(
            milliseconds: Double(frame) * 1000 / Double(rate), step: step, track: note.track, note: note.note,
            velocity: note.velocity, steps: note.steps)
    }
}

extension Instrument {
    /// The instrument at the begin of `plan`.
    fileprivate init(for plan: Replay.Plan) {
        if let start = plan.script.start {
            self.init(
                columns: plan.panel.columns, volume: start.volume, rules: start.rules, sync: start.sync,
                trackChannels: start.trackChannels, trackControllers: start.trackControllers, stops: start.stops)
        } else {
            self.init(
                columns: plan.panel.columns, rules: plan.rules, trackChannels: plan.trackChannels,
                trackControllers: plan.trackControllers, stops: plan.stops)
        }
        if let session = plan.script.take?.session ?? plan.session { load(session) }
        if let take = plan.script.take {
            show(window: take.settings.window, follows: take.settings.follows)
            show(take.settings.keys, take.settings.fx)
            if take.settings.isRecording { _ = update(.record(true), at: .zero) }
        }
        if let start = plan.start { load(start) }
    }
}

/// A panel with an observer of its frames.
private final class ObservedPanel: FrameOutput {
    let isSeen: Bool
    private let panel: DirectPanel
    private let hasLight: Bool
    private let observe: ((Frame, Instant) -> Void)?

    init(_ panel: DirectPanel, hasLight: Bool, _ observe: ((Frame, Instant) -> Void)?) {
        self.panel = panel
        self.hasLight = hasLight
        isSeen = hasLight || observe != nil
        self.observe = observe
    }

    func dim(to part: Double) { panel.dim(to: part) }
    func limit(to share: Double) { panel.limit(to: share) }

    func show(_ frame: Frame, at now: Instant) {
        if hasLight { panel.show(frame, at: now) }
        observe?(frame, now)
    }
}

/// The bus to a simulated panel, with an observer of its messages. Chains can fail.
private final class ObservedBus: PanelBus {
    let panel: SimulatedPanel
    private let observe: (([UInt8], Int, Instant) -> Void)?
    private var failing: Set<Int> = []

    /// Why a message is not sent.
    enum Failure: Error {
        case refused
        case misread(WireFailure)
    }

    init(_ panel: SimulatedPanel, _ observe: (([UInt8], Int, Instant) -> Void)?) {
        self.panel = panel
        self.observe = observe
    }

    func set(_ chain: Int, fails: Bool) {
        if fails { failing.insert(chain) } else { failing.remove(chain) }
    }

    func send(_ message: [UInt8], chain: Int, at now: Instant) throws(Failure) {
        if failing.contains(chain) { throw .refused }
        do throws(WireFailure) {
            try panel.send(message, chain: chain, at: now)
        } catch {
            throw .misread(error)
        }
        observe?(message, chain, now)
    }
}
