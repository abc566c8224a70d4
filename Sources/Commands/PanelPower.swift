import Box
import InputEvents
import Display
import Documents
import Instrument
import Panel

/// `panel power`: the current of the LEDs, and the supply they need.
enum PanelPower {
    /// Resistance in milliohms from one LED to the next, both rails, of a narrow strip: rails 1.5 mm wide of 35 µm
    /// copper (17.2 nΩm), at 144 LEDs a metre.
    static let milliohms = 4.6

    private static func plan(_ configuration: PanelConfiguration, milliohms: Double) throws -> PowerPlan {
        do throws(PanelError) {
            return try PowerPlan(configuration, typical: playing(columns: configuration.columns), milliohms: milliohms)
        } catch {
            throw CommandError(.badConfiguration, "panel.\(error.place): \(error.problem)")
        }
    }

    /// The plan as an object: currents in amperes, resistance in milliohms. `supply` is the rating of a supply that is
    /// there.
    static func json(_ configuration: PanelConfiguration, milliohms: Double, supply: Double?) throws -> JSON {
        let plan = try plan(configuration, milliohms: milliohms)
        func rounded(_ value: Double) -> JSON { .number(decimal(value, places: 3)) }
        let zones = plan.zones.map { zone in
            JSON.object([
                "firstLED": .integer(zone.leds.lowerBound), "leds": .integer(zone.leds.count),
                "standbyAmps": rounded(zone.standbyAmps), "typicalAmps": rounded(zone.typicalAmps),
                "whiteAmps": rounded(zone.whiteAmps), "limitAmps": rounded(zone.limitAmps),
                "fuseAmps": zone.fuseAmps.map { rounded($0) } ?? .null, "feeds": .integer(zone.feeds),
                "ledsBetweenFeeds": .integer(zone.ledsBetweenFeeds),
            ])
        }
        var object: [String: JSON] = [
            "zones": .array(zones), "milliohms": rounded(milliohms), "supplyVolts": rounded(PowerPlan.supplyVolts),
            "supplyAmps": rounded(plan.supplyAmps),
        ]
        if let supply {
            object["zoneAmps"] = .array(plan.limits(supply: supply).map(rounded))
            object["zoneAmpsWithBoard"] = .array(plan.limits(supply: supply, board: PowerPlan.boardAmps).map(rounded))
        }
        return .object(object)
    }

    /// The plan as a table with totals, the feeds and the supply; and what the zones may draw from a `supply` of that rating.
    static func table(_ configuration: PanelConfiguration, milliohms: Double, supply: Double?) throws -> String {
        let plan = try plan(configuration, milliohms: milliohms)
        var lines = [row(["zone", "LEDs", "standby", "typical", "white", "limit", "fuse", "feeds"])]
        for (index, zone) in plan.zones.enumerated() {
            lines.append(
                row([
                    "\(index)", "\(zone.leds.lowerBound)-\(zone.leds.upperBound - 1)", amps(zone.standbyAmps),
                    amps(zone.typicalAmps), amps(zone.whiteAmps), amps(zone.limitAmps),
                    zone.fuseAmps.map { "\(decimal($0, places: 1)) A" } ?? "divide", "\(zone.feeds)",
                ]))
        }
        func sum(_ amps: KeyPath<PowerPlan.Zone, Double>) -> String {
            Self.amps(plan.zones.reduce(0) { $0 + $1[keyPath: amps] })
        }
        lines.append(
            row([
                "all", "\(plan.zones.reduce(0) { $0 + $1.leds.count })", sum(\.standbyAmps), sum(\.typicalAmps),
                sum(\.whiteAmps), sum(\.limitAmps), "", "\(plan.zones.reduce(0) { $0 + $1.feeds })",
            ]))
        let between = plan.zones.map(\.ledsBetweenFeeds).min() ?? 0
        let watts = Int((plan.supplyAmps * PowerPlan.supplyVolts).rounded(.up))
        lines.append("")
        lines.append(
            "Feeds: at most \(between) LEDs apart, with \(decimal(milliohms, places: 1)) mΩ between LEDs.")
        lines.append(
            "Supply: \(decimal(PowerPlan.supplyVolts, places: 0)) V, at least \(decimal(plan.supplyAmps, places: 1)) A "
                + "(\(watts) W) for the LEDs; add the board's own supply.")
        if let supply {
            func limits(_ board: Double) -> String {
                plan.limits(supply: supply, board: board).map { "\(decimal($0, places: 1)) A" }.joined(separator: ", ")
            }
            lines.append(
                "A supply of \(decimal(supply, places: 1)) A: panel.zones[].amps of \(limits(0)); if it feeds the board too, "
                    + "\(limits(PowerPlan.boardAmps)).")
        }
        return lines.joined(separator: "\n")
    }

    /// The panel at each step of the typical pattern while it plays, after the word PLAY has gone.
    private static func playing(columns: Int) -> [Frame] {
        var instrument = Instrument(columns: columns)
        instrument.load(BenchPattern.typical.document)
        _ = instrument.update(.key(.playStop), at: .zero)
        return (0..<Pattern.window).map { step in
            let now = Instant(milliseconds: Int64(2000 + 125 * step))
            _ = instrument.update(.step(step, number: step), at: now)
            var frame = Frame(columns: columns, rows: Instrument.rows)
            instrument.draw(into: &frame, at: now)
            return frame
        }
    }

    private static func amps(_ value: Double) -> String { "\(decimal(value, places: 2)) A" }

    /// `value`, 0 or more, in decimal.
    private static func decimal(_ value: Double, places: Int) -> String {
        let unit = (0..<places).reduce(1.0) { unit, _ in unit * 10 }
        return String(Int((value * unit).rounded()), places: places)
    }

    private static func row(_ cells: [String]) -> String {
        let text = cells.map { $0.padded(10) }.joined()
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
