import InputEvents

/// The keys and sustain pedals that are down on a MIDI cable, and its pitch wheels and pressures, by the messages that
/// went over it. They are released when the cable is unplugged, so that no note hangs or stays bent.
public struct HeldKeys: Hashable, Sendable {
    /// One bit for each key, 64 to a word, by channel.
    private var words = [UInt64](repeating: 0, count: 2 * channels)
    private var pedals: UInt16 = 0
    /// Channels whose pitch wheel is not in the middle, and channels with pressure.
    private var bends: UInt16 = 0
    private var pressures: UInt16 = 0

    private static let channels = 16
    private static let sustain = 64
    private static let pedalDown = 64

    /// No key and no pedal.
    public init() {}

    /// Whether no key and no pedal is down, and no pitch wheel is moved.
    public var isEmpty: Bool { pedals | bends | pressures == 0 && words.allSatisfy { $0 == 0 } }

    /// Applies the next message of the cable.
    public mutating func apply(_ message: MIDIMessage) {
        switch message {
        case .noteOn(let channel, let key, _): words[2 * channel + key / 64] |= 1 << UInt64(key % 64)
        case .noteOff(let channel, let key): words[2 * channel + key / 64] &= ~(1 << UInt64(key % 64))
        case .control(let channel, Self.sustain, let value):
            Self.set(channel, of: &pedals, to: value >= Self.pedalDown)
        case .control(let channel, MIDIMessage.ChannelMode.allSoundOff, _),
            .control(let channel, MIDIMessage.ChannelMode.lifts, _):
            words[2 * channel] = 0
            words[2 * channel + 1] = 0
        case .bend(let channel, let value): Self.set(channel, of: &bends, to: value != 0)
        case .channelPressure(let channel, let value): Self.set(channel, of: &pressures, to: value != 0)
        default: break
        }
    }

    private static func set(_ channel: Int, of mask: inout UInt16, to isSet: Bool) {
        if isSet { mask |= 1 << UInt16(channel) } else { mask &= ~(1 << UInt16(channel)) }
    }

    /// Adds the keys, pedals, pitch wheels and pressures of `other`.
    public mutating func formUnion(_ other: HeldKeys) {
        for index in words.indices { words[index] |= other.words[index] }
        pedals |= other.pedals
        bends |= other.bends
        pressures |= other.pressures
    }

    /// Releases all keys, pedals, pitch wheels and pressures; passes the messages that do so to `send`, by channel and
    /// key.
    public mutating func release(_ send: (MIDIMessage) -> Void) {
        for index in words.indices {
            while words[index] != 0 {
                let bit = words[index].trailingZeroBitCount
                words[index] &= words[index] - 1
                send(.noteOff(channel: index / 2, key: index % 2 * 64 + bit))
            }
        }
        for channel in 0..<Self.channels where pedals >> UInt16(channel) & 1 == 1 {
            send(.control(channel: channel, number: Self.sustain, value: 0))
        }
        for channel in 0..<Self.channels where bends >> UInt16(channel) & 1 == 1 {
            send(.bend(channel: channel, value: 0))
        }
        for channel in 0..<Self.channels where pressures >> UInt16(channel) & 1 == 1 {
            send(.channelPressure(channel: channel, value: 0))
        }
        (pedals, bends, pressures) = (0, 0, 0)
    }
}
