import InputEvents
import Instrument
import Runtime
import Synth
import TestSupport
import Testing

/// A box whose sound is rendered in pieces and heard later, and a record of the notes that it should have played.
private struct DelayedBox {
    var instrument = Instrument()
    let engine: Engine
    var random: SplitMix
    private(set) var rendered = 0
    private(set) var stepsSeen = 0
    private(set) var switchesHeard = 0
    var problem: String?

    /// A command to the engine, from a frame on.
    private struct EngineCommand {
        var frame: Int
        var switches: Int
        var isAwaited: Bool
        var played: Pattern
        var upcoming: Pattern?
        var slot: Int?
    }
    private var commands: [EngineCommand] = []
    private var switches = 0
    private var awaited: (slot: Int, heardAt: Int)?
    /// The pattern of the last switch.
    private var brought = Pattern()
    private var stoppedAt = 0
    private var now = Instant.zero
    private let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 4096)

    init?(seed: UInt64) {
        guard let engine = Engine(rate: 48_000) else { return nil }
        self.engine = engine
        random = SplitMix(seed: seed)
        let patterns = (0..<3).map { _ -> Pattern? in tune() }
        var session = Session(Composition(pattern: patterns[0] ?? Pattern(), scenes: Scenes(patterns, current: 0)))
        // Every second box has a song, in which scenes follow themselves.
        if seed % 2 == 0 {
            session.composition.song = Song(
                [(0, 1), (1, 2), (1, 1), (2, 3), (2, 1)].map { Song.Entry(scene: $0.0, repeats: $0.1) })
            session.sceneMode = .song
        }
        instrument.load(session)
        synchronise()
    }

    func free() { buffer.deallocate() }

    private mutating func tune() -> Pattern {
        var pattern = Pattern()
        pattern.tempo = 200
        pattern.length = 8
        for _ in 0..<24 {
            let track = Track.allCases.randomElement(using: &random) ?? .bass
            pattern[track, note: .random(in: 0..<12, using: &random), step: .random(in: 0..<8, using: &random)] =
                .accent
        }
        // Some have velocities of their own.
        for _ in 0..<8 {
            let track = Track.allCases.randomElement(using: &random) ?? .bass
            let note = Int.random(in: 0..<12, using: &random)
            for step in 0..<8 where pattern[track, note: note, step: step] == .accent {
                pattern.setValue(.random(in: 1...127, using: &random), track, .velocity, note: note, step: step)
            }
        }
        return pattern
    }

    mutating func send(_ event: Instrument.Event) {
        now = now + .milliseconds(30)
        let wasPlaying = instrument.state.isPlaying
        _ = instrument.update(event, at: now)
        synchronise()
        if wasPlaying, !instrument.state.isPlaying {
            stoppedAt = commands.last?.frame ?? 0
            awaited = nil
        }
    }

    mutating func tap(_ column: Float, _ row: Float) {
        for phase in [Touch.Phase.down, .up] {
            send(.touch(Touch(contact: 0, phase: phase, column: column, row: row)))
        }
    }

    private mutating func synchronise() {
        let state = instrument.state
        let frame = max(
            commands.last?.frame ?? 0,
            rendered + Int.random(in: 0...(Bool.random(using: &random) ? 100 : 4000), using: &random))
        engine.synchronise(with: state, [], at: UInt64(frame))
        let isAwaited = awaited != nil && state.isPlaying
        let slot = state.upcomingScene?.slot
        commands.append(
            EngineCommand(
                frame: frame, switches: switches, isAwaited: isAwaited, played: state.session.composition.pattern,
                upcoming: slot.flatMap { state.session.composition[scene: $0] }, slot: slot))
    }

    /// Lets `frames` pass, and checks each of their notes.
    mutating func render(_ frames: Int) {
        engine.render(into: UnsafeMutableBufferPointer(rebasing: buffer[..<(2 * frames)]))
        rendered += frames
        var steps: [(frame: Int, step: Int, notes: Set<Engine.Note>)] = []
        var began: [(frame: Int, slot: Int)] = []
        engine.takeReports { frame, report in
            switch report {
            case .step(let step, _): steps.append((Int(frame), step, []))
            case .note(let note, _): steps[steps.count - 1].notes.insert(note)
            case .switched(.scene(let slot), let tag):
                if engine.follow(.scene(slot), tag: tag) { began.append((Int(frame), slot)) }
            case .round, .trackStep, .count, .transmission, .switched, .partsBegan: break
            }
        }
        for step in steps {
            if let first = began.first, first.frame <= step.frame {
                began.removeFirst()
                check(first)
            }
            check(step)
        }
        if let awaited, awaited.heardAt <= rendered {
            self.awaited = nil
            if engine.hearSwitch() {
                switchesHeard += 1
                send(.sceneBegan(awaited.slot))
                if instrument.state.isPlaying, instrument.state.session.composition[scene: awaited.slot] != nil,
                    instrument.state.scene != awaited.slot
                {
                    problem = "scene \(awaited.slot) is heard, and another is shown"
                }
            }
        }
    }

    private mutating func check(_ began: (frame: Int, slot: Int)) {
        guard let last = commands.last(where: { $0.frame <= began.frame }), last.slot == began.slot,
            let pattern = last.upcoming
        else {
            problem = "scene \(began.slot) begins on frame \(began.frame), and was not asked for then"
            return
        }
        brought = pattern
        switches += 1
        awaited = (began.slot, began.frame + Int.random(in: 0...4000, using: &random))
    }

    private mutating func check(_ step: (frame: Int, step: Int, notes: Set<Engine.Note>)) {
        guard step.frame >= stoppedAt else { return }
        stepsSeen += 1
        let last = commands.last { $0.frame <= step.frame && $0.switches == switches && !$0.isAwaited }
        let pattern = last?.played ?? brought
        var notes: Set<Engine.Note> = []
        for track in Track.allCases {
            for note in track.notes {
                let cell = pattern[track, note: note, step: step.step]
                guard cell == .normal || cell == .accent else { continue }
                notes.insert(
                    Engine.Note(
                        track: track, note: note,
                        velocity: pattern.lanes[track, .velocity, note: note, step: step.step]
                            ?? (cell == .accent ? 127 : 80),
                        steps: Double(pattern.runLength(track, note: note, step: step.step))))
            }
        }
        if notes != step.notes {
            problem = "step \(step.step) on frame \(step.frame) plays \(step.notes), should \(notes)"
        }
    }
}

@Suite("Scenes, from the box to the engine")
struct EngineSceneTests {
    @Test(
        "edits, queueing, cancelling, undo and stops around a switch that sounds later: each note is right",
        arguments: 1...24 as ClosedRange<UInt64>)
    func byChance(seed: UInt64) throws {
        var box = try #require(DelayedBox(seed: seed))
        defer { box.free() }
        box.send(.key(.playStop))
        for _ in 0..<1500 where box.problem == nil {
            box.render(.random(in: 1...2000, using: &box.random))
            let slot = Int.random(in: 0..<3, using: &box.random)
            switch Int.random(in: 0..<40, using: &box.random) {
            case 0..<8:
                let row = Float(Int.random(in: 2...21, using: &box.random))
                box.tap(Float(Int.random(in: 4...11, using: &box.random)), row)
            case 8..<16: box.tap(41, [2, 4, 7][slot])
            case 16, 17: box.send(.key(.undo))
            case 18: box.send(.key(.redo))
            case 19: box.tap(41, 22.5)
            case 20:
                box.send(.key(.playStop))
                box.send(.key(.playStop))
            case 21 where !box.instrument.state.isPlaying: box.send(.key(.playStop))
            case 24:
                // Queue one; a pending one is cancelled and requested again.
                box.tap(41, [2, 4, 7][slot])
                box.send(.key(.playStop))
                box.send(.key(.playStop))
                box.tap(41, [2, 4, 7][slot])
            case 22: box.send(.turn(.tempo, by: -200))
            case 23: box.send(.turn(.tempo, by: 200))
            default: break
            }
        }
        #expect(box.problem == nil, "seed \(seed)")
        #expect(box.stepsSeen > 150 && box.switchesHeard > 5, "\(box.stepsSeen) steps, \(box.switchesHeard) switches")
    }

    @Test("a full ring delays commands to the engine, and loses none")
    func fullRing() throws {
        let engine = try #require(Engine(rate: 48_000))
        var (one, two) = (Pattern(), Pattern())
        one.tempo = 150
        two.tempo = 100
        two[.bass, note: 5, step: 0] = .accent
        var instrument = Instrument()
        instrument.load(Session(Composition(pattern: one, scenes: Scenes([one, two], current: 0))))
        var now = Instant.zero
        func send(_ event: Instrument.Event) {
            now = now + .milliseconds(10)
            _ = instrument.update(event, at: now)
            engine.synchronise(with: instrument.state, [], at: 0)
        }
        send(.key(.playStop))
        // Nothing renders: each turn leaves a command in the ring until it is full.
        for count in 0..<8300 { send(.turn(.tempo, by: count % 2 == 0 ? 1 : -1)) }
        for phase in [Touch.Phase.down, .up] { send(.touch(Touch(contact: 0, phase: phase, column: 41, row: 4))) }
        #expect(instrument.state.songPlay.queuedScene == 1)
        let refused = synth_counters(engine.synth).commands_refused
        #expect(refused > 0)
        var began: [UInt64] = []
        var notes: [(frame: UInt64, step: Int)] = []
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 480)
        defer { samples.deallocate() }
        for _ in 0..<300 {
            engine.render(into: samples)
            var heard = false
            engine.takeReports { frame, report in
                if case .switched(.scene(1), let tag) = report, engine.follow(.scene(1), tag: tag) {
                    began.append(frame)
                    heard = true
                }
                if case .note(_, let step) = report { notes.append((frame, step)) }
            }
            if heard {
                #expect(engine.hearSwitch())
                send(.sceneBegan(1))
            } else {
                send(.tick)
            }
        }
        // The 16 steps of a bar at 150 BPM, with 480 frames at the last tempo that fitted, which may be 151.
        #expect(began.count == 1)
        let first = try #require(began.first)
        #expect((76_796...76_800).contains(first))
        #expect(notes.map(\.frame) == [first])
        #expect(instrument.state.scene == 1)
        #expect(synth_counters(engine.synth).commands_refused == refused)
    }
}
