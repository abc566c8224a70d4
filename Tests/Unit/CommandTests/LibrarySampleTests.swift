import Documents
import Formats
import Foundation
import TestSupport
import TestTags
import Testing

@Suite("Samples on the command line", .tags(.live))
struct LibrarySampleTests {
    /// A box, and the words for its library.
    private func box() throws -> (box: Executable, library: [String]) {
        let box = try Executable()
        return (box, ["--library", try box.file("box.sqlite")])
    }

    private func write(_ name: String, _ bytes: [UInt8], in box: Executable) throws -> String {
        let path = try box.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("are imported from each format, listed, exported, replaced and removed")
    func exchange() throws {
        let (box, library) = try box()
        defer { box.remove() }
        let whole = try Fixtures.bytes("sounds/tone.wav")
        var paths: [String] = []
        for (name, kind) in [("kick", "wav"), ("snare", "flac"), ("hat", "ogg"), ("clap", "opus"), ("tom", "aiff")] {
            paths.append(try write("\(name).\(kind)", Fixtures.bytes("sounds/tone.\(kind)"), in: box))
        }
        let added = try box.run(["library", "import"] + paths + library)
        #expect(added.status == 0, "\(added.complaint)")
        let line = "0.02 s    48000 Hz   stereo"
        let names = ["KICK", "SNARE", "HAT", "CLAP", "TOM"]
        #expect(
            added.text == names.map { $0.padding(toLength: 10, withPad: " ", startingAt: 0) + line + "\n" }.joined())
        // The same sound again is the same sample.
        #expect(try box.run(["library", "import", paths[0]] + library).text == "KICK      \(line)\n")
        #expect(try box.run(["library", "import", paths[1], "--name", "KICK"] + library).status == 0)
        let list = try box.run(["library", "samples"] + library)
        #expect(
            list.text.hasSuffix("/box.samples: 5 samples, 0.1 of 64 MB\n")
                && list.text.split(separator: "\n").count == 6)
        let exported = try box.run(["library", "export-sample", "SNARE", "-o", "-"] + library)
        #expect(Array(exported.output) == whole)
        #expect(try box.run(["library", "remove-sample", "TOM"] + library).status == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: box.folder + "/box.samples")
        #expect(left.sorted() == ["CLAP.wav", "HAT.wav", "KICK.wav", "SNARE.wav"])
    }

    @Test("slices become a kit, which renders; one with a factory kit's name gets a number")
    func slices() throws {
        let (box, library) = try box()
        defer { box.remove() }
        let tone = try write("lofi.wav", Fixtures.bytes("sounds/tone.wav"), in: box)
        let cut = try box.run(["library", "import", tone, "--slices", "4"] + library)
        #expect(cut.status == 0 && cut.text.hasPrefix("LOFI      "), "\(cut.complaint)")
        let kit = box.folder + "/kit.json"
        let exported = try box.run(["library", "export-sound", "LOFI2", "-o", kit] + library)
        #expect(exported.status == 0, "\(exported.complaint)")
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: kit)), as: UTF8.self)
        #expect(text.matches(of: /"sample" : "LOFI"/).count == 4)
    }

    @Test("a mistake is one clear line, and nothing is kept")
    func mistakes() throws {
        let (box, library) = try box()
        defer { box.remove() }
        let tone = try write("tone.wav", Fixtures.bytes("sounds/tone.wav"), in: box)
        let cut = try write("cut.flac", Array(Fixtures.bytes("sounds/tone.flac").dropLast(200)), in: box)
        let newline = try write("new\nline.wav", Array("no sound".utf8), in: box)
        let document = try box.file("tune.json", "{}")
        #expect(mkfifo(box.folder + "/pipe.wav", 0o600) == 0)
        let cases: [([String], Int32, String)] = [
            (["import", tone, cut], 65, "cut.flac: "), (["import", tone, newline], 65, "new line.wav: is not a WAV"),
            (["import", tone, document], 64, "is a sound, and "),
            (["import", box.folder + "/pipe.wav"], 66, "is not a regular file"),
            (["import", box.folder + "/none.wav"], 66, "none.wav"),
            (["import", box.folder, "--slices", "4"], 64, "--slices is for"),
            (
                ["import", tone, "--slices", "1"], 64,
                "--slices is 1, should be a whole number from 2 to 128, or onsets"
            ),
            (["import", tone, "--name", "TOO LONG A NAME"], 64, "--name is TOO LONG A NAME, should be one to eight"),
            (["import", tone, tone, "--name", "A"], 64, "--name is for one sound file"),
            (["samples", "x"], 64, "samples takes no operand"), (["export-sample", "KICK"], 64, "-o is missing"),
            (
                ["export-sample", "KICK", "-o", "-"], 66,
                "there is no sample KICK; pixelboop library samples shows all of them"
            ),
            (["remove-sample", "KICK"], 66, "there is no sample KICK"),
            (["remove-sample"], 64, "takes one name of a sample"),
        ]
        for (words, status, complaint) in cases {
            let result = try box.run(["library"] + words + library)
            #expect(result.status == status, "\(words): \(result.complaint)")
            #expect(result.complaint.contains(complaint), "\(words): \(result.complaint)")
            #expect(result.complaint.split(separator: "\n").count == 1, "\(words): \(result.complaint)")
        }
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/box.samples"))
    }

    @Test("killed while it keeps samples, an import leaves whole ones, and no other files after the next")
    func kills() throws {
        let (box, library) = try box()
        defer { box.remove() }
        let sound = SampleSound(
            rate: 48_000, channels: 2, samples: (0..<2 * 48_000 * 15).map { Int16(truncatingIfNeeded: $0 * 31) })
        let paths = try (1...8).map { try write("sound \($0).wav", WaveFile.bytes(sound), in: box) }
        // In place of the samples of the names before, too.
        let words = ["library", "import", paths[0], "--name", "SOUND"] + library
        let all = ["library", "import"] + paths + library
        let began = Date()
        #expect(try box.run(all).status == 0)
        let whole = Date().timeIntervalSince(began)
        let folder = box.folder + "/box.samples"
        for number in 0..<20 {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where number % 2 == 0 {
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
            let process = box.process(number % 2 == 0 ? all : words)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            let end = Date() + whole * Double(number) / 20
            while Date() < end, process.isRunning { _ = sched_yield() }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".wav") {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
                #expect(bytes.count == WaveFile.Sample.integer.headerSize + sound.size, "\(name)")
            }
            #expect(try box.run(["library", "samples"] + library).complaint == "")
        }
        // Also if the next one keeps nothing, because all are there.
        #expect(try box.run(all).status == 0)
        _ = try box.file("box.samples/.pixelboop-1.partial", "cut")
        #expect(try box.run(all).status == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.allSatisfy { $0.hasSuffix(".wav") }, "\(left)")
    }
}
