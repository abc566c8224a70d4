import Synth
import Testing

/// A note as the sequence reports it.
private struct Started: Equatable, CustomStringConvertible {
    var track: Track
    var note: Int8
    var step: UInt8
    var velocity: UInt8
    var steps: UInt8

    init(_ track: Track, note: Int8, step: UInt8, velocity: UInt8 = 80, steps: UInt8 = 1) {
        self.track = track
        self.note = note
        self.step = step
        self.velocity = velocity
        self.steps = steps
    }

    init?(_ report: TestEngine.Note) {
        guard let track = Track(rawValue: report.track) else {
            return nil
        }
        self.init(track, note: report.note, step: report.step, velocity: report.velocity, steps: report.steps)
    }

    var description: String { "\(track) \(note) at \(step): velocity \(velocity), \(steps) steps" }
}

@Suite("Notes started by the sequence")
struct SequenceTests {
    /// One loop of a pattern at 200 BPM (3600 frames a step).
    private func started(_ rows: [SynthCommand], length: UInt32 = 16, loops: Int = 1) throws -> [Started] {
        let engine = try TestEngine()
        engine.post(rows + [.tempo(200), .length(length), .play()])
        engine.render(3600 * Int(length) * loops)
        return engine.notes.compactMap(Started.init)
    }

    @Test("each cell of 1 or 2 starts a note of that velocity")
    func velocities() throws {
        let notes = try started([.row(.bass, 7, [0: .normal, 5: .accent])])
        #expect(notes == [Started(.bass, note: 7, step: 0), Started(.bass, note: 7, step: 5, velocity: 127)])
    }

    @Test("a note lasts its step and the sustains that follow")
    func runs() throws {
        let notes = try started([.row(.chords, 0, [2: .accent, 3: .sustain, 4: .sustain, 5: .normal, 6: .sustain])])
        #expect(
            notes == [
                Started(.chords, note: 0, step: 2, velocity: 127, steps: 3),
                Started(.chords, note: 0, step: 5, steps: 2),
            ])
    }

    @Test("a run wraps at the end of the pattern, not of the row")
    func runsAreCyclic() throws {
        // Steps 12-15 are beyond the length of 12; the run wraps from 11 to 0.
        let row = SynthCommand.row(.melody, 3, [0: .sustain, 1: .sustain, 11: .normal, 12: .sustain, 13: .sustain])
        #expect(try started([row], length: 12) == [Started(.melody, note: 3, step: 11, steps: 3)])
    }

    @Test("a run is never longer than the pattern", arguments: [1, 2, 8, 32] as [UInt32])
    func runsAreCapped(length: UInt32) throws {
        let cells = Dictionary(uniqueKeysWithValues: (0..<32).map { ($0, $0 == 0 ? Cell.normal : .sustain) })
        let notes = try started([.row(.melody, 3, cells)], length: length)
        #expect(notes == [Started(.melody, note: 3, step: 0, steps: UInt8(length))])
    }

    @Test("a row has the steps of its window, and a run goes on in the next")
    func windows() throws {
        let rows: [SynthCommand] = (0..<4).map { window in
            // An accent on the window's last step but one, held to the third of the next.
            .row(.bass, 2, window: window, cells: 0b111111 | 0b10 << 60 | 0b11 << 62)
        }
        let notes = try started(rows + [.row(.bass, 3, window: 4, cells: .max)], length: 128)
        let expected = (0..<4).map { Started(.bass, note: 2, step: UInt8(32 * $0 + 30), velocity: 127, steps: 5) }
        #expect(notes == expected)
        #expect(try started(rows, length: 63).map(\.steps) == [5, 4])
    }

    @Test("sustains with no head are silent")
    func headlessSustain() throws {
        let engine = try TestEngine()
        engine.post([
            .row(.melody, 3, .sustain, on: 4..<8), .row(.chords, 0, .sustain, on: 0..<32), .tempo(200), .play(),
        ])
        let sound = engine.render(3600 * 33)
        #expect(engine.notes.isEmpty)
        #expect(peak(sound) == 0)
    }

    @Test("a drum's run is reported like a note's")
    func drumRuns() throws {
        let notes = try started([.row(.rhythm, 9, [1: .normal, 2: .sustain])])
        #expect(notes == [Started(.rhythm, note: 9, step: 1, steps: 2)])
    }

    @Test("every track and note has its own cells, reported in order")
    func allRows() throws {
        let rows = Track.allCases.flatMap { track in
            (0..<12).map { SynthCommand.row(track, $0, [Int(track.rawValue) + $0: .normal]) }
        }
        let notes = try started(rows)
        var expected: [Started] = []
        for step in UInt8(0)..<16 {
            for track in Track.allCases {
                for note in UInt8(0)..<12 where track.rawValue + note == step {
                    expected.append(Started(track, note: Int8(note), step: step))
                }
            }
        }
        #expect(notes == expected)
    }

    @Test("a note is reported on its step's frame")
    func noteFrames() throws {
        let engine = try TestEngine()
        engine.post([.row(.melody, 0, [3: .normal]), .play(at: 77)])
        engine.render(30000, block: 128)
        let frames: [UInt64] = engine.notes.map(\.frame)
        #expect(frames == [UInt64(77 + 18000)])
    }

    @Test("a silent track starts no notes, and the others do")
    func silentTracks() throws {
        let rows = Track.allCases.map { SynthCommand.row($0, 0, [0: .normal]) }
        let notes = try started(rows + [.silent([.melody, .rhythm])])
        #expect(notes.map(\.track) == [.chords, .bass])
    }

    @Test("a row changed before its step plays as changed, also on the step's own frame")
    func rowChanges() throws {
        let engine = try TestEngine()
        engine.post([
            .row(.bass, 0, [0: .normal, 1: .normal]), .play(), .row(.bass, 0, [1: .accent], at: 6000),
            .row(.bass, 0, [2: .normal], at: 12001),
        ])
        engine.render(20000)
        #expect(engine.notes.map(\.step) == [0, 1])
        #expect(engine.notes.map(\.velocity) == [80, 127])
    }

    @Test("an audition sounds, stopped or playing, and is not reported", arguments: [false, true])
    func audition(playing: Bool) throws {
        let engine = try TestEngine()
        engine.post((playing ? [.play()] : []) + [.audition(.chords, 4, at: 1000)])
        let sound = engine.render(9000)
        #expect(peak(sound[..<(1000 + engine.latency)]) == 0)
        #expect(peak(sound[(1000 + engine.latency)...]) > 0.05)
        #expect(engine.notes.isEmpty)
    }

    @Test("an audition of a silent track is silent")
    func silentAudition() throws {
        let engine = try TestEngine()
        engine.post([.silent([.chords]), .audition(.chords, 4)])
        #expect(peak(engine.render(9000)) == 0)
    }
}
