import Display

/// From a frame to the bytes for each chain: geometry, light, power and wire format. Its buffers are made once; driving a
/// frame allocates nothing.
public struct PanelDriver: Sendable {
    /// How the panel is built.
    public let configuration: PanelConfiguration
    /// Which LED stands where.
    public let geometry: Geometry
    /// The message for each chain, as the last `drive` left it; a dark panel before that.
    public private(set) var messages: [[UInt8]]
    /// What the last frame draws from each injection zone, in amperes, standby included.
    public private(set) var zoneAmps: [Double]

    /// How much of the current that a zone may spend on colour it is allowed now, 0-1: a caller ramps it from 0 to 1 for a
    /// soft start. A frame that wants less than that is not dimmed.
    public var powerLimit = 1.0

    /// The part of the configured brightness that LEDs are driven at, 0-1: what a player sets, on top of what the maker
    /// has configured.
    public var dimming = 1.0

    /// The frames a second that reach the LEDs, as measured; 0 while nobody knows. From `ditherRate` on, and where the
    /// configuration allows it, fractions of a step are shown by dithering in time.
    public var framesPerSecond = 0.0

    /// The frames a second from which on dithering is used. The least fraction lights an LED in one of eight frames:
    /// at less than 100 frames a second that is a flicker that one sees.
    public static let ditherRate = 100.0

    private let light: Light
    private let formats: [any WireFormat]
    private let budgets: [Budget]
    /// The light wanted of each LED, by its number.
    private var lights: [LinearLight]
    /// Counts frames, for the dithering.
    private var phase = 0

    /// What one zone may draw.
    private struct Budget: Sendable {
        var leds: Range<Int>
        var limitMilliamps: Double
        var standbyMilliamps: Double
    }

    /// A driver for `configuration`. Throws `PanelError` for tiles that do not fit, two chains on one device, a clock that the chips cannot follow,
    /// LEDs outside every zone, zones that overlap, and a zone whose dark LEDs alone reach its limit.
    public init(_ configuration: PanelConfiguration) throws(PanelError) {
        self.configuration = configuration
        geometry = try Geometry(configuration)
        light = Light(configuration)
        formats = try Self.formats(configuration)
        budgets = try Self.budgets(configuration, leds: geometry.pixels.count)
        zoneAmps = budgets.map { $0.standbyMilliamps / 1000 }
        lights = Array(repeating: .dark, count: geometry.pixels.count)
        messages = []
        for (index, chain) in geometry.chains.enumerated() {
            messages.append(formats[index].darkMessage(leds: chain.count, hertz: configuration.chains[index].hertz))
        }
    }

    private static func formats(_ configuration: PanelConfiguration) throws(PanelError) -> [any WireFormat] {
        let chip = configuration.chip
        var formats: [any WireFormat] = []
        for (index, chain) in configuration.chains.enumerated() {
            if let other = configuration.chains[..<index].firstIndex(where: { $0.device == chain.device }) {
                throw PanelError(
                    place: "chains[\(index)].device",
                    problem: "is \(chain.device), which chain \(other) has; a device is one data line")
            }
            guard let form = chip.form(hertz: chain.hertz) else {
                let ranges = chip.wires.map { "\($0.hertz.lowerBound) to \($0.hertz.upperBound)" }
                throw PanelError(
                    place: "chains[\(index)].hertz",
                    problem: "is \(chain.hertz), but \(chip.rawValue) wants \(ranges.joined(separator: " or ")) Hz")
            }
            formats.append(form.format)
        }
        return formats
    }

    private static func budgets(_ configuration: PanelConfiguration, leds: Int) throws(PanelError) -> [Budget] {
        var budgets: [Budget] = []
        var next = 0
        for (index, zone) in configuration.zones.enumerated() {
            let standby = Double(zone.count) * configuration.standbyMilliamps
            guard zone.from == next, zone.from + zone.count <= leds else {
                throw PanelError(
                    place: "zones[\(index)]",
                    problem:
                        "is LEDs \(zone.from) to \(zone.from + zone.count - 1); zones follow one another from \(next), "
                        + "and the last LED is \(leds - 1)")
            }
            guard zone.amps * 1000 > standby else {
                throw PanelError(
                    place: "zones[\(index)].amps",
                    problem: "is \(zone.amps), but its \(zone.count) dark LEDs alone draw \(standby / 1000); allow more"
                )
            }
            budgets.append(
                Budget(
                    leds: zone.from..<zone.from + zone.count, limitMilliamps: zone.amps * 1000,
                    standbyMilliamps: standby))
            next = zone.from + zone.count
        }
        guard next == leds else {
            throw PanelError(place: "zones", problem: "leave out LEDs \(next) to \(leds - 1); every LED needs a zone")
        }
        return budgets
    }

    /// What the last frame draws in all, in amperes.
    public var amps: Double { zoneAmps.reduce(0, +) }

    /// Makes `messages` show `frame`. No zone ever draws more than its limit: where it would, all its LEDs are dimmed by
    /// the same factor, (limit − standby) / colour current.
    public mutating func drive(_ frame: Frame) {
        precondition(frame.columns == configuration.columns && frame.rows == PanelConfiguration.rows)
        phase = (phase + 1) % EncodingPass.thresholdCount
        let isDithering = configuration.dither && framesPerSecond >= Self.ditherRate
        let allowed = max(0, min(powerLimit, 1))
        for (zone, budget) in budgets.enumerated() {
            // The last few bits are left for the rounding of the sums.
            let room = (budget.limitMilliamps - budget.standbyMilliamps) * allowed * (1 - 1e-12)
            let sums = lights.withUnsafeMutableBufferPointer {
                light.map(
                    frame.pixels, geometry.pixels[budget.leds],
                    to: UnsafeMutableBufferPointer(rebasing: $0[budget.leds]))
            }
            let wanted = milliamps(sums, per: LinearLight.full)
            let drawn = send(budget.leds, wanting: wanted, within: room, isDithering: isDithering)
            zoneAmps[zone] = (budget.standbyMilliamps + drawn) / 1000
        }
    }

    /// Writes the words of `leds`, which want `wanted` milliamperes for their colours, so that they draw no more than
    /// `room`. Returns what they draw.
    ///
    /// The factor room / wanted is exact, but a channel is sent in whole steps, and the steps of all may add up to a
    /// little more. Then the factor is taken back by as much; and if that is still too much, as it can be where most LEDs
    /// have the same value, every channel is rounded down, which can only be less than what is allowed.
    private mutating func send(
        _ leds: Range<Int>, wanting wanted: Double, within room: Double, isDithering: Bool
    ) -> Double {
        let dimming = max(0, min(dimming, 1))
        let factor = wanted * dimming > room ? room / wanted : dimming
        let thresholds = isDithering ? EncodingPass.dithered : EncodingPass.nearest
        var drawn = encode(leds, dim: factor, thresholds)
        guard drawn > room else { return drawn }
        drawn = encode(leds, dim: factor * room / drawn * Self.shave, thresholds)
        guard drawn > room else { return drawn }
        return encode(leds, dim: factor, EncodingPass.down)
    }

    /// What the factor is taken back by beyond the excess, so that the second try succeeds where steps are fine.
    private static let shave = 1 - 1.0 / 1024

    private func milliamps(_ sums: LightSums, per full: Int) -> Double {
        let each = configuration.milliamps
        let colours = Double(sums.red) * each.red + Double(sums.green) * each.green + Double(sums.blue) * each.blue
        return (colours + Double(sums.white) * configuration.whiteMilliamps) / Double(full)
    }

    /// Writes the words of `leds` dimmed by `dim`, 0-1. Returns the colour current that they draw, in milliamperes.
    private mutating func encode(_ leds: Range<Int>, dim: Double, _ thresholds: [UInt64]) -> Double {
        let factor = UInt64(dim * Double(EncodingPass.undimmed))
        var drawn = 0.0
        for (index, chain) in geometry.chains.enumerated() where leds.overlaps(chain) {
            let numbers = leds.clamped(to: chain)
            let format = formats[index]
            let phase = phase
            let sums = lights.withUnsafeBufferPointer { lights in
                messages[index].withUnsafeMutableBufferPointer { message in
                    thresholds.withUnsafeBufferPointer { thresholds in
                        guard let first = thresholds.baseAddress else { return LightSums() }
                        return format.encode(
                            UnsafeBufferPointer(rebasing: lights[numbers]), into: message,
                            from: numbers.lowerBound - chain.lowerBound,
                            as: EncodingPass(dim: factor, thresholds: first, phase: phase))
                    }
                }
            }
            drawn += milliamps(sums, per: configuration.chip.lightSteps)
        }
        return drawn
    }
}
