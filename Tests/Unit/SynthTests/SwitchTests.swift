import Synth
import TestSupport
import Testing

/// A random pattern: an accent of the melody at its step 0, and random notes.
struct Tune {
    /// In hundredths of a beat per minute.
    var tempo: Int
    var length: Int
    /// Cells by track and note, 48 rows.
    var rows: [UInt64]

    init(tempo: Int, length: Int, density: Int = 1, using random: inout SplitMix) {
        self.tempo = tempo
        self.length = length
        rows = (0..<48).map { _ in
            (0..<density).reduce(random.next()) { cells, _ in cells & random.next() }
        }
        rows[0] |= 2
    }

    func cell(_ row: Int, _ step: Int) -> Int { Int(rows[row] >> UInt64(2 * step) & 3) }

    /// The commands that set it as pattern `number` of an engine.
    func commands(_ number: Int, isWaiting: Bool = false, at frame: Int = 0) -> [SynthCommand] {
        var commands: [SynthCommand] = [.tempo(hundredths: tempo, at: frame), .length(UInt32(length), at: frame)]
        for (index, cells) in rows.enumerated() {
            let track = Track(rawValue: UInt8(index / 12)) ?? .melody
            commands.append(.row(track, index % 12, cells: cells, at: frame))
        }
        return commands.map { $0.of(number, isWaiting: isWaiting) }
    }

    /// The notes that start at `step`: row, velocity and length.
    func notes(at step: Int) -> [[Int]] {
        (0..<48).compactMap { row in
            let velocity = cell(row, step)
            guard velocity == 1 || velocity == 2 else { return nil }
            var run = 1
            while run < length, cell(row, (step + run) % length) == 3 { run += 1 }
            return [row, velocity == 2 ? 127 : 80, run]
        }
    }
}

extension SynthCommand {
    static func change(
        to number: Int, tag: Int = 0, atEnd: Bool = false, passes: Int = 0, bar: Int = 16, isWaiting: Bool = false,
        endsParts: Bool = false, at frame: Int
    ) -> Self {
        let pattern = SynthPatternNumber(number: UInt8(number), waiting: isWaiting)
        if atEnd {
            let change = SynthSwitchAtEndCommand(
                passes: UInt64(passes), tag: UInt16(tag), pattern: pattern, ends_parts: endsParts)
            return Self(SynthSwitchAtEnd, .init(switch_at_end: change), at: frame)
        }
        let change = SynthSwitchAtBarCommand(
            tag: UInt16(tag), steps: UInt8(bar), pattern: pattern, ends_parts: endsParts)
        return Self(SynthSwitchAtBar, .init(switch_at_bar: change), at: frame)
    }

    static func stay(at frame: Int) -> Self { Self(SynthStay, at: frame) }
}

extension TestEngine {
    var switches: [(frame: UInt64, tag: UInt16)] {
        reports.filter { $0.kind == SynthReportSwitch }.map { ($0.frame, $0.payload.pattern_switch.tag) }
    }
    /// Notes as row, velocity and length, with their frames.
    var started: [(frame: Int, step: Int, note: [Int])] {
        notes.map {
            (Int($0.frame), Int($0.step), [12 * Int($0.track) + Int($0.note), Int($0.velocity), Int($0.steps)])
        }
    }
}

/// The sequencer in exact fractions: a sample advances `tempo` of the `rate` · 1500 units of a straight step.
struct SequenceModel {
    let rate: Int
    var swing = 50
    private(set) var pattern: Tune
    private(set) var step = -1
    /// Ends of the pattern so far.
    private var passes = 0
    private var isFirstOfPair = true
    /// Units by which the next step is due before its frame, which is an integer.
    private var units = 0
    private var frame: Int

    init(_ pattern: Tune, rate: Int, at frame: Int) {
        self.rate = rate
        self.pattern = pattern
        self.frame = frame
    }

    /// The frame on which the next step begins.
    var nextFrame: Int { frame }

    /// Whether a queued pattern begins at the next step: at an end after so many passes only, or at each bar.
    func isBorder(atEnd: Bool, passes: Int = 0) -> Bool {
        let next = step + 1 < pattern.length ? step + 1 : 0
        return atEnd ? next == 0 && step >= 0 && self.passes + 1 >= passes : next % 16 == 0
    }

    /// Advances to the next step, which is the first of `other` if given; returns its notes.
    mutating func advance(to other: Tune? = nil) -> (frame: Int, step: Int, notes: [[Int]]) {
        if let other {
            // The step was due this part of a sample earlier, and that part has the same length in the new tempo.
            units = units * other.tempo / pattern.tempo
            pattern = other
            step = 0
            passes = 0
            isFirstOfPair = true
        } else {
            if step + 1 >= pattern.length { passes += 1 }
            step = step + 1 < pattern.length ? step + 1 : 0
        }
        let begun = (frame, step, pattern.notes(at: step))
        let pair = 2 * rate * 1500
        let long = rate * 1500 / 50 * swing
        let left = (isFirstOfPair ? long : pair - long) - units
        let count = (left + pattern.tempo - 1) / pattern.tempo
        units = count * pattern.tempo - left
        frame += count
        isFirstOfPair.toggle()
        return begun
    }
}

@Suite("Switching patterns")
struct SwitchTests {
    @Test(
        "the new pattern begins on the exact sample of the bar or of an end, without lost or double notes, at any tempo, length, swing and block",
        arguments: 1...24 as ClosedRange<UInt64>)
    func exact(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let rates = [44100, 48000, 96000]
        let rate = rates[Int(seed) % 3]
        let blocks = [1, 7, 64, 128, 333, 512]
        let engine = try TestEngine(rate: UInt32(rate))
        let swing = seed % 2 == 0 ? 50 : Int.random(in: 50...75, using: &random)
        func tune() -> Tune {
            Tune(
                tempo: .random(in: 2000...30000, using: &random), length: .random(in: 8...32, using: &random),
                using: &random)
        }
        var playing = 0
        var model = SequenceModel(tune(), rate: rate, at: 0)
        model.swing = swing
        let begin = Int.random(in: 0...999, using: &random)
        model = SequenceModel(model.pattern, rate: rate, at: begin)
        model.swing = swing
        engine.post([.set(SynthSwing, swing)] + model.pattern.commands(0) + [.play(at: begin)])
        var expected: [(frame: Int, step: Int, notes: [[Int]])] = []
        var expectedSwitches: [[Int]] = []
        var now = 0
        for number in 1...6 {
            // Some steps, and then the next pattern is requested, anywhere within a step.
            for _ in 0..<Int.random(in: 1...20, using: &random) { expected.append(model.advance()) }
            let last = expected.last?.frame ?? 0
            let asked = Int.random(in: last + 1...model.nextFrame, using: &random)
            let next = tune()
            let atEnd = Bool.random(using: &random)
            let passes = Int.random(in: 0...4, using: &random)
            engine.post(
                next.commands(1 - playing, at: asked)
                    + [.change(to: 1 - playing, tag: number, atEnd: atEnd, passes: passes, at: asked)])
            while !model.isBorder(atEnd: atEnd, passes: passes) { expected.append(model.advance()) }
            expectedSwitches.append([model.nextFrame, number])
            expected.append(model.advance(to: next))
            playing = 1 - playing
            // Up to some samples past the switch, with blocks of all sizes before it.
            let end = (expected.last?.frame ?? 0) + 1
            while now < end {
                let count = min(end - now, Int.random(in: 1...5000, using: &random))
                engine.render(count, block: blocks.randomElement(using: &random) ?? 1)
                now += count
            }
        }
        let steps = engine.steps.map { [Int($0.frame), Int($0.step)] }
        let wrong = zip(steps, expected).first { $0 != [$1.frame, $1.step] }
        #expect(wrong == nil && steps.count == expected.count, "seed \(seed)")
        #expect(engine.switches.map { [Int($0.frame), Int($0.tag)] } == expectedSwitches, "seed \(seed)")
        let notes = expected.flatMap { begun in begun.notes.map { [begun.frame, begun.step] + $0 } }
        let started = engine.started.map { [$0.frame, $0.step] + $0.note }
        let wrongNote = zip(started, notes).first { $0 != $1 }
        #expect(wrongNote == nil && started.count == notes.count, "seed \(seed)")
        #expect(notes.count > 100)
    }

    @Test(
        "after the old notes have ended, the sound equals that of an engine that played only the new pattern",
        arguments: [(60, 200), (120, 60), (200, 75), (96, 96), (125, 160)])
    func sound(before: Int, after: Int) throws {
        // All have whole samples per step, so that the fresh engine has no fraction of a sample to compensate.
        var random = SplitMix(seed: UInt64(before))
        var old = Tune(tempo: 100 * before, length: 8, using: &random)
        old.rows = old.rows.map { $0 & 0xffff }
        var new = Tune(tempo: 100 * after, length: 32, density: 2, using: &random)
        // The new pattern is silent until the old one has decayed. Drums are left out: the noise of each hit differs.
        for row in new.rows.indices { new.rows[row] &= row < 36 ? ~0 << 40 : 0 }
        let step = 48000 * 15 / before
        let border = 8 * step
        let switched = try TestEngine()
        switched.post(old.commands(0) + [.play()])
        switched.post(new.commands(1, at: 100) + [.change(to: 1, at: 100)])
        let fresh = try TestEngine()
        fresh.post(new.commands(0) + [.play(at: border)])
        let frames = border + 40 * (48000 * 15 / after)
        let (one, other) = (switched.render(frames), fresh.render(frames, block: 77))
        #expect(switched.switches.map { Int($0.frame) } == [border])
        // 20 steps of the new pattern are silent; the old one's last note and its tail end within them.
        let from = border + 20 * (48000 * 15 / after)
        #expect(peak(one[(border - 4000)..<border]) > 0.01)
        let tail = one[(from - 200)..<from]
        #expect(peak(tail) == 0)
        #expect(peak(one[from...]) > 0.05)
        let difference = (from..<frames).first { one[$0] != other[$0] }
        #expect(difference == nil)
    }

    @Test(
        "a switch waits for the passes since Play or the last switch; asked for too late it takes the next end",
        arguments: [
            (1, 100, 1), (3, 100, 3), (8, 100, 8), (0, 100, 1), (3, 2 * 8 * 3600 + 5, 3), (2, 5 * 8 * 3600 + 5, 6),
        ])
    func passes(wanted: Int, asked: Int, passed: Int) throws {
        let engine = try TestEngine()
        let setUp: [SynthCommand] = [.tempo(200), .length(8), .tempo(200).of(1), .length(16).of(1)]
        engine.post(setUp + [.play(), .change(to: 1, tag: 1, atEnd: true, passes: wanted, at: asked)])
        let border = passed * 8 * 3600
        engine.render(border + 100)
        // The passes of the other pattern count from its begin, and a newer request replaces one that waits.
        engine.post([.change(to: 0, tag: 2, atEnd: true, passes: 4, at: border + 100)])
        engine.render(16 * 3600)
        engine.post([.change(to: 0, tag: 3, atEnd: true, passes: 2, at: border + 100 + 16 * 3600)])
        engine.render(40 * 3600)
        #expect(engine.switches.map { [Int($0.frame), Int($0.tag)] } == [[border, 1], [border + 2 * 16 * 3600, 3]])
    }

    @Test("a held note of the old pattern rings to its end, without a cut")
    func held() throws {
        func play(_ more: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            // The run that starts at step 7 wraps around the end.
            engine.post(
                [.row(.melody, 0, [7: .accent, 0: .sustain, 1: .sustain, 2: .sustain]), .length(8), .play()] + more)
            return engine.render(8 * 6000 + 3 * 6000)
        }
        let on = try play([])
        let over = try play([.length(16).of(1), .change(to: 1, at: 1)])
        #expect(on.indices.allSatisfy { on[$0] == over[$0] })
        #expect(peak(over[(9 * 6000)..<(9 * 6000 + 3000)]) > 0.05)
    }

    @Test("a queued pattern is cancelled by staying, by naming the playing one, and by Stop")
    func withdrawn() throws {
        var random = SplitMix(seed: 5)
        let (one, two) = (
            Tune(tempo: 20000, length: 8, using: &random), Tune(tempo: 20000, length: 8, using: &random)
        )
        for take in 0..<3 {
            let engine = try TestEngine()
            let withdrawal: [SynthCommand] =
                [[.stay(at: 5000)], [.change(to: 0, at: 5000)], [.stop(at: 5000), .play(at: 6000)]][take]
            engine.post(one.commands(0) + two.commands(1) + [.play(), .change(to: 1, at: 10)] + withdrawal)
            engine.render(3600 * 20)
            #expect(engine.switches.isEmpty)
            let notes = engine.started.filter { $0.step == 3 }.map(\.note)
            // Step 3 comes three times in 20 steps; twice if the first is cut short at its second step.
            #expect(notes == Array(repeating: one.notes(at: 3), count: take == 2 ? 2 : 3).flatMap { $0 })
        }
    }

    @Test("a pattern requested while stopped plays from the next Play on, unreported, in its own tempo")
    func stopped() throws {
        var random = SplitMix(seed: 6)
        let (one, two) = (
            Tune(tempo: 20000, length: 8, using: &random), Tune(tempo: 10000, length: 12, using: &random)
        )
        let engine = try TestEngine()
        engine.post(one.commands(0) + two.commands(1) + [.change(to: 1, at: 10), .play(at: 100)])
        engine.render(100 + 7200 * 13)
        #expect(engine.switches.isEmpty)
        #expect(engine.steps.map { Int($0.frame) } == (0...13).map { 100 + 7200 * $0 }.filter { $0 < 100 + 7200 * 13 })
        #expect(engine.steps.last?.step == .some(0))
    }

    static let countIns: [(atEnd: Bool, frame: Int)] = [(false, 4 * 4 * 3600), (true, (4 * 4 + 8) * 3600)]

    @Test(
        "a pattern queued during the count-in begins with step 0; chained, it waits for the end of the first loop",
        arguments: countIns)
    func countIn(atEnd: Bool, frame: Int) throws {
        let engine = try TestEngine()
        engine.post([
            .tempo(200), .length(8), .tempo(200).of(1), .play(after: 4),
            .change(to: 1, atEnd: atEnd, at: 1000),
        ])
        engine.render(3600 * 30)
        #expect(engine.switches.map { Int($0.frame) } == [frame])
    }

    @Test("the new pattern begins a bar of the metronome")
    func metronome() throws {
        // The old pattern has 10 steps: its bar's click would be at step 16; the new one's is at its start.
        func clicks(_ more: [SynthCommand]) throws -> [Float] {
            let engine = try TestEngine()
            engine.post([.tempo(200), .length(10), .tempo(200).of(1), .metronome(true), .play()] + more)
            return engine.render(3600 * 15)
        }
        let start = try clicks([])[..<2000]
        let switched = try clicks([.change(to: 1, at: 1)])
        #expect(start.indices.allSatisfy { start[$0] == switched[36000 + $0] })
        #expect(peak(switched[(12 * 3600)..<(12 * 3600 + 2000)]) == 0)
    }

    @Test("a report without space is delivered when there is some")
    func lostReport() throws {
        let engine = try TestEngine()
        var random = SplitMix(seed: 8)
        // 48 notes a step fill the ring of reports long before the switch.
        var dense = Tune(tempo: 20000, length: 8, using: &random)
        dense.rows = dense.rows.map { _ in 0x5555_5555_5555_5555 }
        engine.post(dense.commands(0) + dense.commands(1) + [.play()])
        engine.skip(3600 * 100)
        engine.post([.change(to: 1, tag: 9, at: 3600 * 100)])
        engine.skip(3600 * 20)
        engine.render(3600 * 2)
        #expect(engine.counters.reports_lost > 0)
        #expect(engine.switches.map { Int($0.tag) } == [9])
        #expect(engine.switches.first?.frame == .some(UInt64(3600 * 104)))
    }

    @Test(
        "the new pattern gets only its own edits, even with many edits around the switch",
        arguments: 1...40 as ClosedRange<UInt64>)
    func edits(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let engine = try TestEngine()
        var plan = (
            Tune(tempo: 20000, length: 8, density: 2, using: &random),
            Tune(tempo: 20000, length: 8, density: 2, using: &random)
        )
        engine.post(plan.0.commands(0) + plan.1.commands(1, isWaiting: true) + [.play(), .change(to: 1, at: 1)])
        let border = 8 * 3600
        // Around the border: edits of the playing pattern, which belong to pattern 0, and attempts to change the
        // waiting one, which count only until it plays. They keep their order; some arrive late.
        var (rendered, frame) = (0, border - 3000)
        while frame < border + 3000 {
            frame += Int.random(in: 1...150, using: &random)
            let row = Int.random(in: 0..<48, using: &random)
            let cells = random.next() & random.next()
            let track = Track(rawValue: UInt8(row / 12)) ?? .melody
            let command = SynthCommand.row(track, row % 12, cells: cells, at: frame)
            let late = Bool.random(using: &random) ? Int.random(in: 0...200, using: &random) : 0
            if frame + late > rendered {
                engine.render(frame + late - rendered, block: .random(in: 1...512, using: &random))
                rendered = frame + late
            }
            let isWaiting = Bool.random(using: &random)
            engine.post(command.of(isWaiting ? 1 : 0, isWaiting: isWaiting))
            // It takes effect on its frame, or on arrival if late; a command on the border's frame is before it.
            let effect = max(frame, rendered)
            if !isWaiting {
                plan.0.rows[row] = cells
            } else if effect <= border {
                plan.1.rows[row] = cells
            }
        }
        // One loop of the playing pattern, and then back to the other.
        engine.post(.change(to: 0, at: border + 4000))
        engine.render(border + 16 * 3600 + 1 - rendered, block: 64)
        func heard(from begin: Int, to end: Int) -> [[Int]] {
            engine.started.filter { $0.step > 0 && $0.frame > begin && $0.frame < end }.map { [$0.step] + $0.note }
        }
        func planned(_ tune: Tune, from step: Int) -> [[Int]] {
            (step..<8).flatMap { step -> [[Int]] in tune.notes(at: step).map { [step] + $0 } }
        }
        #expect(heard(from: border + 3600, to: border + 8 * 3600) == planned(plan.1, from: 2), "seed \(seed)")
        #expect(heard(from: border + 8 * 3600, to: .max) == planned(plan.0, from: 1), "seed \(seed)")
    }

    /// The sound of another tune: a fade, controls, a pad and silent tracks.
    private static func sound(at frame: Int) -> [SynthCommand] {
        [
            .fade(at: frame), .silent([.chords], at: frame), .set(SynthSwing, 66, at: frame),
            .set(SynthTrackModel, Int(SynthAcid.rawValue), of: .bass, at: frame),
            .set(SynthTrackCutoff, 900, of: .melody, at: frame), .set(SynthDelaySteps, 5, at: frame),
            .set(SynthTrackDelay, 60, of: .melody, at: frame), .pad(0, volume: 40, at: frame),
        ]
    }

    private static func await(_ isOn: Bool, at frame: Int = 0) -> SynthCommand {
        SynthCommand(SynthAwaitSwitch, .init(toggle: .init(is_on: isOn)), at: frame)
    }

    @Test("commands that wait for a switch are performed on its frame, to the bit", arguments: [false, true])
    func waiting(atEnd: Bool) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let tunes = (Tune(tempo: 17300, length: 12, using: &random), Tune(tempo: 9100, length: 20, using: &random))
        let begin = tunes.0.commands(0) + tunes.1.commands(1, isWaiting: true) + [.play()]
        let (one, other) = (try TestEngine(), try TestEngine())
        let replaced = [Self.await(true), .set(SynthTrackVolume, 0, of: .melody), Self.await(false)]
        one.post(
            begin + replaced + [Self.await(true)] + Self.sound(at: 0) + [
                Self.await(false), .change(to: 1, atEnd: atEnd, at: 1),
            ])
        let audio = one.renderInterleaved(300_000, block: 111)
        let frame = try #require(one.switches.first?.frame)
        other.post(begin + [.change(to: 1, atEnd: atEnd, at: 1)] + Self.sound(at: Int(frame)))
        // Not in #expect, which would compute the difference of two long arrays.
        let isSame = other.renderInterleaved(300_000, block: 256) == audio
        #expect(isSame, "seed \(seed)")
        #expect(other.switches.first?.frame == frame)
    }

    @Test("Stop and a cancelled wait forget them, and other commands do not wait")
    func forgotten() throws {
        var random = SplitMix(seed: 5)
        let tunes = (Tune(tempo: 12000, length: 8, using: &random), Tune(tempo: 12000, length: 8, using: &random))
        let begin = tunes.0.commands(0) + tunes.1.commands(1, isWaiting: true)
        let (one, other) = (try TestEngine(), try TestEngine())
        one.post(begin + [.play(), Self.await(true)] + Self.sound(at: 0) + [.metronome(true), Self.await(false)])
        one.post([.stop(at: 9000), .play(at: 20_000), .change(to: 1, atEnd: true, at: 20_001)])
        other.post(
            begin + [
                .play(), .metronome(true), .stop(at: 9000), .play(at: 20_000), .change(to: 1, atEnd: true, at: 20_001),
            ])
        let isStopped = one.renderInterleaved(200_000) == other.renderInterleaved(200_000)
        #expect(isStopped)
        let (two, rest) = (try TestEngine(), try TestEngine())
        two.post(begin + [.play(), Self.await(true)] + Self.sound(at: 0) + [Self.await(false)])
        two.post([Self.await(true, at: 10), Self.await(false, at: 10), .change(to: 1, atEnd: true, at: 20)])
        rest.post(begin + [.play(), .change(to: 1, atEnd: true, at: 20)])
        let isForgotten = two.renderInterleaved(200_000) == rest.renderInterleaved(200_000)
        #expect(isForgotten)
    }

    @Test("a switch comes at a multiple of any number of steps", arguments: [1, 4, 6, 16, 32])
    func multiples(steps: Int) throws {
        let engine = try TestEngine()
        engine.post([.tempo(200), .length(24), .play()])
        let change = SynthSwitchAtBarCommand(
            tag: 9, steps: UInt8(steps), pattern: .init(number: 1, waiting: true), ends_parts: false)
        // In step 1.
        engine.post(SynthCommand(SynthSwitchAtBar, .init(switch_at_bar: change), at: 3600 + 10))
        engine.render(3600 * 40)
        let step = steps == 1 ? 2 : steps > 24 ? 24 : steps
        #expect(engine.switches.map(\.frame) == [UInt64(3600 * step)])
    }
}
