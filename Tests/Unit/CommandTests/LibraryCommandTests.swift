import Foundation
import Documents
import Formats
import Instrument
import TestSupport
import TestTags
import Testing

@Suite("pixelboop library", .tags(.live))
struct LibraryCommandTests {
    @Test("a pattern is selected by its place, its name or its number")
    func which() throws {
        let box = try Executable(library: ["ONE", "TWO"])
        defer { box.remove() }
        let more = try box.file("more.json", Executable.document("THREE", step: 5))
        #expect(try box.run("library", "import", more, "--bank", "b").text == "B1    THREE\n")
        #expect(try box.places() == ["A1 ONE", "A2 TWO", "B1 THREE"])
        #expect(try box.places("--bank", "B") == ["B1 THREE"])
        #expect(try box.places("--bank", "C") == [])
        let shown = try JSON(parsing: Array(try box.run("library", "show", "TWO", "--json").output))
        let number = word(shown, "number")
        for word in ["A2", "a2", "TWO", number] {
            let result = try box.run("library", "show", word)
            #expect(result.status == 0 && result.text.hasPrefix("A2  TWO, number \(number)\n"), "\(word)")
        }
        let lines = try box.run("library", "show", "B1").text.split(separator: "\n")
        #expect(lines.count == 8 && lines[2] == "120 BPM, 32 steps, C major" && lines[3] == "melody: 1 cell")
    }

    @Test("if several have a name, their places are listed")
    func ambiguous() throws {
        let box = try Executable(library: ["SAME", "SAME"])
        defer { box.remove() }
        let result = try box.run("library", "show", "SAME")
        #expect(result.status == 64)
        #expect(result.complaint == "pixelboop: several patterns are called SAME: name one by its place: A1, A2\n")
        #expect(try box.run("library", "export", "A2", "-o", "-").status == 0)
    }

    static let mistakes: [Mistake] = [
        .init(arguments: "", status: 64, message: "an operand is missing; usage: pixelboop library"),
        .init(arguments: "frobnicate", status: 64, message: "library frobnicate: should be library list, show, export"),
        .init(arguments: "frobnicate --library none", status: 64, message: "library frobnicate"),
        .init(arguments: "list A1", status: 64, message: "list takes no pattern"),
        .init(arguments: "list --bank Z", status: 64, message: "--bank is Z, should be a letter from A to H"),
        .init(arguments: "list --bank", status: 64, message: "--bank needs a value"),
        .init(arguments: "list --library none", status: 66, message: "none: there is no library yet"),
        .init(arguments: "list --frob", status: 64, message: "unknown option --frob"),
        .init(arguments: "list --config none.json5", status: 66, message: "none.json5: there is no such file"),
        .init(arguments: "show", status: 64, message: "show takes one pattern"),
        .init(arguments: "show A1 A1", status: 64, message: "show takes one pattern"),
        .init(arguments: "show A9", status: 66, message: "there is no pattern A9; pixelboop library list shows"),
        .init(arguments: "show A1 --revision 99", status: 66, message: "ONE has no revision 99; library show lists"),
        .init(arguments: "show A1 --revision x", status: 64, message: "--revision is x, should be a whole number"),
        .init(arguments: "export", status: 64, message: "export takes one pattern"),
        .init(arguments: "export A1", status: 64, message: "-o is missing"),
        .init(arguments: "export A1 --library none", status: 64, message: "-o is missing"),
        .init(
            arguments: "export A1 -o x.ogg", status: 64,
            message: "its extension selects the format: .json, .mid or .wav"),
        .init(arguments: "export A1 -o x.png", status: 64, message: "x.png; its extension selects the format"),
        .init(arguments: "export A1 -o x.mid --loops 0", status: 64, message: "--loops is 0"),
        .init(arguments: "export A1 -o x.wav --rate 8000", status: 64, message: "--rate is 8000"),
        .init(arguments: "export A1 -o x.wav --song", status: 65, message: "A1: has no song"),
        .init(arguments: "export A1 -o x.json --song", status: 64, message: "--song is for sound and MIDI"),
        .init(arguments: "export A1 -o x.mid --song --loops 2", status: 64, message: "--song plays the song once"),
        .init(arguments: "export A -o out --song", status: 64, message: "--song is for a pattern, not a bank"),
        .init(arguments: "export A1 -o no/x.json", status: 73, message: "no/x.json: cannot be made"),
        .init(arguments: "export A1 -o /dev/full", status: 64, message: "/dev/full; its extension"),
        .init(arguments: "export A -o full", status: 73, message: "full/A001-ONE.json: cannot be written"),
        .init(arguments: "export A -o -", status: 64, message: "-o is -, should be a folder"),
        .init(arguments: "export A -o x.json", status: 64, message: "-o is x.json, should be a folder"),
        .init(arguments: "export A -o out --revision 1", status: 64, message: "--revision is for a pattern"),
        .init(arguments: "export A -o one", status: 73, message: "one: the folder cannot be made: File exists"),
        .init(arguments: "export A -o /proc/none/x", status: 73, message: "/proc/none: the folder cannot be made:"),
        .init(arguments: "export B -o out", status: 66, message: "bank B is empty"),
        .init(arguments: "import", status: 64, message: "name files or folders to import"),
        .init(arguments: "import none.json", status: 66, message: "none.json: there is no such file"),
        .init(arguments: "import empty", status: 66, message: "empty: has no .json or .mid files"),
        .init(arguments: "import bad.json", status: 65, message: "bad.json: tracks: is a number"),
        .init(arguments: "import one --bank I", status: 64, message: "--bank is I"),
        .init(arguments: "import bad.mid", status: 65, message: "bad.mid: byte 0: is not the start of a MIDI file"),
        .init(
            arguments: "import one --library /proc/none/x", status: 73, message: "cannot create the library's folder"),
        .init(arguments: "import one --library empty", status: 73, message: "cannot keep the library in empty"),
        .init(arguments: "check A1", status: 64, message: "check takes no pattern"),
        .init(arguments: "check --library none", status: 66, message: "there is no library yet"),
        .init(arguments: "backup", status: 64, message: "backup takes one path"),
        .init(arguments: "backup -", status: 64, message: "backup takes one path"),
        .init(arguments: "backup empty --library none", status: 66, message: "none: there is no library yet"),
        .init(arguments: "backup no/x", status: 74, message: "cannot write the backup no/x: unable to open"),
        .init(arguments: "backup /dev/full", status: 73, message: "/dev/full: cannot be replaced"),
        .init(arguments: "backup state/pixelboop/library.sqlite", status: 73, message: "cannot be replaced"),
        .init(arguments: "restore", status: 64, message: "restore takes one path"),
        .init(arguments: "restore one two", status: 64, message: "restore takes one path"),
        .init(arguments: "restore none", status: 66, message: "none: cannot be read: No such file"),
        .init(arguments: "restore empty", status: 66, message: "empty: is a folder; name a file in it"),
        .init(arguments: "restore bad.mid", status: 65, message: "the backup bad.mid: file is not a database"),
        .init(arguments: "restore state/pixelboop/library.sqlite", status: 64, message: "is the library itself"),
        .init(arguments: "presets A1", status: 64, message: "presets takes no operand"),
        .init(arguments: "tunings A1", status: 64, message: "tunings takes no operand"),
        .init(arguments: "export-tuning WERCK", status: 64, message: "-o is missing"),
        .init(arguments: "export-tuning -o x.scl", status: 64, message: "export-tuning takes one name of a tuning"),
        .init(arguments: "import-tuning", status: 64, message: "an operand is missing"),
        .init(arguments: "remove-tuning A B", status: 64, message: "remove-tuning takes one name of a tuning"),
        .init(arguments: "export-sound A", status: 64, message: "-o is missing"),
        .init(arguments: "export-sound A -o a.json", status: 66, message: "there is no own sound A"),
        .init(arguments: "import-sound", status: 64, message: "an operand is missing"),
        .init(arguments: "import-sound bad.json", status: 65, message: "name: is missing"),
        .init(arguments: "remove-sound", status: 64, message: "remove-sound takes one name"),
        .init(arguments: "remove-sound A", status: 66, message: "there is no own sound A"),
        .init(arguments: "reset-settings A1", status: 64, message: "reset-settings takes no operand"),
        .init(arguments: "reset-settings --library none", status: 66, message: "there is no library yet"),
    ]

    @Test("a mistake is reported in one line, with its status, and changes nothing", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let box = try Executable(library: ["ONE"])
        defer { box.remove() }
        _ = try box.file("one", Executable.document("ONE"))
        _ = try box.file("bad.json", #"{"bpm": 120, "length": 32, "rootNote": "C", "scale": "major", "tracks": 3}"#)
        _ = try box.file("bad.mid", "no notes")
        // A folder has the output file's name.
        for folder in ["empty", "full/A001-ONE.json"] {
            try FileManager.default.createDirectory(atPath: try box.file(folder), withIntermediateDirectories: true)
        }
        #expect(try mistake.expect(["library"], in: box).isEmpty)
        #expect(try box.places() == ["A1 ONE"])
    }

    /// Puts a short take with its touches into `folder`.
    private static func keepTake(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let start = TakeStart(
            document: PatternDocument(pattern: Pattern()), rate: 48_000, begin: 0, frames: 100,
            settings: TakeStart.Settings())
        let sound = WaveFile.header(frames: 100, rate: 48_000, of: .integer) + [UInt8](repeating: 0, count: 400)
        try Data(sound).write(to: URL(fileURLWithPath: folder + "/take-1.wav"))
        try Data(TouchScript.text(start, []).utf8).write(to: URL(fileURLWithPath: folder + "/take-1.jsonl"))
    }

    @Test("every command of docs/library.md works")
    func documentation() throws {
        let text = try Checkout.text("docs/library.md")
        let commands = text.split(separator: "\n").filter { $0.hasPrefix("    pixelboop ") }
        #expect(commands.count == 39)
        let box = try Executable(library: ["TUNE 1", "TUNE 2"])
        defer { box.remove() }
        let bass = try box.file("own-bass.json", #"{"name": "MY BASS", "sound": {"model": "acid"}}"#)
        let kit = try box.file("own-kit.json", #"{"name": "MY TAPE", "sound": {"kit": "lofi"}}"#)
        #expect(try box.run("library", "import-sound", bass, kit).status == 0)
        _ = try box.file("werck3.scl", LibraryTuningTests.werckmeister)
        _ = try box.file("werck3.kbm", LibraryTuningTests.mapping("415.3"))
        let own = box.folder + "/state/pixelboop/library.sqlite"
        try Self.keepTake(in: box.folder + "/state/pixelboop/library.takes")
        let sound = WaveFile.header(frames: 100, rate: 48_000, of: .integer) + [UInt8](repeating: 1, count: 400)
        for name in ["kick.wav", "break.wav"] {
            try Data(sound).write(to: URL(fileURLWithPath: box.folder + "/" + name))
        }
        for command in commands {
            // The only path outside the test's folder.
            let line = command.replacingOccurrences(of: "/var/lib/pixelboop/library.sqlite", with: own)
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            let words = parts.enumerated().flatMap { index, part in
                index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
            }
            let result = try box.run(Array(words.dropFirst()), folder: box.folder)
            #expect(result.status == 0 && result.complaint.isEmpty, "\(line): \(result.complaint)")
        }
        let places = try box.places()
        #expect(Set(places.map { $0.prefix(1) }) == ["A", "C"] && places.count == 6, "\(places)")
        let files = try FileManager.default.contentsOfDirectory(atPath: box.folder)
        #expect(files.contains("tune.wav") && files.contains("before.json") && files.contains("bank-a"))
    }
}
