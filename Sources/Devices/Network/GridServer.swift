import Display
import InputEvents
import Instrument
import Panel
import Runtime

/// The panel as a monome grid for programs on the network, on a thread of its own.
public final class GridServer: PictureInput, NetworkServer {
    private let server: PortServer<GridMailbox>

    /// The grid's number as a source.
    static let number = 0
    private static let name = "GRID"

    /// A server with these settings for a panel of `columns`, of the box with this `name`. A change of its lights wakes
    /// `clock` while the panel shows them. Nil if the system has no thread or descriptor to give.
    public convenience init?(_ settings: GridSettings, columns: Int, name: String, clock: any LoopClock) {
        self.init(unopened: settings, columns: columns, name: name, clock: clock)
        guard server.start() else { return nil }
    }

    /// A server without a thread: call `pass` in its place.
    init(unopened settings: GridSettings, columns: Int, name: String, clock: any LoopClock) {
        let device = GridDevice(
            settings.size, panelColumns: columns, name: name, port: Self.gridPort(settings))
        server = PortServer(Self.ports(settings), GridMailbox(device: device), clock: clock)
    }

    /// The grid's own port, beside the port of the list of grids.
    private static func gridPort(_ settings: GridSettings) -> UInt16 { UInt16(clamping: settings.port + 1) }

    /// The ports of a server with these settings.
    static func ports(_ settings: GridSettings) -> [NetworkPort] {
        [("grids", UInt16(clamping: settings.port)), ("the grid", gridPort(settings))].map { purpose, number in
            NetworkPort(
                name: "\(purpose) at \(settings.interface)", interface: settings.interface, number: number)
        }
    }

    /// The grid as serialosc names it on the network, for the box with this `name`.
    public static func service(_ settings: GridSettings, name: String) -> NetworkService {
        NetworkService(
            "\(settings.size.type) (\(GridDevice.identity(ofBox: name)))", type: "_monome-osc._udp",
            port: gridPort(settings), interface: settings.interface)
    }

    /// The state of each port.
    public var statuses: [PortStatus] { server.statuses }

    /// Lifts all keys and ends the thread.
    public func stop() {
        _ = follow(nil)
        server.stop()
    }

    func pass(_ lines: inout PortLines) -> PortRest { server.pass(&lines) }

    /// Wakes the loop for its lights only while they are shown. Lifts all keys when they are not shown any more.
    public func follow(_ source: Int?) -> Bool {
        server.access { mailbox in
            let isFollowed = source == Self.number
            if mailbox.isFollowed, !isFollowed { mailbox.send(mailbox.device.liftAll()) }
            defer { (mailbox.isNew, mailbox.isFollowed) = (false, isFollowed) }
            return isFollowed && (mailbox.isNew || !mailbox.isFollowed)
        }
    }

    /// Draws the lights.
    public func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        server.access { $0.device.draw(into: &frame, columns: columns, rows: rows) }
    }

    /// Plays the keys under a finger.
    public func touch(_ source: Int, _ touch: Touch) {
        let isDown = touch.phase == .down || touch.phase == .move
        let place = isDown ? (column: touch.column, row: touch.row) : nil
        server.access { $0.send($0.device.touch(touch.contact, at: place)) }
    }

    /// Appends that there is a grid, once a program uses it.
    public func read(into events: inout [ControlEvent]) {
        let isNews = server.access { mailbox in
            defer { mailbox.wasTold = mailbox.device.isUsed }
            return mailbox.device.isUsed && !mailbox.wasTold
        }
        guard isNews else { return }
        let source = LightSource(number: Self.number, name: Self.name, takesTouches: true)
        events.append(ControlEvent(time: server.clock.now, event: .lights([source])))
    }
}

/// The grid, and what the loop knows of it.
struct GridMailbox: PortMailbox {
    var device: GridDevice
    var outputs: [PortPacket] = []
    var wasTold = false
    var isFollowed = false
    var isNew = false
    /// All properties are ten messages if a program sets and asks for them at once.
    private var budget = AnswerBudget(packetMax: 12, secondMax: 48)

    /// Indices of the ports: serialosc's, and the device's.
    private static let (discovery, own) = (0, 1)

    init(device: GridDevice) { self.device = device }

    mutating func receive(_ messages: [OSCMessage], at line: Int, from sender: UInt32, _ now: Instant) -> Bool {
        let wasNew = isNew || !isFollowed && device.isUsed
        budget.begin(at: now)
        for message in messages {
            let isOwn = line == Self.own
            let answers = isOwn ? device.receive(message, from: sender) : device.discover(message, from: sender)
            if isOwn { isNew = true }
            send(Array(answers.prefix(budget.spend(answers.count))))
        }
        return !wasNew && device.isUsed
    }

    /// Has `messages` sent, each by the port that it belongs to.
    mutating func send(_ messages: [GridDevice.Output]) {
        outputs += messages.map {
            let line = $0.message.address.hasPrefix("/serialosc/") ? Self.discovery : Self.own
            return PortPacket(line: line, address: $0.address, port: $0.port, bytes: $0.message.bytes)
        }
    }
}
