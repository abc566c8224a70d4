import Display
import Testing

@testable import Instrument

@Suite("Faders")
struct FaderTests {
    /// The first columns of the faders of the sound sheet.
    private static let faders: [Float] = [6, 10, 15, 19, 24, 28, 33, 37, 41]

    @Test("every control of the sound has a fader on its track's rows; those without an effect do not move")
    func soundFaders() {
        var controls: Set<SoundControl> = []
        for track in Track.allCases {
            var player = atSheet(.sound)
            // FM has all of a model's own controls.
            for track in [Track.melody, .chords, .bass] {
                player.send(.sound(.track(track, .model), SoundModel.fm.rawValue))
            }
            player.tap(.spot(.track(track)))
            // The chosen track again is the next row.
            if track == .melody { for _ in 1..<SoundSheet.Row.allCases.count { player.tap(.spot(.track(.melody))) } }
            for row in SoundSheet.Row.allCases {
                for column in Self.faders {
                    var next = player
                    next.finger(.down, column + 1, 6)
                    next.wait(2000)
                    next.finger(.up, column + 1, 6)
                    let (before, after) = (player.instrument.state, next.instrument.state)
                    let turned = SoundControl.allCases.filter { before.session.sound[$0] != after.session.sound[$0] }
                    #expect(turned.count <= 1)
                    for control in turned {
                        #expect(after.session.sound[control] == after.session.sound.range(of: control).upperBound)
                        controls.insert(control)
                    }
                }
                if row != .shared { player.tap(.spot(.track(track))) }
            }
        }
        let fixed = SoundControl.allCases.filter { control in
            // The sound is chosen as a whole, and its level with it.
            if case .track(_, let own) = control, own == .model || own == .level { return true }
            // The pads have a sheet of their own.
            if case .pad = control { return true }
            if case .track(.rhythm, _) = control { return !SoundSettings().isAvailable(control) }
            return false
        }
        // A control at its maximum cannot be pushed there.
        let full = SoundControl.allCases.filter { $0.defaultValue == $0.range.upperBound }
        #expect(controls == Set(SoundControl.allCases).subtracting(fixed).subtracting(full))
    }

    @Test("the metronome, the count-in and the master have faders too")
    func clicks() {
        var player = atSheet(.sound)
        player.tap(.spot(.track(.melody)))
        for column in [34, 38] as [Float] {
            player.finger(.down, column, 7)
            player.wait(500)
            player.finger(.up, column, 7)
        }
        #expect(player.instrument.state.session.metronome && player.instrument.state.session.countIn == 2)
        player.finger(.down, .fader(.master, row: 17))
        player.wait(5000)
        player.finger(.up)
        #expect(player.instrument.state.volume == 0)
    }

    @Test("a finger near the cap grabs it without a jump, and the value follows in fine steps")
    func nearCap() {
        var player = atSheet(.sound)
        let cutoff = SoundControl.track(.melody, .cutoff)
        // 2000 Hz is two thirds of the way up: row 10⅓.
        player.finger(.down, .fader(.sound(.track(.melody, .cutoff)), row: 12))
        player.wait(1000)
        #expect(player.instrument.state.session.sound[cutoff] == 2000)
        var values: [Int] = []
        for tenth in 0...20 {
            player.finger(.move, 16, 12 - Float(tenth) / 10)
            values.append(player.instrument.state.session.sound[cutoff])
        }
        #expect(values == values.sorted() && Set(values).count == values.count, "\(values)")
        player.finger(.up)
    }

    @Test(
        "far from the cap the level moves to the finger, the same at any tick rate, and stops when it lifts",
        arguments: [1, 7, 16, 50, 250] as [Int64])
    func farFromCap(interval: Int64) {
        var player = atSheet(.sound)
        let volume = SoundControl.track(.melody, .volume)
        player.finger(.down, .fader(.sound(.track(.melody, .volume)), row: 17))
        #expect(player.instrument.state.session.sound[volume] == 100)
        var elapsed: Int64 = 0
        while elapsed < 100 {
            player.wait(min(interval, 100 - elapsed))
            elapsed += min(interval, 100 - elapsed)
        }
        // The whole way takes 250 ms: 0.4 of it in 100.
        #expect(player.instrument.state.session.sound[volume] == 20)
        player.finger(.up)
        player.wait(1000)
        #expect(player.instrument.state.session.sound[volume] == 20)
    }

    @Test("loud controls move slowly: the master takes a second and a half from end to end")
    func slowMaster() {
        var player = atSheet(.sound)
        player.finger(.down, .fader(.master, row: 17))
        player.wait(750)
        #expect((49...51).contains(player.instrument.state.volume))
        player.wait(750)
        #expect(player.instrument.state.volume == 0)
    }

    @Test("a fader's conversions between value and level are inverse, end to end")
    func scales() {
        var faders: [Fader] = [.master, .light, .metronome, .countIn, .quantise, .own]
        faders += SoundControl.allCases.map { .sound($0) }
        for fader in faders {
            #expect(fader.value(at: 0) == fader.range.lowerBound && fader.value(at: 1) == fader.range.upperBound)
            let wrong = fader.range.filter { value in
                let level = fader.level(of: value)
                return !(0...1).contains(level) || fader.value(at: level) != value
            }
            #expect(wrong == [], "\(fader)")
        }
    }

    @Test("ten fingers move ten faders; a second finger on one is ignored")
    func tenFingers() {
        var player = atSheet(.sound)
        for (contact, column) in Self.faders.enumerated() { player.finger(.down, column + 1, 6, contact: contact) }
        player.finger(.down, .fader(.sound(.track(.melody, .volume)), row: 17), contact: 9)
        player.wait(3000)
        for control in [TrackControl.volume, .pan, .cutoff, .resonance, .attack, .release, .delay, .reverb] {
            #expect(player.instrument.state.session.sound[.track(.melody, control)] == control.range.upperBound)
        }
    }

    @Test("the letter below shows the value, and two taps on it reset it")
    func letters() {
        var player = atSheet(.sound)
        let pan = SoundControl.track(.melody, .pan)
        player.finger(.down, .fader(.sound(.track(.melody, .pan)), row: 6))
        player.wait(1000)
        player.finger(.up)
        #expect(player.tooltip == "PAN R100")
        player.tap(.letter(.sound(.track(.melody, .pan))), pause: 100)
        #expect(player.tooltip == "PAN: R100" && player.instrument.state.session.sound[pan] == 100)
        player.tap(.letter(.sound(.track(.melody, .pan))))
        #expect(player.instrument.state.session.sound[pan] == 0)
        player.tap(.letter(.sound(.track(.melody, .pan))), pause: 900)
        player.tap(.letter(.sound(.track(.melody, .pan))))
        #expect(player.instrument.state.session.sound[pan] == 0)
    }

    @Test(
        "the letter names its fader in full, with the value",
        arguments: [
            (Fader.master, "MASTER VOLUME: 80%"), (.light, "BRIGHTNESS: 60%"), (.sound(.swing), "SWING: 50%"),
        ])
    func names(fader: Fader, words: String) {
        var player = atSettings
        player.instrument.state.session.volume = 80
        player.instrument.state.session.brightness = 60
        player.finger(.down, .letter(fader))
        #expect(player.tooltip == words)
        player.finger(.up)
    }

    @Test("every fader of the sound sheet is named in full under its letter")
    func soundNames() {
        var names: Set<String> = []
        for track in Track.allCases {
            var player = atSheet(.sound)
            player.tap(.spot(.track(track)))
            if track == .melody { for _ in 1..<SoundSheet.Row.allCases.count { player.tap(.spot(.track(.melody))) } }
            for row in SoundSheet.Row.allCases {
                for column in Self.faders {
                    player.finger(.down, column + 1, 21)
                    if let text = player.tooltip, let end = text.firstIndex(of: ":") {
                        names.insert(String(text[..<end]))
                    }
                    player.finger(.up, column + 1, 21)
                    player.wait(5000)
                }
                if row != .shared { player.tap(.spot(.track(track))) }
            }
        }
        let wanted: Set<String> = [
            "MASTER VOLUME", "METRONOME", "BARS OF COUNT-IN", "SWING", "DELAY STEPS", "DELAY FEEDBACK", "DELAY WIDTH",
            "REVERB TIME", "COMPRESSION", "TONE", "VOLUME", "PAN", "CUT-OFF", "RESONANCE", "ATTACK", "DECAY", "SUSTAIN",
            "RELEASE", "DELAY", "SPACE", "UNISON", "DRIVE", "CHORUS", "LFO RATE", "LFO SHAPE", "LFO DEPTH", "LFO TO",
            "ENVELOPE", "ENVELOPE TO", "ENVELOPE DECAY",
        ]
        #expect(names.isSuperset(of: wanted), "\(wanted.subtracting(names).sorted())")
    }

    @Test("the text shows while a finger is on a fader, and 1200 ms longer; it passes by within two columns at most")
    func words() {
        var player = atSheet(.sound)
        player.finger(.down, .fader(.sound(.track(.melody, .cutoff)), row: 10))
        player.wait(5000)
        #expect(player.tooltip == "CUT 2.0K")
        player.finger(.up)
        player.wait(1100)
        #expect(player.tooltip == "CUT 2.0K")
        player.wait(200)
        #expect(player.tooltip == nil)
        for fader in [Fader.master, .light, .metronome, .countIn, .quantise]
            + SoundControl.allCases.map({ Fader.sound($0) })
        {
            for model in SoundModel.allCases {
                for value in [fader.range.lowerBound, fader.range.upperBound, fader.range.count / 2] {
                    #expect(TextLine(fader.text(of: value, model)).width <= 33, "\(fader.text(of: value, model))")
                }
            }
        }
    }
}
