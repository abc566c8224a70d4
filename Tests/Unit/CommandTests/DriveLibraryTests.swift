import Documents
import TestSupport
import TestTags
import Testing

/// The library of a driven box: its disk fails, and its power is cut.
@Suite("The disk of a driven box", .tags(.live))
struct DriveLibraryTests {
    private let program: Executable
    private let box: String

    init() throws {
        program = try Executable()
        // None is there: the box begins with an empty one.
        box = #"{"do": "new", "library": "\#(try program.file("box.sqlite"))"}"#
    }

    /// The answers of `drive` to `requests`, without the greeting.
    private func answers(_ requests: [String]) throws -> [[String: JSON]] {
        let result = try program.run("drive", input: requests.map { $0 + "\n" }.joined())
        #expect(result.status == 0 && result.complaint.isEmpty, "\(result.complaint)")
        return try String(decoding: result.output, as: UTF8.self).split(separator: "\n").dropFirst().map { line in
            guard case .object(let keys) = try JSON(parsing: Array(line.utf8)) else { return [:] }
            #expect(keys["error"] == nil, "\(line)")
            return keys
        }
    }

    /// A tap on a step of the melody at `milliseconds`.
    private func tap(at milliseconds: Int, column: Int) -> String {
        #"{"do": "send", "lines": [{"at": \#(milliseconds), "touch": 0, "phase": "down", "col": \#(column), "row": 5}, "#
            + #"{"after": 40, "touch": 0, "phase": "up", "col": \#(column), "row": 5}]}"#
    }

    /// The lines of the log, and the words, among the events of an answer.
    private func told(_ answer: [String: JSON]) -> [String] {
        guard case .array(let events)? = answer["events"] else { return [] }
        return events.compactMap { event in
            let text = word(event, word(event, "event") == "log" ? "line" : "word")
            return text.isEmpty ? nil : text
        }
    }

    @Test(
        "a disk that is full, or fails, is told in a line and a word, and the music is written when it is well again",
        arguments: [("full", "the disk is full", "DISK FULL"), ("fail", "disk I/O error", "NOT SAVED")])
    func fault(fault: String, reason: String, shown: String) throws {
        defer { program.remove() }
        let wait = #"{"do": "advance", "ms": 4000, "only": ["log", "word"]}"#
        let answers = try answers([
            box, #"{"do": "send", "lines": [{"disk": "\#(fault)"}]}"#, tap(at: 10, column: 13), wait,
            #"{"do": "send", "lines": [{"power": "cut"}]}"#, #"{"do": "advance", "ms": 1}"#, #"{"do": "pattern"}"#,
            #"{"do": "send", "lines": [{"disk": "\#(fault)"}]}"#, tap(at: 4010, column: 13), wait,
            #"{"do": "send", "lines": [{"disk": "good"}]}"#, wait,
            #"{"do": "send", "lines": [{"power": "cut"}]}"#, #"{"do": "advance", "ms": 1}"#, #"{"do": "pattern"}"#,
        ])
        let complaint = told(answers[3])
        let line = "cannot write the library: \(reason); it is retried every two seconds"
        #expect(complaint.contains(line) && complaint.contains(shown), "\(complaint)")
        #expect(told(answers[11]).contains("the library is written again"), "\(answers[11])")
        // Nothing was on the disk at the first cut; all is at the second.
        #expect(try isEmpty(answers[6]) && !isEmpty(answers[14]))
    }

    /// Whether the pattern in the answer to `pattern` has no note.
    private func isEmpty(_ answer: [String: JSON]) throws -> Bool {
        try PatternDocument(parsing: #require(answer["pattern"]).bytes(pretty: false)).pattern.isEmpty
    }

    /// The longest time for which music is not written, and the longest pass of a box's loop, in milliseconds.
    private static let (unwritten, pass) = (2000, 60)

    @Test("a power cut costs at most the last two seconds, and leaves music as it was")
    func powerCut() throws {
        defer { program.remove() }
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<6 {
            var (requests, times, now) = ([box], [0], 0)
            func advance(to time: Int) {
                requests += [#"{"do": "advance", "ms": \#(time - now)}"#, #"{"do": "pattern"}"#]
                now = time
            }
            advance(to: 1)
            for column in 12..<26 {
                let at = now + Int.random(in: 10...900, using: &random)
                requests.append(tap(at: at, column: column))
                advance(to: at + 45)
                times.append(now)
            }
            let cut = now + Int.random(in: 0...2500, using: &random)
            requests.append(#"{"do": "send", "lines": [{"at": \#(cut), "power": "cut"}]}"#)
            advance(to: cut + 1)
            let patterns = try answers(requests).compactMap { $0["pattern"] }
            let left = try #require(patterns.last)
            let place = try #require(
                patterns.dropLast().lastIndex(of: left), "PIXELBOOP_SEED=\(seed): music that was never there")
            let end = place + 1 < times.count ? times[place + 1] : cut
            #expect(end >= cut - Self.unwritten - Self.pass, "PIXELBOOP_SEED=\(seed): \(cut - end) ms are lost")
        }
    }
}
