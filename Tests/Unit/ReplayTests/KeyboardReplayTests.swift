import Documents
import Instrument
import Replay
import Testing

@Suite("A keyboard in a script")
struct KeyboardReplayTests {
    private func outcome(_ lines: [String]) throws -> Replay.Outcome {
        try Replay.run(Replay.Plan(try TouchScript(parsing: Array(lines.joined(separator: "\n").utf8))))
    }

    /// The lines of a key that is down from `start` to `end`.
    private func key(_ key: String, _ start: Int, _ end: Int, between: [String] = []) -> [String] {
        [#"{"at": \#(start), "key": "\#(key)"}"#] + between
            + [#"{"at": \#(end), "key": "\#(key)", "phase": "up"}"#]
    }

    @Test("plays the same music, sounds and light as fingers at the same times, and the same again")
    func music() throws {
        let steps = (1...5).map { #"{"at": \#(1000 + 60 * $0), "key": "arrowRight"}"# }
        let keys =
            [#"{"at": 0, "key": "arrowRight"}"#] + key("enter", 500, 560)
            + key("spacebar", 1000, 1400, between: steps) + [#"{"at": 2000, "key": "escape"}"#]
            + key("spacebar", 2100, 2160)
        let moves = (1...5).map {
            #"{"at": \#(1000 + 60 * $0), "touch": 0, "phase": "move", "col": \#(4 + $0), "row": 7}"#
        }
        let touches =
            [("down", 500, 4), ("up", 560, 4), ("down", 1000, 4)].map { phase, at, column in
                #"{"at": \#(at), "touch": 0, "phase": "\#(phase)", "col": \#(column), "row": 7}"#
            } + moves
            + [
                #"{"at": 1400, "touch": 0, "phase": "up", "col": 9, "row": 7}"#, #"{"at": 2100, "key": "space"}"#,
                #"{"at": 2160, "key": "space", "phase": "up"}"#,
            ]
        let (typed, again, played) = (try outcome(keys), try outcome(keys), try outcome(touches))
        #expect(!played.document.pattern.isEmpty && played.state.isPlaying)
        #expect(typed.document.pattern == played.document.pattern)
        #expect(typed.state.session == played.state.session)
        #expect(typed.frame == played.frame)
        #expect(typed.frame == again.frame && typed.state.session == again.state.session)
    }

    @Test("does nothing during the calibration of the overlay, which hides the screen")
    func calibrating() throws {
        func tap(_ at: Int, _ column: Int, _ row: Int) -> [String] {
            [("down", at), ("up", at + 50)].map { phase, at in
                #"{"at": \#(at), "touch": 0, "phase": "\#(phase)", "col": \#(column), "row": \#(row)}"#
            }
        }
        let begin = tap(0, 5, 21) + tap(800, 1, 1) + tap(1600, 2, 19) + tap(2400, 35, 9)
        let typed = key("spacebar", 3000, 3100) + key("backspace", 3200, 4200) + [#"{"at": 4300, "key": "escape"}"#]
        let outcome = try outcome(begin + typed)
        #expect(!outcome.state.isPlaying && !outcome.document.pattern.isEmpty && outcome.state.view.screen == .settings)
    }
}
