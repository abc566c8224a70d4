import Display
import Formats
import Instrument
import Panel
import Runtime
import Simulator
import Testing

@Suite("Protocol B becomes fingers")
struct ContactDecoderTests {
    private let axes = TouchAxes(x: 0...4399, y: 0...2399)

    private func decode(_ reports: [(UInt16, Int32)], matrix: [Double] = [1, 0, 0, 0, 1, 0]) -> [Touch] {
        var decoder = ContactDecoder(axes: axes, columns: 44, rows: 24, matrix: matrix)
        var touches: [Touch] = []
        for (code, value) in reports {
            let type = code == 0 ? InputCode.synchronisation : InputCode.absolute
            decoder.take(InputReport(time: .zero, type: type, code: code, value: value), into: &touches)
        }
        return touches
    }

    private let land: [(UInt16, Int32)] = [
        (InputCode.trackingID, 7), (InputCode.positionX, 450), (InputCode.positionY, 1250), (InputCode.report, 0),
    ]

    @Test("slot 0 is implicit; a finger lands, moves and lifts")
    func one() {
        let touches = decode(
            land + [
                (InputCode.positionX, 550), (InputCode.report, 0), (InputCode.trackingID, -1), (InputCode.report, 0),
            ])
        #expect(touches.map(\.phase) == [.down, .move, .up])
        #expect(touches.map(\.column) == [4, 5, 5])
        #expect(touches.map(\.row) == [12, 12, 12])
    }

    @Test("nothing is said before the packet ends")
    func packets() { #expect(decode(Array(land.dropLast())).isEmpty) }

    @Test("a new tracking id without a lift is another finger")
    func replaced() {
        let touches = decode(land + [(InputCode.trackingID, 8), (InputCode.report, 0)])
        #expect(touches.map(\.phase) == [.down, .up, .down])
    }

    @Test("a palm withdraws its contact, and is no contact while it lies there")
    func palm() {
        let palm = [(InputCode.toolType, InputCode.toolPalm), (InputCode.report, 0)]
        let touches = decode(land + palm + [(InputCode.positionX, 3), (InputCode.report, 0)])
        #expect(touches.map(\.phase) == [.down, .cancel])
    }

    @Test("seventeen fingers: sixteen are followed, and the next one that lands after a lift takes the place")
    func many() {
        var reports: [(UInt16, Int32)] = []
        for slot in 0..<17 as Range<Int32> { reports += [(InputCode.slot, slot), (InputCode.trackingID, slot)] }
        reports += [(InputCode.report, 0), (InputCode.slot, 3), (InputCode.trackingID, -1), (InputCode.report, 0)]
        reports += [(InputCode.slot, 20), (InputCode.trackingID, 99), (InputCode.report, 0)]
        let touches = decode(reports)
        #expect(touches.prefix(16).map(\.contact) == Array(0..<16))
        #expect(touches.dropFirst(16).map(\.phase) == [.up, .down])
        #expect(touches.last?.contact == 3)
    }

    @Test("slots beyond those followed, and negative ones, are passed over", arguments: [64, 1000, -1])
    func strangeSlots(slot: Int32) { #expect(decode([(InputCode.slot, slot)] + land).isEmpty) }

    @Test(
        "the matrix turns the panel",
        arguments: [
            ([0, -1, 1, 1, 0, 0], 20.75, 1.954), ([-1, 0, 1, 0, -1, 1], 39.5, 11.5), ([1, 0, 0, 0, 1, 0], 4, 12),
        ] as [([Double], Double, Double)])
    func matrix(matrix: [Double], column: Double, row: Double) {
        let touch = decode(land, matrix: matrix)[0]
        #expect(abs(Double(touch.column) - column) < 1)
        #expect(abs(Double(touch.row) - row) < 1)
    }

    @Test("a place beyond the edge is the LED at the edge")
    func edges() {
        let touch = decode(land, matrix: [5, 0, 2, 0, 5, -4])[0]
        #expect(touch.column < 43.5 && touch.column > 43)
        #expect(touch.row == -0.5)
    }

    @Test("when a device goes every finger is withdrawn")
    func gone() {
        var decoder = ContactDecoder(axes: axes, columns: 44, rows: 24, matrix: [1, 0, 0, 0, 1, 0])
        var touches: [Touch] = []
        for (code, value) in land {
            let type = code == 0 ? InputCode.synchronisation : InputCode.absolute
            decoder.take(InputReport(time: .zero, type: type, code: code, value: value), into: &touches)
        }
        decoder.cancelAll(into: &touches)
        decoder.cancelAll(into: &touches)
        #expect(touches.map(\.phase) == [.down, .cancel])
    }
}

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

    @Test("--loops N plays exactly N times the pattern, from a stopped or a running transport", arguments: [500, 1500])
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

    @Test("the playhead stands on the step that is heard")
    func playhead() throws {
        let outcome = try replay(Self.tapAndPlay, { $0.until = Instant(milliseconds: 1003 + 125 * 5 + 10) })
        #expect(outcome.state.playhead?.step == 5)
        #expect(outcome.state.playhead?.since == Instant(milliseconds: 1003 + 625))
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

    @Test("the simulated panel shows what was drawn, from nothing but the bytes on the wire")
    func light() throws {
        let outcome = try replay(Self.tapAndPlay, { $0.until = Instant(milliseconds: 2500) })
        for (index, colour) in outcome.frame.pixels.enumerated() where max(colour.red, colour.green, colour.blue) > 64 {
            #expect(abs(Int(outcome.light[3 * index]) - Int(colour.red)) <= 8)
            #expect(abs(Int(outcome.light[3 * index + 1]) - Int(colour.green)) <= 8)
            #expect(abs(Int(outcome.light[3 * index + 2]) - Int(colour.blue)) <= 8)
        }
    }

    @Test("frames go out at most 60 a second, and only when they differ")
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
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= Instant.Span(microseconds: 16_667) })
        #expect(times.count > 250)
        // Two frames that differ may meet in the same bytes where the light's steps are coarser than the colours'.
        #expect(repeats < times.count / 10)
    }

    @Test("a touch is on its way to the panel within a frame")
    func latency() throws {
        var first: Instant?
        var observers = Replay.Observers()
        let down = Instant(milliseconds: 1234)
        var before: [UInt8] = []
        observers.wire = { message, _, at in
            // Row 13 runs back in the serpentine; the LED of column 20 is the 24th of it.
            let word = Array(message[(4 + 4 * (13 * 44 + 23))...].prefix(4))
            if at < down { before = word } else if first == nil, word != before { first = at }
        }
        _ = try replay(
            #"{"at": 1234, "touch": 0, "phase": "down", "col": 20, "row": 13}"#,
            { $0.until = Instant(milliseconds: 1300) }, observers)
        let seen = try #require(first)
        #expect(seen - down <= Instant.Span(microseconds: 16_667))
    }

    @Test("fingers may be fractional: a fader's part of an LED arrives")
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

    @Test("a cancelled touch of a script makes nothing")
    func cancel() throws {
        let outcome = try replay(
            """
            {"at": 0, "touch": 0, "phase": "down", "col": 10, "row": 5}
            {"at": 90, "touch": 0, "phase": "cancel", "col": 10, "row": 5}
            """)
        #expect(outcome.document.pattern.isEmpty)
    }

    @Test("settings of a script reach the box in time, and a replay ends with the sound that it began with besides")
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
        expected.pattern.bpm = 125
        #expect(early.document == expected)
        #expect(!early.state.metronome && early.state.countIn == 0)
        let late = try replay(script, { $0.start = start })
        expected.sound[.track(.bass, .cutoff)] = 900
        #expect(late.document == expected)
        #expect(late.state.metronome && late.state.countIn == 1)
    }

    @Test("a panel bus that fails is counted, and the next frame goes out")
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
