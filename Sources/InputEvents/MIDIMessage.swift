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
}
