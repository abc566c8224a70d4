import InputEvents
import Runtime
import Synchronization

/// A server at ports of the network, as the box sees it.
public protocol NetworkServer: AnyObject, Sendable {
    /// The state of each port.
    var statuses: [PortStatus] { get }
    /// Ends the server's thread.
    func stop()
}

/// A packet to send.
struct PortPacket: Sendable {
    /// Index of the port that it leaves by.
    var line = 0
    /// The IPv4 address, in network order, and the UDP port that it goes to.
    var address: UInt32
    var port: UInt16
    var bytes: [UInt8]
}

/// The protocol that a `PortServer` speaks: its state, which the server's thread and the loop share under a lock.
protocol PortMailbox: Sendable {
    /// The content of a packet.
    associatedtype Content

    /// Reads a packet, without the lock.
    static func read(_ packet: UnsafeRawBufferPointer) -> Content

    /// Receives a packet that came from an IPv4 address to the port with index `line`. Returns whether the loop is to
    /// be woken.
    mutating func receive(_ content: Content, at line: Int, from sender: UInt32, _ now: Instant) -> Bool

    /// Follows the time after the packets of each pass, and may add problems of senders to `statuses`. Returns whether
    /// the loop is to be woken.
    mutating func update(_ statuses: inout [PortStatus], at now: Instant) -> Bool

    /// Time at which `update` is due; nil for none.
    var deadline: Instant? { get }

    /// The packets to send.
    var outputs: [PortPacket] { get set }
}

extension PortMailbox {
    mutating func update(_ statuses: inout [PortStatus], at now: Instant) -> Bool { false }
    var deadline: Instant? { nil }
}

extension PortMailbox where Content == [OSCMessage] {
    static func read(_ packet: UnsafeRawBufferPointer) -> [OSCMessage] { OSCMessage.messages(in: packet) }
}

/// A server at UDP ports, on a thread of its own. It reads packets, sends the answers, and wakes the loop when there is
/// something to read.
final class PortServer<Mailbox: PortMailbox>: Sendable {
    private struct State: Sendable {
        var mailbox: Mailbox
        var statuses: [PortStatus]
    }

    let clock: any LoopClock
    private let ports: [NetworkPort]
    private let state: Mutex<State>
    private let thread = Mutex<PortThread?>(nil)

    /// A server without a thread: `start` it, or call `pass` in its place.
    init(_ ports: [NetworkPort], _ mailbox: Mailbox, clock: any LoopClock) {
        self.clock = clock
        self.ports = ports
        state = Mutex(State(mailbox: mailbox, statuses: ports.map { PortStatus(name: $0.name) }))
    }

    /// Starts the thread; returns false if the system has no thread or descriptor to give.
    func start() -> Bool {
        let started = PortThread(ports) { [self] in pass(&$0) }
        thread.withLock { $0 = started }
        return started != nil
    }

    /// Ends the thread.
    func stop() { thread.withLock { $0 }?.stop() }

    /// The state of each port.
    var statuses: [PortStatus] { state.withLock { $0.statuses } }

    // MARK: The loop's thread

    /// Reads or changes the mailbox, then has the packets sent that `body` has added.
    func access<Value: Sendable>(_ body: (inout Mailbox) -> Value) -> Value {
        let (value, hasOutputs) = state.withLock { state in
            let value = body(&state.mailbox)
            return (value, !state.mailbox.outputs.isEmpty)
        }
        if hasOutputs { thread.withLock { $0 }?.wake() }
        return value
    }

    // MARK: The server's thread

    /// Reads what has arrived and sends what is to be sent; returns what to wait for then.
    func pass(_ lines: inout PortLines) -> PortRest {
        let now = clock.now
        lines.refresh(at: now)
        send(by: lines)
        var isFull = false
        for line in lines.indices {
            let count = lines.read(line, packets: PortThread.packetsMax) { packet, sender in
                let content = Mailbox.read(packet)
                let isWanted = state.withLock { $0.mailbox.receive(content, at: line, from: sender, now) }
                if isWanted { clock.wake() }
            }
            isFull = isFull || count == PortThread.packetsMax
            send(by: lines)
        }
        let (isWanted, deadline) = state.withLock { state in
            state.statuses = lines.statuses
            let isWanted = state.mailbox.update(&state.statuses, at: now)
            return (isWanted, state.mailbox.deadline)
        }
        if isWanted { clock.wake() }
        return isFull ? .pause : .wait(until: deadline)
    }

    private func send(by lines: PortLines) {
        let outputs = state.withLock { state in
            defer { state.mailbox.outputs.removeAll(keepingCapacity: true) }
            return state.mailbox.outputs
        }
        for output in outputs { lines.send(output.bytes, from: output.line, to: output.address, output.port) }
    }
}
