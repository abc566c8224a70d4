/// Limit of the LEDs' current that follows their temperature and the fault line of their supply. Heat grows with the
/// current, so a panel that is too hot or draws too much settles at a current that it can bear.
public struct LightLimit: Sendable {
    /// Smallest share of each zone's colour current: a dim panel can still be played.
    public static let leastShare = 0.1

    private let heat: PanelConfiguration.Heat
    /// The share that the fault line allows, 0-1.
    private var share = 1.0
    /// The newest temperature in degrees Celsius; nil without a reading.
    private var celsius: Int?
    /// Whether there is a sensor that does not answer.
    private var isBlind = false
    /// Begin of the present fault, in microseconds; nil without one.
    private var faultSince: Int64?
    /// Time up to which `share` is computed, in microseconds.
    private var settled: Int64 = 0
    /// The next reduction by the present fault, in microseconds.
    private var nextReduction: Int64 = 0

    /// Shortest fault that limits the light, in microseconds: a supply reports one while it rises.
    private static let faultMin: Int64 = 100_000
    /// Time between two reductions by half, in microseconds: heat needs time to leave the panel.
    private static let reductionInterval: Int64 = 1_000_000
    /// Time in which the share rises from none to full after a fault, in microseconds.
    private static let recovery: Double = 60_000_000
    /// Share while the sensor does not answer.
    private static let blindShare = 0.5

    /// The limit of a panel with `heat`.
    public init(_ heat: PanelConfiguration.Heat = .init()) { self.heat = heat }

    /// Updates the limit by a reading of the sensor in degrees Celsius; nil if it did not answer.
    public mutating func update(celsius: Int?) {
        isBlind = celsius == nil
        self.celsius = celsius
    }

    /// Updates the limit by a change of the fault line at `now`, in microseconds.
    public mutating func update(isFault: Bool, at now: Int64) {
        guard isFault != (faultSince != nil) else { return }
        advance(to: now)
        faultSince = isFault ? now : nil
        nextReduction = now + Self.faultMin
    }

    /// Whether the fault line is active.
    public var isFaulty: Bool { faultSince != nil }

    /// Share of each zone's colour current that is allowed at `now`, in microseconds; from `leastShare` to 1.
    public mutating func share(at now: Int64) -> Double {
        advance(to: now)
        return min(share, heatShare)
    }

    /// Why the light is limited and what to do, in one line; nil while it is not.
    public var problem: String? {
        if faultSince != nil, share < 1 {
            return "the LEDs' supply reports a fault: the light is limited; check its fuses and wires, and let it cool"
        }
        if isBlind { return "the panel's heat sensor does not answer: the light is limited; check its wires" }
        guard heatShare < 1 else { return nil }
        return "the panel is hot: the light is limited until it is below \(heat.dimFrom) °C; let air to it"
    }

    private mutating func advance(to now: Int64) {
        if faultSince != nil {
            while nextReduction <= now, share > Self.leastShare {
                share = max(Self.leastShare, share / 2)
                nextReduction += Self.reductionInterval
            }
            nextReduction = max(nextReduction, now)
        } else if share < 1 {
            share = min(1, share + Double(now - settled) / Self.recovery)
        }
        settled = now
    }

    /// The share that the temperature allows.
    private var heatShare: Double {
        guard let celsius else { return isBlind ? Self.blindShare : 1 }
        let excess = Double(celsius - heat.dimFrom) / Double(heat.dimTo - heat.dimFrom)
        return 1 - (1 - Self.leastShare) * max(0, min(excess, 1))
    }
}
