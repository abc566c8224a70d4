import InputEvents
import CGPIO
import Glibc
import Instrument
import Runtime

/// GPIO outputs of the box: the LEDs' supply, their level shifter and the status LED. A failure is reported and never
/// stops the box: lost lines are requested again every second.
public final class GPIOOutputs {
    /// The line of each output.
    public struct Wiring: Hashable, Sendable {
        /// The chip's label, name or path; nil means a Raspberry Pi's header.
        public var chip: String?
        /// Switches the LEDs' supply on.
        public var ledEnable: Output?
        /// Enables the level shifter of the LEDs' data lines.
        public var outputEnable: Output?
        /// Status LED: on while the box runs, blinking during a fault.
        public var statusLED: Output?

        /// Nothing wired.
        public init() {}
    }

    /// An output.
    public struct Output: Hashable, Sendable {
        /// The output's line.
        public var line: GPIOLine
        /// Whether a low level activates the output.
        public var isActiveLow: Bool

        /// An output on `line`.
        public init(_ line: GPIOLine, isActiveLow: Bool = false) {
            self.line = line
            self.isActiveLow = isActiveLow
        }
    }

    /// One line that says why the outputs do not work and what to do; nil while they do.
    public var problem: String? { lines.problem }

    private let calls: GPIOCalls
    private var lines: GPIOLines
    private let roles: [Role]
    /// The wanted values.
    private var wanted: [Role: Bool] = [:]
    /// The values set last, in the order of `roles`; empty while the request is not granted.
    private var current: [Bool] = []

    private enum Role: Hashable, Sendable {
        // In switch-on order; switch-off is the reverse, so that LEDs without a supply get no data.
        case ledEnable, outputEnable, statusLED
    }

    /// Half a period of the blinking status LED.
    private static let blink = Instant.Span.milliseconds(250)

    /// The outputs of `wiring`, all inactive.
    public convenience init(_ wiring: Wiring) { self.init(wiring, calls: .linux) }

    init(_ wiring: Wiring, calls: GPIOCalls) {
        self.calls = calls
        let outputs: [(role: Role, name: String, output: Output?)] = [
            (.ledEnable, "ledEnable", wiring.ledEnable), (.outputEnable, "outputEnable", wiring.outputEnable),
            (.statusLED, "statusLed", wiring.statusLED),
        ]
        let wired = outputs.compactMap { role, name, output in
            output.map { (role, GPIOLineSpecification(role: name, line: $0.line, isActiveLow: $0.isActiveLow)) }
        }
        roles = wired.map(\.0)
        lines = GPIOLines(chip: wiring.chip, .outputs, wired.map(\.1), calls)
    }

    /// Requests the lines if a request is due.
    public func request(at now: Instant) { apply(at: now) }

    /// The lines of the LEDs' supply and level shifter, after `request`.
    public var ledLines: SupplySequence.Lines {
        guard roles.contains(where: { $0 != .statusLED }) else { return .none }
        return lines.request == nil ? .missing : .ready
    }

    /// Switches the LEDs' supply and level shifter as `phase` has it.
    public func follow(_ phase: SupplySequence.Phase, at now: Instant) {
        wanted[.ledEnable] = phase.hasSupply
        wanted[.outputEnable] = phase == .lit
        apply(at: now)
    }

    /// Updates the status LED. Call it in every pass of the loop.
    public func showStatus(hasFault: Bool, at now: Instant) {
        wanted[.statusLED] = !hasFault || (now.microseconds / Self.blink.microseconds).isMultiple(of: 2)
        apply(at: now)
    }

    /// Switches everything off and releases the lines.
    public func stop(at now: Instant) {
        wanted = [:]
        apply(at: now)
        calls.switchOffAtDeath(0, [])
        lines.close()
        current = []
    }

    private func apply(at now: Instant) {
        guard lines.open(at: now), let request = lines.request else { return }
        if current.isEmpty {
            current = roles.map { _ in false }
            calls.switchOffAtDeath(request, lines.offsets.reversed())
        }
        for index in roles.indices where wanted[roles[index]] == true && !current[index] {
            guard set(index, true, request, at: now) else { return }
        }
        for index in roles.indices.reversed() where wanted[roles[index]] != true && current[index] {
            guard set(index, false, request, at: now) else { return }
        }
    }

    private func set(_ index: Int, _ value: Bool, _ request: Int, at now: Instant) -> Bool {
        switch calls.setValue(request, lines.offsets[index], value) {
        case .success:
            current[index] = value
            return true
        case .failure(let error):
            calls.switchOffAtDeath(0, [])
            current = []
            lines.lose(error, at: now)
            return false
        }
    }
}
