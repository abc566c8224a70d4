import Glibc
import InputEvents
import Synchronization
import Threads

/// A UDP port at which other machines are heard.
struct NetworkPort: Sendable {
    /// Its purpose and its interface, for messages.
    var name: String
    /// The network interface: nothing is received by others.
    var interface: String
    /// The number of the port.
    var number: UInt16
    /// Groups of multicast to join, in network order.
    var groups: [UInt32] = []
}

/// The state of a port.
public struct PortStatus: Hashable, Sendable {
    /// Its purpose and its interface.
    public var name: String
    /// Why nothing can arrive; nil if it can.
    public var problem: String?
}

/// The sockets of ports.
struct PortLines {
    private struct Line {
        let port: NetworkPort
        var descriptor: Int32?
        /// The interface's index when the socket was opened, and its networks.
        var index: UInt32 = 0
        var networks: [InterfaceNetwork] = []
        var status: PortStatus
    }

    private var lines: [Line]
    private let calls: UDPCalls
    private let waiter: SystemClock?
    /// Room for the longest packet: some senders put a whole picture into one.
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var settled: Instant?

    /// No socket yet. What arrives ends the wait of `waiter`.
    init(_ ports: [NetworkPort], _ calls: UDPCalls, _ waiter: SystemClock? = nil) {
        self.calls = calls
        self.waiter = waiter
        lines = ports.map { Line(port: $0, status: PortStatus(name: $0.name)) }
    }

    var indices: Range<Int> { lines.indices }
    var statuses: [PortStatus] { lines.map(\.status) }

    /// Opens the sockets that are not open; closes sockets whose interface has gone. Does so once a second.
    mutating func refresh(at now: Instant) {
        if let settled, now - settled < .retry { return }
        settled = now
        for place in lines.indices {
            let index = calls.index(lines[place].port.interface)
            if index != lines[place].index { close(place) }
            lines[place].networks = index == 0 ? [] : calls.networks(lines[place].port.interface)
            if index == 0 {
                lines[place].status.problem = "there is no such network interface; check the name with: ip link"
            } else if lines[place].descriptor == nil {
                open(place, index)
            }
        }
    }

    private mutating func open(_ place: Int, _ index: UInt32) {
        let port = lines[place].port
        switch calls.listen(port.interface, port.number, port.groups) {
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

    /// Reads at most `packets` that have come to the port at `place`, and passes the bytes and the sender of each to
    /// `handle`. Returns their number.
    mutating func read(_ place: Int, packets: Int, _ handle: (UnsafeRawBufferPointer, UInt32) -> Void) -> Int {
        guard let descriptor = lines[place].descriptor else { return 0 }
        for count in 0..<packets {
            let failure: SystemError? = buffer.withUnsafeMutableBytes { buffer in
                switch calls.receive(descriptor, buffer) {
                case .success((let size, let sender)):
                    handle(UnsafeRawBufferPointer(rebasing: buffer[..<size]), sender)
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

    /// Sends a packet from the port at `place` to another machine of its networks, or to another program of this one.
    /// Nothing is sent elsewhere: who a packet came from is easily made up. A packet that the system does not take is
    /// lost.
    func send(_ packet: [UInt8], from place: Int, to address: UInt32, _ port: UInt16) {
        guard let descriptor = lines[place].descriptor, lines[place].networks.contains(where: { $0.reaches(address) })
        else { return }
        let isOwnPort = lines.contains { $0.port.number == port }
        if isOwnPort, lines.contains(where: { $0.networks.contains { $0.isOwn(address) } }) { return }
        _ = packet.withUnsafeBytes { calls.send(descriptor, $0, address, port) }
    }
}

/// How long a thread of ports waits for its next pass.
enum PortRest: Hashable, Sendable {
    /// A short pause: more packets have come than one pass reads.
    case pause
    /// Until a packet comes, or until then; nil for a while.
    case wait(until: Instant?)
}

/// A thread that reads ports. It reads no more packets in a time than many senders need: the kernel drops the rest of a
/// flood.
final class PortThread: Sendable {
    private let isStopping = Atomic<Bool>(false)
    private let thread = Mutex<OwnThread?>(nil)
    /// The thread's wait for a packet, and for the end of a pause.
    private let waiter: SystemClock
    private let pause = MonotonicSemaphore()

    /// Packets that are read from a port at once, and the pause if there are more: 6400 a second.
    static let packetsMax = 64
    private static let pauseLength = Instant.Span.milliseconds(10)
    /// Time after which `pass` is called without a packet.
    private static let interval = Instant.Span.milliseconds(250)

    /// A thread that calls `pass` when packets have come to `ports`, a few times a second, and when it says so. Nil if
    /// the system has no thread or descriptor to give.
    init?(_ ports: [NetworkPort], pass: @escaping @Sendable (inout PortLines) -> PortRest) {
        guard let waiter = try? SystemClock() else { return nil }
        self.waiter = waiter
        let lines = PortLines(ports, .linux, waiter)
        guard let thread = OwnThread(body: { [self] in run(lines, pass) }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    private func run(_ lines: PortLines, _ pass: (inout PortLines) -> PortRest) {
        var lines = lines
        while !isStopping.load(ordering: .acquiring) {
            switch pass(&lines) {
            case .pause: pause.wait(timeout: Self.pauseLength)
            case .wait(let end):
                let last = waiter.now + Self.interval
                waiter.wait(until: min(end ?? last, last))
            }
        }
        _ = pass(&lines)
        lines.close()
    }

    /// Has `pass` called soon.
    func wake() { waiter.wake() }

    /// Ends the thread, after a last call of `pass`.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        waiter.wake()
        pause.signal()
        thread.join()
    }
}
