import Documents
import TestSupport
import Testing

@testable import Drive

/// Requests that cannot be carried out.
private let mistakes: [(request: String, place: String, problem: String)] = [
    ("{", "line 1, column 2", "expected"),
    ("[]", "", "is a list, should be an object"),
    ("{}", "do", "is missing"),
    (#"{"do": "dance"}"#, "do", "should be one of new, copy, close"),
    (#"{"id": [], "do": "words"}"#, "id", "is a list, should be a string"),
    (#"{"do": "words", "box": "none"}"#, "box", #"should be the name of a box: "a", "b""#),
    (#"{"do": "words"}"#, "box", "is missing"),
    (#"{"do": "words", "box": "a", "bix": 1}"#, "bix", "is not a key; the keys here are id, do, box"),
    (#"{"do": "new", "box": "a"}"#, "box", "there is already"),
    (#"{"do": "copy", "box": "a", "to": "b"}"#, "to", "there is already"),
    (#"{"do": "new", "box": "c", "config": {"panel": {"chip": "X"}}}"#, "config.panel.chip", "should be one of APA102"),
    (#"{"do": "new", "box": "c", "start": {"bpm": 1}}"#, "start.bpm", "is 1, should be a whole number from 20"),
    (#"{"do": "new", "box": "c", "today": "tomorrow"}"#, "today", "should be a date as 2026-03-29"),
    (#"{"do": "new", "box": "c", "keep": 601}"#, "keep", "should be a number from 0"),
    (#"{"do": "new", "box": "c", "listings": "x.xml"}"#, "listings", "name the library with library"),
    (#"{"do": "send", "box": "a"}"#, "lines", "is missing"),
    (#"{"do": "send", "box": "a", "lines": [{"key": "space"}, {"key": "no"}]}"#, "lines[1].key", "should be one of"),
    (#"{"do": "send", "box": "a", "lines": [{"at": 0, "key": "space"}]}"#, "lines[0].at", "is 0, which is before 10"),
    (
        #"{"do": "send", "box": "a", "lines": [{"at": 20, "key": "undo"}, {"at": 15, "key": "undo"}]}"#, "lines[1].at",
        "is 15, which is before 20"
    ),
    (#"{"do": "send", "box": "a", "lines": [{"at": 20, "after": 1, "key": "undo"}]}"#, "lines[0].at", "cannot stand"),
    (
        #"{"do": "send", "box": "a", "lines": [{"touch": 0, "phase": "down", "col": 99, "row": 3}]}"#, "lines[0].col",
        "is 99, should be a number from -0.5 to 43.5"
    ),
    (
        #"{"do": "send", "box": "a", "lines": [{"touch": 0, "phase": "down", "col": 9, "row": 24}]}"#, "lines[0].row",
        "is 24, should be a number from -0.5 to 23.5"
    ),
    (#"{"do": "send", "box": "a", "lines": [{"overlay": "gone"}]}"#, "lines[0].overlay", "should be one of unplug"),
    (#"{"do": "send", "box": "a", "lines": [{"disk": "gone"}]}"#, "lines[0].disk", "should be one of full, fail, good"),
    (#"{"do": "send", "box": "a", "lines": [{"power": "off"}]}"#, "lines[0].power", "should be one of cut"),
    (#"{"do": "advance"}"#, "ms", "needs one of ms, frames, steps and until"),
    (#"{"do": "advance", "ms": 1, "frames": 1}"#, "ms", "needs one of"),
    (#"{"do": "advance", "ms": -1}"#, "ms", "should be a number from 0"),
    (#"{"do": "advance", "ms": 86400000}"#, "", "lasts a day of its clock"),
    (#"{"do": "advance", "steps": 1}"#, "box", "is missing"),
    (#"{"do": "advance", "until": {"event": "rain"}}"#, "until.event", "should be one of note, step"),
    (#"{"do": "advance", "ms": 1, "only": ["rain"]}"#, "only[0]", "should be one of note, step"),
    (#"{"do": "frame", "box": "a", "as": "jpeg"}"#, "as", "should be one of rgb, png, text"),
    (#"{"do": "frame", "box": "b", "stage": "light"}"#, "box", "has no light: it was made with keep 0"),
    (#"{"do": "sound", "box": "b"}"#, "box", "has no sound: it was made with keep 0"),
    (#"{"do": "wire", "box": "b"}"#, "box", "has no bytes on its wires: it was made with keep 0"),
    (#"{"do": "place", "box": "a", "col": 44, "row": 0}"#, "col", "should be a whole number from 0 to 43"),
    (#"{"do": "find", "box": "a"}"#, "name", "is missing: name at least one of"),
    (#"{"do": "find", "box": "a", "name": "MOON"}"#, "", "no place is like this on the screen of the steps"),
    (#"{"do": "library", "box": "a"}"#, "box", "has no library"),
    (#"{"do": "connect", "from": "a", "to": "a", "cable": "midi"}"#, "to", "is the same box"),
    (#"{"do": "connect", "from": "a", "to": "b", "cable": "rope"}"#, "cable", "should be one of midi, pulse"),
    (#"{"do": "connect", "from": "a", "to": "b", "cable": "midi", "loss": 101}"#, "loss", "should be a number from 0"),
    (#"{"do": "disconnect", "from": "a", "to": "b", "cable": "midi"}"#, "cable", "is not there"),
    (#"{"do": "shrink", "new": {}, "lines": [], "until": {"event": "note"}}"#, "until", "does not happen"),
    (#"{"do": "shrink", "new": {}, "lines": [], "until": {"event": "note"}, "tries": 0}"#, "tries", "a whole number"),
]

/// What every request answers.
struct RequestTests {
    @Test("a request that cannot be carried out says where and what, and changes nothing", arguments: mistakes.indices)
    func mistake(index: Int) throws {
        let (request, place, problem) = mistakes[index]
        let program = Program("a")
        program.ask(#"{"do": "new", "box": "b", "keep": 0}"#)
        program.advance(10)
        let before = program.ask(#"{"do": "record", "box": "a"}"#)
        let error = try #require(program.error(request))
        #expect(error.place.hasPrefix(place), "\(error)")
        #expect(error.problem.contains(problem), "\(error)")
        #expect(program.ask(#"{"do": "record", "box": "a"}"#) == before)
        #expect(program.state(of: "b").number("at") == 10)
    }

    @Test("the answer repeats the id, and says the time")
    func id() {
        let program = Program("box")
        program.advance(12.345)
        #expect(program.ask(#"{"id": "x 7", "do": "words"}"#).text("id") == "x 7")
        #expect(program.ask(#"{"id": 7, "do": "words"}"#).number("id") == 7)
        #expect(program.ask(#"{"do": "words"}"#)["id"] == nil)
        #expect(program.ask(#"{"do": "words"}"#).number("at") == 12.345)
    }

    @Test("a box that is closed is gone")
    func close() throws {
        let program = Program("a", "b")
        program.ask(#"{"do": "connect", "from": "a", "to": "b", "cable": "midi"}"#)
        program.ask(#"{"do": "close", "box": "a"}"#)
        #expect(try #require(program.error(#"{"do": "words", "box": "a"}"#)).place == "box")
        program.ask(#"{"do": "words"}"#)
    }

    @Test("a place and the look for it agree on every LED, with and without the menu")
    func places() {
        let program = Program("box")
        for keys in ["", #"{"key": "backspace"}"#] {
            if !keys.isEmpty { program.send(keys) }
            program.advance(100)
            var found = 0
            for row in 0..<24 {
                for column in 0..<44 {
                    let place = program.ask(#"{"do": "place", "col": \#(column), "row": \#(row)}"#)
                    guard !place.text("name").isEmpty else { continue }
                    found += 1
                    let keys = place.keys.filter { $0.key != "at" }.merging(["do": .string("find")]) { $1 }
                    let leds = program.ask(JSON.object(keys).text(pretty: false))
                    guard case .array(let all)? = leds["leds"] else { continue }
                    #expect(all.contains(.array([.integer(column), .integer(row)])), "\(place)")
                    #expect(all.contains(leds["middle"] ?? .null), "\(place)")
                }
            }
            #expect(found > 700)
        }
    }

    @Test("the page has every request and every event")
    func page() throws {
        let page = try Checkout.text("docs/drive.md")
        for verb in Bench.verbs { #expect(page.contains("`\(verb)`"), "\(verb)") }
        for kind in Happening.Kind.allCases { #expect(page.contains("| `\(kind.rawValue)` |"), "\(kind)") }
        for key in BoxRecipe.keys { #expect(page.contains("| `\(key)` |"), "\(key)") }
    }
}
