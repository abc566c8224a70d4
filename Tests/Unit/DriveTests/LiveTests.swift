import Display
import Documents
import InputEvents
import Instrument
import Testing

@testable import Drive

/// A running box whose time passes only while a program waits.
private final class FalseBox: LiveBox {
    var now = Instant(milliseconds: 5000)
    var instrument = Instrument()
    var isEnding = false
    var isThere: Bool { !isEnding }
    private(set) var performed: [(at: Instant, act: TouchScript.Act)] = []
    /// What will happen.
    var coming: [Happening] = []

    func look() -> (instrument: Instrument, picture: Frame)? {
        if isEnding { return nil }
        var picture = Frame(columns: instrument.columns, rows: Instrument.rows)
        instrument.draw(into: &picture, at: now)
        return (instrument, picture)
    }

    func perform(_ act: TouchScript.Act) { performed.append((now, act)) }

    func wait(until time: Instant) -> [Happening] {
        guard let next = coming.first, next.at <= time else {
            now = max(now, time)
            return []
        }
        now = max(now, next.at)
        coming.removeFirst()
        return [next]
    }
}

/// A running box in the hands of a program.
struct LiveTests {
    private let box = FalseBox()
    private let bench: LiveBench

    init() {
        bench = LiveBench(version: "1.2.3", box)
    }

    private static func error(_ place: String, _ problem: String) -> JSON {
        .object(["place": .string(place), "problem": .string(problem)])
    }

    private func ask(_ request: String) -> Answer { Answer(bench.answer(to: Array(request.utf8))) }

    @Test("the greeting says that it is a running box")
    func greeting() {
        #expect(Answer(bench.greeting)["live"] == .bool(true))
        #expect(Answer(bench.greeting).number("protocol") == 1)
    }

    @Test("lines act when their time has come, and the answer after them")
    func send() {
        let answer = ask(
            #"{"do": "send", "lines": [{"key": "space"}, {"after": 50, "midi": "90 3C 50"}, {"at": 120, "set": "tap", "value": true}]}"#
        )
        #expect(box.performed.map(\.at.microseconds) == [5_000_000, 5_050_000, 5_120_000])
        #expect(answer.number("at") == 120)
    }

    @Test(
        "what comes from its own devices is refused, and nothing is done",
        arguments: [
            #""overlay": "unplug""#, #""spi": "fail""#, #""heat": 70"#, #""fault": true"#, #""edge": "clock""#,
            #""stick": true"#, #""link": {"tempo": 120, "beat": 0}"#,
        ])
    func refused(line: String) {
        let answer = ask(#"{"do": "send", "lines": [{"key": "space"}, {\#(line)}]}"#)
        #expect(answer["error"] == Self.error("lines[1]", "is a line for virtual boxes only"))
        #expect(box.performed.isEmpty)
    }

    @Test("time passes until what is awaited, and what happened is told once")
    func advance() {
        func step(_ number: Int, at milliseconds: Int64) -> Happening {
            Happening(.step, at: Instant(milliseconds: milliseconds), ["step": .integer(number)])
        }
        box.coming = [step(0, at: 5100), step(1, at: 5200), step(2, at: 5300)]
        let met = ask(#"{"do": "advance", "until": {"event": "step", "step": 1}}"#)
        #expect(met["met"] == .bool(true))
        #expect(met.list("events").compactMap { $0.number("at") } == [100, 200])
        #expect(met.number("at") == 200)
        let rest = ask(#"{"do": "advance", "ms": 1000, "only": ["step"]}"#)
        #expect(rest.list("events").compactMap { $0.number("step") } == [2])
        #expect(rest.number("at") == 1200)
        let missed = ask(#"{"do": "advance", "ms": 10, "until": {"event": "note"}}"#)
        #expect(missed["met"] == .bool(false))
    }

    @Test("what happens while lines are sent is told by the next wait")
    func meanwhile() {
        box.coming = [Happening(.pulse, at: Instant(milliseconds: 5010))]
        _ = ask(#"{"do": "send", "lines": [{"after": 50, "key": "space"}]}"#)
        #expect(ask(#"{"do": "advance", "ms": 1}"#).list("events").map { $0.number("at") } == [10])
    }

    @Test("questions are answered as in a bench")
    func questions() {
        let program = Program("box")
        program.advance(5000)
        for request in [
            #"{"do": "words"}"#, #"{"do": "frame"}"#, #"{"do": "frame", "as": "text"}"#, #"{"do": "pattern"}"#,
            #"{"do": "place", "col": 8, "row": 5}"#, #"{"do": "find", "name": "UNDO"}"#,
        ] {
            #expect(ask(request).at(0) == program.ask(request).at(0), "\(request)")
        }
        #expect(ask(#"{"do": "state"}"#)["playing"] == .bool(false))
    }

    @Test("other requests, other boxes and a box that ends are errors")
    func errors() {
        func place(_ request: String) -> String { Answer(ask(request)["error"] ?? .null).text("place") }
        #expect(place(#"{"do": "new"}"#) == "do")
        #expect(place(#"{"do": "words", "box": "b"}"#) == "box")
        #expect(place(#"{"do": "advance"}"#) == "ms")
        box.isEnding = true
        #expect(ask(#"{"do": "words"}"#)["error"] == Self.error("", "the box ends"))
    }
}
