import InputEvents

/// One MIDI cable into the box: makes messages of its bytes, knows the keys that are held down on it, and releases them
/// when the cable says so, when it falls silent and when it is unplugged.
public struct MIDICable: Sendable {
    private var parser = MIDIParser()
    private var keys = HeldKeys()

    /// The time at which the cable counts as unplugged unless a byte arrives before; nil for a cable without active
    /// sensing.
    public private(set) var silence: Instant?

    /// The longest silence of a cable with active sensing. A sender lets at most 300 ms pass (MIDI 1.0 Detailed
    /// Specification, "Active Sensing"); a tenth more is for the way through USB.
    public static let sensingTime = Instant.Span.milliseconds(330)

    /// A cable before its first byte.
    public init() {}

    /// Receives the next byte, which arrived at `now`; returns the messages that it makes. A system reset makes the
    /// messages that release the held keys, and that end a clock's transport.
    public mutating func receive(_ byte: UInt8, at now: Instant) -> [MIDIMessage] {
        if silence != nil { silence = now + Self.sensingTime }
        guard let message = parser.parse(byte) else { return [] }
        switch message {
        case .activeSensing:
            silence = now + Self.sensingTime
            return []
        case .reset:
            silence = nil
            return release() + [.stop, .songPosition(0)]
        case .noteOn, .noteOff, .keyPressure, .control, .program, .channelPressure, .bend, .songPosition, .clock,
            .start,
            .resume, .stop, .identityRequest:
            keys.apply(message)
            return [message]
        }
    }

    /// The messages that release the held keys, if the cable has been silent for too long by `now`.
    public mutating func advance(to now: Instant) -> [MIDIMessage] {
        guard let silence, silence <= now else { return [] }
        self.silence = nil
        return release()
    }

    /// The messages that release the held keys.
    public mutating func release() -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        keys.release { messages.append($0) }
        return messages
    }
}
