import Glibc
import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization

/// Programs on the network that play the box by Open Sound Control and are told of it, on a thread of its own.
public final class OSCServer: ControlSource, Sendable {
    /// A program that wants to be told: the address that it asked from, and the port that it named.
    private struct Subscriber: Hashable, Sendable {
        var address: UInt32
        var port: UInt16
    }

    private struct Mailbox: Sendable {
        var messages: [OSCMessage] = []
        /// The subscribers and the ends of their time.
        var subscribers: [Subscriber: Instant] = [:]
        /// Those who asked, and were not told since: a program may have begun anew.
        var newcomers: [Subscriber] = []
        /// A welcome is twelve messages.
        var welcomes = AnswerBudget(packetMax: 1, secondMax: 8)
        var outputs: [(to: Subscriber, packet: [UInt8])] = []
        var statuses: [PortStatus]

        /// Tells `subscriber` for a while from `now` on, beginning anew.
        mutating func subscribe(_ subscriber: Subscriber, at now: Instant) {
            let isWelcome = welcomes.take(1) == 1
            guard isWelcome || subscribers[subscriber] != nil else { return }
            if subscribers[subscriber] == nil, subscribers.count >= OSCServer.subscribersMax {
                guard let other = leastWanted(at: now) else { return }
                unsubscribe(other)
            }
            subscribers[subscriber] = now + OSCServer.subscription
            if isWelcome, !newcomers.contains(subscriber) { newcomers.append(subscriber) }
        }

        mutating func unsubscribe(_ subscriber: Subscriber) {
            newcomers.removeAll { $0 == subscriber }
            subscribers[subscriber] = nil
        }

        /// The subscriber that makes room for another: one of the address with most of them, or one that has not asked for half of its time;
        /// of these the one that asked first. Nil if each must stay.
        private func leastWanted(at now: Instant) -> Subscriber? {
            func count(_ one: Subscriber) -> Int { subscribers.keys.count { $0.address == one.address } }
            let most = subscribers.keys.map(count).max() ?? 0
            let half = Instant.Span(microseconds: OSCServer.subscription.microseconds / 2)
            return
                subscribers
                .filter { most > 1 && count($0.key) == most || $0.value - now <= half }
                .min { ($0.value, $0.key.address, $0.key.port) < ($1.value, $1.key.address, $1.key.port) }?.key
        }
    }

    private let clock: any LoopClock
    private let event: @Sendable (OSCMessage) -> Instrument.Event?
    private let mailbox: Mutex<Mailbox>
    private let thread = Mutex<PortThread?>(nil)

    /// Subscribers at most.
    static let subscribersMax = 8
    /// Time after which a subscriber that has not asked again is told no more.
    static let subscription = Instant.Span.milliseconds(60_000)
    /// Messages at most that wait for the loop; others are lost.
    private static let messagesMax = 1024

    /// A server at the UDP `port` of `interface`; `event` turns messages into events, on the loop's thread. A message wakes `clock`. Nil
    /// if the system has no thread or descriptor to give.
    public convenience init?(
        interface: String, port: Int, clock: any LoopClock, event: @escaping @Sendable (OSCMessage) -> Instrument.Event?
    ) {
        self.init(withoutThreadAt: interface, clock: clock, event: event)
        let ports = [Self.networkPort(interface: interface, port: port)]
        guard let thread = PortThread(ports, pass: { [self] in pass(&$0) }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    /// A server without a thread: call `pass` in its place.
    init(
        withoutThreadAt interface: String, clock: any LoopClock,
        event: @escaping @Sendable (OSCMessage) -> Instrument.Event?
    ) {
        self.clock = clock
        self.event = event
        mailbox = Mutex(Mailbox(statuses: [PortStatus(name: Self.name(interface))]))
    }

    private static func name(_ interface: String) -> String { "OSC at \(interface)" }

    /// The port of a server at the UDP `port` of `interface`.
    static func networkPort(interface: String, port: Int) -> NetworkPort {
        NetworkPort(name: name(interface), interface: interface, number: UInt16(clamping: port))
    }

    /// The state of the port.
    public var statuses: [PortStatus] { mailbox.withLock { $0.statuses } }

    /// Ends the thread.
    public func stop() { thread.withLock { $0 }?.stop() }

    // MARK: The loop's thread

    /// Appends what the programs ask for.
    public func read(into events: inout [ControlEvent]) {
        let messages = mailbox.withLock { mailbox in
            defer { mailbox.messages.removeAll(keepingCapacity: true) }
            return mailbox.messages
        }
        let now = messages.isEmpty ? Instant.zero : clock.now
        for message in messages {
            if let event = event(message) { events.append(ControlEvent(time: now, event: event)) }
        }
    }

    /// Whether any program wants to be told.
    public var hasSubscribers: Bool { mailbox.withLock { !$0.subscribers.isEmpty } }

    /// Tells all subscribers the `changes`, and those who have just asked `welcome`.
    public func tell(_ changes: [OSCMessage], welcome: () -> [OSCMessage]) {
        let hasOutputs = mailbox.withLock { mailbox in
            for subscriber in mailbox.newcomers {
                for message in welcome() { mailbox.outputs.append((subscriber, message.bytes)) }
            }
            for message in changes {
                let packet = message.bytes
                for subscriber in mailbox.subscribers.keys where !mailbox.newcomers.contains(subscriber) {
                    mailbox.outputs.append((subscriber, packet))
                }
            }
            mailbox.newcomers = []
            return !mailbox.outputs.isEmpty
        }
        if hasOutputs { thread.withLock { $0 }?.wake() }
    }

    // MARK: The server's thread

    /// Reads what has arrived and sends what is to be sent; returns what to wait for then.
    func pass(_ lines: inout PortLines) -> PortRest {
        let now = clock.now
        lines.settle(at: now)
        let count = lines.read(0, packets: PortThread.packetsMax) { bytes, sender in
            take(OSCMessage.messages(in: bytes), from: sender, at: now)
        }
        let outputs = mailbox.withLock { mailbox in
            mailbox.statuses = lines.statuses
            for (subscriber, end) in mailbox.subscribers where end <= now { mailbox.subscribers[subscriber] = nil }
            defer { mailbox.outputs.removeAll(keepingCapacity: true) }
            return mailbox.outputs
        }
        for (subscriber, packet) in outputs { lines.send(packet, from: 0, to: subscriber.address, subscriber.port) }
        return count == PortThread.packetsMax ? .pause : .wait(until: nil)
    }

    private func take(_ messages: [OSCMessage], from sender: UInt32, at now: Instant) {
        let isNew = mailbox.withLock { mailbox in
            let wasEmpty = mailbox.messages.isEmpty && mailbox.newcomers.isEmpty
            mailbox.welcomes.begin(at: now)
            for message in messages {
                switch message.address {
                case "/pixelboop/subscribe", "/pixelboop/unsubscribe":
                    guard message.arguments.count == 1, let number = message.arguments[0].integer,
                        let port = UInt16(exactly: number), port != 0
                    else { continue }
                    let subscriber = Subscriber(address: sender, port: port)
                    if message.address.hasSuffix("/subscribe") {
                        mailbox.subscribe(subscriber, at: now)
                    } else {
                        mailbox.unsubscribe(subscriber)
                    }
                default: if mailbox.messages.count < Self.messagesMax { mailbox.messages.append(message) }
                }
            }
            return wasEmpty && !(mailbox.messages.isEmpty && mailbox.newcomers.isEmpty)
        }
        if isNew { clock.wake() }
    }
}
