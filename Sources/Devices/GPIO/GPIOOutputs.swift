import CGPIO
import Glibc
import Instrument
import Runtime

/// What the box itself switches: the LEDs' supply, their level shifter, and the status LED. What fails is said and never
/// stops the box: lines that are gone are asked for once a second.
public final class GPIOOutputs {
    /// What is wired to which line.
    public struct Wiring: Hashable, Sendable {
        /// The chip's label, name or path; nil for a Raspberry Pi's header.
        public var chip: String?
        /// Switches the LEDs' supply on.
        public var ledEnable: Output?
        /// Lets the level shifter drive the LEDs' data lines.
        public var outputEnable: Output?
        /// Shines while the box runs, and blinks while something is wrong.
        public var statusLED: Output?

        /// Nothing wired.
        public init() {}
    }

    /// An output.
    public struct Output: Hashable, Sendable {
        /// Its line.
        public var line: GPIOLine
        /// It is low where it does what it is for.
        public var isActiveLow: Bool

        /// An output on `line`.
        public init(_ line: GPIOLine, isActiveLow: Bool = false) {
            self.line = line
            self.isActiveLow = isActiveLow
        }
    }

    /// Why nothing is switched, with what to do, in one line; nil while all is well.
    public var problem: String? { lines.problem }

    private let calls: GPIOCalls
    private var lines: GPIOLines
    private let roles: [Role]
    /// What is to be, and what each line was last told; empty while the lines are not had.
    private var wanted: [Role: Bool] = [:]
    private var told: [Bool] = []

    private enum Role: Hashable, Sendable {
        // In the order in which they are switched on; off they go the other way, so that no data goes into LEDs without a
        // supply.
        case ledEnable, outputEnable, statusLED
    }

    /// Half a period of the status LED's blinking.
    private static let blink = Instant.Span.milliseconds(250)

    /// What `wiring` says, all of it inactive.
    public convenience init(_ wiring: Wiring) { self.init(wiring, calls: .linux) }

    init(_ wiring: Wiring, calls: GPIOCalls) {
        self.calls = calls
        let outputs: [(role: Role, name: String, output: Output?)] = [
            (.ledEnable, "ledEnable", wiring.ledEnable), (.outputEnable, "outputEnable", wiring.outputEnable),
            (.statusLED, "statusLed", wiring.statusLED),
        ]
        let wired = outputs.compactMap { role, name, output in
            output.map { (role, GPIOWish(role: name, line: $0.line, isActiveLow: $0.isActiveLow)) }
        }
        roles = wired.map(\.0)
        lines = GPIOLines(chip: wiring.chip, .outputs, wired.map(\.1), calls)
    }

    /// Switches the LEDs' supply and level shifter on, or off, as soon as their lines are had.
    public func switchLEDs(on isOn: Bool, at now: Instant) {
        wanted[.ledEnable] = isOn
        wanted[.outputEnable] = isOn
        apply(at: now)
    }

    /// Lets the status LED say how the box fares at `now`. To be called in every pass.
    public func showStatus(hasFault: Bool, at now: Instant) {
        wanted[.statusLED] = !hasFault || (now.microseconds / Self.blink.microseconds).isMultiple(of: 2)
        apply(at: now)
    }

    /// Switches everything off and lets the lines go.
    public func stop(at now: Instant) {
        wanted = [:]
        apply(at: now)
        calls.switchOffAtDeath(0, [])
        lines.close()
        told = []
    }

    private func apply(at now: Instant) {
        guard lines.open(at: now), let request = lines.request else { return }
        if told.isEmpty {
            told = roles.map { _ in false }
            calls.switchOffAtDeath(request, lines.offsets.reversed())
        }
        for index in roles.indices where wanted[roles[index]] == true && !told[index] {
            guard set(index, true, request, at: now) else { return }
        }
        for index in roles.indices.reversed() where wanted[roles[index]] != true && told[index] {
            guard set(index, false, request, at: now) else { return }
        }
    }

    private func set(_ index: Int, _ value: Bool, _ request: Int, at now: Instant) -> Bool {
        switch calls.setValue(request, lines.offsets[index], value) {
        case .success:
            told[index] = value
            return true
        case .failure(let error):
            calls.switchOffAtDeath(0, [])
            told = []
            lines.lose(error, at: now)
            return false
        }
    }
}
