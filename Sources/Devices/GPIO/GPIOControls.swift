import InputEvents
import CGPIO
import Glibc
import Instrument
import Input
import Runtime

/// Buttons, rotary encoders and clock jacks on GPIO lines. Edges wake the loop's thread, which reads them from the
/// kernel's queue. A failure is reported and never stops the box: lost lines are requested again every second, and held
/// buttons count as released.
public final class GPIOControls: ControlSource {
    /// One line that says why the buttons, knobs and jacks do not work and what to do; nil while they do.
    public var problem: String? { lines.problem }

    private let wiring: Wiring
    private let loop: InputLoop
    private let calls: GPIOCalls
    private var lines: GPIOLines
    private var isOpen = false
    /// The function of each line, in the order of the lines.
    private let inputs: [Function]
    private var play: Debouncer
    private var shift: Debouncer
    private var power: Debouncer
    private var powerButton = PowerButton()
    private var knobs: [KnobState] = []
    /// Level of the run line.
    private var isRunning = false
    /// Level of the fault line.
    private var isFaulty = false
    private var nextCheck = Instant.zero
    private let edges = UnsafeMutableBufferPointer<gpio_edge>.allocate(capacity: Int(gpio_edges_max))

    /// The function of a line.
    enum Function: Hashable, Sendable {
        case play, shift, power
        case contact(knob: Int, isA: Bool)
        case clock, reset, run
        case fault
    }

    private struct KnobState {
        var knob: Knob
        var a: Bool
        var b: Bool
        var decoder: QuadratureDecoder
        var acceleration = Acceleration()
    }

    /// Volume change of one detent, in per cent.
    private static let volumeStep = 2
    /// Interval at which the levels are read: the kernel drops edges when its queue is full.
    private static let checkInterval = Instant.Span.milliseconds(1000)
    /// Maximum reads in one pass, so that an oscillating line cannot block the loop.
    private static let readingsMax = 16

    /// The controls that `wiring` describes. `clock` is the loop's; edges wake it.
    public convenience init(_ wiring: Wiring, clock: SystemClock) {
        self.init(wiring, InputLoop(clock), .linux)
    }

    init(_ wiring: Wiring, _ loop: InputLoop, _ calls: GPIOCalls) {
        self.wiring = wiring
        self.loop = loop
        self.calls = calls
        let specifications = wiring.specifications
        inputs = specifications.map(\.input)
        lines = GPIOLines(chip: wiring.chip, .inputs, specifications.map(\.specification), calls)
        play = Debouncer(quiet: wiring.debounce)
        shift = play
        power = play
    }

    deinit {
        if let request = lines.request { loop.forget(calls.descriptor(request)) }
        edges.deallocate()
    }

    /// Appends the events since the last call, with the kernel's timestamps.
    public func read(into events: inout [ControlEvent]) {
        let now = loop.clock.now
        guard let request = isOpen ? lines.request : open(at: now) else { return }
        for _ in 0..<Self.readingsMax {
            var count = 0
            switch calls.read(request, edges) {
            case .success(let taken): count = taken
            case .failure(let error) where [EINTR, EAGAIN].contains(error.errno): break
            case .failure(let error): return lose(error, at: now)
            }
            for edge in edges.prefix(count) {
                guard let input = lines.offsets.firstIndex(of: edge.offset) else { continue }
                let time = Instant(microseconds: edge.nanoseconds / 1000)
                handle(inputs[input], edge.is_active, at: time, into: &events)
            }
            if count < edges.count { break }
        }
        if now >= nextCheck { check(request, at: now, into: &events) }
        advance(to: now, into: &events)
    }

    // MARK: Lines

    private func open(at now: Instant) -> Int? {
        guard lines.open(at: now), let request = lines.request else { return nil }
        var levels: [Bool] = []
        for offset in lines.offsets {
            switch calls.value(request, offset) {
            case .success(let isActive): levels.append(isActive)
            case .failure(let error):
                lines.lose(error, at: now)
                return nil
            }
        }
        func level(_ input: Function) -> Bool { inputs.firstIndex(of: input).map { levels[$0] } ?? false }
        play = Debouncer(quiet: wiring.debounce, isPressed: level(.play))
        shift = Debouncer(quiet: wiring.debounce, isPressed: level(.shift))
        power = Debouncer(quiet: wiring.debounce, isPressed: level(.power))
        powerButton = PowerButton()
        knobs = wiring.knobs.enumerated().map { number, knob in
            let (a, b) = (level(.contact(knob: number, isA: true)), level(.contact(knob: number, isA: false)))
            return KnobState(
                knob: knob.knob, a: a, b: b,
                decoder: QuadratureDecoder(transitionsPerDetent: wiring.transitionsPerDetent, a: a, b: b))
        }
        loop.watch(calls.descriptor(request))
        // The levels at the start count.
        nextCheck = now
        isOpen = true
        return request
    }

    private func lose(_ error: SystemError, at now: Instant) {
        if let request = lines.request { loop.forget(calls.descriptor(request)) }
        lines.lose(error, at: now)
        isOpen = false
    }

    /// Reads the lines' levels, in case edges were lost.
    private func check(_ request: Int, at now: Instant, into events: inout [ControlEvent]) {
        nextCheck = now + Self.checkInterval
        for (input, offset) in zip(inputs, lines.offsets) {
            switch calls.value(request, offset) {
            case .success(let isActive):
                // A level does not tell when its pulse began.
                if input != .clock, input != .reset { handle(input, isActive, at: now, into: &events) }
            case .failure(let error): return lose(error, at: now)
            }
        }
    }

    // MARK: Decoding

    private func handle(_ input: Function, _ isActive: Bool, at time: Instant, into events: inout [ControlEvent]) {
        advance(to: time, into: &events)
        switch input {
        case .play: if let change = play.update(isActive, at: time) { press(change, into: &events) }
        case .shift: _ = shift.update(isActive, at: time)
        case .power: if let change = power.update(isActive, at: time) { pressPower(change, into: &events) }
        case .contact(let knob, let isA): turn(knob, isA, isActive, at: time, into: &events)
        case .clock: if isActive { events.append(ControlEvent(time: time, event: .edge(.clock))) }
        case .reset: if isActive { events.append(ControlEvent(time: time, event: .edge(.reset))) }
        case .run:
            guard isActive != isRunning else { break }
            isRunning = isActive
            events.append(ControlEvent(time: time, event: .edge(isActive ? .run : .halt)))
        case .fault:
            guard isActive != isFaulty else { break }
            isFaulty = isActive
            events.append(ControlEvent(time: time, event: .fault(isActive)))
        }
    }

    /// Applies changes that are due by `now`: the end of a bounce, the long hold of the power button.
    private func advance(to now: Instant, into events: inout [ControlEvent]) {
        _ = shift.advance(to: now)
        if let change = play.advance(to: now) { press(change, into: &events) }
        if let change = power.advance(to: now) { pressPower(change, into: &events) }
        if let end = powerButton.hold(at: now) { events.append(ControlEvent(time: end, event: .powerOff)) }
    }

    private func press(_ change: Debouncer.Change, into events: inout [ControlEvent]) {
        let event: Instrument.Event =
            change.isPress ? .key(shift.isPressed ? .undo : .playStop) : .keyUp(.playStop)
        events.append(ControlEvent(time: change.time, event: event))
    }

    private func pressPower(_ change: Debouncer.Change, into events: inout [ControlEvent]) {
        powerButton.update(change)
        if change.isPress { events.append(ControlEvent(time: change.time, event: .power)) }
    }

    private func turn(_ number: Int, _ isA: Bool, _ level: Bool, at time: Instant, into events: inout [ControlEvent]) {
        if isA { knobs[number].a = level } else { knobs[number].b = level }
        let detent = knobs[number].decoder.decode(a: knobs[number].a, b: knobs[number].b)
        guard detent != 0 else { return }
        let count = knobs[number].acceleration.accelerate(detent, at: time)
        let event: Instrument.Event =
            switch knobs[number].knob {
            // There are only seven lengths, so no acceleration.
            case .tempo where shift.isPressed: .turn(.length, by: detent)
            case .volume: .turn(.volume, by: Self.volumeStep * count)
            case let knob: .turn(knob, by: count)
            }
        events.append(ControlEvent(time: time, event: event))
    }
}
