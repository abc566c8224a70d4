import InputEvents

/// The keys and sustain pedals that are down on a MIDI cable, by the messages that went over it. They are released when the cable
/// is unplugged, so that no note hangs.
public struct HeldKeys: Hashable, Sendable {
    /// One bit for each key, 64 to a word, by channel.
    private var words = [UInt64](repeating: 0, count: 2 * channels)
    private var pedals: UInt16 = 0

    private static let channels = 16
    private static let sustain = 64
    private static let pedalDown = 64
    private static let allSoundOff = 120
    private static let allNotesOff = 123

    /// No key and no pedal.
    public init() {}

    /// Whether no key and no pedal is down.
    public var isEmpty: Bool { pedals == 0 && words.allSatisfy { $0 == 0 } }

    /// Takes the next message of the cable.
    public mutating func take(_ message: MIDIMessage) {
        switch message {
        case .noteOn(let channel, let key, _): words[2 * channel + key / 64] |= 1 << UInt64(key % 64)
        case .noteOff(let channel, let key): words[2 * channel + key / 64] &= ~(1 << UInt64(key % 64))
        case .control(let channel, Self.sustain, let value):
            if value >= Self.pedalDown { pedals |= 1 << UInt16(channel) } else { pedals &= ~(1 << UInt16(channel)) }
        case .control(let channel, Self.allSoundOff, _), .control(let channel, Self.allNotesOff, _):
            words[2 * channel] = 0
            words[2 * channel + 1] = 0
        default: break
        }
    }

    /// Adds the keys and pedals that are down in `other`.
    public mutating func formUnion(_ other: HeldKeys) {
        for index in words.indices { words[index] |= other.words[index] }
        pedals |= other.pedals
    }

    /// Releases all keys and pedals; passes the messages that do so to `take`, by channel and key.
    public mutating func release(_ take: (MIDIMessage) -> Void) {
        for index in words.indices {
            while words[index] != 0 {
                let bit = words[index].trailingZeroBitCount
                words[index] &= words[index] - 1
                take(.noteOff(channel: index / 2, key: index % 2 * 64 + bit))
            }
        }
        for channel in 0..<Self.channels where pedals >> UInt16(channel) & 1 == 1 {
            take(.control(channel: channel, number: Self.sustain, value: 0))
        }
        pedals = 0
    }
}
