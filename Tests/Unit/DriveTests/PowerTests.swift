import Documents
import Testing

/// A box whose power is cut.
struct PowerTests {
    private static let cut = #"{"power": "cut"}"#

    private func tap(_ column: Int) -> String {
        #"{"touch": 0, "phase": "down", "col": \#(column), "row": 5}"#
            + #", {"after": 50, "touch": 0, "phase": "up", "col": \#(column), "row": 5}"#
    }

    @Test("a box without a library begins as it was made, at once and stopped, without fingers")
    func fresh() {
        let program = Program("box")
        let made = program.ask(#"{"do": "pattern"}"#)
        program.send(#"{"key": "space"}, \#(tap(13)), {"touch": 1, "phase": "down", "col": 20, "row": 9}"#)
        program.advance(500)
        #expect(program.state()["playing"] == .bool(true) && program.state().number("fingers") == 1)
        #expect(program.ask(#"{"do": "pattern"}"#)["pattern"] != made["pattern"])
        program.send(Self.cut)
        program.advance(1)
        #expect(program.state()["playing"] == .bool(false) && program.state().number("fingers") == 0)
        #expect(program.ask(#"{"do": "pattern"}"#)["pattern"] == made["pattern"])
        // The light of PLAY breathes by the time.
        let other = Program("box")
        other.advance(501)
        #expect(program.ask(#"{"do": "frame"}"#)["rgb"] == other.ask(#"{"do": "frame"}"#)["rgb"])
    }

    @Test("its sound and its times go on where they were, and later lines are for the new box")
    func goesOn() throws {
        let program = Program("box")
        program.send(#"{"key": "space"}, \#(tap(13)), {"at": 700, "key": "space"}, {"at": 900, "key": "space"}"#)
        program.send(#"{"at": 800, "power": "cut"}"#)
        let events = program.advance(1500)
        // It stops before the cut, and plays after it.
        let steps = events.filter { $0.text("event") == "step" }.compactMap { $0.number("at") }
        #expect(steps.filter { $0 < 700 }.count == 6 && steps.contains { (900...910).contains($0) }, "\(steps)")
        #expect(!steps.contains { (701..<900).contains($0) })
        let sound = program.ask(#"{"do": "sound"}"#)
        #expect(sound.number("from") == 0)
        #expect(try #require(sound.number("frames")) == 72_000 - 73)
        #expect(program.state()["playing"] == .bool(true))
    }

    @Test("a box that was switched off is on again")
    func on() {
        let program = Program("box")
        program.send(#"{"button": "power"}, {"after": 500, "button": "power"}"#)
        program.advance(2000)
        #expect(program.state()["off"] == .bool(true))
        program.send(Self.cut)
        program.advance(10)
        #expect(program.state()["off"] == .bool(false))
        // It was silent meanwhile.
        let sound = program.ask(#"{"do": "sound"}"#)
        #expect(sound.number("from") == 0 && sound.number("frames") == 2010 * 48 - 73)
    }

    @Test("a copy, and a box to which its lines are sent, have the same cuts")
    func repeats() {
        let program = Program("a")
        program.send(#"\#(tap(13)), {"at": 300, "power": "cut"}"#, to: "a")
        program.send(#"{"at": 100, "touch": 0, "phase": "down", "col": 15, "row": 5}"#, to: "a")
        program.send(#"{"at": 150, "touch": 0, "phase": "up", "col": 15, "row": 5}"#, to: "a")
        program.send(#"{"at": 350, "touch": 0, "phase": "down", "col": 17, "row": 5}"#, to: "a")
        program.send(#"{"at": 400, "touch": 0, "phase": "up", "col": 17, "row": 5}"#, to: "a")
        program.advance(500)
        program.ask(#"{"do": "copy", "box": "a", "to": "b"}"#)
        let record = program.ask(#"{"do": "record", "box": "a"}"#)
        let pattern = program.ask(#"{"do": "pattern", "box": "a"}"#)
        #expect(program.ask(#"{"do": "pattern", "box": "b"}"#) == pattern)
        let other = Program("box")
        other.ask(Answer(.object(["do": .string("send"), "lines": record["lines"] ?? .null])).description)
        other.advance(500)
        #expect(other.ask(#"{"do": "pattern"}"#) == pattern)
        // Only what was played after the cut is there.
        let alone = Program("box")
        alone.send(#"{"at": 350, "touch": 0, "phase": "down", "col": 17, "row": 5}"#)
        alone.send(#"{"at": 400, "touch": 0, "phase": "up", "col": 17, "row": 5}"#)
        alone.advance(500)
        #expect(alone.ask(#"{"do": "pattern"}"#) == pattern)
    }
}
