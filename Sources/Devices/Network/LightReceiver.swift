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
        /// Whether the source that the panel shows has a new picture.
        var isNew = false
        var statuses: [PortStatus]

        /// Notes that these sources have completed pictures; returns whether the panel shows one of them and had no new picture yet.
        mutating func note(_ done: [Int]) -> Bool {
            guard let followed = reception.followed, done.contains(followed) else { return false }
            defer { isNew = true }
            return !isNew
        }
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
            let isOther = mailbox.reception.followed != source
            mailbox.reception.followed = source
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

    /// Reads what has arrived; returns what to wait for then.
    func pass(_ lines: inout PortLines) -> PortRest {
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
        if settle(lines.statuses, at: now) || isWanted { clock.wake() }
        if isFull { return .pause }
        let deadline = mailbox.withLock { $0.reception.deadline }
        return .wait(until: deadline.map { Instant(microseconds: $0) })
    }

    /// Takes a packet; returns whether the loop is to be woken for a picture that is complete with it.
    private func take(_ bytes: UnsafeRawBufferPointer, _ port: Int, _ sender: UInt32, at now: Instant) -> Bool {
        mailbox.withLock { mailbox in
            mailbox.note(mailbox.reception.take(bytes, port: port, from: sender, at: now.microseconds))
        }
    }

    /// Completes the pictures whose time has come, and puts the sources into the mailbox if they have changed; returns whether the loop
    /// is to be woken.
    private func settle(_ statuses: [PortStatus], at now: Instant) -> Bool {
        mailbox.withLock { mailbox in
            let isWanted = mailbox.note(mailbox.reception.settle(at: now.microseconds))
            let sources = mailbox.reception.sources
            mailbox.statuses = statuses
            for source in sources where mailbox.statuses[source.port].problem == nil {
                mailbox.statuses[source.port].problem = source.foreignForm.map {
                    "\(UDPCalls.text(of: source.address)) sends \($0); set it to RGB with 8 bits a colour"
                }
            }
            let isSame =
                sources.count == mailbox.told.count
                && zip(sources, mailbox.told).allSatisfy { $0.number == $1.number && $0.name == $1.name.text }
            guard !isSame else { return isWanted }
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
            groups: port.universes(columns: columns).compactMap(port.transport.group))
    }
}
