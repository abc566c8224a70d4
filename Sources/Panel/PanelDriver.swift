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

    private let light: Light
    private let budgets: [Budget]

    /// What one zone may draw.
    private struct Budget: Sendable {
        var leds: Range<Int>
        var limitMilliamps: Double
        var standbyMilliamps: Double
    }

    /// A driver for `configuration`. Throws `PanelError` for tiles that do not fit, LEDs outside every zone, zones that
    /// overlap, and a zone whose dark LEDs alone reach its limit.
    public init(_ configuration: PanelConfiguration) throws(PanelError) {
        self.configuration = configuration
        geometry = try Geometry(configuration)
        light = Light(configuration)
        budgets = try Self.budgets(configuration, leds: geometry.pixels.count)
        zoneAmps = budgets.map { $0.standbyMilliamps / 1000 }
        messages = geometry.chains.map { chain in
            var message = [UInt8](repeating: 0, count: ClockedLED.messageSize(chain.count))
            for number in 0..<chain.count { message[ClockedLED.headerSize + 4 * number] = 0xe0 }
            return message
        }
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
        for (zone, budget) in budgets.enumerated() {
            let room = budget.limitMilliamps - budget.standbyMilliamps
            var drawn = encode(budget.leds, of: frame, dim: Self.undimmed, rounding: Self.nearest)
            if drawn > room {
                // The factor is rounded down, and so is every channel: what is drawn can only be less than what is allowed.
                let dim = UInt64(room / wanted(budget.leds, of: frame) * Double(Self.undimmed))
                drawn = encode(budget.leds, of: frame, dim: min(dim, Self.undimmed), rounding: Self.down)
            }
            zoneAmps[zone] = (budget.standbyMilliamps + drawn) / 1000
        }
    }

    /// The dimming factor of 1.
    private static let undimmed: UInt64 = 1 << 16
    /// What is added before a channel's 32 bits of fraction are dropped.
    private static let nearest: UInt64 = 1 << 31
    private static let down: UInt64 = 0

    /// The colour current that `leds` of `frame` would draw undimmed and unrounded, in milliamperes.
    private func wanted(_ leds: Range<Int>, of frame: Frame) -> Double {
        var sums = (red: UInt64(0), green: UInt64(0), blue: UInt64(0))
        for number in leds {
            let colour = frame.pixels[geometry.pixels[number]]
            sums.red += UInt64(light.red[Int(colour.red)])
            sums.green += UInt64(light.green[Int(colour.green)])
            sums.blue += UInt64(light.blue[Int(colour.blue)])
        }
        return milliamps(sums, per: Light.full)
    }

    private func milliamps(_ sums: (red: UInt64, green: UInt64, blue: UInt64), per full: Int) -> Double {
        let each = configuration.milliamps
        return (Double(sums.red) * each.red + Double(sums.green) * each.green + Double(sums.blue) * each.blue)
            / Double(full)
    }

    /// For each 5-bit brightness, 7905 / (brightness · 65535) in 1/2³², rounded down.
    private let scale: [UInt64] = (0...31).map {
        $0 == 0 ? 0 : UInt64(ClockedLED.lightMax) << 32 / (UInt64($0) * UInt64(Light.full))
    }

    /// Writes the words of `leds`, dimmed by `dim`/65536, each channel rounded after `rounding`/2³² is added. Returns the
    /// colour current that they draw, in milliamperes.
    @inline(__always)
    private mutating func encode(_ leds: Range<Int>, of frame: Frame, dim: UInt64, rounding: UInt64) -> Double {
        var (sumRed, sumGreen, sumBlue) = (UInt64(0), UInt64(0), UInt64(0))
        // Named here once, so that the loop need not look them up again after each byte that it writes.
        let (pixels, order, scales) = (frame.pixels, geometry.pixels, scale)
        let (reds, greens, blues) = (light.red, light.green, light.blue)
        // Every value is below 2⁴⁶: the unchecked arithmetic cannot overflow.
        for (index, chain) in geometry.chains.enumerated() where leds.overlaps(chain) {
            let numbers = leds.clamped(to: chain)
            let start = ClockedLED.headerSize - 4 * chain.lowerBound
            messages[index].withUnsafeMutableBufferPointer { message in
                for number in numbers {
                    let colour = pixels[order[number]]
                    let red = (UInt64(reds[Int(colour.red)]) &* dim) >> 16
                    let green = (UInt64(greens[Int(colour.green)]) &* dim) >> 16
                    let blue = (UInt64(blues[Int(colour.blue)]) &* dim) >> 16
                    // The least brightness that the strongest channel fits: it leaves the finest steps to all three.
                    let brightness = (max(max(red, green), blue) &* 31 &+ UInt64(Light.full - 1)) / UInt64(Light.full)
                    let scale = scales[Int(brightness)]
                    let sentRed = (red &* scale &+ rounding) >> 32
                    let sentGreen = (green &* scale &+ rounding) >> 32
                    let sentBlue = (blue &* scale &+ rounding) >> 32
                    sumRed &+= sentRed &* brightness
                    sumGreen &+= sentGreen &* brightness
                    sumBlue &+= sentBlue &* brightness
                    let at = start + 4 * number
                    message[at] = 0xe0 | UInt8(truncatingIfNeeded: brightness)
                    message[at + 1] = UInt8(truncatingIfNeeded: sentBlue)
                    message[at + 2] = UInt8(truncatingIfNeeded: sentGreen)
                    message[at + 3] = UInt8(truncatingIfNeeded: sentRed)
                }
            }
        }
        return milliamps((sumRed, sumGreen, sumBlue), per: ClockedLED.lightMax)
    }
}
