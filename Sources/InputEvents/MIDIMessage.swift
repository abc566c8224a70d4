/// A message of MIDI 1.0 (the MIDI 1.0 Detailed Specification), without its port. Channels are counted from 0.
public enum MIDIMessage: Hashable, Sendable {
    /// A key was pressed, with a velocity of 1-127.
    case noteOn(channel: Int, key: Int, velocity: Int)
    /// A key was released, also by a note-on of velocity 0.
    case noteOff(channel: Int, key: Int)
    /// Pressure on one key.
    case keyPressure(channel: Int, key: Int, value: Int)
    /// A controller moved.
    case control(channel: Int, number: Int, value: Int)
    /// A program was chosen.
    case program(channel: Int, number: Int)
    /// Pressure on the whole channel.
    case channelPressure(channel: Int, value: Int)
    /// The pitch wheel moved: -8192 to 8191.
    case bend(channel: Int, value: Int)
    /// Position in the song, in sixteenths from its begin.
    case songPosition(Int)
    /// One of 24 ticks of a quarter note.
    case clock
    /// Begin with the song's first tick.
    case start
    /// Go on from the position.
    case resume
    /// Stop.
    case stop
    /// Somebody asks which device this is.
    case identityRequest
    /// The cable is in use: without a byte for a while, it counts as unplugged.
    case activeSensing
    /// Begin as after power-up.
    case reset
}

extension MIDIMessage {
    /// Ends all notes of `channel` but the notes that its pedal holds.
    public static func allNotesOff(_ channel: Int) -> MIDIMessage {
        .control(channel: channel, number: ChannelMode.allNotesOff, value: 0)
    }

    /// The numbers of controllers that are messages to a whole channel (MIDI 1.0 Detailed Specification, "Channel Mode
    /// Messages").
    public enum ChannelMode {
        /// Ends all notes, also the notes that the pedal holds.
        public static let allSoundOff = 120
        /// Sets the controllers of the channel back (RP-015).
        public static let resetControllers = 121
        /// Lifts all keys.
        public static let allNotesOff = 123
        /// Lifts all keys: All Notes Off, and the changes of mode, Omni off and on, Mono and Poly, each of which does
        /// the same. The box has one mode.
        public static let lifts = allNotesOff...127
    }

    /// Its bytes, with the status. The velocity of a release is 64.
    public var bytes: [UInt8] {
        func voice(_ status: Int, _ channel: Int, _ data: Int...) -> [UInt8] {
            [UInt8(status | channel)] + data.map { UInt8($0 & 0x7f) }
        }
        switch self {
        case .noteOn(let channel, let key, let velocity): return voice(0x90, channel, key, velocity)
        case .noteOff(let channel, let key): return voice(0x80, channel, key, 64)
        case .keyPressure(let channel, let key, let value): return voice(0xa0, channel, key, value)
        case .control(let channel, let number, let value): return voice(0xb0, channel, number, value)
        case .program(let channel, let number): return voice(0xc0, channel, number)
        case .channelPressure(let channel, let value): return voice(0xd0, channel, value)
        case .bend(let channel, let value): return voice(0xe0, channel, value + 8192, (value + 8192) >> 7)
        case .songPosition(let sixteenths): return [0xf2, UInt8(sixteenths & 0x7f), UInt8(sixteenths >> 7 & 0x7f)]
        case .clock: return [0xf8]
        case .start: return [0xfa]
        case .resume: return [0xfb]
        case .stop: return [0xfc]
        case .activeSensing: return [0xfe]
        case .reset: return [0xff]
        case .identityRequest: return [0xf0, 0x7e, 0x7f, 0x06, 0x01, 0xf7]
        }
    }
}
