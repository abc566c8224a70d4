import Documents
import InputEvents
import Instrument
import Testing

@Suite("Words of Open Sound Control")
struct RemoteWordsTests {
    static let commands: [(OSCMessage, Instrument.Event)] = [
        (OSCMessage("/pixelboop/play"), .remote(.play)), (OSCMessage("/pixelboop/stop"), .remote(.stop)),
        (OSCMessage("/pixelboop/play", .int(1)), .remote(.play)),
        (OSCMessage("/pixelboop/tempo", .float(99.6)), .remote(.tempo(Tempo(hundredths: 9960)))),
        (OSCMessage("/pixelboop/tempo", .int(60)), .remote(.tempo(60))),
        (OSCMessage("/pixelboop/scene", .int(8)), .remote(.scene(7))),
        (OSCMessage("/pixelboop/mute", .string("bass"), .int(1)), .remote(.mute(.bass, true))),
        (OSCMessage("/pixelboop/solo", .string("rhythm"), .float(0)), .remote(.solo(.rhythm, false))),
        (OSCMessage("/pixelboop/record", .int(1)), .record(true)),
        (
            OSCMessage("/pixelboop/note", .string("melody"), .int(60), .int(100)),
            .midi(.noteOn(channel: 0, key: 60, velocity: 100))
        ),
        (
            OSCMessage("/pixelboop/note", .string("rhythm"), .int(36), .int(0)),
            .midi(.noteOff(channel: 9, key: 36))
        ),
        (OSCMessage("/pixelboop/part", .string("bass"), .int(8)), .remote(.part(.bass, 7))),
        (OSCMessage("/pixelboop/sound/bass/cutoff", .int(64)), .sound(.track(.bass, .cutoff), 64)),
        (OSCMessage("/pixelboop/sound/swing", .float(60.2)), .sound(.swing, 60)),
        (OSCMessage("/pixelboop/sound/rhythm/pads/2/tune", .int(-3)), .sound(.pad(1, .tune), -3)),
    ]

    @Test("each message asks for its event", arguments: commands)
    func event(message: OSCMessage, event: Instrument.Event) {
        #expect(RemoteWords.event(message, TrackChannels()) == event)
    }

    static let nonsense: [OSCMessage] = [
        OSCMessage("/play"), OSCMessage("/pixelboop/"), OSCMessage("/pixelboop/dance"),
        // A button's release.
        OSCMessage("/pixelboop/play", .int(0)), OSCMessage("/pixelboop/stop", .float(0)),
        OSCMessage("/pixelboop/play", .int(1), .int(1)), OSCMessage("/pixelboop/tempo"),
        OSCMessage("/pixelboop/tempo", .float(.nan)), OSCMessage("/pixelboop/tempo", .int(1000)),
        OSCMessage("/pixelboop/tempo", .float(1e30)), OSCMessage("/pixelboop/tempo", .string("120")),
        OSCMessage("/pixelboop/scene", .int(0)), OSCMessage("/pixelboop/scene", .int(9)),
        OSCMessage("/pixelboop/part", .string("drums"), .int(1)), OSCMessage("/pixelboop/part", .string("bass")),
        OSCMessage("/pixelboop/part", .string("bass"), .int(0)),
        OSCMessage("/pixelboop/part", .string("bass"), .int(9)),
        OSCMessage("/pixelboop/mute", .string("drums"), .int(1)), OSCMessage("/pixelboop/mute", .string("bass")),
        OSCMessage("/pixelboop/mute", .string("bass"), .string("1")),
        OSCMessage("/pixelboop/note", .string("melody"), .int(128), .int(1)),
        OSCMessage("/pixelboop/note", .string("melody"), .int(60), .int(-1)),
        OSCMessage("/pixelboop/sound/bass/cutoff", .int(1_000_000)), OSCMessage("/pixelboop/sound/bass", .int(1)),
        OSCMessage("/pixelboop/sound/bass/cutoff"), OSCMessage("/pixelboop/sound//swing", .int(60)),
        OSCMessage("/pixelboop/sound/swing", .float(.infinity)),
    ]

    @Test("a message that makes no sense asks for nothing", arguments: nonsense)
    func nothing(message: OSCMessage) {
        #expect(RemoteWords.event(message, TrackChannels()) == nil)
    }

    @Test("a track without a channel plays no notes")
    func channels() {
        var channels = TrackChannels()
        channels[.melody] = nil
        let note = OSCMessage("/pixelboop/note", .string("melody"), .int(60), .int(100))
        #expect(RemoteWords.event(note, channels) == nil)
    }

    @Test("what changes is told once, in words that ask for the same")
    func changes() throws {
        var instrument = Instrument()
        var words = RemoteWords()
        #expect(words.changes(instrument.state).isEmpty)
        func tell(_ events: Instrument.Event...) -> [OSCMessage] {
            for event in events { _ = instrument.update(event, at: Instant(milliseconds: 1)) }
            return words.changes(instrument.state)
        }
        #expect(tell(.remote(.play)) == [OSCMessage("/pixelboop/playing", .int(1))])
        #expect(tell(.step(4, number: 4)) == [OSCMessage("/pixelboop/step", .int(5))])
        #expect(tell(.remote(.tempo(97))) == [OSCMessage("/pixelboop/tempo", .float(97))])
        #expect(tell(.remote(.tempo(97))).isEmpty)
        let silent = tell(.remote(.mute(.chords, true)), .remote(.solo(.bass, true)))
        #expect(
            silent == [
                OSCMessage("/pixelboop/mute", .string("chords"), .int(1)),
                OSCMessage("/pixelboop/solo", .string("bass"), .int(1)),
            ])
        let sound = tell(.sound(.track(.melody, .cutoff), 33))
        #expect(sound == [OSCMessage("/pixelboop/sound/melody/cutoff", .int(33))])
        #expect(RemoteWords.event(sound[0], TrackChannels()) == .sound(.track(.melody, .cutoff), 33))
        #expect(
            tell(.remote(.stop)) == [OSCMessage("/pixelboop/playing", .int(0)), OSCMessage("/pixelboop/step", .int(0))])
        #expect(RemoteWords.welcome(instrument.state).count == 16)
        // The pattern gets scene 1 first.
        let launched = tell(.remote(.part(.bass, 2)))
        func part(_ track: Track, _ scene: Int32) -> OSCMessage {
            OSCMessage("/pixelboop/part", .string(track.name), .int(scene))
        }
        #expect(
            launched == [
                OSCMessage("/pixelboop/scene", .int(1)), part(.melody, 1), part(.chords, 1), part(.bass, 3),
                part(.rhythm, 1),
            ])
    }

    @Test("every control of the sound has its address")
    func controls() {
        for control in SoundControl.allCases {
            let address = "/pixelboop/sound/" + control.path.joined(separator: "/")
            for value in [control.range.lowerBound, control.range.upperBound] {
                let event = RemoteWords.event(OSCMessage(address, .int(Int32(value))), TrackChannels())
                #expect(event == .sound(control, value), "\(address)")
            }
        }
    }
}
