import InputEvents
import Documents
import Instrument
import Replay
import Testing

@Suite("Scenes by touch")
struct SceneReplayTests {
    /// Two scenes are drawn with the transport stopped: a kick at step 0 in scene 1, a snare at step 0 of a shorter and
    /// faster pattern in scene 2. Then the first plays, and in its first bar the second is queued.
    private static let script = """
        {"at": 0, "touch": 0, "phase": "down", "col": 4, "row": 21}
        {"at": 80, "touch": 0, "phase": "up", "col": 4, "row": 21}
        {"at": 1000, "touch": 0, "phase": "down", "col": 41, "row": 2.2}
        {"at": 1700, "touch": 0, "phase": "up", "col": 41, "row": 2.2}
        {"at": 2000, "touch": 0, "phase": "down", "col": 41.4, "row": 4.3}
        {"at": 2700, "touch": 0, "phase": "up", "col": 41.4, "row": 4.3}
        {"at": 3000, "touch": 0, "phase": "down", "col": 42, "row": 4}
        {"at": 3080, "touch": 0, "phase": "up", "col": 42, "row": 4}
        {"at": 4000, "touch": 0, "phase": "down", "col": 4, "row": 20}
        {"at": 4080, "touch": 0, "phase": "up", "col": 4, "row": 20}
        {"at": 5000, "touch": 0, "phase": "down", "col": 28, "row": 0}
        {"at": 5080, "touch": 0, "phase": "up", "col": 28, "row": 0}
        {"at": 6000, "touch": 0, "phase": "down", "col": 43, "row": 2}
        {"at": 6080, "touch": 0, "phase": "up", "col": 43, "row": 2}
        {"at": 7000, "touch": 0, "phase": "down", "col": 1, "row": 0}
        {"at": 7080, "touch": 0, "phase": "up", "col": 1, "row": 0}
        {"at": 8000, "touch": 0, "phase": "down", "col": 40, "row": 4.2}
        {"at": 8080, "touch": 0, "phase": "up", "col": 40, "row": 4.2}
        """

    private func replay(block: Int = 256) throws -> (notes: [NoteEvent], outcome: Replay.Outcome, sound: [Float]) {
        var plan = Replay.Plan(try TouchScript(parsing: Array(Self.script.utf8)))
        plan.until = Instant(milliseconds: 14_000)
        plan.block = block
        var notes: [NoteEvent] = []
        var sound: [Float] = []
        var observers = Replay.Observers()
        observers.note = { notes.append($0) }
        observers.sound = { sound += $0 }
        let outcome = try Replay.run(plan, observers)
        return (notes, outcome, sound)
    }

    @Test("the queued scene begins on the bar, in its own tempo, as the event log shows")
    func times() throws {
        let (notes, outcome, _) = try replay()
        // 16 steps at 120 BPM are 2 s; 32 at 125 BPM are 3.84 s.
        let kick = notes.filter { $0.note == 0 }.map { [$0.milliseconds, Double($0.step)] }
        let snare = notes.filter { $0.note == 3 }.map { [$0.milliseconds, Double($0.step)] }
        #expect(kick == [[7000, 0], [9000, 0], [12840, 0]])
        #expect(snare == [[9000, 0], [12840, 0]])
        #expect(outcome.state.scene == 1)
        #expect(outcome.state.songPlay.queuedScene == nil)
        #expect(outcome.document.scenes.pattern(in: 0, playing: outcome.document.pattern)?.tempo == .some(120))
        #expect(outcome.document.scenes.pattern(in: 1, playing: outcome.document.pattern)?.tempo == .some(125))
        #expect(outcome.frame[40, 4] == .init(0xffffff))
        #expect(outcome.frame[40, 2] == .init(0x6a6a6a))
    }

    @Test("the same script gives the same samples, for any block size")
    func deterministic() throws {
        let first = try replay()
        let second = try replay(block: 37)
        #expect(first.notes == second.notes)
        let isSame = first.sound == second.sound
        #expect(isSame)
        #expect(first.sound.contains { $0 != 0 })
        #expect(first.outcome.document == second.outcome.document)
    }

    @Test("a replay continues from the scenes of its start document")
    func start() throws {
        let made = try replay().outcome.document
        let text = made.text()
        var plan = Replay.Plan(try TouchScript(parsing: Array(#"{"at": 0, "key": "space"}"#.utf8)))
        plan.start = try PatternDocument(parsing: Array(text.utf8))
        plan.start?.sceneMode = .chain
        plan.until = Instant(milliseconds: 8000)
        var times: [Double] = []
        var observers = Replay.Observers()
        observers.note = { if $0.step == 0, $0.note == 0 { times.append($0.milliseconds) } }
        let outcome = try Replay.run(plan, observers)
        // Scene 2 to its end, then scene 1 to its own.
        #expect(times == [0, 3840, 7840])
        #expect(outcome.state.scene == 1)
        #expect(outcome.document.scenes == plan.start?.scenes)
    }
}
