import Display
import InputEvents
import Instrument
import Panel
import Runtime

/// Receives the pictures that other machines send, on a thread of its own.
public final class LightReceiver: PictureInput, NetworkServer {
    private let server: PortServer<LightMailbox>

    /// A receiver at `ports` for a panel of `columns`. A new picture of the source that the panel shows wakes `clock`.
    /// Nil if the system has no thread or descriptor to give.
    public convenience init?(_ ports: [LightPort], columns: Int, clock: any LoopClock) {
        self.init(unopened: ports, columns: columns, clock: clock)
        guard server.start() else { return nil }
    }

    /// A receiver without a thread: call `pass` in its place.
    init(unopened ports: [LightPort], columns: Int, clock: any LoopClock) {
        server = PortServer(
            ports.map { NetworkPort($0, columns: columns) },
            LightMailbox(reception: LightReception(ports, columns: columns)), clock: clock)
    }

    /// The state of each port.
    public var statuses: [PortStatus] { server.statuses }

    /// Ends the thread.
    public func stop() { server.stop() }

    func pass(_ lines: inout PortLines) -> PortRest { server.pass(&lines) }

    /// Wakes the loop for this source only; nil for none.
    public func follow(_ source: Int?) -> Bool {
        server.access { mailbox in
            defer { mailbox.isNew = false }
            let isOther = mailbox.reception.followed != source
            mailbox.reception.followed = source
            return mailbox.isNew || isOther
        }
    }

    /// Draws the newest picture of a source.
    public func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        server.access { mailbox in
            guard let found = mailbox.reception.sources.first(where: { $0.number == source }) else { return }
            found.picture.draw(into: &frame, columns: columns, rows: rows)
        }
    }

    /// Appends who sends, if that has changed.
    public func read(into events: inout [ControlEvent]) {
        let news = server.access { mailbox in
            defer { mailbox.news = nil }
            return mailbox.news
        }
        if let news { events.append(ControlEvent(time: server.clock.now, event: .lights(news))) }
    }
}

/// The pictures, and what the loop knows of them.
struct LightMailbox: PortMailbox {
    var reception: LightReception
    /// The sources of the last event to the instrument.
    private var told: [LightSource] = []
    /// The sources of the next event; nil if they have not changed.
    var news: [LightSource]?
    /// Whether the source that the panel shows has a new picture.
    var isNew = false
    /// Always empty: a receiver of light answers nobody.
    var outputs: [PortPacket] = []

    init(reception: LightReception) { self.reception = reception }

    static func read(_ packet: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer { packet }

    mutating func receive(_ packet: UnsafeRawBufferPointer, at line: Int, from sender: UInt32, _ now: Instant) -> Bool {
        note(reception.receive(packet, port: line, from: sender, at: now.microseconds))
    }

    /// Completes the pictures whose time has come, and notes the sources if they have changed.
    mutating func update(_ statuses: inout [PortStatus], at now: Instant) -> Bool {
        let isWanted = note(reception.advance(to: now.microseconds))
        let sources = reception.sources
        for source in sources where statuses[source.port].problem == nil {
            statuses[source.port].problem = source.foreignForm.map {
                "\(UDPCalls.text(of: source.address)) sends \($0); set it to RGB with 8 bits a colour"
            }
        }
        let isSame =
            sources.count == told.count
            && zip(sources, told).allSatisfy { $0.number == $1.number && $0.name == $1.name.text }
        guard !isSame else { return isWanted }
        told = sources.map { LightSource(number: $0.number, name: $0.name) }
        news = told
        return true
    }

    var deadline: Instant? { reception.deadline.map { Instant(microseconds: $0) } }

    /// Notes that these sources have completed pictures; returns whether the panel shows one of them and had no new
    /// picture yet.
    private mutating func note(_ done: [Int]) -> Bool {
        guard let followed = reception.followed, done.contains(followed) else { return false }
        defer { isNew = true }
        return !isNew
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
