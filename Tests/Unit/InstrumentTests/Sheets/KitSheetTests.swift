import Display
import InputEvents
import Testing

@testable import Instrument

@Suite("The pads of the kit")
struct KitSheetTests {
    private let names = ["BREAK", "KICK 9", "TAPE"].compactMap { SoundName($0) }

    /// A player on the sheet of the pads; the library has `names`.
    private func player() -> Player {
        var player = atSheet(.sound)
        player.tap(.spot(.track(.rhythm)))
        player.tap(.spot(.soundName))
        player.tap(.spot(.openPads))
        player.send(.samples(names))
        player.effects = []
        return player
    }

    /// The same with a loaded sample on pad 6.
    private func playerWithSample() -> Player {
        var player = player()
        choose(1, on: 6, &player)
        player.send(.sample(loaded("BREAK", slot: 3)))
        player.tap(.spot(.back))
        player.effects = []
        return player
    }

    /// A sample that falls to nothing.
    private func loaded(_ name: String, slot: Int) -> LoadedSample {
        LoadedSample(
            name: soundName(name), slot: slot, peaks: (0..<LoadedSample.parts).map { UInt8(250 - 4 * $0) })
    }

    /// Holds `pad`.
    private func openList(of pad: Int, _ player: inout Player) {
        player.finger(.down, .spot(.pad(pad)))
        player.wait(610)
        player.finger(.up)
        player.wait(1000)
    }

    /// Holds `pad` and taps `line` of the list.
    private func choose(_ line: Int, on pad: Int, _ player: inout Player) {
        openList(of: pad, &player)
        player.tap(.spot(.line(line)))
    }

    private func place(of pad: Int) -> (Float, Float) { (Float(2 + 7 * (pad % 4)), Float(21 - 6 * (pad / 4))) }

    private func sound(_ player: Player) -> SoundSettings { player.instrument.state.session.sound }

    private func audition(_ pad: Int) -> Instrument.Effect {
        .audition([Instrument.Effect.Note(track: .rhythm, note: pad, velocity: 1, steps: 4)])
    }

    @Test("the six dots beside the kits open the pads, and back goes to the kits")
    func opens() {
        var player = player()
        #expect(player.instrument.state.view.screen == .kit(KitSheet(pad: 0)))
        player.tap(.spot(.back))
        guard case .presets(let sheet) = player.instrument.state.view.screen else {
            Issue.record("not at the kits")
            return
        }
        #expect(sheet.track == .rhythm)
        // Other tracks have none.
        player.tap(.spot(.track(.melody)))
        let before = player.instrument.state.view.screen
        player.tap(42, 20)
        #expect(player.instrument.state.view.screen == before)
    }

    @Test("each LED belongs to a pad, kick lowest left, or to a fader")
    func places() {
        let instrument = player().instrument
        for pad in 0..<12 {
            let (left, top) = (7 * (pad % 4), 19 - 6 * (pad / 4))
            for (column, row) in [(left, top), (left + 5, top + 4)] {
                #expect(
                    instrument.spot(at: Position(column: Float(column), row: Float(row))) == .pad(pad),
                    "\(column) \(row)")
            }
        }
        for (place, control) in [PadControl.volume, .tune, .start, .end].enumerated() {
            let fader = Fader.sound(.pad(0, control))
            for column in [29 + 4 * place, 31 + 4 * place] {
                let expected: [Spot] =
                    control.isOfSample ? [.letter(fader), .letter(fader)] : [.fader(fader), .letter(fader)]
                #expect(instrument.spot(at: Position(column: Float(column), row: 12)) == expected[0])
                #expect(instrument.spot(at: Position(column: Float(column), row: 21)) == expected[1])
            }
        }
    }

    @Test("a tap sounds a pad as it lands, chooses it and says its name", arguments: 0..<12)
    func tap(pad: Int) {
        var player = player()
        let (column, row) = place(of: pad)
        player.finger(.down, column, row)
        #expect(player.effects == [audition(pad)])
        #expect(player.tooltip == Word.drum(pad).text)
        #expect(player.instrument.state.view.screen == .kit(KitSheet(pad: pad)))
        player.finger(.up, column, row)
        #expect(player.led(Int(column) - 2, Int(row) + 2) == .white)
    }

    @Test("the faders are those of the chosen pad; start and end are for samples")
    func faders() {
        var player = player()
        player.tap(.spot(.pad(1)))
        player.drag(from: .fader(.sound(.pad(1, .volume)), row: 12), to: .fader(.sound(.pad(1, .volume)), row: 7))
        #expect(sound(player)[.pad(1, .volume)] == 200)
        player.drag(from: .fader(.sound(.pad(1, .tune)), row: 12), to: .fader(.sound(.pad(1, .tune)), row: 7))
        #expect(sound(player)[.pad(1, .tune)] == 24)
        #expect(sound(player)[.pad(0, .volume)] == 100)
        player.tap(.letter(.sound(.pad(1, .start))))
        #expect(player.tooltip == "NOT HERE")
        player.tap(.letter(.sound(.pad(1, .tune))), pause: 100)
        player.tap(.letter(.sound(.pad(1, .tune))))
        #expect(sound(player)[.pad(1, .tune)] == 0)
    }

    @Test("a hold lists the samples, the drum first; a chosen one is loaded, sounds then, and its shape is drawn")
    func choosing() {
        var player = player()
        let block = player.led(15, 14)
        choose(1, on: 6, &player)
        #expect(sound(player)[sampleOf: 6] == SoundName("BREAK"))
        #expect(player.effects == [audition(6), .job(.showSamples), .job(.loadSample(soundName("BREAK")))])
        player.send(.sample(loaded("BREAK", slot: 3)))
        #expect(player.effects.last == audition(6))
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .kit(KitSheet(pad: 6)))
        // Four LEDs high at its begin, one at its end.
        let colour = RGB.black.blended(towards: Palette.note(6, .chromatic), 0.75)
        #expect((13..<17).allSatisfy { player.led(14, $0) == colour })
        #expect((13..<16).allSatisfy { player.led(19, $0) == .black } && player.led(19, 16) == colour)
        // Its drum again: the sample is let go.
        player.effects = []
        choose(0, on: 6, &player)
        #expect(sound(player)[sampleOf: 6] == nil)
        #expect(player.effects.contains(.unload(slot: 3)))
        player.tap(.spot(.back))
        #expect(player.led(15, 14) == block && player.led(14, 16) == .black)
    }

    @Test("a sample that is missing is asked for once, until the library has it")
    func missing() {
        var player = player()
        choose(2, on: 2, &player)
        let name = soundName("KICK 9")
        player.send(.sampleFailed(name))
        #expect(player.tooltip == "NO KICK 9")
        player.effects = []
        player.wait(5000)
        player.tap(.spot(.back))
        #expect(!player.effects.contains(.job(.loadSample(name))))
        player.send(.samples(names))
        #expect(player.effects.contains(.job(.loadSample(name))))
    }

    @Test("all pads of a kit ask for their samples, each once, and a kit without lets go of them")
    func kits() {
        var player = playerWithSample()
        var settings = SoundSettings()
        settings[sampleOf: 0] = names[1]
        settings[sampleOf: 5] = names[1]
        settings[sampleOf: 7] = names[2]
        let own = SoundPreset(settings, of: .rhythm, named: soundName("MINE"))
        player.send(.sounds([own]))
        player.effects = []
        player.instrument.state.session.sound.choose(own, for: .rhythm)
        player.wait(10)
        #expect(
            player.effects == [.unload(slot: 3), .job(.loadSample(names[1])), .job(.loadSample(names[2]))])
        player.send(.sample(loaded("KICK 9", slot: 0)))
        player.send(.sample(loaded("TAPE", slot: 1)))
        #expect(player.instrument.state.sample(of: 5)?.slot == 0)
        player.effects = []
        player.instrument.state.session.sound.choose(FactorySounds.list(for: .rhythm)[1], for: .rhythm)
        player.wait(10)
        #expect(Set(player.effects) == [.unload(slot: 0), .unload(slot: 1)])
    }

    @Test("a hold on S or E plays backwards, one on V chooses the choke group")
    func holds() {
        var player = playerWithSample()
        func hold(_ column: Float) {
            player.finger(.down, column, 21)
            player.wait(610)
            player.finger(.up, column, 21)
            player.wait(1000)
        }
        hold(38)
        #expect(player.instrument.state.session.sound[.pad(6, .start)] == PadControl.whole)
        #expect(player.instrument.state.session.sound[.pad(6, .end)] == 0)
        // The shape rises.
        #expect(player.led(14, 13) == .black && player.led(19, 13) != .black)
        hold(42)
        #expect(player.instrument.state.session.sound[.pad(6, .start)] == 0)
        for group in [1, 2, 3, 4, 0] {
            hold(30)
            #expect(player.instrument.state.session.sound[.pad(6, .choke)] == group)
        }
    }

    @Test("a pad turns white while its drum of the pattern sounds")
    func hit() {
        var player = player()
        player.instrument.state.session.composition.pattern[.rhythm, note: 3, step: 4] = .normal
        player.send(.key(.playStop))
        player.send(.step(4, number: 4))
        #expect(player.led(23, 20).red > 0xd0 && player.led(9, 20) != player.led(23, 20))
        player.wait(110)
        #expect(player.led(23, 20) != .white)
    }

    @Test("the cross removes the chosen sample from the library after a hold")
    func removing() {
        var player = playerWithSample()
        openList(of: 6, &player)
        player.effects = []
        player.finger(.down, .spot(.removeSample))
        player.wait(1100)
        #expect(player.effects == [])
        player.wait(110)
        player.finger(.up)
        #expect(
            player.effects == [.unload(slot: 3), .job(.removeSample(names[0]))]
                || player.effects == [.job(.removeSample(names[0])), .unload(slot: 3)])
        #expect(sound(player)[sampleOf: 6] == nil)
    }

    @Test("a sample is cut where sounds begin, or held in a bar's steps; the slices are the kit")
    func slicing() {
        var player = playerWithSample()
        openList(of: 6, &player)
        player.effects = []
        player.tap(.spot(.slice))
        player.finger(.down, .spot(.slice))
        player.wait(700)
        player.finger(.up)
        #expect(player.effects == [.job(.sliceSample(names[0], .onsets)), .job(.sliceSample(names[0], .steps(16)))])
        let slices = [0..<250_000, 250_000..<700_000, 700_000..<1_000_000]
        player.send(.sliced(SliceKit(names[0], slices)))
        #expect(player.instrument.state.view.screen == .kit(KitSheet(pad: 0)))
        for (pad, slice) in slices.enumerated() {
            #expect(sound(player)[sampleOf: pad] == names[0])
            #expect(sound(player)[.pad(pad, .start)] == slice.lowerBound)
            #expect(sound(player)[.pad(pad, .end)] == slice.upperBound)
        }
        #expect(sound(player)[sampleOf: 3] == nil && sound(player)[sampleOf: 6] == nil)
        #expect(sound(player)[nameOf: .rhythm] == names[0])
    }

    @Test("a file dropped on a pad is the pad's, elsewhere its slices are the kit, and one without slices is only kept")
    func dropping() {
        var player = player()
        let kit = SliceKit(names[2], [0..<400_000, 400_000..<1_000_000])
        player.send(.dropped(kit, column: 9, row: 15))
        #expect(sound(player)[sampleOf: 5] == names[2])
        #expect(sound(player)[.pad(5, .end)] == PadControl.whole)
        #expect(player.tooltip == "TAPE")
        player = Player()
        player.send(.dropped(kit, column: 9, row: 15))
        #expect(sound(player)[sampleOf: 0] == names[2] && sound(player)[sampleOf: 1] == names[2])
        player = Player()
        player.send(.dropped(SliceKit(names[2], [0..<1_000_000]), column: 9, row: 15))
        #expect(sound(player) == SoundSettings() && player.tooltip == "TAPE")
    }

    @Test("the performance lock keeps the kit and the library's samples")
    func locked() {
        var player = playerWithSample()
        let before = sound(player)
        player.send(.lock(true))
        player.send(.sliced(SliceKit(names[2], [0..<400_000, 400_000..<1_000_000])))
        player.send(.dropped(SliceKit(names[2], [0..<400_000, 400_000..<1_000_000]), column: 40, row: 2))
        #expect(sound(player) == before)
    }
}
