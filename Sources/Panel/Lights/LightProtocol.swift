/// A protocol that sends the light of LEDs over a network, three bytes an LED: red, green, blue. Each protocol has its
/// own file.
public struct LightProtocol: NamedKind {
    /// Name in configurations (`sacn`).
    public let rawValue: String
    /// Name for messages (`sACN`).
    public let name: String
    /// UDP port.
    public let port: Int
    /// Maximum pictures per second.
    public let rateMax: Int
    /// Numbers that a first universe may have; 1 alone for a protocol without universes, whose packets have offsets
    /// instead.
    public let universes: ClosedRange<Int>
    /// Bytes of light in a packet: whole LEDs.
    public let chunk: Int

    /// Name on the panel (`ACN`).
    let label: String
    /// Bytes before the light in a packet.
    let headSize: Int
    /// Offset of a packet's sequence number, and the numbers in use. They count the packets of a universe, or of the
    /// whole stream if there are no universes.
    let sequence: (offset: Int, numbers: ClosedRange<UInt8>)
    /// Time without synchronisation after which light is shown without it, in microseconds.
    let syncTimeout: Int64
    /// IPv4 multicast address of universe 0; nil for a protocol without multicast.
    var multicast: UInt32?
    /// The packet that shows the picture of the packets before it; nil for none.
    var showPacket: [UInt8]?
    /// The mark of a stream's last packets, and their number; nil for a protocol whose streams have no end.
    var end: (offset: Int, bit: UInt8, count: Int)?
    let format: any LightFormat

    /// All supported protocols. Add a new protocol here.
    public static let allCases: [LightProtocol] = [
        .ddp,
        .sacn,
        .artnet,
    ]

    /// Whether packets name a universe. Otherwise they have an offset in the picture.
    public var hasUniverses: Bool { universes.count > 1 }

    /// The first universe if none is chosen.
    public var firstUniverse: Int { universes.lowerBound }

    /// Whether each universe has a multicast address.
    public var hasMulticast: Bool { multicast != nil }

    /// The IPv4 multicast address of `universe`, in network order; nil for a protocol without multicast.
    public func group(ofUniverse universe: Int) -> UInt32? {
        multicast.map { ($0 | UInt32(universe)).bigEndian }
    }

    /// The number of packets, by `LightPackets.end`, that end a stream; 0 for a protocol whose streams have no end.
    public var endCount: Int { end?.count ?? 0 }
}
