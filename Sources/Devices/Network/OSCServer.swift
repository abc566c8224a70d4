import InputEvents
import Instrument
import Panel
import Runtime

/// Programs on the network that play the box by Open Sound Control and are told of it, on a thread of its own.
public final class OSCServer: ControlSource, NetworkServer {
    private let server: PortServer<OSCMailbox>
    private let event: @Sendable (OSCMessage) -> Instrument.Event?

    /// A server at the UDP `port` of `interface`; `event` turns messages into events, on the loop's thread. A message
    /// wakes `clock`. Nil if the system has no thread or descriptor to give.
    public convenience init?(
        interface: String, port: Int, clock: any LoopClock, event: @escaping @Sendable (OSCMessage) -> Instrument.Event?
    ) {
        self.init(unopened: Self.networkPort(interface: interface, port: port), clock: clock, event: event)
        guard server.start() else { return nil }
    }

    /// A server without a thread: call `pass` in its place.
    init(unopened port: NetworkPort, clock: any LoopClock, event: @escaping @Sendable (OSCMessage) -> Instrument.Event?)
    {
        self.event = event
        server = PortServer([port], OSCMailbox(), clock: clock)
    }

    /// The port of a server at the UDP `port` of `interface`.
    static func networkPort(interface: String, port: Int) -> NetworkPort {
        NetworkPort(name: "OSC at \(interface)", interface: interface, number: UInt16(clamping: port))
    }

    /// The state of the port.
    public var statuses: [PortStatus] { server.statuses }

    /// Ends the thread.
    public func stop() { server.stop() }

    func pass(_ lines: inout PortLines) -> PortRest { server.pass(&lines) }

    /// Appends what the programs ask for.
    public func read(into events: inout [ControlEvent]) {
        let messages = server.access { mailbox in
            defer { mailbox.messages.removeAll(keepingCapacity: true) }
            return mailbox.messages
        }
        let now = messages.isEmpty ? Instant.zero : server.clock.now
        for message in messages {
            if let event = event(message) { events.append(ControlEvent(time: now, event: event)) }
        }
    }

    /// Whether any program wants to be told.
    public var hasSubscribers: Bool { server.access { !$0.subscribers.isEmpty } }

    /// Sends `changes` to all subscribers, and `welcome` to new subscribers.
    public func tell(_ changes: [OSCMessage], welcome: () -> [OSCMessage]) {
        let packets = changes.map(\.bytes)
        server.access { mailbox in
            for index in mailbox.subscribers.indices {
                let subscriber = mailbox.subscribers[index]
                for packet in subscriber.isNew ? welcome().map(\.bytes) : packets {
                    mailbox.outputs.append(
                        PortPacket(address: subscriber.address, port: subscriber.port, bytes: packet))
                }
                mailbox.subscribers[index].isNew = false
            }
        }
    }
}

/// Messages from programs, and the programs that subscribe to changes.
struct OSCMailbox: PortMailbox {
    /// A program that wants to be told: the address that it asked from, and the port that it named.
    struct Subscriber: NetworkGuest, Sendable {
        let address: UInt32
        let port: UInt16
        /// When it last asked, in microseconds.
        var last: Int64
        /// Whether it has asked and was not told since: a program may have begun anew.
        var isNew: Bool
    }

    /// Messages for the loop.
    var messages: [OSCMessage] = []
    var subscribers: [Subscriber] = []
    var outputs: [PortPacket] = []
    /// A welcome is twelve messages.
    private var welcomes = AnswerBudget(packetMax: 1, secondMax: 8)

    /// Subscribers at most.
    static let subscribersMax = 8
    /// Duration of a subscription in microseconds; asking again renews it.
    private static let subscription: Int64 = 60_000_000
    /// Messages at most that wait for the loop; others are lost.
    private static let messagesMax = 1024

    private var hasNews: Bool { !messages.isEmpty || subscribers.contains(where: \.isNew) }

    mutating func receive(_ messages: [OSCMessage], at line: Int, from sender: UInt32, _ now: Instant) -> Bool {
        let hadNews = hasNews
        welcomes.begin(at: now)
        for message in messages {
            switch message.address {
            case "/pixelboop/subscribe", "/pixelboop/unsubscribe":
                guard message.arguments.count == 1, let number = message.arguments[0].integer,
                    let port = UInt16(exactly: number), port != 0
                else { continue }
                if message.address.hasSuffix("/subscribe") {
                    subscribe(sender, port, at: now.microseconds)
                } else {
                    subscribers.removeAll { $0.address == sender && $0.port == port }
                }
            default: if self.messages.count < Self.messagesMax { self.messages.append(message) }
            }
        }
        return !hadNews && hasNews
    }

    mutating func update(_ statuses: inout [PortStatus], at now: Instant) -> Bool {
        subscribers.removeAll { now.microseconds - $0.last >= Self.subscription }
        return false
    }

    /// Subscribes a program for a while from `now` on, beginning anew.
    private mutating func subscribe(_ address: UInt32, _ port: UInt16, at now: Int64) {
        let isWelcome = welcomes.spend(1) == 1
        if let index = subscribers.firstIndex(where: { $0.address == address && $0.port == port }) {
            subscribers[index].last = now
            subscribers[index].isNew = subscribers[index].isNew || isWelcome
            return
        }
        guard isWelcome else { return }
        if subscribers.count >= Self.subscribersMax {
            guard let other = subscribers.leastWanted(silence: Self.subscription / 2, at: now) else { return }
            subscribers.remove(at: other)
        }
        subscribers.append(Subscriber(address: address, port: port, last: now, isNew: true))
    }
}
