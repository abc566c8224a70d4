import Display
import Glibc
import InputEvents
import Panel
import Runtime
import Synchronization
import Threads

/// Sends the panel's picture to walls of lights, on a thread of its own: the panel never waits for a network. It takes
/// the newest picture; a wall that shows fewer a second misses some.
public final class WallSender: PictureOutput, Sendable {
    /// The state of a wall.
    public struct Status: Hashable, Sendable {
        /// The protocol and the address.
        public var name: String
        /// Pictures sent.
        public var pictures = 0
        /// Packets that the system did not take.
        public var lost = 0
        /// Why nothing is sent; nil if it is.
        public var problem: String?
    }

    private struct Mailbox: Sendable {
        var drawn: [RGB]
        var lit: [RGB]
        var isNew = false
        var isOn = true
        var isStopping = false
        var statuses: [Status]
    }

    private let clock: any LoopClock
    private let calls: UDPCalls
    private let mailbox: Mutex<Mailbox>
    /// Signals that the mailbox has changed since the thread last read it.
    private let changes: any TimedSemaphore
    private let wantsLit: Bool
    private let thread = Mutex<OwnThread?>(nil)

    /// Interval at which an unchanged picture is sent again: a wall may have been switched on, and sACN (E1.31 6.7.1)
    /// takes a source for lost after 2.5 s.
    private static let refresh = Instant.Span.milliseconds(1000)
    private static let none = Instant.Span.milliseconds(0)

    /// A sender to `walls` of the pictures of a panel with this configuration; `name` is the box's name. Throws
    /// `PanelError` for a wall that cannot be; nil if the system cannot create a thread.
    public convenience init?(
        _ walls: [Wall], _ panel: PanelConfiguration, name: String, clock: any LoopClock
    ) throws(PanelError) {
        try self.init(walls, panel, name: name, clock: clock, changes: MonotonicSemaphore(), calls: .linux)
    }

    init?(
        _ walls: [Wall], _ panel: PanelConfiguration, name: String, clock: any LoopClock, changes: any TimedSemaphore,
        calls: UDPCalls
    ) throws(PanelError) {
        self.clock = clock
        self.changes = changes
        self.calls = calls
        wantsLit = walls.contains { $0.stage == .lit }
        let dark = [RGB](repeating: .black, count: panel.columns * PanelConfiguration.rows)
        mailbox = Mutex(Mailbox(drawn: dark, lit: dark, statuses: walls.map { Status(name: $0.name) }))
        var lines: [WallLine] = []
        for (number, wall) in walls.enumerated() { lines.append(try WallLine(wall, number, panel, name: name)) }
        let pictures = Pictures(dark, guards: !panel.flashGuard, columns: panel.columns)
        guard let thread = OwnThread(body: { [self, lines] in send(pictures, lines) }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    /// Writes the picture into the mailbox.
    public func show(_ drawn: [RGB], by driver: PanelDriver) {
        let wasNew = mailbox.withLock { mailbox in
            mailbox.drawn.replaceSubrange(0..., with: drawn)
            if wantsLit { driver.dim(drawn, into: &mailbox.lit) }
            defer { mailbox.isNew = true }
            return mailbox.isNew
        }
        if !wasNew { changes.signal() }
    }

    /// The state of each wall.
    public var statuses: [Status] { mailbox.withLock { $0.statuses } }

    /// Whether light goes out. A wall becomes dark when it ends.
    public var isOn: Bool {
        get { mailbox.withLock { $0.isOn } }
        set {
            let isOther = mailbox.withLock { mailbox in
                defer { mailbox.isOn = newValue }
                return mailbox.isOn != newValue
            }
            if isOther { changes.signal() }
        }
    }

    /// Sends the newest picture, ends the streams and the thread; returns when that is done.
    public func stop() {
        mailbox.withLock { $0.isStopping = true }
        changes.signal()
        thread.join()
    }

    private func send(_ pictures: Pictures, _ lines: [WallLine]) {
        var (pictures, lines) = (pictures, lines)
        var pause = Self.refresh
        var isLast = false
        var (isOn, wasOn) = (true, true)
        while !isLast {
            changes.wait(timeout: pause)
            let now = clock.now
            let isNew = mailbox.withLock { mailbox in
                isLast = mailbox.isStopping
                isOn = mailbox.isOn
                defer { mailbox.isNew = false }
                let isNew = mailbox.isNew || isOn && !wasOn
                if isNew { pictures.set(drawn: mailbox.drawn, lit: mailbox.lit) }
                return isNew
            }
            if !isOn { pictures.darken() }
            pictures.limitFlashes(at: now)
            pause = Self.refresh
            let ends = wasOn && (isLast || !isOn)
            defer { wasOn = isOn }
            for place in lines.indices where isOn || wasOn {
                if isNew || pictures.isHolding { lines[place].isPending = true }
                let wait = ends ? Self.none : lines[place].wait(at: now, refresh: Self.refresh)
                if wait <= Self.none {
                    lines[place].send(pictures, at: now, by: calls)
                    if ends { lines[place].end(by: calls) }
                }
                pause = min(pause, max(lines[place].wait(at: now, refresh: Self.refresh), Self.none))
            }
            mailbox.withLock { mailbox in
                for place in lines.indices { mailbox.statuses[place] = lines[place].status }
            }
        }
    }
}

/// The newest picture of each stage.
private struct Pictures {
    private(set) var drawn: [RGB]
    private(set) var lit: [RGB]
    /// The guards of both if the panel has none: what leaves has no flashes.
    private var guards: (drawn: FlashGuard, lit: FlashGuard)?

    init(_ dark: [RGB], guards: Bool, columns: Int) {
        (drawn, lit) = (dark, dark)
        let guardian = FlashGuard(columns: columns, rows: PanelConfiguration.rows)
        self.guards = guards ? (guardian, guardian) : nil
    }

    mutating func darken() {
        for place in drawn.indices { (drawn[place], lit[place]) = (.black, .black) }
    }

    mutating func set(drawn: [RGB], lit: [RGB]) {
        self.drawn.replaceSubrange(0..., with: drawn)
        self.lit.replaceSubrange(0..., with: lit)
    }

    /// Limits the flashes of the pictures that are sent at `now`.
    mutating func limitFlashes(at now: Instant) {
        guards?.drawn.limit(drawn, at: now.microseconds)
        guards?.lit.limit(lit, at: now.microseconds)
    }

    /// Whether a guard shows less than the picture.
    var isHolding: Bool { guards.map { $0.drawn.isHolding || $0.lit.isHolding } ?? false }

    func pixels(_ stage: Wall.Stage) -> [RGB] {
        switch stage {
        case .drawn: guards?.drawn.shown ?? drawn
        case .lit: guards?.lit.shown ?? lit
        }
    }
}

/// The connection to one wall: its picture, its packets and its socket.
private struct WallLine {
    private let wall: Wall
    private var picture: WallPicture
    private var packets: LightPackets
    private let interval: Instant.Span
    /// The address of each packet.
    private let addresses: [UInt32]
    private let port: UInt16
    private var descriptor: Int32?
    /// When the last picture was due; nil before the first.
    private var last: Instant?
    /// Whether there is a picture that was not sent.
    var isPending = true
    private(set) var status: WallSender.Status

    init(_ wall: Wall, _ number: Int, _ panel: PanelConfiguration, name: String) throws(PanelError) {
        self.wall = wall
        status = WallSender.Status(name: wall.name)
        picture = try WallPicture(wall, panelColumns: panel.columns)
        packets = LightPackets(
            wall.transport, count: picture.bytes.count, universe: wall.firstUniverse,
            identity: Self.identity(name, number), name: name)
        interval = Instant.Span(microseconds: 1_000_000 / Int64(wall.rate ?? wall.transport.rateMax))
        port = UInt16(clamping: wall.port ?? wall.transport.port)
        addresses = packets.universes.map { wall.target(ofUniverse: $0 ?? 0) }
    }

    /// The identity of a sender, for protocols that have one: a UUID of RFC 4122, the same each time for a name and a
    /// number.
    private static func identity(_ name: String, _ number: Int) -> [UInt8] {
        // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/, twice 64 bits.
        var bytes: [UInt8] = []
        for half in 0..<2 {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in Array("pixelboop \(half) \(number) \(name)".utf8) {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt64($0))) }
        }
        // Version 8, of one's own making, and the variant.
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes
    }

    /// Time until the next picture is due.
    func wait(at now: Instant, refresh: Instant.Span) -> Instant.Span {
        guard let last else { return .milliseconds(0) }
        return last + (isPending && status.problem == nil ? interval : refresh) - now
    }

    /// Sends the newest of `pictures`.
    mutating func send(_ pictures: Pictures, at now: Instant, by calls: UDPCalls) {
        // By the due time if it was kept, so that delays do not add up.
        let due = last.map { $0 + interval } ?? now
        last = due <= now && now - due < interval ? due : now
        isPending = false
        picture.draw(pictures.pixels(wall.stage))
        packets.write(picture.bytes)
        if transmit(by: calls) { status.pictures += 1 }
    }

    /// Ends the stream, as its protocol asks: several times, as one may be lost.
    mutating func end(by calls: UDPCalls) {
        for _ in 0..<wall.transport.endCount {
            packets.end()
            _ = transmit(by: calls)
        }
        close(by: calls)
    }

    private mutating func close(by calls: UDPCalls) {
        if let descriptor { calls.close(descriptor) }
        descriptor = nil
    }

    /// Sends the packets; returns whether all were taken.
    private mutating func transmit(by calls: UDPCalls) -> Bool {
        if descriptor == nil {
            switch calls.open(wall.interface) {
            case .success(let opened): descriptor = opened
            case .failure(let error):
                status.problem = "\(error)"
                return false
            }
        }
        guard let descriptor else { return false }
        var failure: SystemError?
        for (packet, address) in zip(packets.packets, addresses) {
            let result = packet.withUnsafeBytes { calls.send(descriptor, $0, address, port) }
            guard case .failure(let error) = result else { continue }
            status.lost += 1
            // A full buffer is empty again soon, and a refused port is an error of the packet before.
            if !error.isTransient { failure = error }
        }
        status.problem = failure.map { "\($0)" }
        // The interface may have gone; its name is looked up when a socket is opened.
        if failure != nil { close(by: calls) }
        return failure == nil
    }
}

extension Wall {
    /// IPv4 address of the light of `universe`, in network order: the wall's own, or a multicast address. A configured
    /// wall of a protocol without multicast always has its own.
    func target(ofUniverse universe: Int) -> UInt32 {
        address.flatMap(UDPCalls.address) ?? transport.group(ofUniverse: universe) ?? INADDR_ANY
    }
}

extension SystemError {
    /// Whether the next packet may be taken.
    fileprivate var isTransient: Bool { [EAGAIN, ENOBUFS, EINTR, ECONNREFUSED].contains(errno) }
}
