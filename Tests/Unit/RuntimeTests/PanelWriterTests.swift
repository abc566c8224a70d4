import Display
import Foundation
import InputEvents
import ManualTime
import Panel
import Replay
import Runtime
import Synchronization
import TestTags
import Testing
import Threads

/// A panel that records whether it is lit after each message.
private final class Watched: PanelBus, Sendable {
    private let panel: SimulatedPanel
    private let isLit = Mutex<[Bool]>([])
    /// Messages to refuse.
    let refusals = Mutex(0)

    init() throws { panel = try SimulatedPanel(PanelConfiguration()) }

    func send(_ message: [UInt8], chain: Int, at now: Instant) throws {
        let isRefused = refusals.withLock { refusals in
            refusals -= 1
            return refusals >= 0
        }
        if isRefused { throw Refusal() }
        try panel.send(message, chain: chain, at: now)
        isLit.withLock { $0.append(panel.pixels.contains { $0 > 0 }) }
    }

    /// Whether the panel was lit after each message since the last call.
    func drain() -> [Bool] {
        isLit.withLock { isLit in
            defer { isLit = [] }
            return isLit
        }
    }

    var bytes: Int { panel.bytes }

    private struct Refusal: Error {}
}

@Suite("The panel writer", .tags(.live))
struct PanelWriterTests {
    private let time = ManualTime()
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
        return try #require(PanelWriter(driver, bus: bus, clock: time, changes: time, care: care))
    }

    @Test("shows the newest frame of many, and darkness last")
    func newest() throws {
        let bus = try Watched()
        let writer = try writer(bus) { _ in }
        for _ in 0..<200 { writer.show(lit, at: .zero) }
        try time.pass()
        let shown = bus.drain()
        #expect((1...200).contains(shown.count) && shown.allSatisfy(\.self))
        writer.stop()
        #expect(bus.drain() == [false])
        #expect(writer.counters.frames == shown.count + 1)
        #expect(bus.bytes == writer.counters.frames * 4298)
    }

    @Test("refreshes the panel, goes dark when the loop stalls, and lights up when it continues")
    func stall() throws {
        let bus = try Watched()
        let writer = try writer(bus) {
            $0.refresh = .milliseconds(20)
            $0.stall = .milliseconds(100)
        }
        writer.show(lit, at: .zero)
        try time.pass()
        #expect(bus.drain() == [true])
        try time.pass(.milliseconds(140))
        #expect(bus.drain() == [true, true, true, true, false, false, false])
        writer.beat()
        try time.pass(.milliseconds(20))
        #expect(bus.drain() == [true])
        writer.stop()
    }

    @Test("starts softly: the power rises from zero to the frame's, without another frame")
    func softStart() throws {
        let bus = try Watched()
        let writer = try writer(bus) { $0.softStart = .milliseconds(150) }
        var white = lit
        white.fill(.white)
        writer.show(white, at: .zero)
        var amps: [Double] = []
        for _ in 0..<20 {
            try time.pass()
            amps.append(writer.counters.amps)
            try time.pass(.milliseconds(9))
        }
        #expect(amps.count(where: { $0 < 7.5 }) >= 4, "\(amps)")
        #expect(zip(amps, amps.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(amps.last.map { (7.5...8).contains($0) } == true, "\(amps)")
        // A frame each 8.333 ms of the soft start, one at its end, and none after it.
        #expect(bus.drain().count == 20)
        writer.stop()
    }

    @Test("repeats the frame without the loop if it dithers")
    func dithering() throws {
        let bus = try Watched()
        let writer = try writer(bus) { $0.dithers = true }
        var dim = lit
        dim.fill(RGB(0x030303))
        writer.show(dim, at: .zero)
        try time.pass(.milliseconds(100))
        #expect(bus.drain().count == 13)
        writer.stop()
    }

    @Test("a dark frame that the bus refuses is sent again before it counts, and light follows when the supply is lit")
    func darkFrame() throws {
        let bus = try Watched()
        let writer = try writer(bus) {
            $0.phase = .off
            $0.refresh = .milliseconds(20)
        }
        writer.show(lit, at: .zero)
        try time.pass()
        writer.follow(.rising)
        try time.pass()
        #expect(writer.darkFrames == 0)
        bus.refusals.withLock { $0 = 2 }
        writer.follow(.darkening)
        try time.pass()
        #expect(writer.darkFrames == 0)
        try time.pass(.milliseconds(20))
        #expect(writer.darkFrames == 0)
        try time.pass(.milliseconds(20))
        #expect(writer.darkFrames == 1)
        #expect(!bus.drain().contains(true))
        writer.follow(.lit)
        try time.pass()
        #expect(bus.drain() == [true])
        writer.stop()
    }
}
