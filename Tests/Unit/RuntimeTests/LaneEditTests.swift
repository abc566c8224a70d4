import InputEvents
import Instrument
import Runtime
import TestSupport
import Testing

@Suite("Lanes that change while the pattern plays")
struct LaneEditTests {
    /// Notes with their frames, while `edit` changes the pattern after each block.
    private func play(
        _ scenes: [Pattern], seconds: Int = 6, _ edit: (inout Instrument, Int) -> Void
    ) throws -> [[Int]] {
        let engine = try #require(Engine(rate: 48_000))
        var instrument = Instrument()
        instrument.load(Session(Composition(pattern: scenes[0], scenes: Scenes(scenes, current: 0))))
        _ = instrument.update(.key(.playStop), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 480)
        defer { buffer.deallocate() }
        var notes: [[Int]] = []
        for block in 0..<100 * seconds {
            engine.render(into: buffer)
            var isSwitched = false
            engine.takeReports { frame, report in
                switch report {
                case .note(let note, _):
                    notes.append([
                        Int(frame), note.track.rawValue, note.note, note.velocity, Int(note.steps * 1_008_000),
                    ])
                case .switched(.scene(let slot), let tag):
                    if engine.follow(.scene(slot), tag: tag), engine.hearSwitch() {
                        _ = instrument.update(.sceneBegan(slot), at: Instant(milliseconds: Int64(10 * block)))
                        isSwitched = true
                    }
                default: break
                }
            }
            if !isSwitched { edit(&instrument, block) }
            _ = instrument.update(.tick, at: Instant(milliseconds: Int64(10 * block)))
            engine.synchronise(with: instrument.state, [], at: UInt64(480 * (block + 1)))
        }
        return notes.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func tune(_ random: inout SplitMix) -> Pattern {
        var pattern = Pattern()
        pattern.tempo = 170
        for track in Track.allCases {
            for step in 0..<31 where Bool.random(using: &random) {
                pattern[track, note: .random(in: 0...11, using: &random), step: step] = .normal
            }
        }
        return pattern
    }

    @Test("a value at a step without a note changes no other, whenever it is set and removed")
    func idle() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<10 {
            let pattern = Self.tune(&random)
            let still = try play([pattern]) { _, _ in }
            var dice = random
            let edited = try play([pattern]) { instrument, _ in
                guard Int.random(in: 0..<4, using: &dice) == 0 else { return }
                let track = Track.allCases.randomElement(using: &dice) ?? .bass
                let lane = Lane.ofTracks.filter { $0.exists(on: track) }.randomElement(using: &dice) ?? .gate
                instrument.change {
                    let last = $0.lanes[track, lane, step: 31]
                    $0.lanes[track, lane, step: 31] = last == nil ? lane.values.upperBound : nil
                }
            }
            #expect(edited == still, "seed \(seed)")
            random = dice
        }
    }

    /// A lane of step 4, whose place is frame 24,000, the block after which it is removed, and the frames of the notes.
    static let lasts: [(lane: Lane, value: Int, block: Int, frames: [Int])] = [
        // Early: it has sounded, and is not repeated at its place.
        (.shift, -50, 45, [21_000]),
        // Late: it is due at once.
        (.shift, 50, 52, [25_440]),
        // A part of the hits has sounded: the others follow.
        (.ratchet, 4, 52, [24_000, 25_500, 27_000, 28_500]),
    ]

    @Test("a track that loses its last lane plays each note once", arguments: lasts)
    func last(lane: Lane, value: Int, block: Int, frames: [Int]) throws {
        var pattern = Pattern()
        pattern[.melody, note: 0, step: 4] = .normal
        pattern.lanes[.melody, lane, step: 4] = value
        // A lane at another step is set later: nothing of the old one comes back.
        let notes = try play([pattern]) { instrument, now in
            if now == block { instrument.change { $0.lanes[.melody, lane, step: 4] = nil } }
            if now == 90 { instrument.change { $0.lanes[.melody, .ratchet, step: 20] = 2 } }
        }
        let again = 24_000 + 32 * 6000
        #expect(notes.map { $0[0] } == frames + [again])
    }

    @Test("each note sounds once in each pass, whenever its step is shifted and shifted back")
    func shifts() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let (steps, stepFrames) = (8, 6000)
        var pattern = Pattern()
        pattern.length = steps
        // Each step has a note of its own.
        for step in 0..<steps { pattern[.melody, note: step, step: step] = .normal }
        for _ in 0..<20 {
            let edits = Int.random(in: 2...40, using: &random)
            let notes = try play([pattern], seconds: 12) { instrument, _ in
                guard Int.random(in: 0..<edits, using: &random) == 0 else { return }
                let step = Int.random(in: 0..<steps, using: &random)
                let shift = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: -50...50, using: &random) : nil
                let isAll = Int.random(in: 0..<4, using: &random) == 0
                instrument.change {
                    for step in isAll ? 0...steps - 1 : step...step { $0.lanes[.melody, .shift, step: step] = shift }
                }
            }
            // 96 steps; the last ones may come later.
            for step in 0..<steps {
                let frames = notes.filter { $0[2] == step }.map { $0[0] }
                for pass in 0..<11 {
                    let place = (pass * steps + step) * stepFrames
                    // Half a step beside its place, and an edit every 480 frames.
                    let near = frames.filter { abs($0 - place) <= stepFrames / 2 + 480 }
                    #expect(near.count == 1, "seed \(seed): step \(step) of pass \(pass) at \(near)")
                }
            }
        }
    }

    @Test("scenes with lanes follow each other with every note once")
    func scenes() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<5 {
            let patterns = (0..<2).map { _ -> Pattern in
                var pattern = Self.tune(&random)
                pattern.length = 16
                pattern.lanes[.bass, .ratchet, step: 3] = 4
                pattern.lanes[.melody, .shift, step: 15] = 50
                pattern.lanes[.rhythm, .ratchet, step: 15] = 8
                pattern[.rhythm, note: 3, step: 15] = .normal
                pattern[.melody, note: 3, step: 15] = .normal
                return pattern
            }
            let alone = try patterns.map { pattern in try play([pattern], seconds: 12) { _, _ in } }
            let chained = try play(patterns, seconds: 12) { instrument, block in
                if block == 0 { instrument.chain() }
            }
            // Each scene lasts 16 steps of 4235.3 frames.
            for (index, note) in chained.enumerated() {
                let bar = Double(note[0]) * 170 / (48_000 * 15 * 16)
                // A late note of a scene sounds in the next.
                let isFound = [Int(bar), max(0, Int(bar) - 1)].contains { place in
                    let scene = alone[place % 2]
                    return scene.contains { other in
                        abs(other[0] - note[0]) <= 2 && other[1...] == note[1...]
                    }
                }
                #expect(isFound, "seed \(seed), note \(index) at bar \(bar)")
            }
            let bars = 8
            let end = bars * 16 * 48_000 * 15 / 170
            let expected = (0..<bars).reduce(0) { sum, bar in
                let frames = bar * 16 * 48_000 * 15 / 170..<(bar + 1) * 16 * 48_000 * 15 / 170
                return sum + alone[bar % 2].count { frames.contains($0[0] + 1) }
            }
            #expect(abs(chained.count { $0[0] < end } - expected) <= 2, "seed \(seed)")
        }
    }
}

extension Instrument {
    /// Changes the pattern as an opened one would.
    fileprivate mutating func change(_ edit: (inout Pattern) -> Void) {
        var session = state.session
        edit(&session.composition.pattern)
        _ = update(.opened(session), at: Instant(milliseconds: 1))
    }

    fileprivate mutating func chain() {
        var session = state.session
        session.sceneMode = .chain
        _ = update(.opened(session), at: Instant(milliseconds: 1))
    }
}
