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
            var load = encode(budget.leds, of: frame, dim: 1 << 16, rounding: 1 << 31)
            var drawn = milliamps(load.drawn, per: ClockedLED.lightMax)
            if drawn > room {
                // The factor is rounded down, and so is every channel: what is drawn can only be less than what is allowed.
                let wanted = milliamps(load.wanted, per: Light.full)
                let dim = UInt64(room / wanted * 65_536)
                load = encode(budget.leds, of: frame, dim: min(dim, 1 << 16), rounding: 0)
                drawn = milliamps(load.drawn, per: ClockedLED.lightMax)
            }
            zoneAmps[zone] = (budget.standbyMilliamps + drawn) / 1000
        }
    }

    /// Sums over some LEDs, by channel.
    private struct Load {
        /// Light wanted, in 1/65535 of an LED's.
        var wanted = (red: UInt64(0), green: UInt64(0), blue: UInt64(0))
        /// Light sent, in 1/7905 of an LED's.
        var drawn = (red: UInt64(0), green: UInt64(0), blue: UInt64(0))
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

    /// Writes the words of `leds`, dimmed by `dim`/65536, each channel rounded after `rounding`/2³² is added.
    private mutating func encode(_ leds: Range<Int>, of frame: Frame, dim: UInt64, rounding: UInt64) -> Load {
        var load = Load()
        // Every value is below 2⁴⁶: the unchecked arithmetic cannot overflow.
        for (index, chain) in geometry.chains.enumerated() where leds.overlaps(chain) {
            let numbers = leds.clamped(to: chain)
            let start = ClockedLED.headerSize - 4 * chain.lowerBound
            messages[index].withUnsafeMutableBufferPointer { message in
                for number in numbers {
                    let colour = frame.pixels[geometry.pixels[number]]
                    let wantedRed = UInt64(light.red[Int(colour.red)])
                    let wantedGreen = UInt64(light.green[Int(colour.green)])
                    let wantedBlue = UInt64(light.blue[Int(colour.blue)])
                    load.wanted.red &+= wantedRed
                    load.wanted.green &+= wantedGreen
                    load.wanted.blue &+= wantedBlue
                    let red = (wantedRed &* dim) >> 16
                    let green = (wantedGreen &* dim) >> 16
                    let blue = (wantedBlue &* dim) >> 16
                    // The least brightness that the strongest channel fits: it leaves the finest steps to all three.
                    let brightness = (max(red, green, blue) &* 31 &+ UInt64(Light.full - 1)) / UInt64(Light.full)
                    let scale = scale[Int(brightness)]
                    let sentRed = (red &* scale &+ rounding) >> 32
                    let sentGreen = (green &* scale &+ rounding) >> 32
                    let sentBlue = (blue &* scale &+ rounding) >> 32
                    load.drawn.red &+= sentRed &* brightness
                    load.drawn.green &+= sentGreen &* brightness
                    load.drawn.blue &+= sentBlue &* brightness
                    let at = start + 4 * number
                    message[at] = 0xe0 | UInt8(truncatingIfNeeded: brightness)
                    message[at + 1] = UInt8(truncatingIfNeeded: sentBlue)
                    message[at + 2] = UInt8(truncatingIfNeeded: sentGreen)
                    message[at + 3] = UInt8(truncatingIfNeeded: sentRed)
                }
            }
        }
        return load
    }
}
