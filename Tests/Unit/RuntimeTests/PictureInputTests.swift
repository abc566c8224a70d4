import Display
import InputEvents
import Instrument
import Replay
import Runtime
import Synchronization
import Testing

/// A machine that sends pictures of one colour, each at its time.
private final class Machine: PictureInput, ScriptedInput, @unchecked Sendable {
    private var times: [Instant]
    private var red: UInt8 = 0
    private var isNew = false
    private(set) var followed: [Int?] = []

    init(_ times: [Instant]) { self.times = times }

    var nextInput: Instant? { times.first }

    func play(until now: Instant) {
        while let time = times.first, time <= now {
            times.removeFirst()
            red += 1
            isNew = true
        }
    }

    func follow(_ source: Int?) -> Bool {
        if followed.last != source { followed.append(source) }
        defer { isNew = false }
        return isNew && source == 4
    }

    func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        frame.fill(columns: columns, rows: rows, RGB(red: red, green: 0, blue: UInt8(source)))
    }

    func read(into events: inout [ControlEvent]) {}
}

/// A panel that notes each frame and its time.
private final class Panel: FrameOutput {
    var frames: [(frame: Frame, time: Instant)] = []
    func show(_ frame: Frame, at now: Instant) { frames.append((frame, now)) }
}

private final class Silence: AudioOutput {
    func advance(to now: Instant) {}
    func frame(at now: Instant) -> UInt64 { 0 }
    func time(of frame: UInt64) -> Instant { .zero }
    func place(at now: Instant) -> Double? { nil }
}

@Suite("Pictures of other machines")
struct PictureInputTests {
    @Test("each is on the panel in the pass in which it arrives, and only while its source is shown")
    func passes() throws {
        let times = (1...200).map { Instant(microseconds: Int64($0) * 13_333) }
        let machine = Machine(times)
        var instrument = Instrument()
        func tap(_ column: Float, _ row: Float) {
            for phase in [Touch.Phase.down, .up] {
                _ = instrument.update(.touch(Touch(contact: 0, phase: phase, column: column, row: row)), at: .zero)
            }
        }
        _ = instrument.update(.lights([LightSource(number: 4, name: "DDP 75")]), at: .zero)
        for (column, row) in [(1, 1), (2, 19), (35, 21), (10, 15)] as [(Float, Float)] { tap(column, row) }
        let panel = Panel()
        let clock = VirtualClock(inputs: [machine])
        let engine = try #require(Engine(rate: 48_000))
        let loop = Loop(
            instrument: instrument, engine: engine, audio: Silence(), panel: panel, clock: clock, pictures: machine)
        loop.run(until: times.last)
        // The first frame is the frame of the start, before any picture.
        let shown = panel.frames.dropFirst()
        #expect(shown.map(\.time) == times)
        for (number, (frame, _)) in shown.enumerated() {
            #expect(frame.pixels.allSatisfy { $0 == RGB(red: UInt8(number + 1), green: 0, blue: 4) })
        }
        #expect(machine.followed == [4])
    }
}

/// An input that tells what it was asked.
private final class Asked: PictureInput, @unchecked Sendable {
    var news: [LightSource]?
    private(set) var followed: Int?
    private(set) var touched: [Int] = []

    func follow(_ source: Int?) -> Bool {
        defer { followed = source }
        return source != nil
    }

    func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        frame.fill(columns: columns, rows: rows, RGB(red: UInt8(source), green: 0, blue: 0))
    }

    func touch(_ source: Int, _ touch: Touch) { touched.append(source) }

    func read(into events: inout [ControlEvent]) {
        if let news { events.append(ControlEvent(time: .zero, event: .lights(news))) }
        news = nil
    }
}

@Suite("Several inputs of pictures")
struct PictureInputsTests {
    @Test("have all sources, each with a number of its own that leads to its input")
    func numbers() throws {
        let (one, other) = (Asked(), Asked())
        let inputs = PictureInputs([one, other])
        func events() -> [Instrument.Event] {
            var events: [ControlEvent] = []
            inputs.read(into: &events)
            return events.map(\.event)
        }
        #expect(events().isEmpty)
        one.news = [LightSource(number: 0, name: "A"), LightSource(number: 7, name: "B")]
        _ = events()
        other.news = [LightSource(number: 7, name: "C", takesTouches: true)]
        let all = [
            LightSource(number: 0, name: "A"), LightSource(number: 14, name: "B"),
            LightSource(number: 15, name: "C", takesTouches: true),
        ]
        #expect(events() == [.lights(all)])
        #expect(inputs.follow(15) && one.followed == nil && other.followed == 7)
        #expect(!inputs.follow(nil) && other.followed == nil)
        var frame = Frame(columns: 44, rows: 24)
        inputs.draw(14, into: &frame, columns: 0..<1, rows: 0..<1)
        #expect(frame[0, 0].red == 7)
        inputs.touch(15, Touch(contact: 0, phase: .down, column: 0, row: 0))
        #expect(one.touched.isEmpty && other.touched == [7])
        one.news = []
        #expect(events() == [.lights([all[2]])])
    }
}
