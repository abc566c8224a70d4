import Documents
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// A player who does anything on any screen.
private struct Player {
    private(set) var instrument = Instrument()
    private var now = Instant(milliseconds: 1000)
    private var random: SplitMix
    /// The last gesture, for messages.
    private(set) var last = ""

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        var session = Session.begun
        var patterns = [Pattern?](repeating: nil, count: Scenes.count)
        for slot in 0..<3 { patterns[slot] = Self.pattern(&random) }
        session.composition.pattern = patterns[0] ?? Pattern()
        session.composition.scenes = Scenes(patterns, current: 0)
        session.composition.song = Song([Song.Entry(scene: 1, repeats: 2), Song.Entry(scene: 0)])
        session.isMenuOpen = seed % 4 == 0
        instrument.load(session)
        send(.samples(["KICK", "SNARE", "VOX"].compactMap { SoundName($0) }))
        send(.tunings([]))
        if seed % 3 == 0 {
            send(.key(.playStop))
            send(.record(seed % 2 == 0))
        }
    }

    private static func pattern(_ random: inout SplitMix) -> Pattern {
        var pattern = Pattern()
        for _ in 0..<40 {
            let track = Track.allCases.randomElement(using: &random) ?? .bass
            let cell = [Cell.normal, .accent].randomElement(using: &random) ?? .normal
            pattern[track, note: .random(in: track.notes, using: &random), step: .random(in: 0..<32, using: &random)] =
                cell
        }
        pattern.lanes[.bass, .cutoff, step: 3] = 40
        return pattern
    }

    private var screen: Instrument.Screen {
        mutating get {
            let track = Track.allCases.randomElement(using: &random) ?? .bass
            let screens: [Instrument.Screen] = [
                .grid, .grid, .grid, .sound(SoundSheet(of: track)), .sound(SoundSheet(of: track)),
                .sound(SoundSheet(of: track, row: .shared)), .sound(SoundSheet(of: track, row: .shared)),
                .presets(PresetSheet(of: track)), .kit(KitSheet(pad: 3)), .samples(SampleSheet(for: 3)),
                .lanes(LanesSheet(of: track)), .track(TrackSheet(of: track)), .song(SongSheet(showing: 0)),
                .take(TakeSheet()),
                .sync, .scale, .settings, .moreSettings, .guide, .letters(LetterSheet(soundOf: track, name: "MINE")),
            ]
            return screens.randomElement(using: &random) ?? .grid
        }
    }

    private mutating func send(_ event: Instrument.Event) { _ = instrument.update(event, at: now) }

    private mutating func wait(_ milliseconds: Int64) {
        now = now + .milliseconds(milliseconds)
        send(.tick)
    }

    /// An LED of the grid on which a gesture of `tracks` begins, on a note or not; nil if none was found.
    private mutating func led(_ tracks: [Track], isLit: Bool) -> Position.LED? {
        for _ in 0..<100 {
            let track = tracks.randomElement(using: &random) ?? .melody
            let led = Position.LED(
                column: .random(in: Grid.stepColumns, using: &random), row: .random(in: track.rows, using: &random))
            let session = instrument.state.session
            let gesture = Gesture(.box, at: led, pages: session.pages, session.composition.pattern, instrument.window)
            if let gesture, gesture.lit.isEmpty != isLit { return led }
        }
        return nil
    }

    /// A finger that is held on the grid and then moves a note, or draws a long stack.
    mutating func heldGesture() {
        send(.lock(false))
        send(.rules(.box))
        instrument.now = now
        instrument.show(.grid)
        send(.record(false))
        let moves = Bool.random(using: &random)
        guard let led = led(moves ? Track.allCases : [.melody, .chords], isLit: moves) else { return gesture() }
        var (column, row) = (Float(led.column), Float(led.row))
        last = "\(moves ? "move" : "long stack") from \(led)"
        func touch(_ player: inout Player, _ phase: Touch.Phase) {
            player.send(.touch(Touch(contact: 0, phase: phase, column: column, row: row)))
        }
        touch(&self, .down)
        wait(450)
        if !moves {
            row -= .random(in: 2...5, using: &random)
            touch(&self, .move)
        }
        column += [-9, -4, -2, 2, 3, 12].randomElement(using: &random) ?? 2
        if moves { row += .random(in: -4...4, using: &random) }
        touch(&self, .move)
        wait(200)
        touch(&self, .up)
        wait(2500)
    }

    /// One to three fingers, which land, move and lift on a screen.
    mutating func gesture() {
        // The lock refuses undo, and the history of the phone has no sounds.
        send(.lock(false))
        send(.rules(.box))
        instrument.now = now
        instrument.show(screen)
        last = "\(instrument.state.view.screen)".prefix(40) + ""
        wait(10)
        let count = [1, 1, 1, 2, 3].randomElement(using: &random) ?? 1
        var places = (0..<count).map { _ in
            (Float.random(in: 0..<44, using: &random).rounded(), Float.random(in: 0..<24, using: &random).rounded())
        }
        // The switch of the scene's own sound.
        if case .sound(let sheet) = instrument.state.view.screen, sheet.row == .shared { places[0].0 = 38 }
        func touch(_ player: inout Player, _ phase: Touch.Phase, _ id: Int) {
            let touch = Touch(contact: id, phase: phase, column: places[id].0, row: places[id].1)
            player.send(.touch(touch))
        }
        for id in 0..<count {
            touch(&self, .down, id)
            wait(.random(in: 0...90, using: &random))
        }
        wait([0, 0, 450, 700, 1300].randomElement(using: &random) ?? 0)
        last += " \(places)"
        let moves = [0, 0, 1, 6].randomElement(using: &random) ?? 0
        for _ in 0..<moves {
            for id in 0..<count {
                places[id].0 += .random(in: -7...7, using: &random)
                places[id].1 += .random(in: -4...4, using: &random)
                touch(&self, .move, id)
            }
            wait(40)
        }
        for id in 0..<count { touch(&self, .up, id) }
        // A name that is asked for would take the key of undo.
        instrument.now = now
        instrument.show(.grid)
        // Neither a double tap nor a pair of swipes, nor a further tap of the tempo.
        wait(2500)
    }

    /// Undoes or redoes a step.
    mutating func travel(_ key: Key) { send(.key(key)) }

    var session: Session { instrument.state.session }
}

@Suite("Undo of what fingers make")
struct UndoDocumentTests {
    /// The part of a session that undo restores, as a document has it: what performs is left out.
    private func music(_ session: Session) -> Session {
        var music = Session()
        music.composition = session.composition
        music.composition.showsGhosts = true
        music.sounds = session.sounds
        music.sounds.tune.muted = TrackSet()
        for slot in 0..<Scenes.count { music.sounds[own: slot]?.muted = TrackSet() }
        return music
    }

    /// The first line in which the documents of two sessions differ; nil if they are equal to the byte.
    private func difference(_ one: Session, _ other: Session) -> String? {
        // Equal music has equal documents.
        if music(one) == music(other) { return nil }
        let texts = [one, other].map { session in
            var document = PatternDocument(pattern: session.composition.pattern)
            document.replaceMusic(by: music(session))
            return document.text()
        }
        let lines = texts.map { $0.split(separator: "\n") }
        for (line, other) in zip(lines[0], lines[1]) where line != other { return "\(line) is now \(other)" }
        return texts[0] == texts[1] ? nil : "lines are missing"
    }

    @Test("10,000 gestures on every screen: undo restores the document before, to the byte, and redo the one after")
    func gestures() {
        let seed = SplitMix.seed
        var (steps, sounds, owned, undos) = (0, 0, 0, 0)
        var words: [String: Int] = [:]
        for round in 0..<250 {
            var player = Player(seed: seed &+ UInt64(round))
            for number in 0..<40 {
                let before = player.session
                if number % 4 == 3 { player.heldGesture() } else { player.gesture() }
                let after = player.session
                let comment: Comment = "seed \(seed), round \(round), gesture \(number): \(player.last)"
                if after.isLocked || after.rules == .phone { continue }
                // Undo itself, and a scene or a part that was chosen, are no steps. One finger may undo while others make
                // steps.
                if after.composition.parts != before.composition.parts { continue }
                if after.scene != before.scene || after.history.past.count < before.history.past.count { continue }
                if before.history.past.count < History.levels,
                    !after.history.past.starts(with: before.history.past)
                {
                    undos += 1
                    continue
                }
                let made = after.history.past.count - before.history.past.count
                if made == 0 || before.history.past.count + made > History.levels {
                    if !after.history.future.isEmpty || after.history != before.history { continue }
                    #expect(difference(before, after) == nil, comment)
                    continue
                }
                if let word = after.history.past.last?.word { words[word, default: 0] += 1 }
                if after.history.past.last?.owner != nil { owned += 1 }
                (steps, sounds) = (steps + made, sounds + (after.sound == before.sound ? 0 : 1))
                // Fingers together may have made steps that cancel each other: undo passes over them.
                var undone = 0
                while undone < made, music(before) != music(player.session) {
                    player.travel(.undo)
                    undone += 1
                }
                #expect(difference(before, player.session) == nil, comment)
                for _ in 0..<undone { player.travel(.redo) }
                #expect(difference(after, player.session) == nil, comment)
            }
        }
        #expect(steps > 2000 && sounds > 250, "\(steps) steps, \(sounds) of them of the sound")
        #expect(undos < steps / 100, "\(undos) undos beside steps")
        let (moves, longs) = (words["MOVE"] ?? 0, words["LONG"] ?? 0)
        #expect(moves > 300 && longs > 300, "\(moves) moves, \(longs) long notes and stacks")
        let turns = words["OWN"] ?? 0
        #expect(turns > 20 && owned > 20, "\(turns) turns of OWN, \(owned) steps of own sounds")
    }
}
