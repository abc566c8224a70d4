import InputEvents

/// Settings of the clocks: the source that the box follows, and the pulses that it sends and receives.
public struct SyncSettings: Hashable, Sendable {
    /// The source of the tempo and of the position.
    public var source = SyncSource.internal
    /// The output of the pulses.
    public var pulse = PulseOutput.off
    /// Pulses per quarter note that the box sends, one of `pulsesPerQuarter`.
    public var pulsesPerQuarter = 2
    /// Length of a pulse in milliseconds, within `pulseLengths`.
    public var pulseMilliseconds = 15
    /// Height of a pulse in per cent of full scale, within `pulseLevels`.
    public var pulseLevel = 100
    /// Pulses per quarter note that the box receives, one of `pulsesPerQuarter`.
    public var clockPerQuarter = 2

    /// The settings of a box that follows nothing and sends no pulses.
    public init() {}

    /// Supported numbers of pulses per quarter note.
    public static let pulsesPerQuarter = [1, 2, 4, 24, 48]
    /// Range of the length of a pulse, in milliseconds.
    public static let pulseLengths = 1...50
    /// Range of the height of a pulse, in per cent.
    public static let pulseLevels = 0...100
}

/// The output of the pulses.
public enum PulseOutput: Hashable, Sendable {
    /// None.
    case off
    /// The left channel; the sound is then mono on the right.
    case left
    /// A channel of its own, within `channels`, counted from 1.
    case channel(Int)

    /// Channels beyond the sound's.
    public static let channels = 3...32

    /// Its own channel, counted from 1; nil if it has none.
    public var channel: Int? { if case .channel(let number) = self { number } else { nil } }
}

/// A change of one of the settings of the clocks.
public enum SyncSetting: Hashable, Sendable {
    /// The source.
    case source(SyncSource)
    /// The output of the pulses.
    case pulse(PulseOutput)
    /// Pulses per quarter note that are sent.
    case pulsesPerQuarter(Int)
    /// Length of a pulse in milliseconds.
    case pulseMilliseconds(Int)
    /// Height of a pulse in per cent.
    case pulseLevel(Int)
    /// Pulses per quarter note that are received.
    case clockPerQuarter(Int)
}
