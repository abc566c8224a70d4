import Display
import Glibc
import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization

/// Receives the pictures that other machines send, on a thread of its own.
public final class LightReceiver: PictureInput, Sendable {
    private struct Mailbox: Sendable {
        var reception: LightReception
        /// What the instrument was told, and what it is to be told; nil for nothing new.
        var told: [LightSource] = []
        var news: [LightSource]?
        /// The source that the panel shows; whether it has a new picture.
        var followed: Int?
        var isNew = false
        var statuses: [PortStatus]
    }

    private let clock: any LoopClock
    private let mailbox: Mutex<Mailbox>
    private let thread = Mutex<PortThread?>(nil)

    /// A receiver at `ports` for a panel of `columns`. A new picture of the source that the panel shows wakes `clock`. Nil if the
    /// system has no thread or descriptor to give.
    public convenience init?(_ ports: [LightPort], columns: Int, clock: any LoopClock) {
        self.init(without: ports, columns: columns, clock: clock)
        let thread = PortThread(ports.map { NetworkPort($0, columns: columns) }) { [self] in pass(&$0) }
        guard let thread else { return nil }
        self.thread.withLock { $0 = thread }
    }

    /// A receiver without a thread: call `pass` in its place.
    init(without ports: [LightPort], columns: Int, clock: any LoopClock) {
        self.clock = clock
        mailbox = Mutex(
            Mailbox(
                reception: LightReception(ports, columns: columns),
                statuses: ports.map { PortStatus(name: $0.name) }))
    }

    /// The state of each port.
    public var statuses: [PortStatus] { mailbox.withLock { $0.statuses } }

    /// Ends the thread.
    public func stop() { thread.withLock { $0 }?.stop() }

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

    /// Reads what has arrived; returns whether there may be more.
    func pass(_ lines: inout PortLines) -> Bool {
        let now = clock.now
        lines.settle(at: now)
        var isFull = false
        var isWanted = false
        for port in lines.indices {
            let count = lines.read(port, packets: PortThread.packetsMax) { bytes, sender in
                isWanted = take(bytes, port, sender, at: now) || isWanted
            }
            isFull = isFull || count == PortThread.packetsMax
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
    private func tellSources(_ statuses: [PortStatus], at now: Instant) -> Bool {
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

extension NetworkPort {
    /// The port for light to a panel of `columns`.
    init(_ port: LightPort, columns: Int) {
        self.init(
            name: port.name, interface: port.interface, number: UInt16(clamping: port.port ?? port.transport.port),
            groups: port.transport == .sacn ? port.universes(columns: columns).map(UDPCalls.group) : [])
    }
}
