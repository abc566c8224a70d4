import InputEvents

/// The order in which LEDs with a switched supply get power, data and light. LEDs light at random when their supply rises, and
/// current into the data input of an LED without supply can damage it: so the supply rises first, then the panel sends a dark
/// frame, then the level shifter passes the data on.
public struct SupplySequence: Sendable {
    /// Time from the switching on of the supply to the data: converters and load switches rise in 5 to 10 ms.
    public static let rise = Instant.Span.milliseconds(20)

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

        /// Whether the supply is on.
        public var hasSupply: Bool { self != .off }
    }

    private var phase = Phase.off
    private var since = Instant.zero
    private var darkFrames = 0

    /// Nothing is on.
    public init() {}

    /// The phase at `now`. `hasFrame`: every chain has taken a message; `darkFrames`: number of dark frames sent in all that were
    /// asked for; `isGood`: the supply reports no fault.
    public mutating func advance(
        at now: Instant, _ lines: Lines, hasFrame: Bool, darkFrames: Int, isGood: Bool
    ) -> Phase {
        guard lines != .missing else {
            phase = .off
            return .lit
        }
        switch phase {
        case .off where hasFrame:
            since = now
            phase = .rising
        case .rising where isGood && (lines == .none || now - since >= Self.rise):
            self.darkFrames = darkFrames
            phase = .darkening
        case .darkening where darkFrames > self.darkFrames: phase = .lit
        case .off, .rising, .darkening, .lit: break
        }
        return phase
    }
}
