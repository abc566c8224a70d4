import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// A player at the harmony, on LANES with the light of `track` chosen.
private func atHarmony(_ track: Track = .melody, _ change: (inout Pattern) -> Void = { _ in }) -> Player {
    var player = Player()
    change(&player.instrument.state.session.composition.pattern)
    player.tap(.spot(.lanesLight))
    if track != .melody { player.tap(.spot(.track(track))) }
    for _ in 0..<(Lane.slide.exists(on: track) ? 2 : 1) { player.tap(.lane(.slide)) }
    return player
}

extension Player {
    /// The values of the harmony up to its last.
    fileprivate var values: [Int?] { (0..<pattern.lanes.harmony.count).map { pattern.lanes.harmony[$0] } }
}

@Suite("HARMONY on the LANES screen")
struct HarmonyTests {
    @Test("a drag writes a degree an LED from row 12, one undo step, on any track", arguments: Track.allCases)
    func draw(track: Track) {
        var player = atHarmony(track)
        player.drag(from: .laneStep(0, row: 12), to: .laneStep(7, row: 5))
        #expect(player.values == [0, 1, 2, 3, 4, 5, 6, 7])
        player.finger(.down, .laneStep(9, row: 21))
        #expect(player.tooltip == "HARMONY -7")
        player.finger(.up)
        player.wait(1000)
        player.finger(.down, .laneStep(10, row: 12))
        #expect(player.tooltip == "HARMONY 0")
        player.finger(.up)
        player.wait(1000)
        #expect(player.values == [0, 1, 2, 3, 4, 5, 6, 7, nil, -7, 0])
        #expect(Track.allCases.allSatisfy { !player.pattern.lanes.has($0) && player.pattern.isPlain($0) })
        #expect(player.instrument.state.session.history.past.map { $0.word } == ["HARMONY", "HARMONY", "HARMONY"])
        for _ in 0..<2 { player.send(.key(.undo)) }
        #expect(player.values == [0, 1, 2, 3, 4, 5, 6, 7])
        #expect(player.tooltip == "UNDO HARMONY")
        player.send(.key(.undo))
        #expect(player.pattern == Pattern())
    }

    @Test("a value that holds is drawn as its end alone, and one before the first is not")
    func held() {
        var player = atHarmony()
        player.tap(.laneStep(4, row: 9))
        let colours = [3, 4, 5, 31].map { player.led(column($0), 9) }
        #expect(colours[1] == Palette.shared)
        #expect(colours[2] == RGB.black.blended(towards: Palette.shared, 0.4) && colours[3] == colours[2])
        #expect(colours[0] == .black)
        #expect(player.led(column(4), 10) == RGB.black.blended(towards: Palette.shared, 0.34))
        #expect(player.led(column(5), 10) == .black)
        // On the chooser it has two lights once another lane is shown.
        #expect(player.led(23, 0) == .white && player.led(24, 0) == .white)
        player.tap(.lane(.velocity))
        #expect(player.led(22, 0) == RGB(0x8a8a8a) && player.led(23, 0) == RGB(0x8a8a8a))
        #expect(player.led(24, 0) == .black)
    }

    @Test("it runs along the pattern, whose length the post below it is, on a track with a length of its own too")
    func length() {
        var player = atHarmony(.bass) { $0[shape: .bass].length = 7 }
        player.tap(.laneStep(20, row: 10))
        #expect(player.pattern.lanes.harmony[20] == 2)
        #expect(player.led(39, 22) == .white)
        player.drag(from: (39, 22), to: (column(23) + 1, 22))
        #expect(player.pattern.length == 24 && player.pattern.length(of: .bass) == 7)
        player.send(.key(.undo))
        #expect(player.pattern.length == 32)
    }

    @Test("a double tap empties a step, × the lane; LOCK keeps it")
    func clear() {
        var player = atHarmony()
        player.tap(.laneStep(4, row: 9))
        player.tap(.laneStep(8, row: 7))
        for _ in 0..<2 { player.tap(.laneStep(4, row: 9), pause: 100) }
        player.wait(1000)
        #expect(player.values == [nil, nil, nil, nil, nil, nil, nil, nil, 5])
        player.send(.lock(true))
        player.tap(.spot(.clearLane), held: 1300)
        player.tap(.laneStep(8, row: 9))
        #expect(player.pattern.lanes.harmony[8] == 5)
        player.send(.lock(false))
        player.finger(.down, .spot(.clearLane))
        player.wait(1200)
        #expect(player.pattern == Pattern() && player.tooltip == "HARMONY OFF")
    }

    @Test("a chosen note has none of its own")
    func notes() {
        var player = atHarmony()
        player.tap(.spot(.track(.melody)))
        player.tap(.spot(.laneNote(0)))
        let sheet: LanesSheet? = if case .lanes(let sheet) = player.instrument.state.view.screen { sheet } else { nil }
        #expect(sheet?.note == 0 && sheet?.lane == .velocity)
        player.finger(.down, .lane(.slide))
        #expect(player.tooltip == "TRACK ONLY")
    }

    @Test("other parts that begin leave a finger on it, and what it draws stays the scene's")
    func parts() {
        var player = atHarmony { $0[.melody, note: 0, step: 0] = .normal }
        let other = player.pattern
        player.instrument.state.session.composition.scenes = Scenes([player.pattern, other], current: 0)
        player.send(.key(.playStop))
        player.send(.step(0, number: 0))
        player.finger(.down, .laneStep(2, row: 10))
        player.instrument.choose(.melody, of: 1)
        player.send(.tick)
        player.send(.partsBegan(player.instrument.state.upcomingParts.parts))
        player.finger(.move, .laneStep(3, row: 10))
        player.finger(.up)
        #expect(player.pattern.isBorrowed(.melody))
        #expect(player.values == [nil, nil, 2, 2])
        let composition = player.instrument.state.session.composition
        #expect(composition.own.lanes.harmony == player.pattern.lanes.harmony)
        #expect(composition[scene: 1]?.lanes.harmony.isEmpty == true)
    }

    @Test("the cursor names it")
    func names() {
        var player = atHarmony(.chords)
        player.tap(.laneStep(2, row: 9))
        player.instrument.state.view.cursor.isShown = true
        for (column, row, name) in [(23, 0, "HARMONY"), (column(2), 15, "HARMONY +3 STEP 3")] {
            (player.instrument.state.view.cursor.column, player.instrument.state.view.cursor.row) = (column, row)
            #expect(player.instrument.words.place == name)
        }
    }
}

@Suite("The harmony of a pattern")
struct HarmonySoundingTests {
    private func pattern(_ values: [Int: Int], _ change: (inout Pattern) -> Void = { _ in }) -> Pattern {
        var pattern = Pattern()
        for (step, value) in values { pattern.lanes.harmony[step] = value }
        change(&pattern)
        return pattern
    }

    /// The notes of `track` as they sound, as "note@step" words with a dash for each held cell.
    private func heard(_ pattern: Pattern, _ track: Track) -> [String] {
        let sounding = pattern.sounding
        return (0..<pattern.length(of: track)).flatMap { step in
            track.notes.filter { sounding[track, note: $0, step: step].isStart }.map {
                "\($0)@\(step)" + String(repeating: "-", count: sounding.runLength(track, note: $0, step: step) - 1)
            }
        }
    }

    @Test("moves the notes of all melodic tracks by degrees of the scale, until the next value; drums stay")
    func degrees() {
        let moved = pattern([4: 3, 8: -1, 16: 0]) {
            for track in Track.allCases {
                for step in [0, 4, 7, 8, 15, 16, 31] { $0[track, note: 0, step: step] = .normal }
            }
            $0[.melody, note: 1, step: 4] = .normal
            $0[shape: .bass].transposition = 1
        }
        #expect(heard(moved, .chords) == ["0@0", "5@4", "5@7", "-1@8", "-1@15", "0@16", "0@31"])
        // C sharp keeps its distance from C.
        #expect(heard(moved, .melody) == ["0@0", "5@4", "6@4", "5@7", "-1@8", "-1@15", "0@16", "0@31"])
        #expect(heard(moved, .bass) == ["2@0", "7@4", "7@7", "0@8", "0@15", "2@16", "2@31"])
        #expect(heard(moved, .rhythm) == [0, 4, 7, 8, 15, 16, 31].map { "0@\($0)" })
    }

    @Test("counts the degrees of every scale", arguments: Scale.Kind.allCases.filter { $0 != .user })
    func scales(kind: Scale.Kind) {
        for degree in Harmony.values {
            let moved = pattern([0: degree]) {
                $0.tonality = Tonality(root: 2, scale: Scale(kind))
                $0[.melody, note: 2, step: 0] = .normal
            }
            let place = degree >= 0 ? degree : degree + 7 * moved.tonality.scale.count
            let octaves = place / moved.tonality.scale.count - (degree >= 0 ? 0 : 7)
            let note = 2 + 12 * octaves + moved.tonality.scale.intervals[place % moved.tonality.scale.count]
            #expect(heard(moved, .melody) == ["\(Pattern.fold(note, into: Track.melody.notes))@0"])
        }
    }

    @Test("a held note keeps the degree of its head, also over the pattern's end, and a note outside moves by octaves")
    func held() {
        let moved = pattern([0: 1, 2: 4, 30: 2]) {
            for (step, cell) in [(0, Cell.normal), (1, .sustain), (2, .sustain), (3, .sustain)] {
                $0[.melody, note: 0, step: step] = cell
            }
            $0[.melody, note: 23, step: 8] = .normal
            $0[.bass, note: 0, step: 31] = .accent
            for step in 0..<2 { $0[.bass, note: 0, step: step] = .sustain }
        }
        #expect(heard(moved, .melody) == ["2@0---", "17@8"])
        #expect(heard(moved, .bass) == ["4@31--"])
    }

    @Test("a note ends where another one of its pitch begins, which keeps its length")
    func meeting() {
        let moved = pattern([0: 1, 4: 0]) {
            $0[.melody, note: 0, step: 0] = .normal
            for step in 1..<12 { $0[.melody, note: 0, step: step] = .sustain }
            $0[.melody, note: 2, step: 6] = .accent
            $0[.melody, note: 2, step: 7] = .sustain
        }
        #expect(heard(moved, .melody) == ["2@0-----", "2@6-"])
    }

    @Test("a track with steps of its own has the degree of the pattern's step with which its own begins")
    func ownSteps() {
        func shaped(_ change: (inout TrackShape) -> Void) -> [String] {
            heard(
                pattern([0: 0, 8: 1, 16: 2]) {
                    for step in stride(from: 0, to: 64, by: 4) { $0[.melody, note: 0, step: step] = .normal }
                    change(&$0[shape: .melody])
                }, .melody)
        }
        #expect(
            shaped {
                $0.division = .double
                $0.length = 16
            } == ["0@0", "2@4", "4@8", "4@12"])
        #expect(shaped { $0.length = 12 } == ["0@0", "0@4", "2@8"])
        #expect(
            shaped {
                $0.direction = .back
                $0.length = 24
            } == ["4@0", "4@4", "2@8", "2@12", "0@16", "0@20"])
        // Longer than the pattern: that repeats.
        #expect(shaped { $0.length = 44 }.suffix(3) == ["0@32", "0@36", "2@40"])
    }

    @Test("a part that plays alone has its own scene's")
    func borrowed() {
        let notes: (inout Pattern) -> Void = { $0[.bass, note: 0, step: 8] = .normal }
        let scenes = Scenes([pattern([8: 1], notes), pattern([0: 4], notes)], current: 0)
        var parts = Parts()
        parts[.bass] = 1
        let mixed = Composition(pattern: pattern([8: 1], notes), scenes: scenes, parts: parts)
        #expect(heard(mixed.pattern, .bass) == ["7@8"])
        #expect(heard(mixed.own, .bass) == ["2@8"])
    }

    @Test("own values go with the notes that it moves")
    func values() {
        var moved = pattern([4: 2]) {
            $0[.bass, note: 0, step: 0] = .normal
            $0[.bass, note: 0, step: 4] = .normal
        }
        for step in [0, 4] { moved.setValue(30 + step, .bass, .velocity, note: 0, step: step) }
        let lanes = moved.sounding.lanes
        #expect(lanes[.bass, .velocity, note: 0, step: 0] == 30 && lanes[.bass, .velocity, note: 4, step: 4] == 34)
        #expect(lanes[.bass, .velocity, note: 0, step: 4] == nil)
    }

    @Test("a group of all tracks is copied and moved with its degrees, and the others keep theirs")
    func groups() {
        for seed in UInt64(1)...300 {
            var random = SplitMix(seed: seed)
            var before = Pattern()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                before.lanes.harmony[.random(in: 0..<40, using: &random)] = .random(in: Harmony.values, using: &random)
            }
            let (from, to) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
            if from == to { continue }
            var after = before
            let moves = Bool.random(using: &random)
            after.copy(group: from, to: to, of: TrackSet(Track.allCases), moves: moves)
            for step in 0..<Pattern.steps where !moves || step / 8 != from {
                let source = step / 8 == to ? step - 8 * to + 8 * from : step
                #expect(
                    after.lanes.harmony.degree(at: step) == before.lanes.harmony.degree(at: source),
                    "seed \(seed), step \(step)")
            }
            var one = before
            one.copy(group: from, to: to, of: TrackSet(.melody), moves: moves)
            #expect(one.lanes.harmony == before.lanes.harmony)
        }
    }

    @Test("doubling the pattern repeats it")
    func doubled() {
        var doubled = pattern([3: 2, 20: 5, 40: 1]) { $0[.melody, note: 0, step: 0] = .normal }
        let before = doubled
        doubled.double()
        for step in 0..<64 {
            #expect(doubled.lanes.harmony.degree(at: step) == before.lanes.harmony.degree(at: step % 32), "\(step)")
        }
    }

    @Test("KEEP writes the notes where they sounded, without it")
    func keep() throws {
        let played = pattern([0: 2, 16: -3]) {
            for track in [Track.melody, .bass] {
                for step in [0, 8, 16, 24] { $0[track, note: 0, step: step] = .normal }
            }
            $0.lanes[.bass, .chance, step: 8] = 50
            $0[shape: .melody].transposition = 1
        }
        var round = HeardRound(length: 32)
        round.steps[Track.bass.rawValue] = [0, 16, 24].map { HeardRound.Step(place: 12 * $0, step: $0) }
        let kept = try #require(played.keeping(round))
        #expect(kept.lanes.harmony.isEmpty && kept[shape: .melody].transposition == 0)
        #expect(heard(kept, .melody) == heard(played, .melody))
        #expect(heard(kept, .bass) == ["4@0", "-5@16", "-5@24"])
    }

    @Test("a note is written so that it sounds as heard; the nearest where the harmony has none")
    func written() {
        for degree in Harmony.values {
            for transposition in [0, 3] {
                for voicing in TrackShape.Voicing.allCases {
                    for heard in 0...11 {
                        var made = pattern([4: degree]) {
                            $0[shape: .chords].transposition = transposition
                            $0[shape: .chords].voicing = voicing
                            for note in [0, 4, 7] { $0[.chords, note: note, step: 0] = .normal }
                        }
                        let before = made
                        let note = made.makeNote(soundAs: heard, on: .chords, step: 8)
                        made[.chords, note: note, step: 8] = .normal
                        let sounds = Track.chords.notes.filter { made.sounding[.chords, note: $0, step: 8].isStart }
                        #expect(sounds.count == 1)
                        // Of the white keys each is an image of one; a black one may have none.
                        let most = made.tonality.contains(heard) || degree == 0 ? 0 : 1
                        #expect(abs((sounds.first ?? 99) - heard) <= most, "\(heard) by \(degree)")
                        #expect(self.heard(made, .chords).prefix(3) == self.heard(before, .chords).prefix(3))
                    }
                }
            }
        }
    }
}
