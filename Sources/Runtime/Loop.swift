import InputEvents
import Display
import Instrument
import Input
import Panel
import Synchronization

/// The main loop: collects events, updates the instrument, and outputs sound and light. It owns the instrument and the
/// time; everything else is passed to it.
public final class Loop {
    /// The instrument.
    public private(set) var instrument: Instrument
    /// Called for each note that the sequencer starts, with the engine's frame of its start.
    public var onNote: ((UInt64, Engine.Note, _ step: Int) -> Void)?
    /// Called for each job, which may take long and must not run on the loop's thread.
    public var onJob: ((Instrument.Job) -> Void)?
    /// Called with the matrix of a new calibration, which already applies to touches.
    public var onCalibration: (([Double]) -> Void)?
    /// Called with each MIDI message of the box, as soon as it is known: before its frame is heard. Set it before
    /// `run`.
    public var onMIDI: ((MIDISender.Message) -> Void)?
    /// Called with the time at which each pulse of the clock jack begins, as soon as it is known: before it. Set it
    /// before `run`.
    public var onPulse: ((Instant) -> Void)?
    /// Called after each update of the instrument. Set it before `run`: the commands of the engine then have their
    /// frames `commandMargin` ahead, so that an equal engine repeats them.
    public var onUpdate: ((LoopUpdate) -> Void)?
    /// Frames by which commands are ahead of the newest rendered one while updates are observed: more than the sound
    /// thread renders in the meantime.
    public var commandMargin: UInt64 = 1024
    /// Ends `run`, from any thread.
    public let stopper: Stopper
    /// The limit of the panel's light by heat and faults.
    public private(set) var lightLimit: LightLimit
    /// Whether `run` ended because the box is to be switched off.
    public private(set) var isSwitchedOff = false
    /// Called once a pass, after all events up to `now`.
    public var onPass: ((_ now: Instant) -> Void)?

    private let engine: Engine
    private let audio: any AudioOutput
    private let panel: any FrameOutput
    private let clock: any LoopClock
    private let store: (any Store)?
    private var touch: TouchInput
    /// The calibration in progress; it has exclusive use of the panel and the touches.
    private var calibration: CalibrationScreen?
    /// The overlays' matrix before the calibration.
    private var settledMatrix: [Double]?
    private let controls: [any ControlSource]
    private let pictures: (any PictureInput)?

    /// Events of one pass and their buffers; kept so that a pass allocates nothing.
    private var events: [(time: Instant, event: Instrument.Event)] = []
    private var fingers: [FingerReport] = []
    private var controlEvents: [ControlEvent] = []
    /// Steps, beats and scenes that are rendered but not audible yet, oldest first.
    private var steps: [(time: Instant, event: Instrument.Event)] = []

    private var beats = BeatCollector()
    private var input = InputMemory()
    private var sync = Synchroniser()
    private var midi: MIDISender
    /// The frame for the commands of the present update.
    private var frame: UInt64 = 0
    /// The audible place of the present update, if it was asked for.
    private var place: Double?
    /// Reports of switches that wait for their place in a recording.
    private var switches: [Engine.Report] = []
    private var hasTransmission = false
    /// Whether every command takes effect on its frame.
    private var isExact = false
    /// Whether the updates come from a recording.
    private var isRepeating = false
    private var lastSteering = Instant.zero
    private var lastUpdate = Instant.zero
    private var picture: Frame
    private var shown: Frame
    private var hasShown = false
    private var lastFrame: Instant?
    private var isTouched = false
    private var brightness = Session.brightnesses.upperBound
    private var lightShare = 1.0

    /// Minimum time between frames. Overlays report up to a thousand times a second, and no panel is faster.
    private static let frameIntervalMin = Instant.Span.milliseconds(1)
    /// Reserved capacity for events. More events in one pass cost an allocation, but are not lost.
    private static let eventsMax = 1024

    /// A loop that runs `instrument` with these parts. `pictures` are pictures of other machines, `heat` are the
    /// panel's temperatures.
    public init(
        instrument: Instrument, engine: Engine, audio: any AudioOutput, panel: any FrameOutput, clock: any LoopClock,
        touch: [any TouchSource] = [], controls: [any ControlSource] = [],
        pictures: (any PictureInput)? = nil, store: (any Store)? = nil, heat: PanelConfiguration.Heat = .init()
    ) {
        lightLimit = LightLimit(heat)
        self.instrument = instrument
        self.instrument.pictures = pictures
        self.pictures = pictures
        self.engine = engine
        self.audio = audio
        self.panel = panel
        self.clock = clock
        stopper = Stopper(clock)
        self.store = store
        self.controls = controls + (pictures.map { [$0] } ?? [])
        midi = MIDISender(instrument.trackChannels, instrument.trackControllers)
        self.touch = TouchInput(touch, columns: instrument.columns, rows: Instrument.rows)
        picture = Frame(columns: instrument.columns, rows: Instrument.rows)
        shown = picture
        events.reserveCapacity(Self.eventsMax)
        fingers.reserveCapacity(Self.eventsMax)
        controlEvents.reserveCapacity(Self.eventsMax)
        steps.reserveCapacity(64)
    }

    /// Runs until `end`, or until `stopper` ends it. Events exactly at `end` are included.
    public func run(until end: Instant? = nil) {
        if onUpdate == nil {
            begin(at: clock.now)
            synchronise([], at: clock.now)
        }
        while !stopper.isStopping {
            let now = clock.now
            pass(at: now)
            if let end, now >= end { break }
            let next = nextPass(after: now)
            clock.wait(until: end.map { min($0, next) } ?? next)
        }
    }

    /// The panel's frame at `now`, newly drawn.
    public func picture(at now: Instant) -> Frame {
        var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        draw(into: &frame, at: now)
        return frame
    }

    private func draw(into frame: inout Frame, at now: Instant) {
        if let calibration { calibration.draw(into: &frame, at: now) } else { instrument.draw(into: &frame, at: now) }
    }

    /// The input of the part `span` of the remembered sound, from a begin of the pattern on; nil if it is not all
    /// remembered. Call it on the loop's thread.
    public func input(of span: TakeSpan) -> TakeInput? { input.input(of: span, rate: engine.rate) }

    // MARK: A pass

    private func pass(at now: Instant) {
        audio.advance(to: now)
        gather(by: now)
        for (time, event) in events {
            let update = min(max(time, lastUpdate), now)
            perform(event.delayed(by: update - time), at: update)
            isTouched = isTouched || event != .midi(.clock)
        }
        events.removeAll(keepingCapacity: true)
        perform(.tick, at: now)
        onPass?(now)
        panel.beat()
        if let pictures, pictures.follow(instrument.shownSource) { isTouched = true }
        if let lastFrame, now < frameDue(after: lastFrame) { return }
        show(at: now)
    }

    /// Draws the panel, and shows it if it has changed.
    private func show(at now: Instant) {
        showStatus(at: now)
        lastFrame = now
        isTouched = false
        guard panel.isSeen else { return }
        draw(into: &picture, at: now)
        if instrument.state.brightness != brightness {
            brightness = instrument.state.brightness
            panel.dim(to: Double(brightness) / 100)
            hasShown = false
        }
        let share = lightLimit.share(at: now.microseconds)
        if share != lightShare {
            lightShare = share
            panel.limit(to: share)
            hasShown = false
        }
        if hasShown && picture == shown { return }
        panel.show(picture, at: now)
        shown.copy(picture)
        hasShown = true
    }

    // MARK: Updates

    /// Begins an update at `now`.
    private func begin(at now: Instant) {
        isExact = onUpdate != nil
        frame = isExact ? engine.frames + commandMargin : audio.frame(at: now)
        place = nil
        if onMIDI != nil || onPulse != nil || isExact { transmit() }
    }

    /// Makes the engine report the actions of other instruments, from the first update on.
    private func transmit() {
        guard !hasTransmission else { return }
        hasTransmission = true
        engine.transmit(at: frame)
    }

    /// Updates the instrument by `event`, and tells it to the observer.
    private func perform(_ event: Instrument.Event, at now: Instant) {
        begin(at: now)
        apply(event, at: now)
        guard let onUpdate else { return }
        let isLate = engine.frames > frame
        onUpdate(LoopUpdate(time: now, act: .event(event), frame: frame, place: place, isLate: isLate))
    }

    private func apply(_ event: Instrument.Event, at now: Instant) {
        if event == .tick {
            if let command = sync.advance(to: now) { update(.transport(command), at: now) }
            steerOn(at: now)
        }
        update(event, at: now)
    }

    /// Repeats an update of another loop, in place of a pass. The engine has to be rendered up to its frame.
    public func `repeat`(_ recorded: LoopUpdate) {
        engine.takeReports { frame, report in
            sendMIDI(of: report, at: frame)
            switch report {
            case .note(let note, let step): onNote?(frame, note, step)
            case .switched, .partsBegan: switches.append(report)
            case .round, .step, .trackStep, .count, .transmission: break
            }
        }
        if let onMIDI { midi.flush(onMIDI) }
        isExact = true
        isRepeating = true
        frame = recorded.frame
        place = recorded.place
        switch recorded.act {
        case .event(let event):
            transmit()
            apply(event, at: recorded.time)
            if event == .tick { show(at: recorded.time) }
        case .sceneTaken:
            if !switches.isEmpty { _ = follow(switches.removeFirst()) }
        }
    }

    private func sendMIDI(of report: Engine.Report, at frame: UInt64) {
        guard let onMIDI else { return }
        midi.handle(report, at: frame, begins: engine.begun(with: report), in: engine.tuning, onMIDI)
    }

    /// Follows the engine's switch; returns the event of its being audible. Nil if the transport has stopped since it was
    /// asked for.
    private func follow(_ report: Engine.Report) -> Instrument.Event? {
        switch report {
        case .switched(let switched, let tag): engine.follow(switched, tag: tag) ? switched.event : nil
        case .partsBegan(let parts, let tag, let number):
            engine.follow(parts, tag: tag, number: number) ? .partsBegan(parts) : nil
        case .note, .round, .step, .trackStep, .count, .transmission: nil
        }
    }

    /// Collects all events up to `now`, in order of time.
    private func gather(by now: Instant) {
        engine.takeReports { frame, report in
            sendMIDI(of: report, at: frame)
            switch report {
            case .round(let round): steps.append((audio.time(of: frame), .round(round)))
            case .step(let step, let number):
                steps.append((audio.time(of: frame), .step(step, number: number)))
                guard instrument.state.isPlaying else { break }
                beats.begin(step: step, of: engine.metre, at: frame, latency: engine.latency)
                if step == 0 { input.begins(at: audio.time(of: frame), frame: frame + UInt64(engine.latency)) }
            case .trackStep(let track, let step, let place, let sounds):
                steps.append((audio.time(of: frame), .trackStep(track, step: step, place: place, sounds: sounds)))
            case .count(let beats): steps.append((audio.time(of: frame), .count(beats)))
            case .switched, .partsBegan:
                onUpdate?(
                    LoopUpdate(time: lastUpdate, act: .sceneTaken, frame: engine.frames, place: nil, isLate: false))
                if let event = follow(report) { steps.append((audio.time(of: frame), event)) }
            case .note(let note, let step): onNote?(frame, note, step)
            case .transmission(.pulse): onPulse?(audio.time(of: frame))
            case .transmission: break
            }
        }
        if let onMIDI { midi.flush(onMIDI) }
        while let beat = beats.next(of: engine) { events.append((now, .beat(beat))) }
        let heard = steps.prefix { $0.time <= now }.count
        for index in 0..<heard { events.append(steps[index]) }
        steps.removeFirst(heard)
        fingers.removeAll(keepingCapacity: true)
        touch.read(at: now, into: &fingers)
        if calibration != nil {
            calibrate(at: now)
        } else {
            for finger in fingers { events.append((finger.time, .touch(finger.touch))) }
        }
        controlEvents.removeAll(keepingCapacity: true)
        for source in controls { source.read(into: &controlEvents) }
        for done in controlEvents {
            // The calibration hides the screen that a keyboard would play.
            if calibration != nil, done.event.isTyped { continue }
            events.append((done.time, done.event))
        }
        sortEvents()
    }

    /// Insertion sort: stable, in place, and fast for a few events that are nearly in order.
    private func sortEvents() {
        for end in events.indices.dropFirst() {
            var index = end
            while index > 0, events[index].time < events[index - 1].time {
                events.swapAt(index, index - 1)
                index -= 1
            }
        }
    }

    private func update(_ event: Instrument.Event, at now: Instant) {
        switch event {
        case .sceneBegan: if !engine.hearSwitch() { return }
        case .partsBegan: if !engine.hearParts() { return }
        case .tuneBegan:
            guard engine.hearSwitch() else { return }
            // The recording into the tune that ends is kept before another replaces it.
            update(.tuneEnds, at: now)
        case .heat(let celsius): lightLimit.update(celsius: celsius)
        case .fault(let isThere): lightLimit.update(isFault: isThere, at: now.microseconds)
        default: break
        }
        let command = follow(event, at: now)
        let wasPlaying = instrument.state.isPlaying
        let effects = instrument.update(event, at: now)
        lastUpdate = now
        input.record(event, instrument, at: now)
        settleSource(wasPlaying: wasPlaying, at: now)
        for effect in effects {
            switch effect {
            case .powerOff:
                isSwitchedOff = true
                stopper.stop()
            case .calibrate: beginCalibration(at: now)
            case .touchPicture(let source, let touch): pictures?.touch(source, touch)
            case .job, .fade, .audition, .turn, .press, .express, .release, .unload: continue
            }
        }
        if !instrument.state.isPlaying {
            steps.removeAll(keepingCapacity: true)
            beats.stop()
            if wasPlaying { input.endRun() }
        } else if !wasPlaying {
            beats.restart(at: frame)
            input.endRun()
        }
        synchronise(effects, at: now)
        // After `synchronise`, so that the job finds earlier changes in the store.
        for case .job(let job) in effects { onJob?(job) }
        if let command { update(.transport(command), at: now) }
    }

    private func synchronise(_ effects: [Instrument.Effect], at now: Instant) {
        engine.synchronise(with: instrument.state, effects, at: frame)
        store?.keep(instrument.state, at: now)
    }

    // MARK: External sources

    /// Follows the clock in `event`, if it has one. Returns the command of its transport.
    private func follow(_ event: Instrument.Event, at now: Instant) -> TransportCommand? {
        let command: TransportCommand?
        switch event {
        case .midi(let message): command = sync.receive(message, at: now)
        case .edge(let edge): command = sync.receive(edge, at: now)
        case .link(let state): command = sync.receive(state, at: now)
        default: return nil
        }
        if command != nil || event.movesClock { steer(at: now) }
        return command
    }

    /// Follows the player's choice of a source, and the player's Play and Stop.
    private func settleSource(wasPlaying: Bool, at now: Instant) {
        let settings = instrument.state.sync
        sync.clockPerQuarter = settings.clockPerQuarter
        sync.stepsOfBar = instrument.state.session.composition.pattern.metre.stepsOfBar
        if settings.source != sync.source {
            sync.source = settings.source
            if engine.isSteered { engine.release(at: frame) }
        }
        guard settings.source != .internal, instrument.state.isPlaying != wasPlaying else { return }
        if wasPlaying {
            sync.halt()
        } else if instrument.state.transport.begun == nil, let command = sync.begin(at: now) {
            steer(at: now)
            _ = instrument.update(.transport(command), at: now)
        }
    }

    /// Tells the engine where the source is now.
    private func steer(at now: Instant) {
        // Frames are whole, and the place that is heard now lies between two of them.
        if !isRepeating, place == nil { place = audio.place(at: now) }
        guard let place, place >= 0 else { return }
        let frame = place.rounded(.down)
        let time = Double(now.microseconds) - (place - frame) * 1_000_000 / Double(engine.rate)
        guard let steering = sync.steering(at: time) else { return }
        if isExact {
            // A frame that is rendered already would take effect with the block that comes next.
            let distance = Double(self.frame) - frame
            let steps = steering.steps + distance * steering.tempo / (15 * Double(engine.rate))
            engine.steer(steps: steps, bpm: steering.tempo, at: self.frame)
        } else {
            engine.steer(steps: steering.steps, bpm: steering.tempo, at: UInt64(frame))
        }
        lastSteering = now
    }

    /// Tells the engine again where the source is: its sample clock is not the loop's.
    private func steerOn(at now: Instant) {
        if sync.source == .link, now - lastSteering >= Self.steeringInterval { steer(at: now) }
    }

    /// Shows the state of the source's signal, once a frame.
    private func showStatus(at now: Instant) {
        guard sync.source != .internal else { return }
        let status = sync.status(at: now)
        if status != instrument.state.transport.syncStatus { update(.syncStatus(status), at: now) }
    }

    private static let steeringInterval = Instant.Span.milliseconds(50)

    // MARK: Calibration

    /// Begins a calibration, which takes over the panel and the touches. Cancels all touches, and uses the uncalibrated
    /// overlay until the calibration ends.
    private func beginCalibration(at now: Instant) {
        for contact in 0..<Touch.contactsMax {
            _ = instrument.update(.touch(Touch(contact: contact, phase: .cancel, column: 0, row: 0)), at: now)
        }
        for key in Key.allCases where key.isHeld { _ = instrument.update(.keyCancel(key), at: now) }
        calibration = CalibrationScreen(columns: instrument.columns, at: now)
        settledMatrix = touch.matrix
        touch.matrix = OverlaySettings.identity
    }

    private func calibrate(at now: Instant) {
        for finger in fingers { calibration?.handle(finger) }
        guard let targets = calibration, targets.isOver(at: now) else { return }
        calibration = nil
        hasShown = false
        let matrix = try? targets.calibration.matrix()
        touch.matrix = matrix ?? settledMatrix
        if let matrix { onCalibration?(matrix) }
        events.append((now, .notice(matrix == nil ? .notCalibrated : .calibrated)))
    }

    // MARK: The next frame

    /// Time of the next frame after the one at `last`: at once if there was an event since, so that the only delay is
    /// the transmission of the previous frame.
    private func frameDue(after last: Instant) -> Instant {
        isTouched ? last + Self.frameIntervalMin : instrument.nextFrame(after: last)
    }

    private func nextPass(after now: Instant) -> Instant {
        var next = lastFrame.map(frameDue) ?? now
        if let deadline = instrument.nextDeadline { next = min(next, deadline) }
        if let deadline = touch.nextDeadline { next = min(next, deadline) }
        if let step = steps.first { next = min(next, step.time) }
        if let deadline = sync.deadline { next = min(next, deadline) }
        return max(next, now)
    }
}

extension Instrument.Event {
    /// The event for an update that is `late`, as after an overlay's filter or when the sound was rendered late: a
    /// landing is recorded where the finger landed, and a step has begun when it was heard.
    fileprivate func delayed(by late: Instant.Span) -> Self {
        guard late > .milliseconds(0) else { return self }
        let delay = min(late, Touch.delayMax)
        switch self {
        case .touch(var touch) where touch.phase == .down:
            touch.delay = min(touch.delay + delay, Touch.delayMax)
            return .touch(touch)
        case .step(let step, let number, _): return .step(step, number: number, delay: delay)
        case .trackStep(let track, let step, let place, let sounds, _):
            return .trackStep(track, step: step, place: place, sounds: sounds, delay: delay)
        default: return self
        }
    }

    /// Whether it is a signal of a clock.
    fileprivate var movesClock: Bool {
        switch self {
        case .midi(let message): message == .clock
        case .edge, .link: true
        default: false
        }
    }
}

/// Ends a loop's `run`. Thread-safe.
public final class Stopper: Sendable {
    private let flag = Atomic<Bool>(false)
    private let clock: any LoopClock

    /// A stopper that ends a wait on `clock`.
    public init(_ clock: any LoopClock) { self.clock = clock }

    /// Makes `run` return after its current pass.
    public func stop() {
        flag.store(true, ordering: .releasing)
        clock.wake()
    }

    /// Whether `stop` was called.
    public var isStopping: Bool { flag.load(ordering: .acquiring) }
}

extension Engine.Switched {
    /// The event of the instrument when it is audible.
    fileprivate var event: Instrument.Event {
        switch self {
        case .scene(let slot): .sceneBegan(slot)
        case .tune(let tag): .tuneBegan(tag: tag)
        }
    }
}
