import InputEvents
import Display
import Documents
import Instrument
import Panel
import Replay
import Runtime
import Testing

@Suite("The loop, on a virtual clock")
struct LoopTests {
    private func replay(
        _ text: String, _ change: (inout Replay.Plan) -> Void = { _ in }, _ observers: Replay.Observers = .init()
    )
        throws -> Replay.Outcome
    {
        var plan = Replay.Plan(try TouchScript(parsing: Array(text.utf8)))
        change(&plan)
        return try Replay.run(plan, observers)
    }

    static let tapAndPlay = """
        {"at": 100, "touch": 0, "phase": "down", "col": 4, "row": 21}
        {"at": 180, "touch": 0, "phase": "up", "col": 4, "row": 21}
        {"at": 200, "touch": 0, "phase": "down", "col": 6, "row": 21}
        {"at": 280, "touch": 0, "phase": "up", "col": 6, "row": 21}
        {"at": 1003, "key": "space"}
        """

    @Test("Play starts step 0 on the key's sample, and steps follow at 60/BPM/4 s")
    func timing() throws {
        var notes: [NoteEvent] = []
        var observers = Replay.Observers()
        observers.note = { notes.append($0) }
        _ = try replay(Self.tapAndPlay, { $0.until = Instant(milliseconds: 9100) }, observers)
        #expect(notes.map(\.milliseconds) == [1003, 1253, 5003, 5253, 9003])
        #expect(notes.map(\.step) == [0, 2, 0, 2, 0])
    }

    @Test("--loops N plays the pattern exactly N times, from a stopped or a running transport", arguments: [500, 1500])
    func loops(until: Int64) throws {
        var notes = 0
        var observers = Replay.Observers()
        observers.note = { if $0.milliseconds >= Double(until) { notes += $0.step == 0 ? 1 : 0 } }
        let outcome = try replay(
            Self.tapAndPlay,
            {
                $0.until = Instant(milliseconds: until)
                $0.script.lines.removeAll { $0.at > Instant(milliseconds: until) }
                $0.loops = 3
            }, observers)
        #expect(notes == 3)
        #expect(outcome.end == Instant(milliseconds: until + 12_000))
        #expect(outcome.state.isPlaying)
    }

    @Test("the playhead is on the sounding step")
    func playhead() throws {
        let outcome = try replay(Self.tapAndPlay, { $0.until = Instant(milliseconds: 1003 + 125 * 5 + 10) })
        #expect(outcome.state.transport.playhead?.step == 5)
        #expect(outcome.state.transport.playhead?.since == Instant(milliseconds: 1003 + 625))
        #expect(outcome.frame[9, 4] == RGB(0x1a1a1a))
    }

    @Test("the block size makes no difference to a single sample", arguments: [16, 64, 128, 333])
    func blocks(block: Int) throws {
        func sound(_ block: Int) throws -> [Float] {
            var samples: [Float] = []
            var observers = Replay.Observers()
            observers.sound = { samples += $0 }
            _ = try replay(
                Self.tapAndPlay,
                {
                    $0.until = Instant(milliseconds: 2500)
                    $0.block = block
                }, observers)
            return samples
        }
        let samples = try sound(block)
        #expect(samples.count == 2 * 120_000)
        let reference = try sound(4096)
        #expect(samples == reference)
        #expect(samples.contains { $0 != 0 })
    }

    @Test("the simulated panel shows the drawn frame, decoded from the bytes on the wire")
    func light() throws {
        let outcome = try replay(Self.tapAndPlay, { $0.until = Instant(milliseconds: 2500) })
        for (index, colour) in outcome.frame.pixels.enumerated() where max(colour.red, colour.green, colour.blue) > 64 {
            #expect(abs(Int(outcome.light[3 * index]) - Int(colour.red)) <= 8)
            #expect(abs(Int(outcome.light[3 * index + 1]) - Int(colour.green)) <= 8)
            #expect(abs(Int(outcome.light[3 * index + 2]) - Int(colour.blue)) <= 8)
        }
    }

    @Test("frames are sent 60 times a second, at once after an event, and only if they differ")
    func frames() throws {
        var times: [Instant] = []
        var last: [UInt8] = []
        var repeats = 0
        var observers = Replay.Observers()
        observers.wire = { message, _, at in
            times.append(at)
            if message == last { repeats += 1 }
            last = message
        }
        _ = try replay(Self.tapAndPlay, { $0.until = Instant(milliseconds: 6000) }, observers)
        // The events: the script's lines, and the sounding steps after the key.
        let happenings =
            [100, 180, 200, 280, 1003].map { Instant(milliseconds: $0) }
            + (0..<40).map { Instant(milliseconds: 1003 + 125 * $0) }
        for time in happenings.prefix(5) { #expect(times.contains(time), "\(time)") }
        let unasked = times.filter { !happenings.contains($0) }
        #expect(zip(unasked, unasked.dropFirst()).allSatisfy { $1 - $0 >= Instant.Span(microseconds: 16_667) })
        #expect((250...400).contains(times.count))
        // Two different frames may have the same bytes if the LED's steps are coarser than the colours'.
        #expect(repeats < times.count / 10)
    }

    @Test("a touch reaches the panel within a frame")
    func latency() throws {
        var first: Instant?
        var observers = Replay.Observers()
        let down = Instant(milliseconds: 1234)
        var before: [UInt8] = []
        observers.wire = { message, _, at in
            // Row 13 runs backwards in the serpentine; the LED of column 20 is its 24th.
            let led = 13 * 44 + 23
            let word = Array(message.dropFirst(4 + 4 * led).prefix(4))
            if at < down { before = word } else if first == nil, word != before { first = at }
        }
        _ = try replay(
            #"{"at": 1234, "touch": 0, "phase": "down", "col": 20, "row": 13}"#,
            { $0.until = Instant(milliseconds: 1300) }, observers)
        let seen = try #require(first)
        #expect(seen - down <= Instant.Span(microseconds: 16_667))
    }

    @Test("fingers may be fractional: a fader gets fractions of an LED")
    func fractions() throws {
        let outcome = try replay(
            """
            {"at": 0, "touch": 5, "phase": "down", "col": 10.4, "row": 0}
            {"at": 50, "touch": 5, "phase": "up", "col": 10.4, "row": 0}
            {"at": 100, "touch": 9, "phase": "down", "col": 9.6, "row": 0}
            {"at": 150, "touch": 9, "phase": "up", "col": 9.6, "row": 0}
            """)
        #expect(outcome.document.pattern.tonality == Tonality(root: 0, scale: .penta))
    }

    @Test("a script's cancelled touch does nothing")
    func cancel() throws {
        let outcome = try replay(
            """
            {"at": 0, "touch": 0, "phase": "down", "col": 10, "row": 5}
            {"at": 90, "touch": 0, "phase": "cancel", "col": 10, "row": 5}
            """)
        #expect(outcome.document.pattern.isEmpty)
    }

    @Test("a script's settings reach the box in time, and leave the rest of the sound unchanged")
    func settings() throws {
        let script = """
            {"at": 100, "set": "bass.cutoff", "value": 800}
            {"at": 200, "key": "up"}
            {"at": 300, "set": "bass.cutoff", "value": 900}
            {"at": 300, "set": "metronome", "value": true}
            {"at": 300, "set": "countIn", "value": 1}
            """
        var start = PatternDocument(pattern: Pattern())
        start.sound[.swing] = 60
        start.sound[.track(.melody, .pan)] = -30
        let early = try replay(
            script,
            {
                $0.start = start
                $0.until = Instant(milliseconds: 200)
                $0.script.lines.removeAll { $0.at > Instant(milliseconds: 200) }
            })
        var expected = start
        expected.sound[.track(.bass, .cutoff)] = 800
        expected.pattern.tempo = 125
        #expect(early.document == expected)
        #expect(!early.state.session.metronome && early.state.session.countIn == 0)
        let late = try replay(script, { $0.start = start })
        expected.sound[.track(.bass, .cutoff)] = 900
        #expect(late.document == expected)
        #expect(late.state.session.metronome && late.state.session.countIn == 1)
    }

    @Test("the panel's brightness follows the setting at once, even if the picture does not change")
    func brightness() throws {
        func light(_ script: String) throws -> Int { try replay(script).light.reduce(0) { $0 + Int($1) } }
        let key = #"{"at": 10, "touch": 0, "phase": "down", "col": 10, "row": 23}"#
        let full = try light(key)
        let dimmed = try light(key + "\n" + #"{"at": 100, "set": "brightness", "value": 20}"#)
        #expect(dimmed > 0 && Double(dimmed) < 0.7 * Double(full))
        #expect(try light(key + "\n" + #"{"at": 10, "set": "brightness", "value": 100}"#) == full)
    }

    @Test("heat and a fault limit the light of a bright picture at once, and a dark one is shown as it is")
    func lightLimit() throws {
        func light(_ script: String, zone amps: Double) throws -> Int {
            try replay(
                script,
                {
                    $0.panel.zones = [PanelConfiguration.Zone(amps: amps, from: 0, count: 1056)]
                    $0.until = Instant(milliseconds: 3000)
                }
            ).light.reduce(0) { $0 + Int($1) }
        }
        // The flash guard depends on the times of the frames: a step of a few channels.
        func isSame(_ one: Int, _ other: Int) -> Bool { abs(one - other) < other / 1000 }
        let key = #"{"at": 10, "touch": 0, "phase": "down", "col": 10, "row": 23}"#
        let full = try light(key, zone: 1.3)
        for line in [#"{"at": 100, "heat": 75}"#, #"{"at": 100, "fault": true}"#] {
            let limited = try light(key + "\n" + line, zone: 1.3)
            #expect(limited > 0 && Double(limited) < 0.8 * Double(full), "\(line)")
            let (with, without) = (try light(key + "\n" + line, zone: 100), try light(key, zone: 100))
            #expect(isSame(with, without), "\(line)")
        }
        #expect(isSame(try light(key + "\n" + #"{"at": 100, "heat": 60}"#, zone: 1.3), full))
    }

    @Test("a panel bus that fails is counted, and the next frame is sent")
    func brokenBus() throws {
        final class Bus: PanelBus {
            struct Broken: Error {}
            var sent = 0
            func send(_ message: [UInt8], chain: Int, at now: Instant) throws {
                sent += 1
                if sent % 2 == 1 { throw Broken() }
            }
        }
        let bus = Bus()
        let panel = DirectPanel(try PanelDriver(PanelConfiguration()), bus: bus)
        for _ in 0..<4 { panel.show(Frame(columns: 44, rows: 24), at: .zero) }
        #expect(panel.counters.failures == 2)
        #expect(panel.counters.bytes == 2 * 4298)
    }
}
