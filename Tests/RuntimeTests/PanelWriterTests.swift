import InputEvents
import Dispatch
import Display
import Glibc
import Instrument
import Panel
import Replay
import Runtime
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

/// The machine's own clock.
private final class MonotonicClock: Clock {
    var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
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

    private func writer(_ bus: Watched, _ change: (inout PanelWriter.Care) -> Void) throws -> PanelWriter {
        var care = PanelWriter.Care()
        care.refresh = .milliseconds(1_000_000)
        change(&care)
        let driver = try PanelDriver(PanelConfiguration())
        return try #require(PanelWriter(driver, bus: bus, clock: MonotonicClock(), care: care))
    }

    @Test("shows the newest frame of many, and darkness last")
    func newest() throws {
        let bus = try Watched()
        let writer = try writer(bus) { _ in }
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
        let writer = try writer(bus) {
            $0.refresh = .milliseconds(20)
            $0.stall = .milliseconds(100)
        }
        writer.show(lit, at: .zero)
        _ = try bus.count(until: true)
        #expect(try bus.count(until: false) >= 1)
        #expect(try !bus.next())
        writer.beat()
        _ = try bus.count(until: true)
        writer.stop()
    }

    @Test("starts softly: the power grows from nothing to what the frame wants, without another frame")
    func softStart() throws {
        let bus = try Watched()
        let writer = try writer(bus) { $0.softStart = .milliseconds(150) }
        var white = lit
        white.fill(.white)
        writer.show(white, at: .zero)
        var amps: [Double] = []
        while amps.count < 1000, amps.last.map({ $0 < 7.5 }) ?? true {
            _ = try bus.next()
            amps.append(writer.counters.amps)
        }
        #expect(amps.count >= 4, "\(amps)")
        #expect(zip(amps, amps.dropFirst()).allSatisfy { $0 <= $1 })
        #expect((amps.last ?? 0) <= 8)
        writer.stop()
    }

    @Test("goes on by itself where it dithers")
    func dithering() throws {
        let bus = try Watched()
        let writer = try writer(bus) { $0.dithers = true }
        var dim = lit
        dim.fill(RGB(0x030303))
        writer.show(dim, at: .zero)
        for _ in 0..<20 { _ = try bus.next() }
        writer.stop()
    }
}
