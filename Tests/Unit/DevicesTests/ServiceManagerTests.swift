import InputEvents
import Instrument
import Testing

@testable import Devices

@Suite("The service manager")
struct ServiceManagerTests {
    private final class Heard {
        var lines: [String] = []
    }

    @Test("gets changes, and a keep-alive twice per watchdog interval")
    func protocolLines() {
        let heard = Heard()
        var manager = ServiceManager(watchdogMicroseconds: 2_000_000) { heard.lines.append($0) }
        manager.isReady()
        for milliseconds in stride(from: Int64(0), through: 3000, by: 50) {
            manager.beat(at: Instant(milliseconds: milliseconds))
            manager.setStatus(milliseconds < 1500 ? "dark" : "lit")
        }
        manager.isStopping()
        #expect(
            heard.lines == [
                "READY=1", "WATCHDOG=1", "STATUS=dark", "WATCHDOG=1", "STATUS=lit", "WATCHDOG=1", "WATCHDOG=1",
                "STOPPING=1",
            ])
    }

    @Test("without a watchdog there are no keep-alives")
    func withoutWatchdog() {
        let heard = Heard()
        var manager = ServiceManager(watchdogMicroseconds: nil) { heard.lines.append($0) }
        for second in 0..<10 as Range<Int64> { manager.beat(at: Instant(milliseconds: 1000 * second)) }
        #expect(heard.lines.isEmpty)
    }
}
