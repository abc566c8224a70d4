import InputEvents
import Instrument

/// A take's touches: the music with which the transport began, and all input from then on.
public struct TakeInput: Sendable {
    /// The session when the pattern began, on its first step.
    public var session: Session
    /// The rules of the gestures then.
    public var rules: Rules
    /// Whether a finger that lands sounds.
    public var soundsTaps: Bool
    /// The shown window of a pattern longer than 32 steps, 0 to 3, and whether it goes with the playhead.
    public var window: Int, follows: Bool
    /// The keys and the effects that the panel showed.
    public var keys: PanelKeys, fx: PanelFX
    /// Master volume in per cent.
    public var volume: Int
    /// Whether keys were recorded.
    public var isRecording: Bool
    /// First frame of the take, counted from the frame on which the pattern began.
    public internal(set) var begin = 0
    /// The input until the take's end, oldest first; times count from the pattern's begin.
    public internal(set) var events: [(at: Instant.Span, event: Instrument.Event)] = []

    /// The music of `state`, and no input yet.
    fileprivate init(_ state: Instrument.State) {
        session = state.session
        // Undo does not reach back before the take, and its steps would be kept for five minutes.
        session.history = History()
        rules = state.rules
        soundsTaps = state.soundsTaps
        (window, follows) = (state.view.window, state.view.follows)
        (keys, fx) = (state.view.keys, state.view.fx)
        volume = state.volume
        isRecording = state.recording.isOn
    }
}

extension Instrument {
    /// Whether the grid or the keys are shown without anything over them, and nobody touches them: the session and the
    /// settings of `TakeInput` alone then decide what a touch does.
    fileprivate var isAtRest: Bool {
        state.view.screen == .grid && !state.session.isMenuOpen && !state.view.cursor.isShown && !hasFinger
    }
}

extension MIDIMessage {
    /// Whether it belongs to a clock or a transport, or to no music.
    fileprivate var isRealTime: Bool {
        switch self {
        case .clock, .start, .resume, .stop, .songPosition, .identityRequest, .activeSensing, .reset: true
        default: false
        }
    }
}

/// Remembers the input of the last five minutes, and the music at begins of the pattern from which it can be repeated.
struct InputMemory {
    /// A begin of the pattern while the grid was shown and no finger was down.
    private struct Start {
        let time: Instant
        /// The frame of the output.
        let frame: UInt64
        let input: TakeInput
        /// Number of the first event after it.
        let firstEvent: Int
        /// Number of the transport's run.
        let run: Int
    }

    /// An event in little memory: most are touches.
    private enum Record {
        case touch(Touch)
        case midi(MIDIMessage)
        case other(Other)

        init(_ event: Instrument.Event) {
            switch event {
            case .touch(let touch): self = .touch(touch)
            case .midi(let message): self = .midi(message)
            default: self = .other(Other(event))
            }
        }

        var event: Instrument.Event {
            switch self {
            case .touch(let touch): .touch(touch)
            case .midi(let message): .midi(message)
            case .other(let other): other.event
            }
        }
    }

    private final class Other: Sendable {
        let event: Instrument.Event

        init(_ event: Instrument.Event) { self.event = event }
    }

    private var starts: [Start] = []
    private var records: [(time: Instant, record: Record)] = []
    /// Number of events that were forgotten.
    private var forgotten = 0
    /// Begins of the pattern that are rendered but not audible yet.
    private var begins: [(time: Instant, frame: UInt64)] = []
    private var run = 0

    /// Maximum number of events: five minutes of three fingers that move without pause. More shorten the time.
    private static let eventsMax = 65_536
    private static let life = Instant.Span.milliseconds(Int64(Engine.memorySeconds) * 1000)
    /// Minimum time between two starts of a run.
    private static let interval = Instant.Span.milliseconds(10_000)

    /// The transport begins or stops: what follows cannot be repeated from what was before.
    mutating func endRun() {
        run += 1
        begins.removeAll(keepingCapacity: true)
    }

    /// The pattern begins in the output at `frame`, and is audible at `time`.
    mutating func begins(at time: Instant, frame: UInt64) { begins.append((time, frame)) }

    /// Takes an event that has updated `instrument` at `now`.
    mutating func record(_ event: Instrument.Event, _ instrument: Instrument, at now: Instant) {
        // A repetition does not have the picture of another machine, and what a finger on it would do.
        if instrument.shownSource != nil, !starts.isEmpty { forget() }
        switch event {
        case .step(0, _, _): start(instrument, at: now)
        // Other music, which the input does not contain.
        case .opened, .tuneBegan: forget()
        case .touch, .key, .keyUp, .keyCancel, .type, .turn, .lock, .audition, .tapSound, .rules, .metronome, .countIn,
            .sound, .record, .quantise, .remote:
            append(event, at: now)
        case .midi(let message): if !message.isRealTime { append(event, at: now) }
        default: break
        }
    }

    /// Forgets all begins: no input is repeated from before now.
    private mutating func forget() {
        endRun()
        starts.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ event: Instrument.Event, at now: Instant) {
        // All at once: a growing array would be copied while fingers move.
        if records.isEmpty { records.reserveCapacity(Self.eventsMax) }
        if records.count == Self.eventsMax {
            // Many at once, as the others move in memory.
            records.removeFirst(Self.eventsMax / 8)
            forgotten += Self.eventsMax / 8
            starts.removeAll { $0.firstEvent < forgotten }
        }
        records.append((now, Record(event)))
    }

    private mutating func start(_ instrument: Instrument, at now: Instant) {
        let count = begins.prefix { $0.time <= now }.count
        guard count > 0 else { return }
        let begin = begins[count - 1]
        begins.removeFirst(count)
        starts.removeFirst(starts.prefix { now - $0.time > Self.life }.count)
        if let last = starts.last, last.run == run, begin.time - last.time < Self.interval { return }
        guard instrument.isAtRest else { return }
        starts.append(
            Start(
                time: begin.time, frame: begin.frame, input: TakeInput(instrument.state),
                firstEvent: forgotten + records.count, run: run))
    }

    /// The input of the frames in `span` at `rate`; nil if it is not all remembered.
    func input(of span: TakeSpan, rate: Int) -> TakeInput? {
        guard let last = starts.last(where: { $0.frame <= span.begin }) else { return nil }
        // From as early as possible: what rang then rings again, and dice fall as they did.
        let start = starts.first { $0.run == last.run } ?? last
        let length = Int64((span.end - start.frame) * 1_000_000) / Int64(rate)
        let end = start.time + Instant.Span(microseconds: length)
        var input = start.input
        input.begin = Int(span.begin - start.frame)
        let later = records.dropFirst(start.firstEvent - forgotten).prefix { $0.time < end }
        input.events = later.map { (max($0.time, start.time) - start.time, $0.record.event) }
        return input
    }
}
