import InputEvents

/// The order in which LEDs with a switched supply get power, data and light. LEDs light at random when their supply
/// rises, and current into the data input of an LED without supply can damage it: so the supply rises first, then the
/// panel sends a dark frame, then the level shifter passes the data on. A supply that does not rise, or loses its
/// voltage, is switched off with the data, and tried again.
public struct SupplySequence: Sendable {
    /// Time from the switching on of the supply to the data: converters and load switches rise in 5 to 15 ms.
    public static let rise = Instant.Span.milliseconds(20)
    /// Maximum time with a fault from the switching on of the supply to the data.
    public static let riseMax = Instant.Span.milliseconds(1000)
    /// Maximum time of a fault while the LEDs are lit: the limited light needs four seconds to reach a tenth.
    public static let faultMax = Instant.Span.milliseconds(10_000)
    /// Time in which a fault of the voltage ends after the supply was switched off.
    public static let fall = Instant.Span.milliseconds(1000)
    /// Time between switching a faulty supply off and on again: a fuse that resets itself has to cool.
    public static let retry = Instant.Span.milliseconds(10_000)

    /// The GPIO lines of the supply and the level shifter.
    public enum Lines: Hashable, Sendable {
        /// The supply is not switched.
        case none
        /// They cannot be used; their resistors keep supply and data off.
        case missing
        /// They can be switched.
        case ready
    }

    /// What is on.
    public enum Phase: Hashable, Sendable {
        /// Nothing: the panel is held dark.
        case off
        /// The supply; the panel is held dark.
        case rising
        /// The supply; the panel, still held, sends a dark frame.
        case darkening
        /// Supply, data and light.
        case lit
        /// Nothing, after a fault: the panel is held dark.
        case failed

        /// Whether the supply is on.
        public var hasSupply: Bool { self != .off && self != .failed }
    }

    private var phase = Phase.off
    /// Time of the first pass after the supply was switched; nil before it. The line is set after a pass, perhaps late.
    private var since: Instant?
    private var darkFrames = 0
    /// Begin of the present fault; nil without one.
    private var faultSince: Instant?
    /// Whether the present fault does not depend on the supply: then it is heat, and the LEDs have their voltage.
    private var isHot = false
    /// Whether the supply was switched off by its fault, and the LEDs were not lit since.
    private var hasFailed = false

    /// Nothing is on.
    public init() {}

    /// Why the LEDs stay dark and what to do, in one line; nil while they can be lit.
    public var problem: String? {
        hasFailed
            ? "the LEDs' supply does not hold its voltage: the LEDs stay dark; check its fuses and wires; it is tried again every "
                + "\(Self.retry.microseconds / 1_000_000) s" : nil
    }

    /// The phase at `now`. `hasFrame`: every chain has taken a message; `darkFrames`: number of dark frames sent in all
    /// that were asked for; `isGood`: the supply reports no fault.
    public mutating func advance(
        at now: Instant, _ lines: Lines, hasFrame: Bool, darkFrames: Int, isGood: Bool
    ) -> Phase {
        guard lines != .missing else {
            self = Self()
            return .lit
        }
        // A supply that is not switched is no reason to hold the panel: its fault limits the light.
        let isGood = isGood || lines == .none
        if isGood {
            faultSince = nil
            isHot = false
        }
        let fault = isGood ? .zero : faultSince ?? now
        if !isGood { faultSince = fault }
        let hasVoltage = isGood || isHot
        let since = self.since ?? now
        self.since = since
        switch phase {
        case .off where hasFrame:
            isHot = !isGood
            begin(.rising)
        case .rising where hasVoltage && (lines == .none || now - since >= Self.rise):
            self.darkFrames = darkFrames
            phase = .darkening
        case .rising where now - since >= Self.riseMax: begin(.failed)
        case .darkening where !hasVoltage: phase = .rising
        case .darkening where darkFrames > self.darkFrames:
            hasFailed = false
            phase = .lit
        case .lit where !hasVoltage && now - fault >= Self.faultMax: begin(.failed)
        case .failed where isGood:
            hasFailed = true
            if now - since >= Self.retry { begin(.rising) }
        case .failed where now - since >= Self.fall:
            isHot = true
            hasFailed = false
            begin(.rising)
        case .off, .rising, .darkening, .lit, .failed: break
        }
        return phase
    }

    private mutating func begin(_ phase: Phase) {
        self.phase = phase
        since = nil
    }
}
