/// The source of the tempo and of the position in the music.
public enum SyncSource: String, CaseIterable, Sendable {
    /// The pattern's own tempo.
    case `internal`
    /// MIDI clock.
    case midi
    /// Pulses on a jack.
    case clock
    /// A session of Ableton Live and others (Link).
    case link
}

/// An edge on one of the clock jacks.
public enum ClockEdge: String, CaseIterable, Sendable {
    /// A clock pulse begins.
    case clock
    /// The next pulse is the first.
    case reset
    /// The run line rose: the next pulse is the first, and the transport runs.
    case run = "run+"
    /// The run line fell: the transport stops.
    case halt = "run-"
}

/// The state of a Link session.
public struct LinkState: Hashable, Sendable {
    /// Beats per minute.
    public var tempo: Double
    /// Quarter notes since the session's begin; a multiple of `quantum` is the begin of a bar.
    public var beat: Double
    /// Quarter notes of a bar.
    public var quantum: Double
    /// Number of other members.
    public var peers: Int
    /// Whether the session's transport runs; nil if it is not shared.
    public var isPlaying: Bool?

    /// The state of a session.
    public init(tempo: Double, beat: Double, peers: Int, isPlaying: Bool? = nil, quantum: Double = 4) {
        self.tempo = tempo
        self.beat = beat
        self.peers = peers
        self.isPlaying = isPlaying
        self.quantum = quantum
    }

    /// Range of the quantum.
    public static let quantums = 0.5...24.0
    /// Tempos that Link allows, in beats per minute.
    public static let tempos = 20.0...999.0
    /// Beats of a session of 70 days at the highest tempo. The engine counts up to 2³¹ steps.
    public static let beats = -1e8...1e8
}

/// A command of an external transport.
public enum TransportCommand: Hashable, Sendable {
    /// Begin with this step, counted from the pattern's first; a step beyond its end is one of its repetitions.
    case begin(step: Int)
    /// Stop.
    case stop
}
