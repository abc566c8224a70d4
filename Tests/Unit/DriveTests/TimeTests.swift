import Documents
import Testing

/// How the clock moves, and cables between boxes.
struct TimeTests {
    private static let tune =
        #"{"touch": 0, "phase": "down", "col": 8, "row": 5}, {"after": 50, "touch": 0, "phase": "up", "col": 8, "row": 5}"#

    @Test("what is due before the new time happens, and no more")
    func halfOpen() {
        let program = Program("box")
        program.send(#"{"at": 100, "key": "space"}"#)
        program.advance(100)
        #expect(program.state()["playing"] == .bool(false))
        program.advance(0)
        #expect(program.state()["playing"] == .bool(false))
        program.advance(0.001)
        #expect(program.state()["playing"] == .bool(true))
    }

    @Test("so many frames and steps pass", arguments: [(#""frames": 4800"#, 100.0), (#""steps": 8"#, 1000.0)])
    func ways(way: String, milliseconds: Double) {
        let program = Program("box")
        #expect(program.ask(#"{"do": "advance", \#(way)}"#).number("at") == milliseconds)
    }

    @Test("two bars from Play on have the notes of two bars, at their frames")
    func bars() {
        let program = Program("box")
        program.send(Self.tune)
        program.advance(1000)
        program.send(#"{"key": "space"}"#)
        let notes = program.ask(#"{"do": "advance", "steps": 64, "only": ["note"]}"#).list("events")
        // A second, and step 4 of each round of 32 steps of 6000 frames.
        #expect(notes.compactMap { $0.number("frame") } == [72_000.0, 264_000.0])
    }

    @Test("the state names the track that plays alone, with its scene")
    func parts() {
        let program = Program("box")
        program.send(Self.tune)
        program.advance(100)
        #expect(program.state()["parts"] == .object([:]))
        program.send(#"{"remote": "part", "track": "bass", "value": 3}"#)
        program.advance(100)
        #expect(program.state()["parts"] == .object(["bass": .integer(3)]))
        #expect(program.state().number("scene") == 0 && program.state()["own"] == .array([]))
    }

    @Test("the clock stops where an event is, or at the longest time")
    func until() {
        let program = Program("a", "b")
        program.send(#"{"at": 500, "key": "space"}"#, to: "b")
        let met = program.ask(#"{"do": "advance", "until": {"event": "step", "step": 4, "box": "b"}}"#)
        #expect(met["met"] == .bool(true))
        #expect((1000...1020).contains(met.number("at") ?? 0))
        let missed = program.ask(#"{"do": "advance", "until": {"event": "step", "box": "a"}, "ms": 250}"#)
        #expect(missed["met"] == .bool(false))
        #expect(missed.number("at") == (met.number("at") ?? 0) + 250)
    }

    @Test("a box follows another by a MIDI cable and by the clock jack", arguments: ["midi", "pulse"])
    func follow(cable: String) throws {
        let program = Program("a", "b")
        program.ask(#"{"do": "connect", "from": "a", "to": "b", "cable": "\#(cable)", "jitter": 1, "seed": 3}"#)
        program.send(#"{"set": "sync.source", "value": "\#(cable == "midi" ? "midi" : "clock")"}"#, to: "b")
        if cable == "pulse" { program.send(#"{"set": "sync.pulse", "value": "left"}"#, to: "a") }
        program.advance(500)
        program.send(#"{"key": "space"}"#, to: "a")
        let steps = program.advance(6000, only: "step")
        func times(of box: String) -> [Double] { steps.filter { $0.text("box") == box }.compactMap { $0.number("at") } }
        let (leader, follower) = (times(of: "a"), times(of: "b"))
        #expect(leader.count == 48)
        #expect(follower.count >= 40)
        let late = try #require(follower.last) - leader[follower.count - 1 + (leader.count - follower.count)]
        #expect(abs(late) < 6, "\(late) ms late")
    }

    @Test("what a cable loses does not arrive, and one that is taken away releases its keys")
    func lossy() {
        let program = Program("a", "b", "c")
        program.ask(#"{"do": "connect", "from": "a", "to": "b", "cable": "midi", "loss": 100}"#)
        program.ask(#"{"do": "connect", "from": "a", "to": "c", "cable": "midi"}"#)
        program.send(Self.tune, to: "a")
        program.send(#"{"after": 100, "key": "space"}"#, to: "a")
        program.advance(655)
        #expect(program.sound(of: "b").allSatisfy { $0 == 0 })
        #expect(program.sound(of: "c").contains { $0 != 0 })
        program.ask(#"{"do": "disconnect", "from": "a", "to": "c", "cable": "midi"}"#)
        program.advance(3000)
        _ = program.sound(of: "c")
        program.advance(300)
        #expect(program.sound(of: "c").allSatisfy { abs($0) < 1e-4 })
    }

    @Test("a session shrinks to the lines that matter")
    func shrink() {
        var lines = (0..<40).map { #"{"at": \#(10 * $0), "set": "melody.cutoff", "value": \#(1000 + $0)}"# }
        lines.insert(#"{"at": 400, "key": "space"}"#, at: 40)
        lines.insert(#"{"at": 250, "touch": 0, "phase": "up", "col": 8, "row": 5}"#, at: 26)
        lines.insert(#"{"at": 100, "touch": 0, "phase": "down", "col": 8, "row": 5}"#, at: 11)
        let answer = Program().ask(
            #"{"do": "shrink", "new": {"keep": 0}, "until": {"event": "note", "step": 4}, "lines": [\#(lines.joined(separator: ","))]}"#
        )
        #expect(answer.list("lines").map { $0.text("key") + $0.text("phase") } == ["down", "up", "space"])
        #expect((answer.number("tried") ?? 999) < 60)
        let few = Program().ask(
            #"{"do": "shrink", "new": {"keep": 0}, "until": {"event": "note", "step": 4}, "tries": 5, "lines": [\#(lines.joined(separator: ","))]}"#
        )
        #expect(few.number("tried") == 5 && (4..<43).contains(few.list("lines").count))
    }
}
