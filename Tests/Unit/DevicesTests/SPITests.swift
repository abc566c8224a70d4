import InputEvents
import DeathProbe
import Glibc
import Runtime
import Synchronization
import TestTags
import Testing

@testable import Devices

/// An SPI device that records messages; selected calls fail.
private final class FakeSPI: Sendable {
    struct Log {
        var opened: [String] = []
        var closed: [Int32] = []
        var configured: [[Int]] = []
        var messages: [[UInt8]] = []
        /// The descriptor of each message.
        var receivers: [Int32] = []
        var atDeath: [String] = []
        /// The thread of each write, by descriptor.
        var threads: [Int32: Set<UInt>] = [:]
        /// Results of the next calls of each kind, in place of the real ones.
        var opens: [Int32] = []
        var configures: [Int32] = []
        var writes: [Int] = []
    }

    let log = Mutex(Log())
    let limit: Int

    init(limit: Int = 4096) { self.limit = limit }

    var calls: SPICalls {
        SPICalls(
            open: { path in
                self.log.withLock { log in
                    log.opened.append(path)
                    return result(log.opens.isEmpty ? Int32(10 + log.opened.count) : log.opens.removeFirst())
                }
            },
            configure: { descriptor, mode, hertz in
                self.log.withLock { log in
                    log.configured.append([Int(descriptor), mode, hertz])
                    return result(log.configures.isEmpty ? 0 : log.configures.removeFirst()).map { _ in }
                }
            },
            write: { descriptor, bytes in
                self.log.withLock { log in
                    log.threads[descriptor, default: []].insert(UInt(pthread_self()))
                    let given = log.writes.isEmpty ? bytes.count : log.writes.removeFirst()
                    let count = given < 0 ? given : bytes.count > self.limit ? -Int(EMSGSIZE) : min(given, bytes.count)
                    if count > 0 {
                        log.messages.append(Array(bytes.prefix(count)))
                        log.receivers.append(descriptor)
                    }
                    return result(count)
                }
            },
            close: { descriptor in self.log.withLock { $0.closed.append(descriptor) } },
            sendAtDeath: { chain, descriptor, bytes, chunk in
                self.log.withLock { $0.atDeath.append("\(chain) \(descriptor) \(Array(bytes)) by \(chunk)") }
            },
            bufferSize: { self.limit })
    }

    /// All bytes on the wire.
    var wire: [UInt8] { log.withLock { Array($0.messages.joined()) } }
}

/// A clock that advances by a millisecond at each reading.
private final class CountingClock: LoopClock {
    private let reads = Mutex(Int64(0))
    var now: Instant {
        Instant(
            milliseconds: reads.withLock { reads in
                reads += 1
                return reads
            })
    }
    func wait(until deadline: Instant) {}
    func wake() {}
}

@Suite("SPI", .tags(.live))
struct SPITests {
    private let clocked = SPIBus.Chain(device: "/dev/spidev0.0", mode: 0, hertz: 4_000_000, isClocked: true)
    private let unclocked = SPIBus.Chain(device: "/dev/spidev1.0", mode: 0, hertz: 6_400_000, isClocked: false)
    /// As long as the reference panel's message.
    private let message = (0..<4298).map { UInt8(truncatingIfNeeded: $0 * 7) }

    private func bus(_ spi: FakeSPI, _ chains: SPIBus.Chain...) -> SPIBus {
        SPIBus(chains, clock: CountingClock(), calls: spi.calls)
    }

    @Test("a frame is sent completely, in as few messages as the device allows", arguments: [64, 4096, 4298, 32_768])
    func whole(limit: Int) throws {
        let spi = FakeSPI(limit: limit)
        let bus = bus(spi, clocked)
        try bus.send(message, chain: 0, at: .zero)
        try bus.send(message, chain: 0, at: .zero)
        #expect(spi.wire == message + message)
        let log = spi.log.withLock { $0 }
        #expect(log.opened == ["/dev/spidev0.0"])
        #expect(log.configured == [[11, 0, 4_000_000]])
        #expect(log.messages.count == 2 * ((4298 + limit - 1) / limit))
        #expect(bus.status[0].bytes == 2 * 4298)
        // Each frame took the clock's millisecond.
        #expect(bus.status[0].hertz == 4298 * 8000)
        #expect(bus.status[0].problem == nil)
    }

    /// Results of a frame's writes, and whether the frame then arrives.
    static let writes: [(name: String, results: [Int], isWhole: Bool, closes: Bool, failures: Int)] = [
        ("short", [1000, 5], true, false, 0),
        ("one byte at a time at first", Array(repeating: 1, count: 40), true, false, 0),
        ("interrupted", [-Int(EINTR), 4096, -Int(EINTR), -Int(EINTR)], true, false, 0),
        ("longer than bufsiz said", [-Int(EMSGSIZE), -Int(EMSGSIZE)], true, false, 0),
        ("input/output error", [4096, -Int(EIO)], false, false, 1),
        ("timed out", [-Int(ETIMEDOUT)], false, false, 1),
        ("gone", [-Int(ENODEV)], false, true, 1),
        ("shut down", [4096, -Int(ESHUTDOWN)], false, true, 1),
        ("takes nothing", [0], false, true, 1),
    ]

    @Test("a failed write is counted and corrected by the next frame", arguments: writes)
    func writeFailures(
        failure: (name: String, results: [Int], isWhole: Bool, closes: Bool, failures: Int)
    ) throws {
        let spi = FakeSPI()
        let bus = bus(spi, clocked)
        spi.log.withLock { $0.writes = failure.results }
        let first = bus.send([message], at: .zero)
        #expect(first.failures == failure.failures, "\(failure.name)")
        #expect((spi.wire == message) == failure.isWhole, "\(failure.name)")
        #expect(spi.log.withLock { $0.closed.isEmpty } == !failure.closes, "\(failure.name)")
        #expect((bus.status[0].problem == nil) == failure.isWhole)
        // A second later nothing is left of it.
        spi.log.withLock { $0.messages = [] }
        let second = bus.send([message], at: Instant(milliseconds: 1000))
        #expect(second == PanelDelivery(bytes: 4298, failures: 0), "\(failure.name)")
        #expect(spi.wire == message)
        #expect(bus.status[0].problem == nil)
        #expect(bus.status[0].failures == failure.failures)
    }

    @Test("interrupted forever, it gives up")
    func interrupted() {
        let spi = FakeSPI()
        let bus = bus(spi, clocked)
        spi.log.withLock { $0.writes = Array(repeating: -Int(EINTR), count: 5000) }
        #expect(bus.send([message], at: .zero).failures == 1)
        #expect(spi.log.withLock { $0.writes.count } > 3000)
    }

    static let openings: [(open: Int32, configure: Int32, says: String)] = [
        (-ENOENT, 0, SPIBus.fixForMissing), (-EACCES, 0, "group spi"),
        (-EBUSY, 0, "another program"),
        (0, -ENOTTY, "no SPI device"), (0, -EINVAL, "refuses mode 0 at 4000000 Hz"),
    ]

    @Test(
        "a device that does not open is reported with the fix, retried once a second, and used when available",
        arguments: openings)
    func opening(failure: (open: Int32, configure: Int32, says: String)) {
        let spi = FakeSPI()
        let bus = bus(spi, clocked)
        spi.log.withLock {
            $0.opens = Array(repeating: failure.open < 0 ? failure.open : 11, count: 2)
            $0.configures = Array(repeating: failure.configure, count: 2)
        }
        for milliseconds in stride(from: Int64(0), to: 2000, by: 100) {
            #expect(bus.send([message], at: Instant(milliseconds: milliseconds)).failures == 1)
            #expect(bus.status[0].problem?.contains(failure.says) == .some(true), "\(bus.status)")
        }
        #expect(spi.log.withLock { $0.opened.count } == 2)
        #expect(spi.log.withLock { $0.closed.count } == (failure.open < 0 ? 0 : 2))
        #expect(bus.send([message], at: Instant(milliseconds: 2000)).failures == 0)
    }

    @Test("LEDs without a clock get a frame in one message or not at all")
    func unbroken() {
        let spi = FakeSPI()
        let long = bus(spi, unclocked)
        #expect(long.send([[UInt8](repeating: 1, count: 25_500)], at: .zero).failures == 1)
        #expect(long.status[0].problem?.contains("spidev.bufsiz=32768") == .some(true))
        #expect(long.status[0].problem?.contains("cmdline.txt") == .some(true))
        #expect(spi.log.withLock { $0.messages.isEmpty && $0.closed.count == 1 })

        let short = bus(spi, unclocked)
        spi.log.withLock { $0.writes = [1000] }
        #expect(short.send([Array(message.prefix(4000))], at: .zero).failures == 1)
        #expect(spi.log.withLock { $0.messages.count } == 1)
        #expect(short.send([Array(message.prefix(4000))], at: .zero).failures == 0)
    }

    @Test("chains fail independently, and each gets its own bytes")
    func several() {
        let spi = FakeSPI(limit: 32_768)
        let other = SPIBus.Chain(device: "/dev/spidev1.0", mode: 3, hertz: 8_000_000, isClocked: true)
        let bus = bus(spi, clocked, other)
        let messages = [message, message.reversed()]
        #expect(bus.send(messages, at: .zero) == PanelDelivery(bytes: 8596, failures: 0))
        #expect(Set(spi.log.withLock { $0.messages }) == Set(messages))
        #expect(Set(spi.log.withLock { $0.configured.map { [$0[1], $0[2]] } }) == [[0, 4_000_000], [3, 8_000_000]])
        spi.log.withLock { $0.writes = [-Int(ENODEV)] }
        #expect(bus.send(messages, at: .zero) == PanelDelivery(bytes: 4298, failures: 1))
        #expect(bus.status.count { $0.problem == nil } == 1)
    }

    @Test("two chains on one bus: each frame goes whole to its own device, one after the other, at its own clock")
    func chipEnables() {
        let spi = FakeSPI(limit: 1000)
        let other = SPIBus.Chain(device: "/dev/spidev0.1", mode: 0, hertz: 8_000_000, isClocked: true)
        let bus = bus(spi, clocked, other)
        let frames = [Array(message.prefix(2153)), Array(message.suffix(2153))]
        for _ in 0..<3 { #expect(bus.send(frames, at: .zero) == PanelDelivery(bytes: 2 * 2153, failures: 0)) }
        let log = spi.log.withLock { $0 }
        #expect(log.opened == ["/dev/spidev0.0", "/dev/spidev0.1"])
        #expect(log.configured == [[11, 0, 4_000_000], [12, 0, 8_000_000]])
        // The chip enable of a device is active during its own messages only: none of the other's lies between them.
        #expect(log.receivers == Array(repeating: [11, 11, 11, 12, 12, 12], count: 3).flatMap(\.self))
        for (descriptor, frame) in zip([11, 12] as [Int32], frames) {
            let received = zip(log.receivers, log.messages).filter { $0.0 == descriptor }.flatMap(\.1)
            #expect(received == frame + frame + frame)
        }
    }

    @Test("chains are grouped by the bus of their device")
    func groups() {
        let devices = ["/dev/spidev0.0", "/dev/spidev1.0", "/dev/spidev0.1", "/dev/leds", "/dev/spidev10.0"]
        #expect(SPIBus.groups(devices) == [[0, 2], [1], [3], [4]])
        #expect(SPIBus.groups([]) == [])
    }

    @Test("each bus has one thread for all frames, which serves all chains on it")
    func threads() {
        let spi = FakeSPI(limit: 32_768)
        let chains = ["/dev/spidev0.0", "/dev/spidev1.0", "/dev/spidev1.1"].map {
            SPIBus.Chain(device: $0, mode: 0, hertz: 4_000_000, isClocked: true)
        }
        let bus = SPIBus(chains, clock: CountingClock(), calls: spi.calls)
        for _ in 0..<20 {
            #expect(bus.send([message, message, message], at: .zero) == PanelDelivery(bytes: 3 * 4298, failures: 0))
        }
        let threads = spi.log.withLock { $0.threads }
        #expect(threads.count == 3 && threads.values.allSatisfy { $0.count == 1 })
        #expect(Set(threads.values.joined()).count == 2)
    }

    @Test("a chain's dark message is sent at death while the chain is open")
    func atDeath() {
        let spi = FakeSPI()
        let bus = SPIBus([clocked], dark: [[1, 2]], clock: CountingClock(), calls: spi.calls)
        _ = bus.send([message], at: .zero)
        spi.log.withLock { $0.writes = [-Int(ENODEV)] }
        _ = bus.send([message], at: .zero)
        #expect(spi.log.withLock { $0.atDeath } == ["0 11 [1, 2] by 4096", "0 -1 [1, 2] by 4096"])
    }

    @Test("a crashing process sends the dark frame first", arguments: [SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS])
    func death(signal: Int32) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let dark = Array(message.reversed())
        #expect(die_of(signal, ends[1], dark, UInt32(dark.count), 1000) == signal)
        close(ends[1])
        var received: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 8192)
        while case let count = read(ends[0], &part, part.count), count > 0 { received += part[..<count] }
        #expect(received == dark)
    }

    @Test("a crashing process makes its last call after the dark frame")
    func lastCall() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(die_calling(SIGSEGV, ends[1], [1, 2, 3], 3, 2, 9) == SIGSEGV)
        close(ends[1])
        var received = [UInt8](repeating: 0, count: 16)
        let count = read(ends[0], &received, received.count)
        #expect(received.prefix(max(0, count)) == [1, 2, 3, 9])
    }

    @Test("a process that is terminated, or exits, sends nothing")
    func life() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        #expect(die_of(0, ends[1], message, UInt32(message.count), 1000) == 0)
        #expect(die_of(SIGTERM, ends[1], message, UInt32(message.count), 1000) == SIGTERM)
        close(ends[1])
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 0)
        close(ends[0])
    }
}
