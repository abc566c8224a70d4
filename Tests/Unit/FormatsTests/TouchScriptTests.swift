import InputEvents
import Documents
import Instrument
import Testing

@Suite("Touch scripts")
struct TouchScriptTests {
    private let down = #"{"at": 50, "touch": 0, "phase": "down", "col": 13.25, "row": 10}"#

    @Test("lines are read in order; blank ones and carriage returns are ignored")
    func accepts() throws {
        let script = try TouchScript(parsing: Array("\(down)\r\n\n  \n{\"at\": 900.5, \"key\": \"space\"}".utf8))
        #expect(
            script.lines == [
                .init(at: Instant(milliseconds: 50), act: .touch(contact: 0, .down, column: 13.25, row: 10)),
                .init(at: Instant(microseconds: 900_500), act: .control(.key(.playStop))),
            ])
        #expect(try TouchScript(parsing: []).lines.isEmpty)
    }

    @Test("a touch may say how much later its player hears the sound")
    func delay() throws {
        let line = #"{"at": 50, "touch": 0, "phase": "down", "col": 1, "row": 2, "delay": 62.5}"#
        let script = try TouchScript(parsing: Array(line.utf8))
        let delay = Instant.Span(microseconds: 62_500)
        #expect(script.lines.map(\.act) == [.touch(contact: 0, .down, column: 1, row: 2, delay: delay)])
    }

    @Test("a key's line has a phase, down by default; a typed character has a line of its own")
    func keys() throws {
        let lines = [
            #"{"at": 1, "key": "enter"}"#, #"{"at": 1, "key": "enter", "phase": "up"}"#,
            #"{"at": 1, "key": "spacebar", "phase": "cancel"}"#, #"{"at": 1, "key": "arrowLeft", "phase": "down"}"#,
            #"{"at": 1, "type": "♯"}"#,
        ]
        let script = try TouchScript(parsing: Array(lines.joined(separator: "\n").utf8))
        #expect(
            script.lines.map(\.act) == [
                .control(.key(.enter)), .control(.keyUp(.enter)), .control(.keyCancel(.spaceBar)),
                .control(.key(.arrowLeft)), .control(.type("♯")),
            ])
    }

    @Test("a line may be the command of a program")
    func remote() throws {
        let commands: [(String, RemoteCommand)] = [
            (#""remote": "play""#, .play), (#""remote": "stop""#, .stop),
            (#""remote": "tempo", "value": 99"#, .tempo(99)), (#""remote": "scene", "value": 7"#, .scene(7)),
            (#""remote": "part", "track": "bass", "value": 7"#, .part(.bass, 7)),
            (#""remote": "mute", "track": "bass", "value": true"#, .mute(.bass, true)),
            (#""remote": "solo", "track": "rhythm", "value": false"#, .solo(.rhythm, false)),
            (#""remote": "toggleMute", "track": "melody""#, .toggleMute(.melody)),
        ]
        for (words, command) in commands {
            let script = try TouchScript(parsing: Array("{\"at\": 1, \(words)}".utf8))
            #expect(script.lines.map(\.act) == [.control(.remote(command))])
        }
    }

    static let refusals: [(String, String)] = [
        (#"{"at": 60, "remote": "dance"}"#, "line 2, remote"), (#"{"at": 60, "remote": "tempo"}"#, "line 2, value"),
        (#"{"at": 60, "remote": "scene", "value": 8}"#, "line 2, value"),
        (#"{"at": 60, "remote": "part", "track": "bass", "value": 8}"#, "line 2, value"),
        (#"{"at": 60, "remote": "part", "value": 1}"#, "line 2, track"),
        (#"{"at": 60, "remote": "mute", "value": true}"#, "line 2, track"),
        (#"{"at": 49, "key": "undo"}"#, "line 2, at"), (#"{"at": 60, "key": "return"}"#, "line 2, key"),
        (#"{"at": 60, "key": "undo", "col": 1}"#, "line 2, col"), (#"{"key": "undo"}"#, "line 2, at"),
        (#"{"at": -1, "key": "undo"}"#, "line 2, at"), (#"{"at": 1e99, "key": "undo"}"#, "line 2, at"),
        (#"{"at": 60, "touch": 0, "phase": "hover", "col": 1, "row": 1}"#, "line 2, phase"),
        (#"{"at": 60, "touch": 0, "phase": "up", "col": 1}"#, "line 2, row"),
        (#"{"at": 60, "touch": 0, "phase": "down", "col": 1, "row": 1, "delay": -1}"#, "line 2, delay"),
        (#"{"at": 60, "touch": 0, "phase": "down", "col": 1, "row": 1, "delay": 2001}"#, "line 2, delay"),
        (#"{"at": 60, "touch": -3, "phase": "up", "col": 1, "row": 1}"#, "line 2, touch"),
        (#"{"at": 60, "touch": 0, "phase": "up", "col": "1", "row": 1}"#, "line 2, col"),
        (#"{"at": 60,, "key": "undo"}"#, "line 2, column 11"), ("[]", "line 2"),
        (#"{"at": 60, "set": "bass.cutof", "value": 800}"#, "line 2, set"),
        (#"{"at": 60, "set": "bass", "value": 800}"#, "line 2, set"),
        (#"{"at": 60, "set": 1, "value": 800}"#, "line 2, set"), (#"{"at": 60, "set": "swing"}"#, "line 2, value"),
        (#"{"at": 60, "set": "metronome", "value": 1}"#, "line 2, value"),
        (#"{"at": 60, "set": "countIn", "value": 3}"#, "line 2, value"),
        (#"{"at": 60, "set": "countIn", "value": -1}"#, "line 2, value"),
        (#"{"at": 60, "set": "countIn", "value": true}"#, "line 2, value"),
        (#"{"at": 60, "set": "rules", "value": "web"}"#, "line 2, value"),
        (#"{"at": 60, "set": "rules", "value": 1}"#, "line 2, value"),
        (#"{"at": 60, "set": "rules"}"#, "line 2, value"),
        (#"{"at": 60, "set": "tap", "value": 1}"#, "line 2, value"),
        (#"{"at": 60, "set": "lock", "value": "on"}"#, "line 2, value"),
        (#"{"at": 60, "set": "swing", "value": 60, "key": "undo"}"#, "line 2, set"),
        (#"{"at": 60, "set": "swing", "value": 60, "col": 4}"#, "line 2, col"),
        (#"{"at": 60, "key": "enter", "phase": "move"}"#, "line 2, phase"),
        (#"{"at": 60, "type": ""}"#, "line 2, type"), (#"{"at": 60, "type": "ab"}"#, "line 2, type"),
        (#"{"at": 60, "type": "a", "key": "enter"}"#, "line 2, type"),
        (#"{"at": 60, "link": {"tempo": 999, "beat": 100000001}}"#, "line 2, link.beat"),
        (#"{"at": 60, "link": {"tempo": 1000, "beat": 0}}"#, "line 2, link.tempo"),
    ]

    @Test("a line may set any control of the sound, the metronome and the count-in", arguments: SoundControl.allCases)
    func sets(control: SoundControl) throws {
        let (least, most) = (control.range.lowerBound, control.range.upperBound)
        let word = control.path.joined(separator: ".")
        let lines = [least, most].map { #"{"at": 1, "set": "\#(word)", "value": \#($0)}"# }
        let others = [
            #"{"at": 2, "set": "metronome", "value": true}"#, #"{"at": 2, "set": "countIn", "value": 2}"#,
        ]
        let script = try TouchScript(parsing: Array((lines + others).joined(separator: "\n").utf8))
        #expect(
            script.lines.map(\.act) == [
                .control(.sound(control, least)), .control(.sound(control, most)), .control(.metronome(true)),
                .control(.countIn(2)),
            ])
        for value in ["\(least - 1)", "\(most + 1)", "\(least).5", "\"\(least)\"", "null", "true"] {
            let line = #"{"at": 1, "set": "\#(word)", "value": \#(value)}"#
            let refusal = error { () throws(FormatError) in _ = try TouchScript(parsing: Array(line.utf8)) }
            #expect(
                refusal
                    == FormatError("line 1, value", "is \(value), should be a whole number from \(least) to \(most)"))
        }
    }

    static let settings: [(name: String, value: String, event: Instrument.Event)] = [
        ("rules", "\"phone\"", .rules(.phone)), ("rules", "\"box\"", .rules(.box)), ("tap", "true", .tapSound(true)),
        ("tap", "false", .tapSound(false)), ("lock", "true", .lock(true)), ("lock", "false", .lock(false)),
        ("brightness", "60", .brightness(60)), ("quantise", "40", .quantise(40)),
    ]

    @Test("a line may set the rules, tap sound, the lock, the brightness and the quantise", arguments: settings)
    func setsSetting(name: String, value: String, event: Instrument.Event) throws {
        let line = #"{"at": 0, "set": "\#(name)", "value": \#(value)}"#
        #expect(try TouchScript(parsing: Array(line.utf8)).lines == [.init(at: .zero, act: .control(event))])
    }

    @Test("an invalid line is rejected by number", arguments: refusals)
    func refuses(line: String, place: String) {
        let bytes = Array("\(down)\n\(line)\n".utf8)
        #expect(error { () throws(FormatError) in _ = try TouchScript(parsing: bytes) }?.place == place)
    }
}
