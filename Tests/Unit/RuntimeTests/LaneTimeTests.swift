import Foundation
import InputEvents
import Instrument
import Runtime
import TestSupport
import Testing

/// A note as the sequencer should start it, in exact fractions.
private struct Due: Hashable, Comparable, CustomStringConvertible {
    var frame: Int
    var track: Track
    var note: Int
    var velocity: Int
    var step: Int
    /// In 1/1008000 of a step.
    var length: Int

    static func < (one: Due, other: Due) -> Bool { one.key.lexicographicallyPrecedes(other.key) }
    private var key: [Int] { [frame, track.rawValue, note, velocity, step, length] }
    var description: String {
        "\(track) \(note) at frame \(frame), step \(step): velocity \(velocity), length \(Double(length) / 1_008_000)"
    }
}

/// A number of steps, as an exact fraction.
private struct Steps {
    var numerator: Int
    var denominator: Int

    init(_ numerator: Int, over denominator: Int = 1) { (self.numerator, self.denominator) = (numerator, denominator) }

    static func + (one: Steps, other: Steps) -> Steps {
        Steps(
            one.numerator * other.denominator + other.numerator * one.denominator,
            over: one.denominator * other.denominator)
    }
    static func * (one: Steps, other: Steps) -> Steps {
        Steps(one.numerator * other.numerator, over: one.denominator * other.denominator)
    }

    /// The first frame not before, and not before the beginning.
    func frame(rate: Int, _ tempo: Tempo) -> Int {
        let (dividend, divisor) = (numerator * rate * 1500, denominator * tempo.hundredths)
        return dividend <= 0 ? 0 : (dividend + divisor - 1) / divisor
    }
}

/// The order of a pattern's notes, by the definitions of docs/spec.md, section 12, alone.
private struct Scheduler {
    let pattern: Pattern
    let swing: Int
    let rate: Int

    /// Where the step `number` of a track begins whose steps are `division` long.
    private func place(_ number: Int, _ division: Steps) -> Steps {
        let pair = Steps(number / 2 * 2) * division
        return number % 2 == 0 ? pair : pair + Steps(2 * swing, over: 100) * division
    }

    /// The die of a step, or of one `note` of it: its own place from 1 later in the order of SplitMix64.
    private func die(_ track: Track, _ step: Int, _ turn: Int, _ note: Int? = nil) -> UInt64 {
        var x = UInt64(pattern.seed) << 48 + UInt64(track.rawValue) << 44 + UInt64(step) << 32 + UInt64(turn)
        if let note { for _ in track.notes.lowerBound...note { x &+= 0x9e37_79b9_7f4a_7c15 } }
        x = (x ^ x >> 30) &* 0xbf58_476d_1ce4_e5b9
        x = (x ^ x >> 27) &* 0x94d0_49bb_1331_11eb
        return x ^ x >> 31
    }

    /// The step of the cells that sounds as the step `number` of `track`, and the turn to which it belongs.
    private func sounding(_ number: Int, _ track: Track) -> (step: Int, turn: Int) {
        let length = pattern.length(of: track)
        switch pattern[shape: track].direction {
        case .forward: return (number % length, number / length)
        case .back: return (length - 1 - number % length, number / length)
        case .pendulum:
            let order = Array(0..<length) + (length > 2 ? Array((1..<(length - 1)).reversed()) : [])
            return (order[number % order.count], number / order.count)
        case .random:
            let turn = number / length
            return (Int(die(track, number % length, turn) % UInt64(length)), turn)
        }
    }

    private func run(_ track: Track, _ note: Int, _ step: Int) -> Int {
        let length = pattern.length(of: track)
        var count = 1
        while count < length, pattern[track, note: note, step: (step + count) % length] == .sustain { count += 1 }
        return count
    }

    /// The notes that begin before `frames`.
    func notes(before frames: Int) -> [Due] {
        var starts: [Int] = []
        while starts.last ?? 0 < frames {
            starts.append(place(starts.count, Steps(1)).frame(rate: rate, pattern.tempo))
        }
        var found: [Due] = []
        for track in Track.allCases { found += notes(of: track, before: frames, starts) }
        return found.sorted()
    }

    private func notes(of track: Track, before frames: Int, _ starts: [Int]) -> [Due] {
        let fraction = pattern[shape: track].division.fraction
        let division = Steps(fraction.numerator, over: fraction.denominator)
        func isTimed(_ note: Int, _ step: Int) -> Bool {
            [Lane.chance, .when, .ratchet, .shift].contains { pattern.lanes[track, $0, note: note, step: step] != nil }
        }
        /// The value of a note, or of the track where it has none, or if it is nil.
        func value(_ lane: Lane, _ note: Int?, _ step: Int) -> Int? {
            note.flatMap { lane.isOfNotes ? pattern.lanes[track, lane, note: $0, step: step] : nil }
                ?? pattern.lanes[track, lane, step: step]
        }
        func frame(_ number: Int, _ step: Int, _ note: Int?, hit: Int) -> Int {
            let hits = value(.ratchet, note, step) ?? 1
            let late = Steps(value(.shift, note, step) ?? 0, over: 100) + Steps(hit, over: hits)
            return (place(number, division) + late * division).frame(rate: rate, pattern.tempo)
        }
        // The order of decisions is the order of the first hits: of all notes without their own, then of each other.
        var order: [(frame: Int, number: Int, note: Int?, notes: [Int])] = []
        for number in 0...(starts.count * fraction.denominator / fraction.numerator + 2) {
            let step = sounding(number, track).step
            let notes = track.notes.filter { [.normal, .accent].contains(pattern[track, note: $0, step: step]) }
            let others = notes.filter { !isTimed($0, step) }
            if !others.isEmpty { order.append((frame(number, step, nil, hit: 0), number, nil, others)) }
            for note in notes where isTimed(note, step) {
                order.append((frame(number, step, note, hit: 0), number, note, [note]))
            }
        }
        order.sort { ($0.frame, $0.number, $0.note ?? -99) < ($1.frame, $1.number, $1.note ?? -99) }
        var (wasMet, wereMet, decided): (Bool, [Int: Bool], [Int: Bool]) = (false, [:], [:])
        var found: [Due] = []
        for (_, number, note, notes) in order {
            let (step, turn) = sounding(number, track)
            func isMet(_ condition: StepCondition, _ last: Bool) -> Bool {
                switch condition {
                case .every(let place, let turns): turn % turns == place - 1
                case .first: turn == 0
                case .notFirst: turn > 0
                case .fill: false
                case .notFill: true
                case .previous: last
                case .notPrevious: !last
                }
            }
            func condition(_ code: Int?) -> StepCondition? { code.flatMap(StepCondition.init(code:)) }
            if let note, let own = condition(pattern.lanes[track, .when, note: note, step: step]) {
                wereMet[note] = isMet(own, wereMet[note] ?? false)
                if wereMet[note] == false { continue }
            } else if let common = condition(pattern.lanes[track, .when, step: step]) {
                if decided[number] == nil {
                    wasMet = isMet(common, wasMet)
                    decided[number] = wasMet
                }
                if decided[number] == false { continue }
            }
            if let chance = value(.chance, note, step) {
                let own = note.flatMap { pattern.lanes[track, .chance, note: $0, step: step] == nil ? nil : $0 }
                if die(track, step, turn, own) >> 32 * 100 >= UInt64(chance) << 32 { continue }
            }
            let hits = value(.ratchet, note, step) ?? 1
            for hit in 0..<hits {
                let frame = frame(number, step, note, hit: hit)
                if frame >= frames { break }
                // The first hit is there already.
                if hit > 0, frame == 0 { continue }
                for note in notes {
                    let cell = pattern[track, note: note, step: step] == .accent ? 127 : 80
                    let whole = value(.velocity, note, step) ?? cell
                    let ramp = value(.ramp, note, step) ?? 0
                    let share = ramp > 0 ? hit + 1 : hits - hit
                    let velocity = ramp == 0 ? whole : max(1, (whole * share * 2 + hits) / (2 * hits))
                    let steps =
                        value(.gate, note, step).map { Steps($0, over: 100 * hits) * division }
                        ?? Steps(run(track, note, step)) * division
                    found.append(
                        Due(
                            frame: frame, track: track, note: note, velocity: velocity,
                            step: ((starts.lastIndex { $0 <= frame }) ?? 0) % pattern.length,
                            length: steps.numerator * 1_008_000 / steps.denominator))
                }
            }
        }
        return found
    }
}

/// A note as files have it.
private struct FiledNote {
    var track: Track
    var note: Int
    var velocity: Int
    var begin: StepFraction
    var length: StepFraction

    /// Its frame, track, note, velocity and length.
    func due(rate: Int, _ tempo: Tempo) -> [Int] {
        let place = Steps(begin.parts, over: begin.perStep)
        return [
            place.frame(rate: rate, tempo), track.rawValue, note, velocity,
            length.parts * 1_008_000 / length.perStep,
        ]
    }
}

@Suite("Lanes, divisions and directions on the sample")
struct LaneTimeTests {
    /// Patterns that are compared: a night of them if everything is tested.
    private static let count = ProcessInfo.processInfo.environment["PIXELBOOP_WHOLE"] == nil ? 400 : 10_000

    /// A pattern in which every lane and shape may occur.
    static func pattern(using random: inout SplitMix) -> Pattern {
        var pattern = Pattern()
        pattern.tempo = Tempo(hundredths: .random(in: 15000...30000, using: &random))
        // Every fourth has several windows of steps.
        let span = Int.random(in: 0..<4, using: &random) == 0 ? Pattern.steps : Pattern.window
        pattern.length =
            span == Pattern.window ? 4 * .random(in: 2...8, using: &random) : .random(in: 1...span, using: &random)
        pattern.seed = .random(in: Pattern.seeds, using: &random)
        for track in Track.allCases {
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let cell = [Cell.normal, .accent, .sustain].randomElement(using: &random) ?? .normal
                pattern[
                    track, note: .random(in: track.notes, using: &random),
                    step: .random(in: 0..<span, using: &random)] = cell
            }
            if Bool.random(using: &random) {
                pattern[shape: track].length = .random(in: 1...span, using: &random)
            }
            if Bool.random(using: &random) {
                pattern[shape: track].division = TrackShape.Division.allCases.randomElement(using: &random) ?? .whole
            }
            if Bool.random(using: &random) {
                pattern[shape: track].direction =
                    TrackShape.Direction.allCases.randomElement(using: &random) ?? .forward
            }
            for lane in Lane.ofTracks where Int.random(in: 0..<3, using: &random) == 0 && lane.exists(on: track) {
                for _ in 0..<Int.random(in: 1...16, using: &random) {
                    pattern.lanes[track, lane, step: .random(in: 0..<span, using: &random)] =
                        .random(in: lane.values, using: &random)
                }
            }
        }
        if Bool.random(using: &random) { addNoteValues(to: &pattern, span, using: &random) }
        return pattern
    }

    /// Gives notes values of their own, most of them where they begin.
    private static func addNoteValues(to pattern: inout Pattern, _ span: Int, using random: inout SplitMix) {
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let track = Track.allCases.randomElement(using: &random) ?? .bass
            let all = track.notes.filter { note in
                (0..<span).contains { pattern[track, note: note, step: $0] != .empty }
            }
            let note = all.randomElement(using: &random) ?? .random(in: track.notes, using: &random)
            let lane = Lane.ofNotes.randomElement(using: &random) ?? .velocity
            let starts = (0..<span).filter { [.normal, .accent].contains(pattern[track, note: note, step: $0]) }
            for step in starts + [.random(in: 0..<span, using: &random)] where Bool.random(using: &random) {
                pattern.setValue(
                    .random(in: lane.values, using: &random), track, lane, note: note, step: step)
            }
        }
    }

    @Test("every note begins on the frame that the definitions give, at any block size")
    func frames() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var compared = 0
        for number in 0..<Self.count {
            let pattern = Self.pattern(using: &random)
            let swing = Bool.random(using: &random) ? 50 : Int.random(in: 50...75, using: &random)
            let rate = [44_100, 48_000, 96_000][number % 16 == 0 ? 2 : number % 2]
            let frames = rate * 3
            let expected = Scheduler(pattern: pattern, swing: swing, rate: rate).notes(before: frames)
            let found = try Self.play(pattern, swing: swing, rate: rate, frames: frames, using: &random)
            compared += found.count
            // Files have the same notes.
            let filed = Track.allCases.flatMap { track in
                pattern.hitNotes(of: track, swing: swing, steps: 64).map {
                    FiledNote(track: track, note: $0.note, velocity: $0.velocity, begin: $0.begin, length: $0.length)
                }
            }
            let files = filed.map { $0.due(rate: rate, pattern.tempo) }.filter { $0[0] < frames }
            #expect(
                files.sorted { $0.lexicographicallyPrecedes($1) }
                    == expected.map { [$0.frame, $0.track.rawValue, $0.note, $0.velocity, $0.length] }
                    .sorted { $0.lexicographicallyPrecedes($1) }, "seed \(seed), pattern \(number)")
            if found == expected { continue }
            let wrong = zip(found, expected).first { $0 != $1 }
            Issue.record(
                """
                seed \(seed), pattern \(number): \(found.count) notes, should be \(expected.count); the first that differs is \
                \(wrong.map { "\($0)" } ?? "none"), should be \(wrong.map { "\($1)" } ?? "none")
                """)
            return
        }
        #expect(compared > 10 * Self.count, "seed \(seed)")
    }

    @Test(
        "each note that is sent ends: where its lane says, before it begins again, or at Stop",
        arguments: 1...20 as ClosedRange<UInt64>)
    func midi(number: UInt64) throws {
        var random = SplitMix(seed: number)
        let pattern = Self.pattern(using: &random)
        let engine = try #require(Engine(rate: 48_000))
        var instrument = Instrument()
        instrument.load(Session(Composition(pattern: pattern)))
        var sender = MIDISender()
        var held: [[UInt8]: (frame: Int, steps: Double)] = [:]
        var (sent, ended) = (0, 0)
        var lengths: [[UInt8]: Double] = [:]
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 480)
        defer { buffer.deallocate() }
        engine.transmit(at: 0)
        _ = instrument.update(.key(.playStop), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)
        for block in 0..<600 {
            if block == 550 {
                _ = instrument.update(.key(.playStop), at: Instant(milliseconds: 5500))
                engine.synchronise(with: instrument.state, [], at: UInt64(block * 480))
            }
            engine.render(into: buffer)
            engine.takeReports { frame, report in
                if case .note(let note, _) = report {
                    let key: [UInt8] = [UInt8(note.track.midiChannel), UInt8(note.track.midiKey(of: note.note))]
                    lengths[key] = note.reportsEnd ? note.steps : nil
                }
                sender.handle(report, at: frame) { message in
                    guard message.bytes[0] & 0xe0 == 0x80 else { return }
                    let key = [message.bytes[0] & 0x0f, message.bytes[1]]
                    if message.bytes[0] & 0x10 != 0 {
                        #expect(held[key] == nil, "pattern \(number): \(key) begins twice")
                        held[key] = (Int(message.frame), lengths[key] ?? 0)
                        sent += 1
                    } else if let begun = held.removeValue(forKey: key), begun.steps > 0 {
                        let frames = Int(message.frame) - begun.frame
                        let whole = begun.steps * 48_000 * 15 / pattern.tempo.bpm
                        #expect(Double(frames) < whole + 2, "pattern \(number): \(key) is held for \(frames) frames")
                        if abs(Double(frames) - whole) <= 2 { ended += 1 }
                    }
                }
            }
        }
        #expect(held.isEmpty, "pattern \(number)")
        #expect(sent == 0 || ended > 0 || lengths.isEmpty, "pattern \(number)")
    }

    @Test("dice fall evenly over steps, turns and tracks")
    func dice() throws {
        var pattern = Pattern()
        pattern.seed = 4711
        for track in Track.allCases {
            for step in 0..<32 {
                pattern[track, note: 0, step: step] = .normal
                pattern.lanes[track, .chance, step: step] = 35
            }
        }
        let turns = 500
        var (square, all) = (0.0, 0)
        for track in Track.allCases {
            var counts = [Int](repeating: 0, count: 32)
            for note in pattern.hitNotes(of: track, swing: 50, steps: 32 * turns) {
                counts[note.begin.parts / note.begin.perStep % 32] += 1
            }
            for count in counts {
                let expected = 0.35 * Double(turns)
                square += (Double(count) - expected) * (Double(count) - expected) / (expected * 0.65)
                all += count
            }
        }
        // 128 degrees of freedom: 99.9 % lie below 181, 0.1 % below 84.
        #expect(square > 84 && square < 181)
        #expect(abs(Double(all) / Double(128 * turns) - 0.35) < 0.006)
    }

    /// The notes that the engine starts.
    private static func play(
        _ pattern: Pattern, swing: Int, rate: Int, frames: Int, using random: inout SplitMix
    ) throws -> [Due] {
        let engine = try #require(Engine(rate: rate))
        var session = Session(Composition(pattern: pattern))
        session.sound[.swing] = swing
        var instrument = Instrument()
        instrument.load(session)
        _ = instrument.update(.key(.playStop), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 4096)
        defer { buffer.deallocate() }
        var found: [Due] = []
        var done = 0
        while done < frames {
            let count = min(frames - done, [1, 64, 113, 1024, 4096].randomElement(using: &random) ?? 64)
            engine.render(into: UnsafeMutableBufferPointer(rebasing: buffer[..<(2 * count)]))
            done += count
            engine.takeReports { frame, report in
                guard case .note(let note, let step) = report else { return }
                found.append(
                    Due(
                        frame: Int(frame), track: note.track, note: note.note, velocity: note.velocity, step: step,
                        length: Int((note.steps * 1_008_000).rounded())))
            }
        }
        return found.sorted()
    }
}
