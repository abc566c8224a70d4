import Documents
import Drive

/// Requests of a program, a line each: every answer is an object of JSON with the time or an error.
func checkDrive(_ bytes: [UInt8]) throws(Violation) {
    let bench = Bench(version: "", NoFiles())
    for line in bytes.split(separator: 0x0a).prefix(40) where !isLong(Array(line)) {
        let answer = bench.answer(to: Array(line))
        guard case .object(let keys)? = try? JSON(parsing: Array(answer.utf8)) else {
            throw Violation(problem: "the answer \(answer) is no object")
        }
        try require(
            (keys["at"] != nil) != (keys["error"] != nil), "the answer \(answer) has neither a time nor an error")
    }
}

/// Whether the request in `line` takes longer than an input should: a second of playing, or many sessions.
private func isLong(_ line: [UInt8]) -> Bool {
    guard case .object(let keys)? = try? JSON(parsing: line) else { return false }
    if keys["do"] == .string("shrink") || keys["until"] != nil { return true }
    return ["ms", "frames", "steps", "keep"].contains { (keys[$0]?.double ?? 0) > ($0 == "steps" ? 8 : 1000) }
}

extension FuzzTarget {
    /// Sessions of a program.
    var driveRequests: [[UInt8]] {
        [
            #"""
            {"id": 1, "do": "new", "box": "a", "keep": 1, "takes": false, "config": {"panel": {"chip": "WS2812B"}}}
            {"do": "send", "lines": [{"touch": 0, "phase": "down", "col": 8, "row": 5}, {"after": 50, "key": "space"}]}
            {"do": "advance", "ms": 200, "only": ["note", "midi", "picture"]}
            {"do": "frame", "as": "text"}
            {"do": "find", "track": "melody", "step": 4, "degree": 2}
            {"do": "place", "col": 3, "row": 0}
            {"do": "copy", "to": "b"}
            {"do": "connect", "from": "a", "to": "b", "cable": "midi", "delay": 2, "jitter": 3, "loss": 10, "seed": 4}
            {"do": "advance", "steps": 2, "box": "b"}
            {"do": "record", "box": "b"}
            {"do": "close", "box": "a"}
            """#,
            #"""
            {"do": "new", "keep": 0, "takes": false, "rules": "phone", "today": "2026-03-29", "start": {"bpm": 90}}
            {"do": "send", "lines": [{"overlay": "stall"}, {"spi": "fail", "chain": 1}, {"sound": "stumble", "for": 5}]}
            {"do": "send", "lines": [{"disk": "full"}, {"at": 4, "power": "cut"}, {"at": 5, "disk": "good"}]}
            {"do": "send", "lines": [{"at": 9, "midi": "90 3C 50", "port": "k"}, {"plug": "out", "port": "k"}, {"button": "power"}]}
            {"do": "advance", "frames": 900}
            {"do": "state"}
            {"do": "words"}
            {"do": "pattern"}
            {"do": "sound", "as": "wav"}
            {"do": "wire"}
            {"do": "current"}
            """#,
        ].map { Array($0.utf8) }
    }
}
