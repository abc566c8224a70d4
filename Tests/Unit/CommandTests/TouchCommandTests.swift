import Foundation
import TestTags
import Testing

/// A recording of taps on an overlay with 100 units per LED, each a tenth of a second long.
private func recording(header: Bool = true, taps: [(column: Double, row: Double)]) -> String {
    var lines = ["# EVEMU 1.3", "N: Test overlay"]
    if header { lines += ["A: 35 0 4399 0 0 0", "A: 36 0 2399 0 0 0"] }
    for (number, tap) in taps.enumerated() {
        func add(_ milliseconds: Int, _ reports: [String]) {
            let time = String(format: "%d.%03d000", milliseconds / 1000, milliseconds % 1000)
            lines += (reports + ["0000 0000 0"]).map { "E: \(time) \($0)" }
        }
        let x = Int((tap.column + 0.5) * 100)
        let y = Int((tap.row + 0.5) * 100)
        add(5000 + 500 * number, ["0003 0039 \(number)", "0003 0035 \(x)", "0003 0036 \(y)"])
        add(5100 + 500 * number, ["0003 0039 -1"])
    }
    return lines.joined(separator: "\n") + "\n"
}

/// The targets' positions on an overlay that is upside down.
private let upsideDown: [(column: Double, row: Double)] = [(40, 20), (3, 20), (3, 3), (40, 3)]

@Suite("touch monitor and touch calibrate", .tags(.live))
struct TouchCommandTests {
    @Test("monitor prints a recording's finger events, in milliseconds from its first report")
    func monitor() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("taps.evemu", recording(taps: [(10, 5), (20.25, 7)]))
        let result = try box.run("touch", "monitor", "--from", file, "--config", box.file("c.json5", "{}"))
        #expect(result.status == 0 && result.complaint.isEmpty)
        #expect(
            result.text == """
                {"at": 0, "contact": 0, "phase": "down", "x": 0.238636, "y": 0.229167, "col": 10, "row": 5}
                {"at": 100, "contact": 0, "phase": "up", "x": 0.238636, "y": 0.229167, "col": 10, "row": 5}
                {"at": 500, "contact": 0, "phase": "down", "x": 0.471591, "y": 0.312500, "col": 20, "row": 7}
                {"at": 600, "contact": 0, "phase": "up", "x": 0.471591, "y": 0.312500, "col": 20, "row": 7}

                """)
    }

    @Test("monitor applies the configuration's matrix and filters")
    func settings() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("taps.evemu", recording(taps: [(10, 5)]))
        func lines(_ configuration: String) throws -> String {
            try box.run("touch", "monitor", "--from", file, "--config", box.file("c.json5", configuration)).text
        }
        let turned = "matrix: [-1, 0, 1, 0, -1, 1]"
        #expect(try lines("{touch: {\(turned)}}").contains(#""col": 33, "row": 18"#))
        let own = "{touch: {overlays: [{device: 'Other'}, {device: 'Test overlay', \(turned)}]}}"
        #expect(try lines(own).contains(#""col": 33, "row": 18"#))
        #expect(try lines("{touch: {debounce: 99}}").contains("down"))
        #expect(try lines("{touch: {debounce: 100}}").contains("down"))
        // Outside the panel.
        #expect(try lines("{touch: {matrix: [1, 0, 1, 0, 1, 0]}}").isEmpty)
    }

    @Test("a recording without axis ranges gets them by an option")
    func range() throws {
        let box = try Executable()
        defer { box.remove() }
        let configuration = try box.file("c.json5", "{}")
        let file = try box.file("taps.evemu", recording(header: false, taps: [(10, 5)]))
        let bare = try box.run("touch", "monitor", "--from", file, "--config", configuration)
        #expect(bare.status == 65)
        #expect(bare.complaint.contains("taps.evemu: does not say the ranges of the device's axes; add --range X Y"))
        for range in [["4399", "2399"], ["0:4399", "0:2399"]] {
            let given = try box.run(["touch", "monitor", "--from", file, "--config", configuration, "--range"] + range)
            #expect(given.text.contains(#""col": 10, "row": 5"#))
        }
    }

    @Test("calibrate computes the matrix from four taps and writes only it into the configuration")
    func calibrate() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("taps.evemu", recording(taps: upsideDown))
        let configuration = try box.file("c.json5", "// mine\n{ touch: { jitter: 0.1 }, /* last */ }\n")
        let result = try box.run("touch", "calibrate", "--from", file, "--config", configuration)
        #expect(result.status == 0 && result.complaint.isEmpty)
        #expect(result.text.contains("tap the middle of the cross at the bottom left (4 of 4)"))
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        #expect(text == "// mine\n{ touch: { jitter: 0.1, matrix: [-1.0, 0.0, 1.0, 0.0, -1.0, 1.0] }, /* last */ }\n")
        // A point off the panel's middle is in the middle now.
        let seen = try box.run("touch", "monitor", "--from", file, "--config", configuration)
        #expect(
            seen.text.hasPrefix(
                #"{"at": 0, "contact": 0, "phase": "down", "x": 0.079545, "y": 0.145833, "col": 3, "row": 3}"#))
    }

    /// Runs the command with its state folder in `box`, like the service.
    private func run(_ box: Executable, _ arguments: String...) throws -> Executable.Result {
        try box.run(arguments, environment: ["STATE_DIRECTORY": box.folder + "/kept"])
    }

    @Test("calibrate keeps the matrix beside the library, and never writes the system's configuration")
    func kept() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("taps.evemu", recording(taps: upsideDown))
        try FileManager.default.createDirectory(
            atPath: box.folder + "/config/pixelboop", withIntermediateDirectories: true)
        let configuration = try box.file("config/pixelboop/config.json5", "{ touch: { jitter: 0.1 } }\n")
        let kept = box.folder + "/kept/calibration.json"
        let result = try run(box, "touch", "calibrate", "--from", file)
        #expect(result.status == 0 && result.complaint.isEmpty, "\(result.complaint)")
        #expect(result.text.contains("was written to \(kept)\n"))
        #expect(try String(contentsOfFile: configuration, encoding: .utf8) == "{ touch: { jitter: 0.1 } }\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: box.folder + "/kept") == ["calibration.json"])
        func place() throws -> String { try run(box, "touch", "monitor", "--from", file).text }
        #expect(try place().contains(#""col": 3, "row": 3}"#))
        let doctor = try run(box, "doctor")
        #expect(doctor.text.contains("the touch overlay's matrix comes from \(kept)\n"))
        // Without STATE_DIRECTORY it is the user's.
        let own = try box.run("touch", "calibrate", "--from", file)
        #expect(own.text.contains("was written to \(box.folder)/state/pixelboop/calibration.json\n"))

        // A named file has its own matrix; a matrix written into the configuration later takes precedence.
        let named = try run(box, "touch", "monitor", "--from", file, "--config", configuration)
        #expect(named.text.contains(#""col": 40, "row": 20}"#))
        _ = try box.file("config/pixelboop/config.json5", "{ touch: { matrix: [1, 0, 0, 0, -1, 1] } }\n")
        #expect(try place().contains(#""col": 40, "row": 3}"#))
    }

    @Test("each of several overlays has its own calibration")
    func keptOfSeveral() throws {
        let box = try Executable()
        defer { box.remove() }
        try FileManager.default.createDirectory(
            atPath: box.folder + "/config/pixelboop", withIntermediateDirectories: true)
        _ = try box.file(
            "config/pixelboop/config.json5", "{touch: {overlays: [{device: 'Other'}, {device: 'Test overlay'}]}}")
        let file = try box.file("taps.evemu", recording(taps: upsideDown))
        #expect(try run(box, "touch", "calibrate", "--from", file, "--overlay", "0").status == 0)
        #expect(try run(box, "touch", "monitor", "--from", file).text.contains(#""col": 40, "row": 20}"#))
        #expect(try run(box, "touch", "calibrate", "--from", file, "--overlay", "1").status == 0)
        #expect(try run(box, "touch", "monitor", "--from", file).text.contains(#""col": 3, "row": 3}"#))
    }

    @Test(
        "another user's link or pipe in the calibration's place is neither followed nor waited for, and is replaced",
        arguments: ["link", "pipe", "nonsense"])
    func traps(trap: String) throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("taps.evemu", recording(taps: upsideDown))
        let kept = box.folder + "/kept/calibration.json"
        try FileManager.default.createDirectory(atPath: box.folder + "/kept", withIntermediateDirectories: true)
        let victim = try box.file("victim", "mine")
        switch trap {
        case "link": try FileManager.default.createSymbolicLink(atPath: kept, withDestinationPath: victim)
        case "pipe": #expect(mkfifo(kept, 0o666) == 0)
        default: _ = try box.file("kept/calibration.json", "nonsense")
        }
        let seen = try run(box, "touch", "monitor", "--from", file)
        #expect(seen.status == 0 && seen.text.contains(#""col": 40, "row": 20}"#), "\(seen.complaint)")
        #expect(seen.complaint.contains("calibration.json"), "\(seen.complaint)")
        #expect(try run(box, "doctor").text.contains(": calibrate again\n"))
        #expect(try run(box, "touch", "calibrate", "--from", file).status == 0)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
        let attributes = try FileManager.default.attributesOfItem(atPath: kept)
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
        #expect(try run(box, "touch", "monitor", "--from", file).text.contains(#""col": 3, "row": 3}"#))
    }

    @Test("root's calibration in another user's folder belongs to that user")
    func ofAnother() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("taps.evemu", recording(taps: upsideDown))
        let folder = box.folder + "/kept"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Another user if this test runs as root.
        let owner = geteuid() == 0 ? 65_534 : geteuid()
        #expect(geteuid() != 0 || chown(folder, owner, owner) == 0)
        let script = "umask $1; exec \"$0\" touch calibrate --from \(file)"
        let process = box.process([])
        let command = try #require(process.executableURL?.path)
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Root's files are often readable by root only.
        process.arguments = ["-c", script, command, geteuid() == 0 ? "077" : "022"]
        process.environment?["STATE_DIRECTORY"] = folder
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/calibration.json")
        #expect(attributes[.ownerAccountID] as? Int == Int(owner) && attributes[.posixPermissions] as? Int == 0o644)
    }

    @Test("calibrating one of several overlays writes to its entry")
    func several() throws {
        let box = try Executable()
        defer { box.remove() }
        let file = try box.file("taps.evemu", recording(taps: upsideDown))
        let configuration = try box.file("c.json5", "{touch: {overlays: [{device: 'a'}, {device: 'b'}]}}")
        let which = try box.run("touch", "calibrate", "--from", file, "--config", configuration)
        #expect(which.status == 64)
        #expect(which.complaint.contains("name one with --overlay, 0 to 1"))
        let result = try box.run("touch", "calibrate", "--from", file, "--config", configuration, "--overlay", "1")
        #expect(result.status == 0)
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        #expect(text.contains("{device: 'a'}, {device: 'b', matrix: [-1.0, 0.0, 1.0, 0.0, -1.0, 1.0]}"), "\(text)")
    }

    @Test("calibrate rejects taps that are inconsistent, collinear or too few, and leaves the configuration unchanged")
    func refused() throws {
        let box = try Executable()
        defer { box.remove() }
        let configuration = try box.file("c.json5", "{}")
        let misses: [(taps: [(column: Double, row: Double)], message: String)] = [
            ([(3, 3), (40, 3), (36, 20), (3, 20)], "miss their targets by 1.1 LEDs"),
            ([(3, 3), (10, 10), (17, 17), (20, 20)], "in a line"), ([(3, 3), (40, 3), (40, 20)], "3 of 4 targets"),
        ]
        for (taps, message) in misses {
            let file = try box.file("taps.evemu", recording(taps: taps))
            let result = try box.run("touch", "calibrate", "--from", file, "--config", configuration)
            #expect(result.status == 65)
            #expect(result.complaint.contains(message) && result.complaint.contains("nothing was written"), "\(result)")
            #expect(try String(contentsOfFile: configuration, encoding: .utf8) == "{}")
        }
    }

    @Test("a recording whose clock jumps by years is rejected by line, at once")
    func jump() throws {
        let box = try Executable()
        defer { box.remove() }
        let jump = recording(taps: [(4, 7)]) + "E: 1700000000.000000 0000 0000 0\n"
        let file = try box.file("jump.evemu", jump)
        let line = jump.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        for words in [["replay", file], ["touch", "monitor", "--from", file]] {
            let result = try box.run(words)
            #expect(result.status == 65, "\(words)")
            #expect(result.complaint.hasPrefix("pixelboop: \(file): line \(line): is 1"), "\(result.complaint)")
            #expect(result.complaint.contains("should be at most 86400 s (a day)"), "\(result.complaint)")
            #expect(result.complaint.filter(\.isNewline).count == 1, "\(result.complaint)")
        }
    }

    @Test("replay plays a recording like a script")
    func replay() throws {
        let box = try Executable()
        defer { box.remove() }
        let configuration = try box.file("c.json5", "{}")
        let file = try box.file("taps.evemu", recording(taps: [(4, 7)]))
        let result = try box.run("replay", file, "--config", configuration, "--pattern", "-")
        #expect(result.status == 0)
        let script = try box.file(
            "taps.jsonl",
            """
            {"at": 0, "touch": 0, "phase": "down", "col": 4, "row": 7}
            {"at": 100, "touch": 0, "phase": "up", "col": 4, "row": 7}
            """)
        let same = try box.run("replay", script, "--config", configuration, "--pattern", "-")
        #expect(result.text == same.text && result.text.contains("1"))
        let ranged = try box.run("replay", script, "--range", "1", "2")
        #expect(ranged.status == 64 && ranged.complaint.contains("--range is for recordings"))
    }

    @Test("monitor without an overlay reports that, and waits for one")
    func none() throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run(
            "touch", "monitor", "--seconds", "1", "--config",
            box.file("c.json5", "{touch: {device: 'no such overlay'}}"))
        #expect(result.status == 0 && result.text.isEmpty)
        #expect(result.complaint.contains("no such overlay"), "\(result.complaint)")
    }

    @Test(
        "a misuse is reported",
        arguments: [
            (["touch"], "an operand is missing"), (["touch", "see"], "should be touch monitor or touch calibrate"),
            (["touch", "monitor", "--range", "1", "2"], "name it with --from FILE"),
            (["touch", "monitor", "--range", "1"], "--range needs two values"),
            (["touch", "monitor", "--overlay", "1"], "--overlay is for touch calibrate"),
        ])
    func misuse(arguments: [String], message: String) throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run(arguments)
        #expect(result.status == 64)
        #expect(result.complaint.contains(message), "\(result.complaint)")
    }
}
