import Display

/// What a panel's supply, fuses and feeds have to be, by the current that the driver reckons with (docs/panel.md, Power).
public struct PowerPlan: Hashable, Sendable {
    /// What one injection zone draws, and what its line needs.
    public struct Zone: Hashable, Sendable {
        /// Its LEDs, by number.
        public var leds: Range<Int>
        /// What it draws while all is dark, in amperes.
        public var standbyAmps: Double
        /// What it draws on average while the frames are shown that were called typical.
        public var typicalAmps: Double
        /// What it would draw at full white if nothing limited it.
        public var whiteAmps: Double
        /// The most that it ever draws.
        public var limitAmps: Double
        /// The rating of its blade fuse; nil if none is made for so much: the zone has to be divided.
        public var fuseAmps: Double?
        /// LEDs from one feed to the next, at most.
        public var ledsBetweenFeeds: Int

        /// The feeds that it needs: one at each end, the others evenly between.
        public var feeds: Int { (leds.count + ledsBetweenFeeds - 1) / ledsBetweenFeeds + 1 }
    }

    /// The zones, in order of their LEDs.
    public let zones: [Zone]

    /// What the LEDs' supply has to be rated for, in amperes.
    public var supplyAmps: Double { zones.reduce(0) { $0 + $1.limitAmps } / Self.supplyLoad }

    /// Volts of the supply: every chip's.
    public static let supplyVolts = 5.0
    /// The part of its rating that a supply is used at: it stays cool and has room for the board's peaks.
    public static let supplyLoad = 0.8
    /// The part of its rating that a fuse carries for ever: its makers say three quarters at 25 °C.
    public static let fuseLoad = 0.75
    /// Volts that may be lost in the strip between two feeds, both rails together: a twentieth of the supply, so that the
    /// white of the middle does not turn yellow.
    public static let dropVoltsMax = 0.25
    /// The ratings of blade fuses (ISO 8820-3), in amperes.
    public static let fuses = [1, 2, 3, 4, 5, 7.5, 10, 15, 20, 25, 30, 35, 40]

    /// The plan for `configuration`, whose strip has `milliohms` (more than 0) from one LED to the next, both rails
    /// together; `typical` are frames of its size. Throws `PanelError` as `PanelDriver` does.
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

    /// How many LEDs of `amps` each stand between two feeds at most, if one is `ohms` from the next. The limit of the zone does
    /// not help here: a few white LEDs in a dark zone are not dimmed.
    ///
    /// Half of the n LEDs are fed from each end. The current falls evenly to nothing in the middle, where
    /// amps · ohms · n² / 8 are lost.
    private static func ledsBetweenFeeds(amps: Double, ohms: Double, most: Int) -> Int {
        guard amps > 0 else { return most }
        let leds = (8 * dropVoltsMax / (amps * ohms)).squareRoot()
        return max(1, Int(min(leds, Double(most))))
    }
}
