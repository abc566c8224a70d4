import Display
import Glibc
import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization

/// Receives the pictures that other machines send, on a thread of its own. It reads no more packets in a time than many senders need:
/// the kernel drops the rest of a flood.
public final class LightReceiver: PictureInput, Sendable {
    /// The state of a port.
    public struct Status: Hashable, Sendable {
        /// The protocol and the interface.
        public var name: String
        /// Why nothing can arrive; nil if it can.
        public var problem: String?
    }

    private struct Mailbox: Sendable {
        var reception: LightReception
        /// What the instrument was told, and what it is to be told; nil for nothing new.
        var told: [LightSource] = []
        var news: [LightSource]?
        /// The source that the panel shows; whether it has a new picture.
        var followed: Int?
        var isNew = false
        var statuses: [Status]
        var isStopping = false
    }

    private let clock: any LoopClock
    private let calls: LightCalls
    private let mailbox: Mutex<Mailbox>
    private let thread = Mutex<OwnThread?>(nil)
    /// What the thread waits with: for a packet, and for the end of a pause.
    private let waiter: SystemClock?
    private let pause = MonotonicSemaphore()

    /// Packets that are read from a port at once, and the pause if there are more. 6400 a second are eight senders at 60 pictures of
    /// seven packets, nearly twice.
    static let packetsMax = 64
    private static let pauseLength = Instant.Span.milliseconds(10)
    /// Interval in which sources are counted and forgotten, and ports that failed are opened again.
    private static let interval = Instant.Span.milliseconds(250)
    /// A receiver at `ports` for a panel of `columns`. A new picture of the source that the panel shows wakes `clock`. Nil if the
    /// system has no thread or descriptor to give.
    public convenience init?(_ ports: [LightPort], columns: Int, clock: any LoopClock) {
        guard let waiter = try? SystemClock() else { return nil }
        self.init(ports, columns: columns, clock: clock, calls: .linux, waiter: waiter)
        let lines = PortLines(ports, columns: columns, calls, waiter)
        guard let thread = OwnThread(body: { [self] in run(lines) }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    /// A receiver without a thread: call `pass` in its place.
    init(
        _ ports: [LightPort], columns: Int, clock: any LoopClock, calls: LightCalls, waiter: SystemClock? = nil
    ) {
        self.clock = clock
        self.calls = calls
        self.waiter = waiter
        mailbox = Mutex(
            Mailbox(
                reception: LightReception(ports, columns: columns), statuses: ports.map { Status(name: $0.name) }))
    }

    /// The state of each port.
    public var statuses: [Status] { mailbox.withLock { $0.statuses } }

    /// Ends the thread.
    public func stop() {
        mailbox.withLock { $0.isStopping = true }
        waiter?.wake()
        pause.signal()
        thread.join()
    }

    // MARK: The loop's thread

    /// Wakes the loop for this source only; nil for none.
    public func follow(_ source: Int?) -> Bool {
        mailbox.withLock { mailbox in
            defer { mailbox.isNew = false }
            let isOther = mailbox.followed != source
            mailbox.followed = source
            return mailbox.isNew || isOther
        }
    }

    /// Draws the newest picture of a source.
    public func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        mailbox.withLock { mailbox in
            guard let found = mailbox.reception.sources.first(where: { $0.number == source }) else { return }
            found.picture.draw(into: &frame, columns: columns, rows: rows)
        }
    }

    /// Appends who sends, if that has changed.
    public func read(into events: inout [ControlEvent]) {
        let news = mailbox.withLock { mailbox in
            defer { mailbox.news = nil }
            return mailbox.news
        }
        if let news { events.append(ControlEvent(time: clock.now, event: .lights(news))) }
    }

    // MARK: The receiver's thread

    private func run(_ lines: PortLines) {
        guard let waiter else { return }
        var lines = lines
        while !mailbox.withLock(\.isStopping) {
            if pass(&lines) {
                pause.wait(timeout: Self.pauseLength)
            } else {
                waiter.wait(until: waiter.now + Self.interval)
            }
        }
        lines.close()
    }

    /// Reads what has arrived; returns whether there may be more.
    func pass(_ lines: inout PortLines) -> Bool {
        let now = clock.now
        lines.settle(at: now)
        var isFull = false
        var isWanted = false
        for port in lines.indices {
            let count = lines.read(port, packets: Self.packetsMax) { bytes, sender in
                isWanted = take(bytes, port, sender, at: now) || isWanted
            }
            isFull = isFull || count == Self.packetsMax
        }
        if tellSources(lines.statuses, at: now) || isWanted { clock.wake() }
        return isFull
    }

    /// Takes a packet; returns whether the panel shows the picture that is complete with it.
    private func take(_ bytes: UnsafeRawBufferPointer, _ port: Int, _ sender: UInt32, at now: Instant) -> Bool {
        mailbox.withLock { mailbox in
            let done = mailbox.reception.take(bytes, port: port, from: sender, at: now.microseconds)
            guard let done, done == mailbox.followed else { return false }
            defer { mailbox.isNew = true }
            return !mailbox.isNew
        }
    }

    /// Puts the sources into the mailbox if they have changed; returns whether they have.
    private func tellSources(_ statuses: [Status], at now: Instant) -> Bool {
        mailbox.withLock { mailbox in
            mailbox.statuses = statuses
            mailbox.reception.settle(at: now.microseconds)
            let sources = mailbox.reception.sources
            let isSame =
                sources.count == mailbox.told.count
                && zip(sources, mailbox.told).allSatisfy { $0.number == $1.number && $0.name == $1.name.text }
            guard !isSame else { return false }
            mailbox.told = sources.map { LightSource(number: $0.number, name: $0.name) }
            mailbox.news = mailbox.told
            return true
        }
    }
}

/// The sockets of the ports.
struct PortLines {
    private struct Line {
        let port: LightPort
        let groups: [UInt32]
        var descriptor: Int32?
        /// The interface's index when the socket was opened.
        var index: UInt32 = 0
        var status: LightReceiver.Status
    }

    private var lines: [Line]
    private let calls: LightCalls
    private let waiter: SystemClock?
    /// Room for an Ethernet frame; a longer packet is cut, and is no light then.
    private var buffer = [UInt8](repeating: 0, count: 2048)
    private var settled: Instant?

    /// No socket yet, for a panel of `columns`. What arrives ends the wait of `waiter`.
    init(_ ports: [LightPort], columns: Int, _ calls: LightCalls, _ waiter: SystemClock? = nil) {
        self.calls = calls
        self.waiter = waiter
        lines = ports.map { port in
            let groups = port.transport == .sacn ? port.universes(columns: columns).map(LightCalls.group) : []
            return Line(port: port, groups: groups, status: LightReceiver.Status(name: port.name))
        }
    }

    var indices: Range<Int> { lines.indices }
    var statuses: [LightReceiver.Status] { lines.map(\.status) }

    /// Opens the sockets that are not open; closes those whose interface has gone. Does so once a second.
    mutating func settle(at now: Instant) {
        if let settled, now - settled < .retry { return }
        settled = now
        for place in lines.indices {
            let index = calls.index(lines[place].port.interface)
            if index != lines[place].index { close(place) }
            if index == 0 {
                lines[place].status.problem = "there is no such network interface; check the name with: ip link"
            } else if lines[place].descriptor == nil {
                open(place, index)
            }
        }
    }

    private mutating func open(_ place: Int, _ index: UInt32) {
        let port = lines[place].port
        switch calls.listen(port.interface, UInt16(clamping: port.port ?? port.transport.port), lines[place].groups) {
        case .success(let descriptor):
            (lines[place].descriptor, lines[place].index) = (descriptor, index)
            lines[place].status.problem = nil
            waiter?.watch(descriptor)
        case .failure(let error): lines[place].status.problem = "\(error)"
        }
    }

    private mutating func close(_ place: Int) {
        guard let descriptor = lines[place].descriptor else { return }
        waiter?.forget(descriptor)
        calls.close(descriptor)
        (lines[place].descriptor, lines[place].index) = (nil, 0)
    }

    /// Closes all.
    mutating func close() { for place in lines.indices { close(place) } }

    /// Reads at most `packets` that have come to the port at `place`, and passes the bytes and the sender of each to `take`. Returns
    /// their number.
    mutating func read(_ place: Int, packets: Int, _ take: (UnsafeRawBufferPointer, UInt32) -> Void) -> Int {
        guard let descriptor = lines[place].descriptor else { return 0 }
        for count in 0..<packets {
            let failure: SystemError? = buffer.withUnsafeMutableBytes { buffer in
                switch calls.receive(descriptor, buffer) {
                case .success((let size, let sender)):
                    take(UnsafeRawBufferPointer(rebasing: buffer[..<size]), sender)
                    return nil
                case .failure(let error): return error
                }
            }
            guard let failure else { continue }
            if ![EAGAIN, EINTR].contains(failure.errno) {
                lines[place].status.problem = "\(failure)"
                close(place)
            }
            return count
        }
        return packets
    }
}
