import Display
import Documents
import InputEvents
import Instrument
import Panel
import Replay
import Runtime
import TestSupport
import Testing

/// A clock whose waits end late, as on a busy machine.
private final class LateClock: LoopClock, @unchecked Sendable {
    private(set) var now = start
    private let player: ScriptPlayer
    private var random: SplitMix

    /// Two hours after the machine's start.
    static let start = Instant(milliseconds: 7_200_000)

    init(_ player: ScriptPlayer, _ random: SplitMix) {
        self.player = player
        self.random = random
        player.play(until: now)
    }

    func wait(until deadline: Instant) {
        let next = min(deadline, player.nextInput ?? deadline)
        let late = Bool.random(using: &random) ? 0 : Int64.random(in: 0...3000, using: &random)
        let stall: Int64 = Int.random(in: 0..<100, using: &random) == 0 ? 40_000 : 0
        now = max(now, next) + Instant.Span(microseconds: late + stall)
        player.play(until: now)
    }

    func wake() {}
}

/// A device that takes sound in periods, ahead of the time and unevenly, and applies a command when it reads it.
private final class LateAudio: AudioOutput {
    let engine: Engine
    private(set) var sound: [Float] = []
    private var random: SplitMix
    private let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * period)
    private var rendered = 0

    static let period = 128
    private static let buffer = 3 * period

    init(_ engine: Engine, _ random: SplitMix) {
        self.engine = engine
        self.random = random
    }

    deinit { samples.deallocate() }

    private func heard(at now: Instant) -> Double {
        Double((now - LateClock.start).microseconds) * Double(engine.rate) / 1_000_000
    }

    func advance(to now: Instant) {
        let ahead = Self.buffer - Int.random(in: 0...Self.period, using: &random)
        while Double(rendered) < heard(at: now) + Double(ahead) {
            engine.render(into: samples)
            sound.append(contentsOf: samples)
            rendered += Self.period
        }
    }

    func frame(at now: Instant) -> UInt64 { 0 }

    func time(of frame: UInt64) -> Instant {
        let jitter = Int64.random(in: 0...20, using: &random)
        return LateClock.start + Instant.Span(microseconds: Int64(frame) * 1_000_000 / Int64(engine.rate) + jitter)
    }

    func place(at now: Instant) -> Double? { max(0, heard(at: now) + Double.random(in: -1...1, using: &random)) }
}

/// A panel that shows nothing.
private final class Nothing: FrameOutput {
    func show(_ frame: Display.Frame, at now: Instant) {}
}

@Suite("Recording a session")
struct SessionRecordingTests {
    /// Ten seconds of fingers, keys, notes and clocks.
    private func script(_ random: inout SplitMix) -> TouchScript {
        var lines: [TouchScript.Line] = []
        func add(_ milliseconds: Double, _ act: TouchScript.Act) {
            let span = Instant.Span(microseconds: Int64(milliseconds * 1000))
            lines.append(TouchScript.Line(at: LateClock.start + span, act: act))
        }
        add(200, .control(.key(.playStop)))
        for contact in 0..<120 {
            let begin = Double.random(in: 100...9500, using: &random)
            let length = [30, 200, 700].randomElement(using: &random) ?? 30
            let (x, y) = (Double.random(in: 0...43, using: &random), Double.random(in: 2...23, using: &random))
            let delay = Instant.Span.milliseconds([0, 0, 60, 200].randomElement(using: &random) ?? 0)
            add(begin, .touch(contact: contact, .down, column: x, row: y, delay: delay))
            if Bool.random(using: &random) {
                let column = min(43, x + Double.random(in: 0...6, using: &random))
                add(begin + Double(length) / 2, .touch(contact: contact, .move, column: column, row: y))
            }
            add(begin + Double(length), .touch(contact: contact, .up, column: x, row: y))
        }
        for _ in 0..<20 {
            let key = [Key.undo, .playStop, .playStop].randomElement(using: &random) ?? .undo
            add(.random(in: 300...9500, using: &random), .control(.key(key)))
            let pitch = UInt8.random(in: 36...84, using: &random)
            let begin = Double.random(in: 300...9000, using: &random)
            add(begin, .midi([0x90, pitch, 90], port: nil))
            add(begin + 150, .midi([0x80, pitch, 64], port: nil))
            for move in 0..<12 {
                let value = UInt8.random(in: 0...127, using: &random)
                let messages: [[UInt8]] = [
                    [0xe0, value, 127 - value], [0xd0, value], [0xa0, pitch, value], [0xb0, 74, value],
                ]
                add(begin + 9 * Double(move), .midi(messages.randomElement(using: &random) ?? [], port: nil))
            }
        }
        add(250, .control(.record(true)))
        // A zone of MPE while keys are down, and its end.
        for (milliseconds, members) in [(4000, 7), (7000, 0)] as [(Double, UInt8)] {
            add(milliseconds, .midi([0xb0, 101, 0, 0xb0, 100, 6, 0xb0, 6, members], port: nil))
        }
        let source = SyncSource.allCases.randomElement(using: &random) ?? .internal
        add(3000, .control(.sync(.source(source))))
        for tick in 0..<250 {
            let jitter = Double.random(in: -2.8...2.8, using: &random)
            add(3100 + Double(tick) * 20.8 + jitter, .midi([0xf8], port: nil))
            if tick % 12 == 0 { add(3100 + Double(tick) * 20.8 + jitter, .control(.edge(.clock))) }
        }
        for beat in 0..<10 {
            let state = LinkState(tempo: 110, beat: Double(beat), peers: 1)
            add(3050 + Double(beat) * 545.45, .control(.link(state)))
        }
        // Programs on the network, and pictures that come and go.
        let commands: [RemoteCommand] = [
            .play, .tempo(90), .tempo(133), .scene(1), .scene(3), .mute(.bass, true), .toggleMute(.melody),
            .solo(.rhythm, true), .solo(.rhythm, false), .part(.bass, 2), .part(.melody, 1), .part(.rhythm, 3),
            .part(.chords, 0), .part(.melody, 2),
        ]
        for command in commands { add(.random(in: 500...9000, using: &random), .control(.remote(command))) }
        let sources = [
            LightSource(number: 2, name: "DDP 60"), LightSource(number: 3, name: "GRID", takesTouches: true),
        ]
        add(2000, .control(.lights(sources)))
        add(6000, .control(.lights([])))
        lines.sort { $0.at < $1.at }
        return TouchScript(lines)
    }

    /// A session with four scenes, half a bar each, chained or in a song.
    private func session(_ mode: SceneMode) -> Session {
        var patterns: [Pattern] = []
        for note in 0..<4 {
            var pattern = Pattern()
            pattern.length = 8
            for step in 0..<8 { pattern[.melody, note: 2 * note, step: step] = .normal }
            // Melody is the track of the keys: what they record depends on its own step.
            pattern.lanes[.melody, .chance, step: note] = 50
            pattern[shape: .melody].length = 3 + note
            pattern[shape: .melody].division = [.whole, .half, .threeHalves, .double][note]
            patterns.append(pattern)
        }
        var session = Session()
        session.composition = Composition(pattern: patterns[0], scenes: Scenes(patterns, current: 0))
        session.composition.song = Song(
            [(0, 2), (2, 1), (2, 1), (1, 3)].map { Song.Entry(scene: $0.0, repeats: $0.1) })
        session.sceneMode = mode
        return session
    }

    @Test(
        "the replay of a recording is the sound of the session, bit for bit", arguments: 1...12 as ClosedRange<UInt64>)
    func sameSound(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let engine = try #require(Engine(rate: 48_000))
        let player = ScriptPlayer(script(&random), columns: 44, rows: Instrument.rows)
        let clock = LateClock(player, SplitMix(seed: seed &+ 100))
        let audio = LateAudio(engine, SplitMix(seed: seed &+ 200))
        var start = RecordedStart(rate: 48_000, volume: 70, rules: .box, sync: SyncSettings())
        start.trackControllers[.melody, .cutoff] = 20
        start.trackControllers[.bass, .pan] = nil
        var instrument = Instrument(
            columns: 44, volume: 70, rules: .box, trackControllers: start.trackControllers)
        let session = session(seed % 2 == 0 ? .chain : .song)
        instrument.load(session)
        let loop = Loop(
            instrument: instrument, engine: engine, audio: audio, panel: Nothing(), clock: clock,
            touch: [player.overlay], controls: [player.keyboard])
        var text = "\(start.text)\n"
        var events = 0
        loop.onUpdate = { update in
            #expect(!update.isLate)
            let act: TouchScript.Act
            switch update.act {
            case .sceneTaken: act = .sceneTaken
            case .event(let event):
                act = .control(event)
                if event != .tick { events += 1 }
            }
            let at = Instant(microseconds: (update.time - LateClock.start).microseconds)
            let line = TouchScript.Line(at: at, act: act, frame: update.frame, place: update.place)
            text += "\(line.text ?? "?")\n"
        }
        loop.run(until: LateClock.start + .milliseconds(10_000))

        var plan = Replay.Plan(try TouchScript(parsing: Array(text.utf8)))
        plan.session = session
        var repeated: [Float] = []
        var observers = Replay.Observers()
        observers.sound = { repeated.append(contentsOf: $0) }
        _ = try Replay.run(plan, observers)
        let live = audio.sound.dropFirst(2 * engine.latency)
        let count = min(live.count, repeated.count)
        #expect(events > 300 && count > 2 * 9 * 48_000)
        let difference = zip(live.prefix(count), repeated).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(difference == nil, "frame \((difference?.offset ?? 0) / 2), seed \(seed)")
        #expect(live.contains { abs($0) > 0.05 })
    }
}
