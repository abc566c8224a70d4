import InputEvents
import TestSupport
import Testing

@testable import Instrument

@Suite("Undo of all that a finger makes")
struct UndoTests {
    private func sound(_ player: Player) -> SoundSettings { player.instrument.state.session.sound }
    private func steps(_ player: Player) -> Int { player.instrument.state.session.history.past.count }

    /// A player on the sound sheet of the melody.
    private var atSound: Player { atSheet(.sound) }

    /// A finger that grips a fader at its cap and moves it.
    private func turn(_ player: inout Player, _ control: SoundControl, contact: Int = 0, lifts: Bool = true) {
        player.finger(.down, .fader(.sound(control), row: 9), contact: contact)
        player.wait(400)
        player.finger(.move, player.positions[contact]?.column ?? 0, 14, contact: contact)
        player.wait(400)
        if lifts { player.finger(.up, contact: contact) }
    }

    @Test("one touch of a fader is one step, with its name, whichever screen is shown")
    func fader() {
        var player = atSound
        let before = sound(player)
        turn(&player, .track(.melody, .cutoff))
        let after = sound(player)
        #expect(before != after && steps(player) == 1)
        player.tap(.spot(.back))
        player.send(.key(.undo))
        #expect(sound(player) == before && player.tooltip == "UNDO CUT" && steps(player) == 0)
        player.send(.key(.redo))
        #expect(sound(player) == after && player.tooltip == "REDO CUT")
    }

    @Test("steps come back in the order in which they were made, and undoing a note moves no fader")
    func order() {
        var player = Player()
        player.drag(from: .step(0, .melody), to: .step(6, .melody))
        player.show(.sound(SoundSheet(of: .melody)))
        turn(&player, .track(.melody, .cutoff))
        player.show(.grid)
        player.tap(.step(0, .rhythm))
        // A program moves the fader afterwards, which is no step.
        player.send(.sound(.track(.melody, .resonance), 7))
        var words: [String] = []
        for _ in 0..<4 {
            player.send(.key(.undo))
            words.append(player.tooltip ?? "")
        }
        #expect(words == ["UNDO HIT", "UNDO CUT", "UNDO RUN", "UNDO RUN"])
        #expect(player.pattern.isEmpty && sound(player)[.track(.melody, .resonance)] == 7)
        #expect(sound(player)[.track(.melody, .cutoff)] == SoundSettings()[.track(.melody, .cutoff)])
    }

    @Test("faders that are held together are one step, from the first landing to the last lift")
    func together() {
        var player = atSound
        let before = sound(player)
        turn(&player, .track(.melody, .cutoff), lifts: false)
        turn(&player, .track(.melody, .attack), contact: 1, lifts: false)
        player.finger(.up)
        turn(&player, .track(.melody, .release), contact: 2)
        player.finger(.move, player.positions[1]?.column ?? 0, 8, contact: 1)
        player.finger(.up, contact: 1)
        #expect(steps(player) == 1)
        turn(&player, .track(.melody, .pan))
        #expect(steps(player) == 2)
        player.send(.key(.undo))
        player.send(.key(.undo))
        #expect(sound(player) == before && player.tooltip == "UNDO FADERS")
    }

    @Test("a fader that returns to where it was is no step, and keeps what redo has")
    func returning() {
        var player = atSound
        turn(&player, .track(.melody, .cutoff))
        player.send(.key(.undo))
        let before = sound(player)
        player.finger(.down, .fader(.sound(.track(.melody, .delay)), row: 17))
        player.finger(.move, player.positions[0]?.column ?? 0, 12)
        #expect(sound(player) != before)
        player.finger(.move, player.positions[0]?.column ?? 0, 17)
        player.finger(.up)
        #expect(sound(player) == before && steps(player) == 0)
        player.send(.key(.redo))
        #expect(steps(player) == 1)
    }

    @Test("a walk to a sound is one step, and so is a sound of the list, a letter and a pad")
    func sounds() {
        var player = atSound
        let before = sound(player)
        player.drag(from: .spot(.soundName, column: 10), to: .spot(.soundName, column: 28))
        #expect(steps(player) == 1)
        player.send(.key(.undo))
        #expect(sound(player) == before && player.tooltip == "UNDO SOUND")
        player.send(.key(.redo))
        turn(&player, .track(.melody, .pan))
        let turned = sound(player)
        player.tap(.letter(.sound(.track(.melody, .pan))), pause: 100)
        player.tap(.letter(.sound(.track(.melody, .pan))))
        #expect(steps(player) == 3 && sound(player)[.track(.melody, .pan)] == 0)
        player.send(.key(.undo))
        #expect(sound(player) == turned && player.tooltip == "UNDO PAN")
        player.show(.presets(PresetSheet(of: .rhythm)))
        _ = player.perform(.chooseSound(.rhythm, place: 1))
        player.send(.key(.undo))
        #expect(sound(player) == turned && player.tooltip == "UNDO KIT")
        player.send(.samples([soundName("KICK")]))
        _ = player.perform(.chooseSample(3, place: 1))
        #expect(sound(player)[sampleOf: 3] != nil)
        player.send(.key(.undo))
        #expect(sound(player) == turned && player.tooltip == "UNDO PAD")
    }

    @Test("what performs is no step: mutes, the master, controllers, programs")
    func performing() {
        var player = Player()
        player.tap(.mute(.bass))
        player.tap(.solo(.bass))
        player.send(.midi(.control(channel: 0, number: 74, value: 5)))
        player.send(.sound(.swing, 60))
        player.show(.sound(SoundSheet(of: .melody)))
        player.tap(.fader(.master, row: 12))
        #expect(steps(player) == 0)
    }

    @Test("a scene that begins does not split the touch of a fader")
    func scenes() {
        var player = Player.withScenes([100, 110])
        player.send(.key(.playStop))
        player.show(.sound(SoundSheet(of: .melody)))
        let before = sound(player)
        turn(&player, .track(.melody, .cutoff), lifts: false)
        player.send(.remote(.scene(1)))
        player.send(.sceneBegan(1))
        #expect(player.scene == 1)
        player.finger(.move, player.positions[0]?.column ?? 0, 16)
        player.finger(.up)
        #expect(steps(player) == 1)
        player.send(.key(.undo))
        #expect(sound(player) == before && player.scene == 1)
    }

    @Test("fingers that land together are named by what they made: one word, or NOTES")
    func groups() {
        for (track, word) in [(Track.melody, "UNDO NOTE"), (.rhythm, "UNDO NOTES")] {
            var player = Player()
            player.finger(.down, .step(0, .bass), contact: 0)
            player.finger(.down, .step(4, track), contact: 1)
            player.wait(50)
            player.finger(.up, contact: 0)
            player.finger(.up, contact: 1)
            #expect(steps(player) == 1)
            player.send(.key(.undo))
            #expect(player.tooltip == word && player.pattern.isEmpty)
        }
    }

    @Test("the history of the phone has no sounds and no words")
    func phone() {
        var player = Player.phone
        player.tap(.step(0, .melody, row: 3))
        player.show(.sound(SoundSheet(of: .melody)))
        turn(&player, .track(.melody, .cutoff))
        let turned = sound(player)
        #expect(turned != SoundSettings() && steps(player) == 1)
        player.send(.key(.undo))
        #expect(player.pattern.isEmpty && sound(player) == turned && player.tooltip == "UNDO")
        // A step of the box's rules has no effect under the phone's.
        player.send(.rules(.box))
        turn(&player, .track(.melody, .attack))
        let both = sound(player)
        player.send(.rules(.phone))
        player.send(.key(.undo))
        #expect(sound(player) == both)
    }
}
