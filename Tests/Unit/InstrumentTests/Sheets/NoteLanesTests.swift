import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

@Suite("Values of single notes on the LANES screen")
struct NoteLanesTests {
    /// A player at the note page of the rhythm: kick and hat on step 0, a kick on step 4.
    private func atNotes(_ track: Track = .rhythm) -> Player {
        var player = Player()
        for (note, step) in [(0, 0), (7, 0), (0, 4)] {
            player.instrument.state.session.composition.pattern[.rhythm, note: note, step: step] = .normal
        }
        player.tap(.spot(.lanesLight))
        if track != .melody { player.tap(.spot(.track(track))) }
        player.tap(.spot(.track(track)))
        return player
    }

    private func sheet(_ player: Player) -> LanesSheet? {
        if case .lanes(let sheet) = player.instrument.state.view.screen { sheet } else { nil }
    }

    /// Row of a drum on the rhythm's lowest page.
    private static let (kick, snare, hat) = (0, 1, 2)

    // MARK: Ways there and back

    @Test("a second tap on the chosen track's light shows its notes, the corner leads back to the tracks and the grid")
    func ways() {
        for track in Track.allCases {
            var player = atNotes(track)
            #expect(sheet(player)?.showsNotes == true && sheet(player)?.track == track && sheet(player)?.note == nil)
            #expect(player.instrument.place(column: 1, row: 8).name != track.name.uppercased())
            player.tap(.lane(.chance))
            player.tap(.spot(.back))
            #expect(sheet(player)?.showsNotes == false && sheet(player)?.track == track)
            #expect(sheet(player)?.lane == .chance)
            player.tap(.spot(.back))
            #expect(player.instrument.state.view.screen == .grid)
        }
        var player = atNotes()
        player.tap(.spot(.lanesLight))
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("every row of the page has a light of its own, and a tap in its rows finds it")
    func rows() {
        for track in Track.allCases {
            var player = atNotes(track)
            let map = player.instrument.pageMap(of: track)
            for row in 0..<map.rows {
                guard let note = map.note(atRow: row) else { continue }
                let place = player.position(of: .spot(.laneNote(row)), at: #_sourceLocation)
                let led = LanesSheet.row(ofNote: row, of: track)
                #expect(place.map { abs($0.row - Float(led)) < 2 } == true, "\(track) \(row)")
                #expect(player.led(0, led) != .black)
                player.tap(.spot(.laneNote(row)))
                #expect(sheet(player)?.note == note)
            }
        }
    }

    @Test("a tap chooses a note by its name, another tap the track again")
    func choose() {
        var player = atNotes()
        player.finger(.down, .spot(.laneNote(Self.kick)))
        player.finger(.up)
        #expect(player.tooltip == "KICK" && sheet(player)?.note == 0)
        #expect(player.instrument.place(column: 1, row: 20).name == "KICK ON")
        player.wait(500)
        player.tap(.spot(.laneNote(Self.hat)))
        #expect(sheet(player)?.note == 7)
        player.finger(.down, .spot(.laneNote(Self.hat)))
        player.finger(.up)
        #expect(player.tooltip == "RHYTHM" && sheet(player)?.note == nil && sheet(player)?.showsNotes == true)
        // A melodic note by its pitch.
        var melody = atNotes(.melody)
        melody.finger(.down, .spot(.laneNote(2)))
        melody.finger(.up)
        #expect(melody.tooltip == "E4")
    }

    @Test("further taps choose other notes that the pattern has on the row")
    func outside() {
        var player = atNotes(.melody)
        player.instrument.state.session.composition.pattern[.melody, note: 1, step: 3] = .normal
        var notes: [Int?] = []
        for _ in 0..<3 {
            player.tap(.spot(.laneNote(0)))
            notes.append(sheet(player)?.note)
        }
        #expect(notes == [0, 1, nil])
    }

    @Test("a hold of 400 ms turns the page, and chooses no note")
    func turn() {
        var player = atNotes()
        player.finger(.down, .spot(.laneNote(Self.kick)))
        player.wait(400)
        #expect(player.tooltip == "PAGE 1" && player.instrument.state.session.pages[Track.rhythm.rawValue] == 1)
        player.finger(.up)
        #expect(sheet(player)?.note == nil)
        player.finger(.down, .spot(.laneNote(0)))
        player.finger(.up)
        #expect(player.tooltip == "LOW TOM")
    }

    // MARK: Values

    @Test("what is drawn is the note's own; the track and the other notes keep theirs")
    func write() {
        var player = atNotes()
        player.instrument.state.session.composition.pattern.lanes[.rhythm, .velocity, step: 0] = 100
        player.tap(.spot(.laneNote(Self.kick)))
        player.finger(.down, .laneStep(0, row: 12))
        #expect(player.tooltip == "VEL 64")
        player.finger(.up)
        let lanes = player.pattern.lanes
        #expect(lanes[.rhythm, .velocity, note: 0, step: 0] == 64 && lanes[.rhythm, .velocity, step: 0] == 100)
        #expect(lanes.value(.rhythm, .velocity, note: 7, step: 0) == 100)
        #expect(lanes.rows(of: .rhythm) == [Lanes.Row(note: 0, lane: .velocity)])
        #expect(player.instrument.place(column: 4, row: 12).name == "KICK VEL 64 STEP 1")
        player.wait(1000)
        player.send(.key(.undo))
        #expect(!player.pattern.lanes.hasNotes)
        player.send(.key(.redo))
        #expect(player.pattern.lanes == lanes)
    }

    @Test("every lane but slide and the offsets has values of notes; the others say that they are the track's")
    func lanes() {
        for lane in Lane.ofTracks {
            var player = atNotes(.bass)
            player.tap(.spot(.laneNote(0)))
            let chosen = Lane.chosen[lane.place]
            if lane != .velocity {
                player.finger(.down, .lane(chosen))
                player.finger(.up)
            }
            if lane.isOfNotes {
                if lane == .ramp { player.tap(.lane(chosen)) }
                #expect(sheet(player)?.lane == lane)
                player.wait(1000)
                player.tap(.laneStep(9, row: 5))
                #expect(player.pattern.lanes.has(.bass, lane, note: 0), "\(lane)")
                #expect(!player.pattern.lanes.has(.bass, lane))
            } else {
                #expect(player.tooltip == "TRACK ONLY" && sheet(player)?.lane == .velocity, "\(lane)")
            }
        }
        // A note is chosen while one of them is shown.
        var player = atNotes(.bass)
        player.tap(.lane(.pan))
        player.tap(.spot(.laneNote(0)))
        #expect(sheet(player)?.lane == .velocity)
    }

    @Test("a double tap removes the own value, and the cross held 1200 ms those of the lane")
    func erase() {
        var player = atNotes()
        player.tap(.spot(.laneNote(Self.kick)))
        player.tap(.laneStep(0, row: 12))
        player.tap(.laneStep(4, row: 15))
        player.tap(.laneStep(4, row: 15), pause: 100)
        player.tap(.laneStep(4, row: 15))
        #expect(player.pattern.lanes[.rhythm, .velocity, note: 0, step: 4] == nil)
        #expect(player.pattern.lanes[.rhythm, .velocity, note: 0, step: 0] == 64)
        player.instrument.state.session.composition.pattern.lanes[.rhythm, .velocity, step: 2] = 20
        player.tap(.spot(.clearLane), held: 1300)
        #expect(!player.pattern.lanes.hasNotes && player.pattern.lanes[.rhythm, .velocity, step: 2] == 20)
    }

    @Test("a neutral value of a note stands against the track's; without one it is none")
    func neutral() {
        for (lane, row, neutral) in [(Lane.ratchet, 21 as Float, 1), (.shift, 12, 0), (.ramp, 12, 0)] {
            var player = atNotes()
            player.instrument.state.session.composition.pattern.lanes[.rhythm, lane, step: 0] = 1 + neutral
            player.tap(.spot(.laneNote(Self.kick)))
            player.tap(.lane(Lane.chosen[lane.place]))
            if lane == .ramp { player.tap(.lane(.ratchet)) }
            player.tap(.laneStep(0, row: row))
            player.tap(.laneStep(4, row: row))
            #expect(player.pattern.lanes[.rhythm, lane, note: 0, step: 0] == neutral, "\(lane)")
            #expect(player.pattern.lanes[.rhythm, lane, note: 0, step: 4] == nil, "\(lane)")
        }
    }

    @Test("after 64 rows a further one says FULL and writes nothing; those that are there still take values")
    func full() {
        var player = atNotes(.melody)
        player.instrument.state.session.composition.pattern = Self.fullPattern
        let rows = player.pattern
        #expect(player.pattern.room(for: .melody) == 0)
        player.tap(.spot(.laneNote(0)))
        player.tap(.lane(.gate))
        player.finger(.down, .laneStep(3, row: 10))
        #expect(player.tooltip == "FULL")
        player.finger(.up)
        #expect(player.pattern == rows && player.instrument.state.session.history.past.isEmpty)
        player.wait(1000)
        player.tap(.lane(.velocity))
        player.tap(.laneStep(3, row: 12))
        #expect(player.pattern.lanes[.melody, .velocity, note: 0, step: 3] == 64)
    }

    /// A pattern with as many rows as there may be; the melody's C4 has one.
    static var fullPattern: Pattern {
        var pattern = Pattern()
        for note in 0..<20 { pattern.setValue(50, .melody, .velocity, note: note, step: 0) }
        for note in 0..<20 { pattern.setValue(50, .bass, .velocity, note: note, step: 0) }
        for note in Track.chords.notes { pattern.setValue(50, .chords, .chance, note: note, step: 0) }
        return pattern
    }

    // MARK: Pictures

    @Test("a step without a value of its own shows the track's: its end alone, in less light")
    func hollow() {
        var player = atNotes()
        player.instrument.state.session.composition.pattern.lanes[.rhythm, .velocity, step: 0] = 64
        player.instrument.state.session.composition.pattern.setValue(64, .rhythm, .velocity, note: 0, step: 4)
        player.tap(.spot(.laneNote(Self.kick)))
        // The end of a bar of 64, and a row within it.
        let (end, inner): (Int, Int) = (12, 17)
        #expect(player.led(column(4), end) != .black && player.led(column(4), inner) != .black)
        #expect(player.led(column(0), end) != .black)
        #expect(player.led(column(0), inner) == .black)
        #expect(Contrast.luminance(player.led(column(0), end)) < Contrast.luminance(player.led(column(4), end)))
    }

    @Test(
        "on the grid the LED of a note with a value of its own falls, and no other; FILL shows that a note waits for it"
    )
    func grid() {
        var player = atNotes()
        func fill() -> RGB { player.led(3, 22) }
        let dark = fill()
        player.instrument.state.session.composition.pattern.setValue(
            StepCondition.fill.code, .rhythm, .when, note: 0, step: 0)
        #expect(Contrast.luminance(fill()) > Contrast.luminance(dark))
        player.show(.grid)
        // Once a second while stopped.
        player.now = Instant(milliseconds: 20_050)
        let (kick, hat) = (player.led(.step(0, .rhythm, row: 0)), player.led(.step(0, .rhythm, row: 2)))
        player.now = Instant(milliseconds: 20_500)
        #expect(Contrast.luminance(kick) < Contrast.luminance(player.led(.step(0, .rhythm, row: 0))))
        #expect(hat == player.led(.step(0, .rhythm, row: 2)))
    }

    private enum Contrast {
        static func luminance(_ colour: RGB) -> Int { Int(colour.red) + Int(colour.green) + Int(colour.blue) }
    }
}

@Suite("Values of single notes in a pattern")
struct NoteValueTests {
    /// A chord on step 2 with values of its own, and a note on step 8.
    private var pattern: Pattern {
        var pattern = Pattern()
        for note in [0, 4, 7] { pattern[.melody, note: note, step: 2] = .normal }
        pattern[.melody, note: 4, step: 8] = .normal
        pattern.setValue(30, .melody, .velocity, note: 0, step: 2)
        pattern.setValue(60, .melody, .velocity, note: 4, step: 2)
        pattern.setValue(50, .melody, .chance, note: 4, step: 2)
        pattern.setValue(90, .melody, .velocity, note: 4, step: 8)
        return pattern
    }

    private func player(_ pattern: Pattern) -> Player {
        var player = Player()
        player.instrument.state.session.composition.pattern = pattern
        return player
    }

    /// The own velocities of the melody as `note@step=value`.
    private func values(_ pattern: Pattern, _ track: Track = .melody, _ lane: Lane = .velocity) -> [String] {
        (0..<Pattern.steps).flatMap { step in
            track.notes.compactMap { note in
                pattern.lanes[track, lane, note: note, step: step].map { "\(note)@\(step)=\($0)" }
            }
        }
    }

    @Test("a row takes no memory without values, and equal values are equal rows")
    func rows() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            var (pattern, expected): (Pattern, [[Int]: Int]) = (Pattern(), [:])
            for _ in 0..<Int.random(in: 1...400, using: &random) {
                let track = Track.allCases.randomElement(using: &random) ?? .bass
                let note = Int.random(in: 0...3, using: &random)
                let lane = Lane.ofNotes.randomElement(using: &random) ?? .gate
                let step = Int.random(in: 0...2, using: &random)
                let value = Bool.random(using: &random) ? nil : Int.random(in: lane.values, using: &random)
                let key = [track.rawValue, note, lane.index, step]
                let hasRow = expected.keys.contains { $0.prefix(3) == key.prefix(3) }
                let rows = Set(expected.keys.map { Array($0.prefix(3)) })
                let isWritten = pattern.setValue(value, track, lane, note: note, step: step)
                #expect(isWritten == (value == nil || hasRow || rows.count < Lanes.rowsMax), "seed \(seed)")
                if isWritten { expected[key] = value }
            }
            var again = Pattern()
            for (key, value) in expected.shuffled(using: &random) {
                again.setValue(value, Track.allCases[key[0]], Lane.ofTracks[key[2]], note: key[1], step: key[3])
            }
            #expect(again == pattern, "seed \(seed)")
            for (key, value) in expected {
                let found = pattern.lanes[Track.allCases[key[0]], Lane.ofTracks[key[2]], note: key[1], step: key[3]]
                #expect(found == value, "seed \(seed)")
                pattern.setValue(nil, Track.allCases[key[0]], Lane.ofTracks[key[2]], note: key[1], step: key[3])
            }
            #expect(pattern == Pattern(), "seed \(seed)")
        }
    }

    @Test("a note that is erased takes its values at that step along, and no others")
    func erase() {
        var player = player(pattern)
        player.tap(.step(2, .melody, row: 2))
        #expect(values(player.pattern) == ["0@2=30", "4@8=90"] && values(player.pattern, .melody, .chance) == [])
        player.send(.key(.undo))
        #expect(player.pattern == pattern)
        var cleared = pattern
        cleared.clear(.melody)
        #expect(cleared == Pattern())
    }

    @Test("a finger that makes a note an accent removes its velocity, and nothing else")
    func accent() {
        var player = player(pattern)
        player.tap(.step(2, .melody, row: 2), held: 500)
        #expect(player.pattern[.melody, note: 4, step: 2] == .accent)
        #expect(values(player.pattern) == ["0@2=30", "4@8=90"])
        #expect(values(player.pattern, .melody, .chance) == ["4@2=50"])
    }

    @Test("a note that moves takes its values along, sideways and up, out of a chord too")
    func move() {
        var sideways = player(pattern)
        sideways.drag(from: .step(2, .melody, row: 2), to: .step(5, .melody, row: 2), held: 500)
        #expect(values(sideways.pattern) == ["0@2=30", "4@5=60", "4@8=90"])
        #expect(values(sideways.pattern, .melody, .chance) == ["4@5=50"])
        var up = player(pattern)
        up.drag(from: .step(2, .melody, row: 0), to: .step(2, .melody, row: 3), held: 500)
        #expect(values(up.pattern) == ["4@2=60", "5@2=30", "4@8=90"])
        up.send(.key(.undo))
        #expect(up.pattern == pattern)
    }

    @Test("a drum that moves to the place of another becomes that one, with its values")
    func moveOntoOther() {
        var pattern = Pattern()
        for (note, step) in [(0, 2), (0, 6)] { pattern[.rhythm, note: note, step: step] = .normal }
        pattern.setValue(20, .rhythm, .velocity, note: 0, step: 2)
        pattern.setValue(90, .rhythm, .gate, note: 0, step: 6)
        var player = player(pattern)
        player.drag(from: .step(2, .rhythm, row: 0), to: .step(6, .rhythm, row: 0), held: 500)
        #expect(values(player.pattern, .rhythm) == ["0@6=20"] && values(player.pattern, .rhythm, .gate) == ["0@6=90"])
    }

    @Test("another key moves the values with the notes, and back")
    func transpose() {
        var moved = pattern
        moved.transpose(pattern, by: 5)
        #expect(values(moved) == ["5@2=30", "9@2=60", "9@8=90"])
        var back = moved
        back.transpose(moved, by: -5)
        #expect(back == pattern)
        // Where two notes meet, the values of the stronger one count.
        var ends = Pattern()
        (ends[.bass, note: 23, step: 0], ends[.bass, note: 12, step: 0]) = (.accent, .normal)
        ends.setValue(11, .bass, .velocity, note: 12, step: 0)
        var folded = Pattern()
        folded.transpose(ends, by: 1)
        #expect(folded[.bass, note: 12, step: 0] == .accent && folded[.bass, note: 13, step: 0] == .normal)
        #expect(values(folded, .bass) == ["13@0=11"])
    }

    @Test("where a track is transposed or voiced, the sounding notes have the values of the written ones")
    func sounding() {
        var pattern = Pattern()
        for note in [0, 4, 7] { pattern[.chords, note: note, step: 0] = .normal }
        for (note, value) in [(0, 10), (4, 20), (7, 30)] {
            pattern.setValue(value, .chords, .velocity, note: note, step: 0)
        }
        pattern[shape: .chords].transposition = 1
        #expect(values(pattern.sounding, .chords) == ["2@0=10", "5@0=20", "9@0=30"])
        pattern[shape: .chords].voicing = .spread
        #expect(values(pattern.sounding, .chords) == ["2@0=10", "9@0=30", "17@0=20"])
        #expect(values(pattern, .chords) == ["0@0=10", "4@0=20", "7@0=30"])
    }

    @Test("copies of a track, of a group of steps and of the pattern have the values of their notes")
    func copies() {
        var track = pattern
        track.copy(.melody, to: .bass)
        #expect(values(track, .bass) == values(pattern))
        var group = pattern
        group.copy(group: 0, to: 2, of: TrackSet(.melody), moves: true)
        #expect(values(group) == ["4@8=90", "0@18=30", "4@18=60"])
        var double = pattern
        double.double()
        #expect(values(double) == values(pattern) + ["0@34=30", "4@34=60", "4@40=90"])
    }

    @Test("parts of other scenes bring their rows, are written to their scenes, and share the room of these")
    func parts() {
        var other = Pattern()
        for note in 0..<30 { other.setValue(40, .melody, .velocity, note: note - 12, step: 0) }
        for note in 0..<30 { other.setValue(40, .bass, .velocity, note: note - 12, step: 0) }
        var own = Pattern()
        for note in 0..<30 { own.setValue(40, .bass, .gate, note: note - 12, step: 0) }
        for note in 0..<30 { own.setValue(40, .chords, .gate, note: note - 12, step: 0) }
        var parts = Parts()
        parts[.bass] = 1
        var composition = Composition(pattern: own, scenes: Scenes([own, other], current: 0), parts: parts)
        #expect(composition.pattern.lanes.rows(of: .bass).allSatisfy { $0.lane == .velocity })
        // 60 rows each, although the pattern that plays has others.
        #expect(composition.pattern.room(for: .bass) == 4 && composition.pattern.room(for: .melody) == 4)
        for note in 0..<12 {
            composition.pattern.setValue(1, .bass, .chance, note: note, step: 1)
            composition.pattern.setValue(1, .melody, .chance, note: note, step: 1)
        }
        #expect(composition[scene: 1]?.lanes.rows(of: .bass).count == 34)
        #expect(composition[scene: 0]?.lanes.rows(of: .melody).count == 4)
        #expect(composition.own.lanes.rows(of: .bass).allSatisfy { $0.lane == .gate })
        composition.endMix()
        #expect(composition.pattern.lanes.rows(of: .bass).count == 30)
        #expect(composition.pattern.room(for: .bass) == 0)
    }
}

@Suite("Velocities of played keys")
struct KeyVelocityTests {
    /// A player that records at 120 BPM, with a step of 125 ms.
    private func recorder() -> Player {
        var player = Player()
        player.send(.record(true))
        player.send(.key(.playStop))
        player.send(.step(0, number: 0))
        return player
    }

    private func chord(_ velocities: [Int], _ player: inout Player) {
        for (place, velocity) in velocities.enumerated() {
            player.send(.midi(.noteOn(channel: 0, key: 60 + 2 * place, velocity: velocity)))
        }
        for place in velocities.indices { player.send(.midi(.noteOff(channel: 0, key: 60 + 2 * place))) }
    }

    @Test("a key sounds with its velocity", arguments: [1, 64, 80, 127])
    func sound(velocity: Int) {
        var player = Player()
        player.send(.midi(.noteOn(channel: 0, key: 60, velocity: velocity)))
        let note = Instrument.Effect.Note(track: .melody, note: 0, velocity: velocity > 103 ? 2 : 1, steps: 1)
        #expect(player.effects == [.press(note, velocity: velocity, .neutral)])
    }

    @Test("a chord keeps four different ones: only those are written that would sound otherwise")
    func chord() {
        var player = recorder()
        chord([12, 80, 127, 101], &player)
        let lanes = player.pattern.lanes
        #expect([0, 2, 4, 6].map { lanes[.melody, .velocity, note: $0, step: 0] } == [12, nil, nil, 101])
        #expect(player.pattern[.melody, note: 4, step: 0] == .accent)
        let heard = player.pattern.hitNotes(of: .melody, swing: 50, steps: 1).map { $0.velocity }
        #expect(heard == [12, 80, 127, 101])
        // One step of the history, as any pass.
        player.send(.key(.undo))
        #expect(player.pattern == Pattern())
    }

    @Test("the track's velocity counts, and a second time the last one")
    func again() {
        var player = recorder()
        player.instrument.state.session.composition.pattern.lanes[.melody, .velocity, step: 0] = 50
        chord([50, 80], &player)
        #expect(player.pattern.lanes[.melody, .velocity, note: 0, step: 0] == nil)
        #expect(player.pattern.lanes[.melody, .velocity, note: 2, step: 0] == 80)
        chord([33, 50], &player)
        #expect(player.pattern.lanes[.melody, .velocity, note: 0, step: 0] == 33)
        #expect(player.pattern.lanes[.melody, .velocity, note: 2, step: 0] == nil)
    }

    @Test("without room the note is written without its velocity, and FULL says so")
    func full() {
        var player = recorder()
        player.instrument.state.session.composition.pattern = NoteLanesTests.fullPattern
        player.send(.midi(.noteOn(channel: 0, key: 48, velocity: 20)))
        #expect(player.tooltip == "FULL" && player.pattern[.melody, note: -12, step: 0] == .normal)
        #expect(player.pattern.lanes == NoteLanesTests.fullPattern.lanes)
        // A row that is there has room.
        player.send(.midi(.noteOn(channel: 0, key: 60, velocity: 20)))
        #expect(player.pattern.lanes[.melody, .velocity, note: 0, step: 0] == 20)
    }

    @Test("a key that waits for its step is written with its velocity then")
    func waiting() {
        var player = recorder()
        player.wait(100)
        chord([9], &player)
        #expect(player.pattern == Pattern())
        player.wait(25)
        player.send(.step(1, number: 1))
        #expect(player.pattern.lanes[.melody, .velocity, note: 0, step: 1] == 9)
    }
}
