/// A protocol that sends the light of LEDs over a network, three bytes an LED: red, green, blue.
public enum LightProtocol: String, CaseIterable, Sendable {
    /// Distributed Display Protocol, http://www.3waylabs.com/ddp/: WLED, xLights, FPP.
    case ddp
    /// Streaming ACN, ANSI E1.31-2018: lighting consoles.
    case sacn
    /// Art-Net 4, https://art-net.org.uk.
    case artnet

    /// Its name for messages.
    public var name: String {
        switch self {
        case .ddp: "DDP"
        case .sacn: "sACN"
        case .artnet: "Art-Net"
        }
    }

    /// Its UDP port.
    public var port: Int {
        switch self {
        case .ddp: 4048
        case .sacn: 5568
        case .artnet: 6454
        }
    }

    /// Pictures per second at most. A universe of DMX512 takes 1/44 s, and E1.31 (6.6.1) and Art-Net go by that.
    public var rateMax: Int { self == .ddp ? 60 : 44 }

    /// The numbers that a first universe may have: E1.31 9.1.1, Art-Net's 15 bits of a port address. DDP has none.
    public var universes: ClosedRange<Int> {
        switch self {
        case .ddp: 1...1
        case .sacn: 1...63_999
        case .artnet: 0...32_767
        }
    }

    /// The first universe if none is chosen.
    public var firstUniverse: Int { self == .artnet ? 0 : 1 }

    /// Bytes of light in a packet: 480 LEDs for DDP, as in its specification; 170 whole LEDs of a universe of 512 bytes.
    public var chunk: Int { self == .ddp ? 1440 : 510 }
}
