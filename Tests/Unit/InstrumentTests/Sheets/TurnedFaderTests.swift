import InputEvents
import Testing

@testable import Instrument

@Suite("Controllers of the tracks' faders")
struct TurnedFaderTests {
    private static let cutoff = Fader.sound(.track(.melody, .cutoff))

    private func control(_ track: Track, _ number: Int, _ value: Int) -> Instrument.Event {
        .midi(.control(channel: track.midiChannel, number: number, value: value))
    }

    @Test("a fader that a finger moves is told to other instruments, one that a controller moves is not")
    func turns() {
        var player = atSheet(.sound)
        player.finger(.down, .fader(Self.cutoff, row: 17))
        player.wait(300)
        player.finger(.up)
        #expect(player.effects.contains(.turn(.melody, .cutoff)))
        #expect(player.instrument.state.session.sound[.track(.melody, .cutoff)] == TrackControl.cutoff.range.lowerBound)
        player.effects = []
        for value in [0, 64, 127] { player.send(control(.melody, 74, value)) }
        #expect(player.effects.isEmpty)
    }

    @Test("a finger that rests on a fader leaves it where a controller moves it")
    func rest() {
        var player = atSheet(.sound)
        player.finger(.down, .fader(Self.cutoff, row: 17))
        player.wait(1000)
        player.effects = []
        player.send(control(.melody, 74, 64))
        let moved = player.instrument.state.session.sound[.track(.melody, .cutoff)]
        player.wait(500)
        player.finger(.up)
        #expect(player.instrument.state.session.sound[.track(.melody, .cutoff)] == moved && moved > 100)
        #expect(!player.effects.contains(.turn(.melody, .cutoff)))
    }

    @Test("the value that goes out is the one that moves the fader there, for each control of each track")
    func values() {
        var instrument = Instrument()
        let numbers = TrackControllers()
        for track in Track.allCases {
            for control in TrackControllers.controls {
                guard let number = numbers[track, control] else {
                    Issue.record("\(control) of \(track) has no controller")
                    continue
                }
                var values: Set<Int> = []
                for value in 0..<128 {
                    _ = instrument.update(self.control(track, number, value), at: .zero)
                    let moved = instrument.state.session.sound[.track(track, control)]
                    let sent = TrackControllers.value(of: control, of: track, at: moved)
                    _ = instrument.update(self.control(track, number, sent), at: .zero)
                    #expect(instrument.state.session.sound[.track(track, control)] == moved, "\(control), \(value)")
                    values.insert(moved)
                }
                #expect(values.contains(control.range.lowerBound) && values.contains(control.range.upperBound))
            }
        }
    }

    @Test("with another number the old one does nothing, without one none does")
    func numbers() {
        var numbers = TrackControllers()
        numbers[.melody, .cutoff] = 20
        numbers[.bass, .cutoff] = nil
        var instrument = Instrument(trackControllers: numbers)
        let before = instrument.state.session.sound
        _ = instrument.update(control(.melody, 74, 3), at: .zero)
        _ = instrument.update(control(.bass, 74, 3), at: .zero)
        #expect(instrument.state.session.sound == before)
        _ = instrument.update(control(.melody, 20, 0), at: .zero)
        #expect(instrument.state.session.sound[.track(.melody, .cutoff)] == TrackControl.cutoff.range.lowerBound)
    }
}
