import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// Two states of the box, and the number of LEDs in which they differ at least.
struct StatePair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var leds = 2
    let first: @Sendable (inout Player) -> Void
    let second: @Sendable (inout Player) -> Void

    init(
        _ name: String, leds: Int = 2, _ first: @escaping @Sendable (inout Player) -> Void,
        _ second: @escaping @Sendable (inout Player) -> Void
    ) {
        testDescription = name
        self.leds = leds
        self.first = first
        self.second = second
    }
}

/// docs/spec.md, section 2: no state is shown by hue alone. Pairs of states whose frames differ in lightness, as an eye
/// without any colour sees them, in every colour mode.
@Suite("Without colours")
struct GreyscaleTests {
    /// Minimum difference in L* that counts. Neighbouring fields with a difference of 10 look different at a glance.
    private static let visible = 10.0

    private static let nothing: @Sendable (inout Player) -> Void = { _ in }

    private static func facts(problem: String? = nil, faults: Facts.Faults = []) -> Facts {
        var facts = Facts()
        facts.problem = problem
        facts.faults = faults
        return facts
    }

    static let gridPairs: [StatePair] = [
        StatePair("stopped, playing", nothing) { $0.instrument.state.transport.isPlaying = true },
        StatePair("stopped, stopped and recording", nothing) { $0.instrument.state.recording.isOn = true },
        StatePair("playing, recording") {
            $0.instrument.state.transport.isPlaying = true
        } _: {
            $0.instrument.state.transport.isPlaying = true
            $0.instrument.state.recording.isOn = true
        },
        StatePair("audible, muted", leds: 6, nothing) { $0.tap(.mute(.melody)) },
        StatePair("muted, soloed", leds: 6) {
            $0.tap(.mute(.melody))
        } _: {
            $0.tap(.solo(.melody))
        },
        StatePair("muted, silent beside a solo", leds: 6) {
            $0.tap(.mute(.melody))
        } _: {
            $0.tap(.solo(.chords))
        },
        StatePair("major, minor", nothing) { $0.tap(.control(.scale(.minor))) },
        StatePair("minor, penta") {
            $0.tap(.control(.scale(.minor)))
        } _: {
            $0.tap(.control(.scale(.penta)))
        },
        StatePair("the root C, the root B", nothing) { $0.tap(.control(.root(11))) },
        StatePair("the root F, the root G") {
            $0.tap(.control(.root(5)))
        } _: {
            $0.tap(.control(.root(7)))
        },
        StatePair("ghosts, no ghosts", leds: 1, nothing) { $0.tap(.control(.ghosts)) },
        StatePair("redo possible, impossible", leds: 1) {
            $0.tap(.step(0, .melody))
            $0.tap(.control(.undo))
        } _: {
            $0.tap(.step(0, .melody))
            $0.tap(.step(0, .melody))
        },
        StatePair("free, locked", nothing) { $0.instrument.state.session.isLocked = true },
        StatePair("well, warned", nothing) { $0.instrument.state.box.isWarned = true },
        StatePair("warned, at fault") {
            $0.instrument.state.box.isWarned = true
        } _: {
            $0.send(.facts(facts(faults: .sound)))
        },
        StatePair("well, at fault", leds: 4, nothing) { $0.send(.facts(facts(faults: .sound))) },
        StatePair("no shake, one reversal", leds: 1) {
            shake(&$0, [14])
        } _: {
            shake(&$0, [14, 10])
        },
        StatePair("one reversal, two", leds: 1) {
            shake(&$0, [14, 10])
        } _: {
            shake(&$0, [14, 10, 14])
        },
        StatePair("two reversals, three", leds: 1) {
            shake(&$0, [14, 10, 14])
        } _: {
            shake(&$0, [14, 10, 14, 10])
        },
        StatePair("clear at rest, about to act", leds: 2, nothing) {
            $0.finger(.down, .control(.clear))
            $0.wait(300)
        },
        StatePair("a normal note, an accent", leds: 1) {
            $0.tap(.step(1, .melody))
        } _: {
            $0.tap(.step(1, .melody), held: 500)
        },
        StatePair("the scenes in turn, one scene") {
            $0.instrument.state.session.sceneMode = .chain
        } _: {
            $0.instrument.state.session.sceneMode = .one
        },
    ]

    static let menuPairs: [StatePair] = [
        StatePair("unlocked, locked", nothing) { $0.instrument.state.session.isLocked = true },
        StatePair("well, no sound", leds: 3, nothing) { $0.send(.facts(facts(faults: .sound))) },
        StatePair("no sound, no hardware") {
            $0.send(.facts(facts(faults: .sound)))
        } _: {
            $0.send(.facts(facts(faults: .hardware)))
        },
        StatePair("icon at rest, touched", leds: 3, nothing) { $0.finger(.down, .menu(.sound)) },
    ]

    static let sheetPairs: [StatePair] = [
        StatePair("SOUND: stopped, playing", leds: 3) {
            $0.tap(.menu(.sound))
        } _: {
            $0.tap(.menu(.sound))
            $0.instrument.state.transport.isPlaying = true
        },
        StatePair("SOUND: melody, chords", leds: 12) {
            $0.tap(.menu(.sound))
        } _: {
            $0.tap(.menu(.sound))
            $0.tap(.spot(.track(.chords)))
        },
        StatePair("SETTINGS: ghosts, no ghosts", leds: 9) {
            $0.tap(.menu(.settings))
        } _: {
            $0.tap(.menu(.settings))
            $0.tap(.spot(.toggle(.ghosts)))
        },
        StatePair("SETTINGS: box, phone", leds: 16) {
            $0.tap(.menu(.settings))
            $0.tap(.spot(.pageMark))
        } _: {
            $0.tap(.menu(.settings))
            $0.tap(.spot(.pageMark))
            $0.tap(.spot(.rules(.phone)))
        },
        StatePair("SONG: a scene, the scenes in turn", leds: 6) {
            $0.tap(.menu(.song))
        } _: {
            $0.tap(.menu(.song))
            $0.tap(.spot(.sceneMode))
        },
        StatePair("SONG: an entry, the playing one", leds: 12) {
            song(&$0)
        } _: {
            song(&$0)
            $0.tap(.spot(.songEntry(0)))
        },
        StatePair("SONG: a repeat, two", leds: 1) {
            song(&$0)
        } _: {
            song(&$0)
            $0.tap(.spot(.songRepeats(0)))
        },
        StatePair("SYNC: internal, MIDI", leds: 12) {
            $0.tap(.menu(.sync))
        } _: {
            $0.tap(.menu(.sync))
            $0.tap(.spot(.source(.midi)))
        },
        StatePair("SYNC: followed, lost", leds: 12) {
            sync(.locked, &$0)
        } _: {
            sync(.lost, &$0)
        },
        StatePair("SYNC: recording off, on", leds: 11) {
            $0.tap(.menu(.sync))
        } _: {
            $0.tap(.menu(.sync))
            $0.tap(.spot(.record))
        },
        StatePair("ABOUT: well, a problem", leds: 5) {
            $0.send(.facts(facts()))
            about(&$0)
        } _: {
            $0.send(.facts(facts(problem: "ALL WELL")))
            about(&$0)
        },
        StatePair("POWER: at rest, held", leds: 20) {
            power(&$0)
        } _: {
            power(&$0)
            $0.finger(.down, .spot(.switchOff))
            $0.wait(600)
        },
        StatePair("SCALE: a note in tune, flat", leds: 1) {
            tuned(0, &$0)
        } _: {
            tuned(-5865, &$0)
        },
        StatePair("SCALE: a note flat, sharp", leds: 2) {
            tuned(-5865, &$0)
        } _: {
            tuned(5865, &$0)
        },
        StatePair("LIBRARY: stopped, playing", leds: 3) {
            $0.tap(.menu(.library))
        } _: {
            $0.tap(.menu(.library))
            $0.instrument.state.transport.isPlaying = true
        },
    ]

    private static func shake(_ player: inout Player, _ columns: [Float]) {
        player.finger(.down, .step(6, .melody, row: 2))
        for column in columns { player.finger(.move, column, 5) }
    }

    /// On the scale sheet, with E♭ this many thousandths of a cent from equal temperament.
    private static func tuned(_ offset: Int, _ player: inout Player) {
        var cents = Tuning().cents
        cents[3] += offset
        player.instrument.state.session.composition.pattern.tuning = Tuning(cents: cents, name: SoundName("OWN"))
        player.tap(.control(.scale(.major)), held: 400)
    }

    private static func song(_ player: inout Player) {
        player.instrument.state.session.composition.scenes = Scenes([Pattern()], current: 0)
        player.instrument.state.session.composition.song = Song([Song.Entry(scene: 0)])
        player.tap(.menu(.song))
    }

    private static func sync(_ lock: SyncStatus.Lock, _ player: inout Player) {
        player.tap(.menu(.sync))
        player.send(.sync(.source(.midi)))
        var status = SyncStatus()
        (status.lock, status.tempo) = (lock, 120)
        player.send(.syncStatus(status))
    }

    private static func about(_ player: inout Player) {
        player.tap(.menu(.settings))
        player.tap(.spot(.button(.about)))
    }

    private static func power(_ player: inout Player) {
        player.tap(.menu(.settings))
        player.tap(.spot(.button(.power)))
    }

    /// The lightness of each LED, without a text; at a time at which faults are lit and Play's light is bright.
    private func lightness(_ player: Player) -> [Double] {
        var player = player
        player.instrument.state.view.tooltip = nil
        var frame = Frame(columns: player.instrument.columns, rows: Instrument.rows)
        player.instrument.draw(into: &frame, at: Instant(milliseconds: 1_201_020))
        return frame.pixels.map { ColourScience.lab(ColourScience.linear($0.red, $0.green, $0.blue)).x }
    }

    private func compare(_ pair: StatePair, from player: Player) {
        for mode in ColourMode.allCases {
            var player = player
            player.instrument.state.session.colourMode = mode
            var other = player
            pair.first(&player)
            pair.second(&other)
            let differing = zip(lightness(player), lightness(other)).count { abs($0 - $1) >= Self.visible }
            #expect(differing >= pair.leds, "\(mode): \(differing) LEDs differ")
        }
    }

    @Test("states of the grid differ", arguments: gridPairs)
    func grid(pair: StatePair) { compare(pair, from: .withScenes([120, 0, 100])) }

    @Test("states in the menu differ", arguments: menuPairs)
    func menu(pair: StatePair) { compare(pair, from: atMenu()) }

    @Test("states on the sheets and in the library differ", arguments: sheetPairs)
    func sheets(pair: StatePair) { compare(pair, from: atMenu()) }

    @Test("a scene is empty, filled, playing, or waiting: four looks")
    func scenes() {
        var player = Player.withScenes([120, 0, 100, 90])
        player.send(.key(.playStop))
        player.send(.step(1, number: 1))
        player.tapScene(2)
        let lightness = lightness(player)
        func bar(_ slot: Int) -> [Double] {
            let row = [2, 4, 7, 9, 12, 14, 17, 19][slot]
            return Array(lightness[44 * row + 40..<44 * row + 44])
        }
        let looks = [bar(0), bar(1), bar(2), bar(3)]
        for (place, look) in looks.enumerated() {
            for other in looks[..<place] {
                #expect(zip(look, other).contains { abs($0 - $1) >= Self.visible }, "\(look) and \(other)")
            }
        }
    }

    @Test("Play and Stop differ in shape: Stop has a gap, or fills its square", arguments: ColourMode.allCases)
    func shapes(mode: ColourMode) {
        func isLit(_ player: Player, _ columns: Range<Int>, _ row: Int) -> [Bool] {
            let row = lightness(player)[44 * row..<44 * (row + 1)]
            let lights = columns.map { row[row.startIndex + $0] }
            return lights.map { $0 > (lights.max() ?? 0) / 2 }
        }
        var player = Player()
        player.instrument.state.session.colourMode = mode
        #expect(isLit(player, 0..<3, 0)[1...] == [true, true])
        player.instrument.state.transport.isPlaying = true
        #expect(isLit(player, 0..<3, 0) == [true, false, true])
        player.tap(.handle)
        player.tap(.menu(.sound))
        #expect((0..<5).map { isLit(player, 40..<44, $0).count { $0 } }[1...3] == [3, 3, 3])
        player.instrument.state.transport.isPlaying = false
        #expect((0..<5).map { isLit(player, 40..<44, $0).count { $0 } } == [1, 2, 3, 2, 1])
    }

    @Test(
        "nothing beside Play pulses in red while the box is idle, in any key and mode", arguments: ColourMode.allCases)
    func idle(mode: ColourMode) {
        var player = Player()
        player.instrument.state.session.colourMode = mode
        for root in 0..<12 {
            player.instrument.state.session.composition.pattern.tonality.root = root
            for _ in 0..<24 {
                player.wait(100)
                let led = player.led(0, 0)
                #expect(led.green > led.red, "root \(root)")
            }
        }
    }
}
