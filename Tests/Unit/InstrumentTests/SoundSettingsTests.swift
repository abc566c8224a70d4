import Display
import InputEvents
import Testing

@testable import Instrument

@Suite("Sound settings")
struct SoundSettingsTests {
    @Test("every control has its own place, a default within its range and its own name")
    func controls() {
        #expect(SoundControl.allCases.count == 179)
        #expect(Set(SoundControl.allCases.map(\.word)).count == 179)
        var settings = SoundSettings()
        for control in SoundControl.allCases {
            #expect(control.range.contains(control.defaultValue))
            #expect(settings[control] == control.defaultValue)
            #expect(SoundControl(word: control.word) == control)
            // The plain model has no controls of its own.
            if case .track(_, let own) = control, own.timbre != nil { continue }
            // Turning one leaves the others.
            let isAtTop = control.defaultValue == control.range.upperBound
            let turned = isAtTop ? control.range.lowerBound : control.defaultValue + 1
            settings[control] = turned
            #expect(SoundControl.allCases.filter { settings[$0] != $0.defaultValue } == [control])
            settings[control] = control.defaultValue
        }
        for word in ["", "bass", "bass.wobble", "cutoff", "bass.cutoff.high", "Swing"] {
            #expect(SoundControl(word: word) == nil)
        }
    }

    @Test("another model limits the controls that depend on it")
    func models() {
        var settings = SoundSettings()
        settings[.track(.bass, .model)] = SoundModel.fm.rawValue
        settings[.track(.bass, .timbre1)] = 90
        settings[.track(.bass, .lfoTarget)] = 14
        #expect(settings[.track(.bass, .timbre1)] == 90 && settings[.track(.bass, .lfoTarget)] == 14)
        settings[.track(.bass, .model)] = SoundModel.organ.rawValue
        #expect(settings[.track(.bass, .timbre1)] == 8 && settings.range(of: .track(.bass, .timbre1)) == 0...8)
        settings[.track(.bass, .model)] = SoundModel.strings.rawValue
        #expect(settings[.track(.bass, .lfoTarget)] == 11)
        settings[.track(.bass, .timbre4)] = 50
        #expect(settings[.track(.bass, .timbre4)] == 0 && settings[.track(.bass, .timbre1)] == 8)
        #expect(!settings.isAvailable(.track(.bass, .timbre4)) && settings.isAvailable(.track(.bass, .timbre3)))
        #expect(!settings.isAvailable(.track(.rhythm, .timbre1)) && !settings.isAvailable(.track(.rhythm, .attack)))
    }

    @Test("entries are read back in any order, names included, and unknown ones are refused")
    func entries() {
        var settings = SoundSettings()
        settings.choose(FactorySounds.list(for: .melody)[3], for: .melody)
        settings.choose(FactorySounds.list(for: .chords)[2], for: .chords)
        settings[.tone] = -20
        let entries = settings.entries
        #expect(SoundSettings(entries: entries) == settings)
        #expect(SoundSettings(entries: entries.reversed()) == settings)
        let refused: [(word: String, value: Int64)] = [
            ("melody.name", 0), ("melody.name", -1), ("bass.wobble", 1), ("swing", 99),
        ]
        for entry in refused {
            #expect(SoundSettings(entries: [entry]) == nil)
        }
    }

    @Test("a name is one to eight letters of the panel's font")
    func names() throws {
        for text in ["A", "MY TAPE", "♯♭▶■✓←~%", "12345678"] {
            let name = try #require(SoundName(text))
            #expect(name.text == text && SoundName(bits: name.bits) == name && text.allSatisfy(Font.draws))
            #expect(name.width == TextLine(text).width)
        }
        for text in ["", "ninebits", "NINE BITS", " A", "A ", "É"] { #expect(SoundName(text) == nil) }
        for bits in [-1, 0, 63, 1 << 48, 1 | 63 << 6, 1 << 6] as [Int64] { #expect(SoundName(bits: bits) == nil) }
    }

    @Test("an event turns a control, within its range", arguments: SoundControl.allCases)
    func turned(control: SoundControl) {
        let (least, most) = (control.range.lowerBound, control.range.upperBound)
        var player = Player()
        for (value, kept) in [(least, least), (most, most), (least - 1, least), (most + 1, most), (.max, most)] {
            player.send(.sound(control, value))
            var expected = SoundSettings()
            expected[control] = kept
            #expect(player.instrument.state.session.sound == expected)
        }
        #expect(player.effects.isEmpty)
    }

    @Test("events switch the metronome and set the count-in, within 0-2 bars")
    func clicks() {
        var player = Player()
        player.send(.metronome(true))
        #expect(player.instrument.state.session.metronome)
        player.send(.metronome(false))
        #expect(!player.instrument.state.session.metronome)
        for (bars, kept) in [(1, 1), (2, 2), (3, 2), (-1, 0)] {
            player.send(.countIn(bars))
            #expect(player.instrument.state.session.countIn == kept)
        }
    }

    /// A box with every setting of this suite changed.
    private func turned() -> Player {
        var player = Player()
        player.send(.sound(.track(.bass, .cutoff), 800))
        player.send(.sound(.swing, 60))
        player.send(.metronome(true))
        player.send(.countIn(1))
        return player
    }

    @Test("the session holds all of it")
    func session() {
        let session = turned().instrument.state.session
        var next = Instrument()
        next.load(session)
        #expect(next.state.session == session)
        #expect(next.state.session.sound[.track(.bass, .cutoff)] == 800 && next.state.session.sound[.swing] == 60)
        #expect(next.state.session.metronome && next.state.session.countIn == 1)
    }

    @Test("a session from elsewhere is limited to the ranges")
    func foreignSession() {
        var session = Session()
        session.countIn = 9
        var box = Instrument()
        box.load(session)
        #expect(box.state.session.countIn == 2)
    }

    @Test("a pattern that is loaded brings its sound, or the defaults")
    func load() {
        var player = turned()
        var sound = SoundSettings()
        sound[.delaySteps] = 5
        var session = Session()
        session.sound = sound
        player.instrument.load(session)
        #expect(player.instrument.state.session.sound == sound)
        player.instrument.load(Session())
        #expect(player.instrument.state.session.sound == SoundSettings())
    }

    @Test("undo, redo and Clear leave it unchanged, and turning it is not an undo step")
    func notUndone() {
        var player = turned()
        #expect(player.instrument.state.session.history.past.isEmpty)
        player.tap(.step(0, .melody))
        player.send(.sound(.swing, 70))
        let before = player.instrument.state
        for key in [Key.undo, .redo, .clear, .undo, .undo] {
            player.send(.key(key))
            #expect(player.instrument.state.session.sound == before.session.sound)
            #expect(player.instrument.state.session.metronome && player.instrument.state.session.countIn == 1)
        }
        #expect(player.pattern.isEmpty)
    }

    @Test("a beat of the count-in is a number on the panel, only while the transport runs")
    func count() {
        var player = Player()
        player.send(.count(4))
        #expect(player.tooltip == nil)
        player.send(.key(.playStop))
        for beats in [4, 3, 2, 1] {
            player.wait(500)
            player.send(.count(beats))
            #expect(player.tooltip == "\(beats)")
            let shown = player.frame()
            player.instrument.state.view.tooltip = nil
            #expect(shown != player.frame())
        }
        player.send(.key(.playStop))
        player.send(.count(4))
        #expect(player.tooltip == "STOP")
    }

    @Test(
        "steps take 60/BPM/4 s, rounded down to the microsecond",
        arguments: [(120, 32, 4_000_000), (200, 1, 75_000), (70, 1, 214_285), (70, 32_000, 6_857_142_857)])
    func duration(bpm: Int, steps: Int, microseconds: Int64) {
        var pattern = Pattern()
        pattern.tempo = Tempo(bpm)
        #expect(pattern.duration(ofSteps: steps) == Instant.Span(microseconds: microseconds))
    }
}
