import Documents
import Foundation
import TestTags
import Testing

@Suite("Export and import of patterns", .tags(.live))
struct LibraryExchangeTests {
    static let names = [
        "with spaces  in it", "a/b/../c", "Ünïcödé Größe", "🎹🥁 beat", String(repeating: "x", count: 200),
        String(repeating: "\u{5d0}\u{5b8}", count: 100), "-o", "A7", "\"quoted\" \\ $HOME `id`", "two\nlines", "", ".",
        "e\u{301}\u{345}\u{345}",
    ]

    @Test("a pattern with any name can be exported to a folder and imported", arguments: names)
    func strangeName(name: String) throws {
        let box = try Executable(library: [name])
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
        // A name is one line.
        let shown = name.replacing("\n", with: " ")
        #expect(try PatternDocument(parsing: Array(one.output)).name == shown)
        #expect(try box.run("library", "list").text.filter(\.isNewline).count == 1)
        if !name.isEmpty {
            #expect(try box.run("library", "show", "--", shown).status == 0)
        }
    }

    @Test("a name with two hundred combining marks is cut to the file system's limit")
    func longName() throws {
        let box = try Executable(library: ["a" + String(repeating: "\u{345}", count: 200)])
        defer { box.remove() }
        let result = try box.run("library", "export", "A", "-o", box.folder + "/out")
        #expect(result.status == 0, "\(result.complaint)")
    }

    @Test("a bank exported as a folder, in its order, is imported unchanged")
    func bank() throws {
        let box = try Executable(library: ["ONE", "TWO", "THREE"])
        defer { box.remove() }
        let folder = box.folder + "/deep/er"
        #expect(try box.run("library", "export", "a", "-o", folder).status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == ["A001-ONE.json", "A002-TWO.json", "A003-THREE.json"])
        #expect(try box.run("library", "import", folder, "--bank", "H").status == 0)
        #expect(try box.places("--bank", "H") == ["H1 ONE", "H2 TWO", "H3 THREE"])
        for place in 1...3 {
            let (one, two) = (
                try box.run("library", "export", "A\(place)", "-o", "-"),
                try box.run("library", "export", "H\(place)", "-o", "-")
            )
            #expect(one.output == two.output && !one.output.isEmpty)
        }
    }

    @Test("import is all or none, and names the invalid file", arguments: ["bad.json", "bad.mid", "gone.json"])
    func allOrNone(bad: String) throws {
        let box = try Executable(library: ["ONE"])
        defer { box.remove() }
        let folder = box.folder + "/in"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["in/a.json", "in/z.json"] { _ = try box.file(name, Executable.document(nil, step: 3)) }
        if !bad.hasPrefix("gone") {
            _ = try box.file("in/" + bad, Executable.document(nil).replacingOccurrences(of: "120", with: "12"))
        }
        let result = try box.run("library", "import", folder, "\(folder)/\(bad)")
        #expect(result.status == (bad.hasPrefix("gone") ? 66 : 65))
        #expect(result.complaint.contains("/in/\(bad): "), "\(result.complaint)")
        #expect(result.complaint.filter(\.isNewline).count == 1 && result.text.isEmpty)
        #expect(try box.places() == ["A1 ONE"])
        // No library is created either.
        let other = try box.file("other.sqlite")
        #expect(try box.run("library", "import", folder, "\(folder)/\(bad)", "--library", other).status != 0)
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test("a pattern without a name gets its file's, and one from standard input a default")
    func title() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("My song.v2.json", Executable.document(nil))
        #expect(try box.run("library", "import", file).text == "A1    My song.v2\n")
        let result = try box.run("library", "import", "-", input: Executable.document(nil, step: 2))
        #expect(result.status == 0 && result.text.hasSuffix("TUNE 1\n"), "\(result.complaint)")
    }

    @Test("notes are exported and imported as MIDI, sound is exported as WAV")
    func midi() throws {
        let box = try Executable(library: ["ONE"])
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

    @Test("parts of a MIDI file that a pattern cannot hold are reported, one line each")
    func remarks() throws {
        let box = try Executable(library: ["ONE"])
        defer { box.remove() }
        let file = try box.file("fast.mid")
        let track: [UInt8] = [0, 0xff, 0x51, 3, 1, 0xe8, 0x48, 0, 0x90, 60, 80, 96, 0x80, 60, 0, 0, 0xff, 0x2f, 0]
        let bytes =
            Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
            + [0, 0, 0, UInt8(track.count)] + track
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let result = try box.run("library", "import", file)
        #expect(result.status == 0 && result.text.hasSuffix("fast\n"))
        #expect(result.complaint == "pixelboop: \(file): the tempo is 480 BPM, and was set to 300\n")
    }

    @Test("a revision is listed by its number, and exported unchanged")
    func revision() throws {
        let box = try Executable(library: ["ONE"])
        defer { box.remove() }
        let shown = try JSON(parsing: Array(try box.run("library", "show", "A1", "--json").output))
        guard case .object(let parts) = shown, case .array(let revisions)? = parts["revisions"] else {
            return #expect(Bool(false), "\(shown)")
        }
        #expect(revisions.count == 1)
        let number = word(try #require(revisions.first), "number")
        let (then, now) = (
            try box.run("library", "export", "A1", "-o", "-", "--revision", number),
            try box.run("library", "export", "A1", "-o", "-")
        )
        #expect(then.status == 0 && then.output == now.output)
        #expect(try box.run("library", "show", "A1").text.contains("\nrevision \(number), saved 20"))
    }
}
