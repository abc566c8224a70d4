import Display
import Testing
import TestSupport

@testable import Panel

@Suite("Power")
struct PowerTests {
    /// A panel of a random chip with up to 150 LEDs, random currents, and zones with limits from just above the standby
    /// to more than the maximum.
    private func panel(using random: inout SplitMix) -> PanelConfiguration {
        let count = Int.random(in: 1...150, using: &random)
        var configuration = PanelConfiguration.strip(
            LEDChip.allCases.randomElement(using: &random) ?? .sk9822, count: min(44, count))
        configuration.chains[0].tiles[0].missing = Set((count..<1056).map { .init(column: $0 % 44, row: $0 / 44) })
        configuration.dither = true
        configuration.brightness = [1, 0.6, .random(in: 0...1, using: &random)].randomElement(using: &random) ?? 1
        configuration.gamma = .random(in: 1...3, using: &random)
        configuration.whiteBalance = .init(
            red: .random(in: 0.3...1, using: &random), green: 1, blue: .random(in: 0...1, using: &random))
        configuration.milliamps = .init(
            red: .random(in: 0...60, using: &random), green: .random(in: 5...30, using: &random),
            blue: .random(in: 5...30, using: &random))
        configuration.whiteMilliamps = .random(in: 5...40, using: &random)
        configuration.standbyMilliamps = .random(in: 0...2, using: &random)
        let cut = Int.random(in: 0..<count, using: &random)
        configuration.zones = [0..<cut, cut..<count].filter { !$0.isEmpty }.map { leds in
            let standby = Double(leds.count) * configuration.standbyMilliamps
            let most = Double(leds.count) * 100
            let room = most * [1e-6, 0.001, 0.01, 0.1, 1][Int.random(in: 0..<5, using: &random)]
            return .init(
                amps: (standby + .random(in: 1e-9...room, using: &random)) / 1000, from: leds.lowerBound,
                count: leds.count)
        }
        return configuration
    }

    /// Frames that are hard to limit, and random ones.
    private func picture(_ kind: Int, hot: PanelConfiguration.Zone, using random: inout SplitMix) -> Frame {
        let one = RGB.random(using: &random)
        let other = RGB.random(using: &random)
        switch kind {
        case 0: return frame { _, _ in .white }
        case 1: return frame { _, _ in [RGB(0xff0000), RGB(0x00ff00), RGB(0x0000ff)][Int(one.red) % 3] }
        case 2: return frame { column, row in (column + row) % 2 == 0 ? .white : .black }
        case 3: return frame { column, row in (column + row) % 2 == 0 ? one : other }
        case 4:
            return frame { column, row in (hot.from..<hot.from + hot.count).contains(44 * row + column) ? .white : one }
        case 5: return frame { _, _ in one }
        case 6:
            let dark = UInt32.random(in: 0...40, using: &random)
            return frame { _, _ in RGB(0x010101 &* dark) }
        default: return frame { _, _ in .random(using: &random) }
        }
    }

    /// A zone's current computed from the bytes on the wire, in milliamperes.
    private func milliamps(_ lights: ArraySlice<LEDLight>, _ configuration: PanelConfiguration) -> Double {
        let each = configuration.milliamps
        let steps = lights.reduce(0.0) {
            $0 + Double($1.red) * each.red + Double($1.green) * each.green + Double($1.blue) * each.blue
                + Double($1.white) * configuration.whiteMilliamps
        }
        return steps / Double(configuration.chip.lightSteps)
            + Double(lights.count) * configuration.standbyMilliamps
    }

    @Test(
        "none of 12,800 frames exceeds its limit by the bytes on the wire, and the reported current matches",
        arguments: 0..<8)
    func cap(part: UInt64) throws {
        for seed in part * 100..<(part + 1) * 100 {
            var random = SplitMix(seed: seed)
            let configuration = panel(using: &random)
            var driver = try PanelDriver(configuration)
            driver.framesPerSecond = Bool.random(using: &random) ? 120 : 60
            for number in 0..<16 {
                if number == 8 { driver.powerLimit = .random(in: 0...1, using: &random) }
                if number == 12 { driver.dimming = .random(in: 0...1, using: &random) }
                let hot = configuration.zones[number % configuration.zones.count]
                driver.drive(picture(number % 8, hot: hot, using: &random))
                let lights = try driver.shown()
                for (zone, amps) in zip(configuration.zones, driver.zoneAmps) {
                    let drawn = milliamps(lights[zone.from..<zone.from + zone.count], configuration)
                    let standby = Double(zone.count) * configuration.standbyMilliamps
                    let limit = standby + (zone.amps * 1000 - standby) * driver.powerLimit
                    let isRight = drawn <= limit * (1 + 1e-12) && abs(drawn / 1000 - amps) < 1e-9 && amps <= zone.amps
                    #expect(isRight, "seed \(seed), frame \(number): \(drawn) of \(limit) mA, said to be \(amps) A")
                    guard isRight else { return }
                }
            }
        }
    }

    @Test("a frame within the limit is not dimmed, and one above it uses the whole limit", arguments: LEDChip.allCases)
    func capIsTight(chip: LEDChip) throws {
        var configuration = PanelConfiguration(chip: chip)
        configuration.zones[0].amps = 5
        var driver = try PanelDriver(configuration)
        // Many different values: their rounding errors cancel out.
        let picture = frame { RGB(red: UInt8($0 * 5), green: UInt8(255 - $1 * 10), blue: UInt8(($0 + $1) * 3)) }
        driver.drive(picture)
        #expect((4.97...5).contains(driver.amps))
        let dimmed = driver.messages
        configuration.zones[0].amps = 100
        driver = try PanelDriver(configuration)
        driver.drive(picture)
        #expect(driver.amps > 7)
        let isBrighter = driver.messages != dimmed
        #expect(isBrighter)
        // All white is the worst case: every channel is rounded the same way.
        configuration.zones[0].amps = 5
        driver = try PanelDriver(configuration)
        driver.drive(frame { _, _ in .white })
        #expect((4.85...5).contains(driver.amps))
        configuration.zones[0].amps = 100
        driver = try PanelDriver(configuration)
        driver.drive(frame { _, _ in .white })
        let each = chip.hasWhite ? 18.0 : 54
        #expect(abs(driver.amps - (1.056 + 1.056 * each * 0.6)) < 0.2)
    }

    @Test(
        "a dimmed frame draws that part of its current, and dimming more never draws more", arguments: LEDChip.allCases)
    func dimming(chip: LEDChip) throws {
        var configuration = PanelConfiguration(chip: chip)
        configuration.zones[0].amps = 100
        configuration.standbyMilliamps = 0
        var driver = try PanelDriver(configuration)
        let picture = frame { RGB(red: UInt8($0 * 5), green: UInt8(255 - $1 * 10), blue: UInt8(($0 + $1) * 3)) }
        driver.drive(picture)
        let (full, messages) = (driver.amps, driver.messages)
        var last = full
        for part in [0.75, 0.5, 0.25, 0.05, 0] {
            driver.dimming = part
            driver.drive(picture)
            #expect(abs(driver.amps - full * part) < full * 0.02 && driver.amps < last)
            last = driver.amps
        }
        driver.dimming = 1
        driver.drive(picture)
        let isAsBefore = driver.messages == messages
        #expect(isAsBefore)
    }

    @Test("a soft start dims from dark to the limit, and only frames that would exceed it")
    func softStart() throws {
        var driver = try PanelDriver(PanelConfiguration())
        var amps: [Double] = []
        for step in 0...10 {
            driver.powerLimit = Double(step) / 10
            driver.drive(frame { _, _ in .white })
            amps.append(driver.amps)
            let allowed = 1.056 + (8 - 1.056) * driver.powerLimit
            #expect(driver.amps <= allowed && driver.amps > allowed - 0.12)
        }
        #expect(amps[0] == 1.056 && amps == amps.sorted())
        driver.powerLimit = 0
        #expect(try driver.shown().contains { $0 != .dark })
        driver.drive(frame { _, _ in .white })
        #expect(try driver.shown().allSatisfy { $0 == .dark })
        // A value out of range counts as the nearest end.
        driver.powerLimit = -1
        driver.drive(frame { _, _ in .white })
        #expect(driver.amps == 1.056)
        driver.powerLimit = 7
        driver.drive(frame { _, _ in .white })
        #expect(driver.amps <= 8)
        let dark = frame { _, _ in RGB(0x202020) }
        driver.drive(dark)
        let full = driver.messages
        driver.powerLimit = 0.5
        driver.drive(dark)
        let isUndimmed = driver.messages == full
        #expect(isUndimmed)
    }

    @Test(
        "a zone at or below its standby, a gap and an overlap are rejected",
        arguments: [
            ([(1.056, 0, 1056)], "zones[0].amps"), ([(8, 0, 1000)], "zones"),
            ([(8, 0, 528), (8, 500, 556)], "zones[1]"),
            ([(8, 0, 2000)], "zones[0]"), ([(8, 4, 1052)], "zones[0]"),
        ] as [([(Double, Int, Int)], String)])
    func refusals(zones: [(Double, Int, Int)], place: String) {
        var configuration = PanelConfiguration()
        configuration.zones = zones.map { .init(amps: $0.0, from: $0.1, count: $0.2) }
        #expect { try PanelDriver(configuration) } throws: { ($0 as? PanelError)?.place == place }
    }
}
