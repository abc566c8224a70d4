import Display

/// Ratings of a panel's supply, fuses and feeds, from the currents of the driver's model (docs/panel.md, Power).
public struct PowerPlan: Hashable, Sendable {
    /// The currents of one injection zone, and the parts of its supply line.
    public struct Zone: Hashable, Sendable {
        /// LED numbers of the zone.
        public var leds: Range<Int>
        /// Current while all LEDs are dark, in amperes.
        public var standbyAmps: Double
        /// Average current of the typical frames, in amperes.
        public var typicalAmps: Double
        /// Current at full white without a limit, in amperes.
        public var whiteAmps: Double
        /// Maximum current, in amperes.
        public var limitAmps: Double
        /// Rating of the blade fuse in amperes; nil if none is large enough: the zone must be divided.
        public var fuseAmps: Double?
        /// Maximum number of LEDs between two feeds.
        public var ledsBetweenFeeds: Int

        /// Number of feeds: one at each end, the others evenly spaced between.
        public var feeds: Int { (leds.count + ledsBetweenFeeds - 1) / ledsBetweenFeeds + 1 }
    }

    /// The zones, in order of their LEDs.
    public let zones: [Zone]

    /// Minimum rating of the LEDs' supply, in amperes.
    public var supplyAmps: Double { zones.reduce(0) { $0 + $1.limitAmps } / Self.supplyLoad }

    /// Limits of the zones, in amperes, that a supply of this rating carries, less `board` amperes that the board takes from
    /// it: shared by their numbers of LEDs, in whole tenths. 0 if nothing is left.
    public func limits(supply amps: Double, board: Double = 0) -> [Double] {
        let leds = zones.reduce(0) { $0 + $1.leds.count }
        let shared = max(0, amps * Self.supplyLoad - board)
        return zones.map { (shared * Double($0.leds.count) / Double(max(1, leds)) * 10).rounded(.down) / 10 }
    }

    /// Maximum current of a Raspberry Pi, in amperes: three quarters of its fuse (hardware/power.md).
    public static let boardAmps = 3.75
    /// Supply voltage of every chip.
    public static let supplyVolts = 5.0
    /// Share of its rating at which a supply is used: it stays cool and has a reserve for the board's peaks.
    public static let supplyLoad = 0.8
    /// Share of its rating that a fuse carries permanently: three quarters at 25 °C, by the manufacturers.
    public static let fuseLoad = 0.75
    /// Maximum voltage drop in the strip between two feeds, both rails together: a twentieth of the supply, so that
    /// white in the middle does not turn yellow.
    public static let dropVoltsMax = 0.25
    /// The ratings of blade fuses (ISO 8820-3), in amperes.
    public static let fuses = [1, 2, 3, 4, 5, 7.5, 10, 15, 20, 25, 30, 35, 40]

    /// The plan for `configuration`. `typical` are frames of its size; `milliohms`, above 0, is the strip's resistance
    /// from one LED to the next, both rails together. Throws `PanelError` as `PanelDriver` does.
    public init(_ configuration: PanelConfiguration, typical: [Frame], milliohms: Double) throws(PanelError) {
        precondition(milliohms > 0)
        var limited = try PanelDriver(configuration)
        var sums = [Double](repeating: 0, count: configuration.zones.count)
        for frame in typical {
            limited.drive(frame)
            for (zone, amps) in limited.zoneAmps.enumerated() { sums[zone] += amps }
        }
        var unlimitedConfiguration = configuration
        for zone in configuration.zones.indices { unlimitedConfiguration.zones[zone].amps = 1e6 }
        var unlimited = try PanelDriver(unlimitedConfiguration)
        var white = Frame(columns: configuration.columns, rows: PanelConfiguration.rows)
        white.fill(.white)
        unlimited.drive(white)

        var zones: [Zone] = []
        for (index, zone) in configuration.zones.enumerated() {
            let standby = Double(zone.count) * configuration.standbyMilliamps / 1000
            let whiteAmps = unlimited.zoneAmps[index]
            zones.append(
                Zone(
                    leds: zone.from..<zone.from + zone.count, standbyAmps: standby,
                    typicalAmps: typical.isEmpty ? standby : sums[index] / Double(typical.count), whiteAmps: whiteAmps,
                    limitAmps: zone.amps, fuseAmps: Self.fuses.first { $0 * Self.fuseLoad >= zone.amps },
                    ledsBetweenFeeds: Self.ledsBetweenFeeds(
                        amps: whiteAmps / Double(zone.count), ohms: milliohms / 1000, most: zone.count)))
        }
        self.zones = zones
    }

    /// Maximum number of LEDs of `amps` each between two feeds, if the resistance from one to the next is `ohms`. The
    /// zone's limit does not help here: a few white LEDs in a dark zone are not dimmed.
    ///
    /// Half of the n LEDs are fed from each end. The current decreases linearly to zero in the middle, where the drop
    /// is amps · ohms · n² / 8.
    private static func ledsBetweenFeeds(amps: Double, ohms: Double, most: Int) -> Int {
        guard amps > 0 else { return most }
        let leds = (8 * dropVoltsMax / (amps * ohms)).squareRoot()
        return max(1, Int(min(leds, Double(most))))
    }
}
