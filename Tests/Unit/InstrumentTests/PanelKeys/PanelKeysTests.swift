import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// The panel as a keyboard (docs/spec.md, section 15).
@Suite("KEYS")
struct PanelKeysTests {
    /// A player whose panel shows the keys of `track`.
    private func atKeys(_ track: Track = .melody) -> Player {
        var player = Player()
        player.tap(.control(.keys))
        if track != .melody { player.tap(.page(track)) }
        return player
    }

    /// The notes that were pressed, expressed and released since the last call, as words.
    private func said(_ player: inout Player) -> [String] {
        defer { player.effects.removeAll() }
        return player.effects.compactMap { effect in
            switch effect {
            case .press(let note, let velocity, _): "press \(note.track.name) \(note.note) \(velocity)"
            case .express(let note, let expression): "bend \(note.note) \(expression.bend) \(expression.brightness)"
            case .release(let note): "release \(note.track.name) \(note.note)"
            default: nil
            }
        }
    }

    @Test(
        "KEYS shows keys and the steps again, whatever the lock says, and changes no music", arguments: [false, true])
    func toggle(isLocked: Bool) {
        var player = Player()
        player.send(.lock(isLocked))
        let session = player.instrument.state.session
        player.tap(.control(.keys))
        #expect(player.instrument.state.view.keys.isShown)
        #expect(player.instrument.words.title == "KEYS")
        player.tap(.control(.keys))
        #expect(!player.instrument.state.view.keys.isShown)
        #expect(player.instrument.state.session == session)
    }

    @Test("the phone's rules have no keys and no effects")
    func phone() {
        var player = Player.phone
        for column in 33...38 { player.tap(Float(column), 0) }
        #expect(!player.instrument.state.view.keys.isShown)
        player.finger(.down, 36, 0)
        #expect(!player.instrument.showsFX)
        player.finger(.up, 36, 0)
        var box = atKeys()
        box.send(.rules(.phone))
        #expect(!box.instrument.state.view.keys.isShown)
    }

    @Test(
        "a key is a degree, a row three degrees above the one below",
        arguments: [Tonality(), Tonality(root: 9, scale: .minor), Tonality(root: 6, scale: .penta)])
    func degrees(tonality: Tonality) {
        let map = KeyMap(.melody, tonality, allTwelve: false)
        let degrees = tonality.degrees(within: Track.melody.notes)
        for row in 0..<5 {
            for column in 0..<20 {
                let degree = degrees.lowerBound + column + 3 * row
                let wanted = degrees.contains(degree) ? tonality.note(ofDegree: degree) : nil
                for led in [(0, 0), (1, 3)] {
                    let place = map.place(
                        at: Position.LED(column: 4 + 2 * column + led.0, row: 21 - 4 * row - led.1))
                    #expect(place.map { map.note(at: $0) } == wanted)
                }
            }
        }
    }

    @Test("12 KEYS has all notes in fourths, also in a scale of more than ten")
    func twelve() {
        let map = KeyMap(.bass, Tonality(), allTwelve: true)
        #expect(map.place(at: Position.LED(column: 4, row: 21)) == -12)
        #expect(map.place(at: Position.LED(column: 6, row: 21)) == -11)
        #expect(map.place(at: Position.LED(column: 4, row: 17)) == -7)
        #expect(map.place(at: Position.LED(column: 43, row: 2)) == nil)
        let chromatic = Tonality(scale: Scale(user: 0..<12))
        #expect(KeyMap(.bass, chromatic, allTwelve: false) != KeyMap(.bass, Tonality(), allTwelve: false))
        #expect(KeyMap(.bass, chromatic, allTwelve: false).isChromatic)
        var player = atKeys()
        player.tap(.spot(.twelveKeys))
        #expect(player.tooltip == "12 KEYS")
        #expect(player.instrument.state.view.keys.hasAllTwelve)
    }

    @Test("every LED of a key draws and plays the same note", arguments: Track.allCases, [false, true])
    func shownIsPlayed(track: Track, allTwelve: Bool) {
        var player = atKeys(track)
        if allTwelve { player.tap(.spot(.twelveKeys)) }
        let map = player.instrument.keyMap
        #expect(map.track == track)
        let (columns, rows) = map.size
        var drawn: [Position.LED: Int] = [:]
        for place in map.places {
            map.forEachKey(at: place) { column, row in
                for x in column..<column + columns {
                    for y in row..<row + rows {
                        #expect(drawn.updateValue(place, forKey: Position.LED(column: x, row: y)) == nil)
                    }
                }
            }
        }
        for column in 0..<44 {
            for row in 0..<24 {
                let led = Position.LED(column: column, row: row)
                #expect(map.place(at: led) == drawn[led], "\(column) \(row)")
            }
        }
    }

    @Test("a note lasts as long as its finger, and is as loud as its landing is high")
    func notes() {
        var player = atKeys()
        for (row, velocity) in zip([21, 20, 19, 18], [50, 80, 104, 127]) {
            player.effects.removeAll()
            player.finger(.down, 18, Float(row))
            #expect(said(&player) == ["press melody 0 \(velocity)"])
            player.wait(3000)
            #expect(said(&player) == [])
            player.finger(.up)
            #expect(said(&player) == ["release melody 0"])
        }
        #expect(player.cells(.melody) == [])
    }

    @Test("ten fingers sound ten notes, and each ends with its own finger; a withdrawn one too")
    func ten() {
        var player = atKeys(.chords)
        player.effects.removeAll()
        for finger in 0..<10 { player.finger(.down, Float(4 + 2 * finger), 21, contact: finger) }
        #expect(said(&player).count == 10)
        for finger in [3, 0, 9] { player.finger(.up, contact: finger) }
        player.finger(.cancel, contact: 5)
        #expect(said(&player).count == 4)
        #expect(player.instrument.state.recording.keys.count == 6)
    }

    @Test("sideways it bends by degrees, and settles on the nearest after 60 ms of rest")
    func bend() {
        var player = atKeys()
        player.finger(.down, 18, 20)
        player.effects.removeAll()
        player.finger(.move, 18.3, 20)
        #expect(said(&player) == [])
        // A column is half a degree: from C half of the way to D.
        player.finger(.move, 19, 20)
        #expect(said(&player) == ["bend 0 10000 0"])
        player.finger(.move, 22.2, 20)
        player.effects.removeAll()
        player.wait(59)
        #expect(said(&player) == [])
        player.wait(1)
        // Two degrees: E. It stays there while the finger trembles.
        #expect(said(&player) == ["bend 0 40000 0"])
        player.finger(.move, 22.3, 20)
        player.wait(200)
        #expect(said(&player) == [])
        player.finger(.move, 3, 20)
        #expect(player.instrument.state.recording.keys.first?.expression.bend == -120_000, "the lowest note ends it")
    }

    @Test("a bend follows the pattern's tuning")
    func tuning() {
        var player = atKeys()
        var cents = Tuning().cents
        cents[2] = 180_000
        player.instrument.state.session.composition.pattern.tuning = Tuning(cents: cents)
        player.finger(.down, 18, 20)
        player.effects.removeAll()
        player.finger(.move, 20, 20)
        #expect(said(&player) == ["bend 0 18000 0"])
    }

    @Test("up it opens the filter and down it closes it, two octaves at most")
    func filter() {
        var player = atKeys()
        player.finger(.down, 18, 12)
        player.effects.removeAll()
        player.finger(.move, 18, 8)
        player.finger(.move, 18, 14)
        player.finger(.move, 18, 2)
        #expect(said(&player) == ["bend 11 0 500", "bend 11 0 -250", "bend 11 0 1000"])
    }

    @Test("pads play drums without an expression, the higher the louder")
    func pads() {
        var player = atKeys(.rhythm)
        player.effects.removeAll()
        player.finger(.down, 4, 21)
        player.finger(.move, 9, 18)
        player.finger(.up)
        player.finger(.down, 43, 4)
        player.finger(.up)
        #expect(
            said(&player) == ["press rhythm 0 40", "release rhythm 0", "press rhythm 11 127", "release rhythm 11"])
    }

    @Test("HOLD keeps notes until others follow, or until it is switched off")
    func hold() {
        var player = atKeys()
        player.tap(.spot(.holdKeys))
        #expect(player.tooltip == "HOLD ON")
        player.effects.removeAll()
        player.finger(.down, 18, 20, contact: 0)
        player.finger(.down, 22, 20, contact: 1)
        player.finger(.up, contact: 0)
        player.finger(.down, 26, 20, contact: 0)
        player.finger(.up, contact: 0)
        player.finger(.up, contact: 1)
        #expect(said(&player) == ["press melody 0 80", "press melody 4 80", "press melody 7 80"])
        // Other screens and the steps leave them.
        player.tap(.control(.keys))
        player.tap(.control(.keys))
        #expect(said(&player) == [])
        player.finger(.down, 20, 20)
        #expect(
            said(&player).sorted() == [
                "press melody 2 80", "release melody 0", "release melody 4", "release melody 7",
            ])
        player.finger(.up)
        player.tap(.spot(.holdKeys))
        #expect(said(&player) == ["release melody 2"])
        #expect(player.instrument.state.recording.keys.isEmpty)
    }

    @Test("nothing hangs: whatever a finger's screen, track or lock becomes", arguments: 0..<6)
    func nothingHangs(change: Int) {
        var player = atKeys()
        player.finger(.down, 18, 20, contact: 0)
        switch change {
        case 0: player.tap(.control(.keys))
        case 1: player.show(.settings)
        case 2: player.send(.lock(true))
        case 3: player.send(.rules(.phone))
        case 4: player.send(.key(.playStop))
        default: player.send(.opened(Session()))
        }
        player.wait(100)
        player.finger(.up, contact: 0)
        player.wait(100)
        #expect(player.instrument.state.recording.keys.isEmpty)
        let (presses, releases) = (player.effects.count(where: \.isPress), player.effects.count(where: \.isRelease))
        #expect(presses == 1 && releases == 1)
    }

    @Test("a finger that plays while the music runs is written with its velocity, pitch and length")
    func records() {
        var player = atKeys(.bass)
        player.tap(.spot(.record))
        player.send(.key(.playStop))
        player.play(steps: 0..<4) { player, step in
            if step == 1 { player.finger(.down, 18, 19) }
            if step == 3 { player.finger(.up) }
        }
        #expect(player.cells(.bass) == ["0@1=2", "0@2=3"])
        #expect(player.pattern.lanes[.bass, .velocity, note: 0, step: 1] == 104)
    }

    @Test("a bend that settles is another note, which slides on melody and bass", arguments: [Track.melody, .chords])
    func recordsBends(track: Track) {
        var player = atKeys(track)
        player.tap(.spot(.record))
        player.send(.key(.playStop))
        player.play(steps: 0..<8) { player, step in
            if step == 1 { player.finger(.down, 18, 20) }
            if step == 4 { player.finger(.move, 22, 20) }
            if step == 7 { player.finger(.up) }
        }
        let notes = player.cells(track).filter { $0.hasSuffix("=1") }
        #expect(notes == ["0@1=1", "4@4=1"])
        #expect(player.pattern.lanes[track, .slide, step: 4] == (track == .melody ? 1 : nil))
        player.send(.key(.undo))
        #expect(player.cells(track) == [], "one step of the history")
    }

    @Test("a bend within the step of the note before replaces it")
    func replaces() {
        var player = atKeys()
        player.tap(.spot(.record))
        player.send(.key(.playStop))
        player.play(steps: 0..<6) { player, step in
            guard step == 2 else { return }
            player.finger(.down, 18, 20)
            player.wait(5)
            player.finger(.move, 20, 20)
        }
        #expect(player.cells(.melody).filter { $0.hasSuffix("=1") } == ["2@2=1"])
    }

    @Test("ten fingers by chance, on keys, effects and the lights around them: no note hangs", arguments: 0..<12)
    func chance(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var player = atKeys()
        var heard: Set<String> = []
        var step = 0
        player.send(.record(true))
        for _ in 0..<1500 {
            let finger = Int.random(in: 0..<10, using: &random)
            let isDown = player.instrument.state.fingers[finger].isDown
            switch Int.random(in: 0..<24, using: &random) {
            case 0..<8 where !isDown:
                player.finger(
                    .down, .random(in: 3.5...43, using: &random), .random(in: 1.5...22, using: &random), contact: finger
                )
            case 0..<14 where isDown:
                player.finger(
                    .move, .random(in: 0...43, using: &random), .random(in: 0...23, using: &random), contact: finger)
            case 14..<18 where isDown: player.finger(Bool.random(using: &random) ? .up : .cancel, contact: finger)
            case 18 where player.instrument.state.view.keys.isShown: player.tap(.spot(.holdKeys), pause: 5)
            case 19: player.tap(Float.random(in: 33...38, using: &random), 0, pause: 5)
            case 20: player.send(.key(Bool.random(using: &random) ? .playStop : .undo))
            case 21:
                let track = Track.allCases.randomElement(using: &random) ?? .melody
                player.tap(3, Float(track.rows.lowerBound), pause: 5)
            case 22: player.send(.midi(.noteOn(channel: 0, key: .random(in: 48..<84, using: &random), velocity: 90)))
            default:
                player.send(.step(step % 32, number: step))
                step += 1
            }
            player.wait(.random(in: 1...40, using: &random))
            follow(&player, &heard)
            let sounding = player.instrument.state.recording.keys.filter {
                $0.channel != Instrument.Recording.PlayedKey.noChannel
            }
            #expect(heard == Set(sounding.map { "\($0.note.track) \($0.note.note)" }), "seed \(seed)")
        }
        for finger in 0..<10 { player.finger(.up, contact: finger) }
        if player.instrument.state.view.keys.isHolding {
            if !player.instrument.state.view.keys.isShown { player.tap(.control(.keys)) }
            player.tap(.spot(.holdKeys))
        }
        player.send(.midi(.control(channel: 0, number: 123, value: 0)))
        follow(&player, &heard)
        #expect(heard.isEmpty, "seed \(seed)")
        #expect(player.instrument.state.fx.isEmpty)
    }

    /// Adds the notes that `player` has begun to `heard`, and removes those that have ended.
    private func follow(_ player: inout Player, _ heard: inout Set<String>) {
        for effect in player.effects {
            switch effect {
            case .press(let note, _, _): heard.insert("\(note.track) \(note.note)")
            case .release(let note): heard.remove("\(note.track) \(note.note)")
            default: break
            }
        }
        player.effects.removeAll()
    }

    @Test("places have names: keys, and the lights below them")
    func names() {
        var player = atKeys()
        func name(_ column: Int, _ row: Int) -> String { player.instrument.place(column: column, row: row).name }
        #expect(name(18, 20) == "C4 KEY")
        #expect(name(43, 3) == "")
        #expect(name(6, 22) == "HOLD")
        #expect(name(16, 23) == "REC")
        #expect(name(21, 22) == "12 KEYS")
        #expect(name(34, 0) == "KEYS")
        #expect(name(36, 0) == "FX")
        #expect(name(0, 10) == "MUTE CHORDS")
        #expect(name(2, 10) == "KEYS CHORDS")
        player.tap(.page(.rhythm))
        #expect(name(4, 21).hasSuffix(" KEY"))
    }
}

extension Instrument.Effect {
    fileprivate var isPress: Bool { if case .press = self { true } else { false } }
    fileprivate var isRelease: Bool { if case .release = self { true } else { false } }
}

extension Player {
    /// Lets `steps` begin, each 125 ms after the one before; `body` acts 10 ms after each.
    fileprivate mutating func play(steps: Range<Int>, _ body: (inout Player, Int) -> Void) {
        for step in steps {
            send(.step(step, number: step))
            for track in Track.allCases where !pattern.isPlain(track) {
                send(.trackStep(track, step: step, place: 12 * step, sounds: false))
            }
            wait(10)
            body(&self, step)
            wait(115)
        }
    }
}
