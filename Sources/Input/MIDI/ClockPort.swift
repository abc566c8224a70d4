import InputEvents

/// The one MIDI port whose clock is followed, of several that may tick: the port that ticked first, until it is
/// unplugged or silent for two seconds.
public struct ClockPort: Sendable {
    /// Time without a tick after which another port may be followed.
    public static let silence = Instant.Span.milliseconds(2000)

    /// The number of the port that is followed; nil for none.
    public private(set) var chosen: Int?
    private var lastTick = Instant.zero

    /// A choice without a port.
    public init() {}

    /// Whether a message of `port` that arrived at `now` goes through. Messages that are no clock's always do.
    /// Transport messages of any port do while no port ticks: a clock may begin with them.
    public mutating func accepts(_ message: MIDIMessage, from port: Int, at now: Instant) -> Bool {
        guard message.isOfClock else { return true }
        if chosen != port, now - lastTick >= Self.silence { chosen = nil }
        if message == .clock {
            if chosen == nil { chosen = port }
            if chosen == port { lastTick = now }
        }
        return chosen == nil || chosen == port
    }

    /// Another port may be followed at once, if `port` was the one.
    public mutating func unplug(_ port: Int) {
        if chosen == port { chosen = nil }
    }
}

extension MIDIMessage {
    /// Whether it belongs to a clock: a tick, the position or the transport.
    public var isOfClock: Bool {
        switch self {
        case .clock, .start, .resume, .stop, .songPosition: true
        case .noteOn, .noteOff, .keyPressure, .control, .program, .channelPressure, .bend, .identityRequest,
            .activeSensing, .reset:
            false
        }
    }
}

/// One choice of a clock for all MIDI inputs of a box. Used on the loop's thread.
public final class ClockChoice {
    /// The port that is followed.
    public var port = ClockPort()

    /// A choice without a port.
    public init() {}
}
