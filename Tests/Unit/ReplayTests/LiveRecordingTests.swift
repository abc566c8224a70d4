import Display
import Documents
import Input
import InputEvents
import Instrument
import Replay
import Runtime
import TestSupport
import Testing

/// A note that is played: a tap on the lowest row of a track, or the key of the same note.
private struct Played: CustomStringConvertible {
    let track: Track
    let isKey: Bool
    /// Its time by what is heard, in milliseconds.
    let at: Double
    let held: Double
    /// How much later than at the box its player hears, in milliseconds; of a tap.
    var delay = 0.0

    /// The lowest row of each track on its first page; its note is 0, and so is the key's note.
    private static let rows = [7, 13, 17, 21]
    private static let keys: [UInt8] = [60, 48, 36, 36]

    func lines(contact: Int) -> [TouchScript.Line] {
        func time(_ milliseconds: Double) -> Instant { Instant(microseconds: Int64((milliseconds * 1000).rounded())) }
        guard isKey else {
            let row = Double(Self.rows[track.rawValue])
            // The column means nothing; it is within every length.
            let late = Instant.Span(microseconds: Int64((delay * 1000).rounded()))
            return [
                .init(at: time(at) + late, act: .touch(contact: contact, .down, column: 6, row: row, delay: late)),
                .init(at: time(at + held) + late, act: .touch(contact: contact, .up, column: 6, row: row)),
            ]
        }
        let (channel, key) = (track == .rhythm ? 9 : UInt8(track.rawValue), Self.keys[track.rawValue])
        return [
            .init(at: time(at), act: .midi([0x90 | channel, key, 64], port: nil)),
            .init(at: time(at + held), act: .midi([0x80 | channel, key, 0], port: nil)),
        ]
    }

    var description: String { "\(track) \(isKey ? "key" : "tap") at \(at)" }
}

/// The line of time of a pattern that began at `start` milliseconds, by the definitions of docs/spec.md, section 12,
/// alone.
private struct Line {
    let pattern: Pattern
    let swing: Int
    let start: Double

    /// Milliseconds of a step of `track`.
    func step(_ track: Track) -> Double {
        let (numerator, denominator) = pattern[shape: track].division.fraction
        return 15_000 / pattern.tempo.bpm * Double(numerator) / Double(denominator)
    }

    func begin(_ number: Int, _ track: Track) -> Double {
        let pair = Double(number / 2 * 2)
        return start + (number % 2 == 0 ? pair : pair + Double(2 * swing) / 100) * step(track)
    }

    /// Steps of `track` until its order repeats.
    func cycle(_ track: Track) -> Int {
        let length = pattern.length(of: track)
        return pattern[shape: track].direction == .pendulum ? 2 * length - 2 : length
    }

    /// The cells' step that sounds as step `number` of `track`.
    func cell(_ number: Int, _ track: Track) -> Int {
        let (length, place) = (pattern.length(of: track), number % cycle(track))
        switch pattern[shape: track].direction {
        case .back: return length - 1 - place
        case .pendulum: return min(place, 2 * length - 2 - place)
        default: return place
        }
    }

    /// The numbers after `number` at which its cell sounds again, before `end`.
    func later(_ number: Int, _ track: Track, before end: Double) -> [Int] {
        let next = sequence(first: number + 1) { $0 + 1 }.prefix { begin($0, track) < end }
        return next.filter { cell($0, track) == cell(number, track) }
    }

    /// The step of `track` nearest to the time, of all of them.
    func nearest(_ time: Double, _ track: Track) -> Int {
        let last = Int((time - start) / step(track)) + 3
        return (0...last).min { abs(begin($0, track) - time) < abs(begin($1, track) - time) } ?? 0
    }
}

/// The simulated overlay with filters.
private final class FilteredOverlay: TouchSource {
    var settings = OverlaySettings()
    private let overlay: SimulatedOverlay

    init(_ overlay: SimulatedOverlay) { self.overlay = overlay }

    var portCount: Int { overlay.portCount }

    func read(into ports: inout [TouchPort]) {
        overlay.read(into: &ports)
        ports[0].device?.settings = settings
    }
}

/// A panel that shows nothing.
private final class Dark: FrameOutput {
    func show(_ frame: Frame, at now: Instant) {}
}

@Suite("Live recording in a replay")
struct LiveRecordingTests {
    /// When Play is pressed, in milliseconds.
    private static let start = 100.0

    /// Plays `notes` on an empty `pattern` while it records; returns the notes of the sequencer and the state at the
    /// end.
    private func record(
        _ notes: [Played], _ pattern: Pattern, swing: Int = 50, quantise: Int, until: Double,
        more: [TouchScript.Line] = []
    ) throws -> (heard: [NoteEvent], state: Instrument.State) {
        func line(_ milliseconds: Double, _ event: Instrument.Event) -> TouchScript.Line {
            .init(at: Instant(microseconds: Int64((milliseconds * 1000).rounded())), act: .control(event))
        }
        var lines = [line(0, .record(true)), line(0, .quantise(quantise)), line(Self.start, .key(.playStop))]
        for (number, note) in notes.enumerated() { lines += note.lines(contact: number % 8) }
        var start = PatternDocument(pattern: pattern)
        start.sound[.swing] = swing
        var plan = Replay.Plan(TouchScript((lines + more).sorted { $0.at < $1.at }))
        plan.start = start
        plan.until = Instant(microseconds: Int64(until * 1000))
        var heard: [NoteEvent] = []
        var observers = Replay.Observers()
        observers.note = { heard.append($0) }
        let outcome = try Replay.run(plan, observers)
        return (heard, outcome.state)
    }

    /// Checks that each of `notes` sounds in every later turn of its track, at its time but for the quantise, and not
    /// in the turn in which it was played. Returns a problem; nil for none.
    private func problem(_ notes: [Played], _ pattern: Pattern, swing: Int, quantise: Int) throws -> String? {
        let line = Line(pattern: pattern, swing: swing, start: Self.start)
        let cycles = Track.allCases.map { line.step($0) * Double(line.cycle($0)) }
        let end = (notes.map(\.at).max() ?? 0) + 2.2 * (cycles.max() ?? 0) + 500
        let (heard, state) = try record(notes, pattern, swing: swing, quantise: quantise, until: end)
        for track in Track.allCases {
            let step = line.step(track)
            // The first number, and the last time and number, of each cell of the track.
            var first: [Int: Int] = [:]
            var last: [Int: (time: Double, number: Int)] = [:]
            for note in notes where note.track == track {
                let number = line.nearest(note.at, track)
                let cell = line.cell(number, track)
                first[cell] = min(first[cell] ?? number, number)
                last[cell] = (note.at, number)
            }
            let own = heard.filter { $0.track == track && $0.note == 0 }
            var numbers: Set<Int> = []
            for event in own {
                let number = line.nearest(event.milliseconds, track)
                // A shift of half a step may be nearer to another step: look at those that can sound.
                let near = [number - 1, number, number + 1].filter { $0 >= 0 }
                let place = near.filter { abs(line.begin($0, track) - event.milliseconds) <= 0.505 * step + 1 }
                let isDue = { !numbers.contains($0) && $0 > first[line.cell($0, track)] ?? .max }
                guard let sounding = place.first(where: isDue)
                else { return "\(track) sounds at \(event.milliseconds), \(notes.filter { $0.track == track })" }
                numbers.insert(sounding)
            }
            for (cell, start) in first {
                // Every later turn that ends before the run.
                for number in line.later(start, track, before: end - step - 50) where !numbers.contains(number) {
                    return "\(track) is silent at step \(number), \(notes.filter { $0.track == track })"
                }
                guard let (time, number) = last[cell] else { continue }
                // In the turns after the last note at the cell: its distance, but for the quantise.
                let distance = time - line.begin(number, track)
                let kept = (distance * Double(100 - quantise) / 100).magnitude
                let played = min(kept, step / 2) * (distance < 0 ? -1 : 1)
                for later in line.later(number, track, before: end - step - 50) {
                    let due = line.begin(later, track) + played
                    // Half a per cent of a step, and a frame.
                    guard own.contains(where: { abs($0.milliseconds - due) <= 0.0051 * step + 0.05 }) else {
                        return "\(track), played at \(time), is not heard at \(due): "
                            + "\(own.map(\.milliseconds)), \(notes.filter { $0.track == track })"
                    }
                }
            }
        }
        if quantise == 100, Track.allCases.contains(where: { state.session.composition.pattern.lanes.has($0, .shift) })
        {
            return "a shift is written"
        }
        return nil
    }

    /// A pattern, its swing and the quantise.
    static let examples: [(name: String, swing: Int, quantise: Int, change: @Sendable (inout Pattern) -> Void)] = [
        ("plain", 50, 100, { _ in }), ("plain", 50, 0, { _ in }), ("plain", 50, 60, { _ in }),
        ("swing", 66, 0, { _ in }), ("swing", 66, 100, { _ in }),
        ("a division", 50, 0, { $0[shape: .melody].division = .twoThirds }),
        ("a division and swing", 70, 25, { $0[shape: .melody].division = .double }),
        ("a length", 50, 0, { $0[shape: .melody].length = 7 }),
        ("a length and swing", 66, 40, { $0[shape: .melody].length = 9 }),
        ("another direction", 50, 0, { ($0[shape: .melody].length, $0[shape: .melody].direction) = (12, .back) }),
        ("a pendulum", 66, 20, { ($0[shape: .melody].length, $0[shape: .melody].direction) = (9, .pendulum) }),
    ]

    @Test(
        "each note is heard when it was played but for the quantise, in every later turn and not in its own",
        arguments: examples)
    func turns(name: String, swing: Int, quantise: Int, change: @Sendable (inout Pattern) -> Void) throws {
        var pattern = Pattern()
        pattern.length = 16
        change(&pattern)
        // Late, early, at the middle, early at the end of the pattern, and twice at one step.
        let times: [Double] = [130, 455, 780, 1070, 2078, 2700, 2960, 3940]
        for isKey in [true, false] {
            let notes = times.map { Played(track: .melody, isKey: isKey, at: $0, held: 50) }
            #expect(try problem(notes, pattern, swing: swing, quantise: quantise) == nil, "\(name), keys: \(isKey)")
        }
    }

    @Test(
        "of a late step and an early one that is heard before it, each keeps its notes",
        arguments: [
            TrackShape.Direction.forward, .back,
        ])
    func crossing(_ direction: TrackShape.Direction) throws {
        var pattern = Pattern()
        (pattern.tempo, pattern.length) = (79, 28)
        (pattern[shape: .chords].division, pattern[shape: .chords].length) = (.double, 7)
        pattern[shape: .chords].direction = direction
        // Late to step 6, early to step 7, and to step 13, which is heard after step 14.
        let notes = [2554.7, 2739.4, 5215.5].map { Played(track: .chords, isKey: true, at: $0, held: 50) }
        #expect(try problem(notes, pattern, swing: 64, quantise: 6) == nil)
    }

    @Test(
        "a note to a late step waits for it although the early one that follows has been heard",
        arguments: [
            (TrackShape.Direction.forward, 3, 0), (.back, 0, 3), (.pendulum, 3, 2),
        ])
    func early(_ direction: TrackShape.Direction, stepOfNumber3: Int, stepOfNumber4: Int) throws {
        var pattern = Pattern()
        pattern[shape: .chords].length = 4
        pattern[shape: .chords].direction = direction
        pattern.lanes[.chords, .shift, step: stepOfNumber3] = 50
        pattern.lanes[.chords, .shift, step: stepOfNumber4] = -50
        // Number 3 begins at 3.42 steps of 125 ms, number 4 is heard at 3.5, the key comes at 3.6, number 3 would be
        // heard at 3.92.
        let note = Played(track: .chords, isKey: true, at: Self.start + 3.6 * 125, held: 50)
        #expect(try problem([note], pattern, swing: 71, quantise: 0) == nil)
    }

    @Test("a note to a late step that is heard after the early one that follows it hides neither")
    func overtaken() throws {
        var pattern = Pattern()
        (pattern.tempo, pattern.length) = (107, 24)
        (pattern[shape: .chords].division, pattern[shape: .chords].length) = (.twoThirds, 7)
        pattern[shape: .chords].direction = .back
        // The first three shift steps 32, 33 and 34, which are in the same cells as 53, 54 and 55. The fourth is early
        // to 53, which is heard after 54.
        let notes: [(isKey: Bool, at: Double, held: Double)] = [
            (true, 3132.4, 50), (false, 3206.5, 50), (true, 3313.2, 50), (false, 5032, 60), (true, 5169.4, 50),
        ]
        let played = notes.map { Played(track: .chords, isKey: $0.isKey, at: $0.at, held: $0.held) }
        #expect(try problem(played, pattern, swing: 71, quantise: 0) == nil)
    }

    @Test(
        "random taps and keys, also of a player who hears up to 300 ms late, are heard as they were played",
        arguments: [false, true])
    func randomNotes(isLate: Bool) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<60 {
            let delay = isLate ? Double.random(in: 0...300, using: &random) : 0
            var pattern = Pattern()
            pattern.tempo = Tempo(hundredths: .random(in: 6000...20000, using: &random))
            pattern.length = 4 * Int.random(in: (isLate ? 3 : 2)...8, using: &random)
            for track in Track.allCases where Bool.random(using: &random) {
                pattern[shape: track].division = TrackShape.Division.allCases.randomElement(using: &random) ?? .whole
                pattern[shape: track].direction = [.forward, .back].randomElement(using: &random) ?? .forward
                // A pendulum comes back to a step after two: they are longer than any finger is down.
                if [.double, .quadruple].contains(pattern[shape: track].division), .random(using: &random) {
                    pattern[shape: track].direction = .pendulum
                }
                // So is a turn.
                let (numerator, denominator) = pattern[shape: track].division.fraction
                let least =
                    (500 + Int(delay)) * pattern.tempo.hundredths * denominator / (1_500_000 * numerator) + 2
                guard least < 32, Bool.random(using: &random) else { continue }
                pattern[shape: track].length = .random(in: least...min(least + 12, 32), using: &random)
            }
            // A step does not come again before the finger of a late player has lifted.
            for track in Track.allCases where isLate {
                let line = Line(pattern: pattern, swing: 50, start: 0)
                let isShort = line.step(track) * Double(line.cycle(track)) < 500 + delay
                if isShort || pattern[shape: track].direction == .pendulum { pattern[shape: track] = TrackShape() }
            }
            let swing = [50, .random(in: 50...75, using: &random)].randomElement(using: &random) ?? 50
            let quantise = [0, 100, .random(in: 0...100, using: &random)].randomElement(using: &random) ?? 0
            var notes: [Played] = []
            var time = Self.start + 20
            let line = Line(pattern: pattern, swing: swing, start: Self.start)
            while time < 6000 {
                let held = Double.random(in: 20...120, using: &random)
                let track = Track.allCases.randomElement(using: &random) ?? .melody
                // Not in the middle of two steps, where a frame decides.
                if line.nearest(time - 0.2, track) != line.nearest(time + 0.2, track) { time += 0.5 }
                let isKey = !isLate && .random(using: &random)
                notes.append(Played(track: track, isKey: isKey, at: time, held: held, delay: delay))
                // One finger at a time on a track, and no key that is down is pressed again.
                time += held + .random(in: 5...400, using: &random)
            }
            if let problem = try problem(notes, pattern, swing: swing, quantise: quantise) {
                let shapes = Track.allCases.map { pattern[shape: $0] }
                Issue.record(
                    """
                    seed \(seed): \(problem); \(pattern.tempo.text) BPM, \(pattern.length) steps, swing \(swing), \
                    quantise \(quantise), \(delay) ms late, \(shapes)
                    """)
                return
            }
        }
    }

    @Test("a note at the first step of the next scene is recorded there")
    func scene() throws {
        func control(_ milliseconds: Int64, _ event: Instrument.Event) -> TouchScript.Line {
            .init(at: Instant(milliseconds: milliseconds), act: .control(event))
        }
        func tap(_ milliseconds: Int64, _ column: Double, _ row: Double, held: Int64 = 60) -> [TouchScript.Line] {
            [
                .init(
                    at: Instant(milliseconds: milliseconds), act: .touch(contact: 1, .down, column: column, row: row)),
                .init(
                    at: Instant(milliseconds: milliseconds + held),
                    act: .touch(contact: 1, .up, column: column, row: row)),
            ]
        }
        // The empty pattern is copied into scenes 1 and 2, and 2 is queued. It begins at 6000 ms.
        let lines =
            tap(0, 41, 2.2, held: 700) + tap(1000, 41.4, 4.3, held: 700) + tap(2000, 41.4, 2.2)
            + [control(3990, .record(true)), control(4000, .key(.playStop))] + tap(4200, 41.4, 4.3)
            // Early, one lifted before the scene begins and one after.
            + tap(5950, 20, 7, held: 30) + tap(5985, 20, 21, held: 100)
        var plan = Replay.Plan(TouchScript(lines.sorted { $0.at < $1.at }))
        plan.until = Instant(milliseconds: 7000)
        let outcome = try Replay.run(plan)
        #expect(outcome.state.scene == 1)
        let pattern = outcome.document.pattern
        #expect(pattern[.melody, note: 0, step: 0] == .normal && pattern[.rhythm, note: 0, step: 0] == .normal)
        let first = outcome.document.scenes.pattern(in: 0, playing: pattern)
        #expect(first?.isEmpty == true)
    }

    @Test(
        "a tap of a player who hears the sound later is written where it was heard",
        arguments: [0, 60, 140, 250] as [Int64], [-55, 0, 55] as [Int64])
    func heardLater(delay: Int64, off: Int64) throws {
        // Step 5 is heard at 1000 + 625 ms, and by the player so much later.
        let at = 1625 + delay + off
        let lines: [TouchScript.Line] = [
            .init(at: Instant(milliseconds: 990), act: .control(.record(true))),
            .init(at: Instant(milliseconds: 991), act: .control(.quantise(100))),
            .init(at: Instant(milliseconds: 1000), act: .control(.key(.playStop))),
            .init(
                at: Instant(milliseconds: at),
                act: .touch(contact: 0, .down, column: 30, row: 21, delay: .milliseconds(delay))),
            .init(at: Instant(milliseconds: at + 30), act: .touch(contact: 0, .up, column: 30, row: 21)),
        ]
        var plan = Replay.Plan(TouchScript(lines))
        plan.until = Instant(milliseconds: 4000)
        let pattern = try Replay.run(plan).document.pattern
        let steps = (0..<Pattern.steps).filter { pattern[.rhythm, note: 0, step: $0] != .empty }
        #expect(steps == [5])
    }

    @Test(
        "a landing that an overlay reports late is recorded where the finger landed",
        arguments: [(0, 0), (100, 0), (0, 120), (90, 80)] as [(Int64, Int64)])
    func reportedLate(debounce: Int64, delay: Int64) throws {
        func control(_ milliseconds: Int64, _ event: Instrument.Event) -> TouchScript.Line {
            .init(at: Instant(milliseconds: milliseconds), act: .control(event))
        }
        // Step 5 is heard at 1625 ms, and the finger lands 55 ms later; the device reports it after its own delay.
        let at = 1680 + delay
        let player = ScriptPlayer(
            TouchScript([
                control(990, .record(true)), control(991, .quantise(0)), control(1000, .key(.playStop)),
                .init(at: Instant(milliseconds: at), act: .touch(contact: 0, .down, column: 30, row: 21)),
                .init(at: Instant(milliseconds: at + 150), act: .touch(contact: 0, .up, column: 30, row: 21)),
            ]), columns: 44, rows: Instrument.rows)
        let overlay = FilteredOverlay(player.overlay)
        overlay.settings.debounce = .milliseconds(debounce)
        overlay.settings.delay = .milliseconds(delay)
        let engine = try #require(Engine(rate: 48_000))
        let instrument = Instrument(columns: 44, volume: 70, rules: .box)
        let loop = Loop(
            instrument: instrument, engine: engine, audio: VirtualAudio(engine) { _ in }, panel: Dark(),
            clock: VirtualClock(inputs: [player]), touch: [overlay], controls: [player.keyboard])
        loop.run(until: Instant(milliseconds: 3000))
        let pattern = loop.instrument.state.session.composition.pattern
        let steps = (0..<Pattern.steps).filter { pattern[.rhythm, note: 0, step: $0] != .empty }
        #expect(steps == [5])
        // 55 of 125 ms.
        #expect(pattern.lanes[.rhythm, .shift, step: 5] == 44)
    }

    @Test("quantise is set by the fader of the settings' second page, at once for the next note")
    func fader() throws {
        func touch(_ milliseconds: Int64, _ phase: Touch.Phase, _ column: Double, _ row: Double) -> TouchScript.Line {
            .init(at: Instant(milliseconds: milliseconds), act: .touch(contact: 0, phase, column: column, row: row))
        }
        // The menu, the settings, a drag upwards, the cap of Q from the top to the bottom.
        let lines = [
            touch(100, .down, 1, 1), touch(150, .up, 1, 1), touch(1100, .down, 2, 19), touch(1150, .up, 2, 19),
            touch(2100, .down, 20, 20), touch(2200, .up, 20, 10), touch(3000, .down, 2, 7), touch(3200, .move, 2, 12),
            touch(3400, .move, 2, 17), touch(3600, .up, 2, 17),
        ]
        let state = try Replay.run(Replay.Plan(TouchScript(lines))).state
        #expect(state.session.quantise == 0)
    }
}
