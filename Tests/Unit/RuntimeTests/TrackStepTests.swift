import Instrument
import Runtime
import TestSupport
import Testing

@Suite("The steps of tracks that the engine reports")
struct TrackStepTests {
    /// Frames of a step at 150 BPM.
    private static let stepFrames = 4800

    /// An engine that plays `pattern` from its first frame on.
    private func engine(_ pattern: Pattern, swing: Int = 50) throws -> Engine {
        let engine = try #require(Engine(rate: 48_000))
        var instrument = Instrument()
        instrument.load(Session(Composition(pattern: pattern)))
        _ = instrument.update(.sound(.swing, swing), at: .zero)
        _ = instrument.update(.key(.playStop), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)
        return engine
    }

    /// Renders `seconds`, and takes the reports meanwhile.
    private func render(_ engine: Engine, seconds: Int, _ body: (UInt64, Engine.Report) -> Void) {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 480)
        defer { buffer.deallocate() }
        for _ in 0..<100 * seconds {
            engine.render(into: buffer)
            engine.takeReports(body)
        }
    }

    /// The reports of `seconds` from Play on: steps as frame, step and whether they sound, and frames of notes.
    private func play(_ pattern: Pattern, _ track: Track, seconds: Int) throws -> (steps: [[Int]], notes: Set<Int>) {
        var steps: [[Int]] = []
        var notes: Set<Int> = []
        render(try engine(pattern), seconds: seconds) { frame, report in
            switch report {
            case .trackStep(track, let step, _, let sounds): steps.append([Int(frame), step, sounds ? 1 : 0])
            case .note(let note, _) where note.track == track: notes.insert(Int(frame))
            default: break
            }
        }
        return (steps, notes)
    }

    @Test("each step of a track with a shape is reported on its frame, also where it does not sound")
    func steps() throws {
        var pattern = Pattern()
        pattern.tempo = 150
        pattern[shape: .bass].length = 5
        pattern[shape: .bass].division = .half
        pattern[shape: .bass].direction = .back
        for step in [0, 1, 3, 4] { pattern[.bass, note: 0, step: step] = .normal }
        pattern.lanes[.bass, .chance, step: 3] = 50
        let (steps, notes) = try play(pattern, .bass, seconds: 20)
        #expect(steps.count == 20 * 48_000 / (Self.stepFrames / 2))
        let expected = steps.indices.map { [$0 * Self.stepFrames / 2, 4 - $0 % 5] }
        #expect(steps.map { Array($0[0..<2]) } == expected)
        // The steps that sound are those with notes: step 3 sometimes, step 2 never, the others always.
        #expect(Set(steps.filter { $0[2] == 1 }.map { $0[0] }) == notes)
        let sounding = (0..<5).map { step in steps.filter { $0[1] == step && $0[2] == 1 }.count }
        #expect(sounding[0] == 80 && sounding[1] == 80 && sounding[2] == 0 && sounding[4] == 80)
        #expect((20...60).contains(sounding[3]))
    }

    @Test(
        "after a jump of a source, tracks with and without lanes go on together", arguments: [7.0, 40, -9], [50, 71])
    func jump(by steps: Double, swing: Int) throws {
        var pattern = Pattern()
        (pattern.tempo, pattern.length) = (150, 16)
        for track in [Track.melody, .bass] {
            for step in 0..<16 { pattern[track, note: 0, step: step] = .normal }
        }
        pattern.lanes[.bass, .velocity, step: 0] = 100
        let engine = try engine(pattern, swing: swing)
        // The steps of both tracks as frame and step, and the numbers of the bass.
        var heard: [Track: [[Int]]] = [:]
        var numbers: [Int] = []
        func note(_ frame: UInt64, _ report: Engine.Report) {
            switch report {
            case .note(let note, let step): heard[note.track, default: []].append([Int(frame), step])
            case .trackStep(.bass, _, let place, _): numbers.append(place / 12)
            default: break
            }
        }
        render(engine, seconds: 1, note)
        let passed = Double(engine.frames) / Double(Self.stepFrames)
        engine.steer(steps: passed + steps + 0.02, bpm: 150, at: engine.frames)
        render(engine, seconds: 3, note)
        let melody = try #require(heard[.melody])
        #expect(melody == heard[.bass])
        #expect(melody.map { $0[1] } == melody.indices.map { $0 % 16 } && melody.count >= 38)
        #expect(numbers == Array(melody.indices))
    }

    @Test("a track without lanes and shape reports no steps of its own")
    func plain() throws {
        var pattern = Pattern()
        pattern[.bass, note: 0, step: 0] = .normal
        pattern[shape: .chords].length = 3
        #expect(try play(pattern, .bass, seconds: 2).steps.isEmpty)
    }
}
