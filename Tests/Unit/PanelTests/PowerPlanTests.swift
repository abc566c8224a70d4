import Display
import Panel
import Testing
import TestSupport

@Suite("The power plan")
struct PowerPlanTests {
    private static let full = Frame.filled(.white)

    @Test("the reference panel at full brightness needs its LEDs' current, 55 mA each")
    func reference() throws {
        var configuration = PanelConfiguration()
        configuration.brightness = 1
        configuration.zones = [.init(amps: 5, from: 0, count: 528), .init(amps: 5, from: 528, count: 528)]
        let plan = try PowerPlan(configuration, typical: [Self.full, Frame.filled(.black)], milliohms: 4)
        let first = try #require(plan.zones.first)
        #expect(plan.zones.map(\.leds) == [0..<528, 528..<1056])
        #expect(abs(first.standbyAmps - 0.528) < 1e-9)
        #expect(abs(first.whiteAmps - 528 * 0.055) < 1e-9)
        // White is at the limit, or just below it; black is at the standby.
        #expect(first.typicalAmps <= (5 + 0.528) / 2 && first.typicalAmps > (4.9 + 0.528) / 2)
        // 5 A is three quarters of 6.7 A, and 10 A is four fifths of 12.5 A.
        #expect(first.fuseAmps == .some(7.5))
        #expect(abs(plan.supplyAmps - 12.5) < 1e-9)
        // 95 LEDs drop 0.055 · 0.004 · 95² / 8 = 0.248 V, and 96 drop 0.253 V.
        #expect(first.ledsBetweenFeeds == 95)
        // Five spans of 95 do not cover 528, six do: seven feeds.
        #expect(first.feeds == 7)
    }

    @Test("the zones share four fifths of a supply by their LEDs, less what the board takes")
    func limits() throws {
        var configuration = PanelConfiguration()
        configuration.zones = [.init(amps: 5, from: 0, count: 352), .init(amps: 5, from: 352, count: 704)]
        let plan = try PowerPlan(configuration, typical: [], milliohms: 4)
        // 8 A are 2.67 A and 5.33 A; 4.25 A are 1.42 A and 2.83 A.
        #expect(plan.limits(supply: 10) == [2.6, 5.3])
        #expect(plan.limits(supply: 10, board: PowerPlan.boardAmps) == [1.4, 2.8])
        #expect(plan.limits(supply: 3, board: PowerPlan.boardAmps) == [0, 0])
    }

    @Test("a limit above every blade fuse has no fuse")
    func tooMuch() throws {
        var configuration = PanelConfiguration()
        configuration.zones[0].amps = 30
        #expect(try PowerPlan(configuration, typical: [], milliohms: 4).zones[0].fuseAmps == .some(40))
        configuration.zones[0].amps = 30.01
        #expect(try PowerPlan(configuration, typical: [], milliohms: 4).zones[0].fuseAmps == nil)
    }

    @Test("between two feeds the strip's drop is within the limit, LED by LED, and with one more LED it is not")
    func drop() throws {
        var random = SplitMix(seed: 7)
        for _ in 0..<200 {
            var configuration = PanelConfiguration()
            configuration.brightness = .random(in: 0...1, using: &random)
            configuration.standbyMilliamps = .random(in: 0.1...2, using: &random)
            let milliohms = Double.random(in: 0.5...20, using: &random)
            let zone = try PowerPlan(configuration, typical: [], milliohms: milliohms).zones[0]
            let amps = zone.whiteAmps / 1056
            // One LED more in a span is one LED more between the feeds; whole LEDs differ a little from an even load.
            #expect(drop(zone.ledsBetweenFeeds, amps, milliohms / 1000) <= PowerPlan.dropVoltsMax * 1.001, "\(zone)")
            if zone.ledsBetweenFeeds < 1056 {
                #expect(drop(zone.ledsBetweenFeeds + 2, amps, milliohms / 1000) > PowerPlan.dropVoltsMax, "\(zone)")
            }
        }
    }

    /// Voltage drop at the worst of `count` LEDs of `amps` between two feeds, with `ohms` between LEDs and half of it
    /// to each feed: by Kirchhoff's current law, from one end to the middle.
    private func drop(_ count: Int, _ amps: Double, _ ohms: Double) -> Double {
        // Each feed carries half.
        var current = Double(count) * amps / 2
        var volts = current * ohms / 2
        var most = volts
        for _ in 1..<max(2, count) {
            current -= amps
            volts += current * ohms
            most = max(most, volts)
        }
        return most
    }
}

extension Frame {
    fileprivate static func filled(_ colour: RGB) -> Frame {
        var frame = Frame(columns: 44, rows: 24)
        frame.fill(colour)
        return frame
    }
}
