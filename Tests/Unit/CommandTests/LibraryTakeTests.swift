import Documents
import Formats
import Foundation
import TestTags
import Testing

@Suite("Takes on the command line", .tags(.live))
struct LibraryTakeTests {
    /// A drum and a tone, Play at 500 ms, and TAKE held `count` times, from the second bar on.
    private func script(takes count: Int) -> String {
        var lines = [
            #"{"at": 0, "touch": 0, "phase": "down", "col": 4, "row": 20}"#,
            #"{"at": 60, "touch": 0, "phase": "up", "col": 4, "row": 20}"#,
            #"{"at": 200, "touch": 0, "phase": "down", "col": 8, "row": 4}"#,
            #"{"at": 260, "touch": 0, "phase": "up", "col": 8, "row": 4}"#,
            #"{"at": 500, "key": "space"}"#,
        ]
        for number in 0..<count {
            let at = 3000 + 1000 * number
            lines.append(#"{"at": \#(at), "touch": 0, "phase": "down", "col": 42.5, "row": 22.5}"#)
            lines.append(#"{"at": \#(at + 700), "touch": 0, "phase": "up", "col": 42.5, "row": 22.5}"#)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A box with `count` takes, and the words for its library.
    private func box(takes count: Int) throws -> (box: Executable, library: [String]) {
        let box = try Executable()
        let library = ["--library", try box.file("box.sqlite")]
        let made = try box.run(["replay", try box.file("touches.jsonl", script(takes: count))] + library)
        try #require(made.status == 0, "\(made.complaint)")
        return (box, library)
    }

    @Test("are listed, exported with their touches, replayed and removed")
    func exchange() throws {
        let (box, library) = try box(takes: 2)
        defer { box.remove() }
        let list = try box.run(["library", "takes"] + library)
        let lines = list.text.split(separator: "\n")
        try #require(lines.count == 3, "\(list.text)\(list.complaint)")
        #expect(lines[0].hasPrefix("1     2.0 s     kept 20"))
        #expect(lines[1].hasPrefix("2     4.0 s     kept 20"))
        #expect(lines[2].contains("/box.takes: 2 takes, room for "))
        let json = try box.run(["library", "takes", "--json"] + library).text
        #expect(
            json.contains("\"frames\" : 96000") && json.contains("\"rate\" : 48000") && json.contains("\"room\" : "))

        let (wave, touches) = (box.folder + "/take.wav", box.folder + "/take.jsonl")
        #expect(try box.run(["library", "export-take", "1", "-o", wave] + library).status == 0)
        #expect(try box.run(["library", "export-take", "1", "-o", touches] + library).status == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: wave))
        #expect(bytes.count == 44 + 4 * 96_000)
        #expect(try box.run(["library", "export-take", "1", "-o", "-"] + library).output == bytes)
        let again = box.folder + "/again.wav"
        let replayed = try box.run(["replay", touches, "--wav", again])
        #expect(replayed.status == 0, "\(replayed.complaint)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: again)).count >= 58 + 8 * 96_000)

        #expect(try box.run(["library", "remove-take", "1"] + library).status == 0)
        #expect(try box.run(["library", "takes", "--json"] + library).text.contains("\"number\" : 2"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: box.folder + "/box.takes").sorted() == [
                "take-2.jsonl", "take-2.wav",
            ])
    }

    @Test("a mistake is one clear line")
    func mistakes() throws {
        let (box, library) = try box(takes: 1)
        defer { box.remove() }
        let cases: [([String], Int32, String)] = [
            (["takes", "1"], 64, "takes takes no operand; it lists all takes"),
            (["export-take", "1"], 64, "-o is missing; name the output file"),
            (["export-take", "-o", "x.wav"], 64, "export-take takes the number of one take"),
            (["export-take", "one", "-o", "x.wav"], 64, "export-take takes the number of one take"),
            (["export-take", "1", "-o", "x.mp3"], 64, "-o is x.mp3, should end in .wav, or in .jsonl for the touches"),
            (["export-take", "1", "-o", box.folder + "/box.takes/take-9.wav"], 64, "is in the folder of the takes"),
            (["export-take", "9", "-o", "x.wav"], 66, "there is no take 9; pixelboop library takes shows all of them"),
            (["remove-take", "0"], 64, "remove-take takes the number of one take"),
            (["remove-take", "9"], 66, "there is no take 9; pixelboop library takes shows all of them"),
        ]
        for (words, status, complaint) in cases {
            let result = try box.run(["library"] + words + library)
            #expect(result.status == status, "\(words): \(result.complaint)")
            #expect(result.complaint.contains(complaint), "\(words): \(result.complaint)")
            #expect(result.complaint.split(separator: "\n").count == 1, "\(words): \(result.complaint)")
        }
    }

    @Test("a session without a library keeps none, and says so")
    func noLibrary() throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run(["replay", try box.file("touches.jsonl", script(takes: 1))])
        #expect(result.status == 0, "\(result.complaint)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: box.folder) == ["touches.jsonl"])
    }

    @Test("killed while it keeps takes, the box leaves whole ones, and a whole library")
    func kills() throws {
        let box = try Executable()
        defer { box.remove() }
        let library = ["--library", try box.file("box.sqlite")]
        let touches = try box.file("touches.jsonl", script(takes: 12))
        let began = Date()
        #expect(try box.run(["replay", touches] + library).status == 0)
        let whole = Date().timeIntervalSince(began)
        for number in 0..<20 {
            let process = box.process(["replay", touches] + library)
            process.standardError = FileHandle.nullDevice
            try process.run()
            // Takes are kept over the last nine tenths of the run.
            let end = Date() + whole * (0.1 + 0.9 * Double(number) / 20)
            while Date() < end, process.isRunning { _ = sched_yield() }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let folder = box.folder + "/box.takes"
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("take-") {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
                if name.hasSuffix(".wav") {
                    #expect(
                        WaveFile.lengthOfTake(Array(bytes.prefix(44))).map { 44 + 4 * $0.frames } == bytes.count,
                        "\(name)")
                } else {
                    #expect(throws: Never.self, "\(name)") { try TouchScript(parsing: Array(bytes)) }
                }
            }
        }
        let check = try box.run(["library", "check"] + library)
        #expect(check.status == 0, "\(check.complaint)")
        let list = try box.run(["library", "takes"] + library)
        #expect(list.status == 0 && list.text.split(separator: "\n").count > 12)
    }
}
