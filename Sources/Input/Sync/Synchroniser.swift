import InputEvents

/// Follows the chosen source: its tempo, its position and its transport. Signals of other sources have no effect.
///
/// Problem: ticks arrive with jitter and may be lost, Start means the next tick and not now, a box begins in the middle
/// of a source's bar, and a source may be an octave away from the tempos of a pattern. The engine needs a position that
/// never jumps while the music plays.
///
/// Idea: the position is a place on a line of straight steps, four a quarter note. A source only gives the line's
/// anchor and its speed; the transport begins with a step of the line, which may lie ahead.
///
/// Algorithm: `ClockFollower` fits ticks to a line in ticks (a Link session says its own line). `stepAtAnchor` says
/// which step is at the follower's anchor. A begin sets the anchor to the next tick: if the time of that tick is known,
/// the command is given at once, with its place; else the tick brings it (`pending`). A change of the octave moves the
/// anchor to the newest tick, so that the position stays.
public struct Synchroniser: Sendable {
    /// A place on the line and the speed there.
    public struct Steering: Hashable, Sendable {
        /// Position in steps.
        public var steps: Double
        /// Beats per minute; within `tempos`.
        public var tempo: Double
    }

    /// The chosen source. A new one begins without a tempo and a position.
    public var source: SyncSource {
        didSet { if source != oldValue { restart() } }
    }
    /// Pulses of the clock jack a quarter note: 1, 2, 4, 24 or 48.
    public var clockPerQuarter: Int {
        didSet { if clockPerQuarter != oldValue, source == .clock { restart() } }
    }

    /// Steps of a bar, 2 to 96: the player's Play begins with one.
    public var stepsOfBar = 16

    /// Tempos of the box, in beats per minute. A source outside is followed an octave or more away.
    public static let tempos = 20.0...300.0

    private var follower = ClockFollower(ticksPerQuarter: MIDITicks.perQuarter)
    /// A place at which the step is known: the follower's anchor, or a beat of Link.
    private var stepAtAnchor = 0.0
    private var beatAtAnchor = 0.0
    private var link: (state: LinkState, time: Instant)?
    /// Differences of the beats of a Link session and the expected beats.
    private var linkErrors = ErrorMemory(capacity: Self.linkErrorsMax)
    /// The box's tempo divided by the source's: a power of two.
    private var octave = 1.0
    /// The command for the next tick. It was given already if the tick's place is known; else the tick brings it.
    private var pending: (command: TransportCommand, place: Double?)?
    /// Whether the source's transport runs.
    private var isRunning = false
    /// The position of the song in ticks, as MIDI counts it: at the anchor while the transport runs, else where it
    /// stopped.
    private var song = 0
    /// Whether there is a run line: the transport then does not depend on pauses.
    private var hasRunLine = false

    /// A synchroniser with `source`.
    public init(source: SyncSource = .internal, clockPerQuarter: Int = 2) {
        self.source = source
        self.clockPerQuarter = clockPerQuarter
    }

    private var ticksPerQuarter: Int { source == .clock ? clockPerQuarter : MIDITicks.perQuarter }

    private var stepsPerTick: Double { 4 / Double(ticksPerQuarter) * octave }

    /// Number of states of a Link session whose errors are kept: 50 a second for four seconds.
    private static let linkErrorsMax = 200

    private mutating func restart() {
        follower = ClockFollower(ticksPerQuarter: ticksPerQuarter, bounces: source == .clock)
        (stepAtAnchor, beatAtAnchor) = (0, 0)
        link = nil
        linkErrors = ErrorMemory(capacity: Self.linkErrorsMax)
        octave = 1
        pending = nil
        isRunning = false
        song = 0
        hasRunLine = false
    }

    // MARK: The position

    /// The source's own tempo; nil as long as it is not known.
    public var sourceTempo: Double? {
        switch source {
        case .internal: nil
        case .midi, .clock: follower.period.map { 60_000_000 / $0 / Double(ticksPerQuarter) }
        case .link: link?.state.tempo
        }
    }

    /// The position and tempo at `time`, in microseconds of the loop's clock; nil as long as the source has no tempo.
    public func steering(at time: Double) -> Steering? {
        guard let tempo = sourceTempo else { return nil }
        return Steering(steps: steps(at: time), tempo: tempo * octave)
    }

    private func steps(at time: Double) -> Double {
        switch source {
        case .internal: 0
        case .midi, .clock: stepAtAnchor + follower.position(at: time) * stepsPerTick
        case .link: stepAtAnchor + (beat(at: time) - beatAtAnchor) * 4 * octave
        }
    }

    private func beat(at time: Double) -> Double {
        guard let link else { return 0 }
        return link.state.beat + (time - Double(link.time.microseconds)) * link.state.tempo / 60_000_000
    }

    /// Chooses the octave in which the source's tempo lies within the box's. The position stays.
    private mutating func chooseOctave(at now: Instant) {
        guard let tempo = sourceTempo, tempo > 0 else { return }
        // A source near a limit stays in its octave; a source well within both limits is followed without an octave.
        let margin = 1.02
        var next = octave
        if tempo > Self.tempos.lowerBound * margin, tempo < Self.tempos.upperBound / margin { next = 1 }
        while tempo * next < Self.tempos.lowerBound / margin { next *= 2 }
        while tempo * next > Self.tempos.upperBound * margin { next /= 2 }
        guard next != octave else { return }
        if source == .link {
            let beat = beat(at: Double(now.microseconds))
            stepAtAnchor += (beat - beatAtAnchor) * 4 * octave
            beatAtAnchor = beat
        } else {
            stepAtAnchor += Double(follower.count) * stepsPerTick
            if isRunning { song += follower.count }
            follower.anchorAtNewest()
        }
        octave = next
    }

    // MARK: Signals

    /// Receives a MIDI message that arrived at `now`.
    public mutating func receive(_ message: MIDIMessage, at now: Instant) -> TransportCommand? {
        guard source == .midi else { return nil }
        switch message {
        case .clock: return tick(at: now)
        case .start:
            song = 0
            return run(at: now)
        case .resume:
            song = songPosition
            return run(at: now)
        case .stop:
            song = songPosition
            isRunning = false
            pending = nil
            return .stop
        case .songPosition(let sixteenths):
            song = sixteenths * MIDITicks.perSixteenth
            return isRunning ? run(at: now) : nil
        case .noteOn, .noteOff, .keyPressure, .control, .program, .channelPressure, .bend, .identityRequest,
            .activeSensing, .reset:
            return nil
        }
    }

    /// The position of the song at the next tick, in ticks, as MIDI counts it.
    private var songPosition: Int { isRunning ? song + follower.count + 1 : song }

    /// Runs from the song's position on, with the next tick.
    private mutating func run(at now: Instant) -> TransportCommand? {
        isRunning = true
        return beginAtNextTick(step: Double(song) * stepsPerTick, at: now)
    }

    /// Begins at the next tick, the place of `step`. While the ticks arrive its time is known already; after a pause,
    /// or before a second tick, the command is awaited.
    private mutating func beginAtNextTick(step: Double, at now: Instant) -> TransportCommand? {
        let command = TransportCommand.begin(step: Int(step.rounded(.up)))
        stepAtAnchor = step
        follower.anchorAtNext()
        if let next = follower.next, Double(now.microseconds) <= next + follower.tolerance {
            pending = (command, next)
            return command
        }
        follower.restart()
        pending = (command, nil)
        return nil
    }

    private mutating func tick(at now: Instant) -> TransportCommand? {
        var command = pending?.command
        if let place = pending?.place {
            let late = Double(now.microseconds) - place
            let isElsewhere = abs(late) > follower.tolerance
            // The sender has begun its clock anew. If the begin has not sounded, or long before, it is now.
            if isElsewhere { follower.restart() }
            if !isElsewhere || (0...stepDuration / 2).contains(late) { command = nil }
        }
        guard follower.tick(at: now) else { return nil }
        pending = nil
        chooseOctave(at: now)
        return command
    }

    /// Duration of a step in microseconds.
    private var stepDuration: Double { (follower.period ?? 0) / stepsPerTick }

    /// Receives an edge of a clock jack at `now`.
    public mutating func receive(_ edge: ClockEdge, at now: Instant) -> TransportCommand? {
        guard source == .clock else { return nil }
        switch edge {
        case .clock:
            guard !isRunning, !hasRunLine else { return tick(at: now) }
            isRunning = true
            stepAtAnchor = 0
            follower.anchorAtNext()
            follower.restart()
            pending = (.begin(step: 0), nil)
            return tick(at: now)
        case .reset:
            guard isRunning else { return nil }
            // A sequencer may send the reset a little after the pulse that it means.
            if let newest = follower.newest, now - newest < Self.resetDelay {
                stepAtAnchor = 0
                follower.anchorAtNewest()
                return .begin(step: 0)
            }
            return beginAtNextTick(step: 0, at: now)
        case .run:
            hasRunLine = true
            isRunning = true
            return beginAtNextTick(step: 0, at: now)
        case .halt:
            hasRunLine = true
            isRunning = false
            pending = nil
            return .stop
        }
    }

    private static let resetDelay = Instant.Span.milliseconds(5)

    /// Receives the state of the Link session at `now`.
    public mutating func receive(_ state: LinkState, at now: Instant) -> TransportCommand? {
        guard source == .link, LinkState.tempos.contains(state.tempo), LinkState.beats.contains(state.beat) else {
            return nil
        }
        let time = Double(now.microseconds)
        let before = link == nil ? nil : steps(at: time)
        if let link, link.state.tempo == state.tempo, link.state.quantum == state.quantum {
            // The state arrived this much after the time at which its beat was expected; a jump is no error.
            let beats = beat(at: time) - state.beat
            if abs(beats) < Self.linkErrorMax { linkErrors.add(beats * 60_000_000 / state.tempo, at: now) }
        }
        // In another metre the session counts its bars, and with them its beats, otherwise: the music goes on.
        if let link, link.state.quantum != state.quantum { beatAtAnchor += state.beat - beat(at: time) }
        link = (state, now)
        chooseOctave(at: now)
        // The session's beats may have jumped: another one was joined.
        let jumps = before.map { abs(steps(at: time) - $0) > 0.5 } ?? false
        defer { isRunning = state.isPlaying ?? isRunning }
        if let isPlaying = state.isPlaying, isPlaying != isRunning {
            guard isPlaying else { return .stop }
            return begin(at: now)
        }
        return jumps && isRunning ? begin(at: now) : nil
    }

    /// Maximum difference in beats that is not a jump of the session: half a step.
    private static let linkErrorMax = 0.125

    // MARK: The box's own transport

    /// Begins with the pattern's first step, as the player asked at `now`: at the next bar of a source that runs, else
    /// with the next tick. Nil without a tempo: the box then begins by itself.
    public mutating func begin(at now: Instant) -> TransportCommand? {
        guard sourceTempo != nil else { return nil }
        let time = Double(now.microseconds)
        if source == .link {
            let quantum = link?.state.quantum ?? 4
            (stepAtAnchor, beatAtAnchor) = (0, (beat(at: time) / quantum).rounded(.up) * quantum)
            isRunning = true
        } else if isLost(at: now) {
            stepAtAnchor -= steps(at: time)
        } else if isRunning {
            stepAtAnchor -= (steps(at: time) / Double(stepsOfBar)).rounded(.up) * Double(stepsOfBar)
        } else {
            return beginAtNextTick(step: 0, at: now)
        }
        return .begin(step: 0)
    }

    /// Notes that the player stopped the transport.
    public mutating func halt() { if source == .link { isRunning = false } }

    // MARK: Silence

    /// Whether the source was there, and its ticks no longer arrive at `now`.
    public func isLost(at now: Instant) -> Bool {
        guard source != .link else { return false }
        return follower.newest.map { now - $0 > silence } ?? true
    }

    /// Duration without ticks after which they no longer arrive: two periods, and at least half a second.
    private var silence: Instant.Span {
        Instant.Span(microseconds: max(500_000, Int64(2 * (follower.period ?? 0))))
    }

    /// The signal of the source at `now`.
    public func status(at now: Instant) -> SyncStatus {
        var status = SyncStatus()
        status.tempo = sourceTempo
        switch source {
        case .internal: break
        case .midi, .clock:
            status.lock =
                follower.newest == nil
                ? .waiting : isLost(at: now) ? .lost : follower.isSettled ? .locked : .settling
            status.missing = follower.missing
            follower.errors.fill(&status, at: now)
        case .link:
            status.peers = max(0, link?.state.peers ?? 0)
            status.lock = status.peers > 0 ? .locked : .waiting
            linkErrors.fill(&status, at: now)
        }
        return status
    }

    /// The time at which a missing pulse stops the transport; nil if it does not.
    public var deadline: Instant? {
        guard source == .clock, isRunning, !hasRunLine, let newest = follower.newest else { return nil }
        return newest + Instant.Span(microseconds: silence.microseconds + 1)
    }

    /// Stops the transport if its deadline has passed by `now`.
    public mutating func advance(to now: Instant) -> TransportCommand? {
        guard let deadline, now >= deadline else { return nil }
        isRunning = false
        return .stop
    }
}

/// Ticks of MIDI clock.
enum MIDITicks {
    static let perQuarter = 24
    static let perSixteenth = 6
}
