import Display
import InputEvents
import Testing

@testable import Instrument

@Suite("Choosing a sound")
struct SoundChoiceTests {
    /// A player on the sound sheet of `track`, with these own sounds.
    private func player(_ track: Track = .chords, own: [String] = []) -> Player {
        var player = atSheet(.sound)
        if track != .melody { player.tap(.spot(.track(track))) }
        player.send(.sounds(own.compactMap { SoundName($0).map { preset($0, for: track) } }))
        player.effects = []
        return player
    }

    /// An own sound with a drive of its own.
    private func preset(_ name: SoundName, for track: Track) -> SoundPreset {
        var settings = SoundSettings()
        settings[.track(track, .drive)] = 33
        return SoundPreset(settings, of: track, named: name)
    }

    private func sound(_ player: Player) -> SoundSettings { player.instrument.state.session.sound }

    private func auditions(_ player: Player) -> [Track?] {
        player.effects.compactMap { effect in
            if case .audition(let notes) = effect { .some(notes.first?.track) } else { nil }
        }
    }

    @Test("every track has its list: plain, its home sounds, the others; all names fit and differ")
    func lists() {
        #expect(FactorySounds.list(for: .rhythm).map(\.name.text) == ["PLAIN", "ANALOG", "PUNCHY", "ACOUSTIC", "LOFI"])
        let homes = [FactorySounds.melody, FactorySounds.chords, FactorySounds.bass]
        #expect(homes.allSatisfy { $0.count >= 11 } && homes.joined().count >= 32)
        for track in [Track.melody, .chords, .bass] {
            let names = FactorySounds.list(for: track).map(\.name.text)
            #expect(names.count == homes.joined().count + 1 && Set(names).count == names.count)
            let home = ["PLAIN"] + homes[track.rawValue].map(\.name)
            #expect(Array(names.prefix(home.count)) == home)
        }
        for entry in homes.joined() {
            #expect(entry.levels.count == 3 && entry.timbre.count == entry.model.timbres.count, "\(entry.name)")
            for (timbre, value) in zip(entry.model.timbres, entry.timbre) {
                #expect(timbre.range.contains(value), "\(entry.name) \(timbre.key)")
            }
            for (control, value) in entry.controls {
                #expect(control.range.contains(value) && control != .model, "\(entry.name) \(control)")
            }
        }
    }

    @Test("a sound replaces everything of a track but volume, pan and sends", arguments: Track.allCases)
    func mixer(track: Track) {
        let mix: [TrackControl] = [.volume, .pan, .delay, .reverb]
        var settings = SoundSettings()
        for control in TrackControl.allCases { settings[.track(track, control)] = control.range.lowerBound + 3 }
        let before = settings
        for preset in FactorySounds.list(for: track) {
            settings.choose(preset, for: track)
            for control in mix { #expect(settings[.track(track, control)] == before[.track(track, control)]) }
            #expect(SoundPreset(settings, of: track, named: preset.name) == preset)
            #expect(settings[nameOf: track]?.text == (preset.name.text == "PLAIN" ? nil : preset.name.text))
        }
        // Plain leaves only the mix.
        settings.choose(FactorySounds.list(for: track)[0], for: track)
        for control in mix { settings[.track(track, control)] = SoundSettings()[.track(track, control)] }
        #expect(settings == SoundSettings())
    }

    @Test("the factory set has a sound on each track, and differs from the plain one")
    func factory() {
        for track in Track.allCases { #expect(SoundSettings.factory[nameOf: track] != nil) }
        #expect(SoundSettings.factory[.delayWidth] == 100 && Session.begun.sound == .factory)
        #expect(Session.first.sound == .factory && Session().sound == SoundSettings())
    }

    @Test("a drag on the name walks the list, six LEDs a name, and each is heard while stopped")
    func walk() {
        var player = player()
        player.finger(.down, .spot(.soundName, column: 10))
        for column in 11...28 { player.finger(.move, Float(column), 2) }
        #expect(sound(player)[nameOf: .chords]?.text == FactorySounds.chords[2].name)
        #expect(auditions(player) == [.chords, .chords, .chords])
        for column in stride(from: 27, through: 16, by: -1) { player.finger(.move, Float(column), 2) }
        player.finger(.up)
        #expect(sound(player)[nameOf: .chords]?.text == FactorySounds.chords[0].name)
        #expect(shows(FactorySounds.chords[0].name, player.frame(), column: 6))
        #expect(player.instrument.state.session.history.past.count == 1)
        // Beyond the first nothing changes.
        player.drag(from: .spot(.soundName, column: 34), to: .spot(.soundName, column: 6))
        #expect(sound(player)[nameOf: .chords] == nil && shows("PLAIN", player.frame(), column: 6))
        // The music is not interrupted by auditions.
        player.send(.key(.playStop))
        player.effects = []
        player.drag(from: .spot(.soundName, column: 10), to: .spot(.soundName, column: 17))
        #expect(auditions(player).isEmpty && sound(player)[nameOf: .chords] != nil)
    }

    @Test("dots below the name show its place")
    func dots() {
        var player = player(.rhythm)
        let dim = RGB.black.blended(towards: Palette.sound, 0.25)
        func dots(_ player: Player) -> [RGB] { (0..<6).map { player.frame()[6 + 2 * $0, 6] } }
        #expect(dots(player) == [Palette.sound, dim, dim, dim, dim, .black])
        player.drag(from: .spot(.soundName, column: 10), to: .spot(.soundName, column: 17))
        #expect(dots(player) == [dim, Palette.sound, dim, dim, dim, .black])
        #expect(sound(player)[.track(.rhythm, .model)] == SoundKit.analogue.rawValue)
    }

    @Test("a tap on the name opens the list; its corner returns")
    func list() {
        var player = player()
        player.tap(.spot(.soundName))
        #expect(player.instrument.state.view.screen == .presets(settled(.chords, player)))
        #expect(shows("PRESETS", player.frame(), column: 6) && shows("PLAIN", player.frame(), column: 7, row: 7))
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .sound(SoundSheet(of: .chords)))
        player.tap(.spot(.track(.rhythm)))
        player.tap(.spot(.soundName))
        #expect(shows("KITS", player.frame(), column: 6))
    }

    private func settled(_ track: Track, _ player: Player) -> PresetSheet {
        var sheet = PresetSheet(of: track)
        sheet.limit(to: player.instrument.state)
        return sheet
    }

    @Test("in the list a tap chooses and sounds, and the chosen name is underlined in the track's colour")
    func choose() {
        var player = player()
        player.tap(.spot(.soundName))
        player.tap(.spot(.line(1)))
        #expect(sound(player)[nameOf: .chords]?.text == FactorySounds.chords[0].name && auditions(player) == [.chords])
        #expect(player.frame()[7, 18] == Palette.track(.chords, .chromatic))
        // The lowest name moves up, so that its line can be seen.
        player.tap(.spot(.line(2)))
        #expect(sound(player)[nameOf: .chords]?.text == FactorySounds.chords[1].name)
        #expect(player.frame()[7, 18] == Palette.track(.chords, .chromatic))
        #expect(shows(FactorySounds.chords[1].name, player.frame(), column: 7, row: 13))
    }

    @Test("a drag scrolls the list to its ends, and chooses nothing")
    func scroll() {
        var player = player(own: ["MINE"])
        player.tap(.spot(.soundName))
        for _ in 0..<20 { player.drag(from: (12, 22), to: (12, 7)) }
        #expect(sound(player) == SoundSettings() && auditions(player).isEmpty)
        #expect(shows("MINE", player.frame(), column: 7, row: 13))
        // An own sound has a bar.
        #expect((14..<17).allSatisfy { player.frame()[5, $0] == Palette.sound } && player.frame()[5, 8] == .black)
        for _ in 0..<20 { player.drag(from: (12, 7), to: (12, 22)) }
        #expect(shows("PLAIN", player.frame(), column: 7, row: 7))
    }

    @Test("the plus saves the track's sound under a name of at most eight letters")
    func save() {
        var player = player()
        player.send(.sound(.track(.chords, .drive), 20))
        player.tap(.spot(.soundName))
        player.tap(.spot(.saveSound))
        for _ in 0..<9 { player.tap(.spot(.key(.letter("Q"))), held: 60, pause: 40) }
        player.tap(.spot(.done))
        guard case .job(.keepSound(let preset))? = player.effects.last,
            case .presets = player.instrument.state.view.screen
        else {
            Issue.record("nothing saved")
            return
        }
        #expect(preset.name.text == "QQQQQQQQ" && preset.kind == .melodic)
        #expect(preset == SoundPreset(sound(player), of: .chords, named: preset.name))
        #expect(sound(player)[nameOf: .chords] == preset.name && sound(player)[.track(.chords, .drive)] == 20)
        player.send(.sounds([preset]))
        #expect(player.instrument.state.playsOwnSound(.chords))
        #expect(player.instrument.state.soundCount(for: .bass) == FactorySounds.list(for: .bass).count + 1)
        #expect(player.instrument.state.soundCount(for: .rhythm) == 5)
    }

    @Test("a factory name is not saved, and says so")
    func taken() {
        var player = player()
        player.show(.letters(LetterSheet(soundOf: .chords, name: "ORGAN")))
        player.tap(.spot(.done), pause: 100)
        #expect(player.effects.isEmpty && player.tooltip == "TAKEN")
    }

    @Test("holding the cross for 1.2 s deletes an own sound, which the track keeps; others have none")
    func delete() {
        var player = player(own: ["MINE"])
        player.tap(.spot(.soundName))
        player.tap(.spot(.deleteSound), held: 1500)
        #expect(player.effects.isEmpty)
        player.instrument.state.session.sound.choose(mine, for: .chords)
        player.tap(.spot(.deleteSound), held: 900)
        #expect(player.effects.isEmpty)
        player.finger(.down, .spot(.deleteSound))
        player.wait(1100)
        #expect(player.frame()[40, 17] == RGB.black.blended(towards: Palette.danger, 0.3))
        player.wait(200)
        player.finger(.up)
        #expect(player.effects == [.job(.removeSound(.melodic, mine.name))])
        player.send(.sounds([]))
        #expect(sound(player)[.track(.chords, .drive)] == 33 && sound(player)[nameOf: .chords] == mine.name)
    }

    private var mine: SoundPreset {
        guard let name = SoundName("MINE") else { preconditionFailure() }
        return preset(name, for: .chords)
    }

    @Test("the LEDs beside the chosen track count the rows of faders")
    func rows() {
        var player = player(.melody)
        for row in SoundSheet.Row.allCases {
            #expect((6..<13).count { player.frame()[4, $0] != .black } == row.rawValue + 1)
            player.tap(.spot(.track(.melody)))
        }
        #expect((6..<13).count { player.frame()[4, $0] != .black } == 1)
    }

    @Test("the sheets fit into three words, so that drawing them allocates nothing")
    func size() {
        #expect(MemoryLayout<SoundSheet>.size <= 3 * MemoryLayout<Int>.size)
        #expect(MemoryLayout<PresetSheet>.size <= 3 * MemoryLayout<Int>.size)
    }
}
