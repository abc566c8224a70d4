import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// A part as one number: the note of its first step and 1; 0 for none.
extension Pattern {
    fileprivate subscript(value track: Track) -> Int {
        get { track.notes.filter { $0 >= 0 }.first { self[track, note: $0, step: 0].isStart }.map { $0 + 1 } ?? 0 }
        set {
            for note in track.notes {
                self[track, note: note, step: 0] = note >= 0 && note == newValue - 1 ? .normal : .empty
            }
        }
    }

    fileprivate var values: [Int] { Track.allCases.map { self[value: $0] } }

    fileprivate init(_ values: [Int]) {
        self.init()
        for (track, value) in zip(Track.allCases, values) { self[value: track] = value }
    }
}

extension Player {
    fileprivate var music: Composition { instrument.state.session.composition }
    fileprivate var waiting: Parts { instrument.state.songPlay.queuedParts }

    /// A box whose scenes have these parts; nil for an empty one. The first plays.
    fileprivate static func withParts(_ scenes: [[Int]?], playing scene: Int? = 0) -> Player {
        var player = Player()
        let patterns = scenes.map { $0.map { Pattern($0) } }
        let played = scene.flatMap { patterns[$0] } ?? Pattern([9, 9, 9, 9])
        player.instrument.load(Session(Composition(pattern: played, scenes: Scenes(patterns, current: scene))))
        return player
    }

    /// Lets what waits begin, as the engine does on a bar.
    fileprivate mutating func passBar() {
        let (scene, parts) = (instrument.state.upcomingScene, instrument.state.upcomingParts.parts)
        if let scene { send(.sceneBegan(scene.slot)) }
        if !parts.isEmpty { send(.partsBegan(parts)) }
    }

    fileprivate mutating func draw(_ value: Int, _ track: Track) {
        instrument.perform("EDIT") { $0.pattern[value: track] = value }
        send(.tick)
    }
}

@Suite("Parts that are launched alone")
struct PartTests {
    private static let three: [[Int]?] = [[1, 2, 3, 4], [5, 6, 7, 8], nil, [11, 12, 0, 10]]

    private static func parts(_ slots: [Int?]) -> Parts {
        var parts = Parts()
        for (track, slot) in zip(Track.allCases, slots) { parts[track] = slot }
        return parts
    }

    @Test("a tap on a track's light plays the part of that scene alone; while stopped at once, else with the next bar")
    func launch() {
        var player = Player.withParts(Self.three)
        player.tap(.part(.bass, 1))
        #expect(player.tooltip == "BAS 2")
        #expect(player.pattern.values == [1, 2, 7, 4])
        player.send(.key(.playStop))
        player.tap(.part(.melody, 3))
        player.tap(.part(.rhythm, 1))
        #expect(player.pattern.values == [1, 2, 7, 4])
        #expect(player.waiting == Self.parts([3, nil, nil, 1]))
        player.passBar()
        #expect(player.pattern.values == [11, 2, 7, 8])
        #expect(player.waiting.isEmpty && player.scene == 0)
        #expect(player.music.own.values == [1, 2, 3, 4])
    }

    @Test("the light of what plays, or waits, cancels what waits for its track; another replaces it")
    func cancel() {
        var player = Player.withParts(Self.three)
        player.send(.key(.playStop))
        for (slot, expected) in [(1, 1), (3, 3), (3, nil), (1, 1), (0, nil), (0, nil)] as [(Int, Int?)] {
            player.tap(.part(.chords, slot))
            #expect(player.waiting[.chords] == expected)
        }
        player.tap(.part(.chords, 1))
        player.send(.key(.playStop))
        #expect(player.waiting.isEmpty)
    }

    @Test("the current scene's bar plays its own four while others' parts play; else it cancels")
    func whole() {
        var player = Player.withParts(Self.three)
        player.send(.key(.playStop))
        player.tap(.part(.bass, 1))
        player.tapScene(0)
        #expect(player.waiting.isEmpty && player.queued == nil)
        player.tap(.part(.bass, 1))
        player.passBar()
        player.tap(.part(.melody, 1))
        player.tapScene(0)
        #expect(player.waiting.isEmpty && player.queued == 0)
        // Time passes.
        player.wait(500)
        #expect(player.queued == 0 && player.instrument.state.upcomingScene?.isAtBar == true)
        player.tapScene(0)
        #expect(player.queued == nil)
        player.tapScene(0)
        player.passBar()
        #expect(player.pattern.values == [1, 2, 3, 4] && player.music.parts.isEmpty && player.queued == nil)
        player.tapScene(0)
        #expect(player.queued == nil)
        player.send(.key(.playStop))
        player.tap(.part(.bass, 1))
        player.tapScene(0)
        #expect(player.pattern.values == [1, 2, 3, 4])
    }

    @Test("a part beside a queued scene plays in that, and a scene's bar takes its parts along")
    func both() {
        var player = Player.withParts(Self.three)
        player.send(.key(.playStop))
        player.tap(.part(.melody, 3))
        player.tapScene(1)
        #expect(player.waiting.isEmpty)
        player.tap(.part(.bass, 0))
        player.tap(.part(.chords, 1))
        #expect(player.queued == 1 && player.waiting == Self.parts([nil, nil, 0, nil]))
        player.passBar()
        #expect(player.scene == 1 && player.pattern.values == [5, 6, 3, 8])
        #expect(player.music.parts == Self.parts([nil, nil, 0, nil]))
    }

    @Test("four fingers launch four parts; each acts when it lifts, where it is then")
    func fingers() {
        var player = Player.withParts(Self.three)
        player.send(.key(.playStop))
        for track in Track.allCases { player.finger(.down, .part(track, 1), contact: track.rawValue) }
        #expect(player.waiting.isEmpty)
        player.finger(.move, .part(.bass, 3), contact: 2)
        #expect(player.tooltip == "BAS 4")
        // Beside the lights, and back.
        player.finger(.move, .step(20, .bass), contact: 3)
        player.finger(.move, .part(.rhythm, 3), contact: 3)
        player.finger(.move, .step(20, .chords), contact: 1)
        for track in Track.allCases { player.finger(.up, contact: track.rawValue) }
        #expect(player.waiting == Self.parts([1, nil, 3, 3]))
    }

    @Test("a finger that stays, slides or lifts after 0.6 s: a hold copies the playing part there, as one undo step")
    func copy() {
        var player = Player.withParts(Self.three)
        player.tap(.part(.bass, 1))
        player.tap(.part(.bass, 3), held: 650)
        #expect(player.tooltip == "COPY TO 4")
        #expect(player.music[scene: 3]?.values == [11, 12, 7, 10])
        #expect(player.pattern.values == [1, 2, 7, 4])
        // The playing one has nothing to copy: it is a tap.
        player.tap(.part(.bass, 1), held: 650)
        #expect(player.music.parts == Self.parts([nil, nil, 1, nil]))
        // Into an empty scene, and into the current one.
        player.tap(.part(.bass, 2), held: 650)
        player.tap(.part(.bass, 0), held: 650)
        #expect(player.music[scene: 2]?.values == [0, 0, 7, 0])
        #expect(player.music.own.values == [1, 2, 7, 4])
        #expect(player.instrument.state.session.history.past.map(\.word) == ["PART", "PART", "PART"])
        for _ in 0..<3 { player.send(.key(.undo)) }
        #expect(player.tooltip == "UNDO PART")
        #expect((0..<4).map { player.music[scene: $0]?.values } == Self.three)
        #expect(player.pattern.values == [1, 2, 7, 4], "what was launched stays")
    }

    @Test("drawing changes the part that plays, in its own scene; an empty one is filled")
    func drawing() {
        var player = Player.withParts(Self.three)
        player.tap(.part(.bass, 1))
        player.tap(.part(.rhythm, 2))
        #expect(player.pattern.values == [1, 2, 7, 0])
        #expect(player.music[scene: 2] == nil)
        player.draw(9, .bass)
        player.draw(6, .melody)
        #expect(player.music[scene: 0]?.values == [6, 2, 3, 4])
        #expect(player.music[scene: 1]?.values == [5, 6, 9, 8])
        #expect(player.music[scene: 2] == nil)
        player.draw(3, .rhythm)
        #expect(player.music[scene: 2]?.values == [0, 0, 0, 3])
        #expect(player.pattern.values == [6, 2, 9, 3])
        for _ in 0..<3 { player.send(.key(.undo)) }
        #expect((0..<4).map { player.music[scene: $0]?.values } == Self.three)
        #expect(player.pattern.values == [1, 2, 7, 0])
        player.send(.key(.redo))
        #expect(player.pattern.values == [1, 2, 9, 0])
    }

    @Test("a part keeps its scene's length and seed; all else is the current scene's")
    func origin() {
        var (one, two) = (Pattern([1, 2, 3, 4]), Pattern([5, 6, 7, 8]))
        (one.length, one.tempo, one.seed, one.metre) = (24, 100, 5, Metre(beats: 3, steps: 4))
        (two.length, two.tempo, two.seed, two.tonality.root) = (16, 150, 6, 4)
        two[shape: .chords].length = 5
        var player = Player()
        player.instrument.load(Session(Composition(pattern: one, scenes: Scenes([one, two], current: 0))))
        for track in [Track.chords, .bass] { player.tap(.part(track, 1)) }
        let played = player.pattern
        #expect(Track.allCases.map { played.length(of: $0) } == [24, 5, 16, 24])
        #expect(Track.allCases.map { played.seed(of: $0) } == [5, 6, 6, 5])
        #expect((played.length, played.tempo, played.metre, played.tonality.root) == (24, 100, one.metre, 0))
        #expect(Track.allCases.map { played.isPlain($0) } == [true, false, false, true])
        // Its length is changed in its scene, and the whole one's in the current.
        player.instrument.perform("LENGTH") {
            $0.pattern.setLength(of: .bass, to: 7)
            $0.pattern.length = 20
        }
        #expect(player.music[scene: 1]?.length(of: .bass) == 7)
        #expect(player.music[scene: 1]?.length == 16 && player.music.own.length == 20)
        // A copy of all that plays keeps the lengths.
        player.holdScene(5, 650)
        #expect(Track.allCases.map { player.music[scene: 5]?.length(of: $0) } == [20, 5, 7, 20].map { Optional($0) })
    }

    @Test("a round that was heard is kept with the parts that played in it")
    func keep() throws {
        var (one, two) = (Pattern([1, 2, 3, 4]), Pattern([5, 6, 7, 8]))
        (one.length, two.length) = (24, 16)
        var player = Player()
        player.instrument.load(Session(Composition(pattern: one, scenes: Scenes([one, two], current: 0))))
        player.tap(.part(.bass, 1))
        player.tap(.part(.chords, 1))
        var round = HeardRound(length: 24)
        // The bass began eight steps after the round; the chords with it.
        round.steps[Track.bass.rawValue] = [HeardRound.Step(place: 8 * 12, step: 0)]
        round.steps[Track.chords.rawValue] = [0, 16].map { HeardRound.Step(place: $0 * 12, step: 0) }
        let kept = try #require(player.pattern.keeping(round))
        func steps(_ track: Track, _ note: Int) -> [Int] {
            (0..<32).filter { kept[track, note: note, step: $0].isStart }
        }
        #expect(Track.allCases.map { kept.isBorrowed($0) } == [false, false, false, false])
        #expect(steps(.bass, 6) == [8] && steps(.chords, 5) == [0, 16] && steps(.melody, 0) == [0])
        #expect(Track.allCases.map { kept.length(of: $0) } == [24, 24, 24, 24])
    }

    @Test("the key moves the current scene's own parts, also those in whose place others play; doubling likewise")
    func own() {
        var (one, two) = (Pattern([1, 2, 3, 4]), Pattern([5, 6, 7, 8]))
        (one.length, two.length) = (8, 16)
        var player = Player()
        player.instrument.load(Session(Composition(pattern: one, scenes: Scenes([one, two], current: 0))))
        player.tap(.part(.bass, 1))
        player.tap(.control(.root(2)), held: 700)
        #expect(player.music.own.values == [3, 4, 5, 4])
        #expect(player.pattern.values == [3, 4, 7, 4])
        player.instrument.perform("LENGTH") { $0.changeOwn { $0.double() } }
        #expect(player.music.own[.bass, note: 4, step: 8].isStart)
        #expect(player.pattern.length(of: .bass) == 16 && !player.pattern[.bass, note: 6, step: 8].isStart)
    }

    @Test("a pattern that belongs to no scene gets one first, if there is room")
    func noScene() {
        var player = Player.withParts([nil, [5, 6, 7, 8]], playing: nil)
        player.tap(.part(.bass, 0))
        // Not the scene that was touched.
        #expect(player.scene == 2 && player.pattern.values == [9, 9, 0, 9])
        #expect(player.music[scene: 2]?.values == [9, 9, 9, 9])
        player.send(.key(.undo))
        #expect(player.scene == nil && player.pattern.values == [9, 9, 0, 9], "what plays goes on")
        player = .withParts([nil] + Array(repeating: [1, 1, 1, 1], count: 7), playing: nil)
        player.tap(.part(.bass, 0))
        #expect(player.tooltip == "NO ROOM" && player.scene == nil)
        player = .withParts([nil, [5, 6, 7, 8]], playing: nil)
        player.send(.lock(true))
        player.tap(.part(.bass, 1))
        #expect(player.tooltip == "LOCKED" && player.scene == nil && player.pattern.values == [9, 9, 9, 9])
    }

    @Test("the lock lets parts be launched, and refuses the copy")
    func lock() {
        var player = Player.withParts(Self.three)
        player.send(.lock(true))
        player.tap(.part(.bass, 1), held: 900)
        #expect(player.pattern.values == [1, 2, 7, 4])
        #expect(player.music[scene: 1]?.values == [5, 6, 7, 8])
    }

    @Test("clearing the current scene, and replacing one from which a track is borrowed, lets what plays go on")
    func deleted() {
        var player = Player.withParts(Self.three)
        player.tap(.part(.bass, 1))
        player.holdScene(1, 1250)
        #expect(player.music[scene: 1]?.values == [1, 2, 7, 4] && player.pattern.values == [1, 2, 7, 4])
        player.holdScene(0, 1250)
        #expect(player.scene == nil && player.music.parts.isEmpty && player.pattern.values == [1, 2, 7, 4])
        player.send(.key(.undo))
        #expect(player.scene == 0 || player.scene == nil)
        #expect(player.pattern.values == [1, 2, 7, 4])
    }

    @Test("chain and song launch whole scenes")
    func chain() {
        var player = Player.withParts(Self.three)
        player.tap(.part(.bass, 1))
        player.tap(.chain)
        player.send(.key(.playStop))
        #expect(player.instrument.state.upcomingScene?.slot == 1)
        player.passBar()
        #expect(player.scene == 1 && player.pattern.values == [5, 6, 7, 8] && player.music.parts.isEmpty)
    }

    @Test("parts that have never waited are of another session")
    func others() {
        var player = Player.withParts(Self.three)
        player.send(.key(.playStop))
        player.send(.partsBegan(Self.parts([nil, nil, 1, nil])))
        #expect(player.pattern.values == [1, 2, 3, 4])
        player.tap(.part(.bass, 1))
        player.send(.opened(player.instrument.state.session))
        #expect(player.waiting.isEmpty)
        player.send(.partsBegan(Self.parts([nil, nil, 1, nil])))
        #expect(player.pattern.values == [1, 2, 3, 4])
    }

    @Test("under the phone's rules the rows below a bar are the scene's, and nothing is borrowed")
    func phone() {
        var player = Player.withParts(Self.three)
        player.tap(.part(.bass, 1))
        player.send(.rules(.phone))
        #expect(player.pattern.values == [1, 2, 3, 4] && player.music.parts.isEmpty)
        player.tap(42, Float(SceneLook.rows[1] + 1))
        #expect(player.scene == 1 && player.tooltip == "SCENE 2")
    }

    @Test("a program on the network launches a part; the one that plays stays")
    func remote() {
        var player = Player.withParts(Self.three)
        player.send(.key(.playStop))
        for _ in 0..<2 { player.send(.remote(.part(.bass, 1))) }
        #expect(player.waiting == Self.parts([nil, nil, 1, nil]))
        player.passBar()
        player.send(.remote(.part(.bass, 1)))
        #expect(player.waiting.isEmpty)
        player.send(.remote(.scene(0)))
        #expect(player.queued == 0)
    }

    @Test("the lights tell what plays, what waits and what rests, also without colours")
    func lights() {
        var player = Player.withParts(Self.three)
        player.tap(.part(.bass, 1))
        player.send(.key(.playStop))
        player.tap(.part(.rhythm, 3))
        player.wait(2000)
        var seen: [[Int]: Set<Int>] = [:]
        for _ in 0..<40 {
            player.wait(25)
            for (track, slot) in [(Track.melody, 0), (.bass, 0), (.bass, 1), (.rhythm, 3), (.bass, 3)] {
                let light = player.led(.part(track, slot))
                seen[[track.rawValue, slot], default: []].insert(Int(light.red) + Int(light.green) + Int(light.blue))
            }
        }
        #expect(seen[[0, 0]] == [765] && seen[[2, 1]] == [765])
        #expect(seen[[3, 3]]?.count == 2, "it blinks")
        let (rests, silent) = (seen[[2, 0]]?.first ?? 0, seen[[2, 3]]?.first ?? 0)
        #expect(seen[[2, 0]]?.count == 1 && rests < 400 && silent < rests)
        player.send(.key(.playStop))
        player.tap(.part(.bass, 3))
        #expect(player.led(.part(.bass, 3)) == SceneLook.playedSilence)
    }

    @Test("keys that are played to the first step of a part are written there, and those before to the one that ends")
    func recording() {
        var player = Player.withParts(Self.three)
        player.send(.record(true))
        player.send(.key(.playStop))
        player.tap(.part(.melody, 1), held: 1, pause: 1)
        let step = Instant.Span.milliseconds(125)
        func play(_ key: Int) {
            player.send(.midi(.noteOn(channel: 0, key: key, velocity: 100)))
            player.send(.midi(.noteOff(channel: 0, key: key)))
        }
        for number in 0..<16 {
            player.send(.step(number, number: number))
            // Nearest to step 10; then nearest to the bar.
            if number == 10 { play(64) }
            if number == 15 {
                player.now = player.now + .milliseconds(100)
                play(65)
                player.now = player.now + .milliseconds(25)
            } else {
                player.now = player.now + step
            }
        }
        player.passBar()
        player.send(.step(16, number: 16))
        player.send(.trackStep(.melody, step: 0, place: 16 * 12, sounds: true))
        #expect(player.music.own[.melody, note: 4, step: 10].isStart)
        #expect(player.music[scene: 1]?[.melody, note: 5, step: 0].isStart == true)
        #expect(
            !player.music.own[.melody, note: 5, step: 0].isStart
                && !player.music.own[.melody, note: 5, step: 16].isStart)
    }

    @Test("a key that is played to a bar on which a scene and a part of another begin is written to the part")
    func recordingToScene() {
        var player = Player.withParts(Self.three)
        player.send(.record(true))
        player.send(.key(.playStop))
        player.send(.remote(.scene(3)))
        player.tap(.part(.melody, 1), held: 1, pause: 1)
        player.send(.step(15, number: 15))
        player.now = player.now + .milliseconds(100)
        player.send(.midi(.noteOn(channel: 0, key: 65, velocity: 100)))
        player.now = player.now + .milliseconds(25)
        player.passBar()
        player.send(.step(0, number: 0))
        player.send(.trackStep(.melody, step: 0, place: 0, sounds: true))
        #expect(player.music.scenes.current == 3 && player.music.parts[.melody] == 1)
        #expect(player.music[scene: 1]?[.melody, note: 5, step: 0].isStart == true)
    }

    // MARK: By chance

    /// Scenes of four numbers, with undo as whole copies.
    private struct Model {
        struct Music: Equatable {
            var scenes = [[Int]?](repeating: nil, count: 8)
            var loose = [9, 9, 9, 9]
            var scene: Int?
            var parts = [Int?](repeating: nil, count: 4)

            var own: [Int] {
                get { scene.flatMap { scenes[$0] } ?? loose }
                set { if let scene { scenes[scene] = newValue } else { loose = newValue } }
            }
            var played: [Int] { (0..<4).map { track in parts[track].map { scenes[$0]?[track] ?? 0 } ?? own[track] } }

            mutating func play(_ slot: Int) { (scene, parts) = (slot, [nil, nil, nil, nil]) }

            mutating func launch(_ track: Int, _ slot: Int) { parts[track] = slot == scene ? nil : slot }

            mutating func set(_ value: Int, _ track: Int) {
                guard let slot = parts[track] else { return own[track] = value }
                guard (scenes[slot]?[track] ?? 0) != value else { return }
                var part = scenes[slot] ?? [0, 0, 0, 0]
                part[track] = value
                scenes[slot] = part
            }

            func isSame(as other: Music) -> Bool {
                scenes == other.scenes && scene == other.scene && played == other.played && parts == other.parts
            }
        }

        var music = Music()
        var past: [Music] = []
        var future: [Music] = []

        mutating func act(_ change: (inout Music) -> Void) {
            let before = music
            change(&music)
            guard !music.isSame(as: before) else { return }
            past = (past + [before]).suffix(50)
            future = []
        }

        /// `there` for a player who stays in the current scene, with the parts that play.
        private func staying(_ there: Music) -> Music {
            var next = there
            next.parts = [nil, nil, nil, nil]
            if there.scene != music.scene {
                if let scene = music.scene, there.scenes[scene] != nil {
                    next.scene = scene
                } else if music.scene != nil || there.own != music.own {
                    next.scene = nil
                    next.loose = music.played
                }
            }
            next.parts = next.scene == nil ? next.parts : music.parts.map { $0 == next.scene ? nil : $0 }
            return next
        }

        mutating func travel(back: Bool) {
            let present = music
            repeat {
                guard let there = back ? past.popLast() : future.popLast() else { return }
                if back { future.append(music) } else { past.append(music) }
                music = staying(there)
            } while music.isSame(as: present)
        }
    }

    @Test(
        "no edit is lost or lands in another scene, for any actions in any order",
        arguments: 0..<40 as Range<UInt64>)
    func byChance(round: UInt64) {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed &+ round)
        var player = Player.withParts([], playing: nil)
        var model = Model()
        for count in 0..<200 {
            let slot = Int.random(in: 0..<4, using: &random)
            let track = Track.allCases.randomElement(using: &random) ?? .bass
            let isPlaying = player.instrument.state.isPlaying
            let action = Int.random(in: 0..<14, using: &random)
            switch action {
            case 0...3:
                let value = Int.random(in: 0...12, using: &random)
                player.draw(value, track)
                model.act { $0.set(value, track.rawValue) }
            case 4, 5:
                player.tapScene(slot)
                let begins = model.music.scenes[slot] == nil && model.music.scene != slot && model.music.scene != nil
                if begins { model.act { $0.scenes[slot] = [0, 0, 0, 0] } }
                if !isPlaying, model.music.scenes[slot] != nil { model.music.play(slot) }
            case 6, 7:
                player.tap(.part(track, slot))
                if model.music.scene == nil {
                    guard let free = (0..<8).first(where: { model.music.scenes[$0] == nil && $0 != slot }) else {
                        continue
                    }
                    model.act { ($0.scenes[free], $0.scene) = ($0.loose, free) }
                }
                if !isPlaying { model.music.launch(track.rawValue, slot) }
            case 8:
                let (scene, parts) = (
                    player.instrument.state.upcomingScene, player.instrument.state.upcomingParts.parts
                )
                player.passBar()
                if let scene { model.music.play(scene.slot) }
                for track in Track.allCases {
                    if let slot = parts[track] { model.music.launch(track.rawValue, slot) }
                }
            case 9:
                player.holdScene(slot, 1300)
                model.act {
                    if slot == $0.scene {
                        ($0.loose, $0.parts) = ($0.played, [nil, nil, nil, nil])
                        ($0.scenes[slot], $0.scene) = (nil, nil)
                    } else {
                        $0.scenes[slot] = $0.played
                        if $0.scene == nil { $0.scene = slot }
                    }
                }
            case 10:
                let plays = model.music.parts[track.rawValue] ?? model.music.scene
                player.tap(.part(track, slot), held: 650)
                guard plays != slot else { continue }
                model.act {
                    let value = $0.played[track.rawValue]
                    var part = $0.scenes[slot] ?? [0, 0, 0, 0]
                    part[track.rawValue] = value
                    $0.scenes[slot] = part
                }
            case 11, 12:
                player.send(.key(action == 11 ? .undo : .redo))
                model.travel(back: action == 11)
            default:
                player.send(.key(.playStop))
                if Int.random(in: 0..<4, using: &random) == 0 { player.tap(.chain) }
            }
            let music = player.music
            let comment: Comment = "PIXELBOOP_SEED=\(seed), round \(round), action \(count): \(action)"
            let scenes = (0..<8).map { music[scene: $0]?.values }
            let isSame = scenes == model.music.scenes && music.scenes.current == model.music.scene
            #expect(isSame && music.pattern.values == model.music.played, comment)
            #expect(
                music.own.values == model.music.own && Track.allCases.map { music.parts[$0] } == model.music.parts,
                comment)
            // The three that say the same agree.
            let again = Composition(pattern: music.own, scenes: music.scenes, song: music.song, parts: music.parts)
            #expect(again == music, comment)
            if !isSame || again != music { return }
        }
    }
}
