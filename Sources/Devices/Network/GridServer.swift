import Display
import Glibc
import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization

/// The panel as a monome grid for programs on the network, on a thread of its own.
public final class GridServer: PictureInput, Sendable {
    private struct Mailbox: Sendable {
        var device: GridDevice
        /// All properties are ten messages if a program sets and asks for them at once.
        var budget = AnswerBudget(packetMax: 12, secondMax: 48)
        /// Messages to send.
        var outputs: [GridDevice.Output] = []
        var wasTold = false
        var isFollowed = false
        var isNew = false
        var statuses: [PortStatus]
    }

    private let clock: any LoopClock
    private let mailbox: Mutex<Mailbox>
    private let thread = Mutex<PortThread?>(nil)

    /// The ports' places: that of serialosc, and the device's.
    private static let (discovery, own) = (0, 1)
    /// The grid's number as a source.
    static let number = 0
    private static let name = "GRID"

    /// A server with these settings for a panel of `columns`, of the box with this `name`. A change of its lights wakes `clock`
    /// while the panel shows them. Nil if the system has no thread or descriptor to give.
    public convenience init?(_ settings: GridSettings, columns: Int, name: String, clock: any LoopClock) {
        self.init(without: settings, columns: columns, name: name, clock: clock)
        guard let thread = PortThread(Self.ports(settings), pass: { [self] in pass(&$0) }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    /// A server without a thread: call `pass` in its place.
    init(without settings: GridSettings, columns: Int, name: String, clock: any LoopClock) {
        self.clock = clock
        let device = GridDevice(
            settings.size, panelColumns: columns, name: name, port: Self.gridPort(settings))
        mailbox = Mutex(Mailbox(device: device, statuses: Self.ports(settings).map { PortStatus(name: $0.name) }))
    }

    /// The grid's own port, beside that of the list of grids.
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
    public var statuses: [PortStatus] { mailbox.withLock { $0.statuses } }

    /// Lifts all keys and ends the thread.
    public func stop() {
        _ = follow(nil)
        thread.withLock { $0 }?.stop()
    }

    // MARK: The loop's thread

    /// Wakes the loop for its lights only while they are shown. Lifts all keys when they are not shown any more.
    public func follow(_ source: Int?) -> Bool {
        let (isNew, hasOutputs) = mailbox.withLock { mailbox in
            let isFollowed = source == Self.number
            if mailbox.isFollowed, !isFollowed { mailbox.outputs += mailbox.device.liftAll() }
            defer { (mailbox.isNew, mailbox.isFollowed) = (false, isFollowed) }
            return (isFollowed && (mailbox.isNew || !mailbox.isFollowed), !mailbox.outputs.isEmpty)
        }
        if hasOutputs { wake() }
        return isNew
    }

    /// Draws the lights.
    public func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        mailbox.withLock { $0.device.draw(into: &frame, columns: columns, rows: rows) }
    }

    /// Plays the keys under a finger.
    public func touch(_ source: Int, _ touch: Touch) {
        let isDown = touch.phase == .down || touch.phase == .move
        let hasOutputs = mailbox.withLock { mailbox in
            mailbox.outputs += mailbox.device.touch(
                touch.contact, at: isDown ? (column: touch.column, row: touch.row) : nil)
            return !mailbox.outputs.isEmpty
        }
        if hasOutputs { wake() }
    }

    /// Appends that there is a grid, once a program uses it.
    public func read(into events: inout [ControlEvent]) {
        let isNews = mailbox.withLock { mailbox in
            defer { mailbox.wasTold = mailbox.device.isUsed }
            return mailbox.device.isUsed && !mailbox.wasTold
        }
        guard isNews else { return }
        let source = LightSource(number: Self.number, name: Self.name, takesTouches: true)
        events.append(ControlEvent(time: clock.now, event: .lights([source])))
    }

    private func wake() { thread.withLock { $0 }?.wake() }

    // MARK: The server's thread

    /// Reads what has arrived and sends what is to be sent; returns what to wait for then.
    func pass(_ lines: inout PortLines) -> PortRest {
        let now = clock.now
        lines.settle(at: now)
        send(by: lines)
        var isFull = false
        for place in lines.indices {
            let count = lines.read(place, packets: PortThread.packetsMax) { bytes, sender in
                take(OSCMessage.messages(in: bytes), place, sender, at: now)
            }
            isFull = isFull || count == PortThread.packetsMax
            send(by: lines)
        }
        mailbox.withLock { $0.statuses = lines.statuses }
        return isFull ? .pause : .wait(until: nil)
    }

    private func take(_ messages: [OSCMessage], _ place: Int, _ sender: UInt32, at now: Instant) {
        let isNews = mailbox.withLock { mailbox in
            let wasNew = mailbox.isNew || !mailbox.isFollowed && mailbox.device.isUsed
            mailbox.budget.begin(at: now)
            for message in messages {
                let isOwn = place == Self.own
                let answers =
                    isOwn
                    ? mailbox.device.take(message, from: sender) : mailbox.device.discover(message, from: sender)
                if isOwn { mailbox.isNew = true }
                mailbox.outputs += answers.prefix(mailbox.budget.take(answers.count))
            }
            return !wasNew && mailbox.device.isUsed
        }
        if isNews { clock.wake() }
    }

    private func send(by lines: PortLines) {
        let outputs = mailbox.withLock { mailbox in
            defer { mailbox.outputs.removeAll(keepingCapacity: true) }
            return mailbox.outputs
        }
        for output in outputs {
            let place = output.message.address.hasPrefix("/serialosc/") ? Self.discovery : Self.own
            lines.send(output.message.bytes, from: place, to: output.address, output.port)
        }
    }
}
