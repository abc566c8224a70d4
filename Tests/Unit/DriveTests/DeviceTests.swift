import Documents
import Testing

/// What happens to the devices of a box.
struct DeviceTests {
    private static let down = #"{"touch": 0, "phase": "down", "col": 13, "row": 5}"#
    private static let up = #"{"touch": 0, "phase": "up", "col": 13, "row": 5}"#

    private func fingers(_ program: Program) -> Double? { program.state().number("fingers") }

    @Test("an overlay that is unplugged takes its fingers away, and brings those that rest on it back")
    func unplug() {
        let program = Program("box")
        program.send(Self.down)
        program.advance(10)
        #expect(fingers(program) == 1)
        program.send(#"{"overlay": "unplug"}"#)
        program.advance(10)
        #expect(fingers(program) == 0)
        program.send(#"{"touch": 1, "phase": "down", "col": 20, "row": 9}"#)
        program.advance(10)
        #expect(fingers(program) == 0)
        program.send(#"{"overlay": "replug"}"#)
        program.advance(10)
        #expect(fingers(program) == 2)
    }

    @Test("an overlay that stalls reports all when it goes on")
    func stall() {
        let program = Program("box")
        program.send(#"{"overlay": "stall"}, \#(Self.down)"#)
        program.send(#"{"after": 30, "touch": 0, "phase": "up", "col": 13, "row": 5}"#)
        program.advance(100)
        #expect(program.ask(#"{"do": "pattern"}"#) == Program("box").ask(#"{"do": "pattern"}"#).at(100))
        program.send(#"{"overlay": "go"}"#)
        program.advance(100)
        #expect(program.ask(#"{"do": "place", "col": 13, "row": 5}"#).text("name").hasSuffix(" ON"))
    }

    @Test("lost reports leave no finger behind, and lose none that is there")
    func lose() {
        let program = Program("box")
        program.send(Self.down)
        program.advance(10)
        // The lift is lost; the state of the device says it.
        program.send(#"{"overlay": "stall"}, \#(Self.up), {"overlay": "lose"}, {"overlay": "go"}"#)
        program.advance(10)
        #expect(fingers(program) == 0)
        program.send(#"{"overlay": "stall"}, \#(Self.down), {"overlay": "lose"}, {"overlay": "go"}"#)
        program.advance(10)
        #expect(fingers(program) == 1)
    }

    @Test("a chain that fails keeps its light, and shows the newest when it is good again")
    func chain() {
        let program = Program("box")
        func light() -> String { program.ask(#"{"do": "frame", "stage": "light"}"#).text("rgb") }
        program.advance(100)
        let before = light()
        program.send(#"{"spi": "fail"}, \#(Self.down), {"after": 50, "touch": 0, "phase": "up", "col": 13, "row": 5}"#)
        program.advance(5000)
        #expect(light() == before)
        program.send(#"{"spi": "good"}, {"key": "space"}"#)
        program.advance(1000)
        #expect(light() != before)
    }

    @Test("a sound device that is unplugged is silent while the steps go on")
    func sound() {
        let program = Program("box")
        program.send(#"\#(Self.down), {"after": 50, "touch": 0, "phase": "up", "col": 13, "row": 5}, {"key": "space"}"#)
        program.send(#"{"at": 200, "sound": "unplug"}"#)
        let steps = program.advance(3000, only: "step").count
        #expect(steps == 24)
        let samples = program.sound()
        #expect(samples.prefix(2 * 9600).contains { $0 != 0 })
        #expect(samples.dropFirst(2 * 10_000).allSatisfy { $0 == 0 })
        program.send(#"{"sound": "replug"}"#)
        program.advance(3000)
        #expect(program.sound().contains { $0 != 0 })
    }

    @Test("a sound that stumbles is late from then on, with all its samples")
    func stumble() {
        let program = Program("even", "late")
        let tune =
            #"{"touch": 0, "phase": "down", "col": 8, "row": 5}, {"after": 50, "touch": 0, "phase": "up", "col": 8, "row": 5}"#
        for box in ["even", "late"] { program.send(tune + #", {"key": "space"}"#, to: box) }
        // The note of step 4 begins at 550 ms.
        program.send(#"{"at": 600, "sound": "stumble", "for": 20}"#, to: "late")
        let steps = program.advance(1000, only: "step")
        let (even, late) = (program.sound(of: "even"), program.sound(of: "late"))
        let (gap, first) = (2 * 960, late.indices.first { late[$0] != even[$0] } ?? 0)
        #expect((2 * 28_600...2 * 28_800).contains(first))
        #expect(late[first..<first + gap].allSatisfy { $0 == 0 })
        #expect(Array(late[(first + gap)...]) == Array(even[first..<even.count - gap]))
        #expect(even.count == late.count)
        func times(of box: String) -> [Double] { steps.filter { $0.text("box") == box }.compactMap { $0.number("at") } }
        #expect(times(of: "late").last == times(of: "even").last.map { $0 + 20 })
    }

    @Test("a MIDI port that is unplugged releases its keys")
    func port() {
        let program = Program("box")
        program.send(#"{"midi": "90 3C 50", "port": "keys"}, {"midi": "90 40 50", "port": "other"}"#)
        program.advance(500)
        program.send(#"{"plug": "out", "port": "keys"}, {"plug": "out", "port": "other"}"#)
        program.advance(3000)
        _ = program.sound()
        program.advance(500)
        #expect(program.sound().allSatisfy { abs($0) < 1e-4 })
    }

    @Test("the power button asks, and switches the box off")
    func power() {
        let program = Program("box")
        program.send(#"{"button": "power"}"#)
        program.advance(100)
        #expect(program.state()["off"] == .bool(false))
        program.send(#"{"button": "power"}"#)
        #expect(program.advance(1000, only: "powerOff").count == 1)
        #expect(program.state()["off"] == .bool(true))
        program.advance(1000)
    }

    @Test("what is not asked for is lost from its begin, and counted")
    func kept() {
        let program = Program("box", keys: #", "keep": 0.5"#)
        program.send(#"{"key": "space"}"#)
        program.advance(2000)
        let sound = program.ask(#"{"do": "sound"}"#)
        #expect(sound.number("frames") == 24_000)
        #expect(sound.number("lost") == sound.number("from"))
        let (from, frames) = (sound.number("from") ?? 0, sound.number("frames") ?? 0)
        program.advance(100)
        let next = program.ask(#"{"do": "sound"}"#)
        #expect(next.number("from") == from + frames)
        #expect(next.number("lost") == 0)
        let chain = program.ask(#"{"do": "wire"}"#).list("chains")[0]
        #expect((chain.number("lost") ?? 0) > 50)
        #expect(chain.list("messages").allSatisfy { ($0.number("at") ?? 0) >= 1600 })
    }
}

extension Answer {
    /// The same answer at another time, in milliseconds.
    func at(_ milliseconds: Int) -> Answer { Answer(.object(keys.merging(["at": .integer(milliseconds)]) { $1 })) }
}
