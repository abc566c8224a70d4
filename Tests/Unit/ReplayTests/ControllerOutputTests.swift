import Documents
import InputEvents
import Instrument
import Replay
import Runtime
import TestSupport
import Testing

@Suite("Controllers and programs that a pattern sends")
struct ControllerOutputTests {
    /// The messages of `pattern` from Play on, each with its step of 6000 frames. `lines` come after Play.
    private func play(
        _ pattern: Pattern, scenes: Scenes = Scenes(), _ lines: [TouchScript.Line] = [], steps: Int
    ) throws -> [(step: Int, bytes: [UInt8])] {
        let play = TouchScript.Line(at: .zero, act: .control(.key(.playStop)))
        var plan = Replay.Plan(TouchScript([play] + lines))
        plan.start = PatternDocument(pattern: pattern, scenes: scenes)
        plan.until = Instant(milliseconds: Int64(125 * steps) - 1)
        var messages: [(step: Int, bytes: [UInt8])] = []
        var observers = Replay.Observers()
        observers.midi = { message in
            guard message.bytes[0] != 0xf8 else { return }
            messages.append((Int(message.frame / 6000), message.bytes))
        }
        _ = try Replay.run(plan, observers)
        return messages
    }

    /// A melody on every second step of 16, at 120 BPM.
    private var melody: Pattern {
        var pattern = Pattern()
        pattern.tempo = Tempo(120)
        for step in stride(from: 0, to: 16, by: 2) { pattern[.melody, note: 0, step: step] = .normal }
        return pattern
    }

    /// The melody's cut-off is 2000 Hz, the 20th of 30 third octaves from 20 Hz on: 64 + 126 (2/3 − 1/2) = 85. Five
    /// octaves below lie 63 Hz, the fifth: 128 · 5/30 = 21. Above it ends at 20 kHz.
    @Test("a step's value goes out with its note, after it, and the fader's with the next step without one")
    func lanes() throws {
        var pattern = melody
        pattern.lanes[.melody, .cutoff, step: 4] = -100
        pattern.lanes[.melody, .cutoff, step: 6] = -100
        pattern.lanes[.melody, .cutoff, step: 8] = 100
        pattern.lanes[.melody, .pan, step: 8] = 100
        let messages = try play(pattern, steps: 16)
        let controllers = messages.filter { $0.bytes[0] & 0xf0 == 0xb0 && $0.bytes[1] < 120 }
        #expect(controllers.map(\.step) == [4, 8, 8, 10, 10])
        #expect(
            controllers.map(\.bytes) == [
                [0xb0, 74, 21], [0xb0, 74, 127], [0xb0, 10, 127], [0xb0, 74, 85], [0xb0, 10, 64],
            ])
        for step in [4, 8, 10] {
            let kinds = messages.filter { $0.step == step }.map { $0.bytes[0] & 0xf0 }
            let note = try #require(kinds.firstIndex(of: 0x90))
            #expect(kinds[(note + 1)...].allSatisfy { $0 == 0xb0 } && note + 1 < kinds.count, "step \(step)")
        }
    }

    @Test("a velocity of a lane is that of the note")
    func velocity() throws {
        var pattern = melody
        pattern.lanes[.melody, .velocity, step: 2] = 33
        let notes = try play(pattern, steps: 4).filter { $0.bytes[0] == 0x90 }
        #expect(notes.map { $0.bytes[2] } == [80, 33])
    }

    @Test("a pattern without values sends no controllers")
    func none() throws {
        let messages = try play(melody, steps: 32)
        #expect(!messages.contains { $0.bytes[0] & 0xf0 == 0xb0 })
    }

    @Test(
        "a pattern's programs go out before its first note, again at Play, and with a scene or part that has others",
        arguments: [TouchScript.Act.midi([0xc0, 1], port: nil), .control(.remote(.part(.melody, 1)))])
    func programs(choice: TouchScript.Act) throws {
        var first = melody
        first[program: .melody] = SoundProgram(12, bank: 300)
        first[program: .rhythm] = SoundProgram(1)
        var second = first
        second[program: .melody] = SoundProgram(128)
        func line(_ step: Int, _ act: TouchScript.Act) -> TouchScript.Line {
            TouchScript.Line(at: Instant(milliseconds: Int64(125 * step)), act: act)
        }
        let chosen = line(4, choice)
        let keys = [40, 44].map { line($0, .control(.key(.playStop))) }
        let messages = try play(first, scenes: Scenes([first, second]), [chosen] + keys, steps: 48)
        let kinds: [UInt8] = [0x90, 0xb0, 0xc0, 0xf0]
        for (step, expected) in [
            (0, [[0xfa], [0xb0, 0, 2], [0xb0, 32, 44], [0xc0, 11], [0xc9, 0]]),
            (16, [[0xc0, 127]]),
            (44, [[0xfa], [0xc0, 127], [0xc9, 0]]),
        ] as [(Int, [[UInt8]])] {
            let sent = messages.filter { $0.step == step && kinds.contains($0.bytes[0] & 0xf0) }.map(\.bytes)
            #expect(Array(sent.prefix(expected.count)) == expected, "step \(step)")
            #expect(sent.dropFirst(expected.count).map { $0[0] } == [0x90], "step \(step)")
        }
        #expect(messages.filter { $0.bytes[0] & 0xf0 == 0xc0 }.count == 5)
    }

    @Test("of one frame notes come first, and of one controller only the last value; one without a number is not sent")
    func order() {
        var numbers = TrackControllers()
        numbers[.melody, .pan] = nil
        var sender = MIDISender(TrackChannels(), numbers)
        var sent: [[UInt8]] = []
        func handle(_ report: Engine.Report, at frame: UInt64) {
            sender.handle(report, at: frame) { sent.append($0.bytes) }
        }
        func note(_ track: Track) -> Engine.Report {
            .note(Engine.Note(track: track, note: 0, velocity: 80, steps: 1), step: 0)
        }
        handle(.transmission(.control(.melody, .cutoff, 20)), at: 10)
        handle(.transmission(.control(.melody, .cutoff, 20_000)), at: 10)
        handle(.transmission(.control(.bass, .cutoff, 20)), at: 10)
        handle(.transmission(.control(.melody, .pan, 0)), at: 10)
        handle(.transmission(.control(.melody, .drive, 0)), at: 10)
        handle(note(.rhythm), at: 10)
        #expect(sent == [[0x99, 36, 80]])
        handle(note(.melody), at: 11)
        #expect(sent[1...] == [[0xb0, 74, 127], [0xb2, 74, 0], [0x90, UInt8(Track.melody.midiKey(of: 0)), 80]])
        handle(.transmission(.control(.melody, .delay, 100)), at: 12)
        sender.flush { sent.append($0.bytes) }
        #expect(sent.last == [0xb0, 94, 127])
        sender.flush { _ in Issue.record("it is sent twice") }
    }
}
