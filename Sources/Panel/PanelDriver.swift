import Display

/// Converts frames to the SPI messages of each chain: geometry, light, power limit and wire format. Buffers are
/// allocated once; driving a frame allocates nothing.
public struct PanelDriver: Sendable {
    /// The panel's configuration.
    public let configuration: PanelConfiguration
    /// Position of every LED.
    public let geometry: Geometry
    /// The message of each chain after the last `drive`; a dark panel before the first.
    public private(set) var messages: [[UInt8]]
    /// Current of the last frame in each injection zone, in amperes, standby included.
    public private(set) var zoneAmps: [Double]

    /// Share of each zone's colour current that is allowed now, 0-1. The caller ramps it from 0 to 1 for a soft start.
    /// A frame below the limit is not dimmed.
    public var powerLimit = 1.0

    /// Share of each zone's colour current that heat and faults leave, 0-1; a frame below it is not dimmed.
    public var lightLimit = 1.0

    /// Brightness set by the player, 0-1, as a factor on the configured brightness.
    public var dimming = 1.0

    /// Measured frame rate at the LEDs, in frames per second; 0 while unknown. From `ditherRate` on, fractions of a
    /// step are shown by temporal dithering if the configuration allows it.
    public var framesPerSecond = 0.0

    /// Minimum frame rate for dithering, in frames per second. The smallest fraction lights an LED in one of eight
    /// frames: below 100 frames per second that flickers visibly.
    public static let ditherRate = 100.0

    private let light: Light
    private let formats: [any WireFormat]
    private let channels: ChannelMap
    private let budgets: [Budget]
    /// Target light of each LED, by LED number, in the format's channels.
    private var lights: [LinearLight]
    /// Share of each zone's light that the power limit left in the last frame, 0-1.
    private var shares: [Double]
    /// Time of the last frame with one, in microseconds.
    private var lastTime: Int64?
    private var flashGuard: FlashGuard?
    /// Frame counter for dithering.
    private var phase = 0

    /// Power budget of one zone.
    private struct Budget: Sendable {
        var leds: Range<Int>
        var limitMilliamps: Double
        var standbyMilliamps: Double
    }

    /// A driver for `configuration`. Throws `PanelError` for tiles that do not fit, two chains on one device, an SPI
    /// clock outside the chip's range, LEDs outside every zone, overlapping zones, and a zone whose dark LEDs alone
    /// reach its limit.
    public init(_ configuration: PanelConfiguration) throws(PanelError) {
        self.configuration = configuration
        geometry = try Geometry(configuration)
        light = Light(configuration)
        formats = try Self.formats(configuration)
        let datasheet = configuration.chip.order
        channels = ChannelMap(configuration.order ?? datasheet, datasheet: datasheet)
        budgets = try Self.budgets(configuration, leds: geometry.pixels.count)
        zoneAmps = budgets.map { $0.standbyMilliamps / 1000 }
        shares = budgets.map { _ in 1 }
        flashGuard =
            configuration.flashGuard
            ? FlashGuard(columns: configuration.columns, rows: PanelConfiguration.rows) : nil
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
                    problem: "is \(chain.device), which chain \(other) uses; each chain needs its own device")
            }
            guard let form = chip.form(hertz: chain.hertz) else {
                let ranges = chip.wires.map { "\($0.hertz.lowerBound) to \($0.hertz.upperBound)" }
                throw PanelError(
                    place: "chains[\(index)].hertz",
                    problem: "is \(chain.hertz), but \(chip.rawValue) needs \(ranges.joined(separator: " or ")) Hz")
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

    /// Total current of the last frame, in amperes.
    public var amps: Double { zoneAmps.reduce(0, +) }

    /// Encodes `frame` into `messages`. No zone ever exceeds its limit: if it would, all its LEDs are dimmed by the
    /// same factor, (limit − standby) / colour current.
    public mutating func drive(_ frame: Frame) {
        precondition(frame.columns == configuration.columns && frame.rows == PanelConfiguration.rows)
        drive(frame.pixels, recovery: 1)
    }

    /// Does the same for a frame that is shown at `now`, in microseconds: the flash guard acts on it, if the
    /// configuration has it. What the power limit has dimmed becomes bright again slowly, so that flashes of a few LEDs
    /// do not make others flash.
    public mutating func drive(_ frame: Frame, at now: Int64) {
        precondition(frame.columns == configuration.columns && frame.rows == PanelConfiguration.rows)
        flashGuard?.limit(frame.pixels, at: now)
        let seconds = Double(max(0, now - (lastTime ?? now))) / 1_000_000
        lastTime = now
        // A soft start raises the limit itself.
        let isSteady = flashGuard != nil && powerLimit >= 1
        drive(flashGuard?.shown ?? frame.pixels, recovery: isSteady ? seconds * Self.recoveryPerSecond : 1)
    }

    /// The last picture without its flashes, row by row; nil without the guard.
    public var guarded: [RGB]? { flashGuard?.shown }

    /// Writes `pixels`, row by row, to `dimmed` as far as the last frame was dimmed: by the player, the limits and the
    /// soft start.
    public func dim(_ pixels: [RGB], into dimmed: inout [RGB]) {
        let full = max(0, min(dimming, 1))
        for (budget, share) in zip(budgets, shares) {
            // A share of the light; the values are not linear.
            let factor = Float(power(full * share, 1 / configuration.gamma))
            for pixel in geometry.pixels[budget.leds] {
                dimmed[pixel] = RGB.black.blended(towards: pixels[pixel], factor)
            }
        }
    }

    /// Whether the flash guard shows less than the last frame: `drive` the frame again until it does not.
    public var isHolding: Bool { flashGuard?.isHolding ?? false }

    /// Maximum rise of a zone's share of its light within a second: three changes of a tenth.
    private static let recoveryPerSecond = 0.3

    private mutating func drive(_ pixels: [RGB], recovery: Double) {
        phase = (phase + 1) % EncodingPass.thresholdCount
        let isDithering = configuration.dither && framesPerSecond >= Self.ditherRate
        let allowed = max(0, min(powerLimit, 1)) * max(0, min(lightLimit, 1))
        for (zone, budget) in budgets.enumerated() {
            // Leaves a margin of a few bits for rounding errors of the sums.
            let room = (budget.limitMilliamps - budget.standbyMilliamps) * allowed * (1 - 1e-12)
            let sums = lights.withUnsafeMutableBufferPointer {
                let lights = UnsafeMutableBufferPointer(rebasing: $0[budget.leds])
                let sums = light.map(pixels, geometry.pixels[budget.leds], to: lights)
                if !channels.isPlain {
                    for index in lights.indices { lights[index] = channels.channels(of: lights[index]) }
                }
                return sums
            }
            let needed = milliamps(sums, per: LinearLight.full)
            let full = max(0, min(dimming, 1))
            let share = needed * full > room ? room / (needed * full) : 1
            shares[zone] = min(share, shares[zone] + recovery)
            let drawn = send(
                budget.leds, by: full * shares[zone], within: room, isDithering: isDithering)
            zoneAmps[zone] = (budget.standbyMilliamps + drawn) / 1000
        }
    }

    /// Encodes `leds`, dimmed by `factor`, so that they draw at most `room`. Returns their current.
    ///
    /// The factor is exact, but channels are sent in whole steps, and the sum of the rounded steps may be slightly too
    /// large. Then the factor is reduced by the excess. If the sum is still too large, as it can be when most LEDs have
    /// the same value, every channel is rounded down, which never exceeds the limit.
    private mutating func send(
        _ leds: Range<Int>, by factor: Double, within room: Double, isDithering: Bool
    ) -> Double {
        let thresholds = isDithering ? EncodingPass.dithered : EncodingPass.nearest
        var drawn = encode(leds, dim: factor, thresholds)
        guard drawn > room else { return drawn }
        drawn = encode(leds, dim: factor * room / drawn * Self.shave, thresholds)
        guard drawn > room else { return drawn }
        return encode(leds, dim: factor, EncodingPass.down)
    }

    /// Additional reduction of the factor, so that the second attempt succeeds where steps are fine.
    private static let shave = 1 - 1.0 / 1024

    private func milliamps(_ sums: LightSums, per full: Int) -> Double {
        let each = configuration.milliamps
        let colours = Double(sums.red) * each.red + Double(sums.green) * each.green + Double(sums.blue) * each.blue
        return (colours + Double(sums.white) * configuration.whiteMilliamps) / Double(full)
    }

    /// Encodes `leds` dimmed by `dim`, 0-1. Returns their colour current in milliamperes.
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
            drawn += milliamps(channels.colours(of: sums), per: configuration.chip.lightSteps)
        }
        return drawn
    }
}
