import Formats
import Foundation
import Instrument
import Testing

@Suite("The command library")
struct LibraryCommandTests {
    /// A document of a pattern with one note, on `step` of the melody.
    static func document(_ name: String?, step: Int = 0, bpm: Int = 120) -> String {
        var pattern = Pattern()
        pattern.bpm = bpm
        pattern[.melody, note: 0, step: step] = .accent
        return PatternDocument(pattern: pattern, name: name).text()
    }

    /// A box whose library has these names, begun one after the other, in bank A.
    private func box(_ names: [String]) throws -> Executable {
        let box = try Executable()
        var files: [String] = []
        for (index, name) in names.enumerated() {
            var document = try PatternDocument(parsing: Array(Self.document(name, step: index % 32).utf8))
            document.createdAt = "2020-01-01T00:00:0\(index)Z"
            files.append(try box.file("\(index).json", document.text()))
        }
        let result = try box.run(["library", "import"] + files)
        #expect(result.status == 0, "\(result.complaint)")
        return box
    }

    /// The patterns that are listed: place and name.
    private func places(_ box: Executable, _ options: String...) throws -> [String] {
        let result = try box.run(["library", "list", "--json"] + options)
        #expect(result.status == 0, "\(result.complaint)")
        guard case .array(let list) = try JSON(parsing: Array(result.output)) else { return [] }
        return list.map { entry in "\(Self.word(entry, "place")) \(Self.word(entry, "name"))" }
    }

    private static func word(_ json: JSON, _ key: String) -> String {
        guard case .object(let parts) = json else { return "" }
        switch parts[key] {
        case .string(let word): return word
        case .number(let number): return number
        default: return ""
        }
    }

    // MARK: Which

    @Test("a pattern is meant by its place, its name or its number")
    func which() throws {
        let box = try box(["ONE", "TWO"])
        defer { box.remove() }
        let more = try box.file("more.json", Self.document("THREE", step: 5))
        #expect(try box.run("library", "import", more, "--bank", "b").text == "B1    THREE\n")
        #expect(try places(box) == ["A1 ONE", "A2 TWO", "B1 THREE"])
        #expect(try places(box, "--bank", "B") == ["B1 THREE"])
        #expect(try places(box, "--bank", "C") == [])
        let shown = try JSON(parsing: Array(try box.run("library", "show", "TWO", "--json").output))
        let number = Self.word(shown, "number")
        for word in ["A2", "a2", "TWO", number] {
            let result = try box.run("library", "show", word)
            #expect(result.status == 0 && result.text.hasPrefix("A2  TWO, number \(number)\n"), "\(word)")
        }
        let lines = try box.run("library", "show", "B1").text.split(separator: "\n")
        #expect(lines.count == 8 && lines[2] == "120 BPM, 32 steps, C major" && lines[3] == "melody: 1 cell")
    }

    @Test("where several have a name, their places are told")
    func ambiguous() throws {
        let box = try box(["SAME", "SAME"])
        defer { box.remove() }
        let result = try box.run("library", "show", "SAME")
        #expect(result.status == 64)
        #expect(result.complaint == "pixelboop: several patterns are called SAME: say which by its place, A1, A2\n")
        #expect(try box.run("library", "export", "A2", "-o", "-").status == 0)
    }

    static let names = [
        "with spaces  in it", "a/b/../c", "Ünïcödé Größe", "🎹🥁 beat", String(repeating: "x", count: 200),
        String(repeating: "\u{5d0}\u{5b8}", count: 100), "-o", "A7", "\"quoted\" \\ $HOME `id`", "two\nlines", "", ".",
        "e\u{301}\u{345}\u{345}",
    ]

    @Test("whatever a pattern is called, it goes to a folder and comes back", arguments: names)
    func strangeName(name: String) throws {
        let box = try box([name])
        defer { box.remove() }
        let folder = box.folder + "/out"
        #expect(try box.run("library", "export", "A", "-o", folder).status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == 1 && files[0].hasPrefix("A001-") && files[0].hasSuffix(".json"), "\(files)")
        let other = try box.file("other.sqlite")
        let result = try box.run("library", "import", folder, "--library", other)
        #expect(result.status == 0 && result.text.filter(\.isNewline).count == 1, "\(result.complaint)")
        let (one, two) = (
            try box.run("library", "export", "A1", "-o", "-"),
            try box.run("library", "export", "A1", "-o", "-", "--library", other)
        )
        #expect(one.output == two.output && one.status == 0)
        #expect(try PatternDocument(parsing: Array(one.output)).name == name)
        #expect(try box.run("library", "list").text.filter(\.isNewline).count == 1)
        if !name.isEmpty {
            #expect(try box.run("library", "show", "--", name).status == 0)
        }
    }

    @Test("a name of two hundred signs on letters is cut where a file system wants it")
    func longName() throws {
        let box = try box(["a" + String(repeating: "\u{345}", count: 200)])
        defer { box.remove() }
        let result = try box.run("library", "export", "A", "-o", box.folder + "/out")
        #expect(result.status == 0, "\(result.complaint)")
    }

    // MARK: In and out

    @Test("a bank is written as a folder, in its order, and read again as it was")
    func bank() throws {
        let box = try box(["ONE", "TWO", "THREE"])
        defer { box.remove() }
        let folder = box.folder + "/deep/er"
        #expect(try box.run("library", "export", "a", "-o", folder).status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == ["A001-ONE.json", "A002-TWO.json", "A003-THREE.json"])
        #expect(try box.run("library", "import", folder, "--bank", "H").status == 0)
        #expect(try places(box, "--bank", "H") == ["H1 ONE", "H2 TWO", "H3 THREE"])
        for place in 1...3 {
            let (one, two) = (
                try box.run("library", "export", "A\(place)", "-o", "-"),
                try box.run("library", "export", "H\(place)", "-o", "-")
            )
            #expect(one.output == two.output && !one.output.isEmpty)
        }
    }

    @Test("import is all or none, and names the file that is bad", arguments: ["bad.json", "bad.mid", "gone.json"])
    func allOrNone(bad: String) throws {
        let box = try box(["ONE"])
        defer { box.remove() }
        let folder = box.folder + "/in"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["in/a.json", "in/z.json"] { _ = try box.file(name, Self.document(nil, step: 3)) }
        if !bad.hasPrefix("gone") {
            _ = try box.file("in/" + bad, Self.document(nil).replacingOccurrences(of: "120", with: "12"))
        }
        let result = try box.run("library", "import", folder, "\(folder)/\(bad)")
        #expect(result.status == (bad.hasPrefix("gone") ? 66 : 65))
        #expect(result.complaint.contains("/in/\(bad): "), "\(result.complaint)")
        #expect(result.complaint.filter(\.isNewline).count == 1 && result.text.isEmpty)
        #expect(try places(box) == ["A1 ONE"])
        // Nor is a library begun for nothing.
        let other = try box.file("other.sqlite")
        #expect(try box.run("library", "import", folder, "\(folder)/\(bad)", "--library", other).status != 0)
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test("what has no name is called as its file, and standard input as a tune")
    func title() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("My song.v2.json", Self.document(nil))
        #expect(try box.run("library", "import", file).text == "A1    My song.v2\n")
        let result = try box.run("library", "import", "-", input: Self.document(nil, step: 2))
        #expect(result.status == 0 && result.text.hasSuffix("TUNE 1\n"), "\(result.complaint)")
    }

    @Test("notes go out and in as MIDI, sound goes out as WAV")
    func midi() throws {
        let box = try box(["ONE"])
        defer { box.remove() }
        let file = try box.file("Notes.mid")
        #expect(try box.run("library", "export", "A1", "-o", file, "--loops", "2").status == 0)
        let result = try box.run("library", "import", file, "--bank", "B")
        #expect(result.text == "B1    ONE\n" && result.complaint.isEmpty, "\(result.complaint)")
        let there = try PatternDocument(parsing: Array(box.run("library", "export", "B1", "-o", "-").output))
        let here = try PatternDocument(parsing: Array(box.run("library", "export", "A1", "-o", "-").output))
        #expect(there.pattern == here.pattern)
        let wave = try box.file("sound.wav")
        #expect(try box.run("library", "export", "A1", "-o", wave, "--rate", "44100").status == 0)
        let head = try Data(contentsOf: URL(fileURLWithPath: wave)).prefix(28)
        #expect(head.starts(with: Data("RIFF".utf8)) && Array(head[24..<28]) == [0x44, 0xac, 0, 0])
    }

    @Test("what a MIDI file has that a pattern cannot hold is said, a line each")
    func remarks() throws {
        let box = try box(["ONE"])
        defer { box.remove() }
        let file = try box.file("fast.mid")
        let track: [UInt8] = [0, 0xff, 0x51, 3, 3, 0xd0, 0x90, 0, 0x90, 60, 80, 96, 0x80, 60, 0, 0, 0xff, 0x2f, 0]
        let bytes =
            Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
            + [0, 0, 0, UInt8(track.count)] + track
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let result = try box.run("library", "import", file)
        #expect(result.status == 0 && result.text.hasSuffix("fast\n"))
        #expect(result.complaint == "pixelboop: \(file): the tempo is 240 BPM, and was set to 200\n")
    }

    @Test("a revision is shown by its number, and exported as it was")
    func revision() throws {
        let box = try box(["ONE"])
        defer { box.remove() }
        let shown = try JSON(parsing: Array(try box.run("library", "show", "A1", "--json").output))
        guard case .object(let parts) = shown, case .array(let revisions)? = parts["revisions"] else {
            return #expect(Bool(false), "\(shown)")
        }
        #expect(revisions.count == 1)
        let number = Self.word(try #require(revisions.first), "number")
        let (then, now) = (
            try box.run("library", "export", "A1", "-o", "-", "--revision", number),
            try box.run("library", "export", "A1", "-o", "-")
        )
        #expect(then.status == 0 && then.output == now.output)
        #expect(try box.run("library", "show", "A1").text.contains("\nrevision \(number), saved 20"))
    }

    // MARK: What is wrong

    @Test("check counts what is good; what is damaged is told in one line, with its status, and the rest is saved")
    func damaged() throws {
        let box = try box(["ONE", "TWO"])
        defer { box.remove() }
        let path = box.folder + "/state/pixelboop/library.sqlite"
        let good = try box.run("library", "check")
        #expect(good.status == 0 && good.text == "\(path): 2 patterns, all well\n")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(repeating: 0x55, count: 64))
        try file.close()
        let bad = try box.run("library", "check")
        #expect(bad.status == 65 && bad.complaint.filter(\.isNewline).count == 1, "\(bad.complaint)")
        #expect(bad.complaint.contains("\(path) is damaged"), "\(bad.complaint)")
        #expect(bad.complaint.contains("set aside as \(path).damaged-"), "\(bad.complaint)")
        #expect(try box.run("library", "check").status == 0)
    }

    @Test("a row that cannot be read is told by check, and by what needs it")
    func badRow() throws {
        let box = try box(["ONE", "TWO"])
        defer { box.remove() }
        let path = box.folder + "/state/pixelboop/library.sqlite"
        let editor = Process()
        editor.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let change = "UPDATE revision SET bpm = 7 WHERE id = (SELECT max(id) FROM revision)"
        editor.arguments = ["-c", "import sqlite3; c = sqlite3.connect('\(path)'); c.execute('\(change)'); c.commit()"]
        try editor.run()
        editor.waitUntilExit()
        #expect(editor.terminationStatus == 0)
        let check = try box.run("library", "check")
        #expect(check.status == 65 && check.text.hasPrefix("TWO, revision "), "\(check.text)")
        #expect(check.complaint.hasPrefix("pixelboop: \(path): 1 problem; "), "\(check.complaint)")
        let export = try box.run("library", "export", "A2", "-o", "-")
        #expect(export.status == 65 && export.text.isEmpty, "\(export.complaint)")
        #expect(export.complaint.filter(\.isNewline).count == 1 && export.complaint.contains("library check"))
        #expect(try box.run("library", "export", "A1", "-o", "-").status == 0)
    }

    @Test("a backup in a folder is called by the date, and comes back while no box runs")
    func backup() throws {
        let box = try box(["ONE", "TWO"])
        defer { box.remove() }
        let folder = try box.file("stick")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let told = try box.run("library", "backup", folder)
        #expect(told.status == 0, "\(told.complaint)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let name = try #require(names.first)
        #expect(names.count == 1 && told.text == "\(folder)/\(name): 2 patterns\n", "\(names)")
        #expect(try box.run("library", "import", try box.file("more.json", Self.document("THREE"))).status == 0)
        let path = box.folder + "/state/pixelboop/library.sqlite"

        let player = box.process(["run", "--panel", "web", "--listen", "127.0.0.1:0", "--audio", "none"])
        let complaint = Pipe()
        player.standardError = complaint
        try player.run()
        // It has the library open by then.
        _ = complaint.fileHandleForReading.availableData
        #expect(try box.run("library", "backup", folder + "/more.sqlite").status == 0)
        for words in [["restore", "\(folder)/\(name)"], ["reset-settings"]] {
            let refused = try box.run(["library"] + words)
            #expect(refused.status == 69 && refused.complaint.contains("another program is using it"), "\(refused)")
        }
        player.terminate()
        player.waitUntilExit()

        let restored = try box.run("library", "restore", "\(folder)/\(name)")
        #expect(restored.status == 0, "\(restored.complaint)")
        #expect(restored.text.hasPrefix("\(path): restored; what was there is kept as \(path).replaced-"))
        #expect(try places(box) == ["A1 ONE", "A2 TWO"])
        #expect(try box.run("library", "reset-settings").text == "\(path): settings as at the first start\n")
        #expect(try box.run("library", "restore", folder + "/more.sqlite").status == 0)
        #expect(try places(box).count == 3)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var arguments: String
        var status: Int32
        var says: String
        var testDescription: String { arguments }
    }

    static let mistakes: [Mistake] = [
        .init(arguments: "", status: 64, says: "an operand is missing; usage: pixelboop library"),
        .init(arguments: "frobnicate", status: 64, says: "library frobnicate: should be library list, show, export"),
        .init(arguments: "frobnicate --library none", status: 64, says: "library frobnicate"),
        .init(arguments: "list A1", status: 64, says: "list takes no pattern"),
        .init(arguments: "list --bank Z", status: 64, says: "--bank is Z, should be a letter from A to H"),
        .init(arguments: "list --bank", status: 64, says: "--bank needs a value"),
        .init(arguments: "list --library none", status: 66, says: "none: there is no library yet"),
        .init(arguments: "list --frob", status: 64, says: "unknown option --frob"),
        .init(arguments: "list --config none.json5", status: 66, says: "none.json5: there is no such file"),
        .init(arguments: "show", status: 64, says: "show takes one pattern"),
        .init(arguments: "show A1 A1", status: 64, says: "show takes one pattern"),
        .init(arguments: "show A9", status: 66, says: "there is no pattern A9; pixelboop library list shows"),
        .init(arguments: "show A1 --revision 99", status: 66, says: "ONE has no revision 99; library show tells"),
        .init(arguments: "show A1 --revision x", status: 64, says: "--revision is x, should be a whole number"),
        .init(arguments: "export", status: 64, says: "export takes one pattern"),
        .init(arguments: "export A1", status: 64, says: "-o is missing"),
        .init(arguments: "export A1 --library none", status: 64, says: "-o is missing"),
        .init(arguments: "export A1 -o x.ogg", status: 64, says: "its ending says what to write: .json, .mid or .wav"),
        .init(arguments: "export A1 -o x.png", status: 64, says: "x.png; its ending says what to write"),
        .init(arguments: "export A1 -o x.mid --loops 0", status: 64, says: "--loops is 0"),
        .init(arguments: "export A1 -o x.wav --rate 8000", status: 64, says: "--rate is 8000"),
        .init(arguments: "export A1 -o no/x.json", status: 73, says: "no/x.json: cannot be made"),
        .init(arguments: "export A1 -o /dev/full", status: 64, says: "/dev/full; its ending"),
        .init(arguments: "export A -o full", status: 74, says: "full/A001-ONE.json: cannot be written"),
        .init(arguments: "export A -o -", status: 64, says: "-o is -, should be a folder"),
        .init(arguments: "export A -o x.json", status: 64, says: "-o is x.json, should be a folder"),
        .init(arguments: "export A -o out --revision 1", status: 64, says: "--revision is of a pattern"),
        .init(arguments: "export A -o one", status: 73, says: "one: the folder cannot be made: File exists"),
        .init(arguments: "export A -o /proc/none/x", status: 73, says: "/proc/none: the folder cannot be made:"),
        .init(arguments: "export B -o out", status: 66, says: "bank B is empty"),
        .init(arguments: "import", status: 64, says: "name files or folders to import"),
        .init(arguments: "import none.json", status: 66, says: "none.json: there is no such file"),
        .init(arguments: "import empty", status: 66, says: "empty: has no .json or .mid files"),
        .init(arguments: "import bad.json", status: 65, says: "bad.json: tracks: is a number"),
        .init(arguments: "import one --bank I", status: 64, says: "--bank is I"),
        .init(arguments: "import bad.mid", status: 65, says: "bad.mid: byte 0: is not the start of a MIDI file"),
        .init(arguments: "import one --library /proc/none/x", status: 73, says: "cannot create the library's folder"),
        .init(arguments: "import one --library empty", status: 73, says: "cannot keep the library in empty"),
        .init(arguments: "check A1", status: 64, says: "check takes no pattern"),
        .init(arguments: "check --library none", status: 66, says: "there is no library yet"),
        .init(arguments: "backup", status: 64, says: "backup takes one path"),
        .init(arguments: "backup -", status: 64, says: "backup takes one path"),
        .init(arguments: "backup empty --library none", status: 66, says: "none: there is no library yet"),
        .init(arguments: "backup no/x", status: 74, says: "cannot write the backup no/x: unable to open"),
        .init(arguments: "backup /dev/full", status: 73, says: "/dev/full: is not to be replaced"),
        .init(arguments: "backup state/pixelboop/library.sqlite", status: 73, says: "is not to be replaced"),
        .init(arguments: "restore", status: 64, says: "restore takes one path"),
        .init(arguments: "restore one two", status: 64, says: "restore takes one path"),
        .init(arguments: "restore none", status: 66, says: "none: cannot be read: No such file"),
        .init(arguments: "restore empty", status: 66, says: "empty: is a folder; name a file in it"),
        .init(arguments: "restore bad.mid", status: 65, says: "the backup bad.mid: file is not a database"),
        .init(arguments: "restore state/pixelboop/library.sqlite", status: 64, says: "is the library itself"),
        .init(arguments: "reset-settings A1", status: 64, says: "reset-settings takes nothing more"),
        .init(arguments: "reset-settings --library none", status: 66, says: "there is no library yet"),
    ]

    @Test("a mistake is one line that names it, with its status, and changes nothing", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let box = try box(["ONE"])
        defer { box.remove() }
        _ = try box.file("one", Self.document("ONE"))
        _ = try box.file("bad.json", #"{"bpm": 120, "length": 32, "rootNote": "C", "scale": "major", "tracks": 3}"#)
        _ = try box.file("bad.mid", "no notes")
        for folder in ["empty", "full"] {
            try FileManager.default.createDirectory(atPath: try box.file(folder), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: try box.file("full/A001-ONE.json"), withDestinationPath: "/dev/full")
        func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: box.folder).sorted() }
        let before = try names()
        let result = try box.run(
            ["library"] + mistake.arguments.split(separator: " ").map(String.init), folder: box.folder)
        #expect(result.status == mistake.status, "\(result.complaint)")
        #expect(result.complaint.contains(mistake.says), "\(result.complaint)")
        #expect(result.complaint.filter(\.isNewline).count == 1 && result.text.isEmpty, "\(result.complaint)")
        #expect(try names() == before)
        #expect(try places(box) == ["A1 ONE"])
    }

    // MARK: docs/library.md

    @Test("every command of docs/library.md does as it says there")
    func documentation() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/library.md").standardizedFileURL
        let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
        let commands = text.split(separator: "\n").filter { $0.hasPrefix("    pixelboop ") }
        #expect(commands.count == 17)
        let box = try box(["TUNE 1", "TUNE 2"])
        defer { box.remove() }
        let own = box.folder + "/state/pixelboop/library.sqlite"
        for command in commands {
            // The only path that is not the test's own.
            let line = command.replacingOccurrences(of: "/var/lib/pixelboop/library.sqlite", with: own)
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            let words = parts.enumerated().flatMap { index, part in
                index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
            }
            let result = try box.run(Array(words.dropFirst()), folder: box.folder)
            #expect(result.status == 0 && result.complaint.isEmpty, "\(line): \(result.complaint)")
        }
        let places = try places(box)
        #expect(Set(places.map { $0.prefix(1) }) == ["A", "C"] && places.count == 6, "\(places)")
        let files = try FileManager.default.contentsOfDirectory(atPath: box.folder)
        #expect(files.contains("tune.wav") && files.contains("before.json") && files.contains("bank-a"))
    }
}
