import Runtime
import Testing

@testable import Box

@Suite("Status line")
struct ReporterTests {
    static let cases: [(amps: Double, framesPerSecond: Double, hertz: [Int]?, failures: Int, line: String)] = [
        (0, 0, nil, 0, "0 frames a second, 0.0 A"),
        (1.25, 59.94, nil, 7, "60 frames a second, 1.3 A"),
        (10.04, 30, [7_812_500], 0, "30 frames a second, 10.0 A, SPI at 7.8 MHz, 0 messages lost"),
        (2, 60, [15_625_000, 9_950_000], 3, "60 frames a second, 2.0 A, SPI at 15.6 and 10.0 MHz, 3 messages lost"),
    ]

    @Test("frame rate and current, and of LEDs the clock of each chain", arguments: cases)
    func status(of row: (amps: Double, framesPerSecond: Double, hertz: [Int]?, failures: Int, line: String)) {
        var counters = PanelCounters()
        counters.amps = row.amps
        counters.failures = row.failures
        #expect(
            PanelReporter.status(counters, framesPerSecond: row.framesPerSecond, clocks: row.hertz) == row.line)
    }
}
