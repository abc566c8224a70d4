import Display
import Documents
import InputEvents
import Instrument
import Panel
import Replay
import Runtime
import TestSupport
import Testing

/// Messages, notes and sound of a run.
private struct Sent {
    var messages: [MIDISender.Message] = []
    var notes: [NoteEvent] = []
    var left: [Float] = []
    var right: [Float] = []
    var pattern = Pattern()

    func frames(of bytes: [UInt8]) -> [UInt64] { messages.filter { $0.bytes == bytes }.map(\.frame) }
}

/// A pattern with a kick on every step.
private func kicks(bpm: Int) -> Pattern {
    var pattern = Pattern()
    pattern.tempo = Tempo(bpm)
    for step in 0..<Pattern.steps { pattern[.rhythm, note: 0, step: step] = .normal }
    return pattern
}

/// Plays `lines` from the first of `scenes`, or from a kick on every step.
private func play(
    _ lines: [TouchScript.Line], bpm: Int = 120, swing: Int = 50, scenes: [Pattern] = [], until: Int64,
    block: Int = 256, keepsSound: Bool = false
) throws -> Sent {
    var start = PatternDocument(pattern: scenes.first ?? kicks(bpm: bpm), scenes: Scenes(scenes))
    start.sound[.swing] = swing
    var plan = Replay.Plan(TouchScript(lines.sorted { $0.at < $1.at }))
    plan.start = start
    plan.until = Instant(milliseconds: until)
    plan.block = block
    var sent = Sent()
    var observers = Replay.Observers()
    observers.midi = { sent.messages.append($0) }
    observers.note = { sent.notes.append($0) }
    if keepsSound {
        observers.sound = { samples in
            for index in stride(from: 0, to: samples.count, by: 2) {
                sent.left.append(samples[index])
                sent.right.append(samples[index + 1])
            }
        }
    }
    sent.pattern = try Replay.run(plan, observers).document.pattern
    return sent
}

private func line(_ milliseconds: Double, _ event: Instrument.Event) -> TouchScript.Line {
    TouchScript.Line(at: Instant(microseconds: Int64((milliseconds * 1000).rounded())), act: .control(event))
}

private func midi(_ milliseconds: Double, _ bytes: UInt8...) -> TouchScript.Line {
    TouchScript.Line(
        at: Instant(microseconds: Int64((milliseconds * 1000).rounded())), act: .midi(bytes, port: nil))
}

/// Ticks of MIDI clock from `from` to `to` milliseconds, each moved by up to `jitter`, without the part `lost`.
private func ticks(
    _ bpm: Double, from: Double, to: Double, jitter: Double = 0, lost: Double = 0, seed: UInt64 = 1
) -> (places: [Double], lines: [TouchScript.Line]) {
    var random = SplitMix(seed: seed)
    var places: [Double] = []
    var lines: [TouchScript.Line] = []
    var place = from
    while place < to {
        let arrival = place + Double.random(in: -1...1, using: &random) * jitter
        if places.isEmpty || Double.random(in: 0..<1, using: &random) >= lost { lines.append(midi(arrival, 0xf8)) }
        places.append(place)
        place += 60_000 / bpm / 24
    }
    return (places, lines)
}

@Suite("Clocks and MIDI in a replay")
struct SyncTests {
    // MARK: Out

    @Test("ten minutes of ticks are on the frames of the arithmetic", arguments: [60, 61, 120, 133, 200])
    func clockOut(bpm: Int) throws {
        let sent = try play([line(1000, .key(.playStop))], bpm: bpm, until: 600_000)
        let start = try #require(sent.frames(of: [0xfa]).first)
        #expect(start == 48_000)
        let ticks = sent.frames(of: [0xf8]).filter { $0 >= start }
        #expect(ticks.count >= 599 * bpm * 24 / 60)
        for (number, frame) in ticks.enumerated() {
            // A tick is rate * 60 / (24 * tempo) frames, rounded up.
            let place = (UInt64(number) * 48_000 * 60 + UInt64(24 * bpm) - 1) / UInt64(24 * bpm)
            guard frame == start + place else {
                Issue.record("tick \(number) at \(frame), not \(start + place)")
                return
            }
        }
    }

    @Test("on one frame the start comes before the tick, the tick before the note")
    func orderOfMessages() throws {
        let sent = try play([line(1000, .key(.playStop))], until: 1100)
        let bytes = sent.messages.filter { $0.frame == 48_000 }.map(\.bytes)
        #expect(bytes == [[0xfa], [0xf8], [0x99, 36, 80]])
    }

    @Test("the count-in counts as stopped")
    func countIn() throws {
        let sent = try play([line(0, .countIn(1)), line(1000, .key(.playStop))], until: 5000)
        #expect(sent.frames(of: [0xfa]) == [144_000])
    }

    /// Starts that another instrument sends while the pattern plays: again, from a place, and with a scene that waits.
    @Test("a note of a track with lanes ends where the transport begins anew", arguments: 0..<3)
    func restart(kind: Int) throws {
        var pattern = Pattern()
        for step in stride(from: 3, to: 32, by: 4) {
            pattern[.bass, note: 0, step: step] = .normal
            pattern.lanes[.bass, .velocity, step: step] = 90
        }
        let restarts = [
            [midi(2932, 0xfa)], [midi(2932, 0xf2, 0, 0), midi(2932, 0xfb)], [midi(2000, 0xc0, 1), midi(2932, 0xfa)],
        ]
        let begin = [line(0, .sync(.source(.midi))), midi(1000, 0xfa)]
        let lines = begin + ticks(120, from: 1000, to: 8000).lines + restarts[kind]
        var held: [UInt8: UInt64] = [:]
        var starts = 0
        for message in try play(lines, scenes: [pattern, Pattern()], until: 8000).messages {
            switch message.bytes[0] {
            case 0x92: held[message.bytes[1]] = message.frame
            case 0x82: held[message.bytes[1]] = nil
            case 0xfa, 0xfb:
                starts += 1
                #expect(held.isEmpty)
            default: break
            }
            for begun in held.values { #expect(message.frame - begun < 12_000) }
        }
        #expect(starts == 2)
    }

    @Test("a pattern that is left in the count-in is not heard")
    func leftInCountIn() throws {
        var first = Pattern()
        for step in 0..<32 {
            first[.bass, note: 0, step: step] = .normal
            first.lanes[.bass, .cutoff, step: step] = 50
        }
        var second = Pattern()
        second[.bass, note: 5, step: 4] = .normal
        let lines = [line(0, .countIn(1)), line(0, .key(.playStop)), midi(500, 0xc0, 1)]
        let sent = try play(lines, scenes: [first, second], until: 4000)
        #expect(sent.notes.map(\.note) == [5])
        #expect(!sent.messages.contains { $0.bytes[0] & 0xf0 == 0xb0 && $0.bytes[1] == 74 })
    }

    @Test("every note ends, whatever happens in between: 300 random sessions")
    func noHangingNote() throws {
        for seed in UInt64(1)...300 {
            var random = SplitMix(seed: seed)
            var lines: [TouchScript.Line] = []
            for _ in 0..<30 {
                let at = Double.random(in: 0..<4000, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: lines.append(line(at, .key(.playStop)))
                case 2: lines.append(line(at, .key(.faster)))
                case 3: lines.append(line(at, .key(.clear)))
                case 4:
                    lines.append(line(at, .sync(.source(SyncSource.allCases.randomElement(using: &random) ?? .midi))))
                default:
                    let column = Double.random(in: 0..<44, using: &random)
                    let row = Double.random(in: 0..<24, using: &random)
                    for (delay, phase) in [(0.0, Touch.Phase.down), (40, .up)] {
                        lines.append(
                            TouchScript.Line(
                                at: Instant(microseconds: Int64((at + delay) * 1000)),
                                act: .touch(contact: 1, phase, column: column, row: row)))
                    }
                }
                lines.append(midi(at, [0xf8, 0xfa, 0xfb, 0xfc].randomElement(using: &random) ?? 0xf8))
            }
            lines.append(line(4990, .transport(.stop)))
            let sent = try play(lines, until: 5000)
            var sounding: Set<[UInt8]> = []
            for message in sent.messages where message.bytes.count == 3 {
                let key = [message.bytes[0] & 0x0f, message.bytes[1]]
                switch message.bytes[0] & 0xf0 {
                case 0x90:
                    #expect(sounding.insert(key).inserted, "seed \(seed): \(key) begins twice")
                case 0x80:
                    #expect(sounding.remove(key) != nil, "seed \(seed): \(key) ends without a begin")
                default: break
                }
            }
            #expect(sounding.isEmpty, "seed \(seed): \(sounding) sound on")
        }
    }

    // MARK: In

    @Test("steps follow a clock that jitters by 2.8 ms within 0.35 ms", arguments: [72.0, 120, 165])
    func follow(bpm: Double) throws {
        for seed in UInt64(1)...4 {
            let source = ticks(bpm, from: 100, to: 20_000, jitter: 2.8, lost: seed == 4 ? 0.05 : 0, seed: seed)
            let sent = try play(
                [line(0, .sync(.source(.midi))), midi(50, 0xfa)] + source.lines, bpm: 100, until: 20_000)
            let places = stride(from: 0, to: source.places.count, by: 6).map { source.places[$0] }
            let errors = zip(sent.notes, places).filter { $1 > 4100 }.map { $0.milliseconds - $1 }
            let rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
            #expect(errors.count > 50)
            #expect(rms <= (seed == 4 ? 0.45 : 0.35), "seed \(seed), \(bpm) BPM: \(rms) ms")
            #expect(sent.pattern.tempo == 100)
        }
    }

    @Test("start, stop, continue and song position go to their steps")
    func transport() throws {
        let source = ticks(120, from: 0, to: 8000)
        let sent = try play(
            [
                line(0, .sync(.source(.midi))), midi(1005, 0xfa), midi(2005, 0xfc), midi(3005, 0xfb), midi(4005, 0xfc),
                midi(4500, 0xf2, 4, 0), midi(5005, 0xfb), midi(6003, 0xfc),
            ] + source.lines, until: 8000)
        #expect(sent.notes.map(\.step) == Array(0...7) + Array(8...15) + Array(4...11))
        #expect(sent.notes.map { Int($0.milliseconds.rounded()) }.prefix(3) == [1021, 1146, 1271])
        #expect(sent.frames(of: [0xfc]).count == 3)
        #expect(sent.frames(of: [0xf2, 8, 0]).count == 1 && sent.frames(of: [0xf2, 4, 0]).count == 1)
    }

    @Test("the first tick after the start is step 0, also if none came before")
    func firstTick() throws {
        let source = ticks(90, from: 700, to: 4000)
        let sent = try play([line(0, .sync(.source(.midi))), midi(200, 0xfa)] + source.lines, until: 4000)
        let first = try #require(sent.notes.first)
        #expect(first.step == 0 && abs(first.milliseconds - 700) < 0.05)
    }

    /// Checks that the notes from `start` milliseconds on begin with step 0 there and go on at 120 BPM.
    private func expectStart(_ notes: [NoteEvent], at start: Double, _ name: String) {
        let after = notes.filter { $0.milliseconds >= start - 20 }
        #expect(after.count > 8, "\(name)")
        for (number, note) in after.prefix(9).enumerated() {
            let place = start + 125 * Double(number)
            #expect(note.step == number, "\(name): step \(note.step)")
            #expect(abs(note.milliseconds - place) < 1, "\(name): step \(number) \(note.milliseconds - place) ms late")
        }
    }

    @Test(
        "after a pause without ticks the first step is the next tick that arrives, by MIDI and by jacks",
        arguments: [1.0, 5, 10, 15, 20, 25, 30, 42, 63, 100, 250, 300, 480, 520, 1000, 2000])
    func startAfterPause(pause: Double) throws {
        let before = ticks(120, from: 100, to: 2080)
        let last = try #require(before.places.last)
        let start = last + 5 + pause
        let after = ticks(120, from: start, to: start + 2000)
        let sent = try play(
            [line(0, .sync(.source(.midi))), midi(99, 0xfa), midi(last + 5, 0xfc), midi(start - 1, 0xfa)]
                + before.lines + after.lines, until: Int64(start) + 2000)
        expectStart(sent.notes, at: start, "MIDI, after \(pause) ms")

        let settings = [line(0, .sync(.source(.clock))), line(0, .sync(.clockPerQuarter(24)))]
        let edges = (before.places + after.places).map { line($0, .edge(.clock)) }
        let jack = try play(
            settings + edges
                + [line(50, .edge(.run)), line(last + 5, .edge(.halt)), line(start - 0.5, .edge(.run))],
            until: Int64(start) + 2000)
        expectStart(jack.notes, at: start, "run line, after \(pause) ms")
    }

    @Test("after a start among running ticks the first step is the next tick", arguments: [0.5, 7, 13, 20.4])
    func startAmongTicks(offset: Double) throws {
        let source = ticks(120, from: 100, to: 6000)
        let place = source.places[100]
        let sent = try play(
            [line(0, .sync(.source(.midi))), midi(99, 0xfa), midi(place + offset, 0xfa)] + source.lines, until: 5000)
        expectStart(sent.notes, at: source.places[101], "\(offset) ms after a tick")
    }

    @Test(
        "with one tick known the first step is the next tick, also if it comes late", arguments: [1020.833, 1033, 1300])
    func startAfterOneTick(second: Double) throws {
        let source = ticks(120, from: second, to: 4000)
        let sent = try play(
            [line(0, .sync(.source(.midi))), midi(1000, 0xf8), midi(1003, 0xfa)] + source.lines, until: 4000)
        let first = try #require(sent.notes.first)
        #expect(first.step == 0 && abs(first.milliseconds - second) < 1, "\(first.milliseconds)")
    }

    @Test("of two ports that tick, the one that ticked first is followed")
    func twoPorts() throws {
        let (one, other) = (ticks(120, from: 100, to: 6000), ticks(97, from: 105, to: 6000))
        let others = other.places.map {
            TouchScript.Line(at: Instant(microseconds: Int64($0 * 1000)), act: .midi([0xf8], port: "other"))
        }
        let stop = TouchScript.Line(at: Instant(milliseconds: 3000), act: .midi([0xfc], port: "other"))
        let sent = try play(
            [line(0, .sync(.source(.midi))), midi(99, 0xfa), stop] + one.lines + others, until: 6000)
        for (number, note) in sent.notes.enumerated() {
            #expect(abs(note.milliseconds - 100 - 125 * Double(number)) < 0.1)
        }
        #expect(sent.notes.count > 45)
    }

    @Test("a start whose first tick comes late begins there", arguments: [40.0, 150, 700])
    func lateFirstTick(late: Double) throws {
        let before = ticks(120, from: 100, to: 2080)
        let start = try #require(before.places.last) + late
        let after = ticks(120, from: start, to: start + 3000)
        let sent = try play(
            [line(0, .sync(.source(.midi))), midi((before.places.last ?? 0) + 10, 0xfa)] + before.lines + after.lines,
            until: Int64(start) + 3000)
        for note in sent.notes where note.milliseconds > start + 300 {
            let steps = (note.milliseconds - start) / 125
            #expect(abs(steps - steps.rounded()) < 0.01 && Int(steps.rounded()) % 32 == note.step)
        }
    }

    @Test(
        "ticks in bursts: the box plays at their tempo, and each step within a burst of its tick",
        arguments: [93.0, 125, 150])
    func burstsOfTicks(bpm: Double) throws {
        let source = ticks(bpm, from: 100, to: 14_000)
        let burst = 1024 / 48.0
        let lines = source.places.map { midi(($0 / burst).rounded(.up) * burst, 0xf8) }
        let sent = try play([line(0, .sync(.source(.midi))), midi(50, 0xfa)] + lines, until: 14_000)
        let places = stride(from: 0, to: source.places.count, by: 6).map { source.places[$0] }
        #expect(sent.notes.count >= places.count - 2)
        for (note, place) in zip(sent.notes, places) where place > 4000 {
            #expect((-1...burst + 1).contains(note.milliseconds - place), "\(note.milliseconds - place) ms late")
        }
    }

    @Test(
        "a source outside the tempos is followed an octave away",
        arguments: [(400.0, 200.0), (900, 225), (15, 30), (12, 24)])
    func octaves(source: Double, box: Double) throws {
        let clock = ticks(source, from: 100, to: 12_000)
        let sent = try play([line(0, .sync(.source(.midi))), midi(50, 0xfa)] + clock.lines, until: 12_000)
        let late = sent.notes.filter { $0.milliseconds > 6000 }
        for (one, next) in zip(late, late.dropFirst()) {
            #expect(abs(next.milliseconds - one.milliseconds - 15_000 / box) < 0.1)
        }
        #expect(late.count > 8)
    }

    @Test("without its source the box keeps the tempo, and the source's grid when it returns")
    func lostSource() throws {
        let before = ticks(120, from: 0, to: 3000)
        let after = ticks(120, from: 6000, to: 10_000)
        let sent = try play(
            [line(0, .sync(.source(.midi))), midi(100, 0xfa)] + before.lines + after.lines, until: 10_000)
        for (one, next) in zip(sent.notes, sent.notes.dropFirst()) {
            #expect(abs(next.milliseconds - one.milliseconds - 125) < 62.5)
            #expect(next.step == (one.step + 1) % 32)
        }
        #expect(sent.notes.count > 75)
    }

    @Test("pulses start, pace and stop the box", arguments: [1, 2, 4, 24, 48])
    func pulsesIn(perQuarter: Int) throws {
        let period = 500.0 / Double(perQuarter)
        let pulses = stride(from: 1000, to: 9000, by: period).map { line($0, .edge(.clock)) }
        let sent = try play(
            [line(0, .sync(.source(.clock))), line(0, .sync(.clockPerQuarter(perQuarter)))] + pulses, until: 12_000)
        let first = try #require(sent.notes.first)
        #expect(first.step == 0 && abs(first.milliseconds - 1000) < 0.05)
        #expect(
            sent.notes.filter { $0.milliseconds > 3000 && $0.milliseconds < 8990 }.allSatisfy { note in
                let steps = (note.milliseconds - 1000) / 125
                return abs(steps - steps.rounded()) < 0.002 && Int(steps.rounded()) % 32 == note.step
            })
        let stop = try #require(sent.frames(of: [0xfc]).first)
        let silence = max(500, 2 * period)
        #expect(abs(Double(stop) / 48 - (9000 - period + silence)) < 1)
    }

    @Test("Link: the box begins at the session's bar and follows its tempo")
    func link() throws {
        func state(_ tempo: Double, _ beat: Double, _ isPlaying: Bool? = nil) -> Instrument.Event {
            .link(LinkState(tempo: tempo, beat: beat, peers: 1, isPlaying: isPlaying))
        }
        // At 120 BPM beat 4 is at 2000 ms; from 6000 ms on 150 BPM.
        let sent = try play(
            [
                line(0, .sync(.source(.link))), line(0, state(120, 0)), line(300, .key(.playStop)),
                line(6000, state(150, 12)),
            ], until: 12_000)
        let first = try #require(sent.notes.first)
        #expect(first.step == 0 && abs(first.milliseconds - 2000) < 0.05)
        for (number, note) in sent.notes.enumerated() {
            let place = number <= 32 ? 2000 + 125 * Double(number) : 6000 + 100 * Double(number - 32)
            #expect(abs(note.milliseconds - place) < 0.1)
        }
        #expect(sent.notes.count > 90)
    }

    @Test("the pattern's tempo returns with the internal source")
    func release() throws {
        let source = ticks(90, from: 0, to: 4000)
        let sent = try play(
            [line(0, .sync(.source(.midi))), midi(500, 0xfa), line(4000, .sync(.source(.internal)))] + source.lines,
            bpm: 150,
            until: 8000)
        let last = sent.notes.suffix(10)
        for (one, next) in zip(last, last.dropFirst()) {
            #expect(abs(next.milliseconds - one.milliseconds - 100) < 0.05)
        }
    }

    /// The frames of a run in which a clock is followed, lost for two seconds, and followed again, with the sheet open.
    private func frames() throws -> (frames: [(at: Instant, frame: Frame)], state: Instrument.State) {
        var lines = [line(0, .sync(.source(.midi)))] + ticks(240, from: 500, to: 5000, jitter: 1, seed: 3).lines
        lines += ticks(240, from: 7000, to: 9000, jitter: 1, seed: 4).lines
        for (at, column, row) in [(10.0, 1.0, 1.0), (200, 2, 15)] {
            for (delay, phase) in [(0.0, Touch.Phase.down), (50, .up)] {
                lines.append(
                    TouchScript.Line(
                        at: Instant(microseconds: Int64((at + delay) * 1000)),
                        act: .touch(contact: 1, phase, column: column, row: row)))
            }
        }
        var plan = Replay.Plan(TouchScript(lines.sorted { $0.at < $1.at }))
        plan.until = Instant(milliseconds: 9000)
        var frames: [(at: Instant, frame: Frame)] = []
        var observers = Replay.Observers()
        observers.frame = { frames.append(($1, $0)) }
        let state = try Replay.run(plan, observers).state
        return (frames, state)
    }

    @Test("the panel shows the source's tempo, that it is lost, and its return; again the same pictures")
    func panel() throws {
        let (shown, state) = try frames()
        #expect(state.view.screen == .sync && state.transport.syncStatus.lock == .locked)
        #expect(abs((state.transport.syncStatus.tempo ?? 0) - 240) < 0.5 && state.transport.syncStatus.missing > 150)
        #expect(state.session.composition.pattern.tempo == 120)
        func header(_ milliseconds: Int64) -> [RGB] {
            let frame = shown.last { $0.at <= Instant(milliseconds: milliseconds) }?.frame
            return (0..<5).flatMap { row in (6..<37).map { frame?[$0, row] ?? .black } }
        }
        let (waiting, followed, lost) = (header(450), header(4900), header(6000))
        #expect(Set([waiting, followed, lost]).count == 3 && header(8900) == followed)
        #expect(lost.contains(RGB(0xffaa00)) && !followed.contains(RGB(0xffaa00)))
        let again = try frames().frames
        #expect(shown.count > 400)
        #expect(again.map(\.at) == shown.map(\.at) && again.map(\.frame) == shown.map(\.frame))
    }

    @Test("wild input is survived", arguments: UInt64(1)...20)
    func wildInput(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var lines = [line(0, .sync(.source(seed % 2 == 0 ? .midi : .clock)))]
        for _ in 0..<3000 {
            let at = Double.random(in: 0..<3000, using: &random)
            if Bool.random(using: &random) {
                lines.append(midi(at, 0xf8))
            } else if Int.random(in: 0..<4, using: &random) == 0 {
                lines.append(line(at, .edge(ClockEdge.allCases.randomElement(using: &random) ?? .clock)))
            } else {
                let bytes = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                lines.append(
                    TouchScript.Line(at: Instant(microseconds: Int64(at * 1000)), act: .midi(bytes, port: "x")))
            }
        }
        let sent = try play(lines, until: 4000)
        #expect(sent.messages.count < 4000)
    }

    // MARK: Pulses out

    @Test("pulses begin on the frames of the arithmetic, on the left", arguments: [1, 2, 4, 24, 48])
    func pulsesOut(perQuarter: Int) throws {
        let settings: [SyncSetting] = [.pulse(.left), .pulsesPerQuarter(perQuarter), .pulseMilliseconds(5)]
        let sent = try play(
            settings.map { line(0, .sync($0)) } + [line(1000, .key(.playStop))], bpm: 133, until: 5000, keepsSound: true
        )
        let rises = sent.left.indices.dropFirst().filter { sent.left[$0] == 1 && sent.left[$0 - 1] == 0 }
        let expected = (0..<rises.count).map { 48_000 + ($0 * 48_000 * 60 + perQuarter * 133 - 1) / (perQuarter * 133) }
        #expect(rises == expected)
        #expect(rises.count >= 4 * 133 * perQuarter / 60)
        // Between the fastest pulses the signal is low half of the time.
        let distances = zip(rises.dropFirst(), rises).map { $0 - $1 }
        let falls = sent.left.indices.dropFirst().filter { sent.left[$0] == 0 && sent.left[$0 - 1] == 1 }
        #expect(zip(falls, rises).map { $0 - $1 }.dropLast() == distances.map { min(240, $0 / 2) }[...])
        #expect(Set(sent.left) == [0, 1])
        #expect(sent.right.contains { abs($0) > 0.01 })
    }

    @Test("a channel of its own has the pulses of the left one, and the sound stays", arguments: [3, 5])
    func pulseChannel(number: Int) throws {
        func channels(_ output: PulseOutput) throws -> [[Float]] {
            var plan = Replay.Plan(
                TouchScript([line(0, .sync(.pulse(output))), line(100, .key(.playStop)), line(1500, .key(.playStop))]))
            plan.start = PatternDocument(pattern: kicks(bpm: 133))
            var channels = [[Float]](repeating: [], count: plan.channels)
            var observers = Replay.Observers()
            observers.sound = { samples in
                for index in samples.indices { channels[index % channels.count].append(samples[index]) }
            }
            _ = try Replay.run(plan, observers)
            return channels
        }
        let own = try channels(.channel(number))
        let left = try channels(.left)
        let plain = try channels(.off)
        #expect(own.count == number && own[0] == plain[0] && own[1] == plain[1])
        #expect(own[number - 1] == left[0] && left[0].contains(1))
        #expect(number == 3 || own[2].allSatisfy { $0 == 0 })
    }

    @Test("the block size changes no sample and no message under a source")
    func blocks() throws {
        let source = ticks(117, from: 100, to: 4000, jitter: 2)
        let lines = [line(0, .sync(.source(.midi))), line(0, .sync(.pulse(.left))), midi(50, 0xfa)] + source.lines
        let one = try play(lines, swing: 66, until: 5000, block: 256, keepsSound: true)
        let other = try play(lines, swing: 66, until: 5000, block: 37, keepsSound: true)
        #expect(one.left == other.left && one.right == other.right && one.messages == other.messages)
    }

    // MARK: Notes in

    @Test("keys sound at once, and are recorded on the nearest step in one undo step a pass")
    func recording() throws {
        var lines = [line(0, .key(.clear)), line(0, .record(true)), line(100, .key(.playStop))]
        // Steps are 125 ms: 40 ms late, 30 ms early, and a drum; then another pass.
        for (at, channel, key, velocity) in [
            (140.0, 0, 64, 60), (320, 1, 55, 120), (730, 9, 38, 64), (4350, 0, 67, 64),
        ] {
            lines.append(midi(at, 0x90 | UInt8(channel), UInt8(key), UInt8(velocity)))
            lines.append(midi(at + 50, 0x80 | UInt8(channel), UInt8(key), 0))
        }
        let sent = try play(lines, until: 6000, keepsSound: true)
        let pattern = sent.pattern
        #expect(pattern[.melody, note: 4, step: 0] == .normal)
        #expect(pattern[.chords, note: 7, step: 2] == .accent)
        #expect(pattern[.rhythm, note: 3, step: 5] == .normal)
        #expect(pattern[.melody, note: 7, step: 2] == .normal)
        let undone = try play(lines + [line(5000, .key(.undo))], until: 6000)
        let before = undone.pattern
        #expect(before[.melody, note: 7, step: 2] == .empty && before[.rhythm, note: 3, step: 5] == .normal)
    }

    @Test("a key sounds while it is down, or the pedal", arguments: [SoundModel.plain, .analogue])
    func heldKeys(model: SoundModel) throws {
        func level(_ lines: [TouchScript.Line]) throws -> [Bool] {
            let model = line(0, .sound(.track(.melody, .model), SoundModel.allCases.firstIndex(of: model) ?? 0))
            let sent = try play([model, line(0, .key(.clear))] + lines, until: 6000, keepsSound: true)
            return stride(from: 500, to: 6000, by: 1000).map { at in
                sent.left[(at * 48)..<((at + 50) * 48)].contains { abs($0) > 0.001 }
            }
        }
        let press = midi(400, 0x90, 64, 100)
        let release = midi(2600, 0x80, 64, 0)
        #expect(try level([press, release]) == [true, true, true, false, false, false])
        #expect(
            try level([midi(100, 0xb0, 64, 127), press, release, midi(4600, 0xb0, 64, 0)])
                == [true, true, true, true, true, false])
        #expect(try level([press, midi(1600, 0xb0, 123, 0)]) == [true, true, false, false, false, false])
    }

    @Test("a recorded note is as long as its key was down")
    func recordedLength() throws {
        // Steps are 125 ms from 100 ms on. One key is early by 30 ms, and down for three steps; one ends before its
        // step.
        let lines = [
            line(0, .key(.clear)), line(0, .record(true)), line(100, .key(.playStop)),
            midi(320, 0x90, 64, 60), midi(695, 0x80, 64, 0), midi(1060, 0x90, 67, 60), midi(1080, 0x80, 67, 0),
        ]
        let pattern = try play(lines, until: 3000).pattern
        #expect(
            (0..<8).map { pattern[.melody, note: 4, step: $0] } == [
                .empty, .empty, .normal, .sustain, .sustain, .empty, .empty, .empty,
            ])
        #expect(pattern[.melody, note: 7, step: 8] == .normal && pattern[.melody, note: 7, step: 9] == .empty)
    }

    @Test("controllers move the faders of their channel's track")
    func controllers() throws {
        let plan = Replay.Plan(
            TouchScript([
                midi(10, 0xb2, 10, 0), midi(10, 0xb2, 74, 127), midi(20, 0xb1, 10, 64), midi(30, 0xb9, 7, 127),
            ]))
        let sound = try Replay.run(plan).state.session.sound
        #expect(sound[.track(.bass, .pan)] == -100 && sound[.track(.bass, .cutoff)] == 20_000)
        #expect(sound[.track(.chords, .pan)] == 0 && sound[.track(.rhythm, .volume)] == 200)
    }
}
