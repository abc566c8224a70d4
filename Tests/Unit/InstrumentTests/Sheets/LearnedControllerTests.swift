import InputEvents
import Testing

@testable import Instrument

@Suite("Learning of controllers")
struct LearnedControllerTests {
    private static let cutoff = SoundControl.track(.melody, .cutoff)
    private static let pan = SoundControl.track(.melody, .pan)

    private func sound(_ player: Player, _ control: SoundControl) -> Int {
        player.instrument.state.session.sound[control]
    }

    private func control(_ channel: Int, _ number: Int, _ value: Int) -> Instrument.Event {
        .midi(.control(channel: channel, number: number, value: value))
    }

    /// Holds `fader` while `events` arrive.
    private func hold(_ fader: Fader, _ player: inout Player, _ events: [Instrument.Event]) {
        player.finger(.down, .fader(fader, row: 12))
        player.wait(300)
        for event in events {
            player.send(event)
            player.wait(10)
        }
        player.finger(.up)
    }

    @Test("a controller that moves while a finger holds a fader moves it from then on, on its channel only")
    func learn() {
        var player = atSheet(.sound)
        hold(.sound(Self.cutoff), &player, [control(4, 21, 64), control(4, 21, 65), control(4, 21, 66)])
        #expect(player.tooltip != nil)
        let range = Self.cutoff.range
        for (value, expected) in [(127, range.upperBound), (0, range.lowerBound)] {
            player.send(control(4, 21, value))
            #expect(sound(player, Self.cutoff) == expected)
        }
        let before = player.instrument.state.session
        player.send(control(5, 21, 127))
        player.send(control(4, 22, 127))
        #expect(player.instrument.state.session == before)
    }

    @Test("the panel says it in a word, also that it is forgotten")
    func words() {
        var player = atSheet(.sound)
        for word in ["CC 119 SET", "CC 119 OFF"] {
            player.finger(.down, .fader(.sound(Self.pan), row: 12))
            player.wait(1000)
            player.send(control(0, 119, 3))
            #expect(player.tooltip == word)
            player.finger(.up)
            player.wait(3000)
        }
    }

    @Test("a learned controller replaces the fader of its number, until it is forgotten")
    func override() {
        var player = atSheet(.sound)
        hold(.sound(Self.pan), &player, [control(0, 74, 10)])
        let cutoff = sound(player, Self.cutoff)
        player.send(control(0, 74, 127))
        #expect(sound(player, Self.pan) == 100 && sound(player, Self.cutoff) == cutoff)
        // Another channel has its own.
        player.send(control(1, 74, 127))
        #expect(sound(player, .track(.chords, .cutoff)) == Self.cutoff.range.upperBound)
        hold(.sound(Self.pan), &player, [control(0, 74, 10), control(0, 74, 11)])
        let pan = sound(player, Self.pan)
        player.send(control(0, 74, 127))
        #expect(sound(player, Self.pan) == pan && sound(player, Self.cutoff) == Self.cutoff.range.upperBound)
    }

    @Test("a fader has one controller, and a controller one fader: the last")
    func replace() {
        var player = atSheet(.sound)
        hold(.sound(Self.pan), &player, [control(0, 20, 10)])
        hold(.sound(Self.pan), &player, [control(0, 21, 10)])
        let pan = sound(player, Self.pan)
        player.send(control(0, 20, 127))
        #expect(sound(player, Self.pan) == pan)
        hold(.master, &player, [control(0, 21, 10)])
        let held = sound(player, Self.pan)
        player.send(control(0, 21, 127))
        #expect(sound(player, Self.pan) == held && player.instrument.state.volume == 100)
        player.send(control(0, 21, 64))
        #expect(player.instrument.state.volume == 50)
        #expect(player.instrument.state.session.learned.text == "1.21=volume")
    }

    @Test("a hold learns once, and only from a fader")
    func once() {
        var player = atSheet(.sound)
        hold(.sound(Self.pan), &player, (20..<30).map { control(0, $0, 10) })
        #expect(player.instrument.state.session.learned.text == "1.20=melody.pan")
        player.finger(.down, .spot(.track(.melody)))
        player.send(control(0, 30, 10))
        player.finger(.up)
        #expect(player.instrument.state.session.learned.text == "1.20=melody.pan")
    }

    @Test(
        "banks, parameters, the pedal and channel modes are not learned",
        arguments: [0, 6, 32, 38, 64, 96, 97, 98, 99, 100, 101, 120, 121, 123, 127])
    func fixed(number: Int) {
        var player = atSheet(.sound)
        hold(.sound(Self.pan), &player, [control(0, number, 10)])
        #expect(player.instrument.state.session.learned == LearnedControllers())
    }

    @Test("controller 74 of a zone is that of a note, and not learned")
    func zone() {
        var player = atSheet(.sound)
        for (number, value) in [(101, 0), (100, 6), (6, 5)] { player.send(control(0, number, value)) }
        hold(.sound(Self.pan), &player, [control(2, 74, 10)])
        #expect(player.instrument.state.session.learned == LearnedControllers())
    }

    @Test("text says what was learned, and no other text is one")
    func text() throws {
        let all = "1.7=volume 1.74=melody.pan 2.1=master.tone 16.119=countIn"
        #expect(LearnedControllers(text: all)?.text == all)
        #expect(LearnedControllers(text: "")?.text == "")
        let wrong = [
            "1.74", "1.74=", "1=melody.pan", "0.74=melody.pan", "17.74=melody.pan", "1.128=melody.pan",
            "1.64=melody.pan", "1.-1=melody.pan", "1.74=melody.colour", " 1.74=melody.pan",
            "1.74=melody.pan  2.1=volume", "2.1=volume 1.1=melody.pan", "1.74=melody.pan 1.75=melody.pan",
            "1.74=melody.pan=1", "1.99999999999999999999=volume", "01.74=melody.pan",
        ]
        for text in wrong { #expect(LearnedControllers(text: text) == nil, "\(text)") }
    }
}
