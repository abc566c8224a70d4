import Display
import Dispatch
import Instrument
import Panel
import Runtime
import Simulator
import Synchronization
import Testing

/// A panel that tells whether it is lit after each message, and a clock that stands.
private final class Watched: PanelBus, Sendable {
    private let panel: SimulatedPanel
    private let isLit = Mutex<[Bool]>([])
    private let sent = DispatchSemaphore(value: 0)

    init() throws { panel = try SimulatedPanel(PanelConfiguration()) }

    func send(_ message: [UInt8], chain: Int, at now: Instant) throws {
        try panel.send(message, chain: chain, at: now)
        isLit.withLock { $0.append(panel.pixels.contains { $0 > 0 }) }
        sent.signal()
    }

    /// Whether the panel is lit after the next message. Throws if none comes for ten seconds.
    func next() throws -> Bool {
        guard sent.wait(timeout: .now() + 10) == .success else { throw Silence() }
        return isLit.withLock { $0.removeFirst() }
    }

    /// Passes messages until the panel is lit, or dark, and returns how many those were; at most 50.
    func count(until lit: Bool) throws -> Int {
        for count in 0..<50 where try next() == lit { return count }
        throw Silence()
    }

    struct Silence: Error {}

    var bytes: Int { panel.bytes }
}

private final class Standing: Clock {
    var now: Instant { .zero }
    func wait(until deadline: Instant) {}
    func wake() {}
}

@Suite("The panel writer")
struct PanelWriterTests {
    private let lit: Frame = {
        var frame = Frame(columns: 44, rows: 24)
        frame[3, 3] = RGB(0xffffff)
        return frame
    }()

    private func writer(_ bus: Watched, refresh: DispatchTimeInterval) throws -> PanelWriter {
        try #require(PanelWriter(try PanelDriver(PanelConfiguration()), bus: bus, clock: Standing(), refresh: refresh))
    }

    @Test("shows the newest frame of many, and darkness last")
    func newest() throws {
        let bus = try Watched()
        let writer = try writer(bus, refresh: .seconds(1000))
        for _ in 0..<200 { writer.show(lit, at: .zero) }
        #expect(try bus.next())
        writer.stop()
        let counters = writer.counters
        #expect(counters.frames <= 201)
        #expect(bus.bytes == counters.frames * 4298)
        var last = true
        for _ in 1..<counters.frames { last = try bus.next() }
        #expect(!last)
    }

    @Test("says again what stands on it, goes dark when the loop is silent, and lights up when it is back")
    func stall() throws {
        let bus = try Watched()
        let writer = try writer(bus, refresh: .milliseconds(20))
        writer.beat()
        writer.show(lit, at: .zero)
        _ = try bus.count(until: true)
        // That one, and the refreshes before the loop is taken for dead.
        #expect(try bus.count(until: false) >= PanelWriter.stallRefreshes - 2)
        #expect(try !bus.next())
        writer.beat()
        _ = try bus.count(until: true)
        writer.stop()
    }
}
