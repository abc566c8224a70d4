import Instrument

/// Turns what the sequencer does into the MIDI messages of the box: notes on the channels of the tracks, clock and transport.
///
/// A note ends with the step after its last, or when its track falls silent; so none hangs.
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
        var channel: UInt8
        var key: UInt8
        /// Steps until it ends.
        var steps: Int
    }

    private let channels: TrackChannels
    private var sounding: [Sounding] = []

    /// A sender without sounding notes, for tracks on `channels`.
    public init(_ channels: TrackChannels = TrackChannels()) {
        self.channels = channels
        sounding.reserveCapacity(128)
    }

    /// Passes the messages for a report of the engine at `frame` to `send`.
    public mutating func take(_ report: Engine.Report, at frame: UInt64, _ send: (Message) -> Void) {
        func put(_ bytes: UInt8...) { send(Message(frame: frame, bytes: bytes)) }
        switch report {
        case .transmission(.tick): put(0xf8)
        case .transmission(.start(let step)):
            if step == 0 { return put(0xfa) }
            put(0xf2, UInt8(step & 0x7f), UInt8(step >> 7))
            put(0xfb)
        case .transmission(.stop): put(0xfc)
        case .transmission(.silence(let tracks)):
            end { tracks.contains($0.track) }
            for channel in tracks.tracks.compactMap(channel) { put(Self.control | channel, Self.allNotesOff, 0) }
        case .step:
            for index in sounding.indices { sounding[index].steps -= 1 }
            end { $0.steps <= 0 }
        case .note(let note, _):
            guard let channel = channel(of: note.track) else { break }
            let key = UInt8(note.track.midiKey(of: note.note))
            end { $0.track == note.track && $0.key == key }
            sounding.append(Sounding(track: note.track, channel: channel, key: key, steps: note.steps))
            put(Self.noteOn | channel, key, UInt8(Track.midiVelocity(of: note.velocity)))
        case .count, .scene, .transmission(.pulse): break
        }

        func end(_ isOver: (Sounding) -> Bool) {
            for note in sounding where isOver(note) {
                put(Self.noteOff | note.channel, note.key, Self.offVelocity)
            }
            sounding.removeAll(where: isOver)
        }
    }

    private func channel(of track: Track) -> UInt8? { channels[track].map { UInt8($0) } }

    private static let noteOff: UInt8 = 0x80
    private static let noteOn: UInt8 = 0x90
    private static let control: UInt8 = 0xb0
    private static let allNotesOff: UInt8 = 123
    private static let offVelocity: UInt8 = 64
}
