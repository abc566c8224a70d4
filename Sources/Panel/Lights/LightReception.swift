/// A UDP port at which the light of other machines arrives.
public struct LightPort: Hashable, Sendable {
    /// How the light is sent.
    public var transport = LightProtocol.ddp
    /// The network interface that it arrives by.
    public var interface: String
    /// UDP port; nil for the protocol's own port.
    public var port: Int?
    /// The first universe; nil for the protocol's first. The others follow.
    public var universe: Int?

    /// Ports at most.
    public static let countMax = 6

    /// Its protocol and interface, for messages.
    public var name: String { "\(transport.name) from \(interface)" }

    /// The first universe.
    var firstUniverse: Int { universe ?? transport.firstUniverse }

    /// The universes of a panel of `columns`.
    public func universes(columns: Int) -> Range<Int> {
        firstUniverse..<firstUniverse + (3 * columns * PanelConfiguration.rows + transport.chunk - 1) / transport.chunk
    }

    /// A port for DDP at `interface`.
    public init(interface: String) { self.interface = interface }
}

/// The light that other machines send: the newest picture of each of them.
public struct LightReception: Sendable {
    /// A machine that sends light.
    public struct Source: NetworkGuest, Sendable {
        /// Its number, that no later source has.
        public let number: Int
        /// The place of the port in the list of ports.
        public let port: Int
        /// Its IPv4 address, as it was given.
        public let address: UInt32
        /// Its identity beside its address.
        let identity: UInt64
        /// Its first universe that the panel shows; nil for a protocol without universes.
        let universe: Int?
        /// Its newest picture.
        public fileprivate(set) var picture: ReceivedPicture
        /// When its last packet came, in microseconds.
        public fileprivate(set) var last: Int64
        /// Complete pictures so far, and their number when the present second began.
        public fileprivate(set) var pictures = 0
        fileprivate var counted: (since: Int64, pictures: Int)
        /// Complete pictures in the last whole second.
        public fileprivate(set) var rate = 0
        /// The form of the light that it sends and the panel does not read; nil if it sends what can be shown.
        public fileprivate(set) var foreignForm: String?
        /// Its name on the panel: the protocol, and the rate or the universe; a question mark for light that cannot be
        /// read.
        public var name: String {
            if foreignForm != nil { return "\(transport.label) ?" }
            return universe.map { "\(transport.label) U\($0)" } ?? "\(transport.label) \(rate)"
        }
        private let transport: LightProtocol

        fileprivate init(
            _ number: Int, _ port: Int, _ settings: LightPort, _ address: UInt32, _ identity: UInt64, count: Int,
            at microseconds: Int64
        ) {
            (self.number, self.port, self.address, self.identity) = (number, port, address, identity)
            transport = settings.transport
            universe = transport.hasUniverses ? settings.firstUniverse : nil
            picture = ReceivedPicture(transport, count: count, firstUniverse: settings.firstUniverse)
            last = microseconds
            counted = (microseconds, 0)
        }
    }

    /// The sources heard lately, in the order in which they were first heard.
    public private(set) var sources: [Source] = []
    /// The number of the source that the panel shows; nil for none. It keeps its place.
    public var followed: Int?
    private let ports: [LightPort]
    private let count: Int
    private var numbers = 0

    /// Sources at most.
    public static let sourcesMax = 8
    /// Time without a packet after which a source is gone, in microseconds.
    public static let silenceMax: Int64 = 10_000_000
    private static let second: Int64 = 1_000_000

    /// Light that arrives at `ports` for a panel of `columns`.
    public init(_ ports: [LightPort], columns: Int) {
        self.ports = ports
        count = 3 * columns * PanelConfiguration.rows
    }

    /// Receives `bytes` that came to the port at place `port` from an IPv4 address at `microseconds`. Returns the
    /// numbers of the sources that have completed a picture. Bytes that are no light change nothing.
    public mutating func receive(
        _ bytes: UnsafeRawBufferPointer, port: Int, from address: UInt32, at microseconds: Int64
    ) -> [Int] {
        guard let packet = ports[port].transport.format.read(bytes) else { return [] }
        // The synchronisation of an address may come from another machine than its light.
        if packet.kind == .show, packet.synchronisation != nil {
            return completed {
                $0.port == port && $0.picture.concerns(packet) && $0.picture.receive(packet, bytes, at: microseconds)
            }
        }
        let known = sources.firstIndex {
            $0.port == port && $0.address == address && $0.identity == packet.sender
        }
        guard let place = known ?? add(packet, port, address, at: microseconds) else { return [] }
        guard sources[place].picture.concerns(packet) else { return [] }
        let isComplete = sources[place].picture.receive(packet, bytes, at: microseconds)
        if packet.kind == .end {
            if sources[place].picture.hasEnded { sources.remove(at: place) }
            return []
        }
        sources[place].last = microseconds
        switch packet.kind {
        case .foreign(let form): sources[place].foreignForm = form
        case .light: sources[place].foreignForm = nil
        case .show, .end: break
        }
        guard isComplete else { return [] }
        sources[place].pictures += 1
        return [sources[place].number]
    }

    /// The place of the new source of `packet`; nil if it is none.
    private mutating func add(_ packet: LightPacket, _ port: Int, _ address: UInt32, at microseconds: Int64) -> Int? {
        guard packet.kind != .show, packet.kind != .end else { return nil }
        let source = Source(numbers, port, ports[port], address, packet.sender, count: count, at: microseconds)
        guard source.picture.concerns(packet) else { return nil }
        if sources.count >= Self.sourcesMax {
            let shown = sources.firstIndex { $0.number == followed }
            guard let place = sources.leastWanted(silence: Self.second, at: microseconds, kept: shown) else {
                return nil
            }
            sources.remove(at: place)
        }
        numbers += 1
        sources.append(source)
        return sources.count - 1
    }

    /// The numbers of the sources for which `receive` returns that they have completed a picture; counts it.
    private mutating func completed(_ receive: (inout Source) -> Bool) -> [Int] {
        var numbers: [Int] = []
        for place in sources.indices where receive(&sources[place]) {
            sources[place].pictures += 1
            numbers.append(sources[place].number)
        }
        return numbers
    }

    /// When `advance` completes a picture, in microseconds; nil if none waits.
    public var deadline: Int64? { sources.compactMap { $0.picture.deadline }.min() }

    /// Forgets the sources that are gone at `microseconds`, counts the pictures of a second, and completes the pictures
    /// whose end was not said: returns the numbers of their sources. Call it a few times a second, and at the
    /// `deadline`.
    public mutating func advance(to microseconds: Int64) -> [Int] {
        sources.removeAll { microseconds - $0.last >= Self.silenceMax }
        let done = completed { $0.picture.completeIfDue(at: microseconds) }
        for place in sources.indices {
            let counted = sources[place].counted
            let passed = microseconds - counted.since
            guard passed >= Self.second else { continue }
            sources[place].rate = Int(
                (Int64(sources[place].pictures - counted.pictures) * Self.second + passed / 2) / passed)
            sources[place].counted = (microseconds, sources[place].pictures)
        }
        return done
    }
}
