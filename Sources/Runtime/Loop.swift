import Display
import Instrument
import Overlay
import Panel
import Synchronization

/// The one loop: takes in what happened, lets the instrument decide, and hands on sound and light. It owns the instrument
/// and the time; everything else it was handed.
public final class Loop {
    /// The box.
    public private(set) var instrument: Instrument
    /// Told each note that the sequencer starts, with the engine's frame on which it does.
    public var onNote: ((UInt64, Effect.Note, _ step: Int) -> Void)?
    /// Asked to do something that takes its time: not to be done here.
    public var onErrand: ((Errand) -> Void)?
    /// Told how the overlay lies on the panel, when a player has found it out; fingers are taken so already.
    public var onCalibration: (([Double]) -> Void)?
    /// Ends `run`, from any thread.
    public let stopper: Stopper
    /// Whether `run` ended because the box is to be switched off.
    public private(set) var isSwitchedOff = false
    /// Called once a pass, after everything that has happened by `now` has been taken in.
    public var onPass: ((_ now: Instant) -> Void)?

    private let engine: Engine
    private let audio: any AudioOutput
    private let panel: any FrameOutput
    private let clock: any Clock
    private let store: (any Store)?
    private var touch: TouchInput
    /// The targets that have the panel and the fingers to themselves while they are tapped.
    private var calibration: CalibrationScreen?
    /// How the overlays lay before that.
    private var settledMatrix: [Double]?
    private let controls: [any ControlSource]

    /// Events of one pass, and the buffers that they come through; kept so that a pass allocates nothing.
    private var events: [(time: Instant, event: Event)] = []
    private var fingers: [FingerReport] = []
    private var controlEvents: [ControlEvent] = []
    /// Steps, beats and scenes that have been rendered and are not heard yet, oldest first.
    private var steps: [(time: Instant, event: Event)] = []

    private var lastUpdate = Instant.zero
    private var frame: Frame
    private var shown: Frame
    private var hasShown = false
    private var lastFrame: Instant?
    private var isTouched = false
    private var brightness = Session.brightnesses.upperBound

    /// The least time between frames. Overlays report up to a thousand times a second; no panel shows more.
    private static let frameIntervalMin = Instant.Span.milliseconds(1)
    /// The most events that are kept room for; more of them in one pass would cost an allocation, not be lost.
    private static let eventsMax = 1024

    /// A loop that plays `instrument` through these parts.
    public init(
        instrument: Instrument, engine: Engine, audio: any AudioOutput, panel: any FrameOutput, clock: any Clock,
        touch: [any TouchSource] = [], controls: [any ControlSource] = [],
        store: (any Store)? = nil
    ) {
        self.instrument = instrument
        self.engine = engine
        self.audio = audio
        self.panel = panel
        self.clock = clock
        stopper = Stopper(clock)
        self.store = store
        self.controls = controls
        self.touch = TouchInput(touch, columns: instrument.columns, rows: Instrument.rows)
        frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        shown = frame
        events.reserveCapacity(Self.eventsMax)
        fingers.reserveCapacity(Self.eventsMax)
        controlEvents.reserveCapacity(Self.eventsMax)
        steps.reserveCapacity(64)
    }

    /// Runs until `end`, or until `stopper` ends it. What happens at `end` exactly is taken in.
    public func run(until end: Instant? = nil) {
        synchronise([], at: clock.now)
        while !stopper.isStopping {
            let now = clock.now
            pass(at: now)
            if let end, now >= end { break }
            let next = nextPass(after: now)
            clock.wait(until: end.map { min($0, next) } ?? next)
        }
    }

    /// The frame as the panel shows it at `now`, drawn afresh.
    public func picture(at now: Instant) -> Frame {
        var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        draw(into: &frame, at: now)
        return frame
    }

    private func draw(into frame: inout Frame, at now: Instant) {
        if let calibration { calibration.draw(into: &frame, at: now) } else { instrument.draw(into: &frame, at: now) }
    }

    // MARK: A pass

    private func pass(at now: Instant) {
        audio.advance(to: now)
        gather(by: now)
        for (time, event) in events { update(event, at: min(max(time, lastUpdate), now)) }
        isTouched = isTouched || !events.isEmpty
        events.removeAll(keepingCapacity: true)
        update(.tick, at: now)
        onPass?(now)
        panel.beat()
        if let lastFrame, now < frameDue(after: lastFrame) { return }
        draw(into: &frame, at: now)
        lastFrame = now
        isTouched = false
        if instrument.state.brightness != brightness {
            brightness = instrument.state.brightness
            panel.dim(to: Double(brightness) / 100)
            hasShown = false
        }
        if hasShown && frame == shown { return }
        panel.show(frame, at: now)
        shown.copy(frame)
        hasShown = true
    }

    /// Collects everything that has happened by `now`, in order of time.
    private func gather(by now: Instant) {
        engine.takeReports { frame, report in
            switch report {
            case .step(let step): steps.append((audio.time(of: frame), .step(step)))
            case .count(let beats): steps.append((audio.time(of: frame), .count(beats)))
            case .scene(let slot): steps.append((audio.time(of: frame), .sceneBegan(slot)))
            case .note(let note, let step): onNote?(frame, note, step)
            }
        }
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
        for done in controlEvents { events.append((done.time, done.event)) }
        sortEvents()
    }

    /// Insertion sort: stable, in place, and the events are few and nearly in order.
    private func sortEvents() {
        for end in events.indices.dropFirst() {
            var index = end
            while index > 0, events[index].time < events[index - 1].time {
                events.swapAt(index, index - 1)
                index -= 1
            }
        }
    }

    private func update(_ event: Event, at now: Instant) {
        if case .sceneBegan = event, !engine.hearSwitch() { return }
        let effects = instrument.update(event, at: now)
        lastUpdate = now
        for effect in effects {
            switch effect {
            case .powerOff:
                isSwitchedOff = true
                stopper.stop()
            case .calibrate: beginCalibration(at: now)
            case .errand, .fade, .audition: continue
            }
        }
        if !instrument.state.isPlaying { steps.removeAll(keepingCapacity: true) }
        synchronise(effects, at: now)
        // Whoever runs them finds kept what was done before.
        for case .errand(let errand) in effects { onErrand?(errand) }
    }

    private func synchronise(_ effects: [Effect], at now: Instant) {
        engine.synchronise(with: instrument.state, effects, at: audio.frame(at: now))
        store?.keep(instrument.state, at: now)
    }

    // MARK: Calibration

    /// Hands the panel and the fingers to targets. What fingers do elsewhere is taken back, and they are where they are on the
    /// overlay until it is over.
    private func beginCalibration(at now: Instant) {
        for contact in 0..<Touch.contactsMax {
            _ = instrument.update(.touch(Touch(contact: contact, phase: .cancel, column: 0, row: 0)), at: now)
        }
        calibration = CalibrationScreen(columns: instrument.columns, at: now)
        settledMatrix = touch.matrix
        touch.matrix = OverlaySettings.identity
    }

    private func calibrate(at now: Instant) {
        for finger in fingers { calibration?.take(finger) }
        guard let targets = calibration, targets.isOver(at: now) else { return }
        calibration = nil
        hasShown = false
        let matrix = try? targets.calibration.matrix()
        touch.matrix = matrix ?? settledMatrix
        if let matrix { onCalibration?(matrix) }
        events.append((now, .notice(matrix == nil ? .notCalibrated : .calibrated)))
    }

    // MARK: What is next

    /// When a frame is due, the last one having been drawn at `last`: at once if something has happened since, so that nothing
    /// waits for a frame but the frame for the wires.
    private func frameDue(after last: Instant) -> Instant {
        isTouched ? last + Self.frameIntervalMin : instrument.nextFrame(after: last)
    }

    private func nextPass(after now: Instant) -> Instant {
        var next = lastFrame.map(frameDue) ?? now
        if let deadline = instrument.nextDeadline { next = min(next, deadline) }
        if let deadline = touch.nextDeadline { next = min(next, deadline) }
        if let step = steps.first { next = min(next, step.time) }
        // The engine's reports wake nobody: while it plays they are looked for once a frame.
        return max(next, now)
    }
}

/// Ends a loop's `run`, from any thread.
public final class Stopper: Sendable {
    private let flag = Atomic<Bool>(false)
    private let clock: any Clock

    /// A stopper that ends a wait on `clock`.
    public init(_ clock: any Clock) { self.clock = clock }

    /// Makes `run` return after the pass that it is in.
    public func stop() {
        flag.store(true, ordering: .releasing)
        clock.wake()
    }

    /// Whether it has been told to stop.
    public var isStopping: Bool { flag.load(ordering: .acquiring) }
}
