import CLink
import InputEvents
import Instrument
import Runtime

/// The box as a member of a Link session on the local network. It joins when the player chooses Link and leaves when
/// the player chooses another source.
public final class LinkSession: ControlSource {
    private let clock: any LoopClock
    private let sharesTransport: Bool
    private var session: OpaquePointer?
    private var last: LinkState?
    private var lastTime = Instant.zero
    /// The player's last wish for a tempo.
    private var wish: Instrument.Transport.SessionTempo?
    /// Beats of a bar of the pattern: members agree on the begins of bars of as many.
    private var quantum = 4.0
    /// Whether the box played at the last call of `follow`.
    private var wasPlaying = false

    /// Interval of the reports of a session in which nothing changes: its clock and the loop's drift apart.
    private static let interval = Instant.Span.milliseconds(50)

    /// No member yet. `sharesTransport`: whether the members start and stop together. Changes wake `clock`.
    public init(clock: any LoopClock, sharesTransport: Bool) {
        self.clock = clock
        self.sharesTransport = sharesTransport
    }

    deinit { leave() }

    /// One line that says why there is no session and what to do; nil while there is one, or none is wanted.
    public private(set) var problem: String?

    /// Joins or leaves, as `state` asks; passes the player's tempo, Play and Stop on to the other members. Call it in
    /// every pass of the loop.
    public func follow(_ state: Instrument.State) {
        defer {
            wasPlaying = state.isPlaying
            wish = state.transport.sessionTempo
        }
        guard state.sync.source == .link else {
            problem = nil
            return leave()
        }
        quantum = Double(state.session.composition.pattern.metre.stepsOfBar) / Double(Metre.stepsOfQuarter)
        join(tempo: state.session.composition.pattern.tempo.bpm)
        if let session, let tempo = state.transport.sessionTempo, tempo != wish {
            link_session_set_tempo(session, tempo.tempo.bpm)
        }
        guard let session, sharesTransport, state.isPlaying != wasPlaying, state.isPlaying != last?.isPlaying else {
            return
        }
        link_session_set_playing(session, state.isPlaying)
    }

    /// Appends the session's state if it has changed or was not reported for a while.
    public func read(into events: inout [ControlEvent]) {
        guard let session else { return }
        let state = link_session_capture(session, quantum)
        let now = Instant(microseconds: state.microseconds)
        // Any member can shift the session's beats to any number: whole bars are left out.
        let beat =
            LinkState.beats.contains(state.beat)
            ? state.beat : state.beat.truncatingRemainder(dividingBy: quantum * 16_777_216)
        let report = LinkState(
            tempo: state.tempo, beat: beat, peers: Int(state.peers),
            isPlaying: sharesTransport ? state.is_playing : nil, quantum: quantum)
        if let last, now - lastTime < Self.interval, last.tempo == report.tempo, last.peers == report.peers,
            last.quantum == report.quantum,
            last.isPlaying == report.isPlaying
        {
            return
        }
        last = report
        lastTime = now
        events.append(ControlEvent(time: now, event: .link(report)))
    }

    /// Joins, with `tempo` in beats per minute if there is no other member; does nothing in a session.
    public func join(tempo: Double) {
        guard session == nil else { return }
        // The clock outlives the session, which is left before the box ends.
        let context = Unmanaged.passUnretained(clock as AnyObject).toOpaque()
        session = link_session_create(
            tempo, sharesTransport,
            { context in
                guard let context else { return }
                (Unmanaged<AnyObject>.fromOpaque(context).takeUnretainedValue() as? any LoopClock)?.wake()
            }, context)
        problem =
            session == nil ? "Link: no session, as the system gives no socket or thread; choose the source again" : nil
    }

    private func leave() {
        guard let session else { return }
        link_session_free(session)
        self.session = nil
        last = nil
    }
}
