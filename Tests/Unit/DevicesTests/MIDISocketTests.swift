import Glibc
import Input
import InputEvents
import Runtime
import TestSupport
import TestTags
import Testing

@testable import Devices

@Suite("The order of bytes on a MIDI cable", .tags(.live))
struct CableQueueTests {
    private func time(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }

    private func insert(_ bytes: [UInt8], at due: Int64, into queue: inout CableQueue) {
        let isTaken = queue.insert(bytes, at: time(due))
        #expect(isTaken)
    }

    /// The bytes that leave by `end`, each at its time.
    private func sent(_ queue: inout CableQueue, until end: Instant) -> [(time: Instant, byte: UInt8)] {
        var bytes: [(time: Instant, byte: UInt8)] = []
        while let next = queue.next, next <= end {
            guard let byte = queue.popByte(at: next) else { break }
            bytes.append((next, byte))
        }
        return bytes
    }

    @Test("a byte takes 320 µs, and one waits behind that in progress")
    func pace() {
        var queue = CableQueue()
        insert([0x90, 60, 80], at: 1000, into: &queue)
        insert([0x91, 61, 80], at: 1000, into: &queue)
        let early = queue.popByte(at: time(999))
        #expect(early == nil)
        let bytes = sent(&queue, until: time(10_000))
        #expect(bytes.map(\.byte) == [0x90, 60, 80, 0x91, 61, 80])
        #expect(bytes.map(\.time.microseconds) == [1000, 1000, 1320, 1640, 1960, 2280])
        #expect(queue.isEmpty && queue.next == nil)
    }

    @Test("a status is sent once, again after another and after a silence, and with a tick between")
    func runningStatus() {
        var queue = CableQueue()
        let messages: [(Int64, [UInt8])] = [
            (0, [0x90, 60, 80]), (0, [0x90, 62, 80]), (3000, [0xf8]), (4000, [0x90, 60, 0]), (5000, [0xf2, 4, 0]),
            (8000, [0x90, 64, 80]), (400_000, [0x90, 64, 0]),
        ]
        for (due, bytes) in messages { insert(bytes, at: due, into: &queue) }
        let bytes = sent(&queue, until: time(500_000)).map(\.byte)
        #expect(
            bytes
                == [0x90, 60, 80, 62, 80, 0xf8, 60, 0, 0xf2, 4, 0, 0x90, 64, 80, 0x90, 64, 0])
    }

    @Test(
        "ticks and transport go before notes that are due, and into one; at most two bytes delay them",
        arguments: [0xf8, 0xfa, 0xfc] as [UInt8])
    func ticks(status: UInt8) throws {
        var queue = CableQueue()
        for key in 0..<100 as Range<UInt8> { insert([0x90 | key % 2, key, 80], at: 0, into: &queue) }
        for due in stride(from: Int64(137), to: 40_000, by: 5000) { insert([status], at: due, into: &queue) }
        let ticks = sent(&queue, until: time(200_000)).filter { $0.byte == status }
        #expect(ticks.count == 8)
        for (number, tick) in ticks.enumerated() {
            let late = tick.time.microseconds - 137 - 5000 * Int64(number)
            #expect((0...640).contains(late))
        }
    }

    @Test("a tick stays behind the start that it belongs to, and behind a position")
    func start() {
        var queue = CableQueue()
        for bytes in [[0x90, 60, 80], [0xfa], [0xf8], [0xf2, 8, 0], [0xfb], [0xf8]] as [[UInt8]] {
            insert(bytes, at: 0, into: &queue)
        }
        let bytes = sent(&queue, until: time(10_000)).map(\.byte)
        #expect(bytes == [0xfa, 0xf8, 0x90, 60, 80, 0xf2, 8, 0, 0xfb, 0xf8])
    }

    @Test("a full queue refuses")
    func full() {
        var queue = CableQueue()
        for _ in 0..<CableQueue.countMax { insert([0xf8], at: 0, into: &queue) }
        let isTaken = queue.insert([0xf8], at: time(0))
        #expect(!isTaken)
    }
}

/// A pseudo-terminal in place of a serial line: the far end of the cable.
private final class Cable {
    let path: String
    private var master: Int32

    init() throws {
        // ioctl_tty(2): TIOCSPTLCK unlocks, TIOCGPTN numbers the terminal. Glibc's functions for it are not imported.
        var (unlocked, number) = (Int32(0), Int32(-1))
        master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        let results = [ioctl(master, 0x4004_5431, &unlocked), ioctl(master, 0x8004_5430, &number)]
        try #require(results == [0, 0])
        path = "/dev/pts/\(number)"
    }

    deinit { pull() }

    func send(_ bytes: [UInt8]) { #expect(write(master, bytes, bytes.count) == bytes.count) }

    /// The bytes that arrived.
    func receive() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &bytes, bytes.count)
        return Array(bytes[..<max(0, count)])
    }

    func pull() {
        if master >= 0 { close(master) }
        master = -1
    }
}

@Suite("MIDI sockets", .tags(.live))
struct MIDISocketTests {
    private let clock: SystemClock
    private let cable: Cable
    private let sockets: MIDISockets

    init() throws {
        clock = try SystemClock()
        cable = try Cable()
        var options = MIDISockets.Options(path: cable.path)
        options.channels = [0, 9]
        sockets = try #require(MIDISockets(options, choice: ClockChoice(), clock: clock))
    }

    private func messages(_ count: Int) -> [MIDIMessage] {
        var events: [ControlEvent] = []
        _ = eventually(within: 10) {
            sockets.read(into: &events)
            return events.count >= count
        }
        return events.compactMap { if case .midi(let message) = $0.event { message } else { nil } }
    }

    /// The bytes at the far end, when there are `count`.
    private func received(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = eventually(within: 10) {
            bytes += cable.receive()
            return bytes.count >= count
        }
        return bytes
    }

    /// Opens the line; the instruments are silenced first.
    private func open() {
        _ = messages(0)
        #expect(sockets.status.present.map(\.what) == [cable.path])
        #expect(received(6) == [0xb0, 123, 0, 0xb9, 123, 0])
    }

    @Test("bytes become messages, with running status and ticks between")
    func input() {
        open()
        cable.send([0x90, 60, 100, 62, 0xf8, 100, 60, 0])
        #expect(
            messages(4) == [
                .noteOn(channel: 0, key: 60, velocity: 100), .clock, .noteOn(channel: 0, key: 62, velocity: 100),
                .noteOff(channel: 0, key: 60),
            ])
    }

    @Test("messages leave at their times")
    func output() {
        open()
        let start = clock.now
        for number in 0..<4 as Range<UInt8> {
            sockets.send([0x90, 60 + number, 80], at: start + .milliseconds(60 + 20 * Int64(number)))
        }
        let first = received(1)
        #expect(clock.now - start >= .milliseconds(60))
        #expect(first + received(9 - first.count) == [0x90, 60, 80, 61, 80, 62, 80, 63, 80])
        #expect(clock.now - start >= .milliseconds(120))
    }

    @Test("an identity request is answered")
    func identity() {
        open()
        cable.send([0xf0, 0x7e, 0x7f, 0x06, 0x01, 0xf7])
        _ = messages(0)
        #expect(received(MIDIPorts.identity.count) == MIDIPorts.identity)
    }

    @Test("the end stops the transport and every note")
    func end() {
        open()
        for bytes in [[0xfa], [0x90, 60, 80], [0x90, 64, 80], [0x80, 60, 64]] as [[UInt8]] {
            sockets.send(bytes, at: clock.now)
        }
        #expect(received(9).count == 9)
        _ = messages(0)
        sockets.stop()
        let bytes = received(9)
        #expect(bytes.filter { $0 < 0xf8 } == [64, 64, 0xb0, 123, 0, 0xb9, 123, 0] && bytes.contains(0xfc))
    }

    @Test("more than the cable takes loses beginnings of notes, with a line about it; ends and transport go out")
    func flood() {
        open()
        let due = clock.now + .milliseconds(100)
        sockets.send([0x80, 60, 64], at: due)
        sockets.send([0xfc], at: due)
        for _ in 0..<CableQueue.countMax { sockets.send([0x90, 60, 80], at: due) }
        _ = messages(0)
        #expect(sockets.status.problem?.what.hasSuffix("messages were lost") == true)
        #expect(received(9) == [0xfc, 0x80, 60, 64, 0x90, 60, 80, 60, 80])
        sockets.stop()
    }

    @Test("a pulled cable releases its keys, is reported, and ends nothing")
    func pulled() {
        open()
        cable.send([0x90, 60, 100])
        #expect(messages(1) == [.noteOn(channel: 0, key: 60, velocity: 100)])
        cable.pull()
        #expect(messages(1) == [.noteOff(channel: 0, key: 60)])
        #expect(sockets.status.present.isEmpty && sockets.status.problem != nil)
        sockets.send([0x90, 60, 80], at: clock.now)
        sockets.stop()
    }

    @Test("a line that comes back is told what it missed")
    func back() throws {
        let link = "/tmp/pixelboop-line-\(getpid())"
        defer { unlink(link) }
        try #require(symlink(cable.path, link) == 0)
        var options = MIDISockets.Options(path: link)
        options.channels = [0]
        let sockets = try #require(MIDISockets(options, choice: ClockChoice(), clock: clock))
        var events: [ControlEvent] = []
        func read(until isDone: () -> Bool) -> Bool {
            eventually(within: 10) {
                sockets.read(into: &events)
                return isDone()
            }
        }
        let isOpen = read { !sockets.status.present.isEmpty }
        #expect(isOpen)
        #expect(received(3) == [0xb0, 123, 0])
        for bytes in [[0xfa], [0x90, 60, 80]] as [[UInt8]] { sockets.send(bytes, at: clock.now) }
        #expect(received(4) == [0xfa, 0x90, 60, 80])
        cable.pull()
        let isGone = read { sockets.status.present.isEmpty }
        #expect(isGone)
        // The music ends meanwhile.
        for bytes in [[0x80, 60, 64], [0xfc]] as [[UInt8]] { sockets.send(bytes, at: clock.now) }
        let other = try Cable()
        unlink(link)
        try #require(symlink(other.path, link) == 0)
        let isBack = read { !sockets.status.present.isEmpty }
        #expect(isBack)
        var bytes: [UInt8] = []
        _ = eventually(within: 10) {
            bytes += other.receive()
            return bytes.count >= 7
        }
        #expect(bytes.filter { $0 < 0xf8 } == [0x80, 60, 64, 0xb0, 123, 0] && bytes.contains(0xfc))
        sockets.stop()
    }

    @Test("a check of a line in use changes nothing of it")
    func check() {
        open()
        cable.send([0x90, 60, 100])
        _ = MIDISockets.failure(of: cable.path)
        #expect(messages(1) == [.noteOn(channel: 0, key: 60, velocity: 100)])
    }

    @Test("a path that is no serial line is one line of what to do", arguments: ["/dev/null", "/nowhere/tty"])
    func noLine(path: String) throws {
        let failure = try #require(MIDISockets.failure(of: path))
        #expect(failure.what.contains(path) && failure.fix.contains("midi.uart"))
    }
}
