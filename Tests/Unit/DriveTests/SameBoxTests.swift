import Documents
import Replay
import TestSupport
import Testing

/// A session by chance: touches, keys and faults, with their times.
private struct RandomSession {
    let lines: [String]
    let times: [Double]

    init(_ random: inout SplitMix, seconds: Double) {
        var (lines, times): ([String], [Double]) = ([], [])
        var now = 0.0
        while now < seconds * 1000 {
            now += Double(Int.random(in: 0...400_000, using: &random)) / 1000
            times.append(now)
            let (finger, column, row) = (
                Int.random(in: 0...2, using: &random), Int.random(in: 0...43, using: &random),
                Int.random(in: 0...23, using: &random)
            )
            let phases = ["down", "move", "up", "up"]
            let line =
                switch Int.random(in: 0...9, using: &random) {
                case 0: #""key": "space""#
                case 1: #""key": "undo""#
                case 2: #""midi": "90 \#(row + 30) 50 80 \#(row + 30) 40""#
                case 3: #""overlay": "\#(random.pick(["unplug", "replug", "stall", "go", "lose"]))""#
                case 4: #""sound": "stumble", "for": \#(column)"#
                default: #""touch": \#(finger), "phase": "\#(random.pick(phases))", "col": \#(column), "row": \#(row)"#
                }
            lines.append(line)
        }
        (self.lines, self.times) = (lines, times)
    }

    /// The lines as a touch script.
    var script: String { zip(lines, times).map { #"{"at": \#($1), \#($0)}"# }.joined(separator: "\n") }
}

extension SplitMix {
    /// One of `choices`.
    fileprivate mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: choices.indices, using: &self)]
    }
}

/// A box in the hands of a program is the box of a replay.
struct SameBoxTests {
    @Test("pieces of a session, however they are cut, give the replay's sound, notes and picture", arguments: 0..<12)
    func pieces(number: Int) throws {
        let seed = SplitMix.seed &+ UInt64(number)
        var random = SplitMix(seed: seed)
        let session = RandomSession(&random, seconds: 6)
        let program = Program("box", keys: #", "keep": 60"#)
        var next = 0
        var notes = 0
        while let now = program.state().number("at"), now < 8000 {
            let step = random.pick([0.001, 1, 16.667, 333.333, 1000])
            // Lines are sent before they are due, some long before.
            let reach = now + step + Double.random(in: 0...500, using: &random)
            while next < session.lines.count, session.times[next] < reach {
                program.send(#"{"at": \#(session.times[next]), \#(session.lines[next])}"#)
                next += 1
            }
            if Bool.random(using: &random) { _ = program.picture() }
            notes += program.advance(min(step, 8000 - now), only: "note").count
        }

        var plan = Replay.Plan(try TouchScript(parsing: Array(session.script.utf8)))
        plan.until = .init(milliseconds: 8000)
        var (sound, events): ([Float], Int) = ([], 0)
        var observers = Replay.Observers()
        observers.sound = { sound += $0 }
        observers.note = { _ in events += 1 }
        let outcome = try Replay.run(plan, observers)
        let played = program.sound()
        #expect(played == Array(sound.prefix(played.count)), "seed \(seed)")
        #expect(sound.count - played.count < 2000, "seed \(seed)")
        #expect(notes == events, "seed \(seed)")
        #expect(program.ask(#"{"do": "frame"}"#).bytes("rgb") == outcome.frame.bytes, "seed \(seed)")
        let pattern = program.ask(#"{"do": "pattern"}"#)["pattern"]
        #expect(try JSON(parsing: Array(outcome.document.text().utf8)) == pattern, "seed \(seed)")
    }

    @Test("a copy goes on as the box does", arguments: 0..<6)
    func copy(number: Int) {
        let seed = SplitMix.seed &+ UInt64(number)
        var random = SplitMix(seed: seed)
        let program = Program("a")
        let before = RandomSession(&random, seconds: 3)
        for (line, time) in zip(before.lines, before.times) { program.send(#"{"at": \#(time), \#(line)}"#, to: "a") }
        program.advance(Double.random(in: 1000...4000, using: &random))
        program.ask(#"{"do": "copy", "box": "a", "to": "b"}"#)
        // What is kept of the box is of the time before.
        for box in ["a", "b"] { _ = (program.sound(of: box), program.wire(of: box)) }
        let after = RandomSession(&random, seconds: 2)
        for (line, time) in zip(after.lines, after.times) {
            for box in ["a", "b"] { program.send(#"{"at": \#(5000 + time), \#(line)}"#, to: box) }
        }
        program.advance(4000)
        #expect(program.sound(of: "a") == program.sound(of: "b"), "seed \(seed)")
        #expect(program.wire(of: "a") == program.wire(of: "b"), "seed \(seed)")
        #expect(program.picture(of: "a") == program.picture(of: "b"), "seed \(seed)")
        #expect(program.state(of: "a") == program.state(of: "b"), "seed \(seed)")
    }

    @Test("a recording repeats the session, in a bench and as a script")
    func record() throws {
        let program = Program("a")
        program.send(#"{"touch": 0, "phase": "down", "col": 13, "row": 5}"#, to: "a")
        program.send(#"{"after": 60, "touch": 0, "phase": "up", "col": 13, "row": 5}"#, to: "a")
        program.advance(100)
        program.send(#"{"key": "space"}"#, to: "a")
        program.advance(700)
        let recording = program.ask(#"{"do": "record", "box": "a"}"#)
        guard case .array(let lines)? = recording["lines"] else { throw Missing.lines }
        let again = Program("a")
        again.send(lines.map { $0.text(pretty: false) }.joined(separator: ","), to: "a")
        again.advance(800)
        #expect(again.sound(of: "a") == program.sound(of: "a"))
        #expect(again.picture(of: "a") == program.picture(of: "a"))
        let script = lines.map { $0.text(pretty: false) }.joined(separator: "\n")
        #expect(try TouchScript(parsing: Array(script.utf8)).lines.count == 3)
    }

    private enum Missing: Error { case lines }

    @Test("a box without sound plays the same notes, at the same frames")
    func withoutSound() {
        let program = Program("loud")
        program.ask(#"{"do": "new", "box": "fast", "keep": 0}"#)
        var random = SplitMix(seed: 7)
        let session = RandomSession(&random, seconds: 6)
        for box in ["loud", "fast"] {
            for (line, time) in zip(session.lines, session.times) {
                program.send(#"{"at": \#(time), \#(line)}"#, to: box)
            }
        }
        let events = program.ask(#"{"do": "advance", "ms": 8000, "only": ["note", "step", "midi", "clock", "word"]}"#)
            .list("events")
        func own(_ box: String) -> [[String: JSON]] {
            events.filter { $0.text("box") == box }.map { $0.keys.filter { $0.key != "box" } }
        }
        #expect(!own("loud").isEmpty)
        #expect(own("loud") == own("fast"))
    }
}
