import InputEvents
import Instrument

/// Turns what the sequencer does into the MIDI messages of the box: notes on the channels of the tracks, programs,
/// controllers, clock and transport.
///
/// A note ends with the step after its last, where its lane says, or when its track falls silent; so none hangs. Of one
/// frame the controllers come last: a serial line needs a millisecond for each, by which notes and clock would be late.
public struct MIDISender: Sendable {
    /// A message, and the engine's frame to which it belongs.
    public struct Message: Hashable, Sendable {
        /// Engine frame.
        public var frame: UInt64
        /// Its bytes, with the status.
        public var bytes: [UInt8]

        /// The message `bytes` at `frame`.
        public init(frame: UInt64, bytes: [UInt8]) {
            self.frame = frame
            self.bytes = bytes
        }
    }

    /// A note that sounds.
    private struct Sounding: Sendable {
        var track: Track
        var channel: Int
        var key: Int
        /// Its number on the track.
        var note: Int
        /// Steps until it ends; nil if its end is reported.
        var steps: Int?
    }

    private let channels: TrackChannels
    private let controllers: TrackControllers
    private var sounding: [Sounding] = []
    private var zone = MPEZone()
    /// The programs that other instruments have.
    private var programs: [Track: SoundProgram] = [:]
    /// The pattern whose first step comes next.
    private var begun: Pattern?
    /// Controllers of the newest frame, at most one of each.
    private var waiting: [Message] = []

    /// A sender without sounding notes, for tracks on `channels` with `controllers`.
    public init(_ channels: TrackChannels = TrackChannels(), _ controllers: TrackControllers = TrackControllers()) {
        self.channels = channels
        self.controllers = controllers
        sounding.reserveCapacity(128)
    }

    /// The messages that an instrument needs before the first note, with tracks on `channels`.
    public static func greeting(of channels: TrackChannels) -> [[UInt8]] {
        channels.isMPE(.chords) ? MPEZone.configuration.map { $0.bytes } : []
    }

    /// Passes the controllers that wait for further notes of their frame to `send`. Call it after the last report.
    public mutating func flush(_ send: (Message) -> Void) {
        for message in waiting { send(message) }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Passes the messages for a report of the engine at `frame` to `send`, but its controllers when the frame is over.
    /// `pattern` begins with the report; notes are in `tuning`.
    public mutating func handle(
        _ report: Engine.Report, at frame: UInt64, begins pattern: Pattern? = nil, in tuning: Tuning = Tuning(),
        _ send: (Message) -> Void
    ) {
        if let pattern {
            // A device that was switched on since the last start has none of them.
            if case .transmission(.start) = report {
                programs = [:]
                if channels.isMPE(.chords) { for message in zone.begin() { add(message) } }
            }
            begun = pattern
        }
        if let last = waiting.last, last.frame != frame { flush(send) }
        func add(_ message: MIDIMessage) { send(Message(frame: frame, bytes: message.bytes)) }
        switch report {
        case .transmission(.tick): add(.clock)
        case .transmission(.start(let step)):
            if step == 0 { return add(.start) }
            add(.songPosition(step))
            add(.resume)
        case .transmission(.stop): add(.stop)
        case .transmission(.silence(let tracks)):
            end { tracks.contains($0.track) }
            for channel in tracks.tracks.flatMap({ channels.notes(of: $0) }) { add(.allNotesOff(channel)) }
        case .step:
            for index in sounding.indices { sounding[index].steps = sounding[index].steps.map { $0 - 1 } }
            end { $0.steps.map { $0 <= 0 } ?? false }
            choosePrograms()
        case .round, .trackStep: break
        case .transmission(.noteEnd(let track, let note)): end { $0.track == track && $0.note == note }
        case .note(let note, _):
            guard let named = channels[note.track] else { break }
            let key = note.track.midiKey(of: note.note)
            end { $0.track == note.track && $0.key == key }
            var channel = named
            if channels.isMPE(note.track) {
                channel = zone.member { member in sounding.count { $0.channel == member } }
                add(zone.bend(channel, to: key, in: tuning))
            }
            sounding.append(
                Sounding(
                    track: note.track, channel: channel, key: key, note: note.note,
                    steps: note.reportsEnd ? nil : Int(note.steps)))
            add(.noteOn(channel: channel, key: key, velocity: note.velocity))
        case .transmission(.control(let track, let control, let value)):
            guard let channel = channels.sent(track), let number = controllers[track, control] else { break }
            let level = TrackControllers.value(of: control, of: track, at: value)
            let message = MIDIMessage.control(channel: channel, number: number, value: level)
            waiting.removeAll { $0.bytes.starts(with: message.bytes.dropLast()) }
            waiting.append(Message(frame: frame, bytes: message.bytes))
        case .count, .switched, .partsBegan, .transmission(.pulse): break
        }

        // Behind the clock and the ends of notes, before the first note.
        func choosePrograms() {
            guard let pattern = begun else { return }
            begun = nil
            for track in Track.allCases {
                guard let channel = channels.sent(track), let program = pattern[program: track],
                    program != programs[track]
                else { continue }
                programs[track] = program
                if let bank = program.bank {
                    add(.control(channel: channel, number: 0, value: bank >> 7))
                    add(.control(channel: channel, number: 32, value: bank & 0x7f))
                }
                add(.program(channel: channel, number: program.number - 1))
            }
        }

        func end(_ isOver: (Sounding) -> Bool) {
            for note in sounding where isOver(note) {
                add(.noteOff(channel: note.channel, key: note.key))
            }
            sounding.removeAll(where: isOver)
        }
    }
}
