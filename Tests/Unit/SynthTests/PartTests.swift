import Foundation
import Synth
import TestSupport
import Testing

/// A track of a pattern as it waits to play alone.
private struct Part {
    static let steps = 64
    var track: Int
    var length: Int
    var twelfths: Int
    var seed: Int
    /// Cells by note, from the track's lowest, and step.
    var cells: [[UInt64]]
    /// Values by the lane's number, and by step.
    var lanes: [UInt8: [Int: Int]] = [:]
    /// The same of single notes, by their place among `cells`.
    var noteLanes: [Int: [UInt8: [Int: Int]]] = [:]

    init(_ track: Int, using random: inout SplitMix) {
        self.track = track
        length = .random(in: 1...40, using: &random)
        twelfths = [3, 6, 8, 12, 12, 12, 12, 18, 24, 48].randomElement(using: &random) ?? 12
        seed = .random(in: 1...65_535, using: &random)
        cells = (0..<(track == 3 ? 12 : 36)).map { _ in
            (0..<Self.steps).map { _ in
                Int.random(in: 0..<12, using: &random) == 0 ? .random(in: 1...3, using: &random) : 0
            }
        }
        let ranges: [(SynthLaneKind, ClosedRange<Int>)] = [
            (SynthLaneRatchet, 1...8), (SynthLaneShift, -50...50), (SynthLaneGate, 5...400), (SynthLaneChance, 0...100),
            (SynthLaneVelocity, 1...127),
        ]
        for (lane, range) in ranges where Bool.random(using: &random) {
            for step in 0..<Self.steps where Int.random(in: 0..<4, using: &random) == 0 {
                lanes[lane.rawValue, default: [:]][step] = .random(in: range, using: &random)
            }
        }
        for _ in 0..<(Bool.random(using: &random) ? 0 : Int.random(in: 1...16, using: &random)) {
            let note = Int.random(in: cells.indices, using: &random)
            guard let (lane, range) = ranges.randomElement(using: &random) else { continue }
            for step in 0..<Self.steps where Bool.random(using: &random) {
                noteLanes[note, default: [:]][lane.rawValue, default: [:]][step] = .random(in: range, using: &random)
            }
        }
    }

    /// The commands that make it the track of pattern `number`, in place of another part.
    func commands(_ number: Int, at frame: Int) -> [SynthCommand] {
        var commands: [SynthCommand] = []
        for (index, row) in cells.enumerated() {
            let note = index - (track == 3 ? 0 : 12)
            for window in 0..<2 {
                let bits = (0..<32).reduce(UInt64(0)) { $0 | row[32 * window + $1] << UInt64(2 * $1) }
                commands.append(
                    .row(Track.allCases[track], note, window: window, cells: bits, at: frame).of(number))
            }
        }
        for lane in 0..<UInt8(synth_lanes.rawValue) {
            for step in stride(from: 0, to: Self.steps, by: Int(synth_lane_values)) {
                func value(_ offset: Int) -> Int16 {
                    Int16(lanes[lane]?[step + offset] ?? Int(synth_no_value))
                }
                let values = SynthLaneCommand(
                    values: (value(0), value(1), value(2), value(3)), lane: SynthLaneKind(lane), track: UInt8(track),
                    step: UInt8(step), pattern: .init(number: UInt8(number), waiting: false))
                commands.append(SynthCommand(SynthLane, .init(lane: values), at: frame))
            }
        }
        for (note, rows) in noteLanes.sorted(by: { $0.key < $1.key }) {
            for (lane, row) in rows.sorted(by: { $0.key < $1.key }) {
                for step in stride(from: 0, to: Self.steps, by: Int(synth_lane_values)) {
                    func value(_ offset: Int) -> Int16 {
                        Int16(row[step + offset] ?? Int(synth_no_value))
                    }
                    let values = SynthNoteLaneCommand(
                        values: (value(0), value(1), value(2), value(3)), lane: SynthLaneKind(lane),
                        track: UInt8(track), note: Int8(note - (track == 3 ? 0 : 12)), step: UInt8(step),
                        pattern: .init(number: UInt8(number), waiting: false))
                    commands.append(SynthCommand(SynthNoteLane, .init(note_lane: values), at: frame))
                }
            }
        }
        let shape = SynthShapeCommand(
            length: UInt8(length), twelfths: UInt8(twelfths), direction: SynthForward, track: UInt8(track),
            pattern: .init(number: UInt8(number), waiting: false), seed: UInt16(seed))
        return commands + [SynthCommand(SynthShape, .init(shape: shape), at: frame)]
    }

    /// A value of the note at `index`, or of the track where that has none, or if it is nil.
    private func value(_ lane: SynthLaneKind, _ index: Int?, _ step: Int) -> Int? {
        index.flatMap { noteLanes[$0]?[lane.rawValue]?[step] } ?? lanes[lane.rawValue]?[step]
    }

    private func isOwn(_ lane: SynthLaneKind, _ index: Int, _ step: Int) -> Bool {
        noteLanes[index]?[lane.rawValue]?[step] != nil
    }

    /// The places of the notes with hits of their own at `step`.
    private func timed(at step: Int) -> [Int] {
        cells.indices.filter { index in
            (1...2).contains(cells[index][step])
                && [SynthLaneChance, SynthLaneRatchet, SynthLaneShift].contains { isOwn($0, index, step) }
        }
    }

    /// The hits of a step: of the note at `index`, or of all others.
    struct Hits {
        var index: Int?
        var count: Int
        var shift: Int
        var sounds: Bool
        /// Note, velocity, and length in parts of a step.
        var notes: [(note: Int, velocity: Int, parts: Int)]
    }

    /// The hits of `step` in `turn`: of all notes without their own, and of each other note.
    func hits(at step: Int, turn: Int) -> [Hits] {
        let timed = timed(at: step)
        let others = cells.indices.filter { (1...2).contains(cells[$0][step]) && !timed.contains($0) }
        return ([nil] + timed).map { index in
            let count = value(SynthLaneRatchet, index, step) ?? 1
            let notes = (index.map { [$0] } ?? others).map { note($0, step, hits: count) }
            return Hits(
                index: index, count: count, shift: value(SynthLaneShift, index, step) ?? 0,
                sounds: !notes.isEmpty && falls(index, step, turn), notes: notes)
        }
    }

    private func note(_ index: Int, _ step: Int, hits: Int) -> (note: Int, velocity: Int, parts: Int) {
        let perStep = Int(synth_step_parts) / 12 * twelfths
        var run = 1
        while run < length, cells[index][(step + run) % length] == 3 { run += 1 }
        let parts = value(SynthLaneGate, index, step).map { perStep / 100 * $0 / hits } ?? perStep * run
        let velocity = value(SynthLaneVelocity, index, step) ?? (cells[index][step] == 2 ? 127 : 80)
        return (index - (track == 3 ? 0 : 12), velocity, parts)
    }

    /// Whether the chance is met: by SplitMix64's finaliser, of a note with a chance of its own by a later number.
    private func falls(_ index: Int?, _ step: Int, _ turn: Int) -> Bool {
        guard let chance = value(SynthLaneChance, index, step) else { return true }
        var x = UInt64(seed) << 48 &+ UInt64(track) << 44 &+ UInt64(step) << 32 &+ UInt64(turn)
        if let index, isOwn(SynthLaneChance, index, step) { x &+= UInt64(index + 1) &* 0x9e37_79b9_7f4a_7c15 }
        x = (x ^ x >> 30) &* 0xbf58_476d_1ce4_e5b9
        x = (x ^ x >> 27) &* 0x94d0_49bb_1331_11eb
        return ((x ^ x >> 31) >> 32) * 100 < UInt64(chance) << 32
    }
}

/// A note, or the step of a track, on its frame.
private struct Sounded: Hashable, Comparable {
    var frame: Int
    var words: [Int]

    static func < (one: Sounded, other: Sounded) -> Bool {
        (one.frame, one.words.description) < (other.frame, other.words.description)
    }
}

/// The scheduler in exact fractions: a straight step has `rate` · 1500 units, and a sample adds the tempo.
private struct PartModel {
    let rate, tempo, swing: Int

    /// A part that plays.
    struct Playing {
        var part: Part
        /// The step of the line with which it began, or with which the pattern began to which it returned.
        var origin: Int
        /// The step of the line from which on it plays.
        var from: Int
        var isReturning: Bool
    }

    var unit: Int { rate * 1500 }

    /// The place of the line's `step` with its swing.
    func due(_ step: Int) -> Int { step / 2 * 2 * unit + (step % 2 == 1 ? unit / 50 * swing : 0) }

    func frame(_ units: Int) -> Int { (units + tempo - 1) / tempo }

    /// The end of a part.
    struct End {
        /// The step of the line with which another begins.
        var step: Int
        /// The frame from which on the engine knows of it.
        var known: Int
        /// The step of the line with which a further one begins: late hits are forgotten then.
        var silence: Int
    }

    /// The sounds and reports of `playing` until `end`.
    func sounded(_ playing: Playing, until end: End) -> (notes: [Sounded], steps: [Sounded]) {
        let (part, origin) = (playing.part, playing.origin)
        let length = unit / 12 * part.twelfths
        let begin = due(playing.from)
        // The whole places of a track that began with the second step of a pair lie in the pattern's pairs.
        let before = part.twelfths == 12 && !playing.isReturning ? origin % 2 : 0
        let passed = playing.isReturning ? 12 * (playing.from - origin) : 0
        var (notes, steps): ([Sounded], [Sounded]) = ([], [])
        var number = (passed + part.twelfths - 1) / part.twelfths
        // A step begins half its length early at most.
        while 12 * origin + number * part.twelfths < 12 * (end.step + 4) {
            let (step, turn) = (number % part.length, number / part.length)
            let pair = (number + before) / 2 * 2 * length
            let place = (origin - before) * unit + pair + ((number + before) % 2 == 1 ? length / 50 * swing : 0)
            for voice in part.hits(at: step, turn: turn) {
                for hit in 0..<voice.count {
                    let parts = (voice.shift * voice.count + 100 * hit) * length
                    let exact = place + Int((Double(parts) / Double(100 * voice.count)).rounded(.up))
                    let earliest = playing.isReturning ? origin * unit + passed * unit / 12 : begin
                    if hit > 0, exact <= earliest || !voice.sounds { continue }
                    let units = max(begin, exact)
                    let isBehind = 12 * origin + number * part.twelfths >= 12 * end.step
                    if hit == 0, isBehind, frame(units) >= end.known { break }
                    if frame(units) >= frame(due(end.silence)) { continue }
                    if hit == 0, frame(units) < frame(due(end.step)) {
                        let note = voice.index.map { $0 - (part.track == 3 ? 0 : 12) } ?? Int(synth_all_notes)
                        let words = [
                            part.track, step, number * part.twelfths + 12 * origin, voice.sounds ? 1 : 0, note,
                        ]
                        steps.append(Sounded(frame: frame(units), words: words))
                    }
                    guard voice.sounds else { continue }
                    for note in voice.notes {
                        notes.append(
                            Sounded(frame: frame(units), words: [part.track, note.note, note.velocity, note.parts]))
                    }
                }
            }
            number += 1
        }
        return (notes, steps)
    }
}

extension SynthCommand {
    fileprivate static func launch(
        _ tracks: [Int], returning: [Int] = [], tag: Int, after reports: Int, at frame: Int
    ) -> Self {
        func mask(_ tracks: [Int]) -> UInt8 { tracks.reduce(0) { $0 | 1 << UInt8($1) } }
        let change = SynthSwitchTracksCommand(
            tag: UInt32(tag), tracks: mask(tracks), returning: mask(returning),
            reports: UInt8(truncatingIfNeeded: reports))
        return Self(SynthSwitchTracks, .init(switch_tracks: change), at: frame)
    }
}

extension TestEngine {
    fileprivate var launches: [[Int]] {
        reports.filter { $0.kind == SynthReportTracks }.map {
            [Int($0.frame), Int($0.payload.tracks_switch.tag), Int($0.payload.tracks_switch.reports)]
        }
    }
    fileprivate var sounded: [Sounded] {
        reports.filter { $0.kind == SynthReportNote }.map {
            let note = $0.payload.note
            return Sounded(
                frame: Int($0.frame), words: [Int(note.track), Int(note.note), Int(note.velocity), Int(note.length)])
        }
    }
    fileprivate var trackSteps: [Sounded] {
        reports.filter { $0.kind == SynthReportTrackStep }.map {
            let step = $0.payload.track_step
            return Sounded(
                frame: Int($0.frame),
                words: [
                    Int(step.track), Int(step.step), Int(step.position), step.sounds ? 1 : 0, Int(step.note),
                ])
        }
    }
}

@Suite("Tracks that begin alone")
struct PartTests {
    /// Rounds: a night of them if everything is tested.
    private static let count: UInt64 = ProcessInfo.processInfo.environment["PIXELBOOP_WHOLE"] == nil ? 40 : 10_000

    @Test(
        "every note of random parts is on its frame, whenever they are launched, replaced and taken back",
        arguments: 0..<count)
    func exact(round: UInt64) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed &+ round)
        let rate = [44_100, 48_000, 96_000].randomElement(using: &random) ?? 48_000
        let model = PartModel(
            rate: rate, tempo: .random(in: 2000...30_000, using: &random),
            swing: Bool.random(using: &random) ? 50 : .random(in: 50...75, using: &random))
        let length = Int.random(in: 1...40, using: &random)
        let metre = (
            beats: Int.random(in: 1...5, using: &random), steps: [2, 3, 4, 6].randomElement(using: &random) ?? 4
        )
        let engine = try TestEngine(rate: UInt32(rate))
        var playing = (0..<4).map {
            PartModel.Playing(part: Part($0, using: &random), origin: 0, from: 0, isReturning: false)
        }
        engine.post(
            [
                .set(SynthSwing, model.swing),
                SynthCommand(SynthTempo, .init(tempo: .init(tempo: UInt32(model.tempo), pattern: .init()))),
                .length(UInt32(length)), .metre(beats: metre.beats, steps: metre.steps),
            ] + playing.flatMap { $0.part.commands(0, at: 0) } + [.play()])
        var (notes, steps, launches): ([Sounded], [Sounded], [[Int]]) = ([], [], [])
        // The part that has ended, with the step of its end, until the track's next end.
        var ended: [(playing: PartModel.Playing, end: PartModel.End)?] = [nil, nil, nil, nil]
        func add(_ sounded: (notes: [Sounded], steps: [Sounded])) {
            notes += sounded.notes
            steps += sounded.steps
        }
        // The notes are the same without their sound, and much sooner there.
        func play(_ frames: Int, _ block: Int) {
            if round % 10 == 0 { engine.render(frames, block: block) } else { engine.pass(frames, block: block) }
        }
        var (step, rendered) = (0, 0)
        for tag in 1...8 {
            step += .random(in: 1...50, using: &random)
            let asked = Int.random(
                in: model.frame(model.due(step - 1)) + 1...model.frame(model.due(step)), using: &random)
            play(asked - rendered, [7, 64, 256].randomElement(using: &random) ?? 64)
            rendered = asked
            let tracks = (0..<4).filter { _ in Bool.random(using: &random) }
            let returning = tracks.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            let parts = tracks.map { Part($0, using: &random) }
            // Another request before it, which does nothing.
            let before =
                Bool.random(using: &random)
                ? [SynthCommand.launch([0, 1, 2, 3], tag: 99, after: launches.count, at: asked)] : []
            let noLanes = SynthNoLanesCommand(pattern: .init(number: UInt8(synth_parts), waiting: false))
            engine.post(
                [SynthCommand(SynthNoLanes, .init(no_lanes: noLanes), at: asked)]
                    + parts.flatMap { $0.commands(Int(synth_parts), at: asked) } + before
                    + [.launch(tracks, returning: returning, tag: tag, after: launches.count, at: asked)])
            while step % length % (metre.beats * metre.steps) != 0 { step += 1 }
            if tracks.isEmpty { continue }
            launches.append([model.frame(model.due(step)), tag, launches.count + 1])
            for part in parts {
                if var last = ended[part.track] {
                    last.end.silence = step
                    add(model.sounded(last.playing, until: last.end))
                }
                let known = max(asked, model.frame(model.due(step - 1)))
                ended[part.track] = (playing[part.track], PartModel.End(step: step, known: known, silence: step))
                let isReturning = returning.contains(part.track)
                playing[part.track] = PartModel.Playing(
                    part: part, origin: isReturning ? 0 : step, from: step, isReturning: isReturning)
            }
        }
        let end = step + 60
        play(model.frame(model.due(end)) - rendered, 256)
        for (playing, last) in zip(playing, ended) {
            if var last = last {
                last.end.silence = end
                add(model.sounded(last.playing, until: last.end))
            }
            add(model.sounded(playing, until: PartModel.End(step: end + 8, known: .max, silence: end)))
        }
        let last = model.frame(model.due(end))
        let comment: Comment = "PIXELBOOP_SEED=\(seed), round \(round)"
        #expect(engine.launches == launches, comment)
        let (sounded, expected) = (engine.sounded.sorted(), notes.filter { $0.frame < last }.sorted())
        let wrong = zip(sounded, expected).first { $0 != $1 }
        #expect(wrong == nil && sounded.count == expected.count, comment)
        let (begun, expectedSteps) = (engine.trackSteps.sorted(), steps.filter { $0.frame < last }.sorted())
        let wrongStep = zip(begun, expectedSteps).first { $0 != $1 }
        #expect(wrongStep == nil && begun.count == expectedSteps.count, comment)
        #expect(expected.count > 50, comment)
    }

    /// A row of normal notes on all steps.
    private static let full: UInt64 = 0x5555_5555_5555_5555

    @Test("four parts that were launched together begin on one frame, with the bar")
    func together() throws {
        let engine = try TestEngine()
        let parts = Track.allCases.flatMap { track in
            [
                SynthCommand.row(track, 5, cells: Self.full).of(Int(synth_parts)),
                Self.shape(track, length: 3),
            ]
        }
        engine.post([.tempo(200), .length(24), .play()] + parts + [.launch([0, 1, 2, 3], tag: 7, after: 0, at: 3700)])
        engine.render(3600 * 17)
        #expect(engine.launches == [[16 * 3600, 7, 1]])
        #expect(engine.sounded.map(\.frame) == [16 * 3600, 16 * 3600, 16 * 3600, 16 * 3600])
    }

    private static func shape(_ track: Track, length: Int, at frame: Int = 0) -> SynthCommand {
        let shape = SynthShapeCommand(
            length: UInt8(length), twelfths: 12, direction: SynthForward, track: track.rawValue,
            pattern: .init(number: UInt8(synth_parts), waiting: false), seed: 0)
        return SynthCommand(SynthShape, .init(shape: shape), at: frame)
    }

    @Test("a held note of the part before rings to its end, without a cut")
    func held() throws {
        func play(_ more: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post(
                [.row(.melody, 0, [14: .accent, 15: .sustain, 16: .sustain, 17: .sustain]), .length(32), .play()] + more
            )
            return engine.render(32 * 6000)
        }
        let on = try play([])
        let over = try play([Self.shape(.melody, length: 8), .launch([0], tag: 1, after: 0, at: 1)])
        #expect(on == over)
        #expect(peak(over[(17 * 6000)..<(17 * 6000 + 3000)]) > 0.05)
    }

    @Test("parts that wait end by another request, by Stop, and with a tune; not with a scene, after which they begin")
    func withdrawn() throws {
        let part = [SynthCommand.row(.bass, 1, cells: Self.full).of(Int(synth_parts)), Self.shape(.bass, length: 8)]
        let scene = [SynthCommand.tempo(200).of(1), .row(.bass, 2, cells: Self.full).of(1)]
        let more: [[SynthCommand]] = [
            [.launch([], tag: 2, after: 0, at: 20)], [.stop(at: 20), .play(at: 30)],
            [.change(to: 1, endsParts: true, at: 20)], [.change(to: 1, at: 20)],
            // The sender does not know yet what has begun.
            [.launch([2], tag: 3, after: 1, at: 20), .launch([], tag: 4, after: 0, at: 21)],
        ]
        var last: [[Int]] = []
        for more in more {
            let engine = try TestEngine()
            engine.post([.tempo(200), .play()] + part + scene + [.launch([2], tag: 1, after: 0, at: 10)] + more)
            engine.render(3600 * 18)
            last.append(engine.sounded.last.map { [engine.launches.count, $0.words[1]] } ?? [])
        }
        #expect(last == [[], [], [0, 2], [1, 1], []])
    }

    @Test("a request by a sender that does not know of the last begin is ignored")
    func late() throws {
        let engine = try TestEngine()
        engine.post([.tempo(200), .play(), .launch([2], tag: 1, after: 0, at: 10)])
        engine.render(3600 * 17)
        engine.post([.launch([2], tag: 2, after: 0, at: 3600 * 17), .launch([1], tag: 3, after: 1, at: 3600 * 17 + 1)])
        engine.render(3600 * 20)
        #expect(engine.launches == [[16 * 3600, 1, 1], [32 * 3600, 3, 2]])
    }

    @Test("a stopped engine begins no part")
    func stopped() throws {
        let engine = try TestEngine()
        engine.post([.tempo(200), .launch([0], tag: 1, after: 0, at: 5), .play(at: 10)])
        engine.render(3600 * 20)
        #expect(engine.launches.isEmpty)
    }
}
