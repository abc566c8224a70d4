/// The content of one packet of light. The packets of a picture are written by `LightPackets`.
public struct LightPacket: Hashable, Sendable {
    /// The purpose of the packet.
    public enum Kind: Hashable, Sendable {
        /// It brings light.
        case light
        /// It shows the light of the packets before it: Art-Net's ArtSync, a synchronisation packet of sACN.
        case show
        /// Its sender ends a universe: the last packets of sACN.
        case end
        /// It brings light in a form that the panel does not read.
        case foreign(String)
    }

    /// Its purpose.
    public var kind = Kind.light
    /// First byte of its light in the picture, or in its universe if it has one.
    public var offset = 0
    /// Its universe; nil for a protocol without universes and for a packet without light.
    public var universe: Int?
    /// The bytes of the packet that are light.
    public var light = 0..<0
    /// Its number in the stream of its universe; nil if the sender does not count.
    public var sequence: UInt8?
    /// Whether the picture is complete with it: DDP's push.
    public var isLast = false
    /// Its synchronisation address: light is shown by a `show` packet of the same address, from any sender. 0: none;
    /// nil: the protocol has no such addresses.
    public var synchronisation: Int?
    /// Whether it is shown at once if synchronisation packets stay away: an option of sACN.
    public var showsUnsynchronised = true
    /// The sender's identity, beside its address: the first 8 bytes of sACN's CID; 0 for protocols without one.
    public var sender: UInt64 = 0

    /// Maximum bytes of light in a packet of a universe of DMX512.
    static let universeMax = 512
}
