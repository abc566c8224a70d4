import InputEvents
import Instrument
import Runtime
import Testing

@Suite("The channels of the tracks")
struct TrackChannelTests {
    private static let moved: TrackChannels = {
        var channels = TrackChannels()
        channels[.melody] = 4
        channels[.chords] = nil
        return channels
    }()

    private func note(_ track: Track) -> Engine.Report {
        .note(Engine.Note(track: track, note: 0, velocity: 80, steps: 1), step: 0)
    }

    @Test("notes, their ends and silence go out on them; a track without one sends nothing")
    func output() {
        var sender = MIDISender(Self.moved)
        var sent: [[UInt8]] = []
        for report in [
            note(.melody), note(.chords), note(.rhythm), .step(1, number: 1),
            .transmission(.silence(TrackSet(Track.allCases))),
        ] {
            sender.handle(report, at: 0) { sent.append($0.bytes) }
        }
        let melody = UInt8(Track.melody.midiKey(of: 0))
        #expect(sent[..<4] == [[0x94, melody, 80], [0x99, 36, 80], [0x84, melody, 64], [0x89, 36, 64]])
        #expect(sent[4...] == [[0xb4, 123, 0], [0xb2, 123, 0], [0xb9, 123, 0]])
    }

    /// Channel 1 is the melody's by default.
    @Test("keys play the track of their channel, and on another the track played last")
    func input() {
        var instrument = Instrument(trackChannels: Self.moved)
        var played: [Track] = []
        for channel in [9, 0, 4, 1, 2] {
            let press = Instrument.Event.midi(.noteOn(channel: channel, key: 60, velocity: 80))
            for case .press(let note, _, _) in instrument.update(press, at: .zero) { played.append(note.track) }
        }
        #expect(played == [.rhythm, .rhythm, .melody, .melody, .bass])
    }
}
