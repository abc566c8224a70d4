import Display
import InputEvents
import Testing

@testable import Instrument

private let cutoff = SoundControl.track(.melody, .cutoff)
private let pan = SoundControl.track(.melody, .pan)

extension Player {
    fileprivate var session: Session { instrument.state.session }
    fileprivate var steps: [String] { session.history.past.map(\.word) }
    /// The cut-off of the melody in the tune's sound, and in the own ones of the first three scenes.
    fileprivate var cutoffs: [Int?] {
        [session.sounds.tune.settings[cutoff]] + (0..<3).map { session.sounds[own: $0]?.settings[cutoff] }
    }

    /// Turns the switch on the sound sheet. Returns what the panel says.
    @discardableResult
    fileprivate mutating func turnOwn() -> String? {
        show(.sound(SoundSheet(of: .melody, row: .shared)))
        tap(.fader(.own, row: session.soundOwner == nil ? 8 : 16), held: 400)
        defer { show(.grid) }
        return tooltip
    }

    /// A finger drags a fader of the melody to `row` of the panel.
    fileprivate mutating func turn(_ control: SoundControl, to row: Float) {
        show(.sound(SoundSheet(of: .melody)))
        tap(.fader(.sound(control), row: row), held: 400)
        show(.grid)
    }

    /// Three scenes, the second with its own sound, cut-off 500 and the bass muted; the tune's cut-off is 3000.
    fileprivate static var withOwn: Player {
        var player = withScenes([100, 110, 120])
        player.instrument.state.session.sound[cutoff] = 3000
        var own = SceneSound(player.session.sound, muted: TrackSet(.bass))
        own.settings[cutoff] = 500
        player.instrument.state.session.sounds[own: 1] = own
        return player
    }
}

@Suite("A scene's own sound")
struct OwnSoundTests {
    @Test("begins as a copy of what sounds and is muted; then its faders and mutes change it alone, until it is off")
    func switching() {
        var player = Player.withScenes([100, 110])
        player.turn(cutoff, to: 12)
        player.tap(.mute(.bass))
        let tune = player.session.sounds.tune
        #expect(player.turnOwn() == "OWN ON" && player.session.soundOwner == 0)
        #expect(player.session.sounds[own: 0] == tune)
        player.turn(cutoff, to: 16)
        player.tap(.mute(.chords))
        #expect(player.session.sounds.tune == tune)
        #expect(player.session.sound[cutoff] < 100 && player.session.muted == TrackSet([.bass, .chords]))
        // Another scene plays with the tune's.
        player.tapScene(1)
        #expect(player.session.sound == tune.settings && player.session.muted == TrackSet(.bass))
        player.turn(pan, to: 17)
        player.tapScene(0)
        #expect(player.session.sound[pan] == 0 && player.session.sound[cutoff] < 100)
        #expect(player.turnOwn() == "OWN OFF" && player.session.soundOwner == nil)
        #expect(player.session.sound[pan] == -100 && player.session.sound[cutoff] == tune.settings[cutoff])
        #expect(player.session.muted == TrackSet(.bass))
    }

    @Test("each way is one step of the history, which brings it back whole")
    func undo() {
        var player = Player.withOwn
        player.tapScene(1)
        let own = player.session.sounds[own: 1]
        player.turnOwn()
        #expect(player.steps == ["OWN"] && player.cutoffs == [3000, nil, nil, nil])
        player.send(.key(.undo))
        #expect(player.tooltip == "UNDO OWN" && player.session.sounds[own: 1] == own)
        player.send(.key(.redo))
        #expect(player.session.soundOwner == nil)
        // Also from another scene.
        player.tapScene(0)
        player.send(.key(.undo))
        #expect(player.scene == 0 && player.session.sounds[own: 1] == own && player.session.soundOwner == nil)
        player.turnOwn()
        player.send(.key(.undo))
        #expect(player.session.sounds[own: 0] == nil && player.session.sounds[own: 1] == own)
    }

    @Test("a touch that turns the switch there and back is no step, and loses nothing")
    func thereAndBack() {
        for scene in [0, 1] {
            var player = Player.withOwn
            player.tapScene(scene)
            let before = player.session
            player.show(.sound(SoundSheet(of: .melody, row: .shared)))
            player.finger(.down, .fader(.own, row: scene == 0 ? 17 : 7))
            let column = player.positions[0]?.column ?? 0
            player.finger(.move, column, scene == 0 ? 7 : 17)
            #expect((player.session.soundOwner == nil) == (scene == 1) && player.steps == ["OWN"])
            player.finger(.move, column, scene == 0 ? 17 : 7)
            player.finger(.up)
            #expect(player.session.sounds == before.sounds && player.steps == [])
            player.finger(.down, .fader(.own, row: scene == 0 ? 17 : 7))
            player.finger(.move, column, scene == 0 ? 7 : 17)
            player.finger(.up)
            #expect(player.steps == ["OWN"])
        }
    }

    @Test("undo of a fader changes the sound in which it was turned, whichever scene plays")
    func undoElsewhere() {
        var player = Player.withOwn
        player.tapScene(1)
        player.turn(cutoff, to: 16)
        let turned = player.cutoffs
        #expect(turned[0] == 3000 && turned[2] ?? 500 < 100)
        player.tapScene(2)
        player.turn(pan, to: 17)
        player.send(.key(.undo))
        #expect(player.tooltip == "UNDO PAN" && player.session.sound[pan] == 0 && player.cutoffs == turned)
        player.send(.key(.undo))
        #expect(player.tooltip == "UNDO CUT" && player.cutoffs == [3000, nil, 500, nil] && player.steps == [])
        player.send(.key(.redo))
        #expect(player.tooltip == "REDO CUT" && player.cutoffs == turned)
        // The tune's, while a scene with its own plays.
        player.send(.key(.redo))
        player.tapScene(1)
        player.send(.key(.undo))
        #expect(player.session.sounds.tune.settings[pan] == 0 && player.session.sound[cutoff] == turned[2])
    }

    @Test("a fader that is held while another sound begins is a step of each, also beside other faders")
    func heldFader() {
        var player = Player.withOwn
        player.show(.sound(SoundSheet(of: .melody)))
        player.finger(.down, .fader(.sound(cutoff), row: 17))
        player.wait(400)
        player.send(.key(.playStop))
        player.send(.remote(.scene(1)))
        player.send(.sceneBegan(1))
        player.finger(.move, player.positions[0]?.column ?? 0, 7)
        player.finger(.up)
        #expect(player.steps == ["CUT", "CUT"] && player.cutoffs == [20, nil, 20_000, nil])
        player.send(.key(.undo))
        #expect(player.cutoffs == [20, nil, 500, nil])
        player.send(.key(.undo))
        #expect(player.cutoffs == [3000, nil, 500, nil])
        // The switch beside a fader that is held.
        player.show(.sound(SoundSheet(of: .melody, row: .shared)))
        player.finger(.down, .fader(.sound(.delayWidth), row: 12), contact: 1)
        player.finger(.move, player.positions[1]?.column ?? 0, 16, contact: 1)
        player.tap(.fader(.own, row: 16), held: 400)
        player.finger(.move, player.positions[1]?.column ?? 0, 8, contact: 1)
        player.finger(.up, contact: 1)
        #expect(player.steps.count == 3 && player.steps[1] == "OWN" && player.session.soundOwner == nil)
        player.send(.key(.undo))
        player.send(.key(.undo))
        player.send(.key(.undo))
        #expect(player.cutoffs == [3000, nil, 500, nil] && player.session.sound[.delayWidth] == 50)
    }

    @Test("mutes perform: they are no step, belong to what plays, and undo of a note leaves them")
    func mutes() {
        var player = Player.withOwn
        player.tapScene(1)
        player.tap(.step(0, .melody))
        player.tap(.mute(.rhythm))
        #expect(player.steps == ["NOTE"] && player.session.muted == TrackSet([.bass, .rhythm]))
        player.send(.key(.undo))
        #expect(player.session.muted == TrackSet([.bass, .rhythm]) && player.session.sounds.tune.muted == TrackSet())
        player.send(.remote(.mute(.bass, false)))
        player.tapScene(0)
        #expect(player.session.muted == TrackSet())
        player.tapScene(1)
        #expect(player.session.muted == TrackSet(.rhythm))
    }

    @Test("the sound comes with the scene that is launched whole, when it is heard; a cancelled launch brings nothing")
    func launching() {
        var player = Player.withOwn
        player.send(.key(.playStop))
        #expect(player.instrument.state.upcomingSound == nil)
        player.tapScene(1)
        #expect(player.instrument.state.upcomingSound?.sound == player.session.sounds[own: 1])
        #expect(player.session.sound[cutoff] == 3000 && player.session.muted == TrackSet())
        player.tapScene(1)
        #expect(player.instrument.state.upcomingSound == nil)
        // A scene that shares the tune's brings nothing.
        player.tapScene(2)
        #expect(player.instrument.state.upcomingSound == nil)
        player.tapScene(1)
        player.send(.sceneBegan(1))
        #expect(player.session.sound[cutoff] == 500 && player.session.muted == TrackSet(.bass))
        player.tapScene(0)
        #expect(player.instrument.state.upcomingSound?.sound == player.session.sounds.tune)
        player.send(.key(.playStop))
        #expect(player.instrument.state.upcomingSound == nil && player.session.sound[cutoff] == 500)
    }

    @Test("a part that is launched alone brings no sound, nor does the current scene's bar")
    func parts() {
        var player = Player.withOwn
        player.tap(.part(.melody, 1))
        #expect(player.session.composition.parts[.melody] == 1 && player.session.sound[cutoff] == 3000)
        player.send(.key(.playStop))
        player.tapScene(0)
        #expect(player.queued == 0 && player.instrument.state.upcomingSound == nil)
        player.tap(.part(.bass, 1))
        player.send(.sceneBegan(0))
        #expect(player.instrument.state.upcomingSound == nil)
        // The mixed pattern of a scene with its own keeps that.
        player.send(.key(.playStop))
        player.tapScene(1)
        player.tap(.part(.bass, 0))
        #expect(player.session.sound[cutoff] == 500 && player.session.soundOwner == 1)
    }

    @Test("CHAIN and the song bring each scene's own")
    func order() {
        var player = Player.withOwn
        player.instrument.state.session.sceneMode = .chain
        player.send(.key(.playStop))
        #expect(player.instrument.state.upcomingSound?.sound.settings[cutoff] == 500)
        player.send(.sceneBegan(1))
        #expect(player.instrument.state.upcomingSound?.sound.settings[cutoff] == 3000)
        player.send(.sceneBegan(2))
        #expect(player.session.sound[cutoff] == 3000 && player.instrument.state.upcomingSound == nil)
        player.send(.key(.playStop))
        player.instrument.state.session.composition.song = Song([1, 1, 0].map { Song.Entry(scene: $0) })
        player.instrument.state.session.sceneMode = .song
        player.send(.key(.playStop))
        #expect(player.scene == 1 && player.session.sound[cutoff] == 500)
        // The same scene again.
        #expect(player.instrument.state.upcomingScene?.slot == 1 && player.instrument.state.upcomingSound == nil)
        player.send(.sceneBegan(1))
        #expect(player.instrument.state.upcomingSound?.sound.settings[cutoff] == 3000)
    }

    @Test(
        "a copy of a scene has its own sound too, one without takes it away, and a cleared scene loses it: with one undo"
    )
    func copies() {
        var player = Player.withOwn
        player.tapScene(1)
        player.tap(.mute(.chords))
        player.holdScene(2, 1250)
        #expect(player.tooltip == "COPY TO 3" && player.session.sounds[own: 2] == player.session.sounds[own: 1])
        player.holdScene(3, 650)
        #expect(player.session.sounds[own: 3]?.settings[cutoff] == 500)
        player.tapScene(0)
        player.holdScene(2, 1250)
        #expect(player.cutoffs == [3000, nil, 500, nil] && player.steps == ["SCENE", "SCENE", "SCENE"])
        player.send(.key(.undo))
        #expect(player.session.sounds[own: 2]?.muted == TrackSet([.bass, .chords]))
        player.send(.key(.undo))
        player.send(.key(.undo))
        #expect(player.cutoffs == [3000, nil, 500, nil] && player.session.sounds[own: 3] == nil)
        // Its pattern plays on, as that of no scene.
        player.tapScene(1)
        player.holdScene(1, 1250)
        #expect(player.scene == nil && player.session.sounds[own: 1] == nil && player.session.sound[cutoff] == 3000)
        player.send(.key(.undo))
        #expect(player.scene == 1 && player.session.sound[cutoff] == 500)
        #expect(player.session.muted == TrackSet([.bass, .chords]))
        player.send(.key(.redo))
        #expect(player.scene == nil && player.session.sound[cutoff] == 3000)
    }

    @Test("a copied part, a new scene and the order of the song bring no sound")
    func noCopies() {
        var player = Player.withOwn
        player.tapScene(1)
        player.tap(.part(.bass, 2), held: 650)
        player.tap(.part(.bass, 4), held: 650)
        #expect(player.session.composition[scene: 4] != nil)
        player.tapScene(5)
        #expect(player.scene == 5 && player.session.soundOwner == nil)
        player.show(.song(SongSheet(showing: nil)))
        player.drag(from: .scene(1), to: .led(1, 15))
        #expect(player.session.composition.song.entries.count == 1)
        #expect((0..<8).filter { player.session.sounds.isOwn($0) } == [1])
        player.send(.key(.undo))
        #expect((0..<8).filter { player.session.sounds.isOwn($0) } == [1])
    }

    @Test("without a scene the switch says so, and does nothing; the lock lets it be turned, as a fader")
    func refusals() {
        var player = Player()
        player.show(.sound(SoundSheet(of: .melody, row: .shared)))
        player.tap(.letter(.own))
        #expect(player.tooltip == "NO SCENE" && player.session.sounds == TuneSounds())
        player.tap(38, 12, held: 400)
        #expect(player.tooltip == "NO SCENE" && player.steps == [])
        player = .withOwn
        player.send(.lock(true))
        player.turnOwn()
        #expect(player.session.soundOwner == 0)
        player.send(.key(.undo))
        #expect(player.tooltip == "LOCKED" && player.session.soundOwner == 0)
    }

    @Test("the rules of the phone play all scenes with the tune's sound, and lose none")
    func phone() {
        var player = Player.withOwn
        player.tapScene(1)
        player.send(.rules(.phone))
        #expect(player.session.sound[cutoff] == 3000 && player.session.muted == TrackSet())
        player.send(.sound(cutoff, 700))
        player.tapScene(2)
        player.tapScene(1)
        #expect(player.cutoffs == [700, nil, 500, nil] && player.session.sound[cutoff] == 700)
        player.show(.sound(SoundSheet(of: .melody, row: .shared)))
        player.tap(.letter(.own))
        #expect(player.tooltip == "NOT HERE")
        var queued = player.session
        queued.pattern = 3
        player.send(.opened(queued))
        #expect(player.session.sound[cutoff] == 700)
        player.send(.rules(.box))
        #expect(player.session.sound[cutoff] == 500)
    }

    @Test("controllers and programs change what plays; the switch learns no controller")
    func controllers() {
        var player = Player.withOwn
        player.tapScene(1)
        player.send(.sound(cutoff, 700))
        player.send(.midi(.control(channel: 0, number: 10, value: 0)))
        #expect(player.session.sounds[own: 1]?.settings[pan] == -100 && player.cutoffs == [3000, nil, 700, nil])
        #expect(player.steps == [])
        player.show(.sound(SoundSheet(of: .melody, row: .shared)))
        player.finger(.down, .fader(.own, row: 7))
        player.send(.midi(.control(channel: 5, number: 30, value: 0)))
        player.finger(.up)
        #expect(player.session.learned == LearnedControllers() && player.session.soundOwner == 1)
    }

    @Test("the samples of what plays, and of what plays next, are in memory, and no others")
    func samples() {
        var player = Player.withOwn
        for (scene, name) in [(1, "OWN"), (2, "OTHER")] {
            var own = player.session.sounds[own: 1] ?? SceneSound()
            own.settings[sampleOf: 3] = soundName(name)
            player.instrument.state.session.sounds[own: scene] = own
        }
        func requests() -> [String] {
            player.effects.compactMap { if case .job(.loadSample(let name)) = $0 { name.text } else { nil } }
        }
        player.send(.key(.playStop))
        #expect(requests() == [])
        player.tapScene(1)
        #expect(requests() == ["OWN"])
        player.send(.sample(LoadedSample(name: soundName("OWN"), slot: 0, peaks: [])))
        player.send(.sceneBegan(1))
        #expect(player.instrument.state.sample(of: 3)?.slot == 0)
        player.tapScene(2)
        player.send(.sample(LoadedSample(name: soundName("OTHER"), slot: 1, peaks: [])))
        #expect(player.instrument.state.samples.loaded.map(\.slot) == [0, 1])
        player.effects = []
        player.send(.sceneBegan(2))
        #expect(player.effects == [.unload(slot: 0)] && requests() == [])
    }

    @Test("SONG has a line above each scene with its own, and the names of places tell it")
    func shown() {
        var player = Player.withOwn
        player.show(.song(SongSheet(showing: nil)))
        for slot in 0..<8 {
            let line = (5 * slot..<5 * slot + 3).map { player.led($0, 6) }
            #expect(line == [RGB](repeating: slot == 1 ? Palette.sound : .black, count: 3))
        }
        #expect(player.instrument.place(column: 6, row: 9).name == "SCENE 2 OWN SOUND")
        #expect(player.instrument.place(column: 1, row: 9).name == "SCENE 1")
        player.show(.grid)
        #expect(player.instrument.place(column: 42, row: 4).name == "SCENE 2 OWN SOUND")
        player.show(.sound(SoundSheet(of: .melody, row: .shared)))
        #expect(player.instrument.place(column: 38, row: 20).name == "OWN OFF")
    }

    @Test("a tune that opens brings the sounds of its scenes; those of empty scenes are none")
    func opening() {
        var session = Player.withOwn.session
        session.composition.play(1)
        session.sounds[own: 6] = SceneSound()
        var player = Player()
        player.send(.opened(session))
        #expect(player.session.sound[cutoff] == 500 && player.cutoffs == [3000, nil, 500, nil])
        #expect((0..<8).filter { player.session.sounds.isOwn($0) } == [1])
        player.send(.opened(.begun))
        #expect(player.session.sounds == TuneSounds(SceneSound(.factory)))
    }
}
