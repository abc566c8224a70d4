import Documents
import InputEvents
import Instrument
import Replay
import TestSupport
import Testing

/// Melody's note of the key that is played here, C4.
private let note = 0

private func line(_ milliseconds: Double, _ act: TouchScript.Act) -> TouchScript.Line {
    TouchScript.Line(at: Instant(microseconds: Int64((milliseconds * 1000).rounded())), act: act)
}

private func key(_ bytes: UInt8..., at milliseconds: Double) -> TouchScript.Line {
    line(milliseconds, .midi(bytes, port: nil))
}

/// An empty pattern of 16 steps.
private var empty: Pattern {
    var pattern = Pattern()
    pattern.length = 16
    return pattern
}

/// Records `lines` on `start` at 120 BPM from 100 ms on; returns the state at `until` milliseconds.
private func record(
    _ lines: [TouchScript.Line], on start: PatternDocument = PatternDocument(pattern: empty), until: Int64 = 8000,
    isFollowing: Bool = false, hears: (NoteEvent) -> Void = { _ in }
) throws -> Instrument.State {
    var begin = [line(0, .control(.record(true))), line(0, .control(.quantise(100)))]
    if !isFollowing { begin.append(line(100, .control(.key(.playStop)))) }
    var plan = Replay.Plan(TouchScript((begin + lines).sorted { $0.at < $1.at }))
    plan.start = start
    plan.until = Instant(milliseconds: until)
    return try withoutActuallyEscaping(hears) { hears in
        var observers = Replay.Observers()
        observers.note = hears
        return try Replay.run(plan, observers).state
    }
}

/// The cells of melody's C4, one letter a step: `N` begins, `A` with an accent, `-` goes on, `.` is empty.
private func cells(_ pattern: Pattern, _ track: Track = .melody, note: Int = note) -> String {
    String(
        (0..<pattern.length).map { step in
            switch pattern[track, note: note, step: step] {
            case .empty: "."
            case .normal: "N"
            case .accent: "A"
            case .sustain: "-"
            }
        })
}

@Suite("Keys that are held while they are recorded")
struct HeldKeyTests {
    @Test("a key that is down at Stop, or at the stop of another clock, is as long as it was down until then")
    func stop() throws {
        // Step 4 is at 600 ms; eleven steps later the music stops.
        let down = key(0x90, 60, 80, at: 600)
        let up = key(0x80, 60, 0, at: 2600)
        let own = try record([down, line(1980, .control(.key(.playStop))), up])
        #expect(cells(own.session.composition.pattern) == "....N----------.")

        let ticks = (0..<400).map { key(0xf8, at: 100 + Double($0) * 500 / 24) }
        let begin = [line(0, .control(.sync(.source(.midi)))), key(0xfa, at: 99)]
        let other = try record(begin + ticks + [down, key(0xfc, at: 1980), up], isFollowing: true)
        #expect(cells(other.session.composition.pattern) == "....N----------.")
    }

    @Test("a key that is down at the switch of scenes is as long as the first one went on; the next gets nothing")
    func scene() throws {
        var start = PatternDocument(pattern: empty)
        start.scenes = Scenes([empty, empty], current: 0)
        // The second scene begins at 2100 ms.
        let state = try record(
            [key(0xc0, 1, at: 300), key(0x90, 60, 80, at: 1600), key(0x80, 60, 0, at: 3000)], on: start, until: 5000)
        let composition = state.session.composition
        #expect(state.scene == 1)
        #expect(cells(composition.pattern) == "................")
        #expect(composition.scenes.pattern(in: 0, playing: composition.pattern).map { cells($0) } == "............N---")
    }

    /// The cells of a key that goes down at `down` milliseconds and is held until `end`, by the definitions of
    /// docs/spec.md, section 4, alone.
    private func held(from down: Double, to end: Double) -> String {
        let begin = Int(((down - 100) / 125).rounded())
        let steps = max(1, Int(((end - down) / 125).rounded()))
        return String(
            (0..<16).map { step in
                step == begin ? "N" : step > begin && step < begin + steps ? "-" : "."
            })
    }

    @Test("keys at any time, held over a Stop or the end of a scene at any time, are written to there")
    func randomEnds() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var scenes = PatternDocument(pattern: empty)
        scenes.scenes = Scenes([empty, empty], current: 0)
        for number in 0..<60 {
            let down = Double.random(in: 105...1500, using: &random)
            let isSwitched = number % 3 == 2
            // The second scene begins at 2100 ms.
            let end = isSwitched ? 2100 : Double.random(in: down + 5...2090, using: &random)
            // Half a step decides between two steps: a frame may, too.
            let places = [(down - 100) / 125, (end - down) / 125]
            let isNear = places.contains { ($0 - $0.rounded(.down) - 0.5).magnitude < 0.01 }
            if isNear { continue }
            let stop: Instrument.Event = number % 3 == 0 ? .key(.playStop) : .remote(.stop)
            var lines = [key(0x90, 60, 80, at: down), key(0x80, 60, 0, at: end + 700)]
            lines.append(isSwitched ? key(0xc0, 1, at: 102) : line(end, .control(stop)))
            let composition = try record(lines, on: scenes, until: 3500).session.composition
            let written = composition.scenes.pattern(in: 0, playing: composition.pattern).map { cells($0) }
            #expect(
                written == held(from: down, to: end), "seed \(seed): from \(down) to \(end), switch: \(isSwitched)")
            if isSwitched { #expect(cells(composition.pattern) == "................", "seed \(seed)") }
        }
    }

    @Test("a pattern that becomes shorter has no sound without a beginning")
    func shorter() throws {
        var start = PatternDocument(pattern: Pattern())
        start.pattern.length = 32
        // The key is at step 20; the pattern becomes 16 steps long while it is down.
        let shorten = line(2900, .control(.turn(.length, by: -4)))
        let state = try record(
            [key(0x90, 60, 80, at: 2600), shorten, key(0x80, 60, 0, at: 3500)], on: start, until: 3600)
        let pattern = state.session.composition.pattern
        #expect(pattern.length == 16)
        for step in 0..<pattern.length {
            #expect(pattern[.melody, note: note, step: step] == .empty, "step \(step)")
        }
    }

    // MARK: Transposed and voiced tracks

    /// The notes that sounded at the keys, by the messages to the synthesiser, and the notes of the pattern's later
    /// turns.
    private func playBack(_ keys: [UInt8], channel: UInt8, track: Track, on pattern: Pattern) throws -> Set<Int> {
        var lines: [TouchScript.Line] = []
        for (number, played) in keys.enumerated() {
            lines.append(key(0x90 | channel, played, 80, at: 600 + Double(number)))
            lines.append(key(0x80 | channel, played, 0, at: 700 + Double(number)))
        }
        var heard: Set<Int> = []
        _ = try record(lines, on: PatternDocument(pattern: pattern), until: 4000) {
            if $0.track == track, $0.step == 4, $0.milliseconds > 2000 { heard.insert($0.note) }
        }
        return heard
    }

    @Test("on a transposed track what sounded is what plays back", arguments: [-14, -3, 0, 1, 2, 4, 7, 14])
    func transposed(degrees: Int) throws {
        var pattern = empty
        for track in [Track.melody, .chords, .bass] { pattern[shape: track].transposition = degrees }
        for played in UInt8(60)...71 {
            let heard = try playBack([played], channel: 0, track: .melody, on: pattern)
            #expect(heard == [Int(played) - 60], "key \(played)")
        }
    }

    @Test("where the harmony moves the notes, what sounded is what plays back", arguments: [-7, -3, 1, 2, 7])
    func harmony(degrees: Int) throws {
        var pattern = empty
        pattern.lanes.harmony[2] = degrees
        pattern.lanes.harmony[6] = 0
        pattern[shape: .melody].transposition = 1
        for played in [60, 62, 64, 65, 67, 69, 71] as [UInt8] {
            let heard = try playBack([played], channel: 0, track: .melody, on: pattern)
            #expect(heard == [Int(played) - 60], "key \(played)")
        }
    }

    @Test("on a voiced track a chord plays back as it was played", arguments: TrackShape.Voicing.allCases)
    func voiced(_ voicing: TrackShape.Voicing) throws {
        var pattern = empty
        pattern[shape: .chords].voicing = voicing
        pattern[shape: .chords].transposition = 1
        for (step, root) in [(0, 0), (8, 5)] {
            for tone in [0, 4, 7] { pattern[.chords, note: root + tone, step: step] = .normal }
        }
        let heard = try playBack([48, 53, 57], channel: 1, track: .chords, on: pattern)
        #expect(heard == [0, 5, 9])
    }
}
