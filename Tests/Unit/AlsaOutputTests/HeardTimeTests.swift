import PositionProbe
import TestSupport
import Testing

@Suite("The time at which a frame is heard")
struct HeardTimeTests {
    private static let periodNanoseconds = 128e9 / 48000
    private static let start = 5e12

    /// The filtered times of `count` periods, with `measure` giving the measured time of each, in nanoseconds.
    private func filtered(_ count: Int, _ measure: (Int) -> Double) -> [Double] {
        var times = (0..<count).map { UInt64(measure($0)) }
        heard_times(&times, UInt32(count), 128, 48000)
        return times.map { Double($0) }
    }

    /// The even time of the end of period `index` by a clock that is `drift` too slow.
    private func even(_ index: Int, drift: Double = 0) -> Double {
        Self.start + Double(index) * Self.periodNanoseconds * (1 + drift)
    }

    /// Ticks that fit the period leave a beat of their own with it.
    @Test(
        "measurements in the ticks of a timer become even",
        arguments: [(1e6, 0.25e6), (4e6, 1.5e6)] as [(Double, Double)], [-200e-6, 0, 50e-6])
    func ticks(tick: (span: Double, spread: Double), drift: Double) {
        let times = filtered(20_000) { (even($0, drift: drift) / tick.span).rounded(.down) * tick.span }
        let errors = (8000..<20_000).map { times[$0] - even($0, drift: drift) }
        let spread = (errors.max() ?? 0) - (errors.min() ?? 0)
        #expect(spread < tick.spread, "\(spread) ns")
    }

    @Test("random lateness of 3 ms leaves a jitter of less than 0.1 ms after a second")
    func jitter() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let times = filtered(12_000) { even($0) + Double.random(in: 0...3e6, using: &random) }
        let errors = (375..<12_000).map { times[$0] - even($0) - 1.5e6 }
        let rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        #expect(rms < 100_000, "\(rms) ns, PIXELBOOP_SEED=\(seed)")
    }

    @Test(
        "one late measurement, of any size, moves nothing by more than 0.05 ms", arguments: [2e6, 9e6, 11e6, 60e6, 2e9])
    func outlier(lateness: Double) {
        let times = filtered(8000) { even($0) + ($0 == 6000 ? lateness : 0) }
        #expect((6000..<8000).allSatisfy { abs(times[$0] - even($0)) < 50_000 })
    }

    @Test("another delay of the device is followed within 0.15 s", arguments: [-0.5e9, -15e6, 15e6, 0.5e9])
    func jump(size: Double) {
        let times = filtered(8000) { even($0) + ($0 >= 6000 ? size : 0) }
        #expect((6057..<8000).allSatisfy { abs(times[$0] - even($0) - size) < 50_000 })
    }

    @Test("a device that recovered counts from its first period")
    func recovery() {
        let times = filtered(4000) { $0 == 2000 ? 0 : even($0) + ($0 > 2000 ? 8e6 : 0) }
        #expect((2001..<4000).allSatisfy { abs(times[$0] - even($0) - 8e6) < 50_000 })
    }
}
