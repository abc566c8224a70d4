import Foundation
import Library
import TestTags
import Testing

@Suite("Checking, backing up and restoring a library", .tags(.live))
struct LibraryCareTests {
    @Test("check counts intact patterns; damage is reported in one line, with its status, and the rest is saved")
    func damaged() throws {
        let box = try Executable(library: ["ONE", "TWO"])
        defer { box.remove() }
        let path = box.folder + "/state/pixelboop/library.sqlite"
        let good = try box.run("library", "check")
        #expect(good.status == 0 && good.text == "\(path): 2 patterns, no problems\n")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(repeating: 0x55, count: 64))
        try file.close()
        let damaged = try bytes(path)
        let backup = box.folder + "/backup.sqlite"
        for words in [["check"], ["list"], ["show", "A1"], ["export", "A1", "-o", "-"], ["backup", backup]] {
            let bad = try box.run(["library"] + words)
            #expect(bad.status == 65 && bad.complaint.filter(\.isNewline).count == 1, "\(bad.complaint)")
            #expect(bad.complaint.contains("\(path) is damaged"), "\(bad.complaint)")
            #expect(bad.complaint.contains("pixelboop library repair"), "\(bad.complaint)")
            // A read-only command moves nothing.
            #expect(try bytes(path) == damaged)
        }
        let repaired = try box.run("library", "repair")
        #expect(repaired.status == 0, "\(repaired.complaint)")
        #expect(repaired.complaint.contains("set aside as \(path).damaged-"), "\(repaired.complaint)")
        #expect(try box.run("library", "check").status == 0)
    }

    @Test("check and import tell as JSON what they found and added")
    func json() throws {
        let box = try Executable(library: ["ONE", "TWO"])
        defer { box.remove() }
        func object(_ words: String...) throws -> Any {
            let result = try box.run(words + ["--json"])
            #expect(result.status == 0, "\(result.complaint)")
            return try JSONSerialization.jsonObject(with: result.output)
        }
        let check = try object("library", "check") as? [String: Any]
        #expect(check?["patterns"] as? Int == 2 && (check?["problems"] as? [String])?.isEmpty == true)
        #expect(check?["library"] as? String == box.folder + "/state/pixelboop/library.sqlite")
        let file = try box.file("three.json", Executable.document("THREE"))
        let added = try object("library", "import", file, "--bank", "C") as? [[String: Any]]
        #expect(added?.compactMap { $0["place"] as? String } == ["C1"])
        #expect(added?.compactMap { $0["name"] as? String } == ["THREE"])
    }

    @Test("a full standard output is reported")
    func fullOutput() throws {
        let box = try Executable(library: ["ONE"])
        defer { box.remove() }
        for words in ["library list", "library show A1", "library check", "doctor --json"] {
            let process = box.process(words.split(separator: " ").map(String.init))
            let complaint = Pipe()
            process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
            process.standardError = complaint
            try process.run()
            let text = String(decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 74 && text.contains("standard output"), "\(words): \(text)")
        }
    }

    @Test("a document of 63 MB is rejected by name before it is read")
    func hugeDocument() throws {
        let box = try Executable(library: ["ONE"])
        defer { box.remove() }
        let path = try box.file("huge.json", "[" + String(repeating: "[1],", count: 63 << 18) + "1]")
        for words in [["library", "import", path], ["render", path, "-o", box.folder + "/x.mid"]] {
            let result = try box.run(words)
            #expect(result.status == 65 && result.complaint.contains("huge.json: is larger than 1 MiB"))
        }
    }

    @Test("names that are no files to SQLite are rejected", arguments: ["", ":memory:", "file:x"])
    func noFile(name: String) throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run("run", "--panel", "none", "--audio", "none", "--library", name)
        #expect(result.status == 64 && result.complaint.contains("should be the path of a file"), "\(result.complaint)")
    }

    @Test("a foreign file stays unchanged in place")
    func foreign() throws {
        let box = try Executable()
        defer { box.remove() }
        let diary = try box.file("diary.txt", "Dear diary\n")
        let result = try box.run("library", "list", "--library", diary)
        #expect(result.status == 65 && result.complaint.contains("diary.txt"), "\(result.complaint)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: box.folder) == ["diary.txt"])
        #expect(try bytes(diary) == Array("Dear diary\n".utf8))
    }

    @Test("check and export report an unreadable row")
    func badRow() throws {
        let box = try Executable(library: ["ONE", "TWO"])
        defer { box.remove() }
        let path = box.folder + "/state/pixelboop/library.sqlite"
        try edit(path, "UPDATE revision SET bpm = 7 WHERE id = (SELECT max(id) FROM revision)")
        let check = try box.run("library", "check")
        #expect(check.status == 65 && check.text.hasPrefix("TWO, revision "), "\(check.text)")
        #expect(check.complaint.hasPrefix("pixelboop: \(path): 1 problem; "), "\(check.complaint)")
        let export = try box.run("library", "export", "A2", "-o", "-")
        #expect(export.status == 65 && export.text.isEmpty, "\(export.complaint)")
        #expect(export.complaint.filter(\.isNewline).count == 1 && export.complaint.contains("library check"))
        #expect(try box.run("library", "export", "A1", "-o", "-").status == 0)
    }

    @Test(
        "a flipped bit in a note is found by check, is reported, and another state is played where there is one")
    func flippedBit() throws {
        let box = try Executable(library: ["ONE", "TWO"])
        defer { box.remove() }
        let path = box.folder + "/state/pixelboop/library.sqlite"
        let library = try Library(path: path)
        let first = try box.run("library", "export", "A2", "-o", "-").text
        let number = try #require(try library.patterns().last?.number)
        try edit(
            path,
            "INSERT INTO revision (pattern, saved, bpm, length, root, scale, ghosts, cells, muted, checksum) SELECT pattern, "
                + "saved, 77, length, root, scale, ghosts, cells, muted, checksum FROM revision WHERE pattern = \(number)"
        )
        let check = try box.run("library", "check")
        #expect(check.status == 65 && check.text.hasPrefix("TWO, revision 3, has a wrong checksum"), "\(check.text)")
        let export = try box.run("library", "export", "A2", "-o", "-")
        #expect(export.status == 0 && export.text == first, "\(export.complaint)")
        #expect(
            export.complaint.contains("TWO, revision 2, is used in the place of a newer one"), "\(export.complaint)")
        #expect(export.complaint.filter(\.isNewline).count == 1, "\(export.complaint)")
        let backup = box.folder + "/backup.sqlite"
        let copied = try box.run("library", "backup", backup)
        #expect(
            copied.status == 0 && copied.complaint.contains("TWO, revision 3, has a wrong checksum, as in the library"))
        let repaired = try box.run("library", "repair")
        #expect(repaired.status == 0 && repaired.complaint.contains("without 1 state with a wrong checksum"))
        #expect(try box.run("library", "check").status == 0)
        #expect(try box.run("library", "export", "A2", "-o", "-").text == first)
    }

    /// Runs an SQL statement on the library at `path`.
    private func edit(_ path: String, _ statement: String) throws {
        let editor = Process()
        editor.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        editor.arguments = [
            "-c", "import sqlite3; c = sqlite3.connect('\(path)'); c.execute(\"\"\"\(statement)\"\"\"); c.commit()",
        ]
        try editor.run()
        editor.waitUntilExit()
        #expect(editor.terminationStatus == 0)
    }

    @Test("a backup in a folder is named by date, and can be restored while no box runs")
    func backup() throws {
        let box = try Executable(library: ["ONE", "TWO"])
        defer { box.remove() }
        let folder = try box.file("stick")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let backup = try box.run("library", "backup", folder)
        #expect(backup.status == 0, "\(backup.complaint)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let name = try #require(names.first)
        #expect(names.count == 1 && backup.text == "\(folder)/\(name): 2 patterns\n", "\(names)")
        #expect(try box.run("library", "import", try box.file("more.json", Executable.document("THREE"))).status == 0)
        let path = box.folder + "/state/pixelboop/library.sqlite"

        let player = box.process(["run", "--panel", "web", "--listen", "127.0.0.1:0", "--audio", "none"])
        let complaint = Pipe()
        player.standardError = complaint
        try player.run()
        // By then it has the library open.
        _ = complaint.fileHandleForReading.availableData
        #expect(try box.run("library", "backup", folder + "/more.sqlite").status == 0)
        for words in [["restore", "\(folder)/\(name)"], ["reset-settings"]] {
            let refused = try box.run(["library"] + words)
            #expect(refused.status == 69 && refused.complaint.contains("is using it"), "\(refused)")
        }
        player.terminate()
        player.waitUntilExit()

        let restored = try box.run("library", "restore", "\(folder)/\(name)")
        #expect(restored.status == 0, "\(restored.complaint)")
        #expect(restored.text.hasPrefix("\(path): restored; the old library is kept as \(path).replaced-"))
        #expect(try box.places() == ["A1 ONE", "A2 TWO"])
        #expect(try box.run("library", "reset-settings").text == "\(path): settings as at the first start\n")
        #expect(try box.run("library", "restore", folder + "/more.sqlite").status == 0)
        #expect(try box.places().count == 3)
    }
}
