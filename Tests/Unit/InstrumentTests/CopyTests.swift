import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

@Suite("Copies of tracks and of groups of steps")
struct CopyTests {
    // MARK: Music

    /// A random pattern: notes with their held cells, lanes and shapes, hidden steps too.
    private static func pattern(using random: inout SplitMix) -> Pattern {
        var pattern = Pattern()
        pattern.length = 4 * Int.random(in: 2...8, using: &random)
        for track in Track.allCases {
            if Bool.random(using: &random) { pattern[shape: track].length = .random(in: 1...32, using: &random) }
            pattern[shape: track].division = TrackShape.Division.allCases.randomElement(using: &random) ?? .whole
            if track != .rhythm { pattern[shape: track].transposition = .random(in: -3...3, using: &random) }
            for _ in 0..<20 {
                let lane = Lane.ofTracks.randomElement(using: &random) ?? .velocity
                guard lane.exists(on: track) else { continue }
                let value = Int.random(in: lane.values, using: &random)
                pattern.lanes[track, lane, step: .random(in: 0..<32, using: &random)] = value
            }
            let length = pattern.length(of: track)
            for _ in 0..<30 {
                let note = Int.random(in: track.notes, using: &random)
                let step = Int.random(in: 0..<32, using: &random)
                pattern[track, note: note, step: step] = Bool.random(using: &random) ? .normal : .accent
                guard track != .rhythm, step < length else { continue }
                for place in 1..<max(2, Int.random(in: 1...12, using: &random)) {
                    let next = (step + place) % length
                    if pattern[track, note: note, step: next] != .empty { break }
                    pattern[track, note: note, step: next] = .sustain
                }
            }
        }
        return pattern
    }

    /// Held cells without a note before them, in what sounds and behind the end.
    private func headless(_ pattern: Pattern) -> [String] {
        Track.allCases.flatMap { track in
            track.notes.flatMap { note in
                (0..<Pattern.steps).filter { step in
                    guard pattern[track, note: note, step: step] == .sustain else { return false }
                    let length = pattern.length(of: track)
                    let before = step == 0 ? length - 1 : step - 1
                    return pattern[track, note: note, step: before] == .empty
                }.map { "\(track) \(note) \($0)" }
            }
        }
    }

    private func columns(_ pattern: Pattern, _ track: Track, _ steps: Range<Int>) -> [[Int]] {
        steps.map { step in
            track.notes.map { Int(pattern[track, note: $0, step: step].rawValue) }
                + Lane.ofTracks.map { pattern.lanes[track, $0, step: step] ?? -1000 }
        }
    }

    @Test("a group is the same in its new place, nothing else changes, and no held cell loses its note")
    func groups() {
        for seed in UInt64(1)...600 {
            var random = SplitMix(seed: seed)
            let before = Self.pattern(using: &random)
            var pattern = before
            guard headless(before).isEmpty else { continue }
            let (from, to) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
            if from == to { continue }
            let tracks = TrackSet(rawValue: .random(in: 1...15, using: &random))
            let moves = Bool.random(using: &random)
            pattern.copy(group: from, to: to, of: tracks, moves: moves)
            #expect(headless(pattern).isEmpty, "seed \(seed)")
            for track in Track.allCases {
                #expect(pattern[shape: track] == before[shape: track])
                for group in Pattern.groups {
                    let steps = 8 * group..<8 * group + 8
                    let (old, new) = (columns(before, track, steps), columns(pattern, track, steps))
                    if tracks.contains(track), group == to {
                        let source = columns(before, track, 8 * from..<8 * from + 8)
                        // Cells held from before the group are not copied.
                        let isSame = zip(new, source).allSatisfy { new, source in
                            zip(new, source).allSatisfy { $0 == $1 || ($0 == 0 && $1 == 3) }
                        }
                        #expect(isSame, "seed \(seed)")
                    } else if tracks.contains(track), group == from, moves {
                        #expect(new.allSatisfy { $0.allSatisfy { $0 == 0 || $0 == -1000 } }, "seed \(seed)")
                    } else {
                        // Only held cells of notes that were cut may be gone.
                        let isKept = zip(new, old).allSatisfy { new, old in
                            zip(new, old).allSatisfy { $0 == $1 || ($0 == 0 && $1 == 3 && tracks.contains(track)) }
                        }
                        #expect(isKept, "seed \(seed)")
                    }
                }
            }
        }
    }

    @Test("a note that goes past the group ends with the copy, and one that goes into the target is cut there")
    func runs() {
        var pattern = Pattern()
        func hold(_ note: Int, _ steps: ClosedRange<Int>) {
            for step in steps {
                pattern[.bass, note: note, step: step % 32] = step == steps.lowerBound ? .normal : .sustain
            }
        }
        hold(0, 6...10)
        hold(2, 14...18)
        hold(4, 23...26)
        hold(5, 30...33)
        pattern.copy(group: 1, to: 3, of: TrackSet(.bass))
        func cells(_ note: Int) -> String {
            (0..<32).map { String(pattern[.bass, note: note, step: $0].rawValue) }.joined()
        }
        #expect(cells(0) == "00000013333000000000000000000000")
        #expect(cells(2) == "00000000000000133330000000000013")
        #expect(cells(4) == "00000000000000000000000100000000")
        #expect(cells(5) == "00000000000000000000000000000000")
        pattern.copy(group: 0, to: 2, of: TrackSet(.bass), moves: true)
        #expect(cells(0) == "00000000000000000000001300000000")
        #expect(cells(2) == "00000000000000130000000000000013")
    }

    @Test("a track is the same on another, without what that cannot have; moved, it leaves an empty one")
    func track() {
        for seed in UInt64(1)...300 {
            var random = SplitMix(seed: seed)
            let before = Self.pattern(using: &random)
            let melodic = [Track.melody, .chords, .bass].shuffled(using: &random)
            let (source, target) = (melodic[0], melodic[1])
            let moves = Bool.random(using: &random)
            var pattern = before
            pattern.copy(source, to: target, moves: moves)
            for note in source.notes { #expect(pattern.cells(target, note: note) == before.cells(source, note: note)) }
            for lane in Lane.ofTracks {
                for step in 0..<Pattern.steps {
                    let wanted = lane.exists(on: target) ? before.lanes[source, lane, step: step] : nil
                    #expect(pattern.lanes[target, lane, step: step] == wanted, "seed \(seed)")
                }
            }
            var shape = before[shape: source]
            (shape.voicing, shape.chordKind) = (before[shape: target].voicing, before[shape: target].chordKind)
            #expect(pattern[shape: target] == shape)
            for track in Track.allCases where track != target {
                var wanted = before
                if moves, track == source { wanted.clear(source) }
                #expect(columns(pattern, track, 0..<32) == columns(wanted, track, 0..<32), "seed \(seed)")
                #expect(pattern[shape: track] == wanted[shape: track])
            }
        }
    }

    @Test("a doubled pattern plays what two rounds of the old one play")
    func doubled() {
        var doubles = 0
        for seed in UInt64(1)...300 {
            var random = SplitMix(seed: seed)
            var before = Self.pattern(using: &random)
            // Conditions and chances count turns, which are longer in the doubled pattern.
            for track in Track.allCases {
                before.lanes.clear(track, .when)
                before.lanes.clear(track, .chance)
            }
            var after = before
            guard before.canDouble else {
                #expect(before.length > 16)
                continue
            }
            after.double()
            doubles += 1
            #expect(after.length == 2 * before.length)
            for track in Track.allCases {
                let notes = [before, after].map { $0.hitNotes(of: track, swing: 60, steps: 64) }
                #expect(notes[0] == notes[1], "seed \(seed), \(track)")
            }
        }
        #expect(doubles > 50)
    }

    // MARK: Touches

    /// A player on the lanes of the melody, with a note on each track.
    private func player(length: Int = 32) -> Player {
        var player = Player()
        player.instrument.state.session.composition.pattern.length = length
        for track in Track.allCases {
            player.instrument.state.session.composition.pattern[track, note: track.rawValue, step: 2] = .accent
        }
        player.instrument.state.session.composition.pattern.lanes[.melody, .chance, step: 2] = 50
        player.tap(.spot(.lanesLight))
        return player
    }

    /// The light of a track, or that of LANES for nil, rests under finger 1.
    private func pickUp(_ track: Track?, _ player: inout Player) {
        player.finger(.down, 1, track.map { Float(8 + 4 * $0.rawValue) } ?? 22, contact: 1)
        player.wait(450)
    }

    private func letGo(_ player: inout Player) {
        player.finger(.up, 1, 8, contact: 1)
        player.wait(500)
    }

    private func isOnLanes(_ player: Player, of track: Track) -> Bool {
        if case .lanes(let sheet) = player.instrument.state.view.screen { sheet.track == track } else { false }
    }

    @Test("a track's light, held, and a tap on another: the track is copied there, as one undo step")
    func copyTrack() {
        var player = player()
        let before = player.pattern
        pickUp(.melody, &player)
        #expect(player.tooltip == "COPY MELODY" && player.led(0, 7) == .white)
        player.finger(.down, .spot(.track(.bass)))
        #expect(player.led(1, 15) == SceneLook.waiting)
        player.finger(.up)
        #expect(player.tooltip == "COPIED")
        #expect(player.cells(.bass) == ["0@2=2"] && player.pattern.lanes[.bass, .chance, step: 2] == 50)
        letGo(&player)
        // The shown track is the same, and both lights are as they were.
        #expect(isOnLanes(player, of: .melody) && player.led(0, 7) == Palette.track(.melody, .chromatic))
        #expect(player.cells(.melody) == ["0@2=2"])
        player.send(.key(.undo))
        #expect(player.pattern == before)
    }

    @Test("the second finger held 600 ms moves instead, once")
    func moveTrack() {
        var player = player()
        pickUp(.melody, &player)
        player.tap(.spot(.track(.chords)), held: 700)
        #expect(player.tooltip == "MOVED" || player.tooltip == nil)
        #expect(player.cells(.melody) == [] && player.cells(.chords) == ["0@2=2"])
        #expect(!player.pattern.lanes.has(.melody) && player.pattern.lanes[.chords, .chance, step: 2] == 50)
    }

    @Test("drums are copied to no other track, and no other track to drums")
    func drums() {
        for (source, row) in [(Track.melody, 20), (.rhythm, 8)] as [(Track, Float)] {
            var player = player()
            let before = player.pattern
            pickUp(source, &player)
            player.finger(.down, 1, row)
            #expect(player.tooltip == "NOT DRUMS")
            player.finger(.up, 1, row)
            #expect(player.pattern == before)
        }
    }

    @Test("a drag from group to group copies that part of the track that is held, whichever is shown")
    func copyGroup() {
        var player = player()
        pickUp(.bass, &player)
        player.finger(.down, .laneStep(3, row: 12))
        player.finger(.move, .laneStep(20, row: 12))
        #expect((4..<12).allSatisfy { player.led($0, 1) == .white })
        #expect((22..<30).allSatisfy { player.led($0, 1) == SceneLook.waiting })
        player.finger(.up)
        #expect(player.tooltip == "COPIED" && player.cells(.bass) == ["2@2=2", "2@18=2"])
        #expect(player.cells(.melody) == ["0@2=2"])
        // Rest: move.
        player.finger(.down, .spot(.laneOverview, column: 7))
        player.finger(.move, .spot(.laneOverview, column: 15))
        player.wait(650)
        #expect(player.tooltip == "MOVED" && player.cells(.bass) == ["2@10=2", "2@18=2"])
        player.finger(.up, .spot(.laneOverview, column: 30))
        #expect(player.cells(.bass) == ["2@10=2", "2@18=2"])
        // Back where it landed: nothing.
        let before = player.pattern
        player.finger(.down, .laneStep(9, row: 12))
        player.finger(.move, .laneStep(20, row: 12))
        player.finger(.move, .laneStep(9, row: 12))
        player.wait(700)
        player.finger(.up)
        #expect(player.pattern == before)
    }

    @Test("with the light of LANES held, all tracks are copied, and a tap behind the end doubles the pattern")
    func all() {
        var player = player(length: 8)
        let before = player.pattern
        pickUp(nil, &player)
        #expect(player.tooltip == "COPY ALL")
        player.finger(.down, .laneStep(3, row: 12))
        player.finger(.move, .laneStep(20, row: 12))
        player.finger(.up)
        for track in Track.allCases { #expect(player.cells(track).last == "\(track.rawValue)@18=2") }
        player.send(.key(.undo))
        #expect(player.pattern == before)
        player.tap(.laneStep(15, row: 12))
        #expect(player.pattern.length == 16 && player.cells(.chords) == ["1@2=2", "1@10=2"])
        player.tap(.laneStep(26, row: 12), pause: 0)
        #expect(player.tooltip == "32 STEPS" && player.cells(.rhythm).count == 4)
        // Beside the last step of a full window, and on no group of it.
        player.tap(.laneStep(26, row: 12), pause: 0)
        #expect(player.pattern.length == 32)
        player.tap(39, 12, pause: 0)
        #expect(player.tooltip == "64 STEPS" && player.cells(.rhythm).count == 8)
        player.tap(39, 12, pause: 0)
        #expect(player.pattern.length == 64)
        player.instrument.state.view.window = 1
        player.tap(39, 12, pause: 0)
        #expect(player.tooltip == "128 STEPS" && player.cells(.rhythm).count == 16)
        player.instrument.state.view.window = 3
        player.tap(39, 12, pause: 0)
        #expect(player.tooltip == "TOO LONG" && player.pattern.length == 128)
        letGo(&player)
        #expect(isOnLanes(player, of: .melody))
        for _ in 0..<4 { player.send(.key(.undo)) }
        #expect(player.pattern == before)
    }

    @Test("short touches choose tracks and go back, two at once too; under the lock nothing is picked up")
    func trust() {
        var player = player()
        player.finger(.down, .spot(.track(.chords)), contact: 1)
        player.wait(100)
        player.finger(.down, .spot(.track(.bass)))
        player.wait(100)
        player.finger(.up, contact: 1)
        player.finger(.up)
        #expect(isOnLanes(player, of: .bass) && player.cells(.bass) == ["2@2=2"])
        player.send(.lock(true))
        let before = player.pattern
        pickUp(.melody, &player)
        #expect(player.tooltip == "LOCKED" && player.instrument.pickedUp == nil)
        player.tap(.spot(.track(.bass)))
        letGo(&player)
        #expect(player.pattern == before)
        player.send(.lock(false))
        player.tap(.spot(.lanesLight))
        #expect(player.instrument.state.view.screen == .grid)
    }
}
