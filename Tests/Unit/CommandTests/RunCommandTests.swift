import Documents
import Formats
import Foundation
import TestSupport
import TestTags
import Testing

@Suite("pixelboop run", .tags(.live))
struct RunCommandTests {
    static let missing: [(arguments: [String], message: String)] = [
        (
            ["--audio", "hw:77"],
            "the ALSA device hw:77 does not open (there is no such device); it is retried every second"
        ),
        (
            ["--audio", "none", "--config", "gpio.json5"],
            "gpio: the GPIO chip /dev/none does not open (No such file or directory): "
                + "set gpio.chip to one that pixelboop doctor lists"
        ),
    ]

    @Test("a device that does not open is reported once, and the box runs on", arguments: missing)
    func unopenable(device: (arguments: [String], message: String)) throws {
        let box = try Executable()
        defer { box.remove() }
        let path = try box.file("gpio.json5", "{gpio: {chip: '/dev/none', power: 3, tempo: [5, 6], statusLed: 4}}")
        let arguments = device.arguments.map { $0 == "gpio.json5" ? path : $0 }
        let line = "pixelboop: \(device.message)\n"
        let result = try box.runUntil(line, ["run", "--panel", "none"] + arguments)
        #expect(result.complaint.contains(line), "\(result.complaint)")
        #expect(result.ranOn && result.status == 0)
    }

    /// A running box, after the line that names its panel.
    private final class Running {
        let process: Process
        let address: String
        /// Its standard error so far.
        private(set) var complaint = ""
        private let limit: Limit
        private let pipe = Pipe()

        convenience init(
            _ box: Executable, _ arguments: String..., listen: String = "127.0.0.1:0",
            environment: [String: String] = [:]
        ) throws {
            try self.init(box, arguments, listen: listen, environment: environment)
        }

        init(
            _ box: Executable, _ arguments: [String], listen: String = "127.0.0.1:0",
            environment: [String: String] = [:], after shell: String? = nil
        ) throws {
            // A shell in the background lets its processes ignore signals.
            process = box.process(
                ["run", "--panel", "web", "--audio", "none", "--listen", listen] + arguments, environment: environment,
                after: shell ?? "true")
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = pipe
            try process.run()
            limit = Limit(process)
            var text = ""
            while !text.contains("\n") {
                let data = pipe.fileHandleForReading.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            let match = try #require(text.firstMatch(of: /http:[^ ]*(:\d+)\//), "\(text)")
            address = "127.0.0.1\(match.1)"
            complaint = text
        }

        // A failing test leaves no process behind.
        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        /// Ends it with `signal` and returns its status; -1 if the signal itself ended it.
        func end(_ signal: Int32) -> Int32 {
            kill(process.processIdentifier, signal)
            return wait()
        }

        /// Waits until its standard error contains `words`.
        func wait(for words: String) {
            while !complaint.contains(words) {
                let data = pipe.fileHandleForReading.availableData
                if data.isEmpty { break }
                complaint += String(decoding: data, as: UTF8.self)
            }
        }

        /// Waits until it has ended; returns its status, or -1 if a signal ended it.
        func wait() -> Int32 {
            complaint += String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            limit.cancel()
            return process.terminationReason == .exit ? process.terminationStatus : -1
        }
    }

    @Test(
        "a signal closes the recording and the library, also the one of a closed terminal and without a descriptor to give",
        arguments: [(SIGTERM, "true"), (SIGHUP, "true"), (SIGQUIT, "true"), (SIGTERM, "ulimit -n 24")])
    func ends(signal: Int32, shell: String) throws {
        let box = try Executable()
        defer { box.remove() }
        let path = try box.file("take.jsonl")
        let running = try Running(box, ["--record", path], after: shell)
        #expect(running.end(signal) == 0)
        let script = try TouchScript(parsing: bytes(path))
        #expect(script.start != nil && running.complaint.contains("recorded \(path)"), "\(running.complaint)")
    }

    @Test("a recording replaces an earlier one and its copy, and no other library")
    func recordsBesideLibraries() throws {
        let box = try Executable(library: ["KEPT"])
        defer { box.remove() }
        let (taken, path) = (try box.file("taken.jsonl"), try box.file("take.jsonl"))
        let library = try box.file("taken.sqlite")
        #expect(try box.run("library", "backup", library).status == 0)
        let refused = try box.run("run", "--panel", "none", "--audio", "none", "--record", taken)
        #expect(
            refused.status == 73 && refused.complaint.contains("\(library): is there already"), "\(refused.complaint)")
        #expect(try box.run("library", "list", "--library", library).text.contains("KEPT"))
        for _ in 1...2 { #expect(try Running(box, ["--record", path]).end(SIGTERM) == 0) }
    }

    @Test("too few files that may be open are said in words", arguments: [12, 15, 19])
    func fewFiles(count: Int) throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run(["run", "--panel", "none", "--audio", "none"], after: "ulimit -n \(count)")
        #expect(result.status == 69 && result.complaint.contains("at most \(count) files may be open"))
    }

    @Test("a signal that is ignored at the start is not waited for: nohup", arguments: [true, false])
    func ignored(isIgnored: Bool) throws {
        let box = try Executable()
        defer { box.remove() }
        let running = try Running(box, [], after: isIgnored ? "trap '' HUP" : "true")
        let path = "/proc/\(running.process.processIdentifier)/status"
        let expected = [!isIgnored, true, true, true]
        func isBlocked() throws -> [Bool] {
            let status = try String(contentsOfFile: path, encoding: .utf8)
            let blocked = try #require(status.firstMatch(of: /SigBlk:\s*([0-9a-f]+)/)?.1)
            let set = try #require(UInt64(blocked, radix: 16))
            // Signal n is bit n - 1.
            return [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { (set >> UInt64($0 - 1)) & 1 == 1 }
        }
        // While the C library makes a thread, all signals are blocked: what stays counts.
        _ = try eventually(within: 30) { try isBlocked() == expected }
        #expect(try isBlocked() == expected)
        #expect(running.end(SIGTERM) == 0)
    }

    @Test("run serves the panel, and SIGTERM and SIGINT end it cleanly", arguments: [SIGTERM, SIGINT])
    func runs(signal: Int32) throws {
        let box = try Executable()
        defer { box.remove() }
        let running = try Running(box)
        #expect(!running.address.hasSuffix(":0"))
        let other = try box.run(
            "run", "--audio", "none", "--listen", running.address, "--library", try box.file("other.sqlite"))
        #expect(other.status == 69 && other.complaint.contains("another program"))
        #expect(running.end(signal) == 0)
        #expect(FileManager.default.fileExists(atPath: box.folder + "/state/pixelboop/library.sqlite"))
    }

    @Test("a wall gets the panel's picture, and darkness last; one without a network is told of")
    func walls() throws {
        let box = try Executable()
        defer { box.remove() }
        let wall = try #require(UDPSocket())
        let configuration = try box.file(
            "walls.json5",
            "{walls: [{address: '127.0.0.1', port: \(wall.port)}, {address: '127.0.0.1', interface: 'none0'}]}")
        let running = try Running(box, "--config", configuration)
        var picture: [[UInt8]] = []
        while picture.count < 3 || picture[0][10...].allSatisfy({ $0 == 0 }) {
            let packet = try #require(wall.receive())
            picture = (packet[4...7] == [0, 0, 0, 0] ? [] : picture) + [packet]
        }
        #expect(picture.map(\.count) == [1450, 1450, 298])
        running.wait(for: "DDP to 127.0.0.1: No such device\n")
        #expect(running.end(SIGTERM) == 0)
        var last: [[UInt8]] = []
        while let packet = wall.receive(milliseconds: 200) { last.append(packet) }
        #expect(last.suffix(3).allSatisfy { $0[10...].allSatisfy { $0 == 0 } })
    }

    @Test("a page reachable by others has its own token, which the journal does not show and the next start keeps")
    func token() throws {
        let box = try Executable()
        defer { box.remove() }
        let path = box.folder + "/state/pixelboop/page-token"
        func start() throws -> String {
            let running = try Running(box, listen: "0.0.0.0:0")
            #expect(running.complaint.contains(", with the token in \(path)\n"), "\(running.complaint)")
            let token = try String(contentsOfFile: path, encoding: .utf8).filter { !$0.isNewline }
            #expect(token.count == 32 && !running.complaint.contains(token))
            func isOpen(_ query: String) throws -> Bool {
                let port = try #require(running.address.split(separator: ":").last.flatMap { Int($0) })
                let client = try RawClient(port: port)
                return try client.get("/" + query, host: running.address).head.hasPrefix("HTTP/1.1 200")
            }
            let (withToken, without) = (try isOpen("?token=" + token), try isOpen(""))
            #expect(withToken && !without)
            #expect(running.end(SIGTERM) == 0)
            return token
        }
        let first = try start()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let second = try start()
        #expect(first == second)
        // A link must not have another file read as a token, or overwritten.
        try FileManager.default.removeItem(atPath: path)
        let victim = try box.file("victim", "unread")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
        let linked = try box.run("run", "--panel", "web", "--audio", "none", "--listen", "0.0.0.0:0")
        #expect(linked.status == 65 && linked.complaint.contains(path), "\(linked.complaint)")
        let untouched = try String(contentsOfFile: victim, encoding: .utf8)
        #expect(untouched == "unread")
    }

    @Test("a second box on one library is refused, naming the first's process; read-only commands work")
    func secondBox() throws {
        let box = try Executable(library: ["ONE"])
        defer { box.remove() }
        let path = box.folder + "/state/pixelboop/library.sqlite"
        let first = try Running(box)
        for arguments in [[], ["--library", path]] {
            let second = try box.run(["run", "--panel", "none", "--audio", "none"] + arguments)
            #expect(second.status == 69)
            let holder = "process \(first.process.processIdentifier)"
            #expect(second.complaint.contains(path) && second.complaint.contains(holder), "\(second.complaint)")
            #expect(second.complaint.filter(\.isNewline).count == 1, "\(second.complaint)")
        }
        let replay = try box.run("replay", try box.file("script.jsonl", script), "--library", path)
        #expect(replay.status == 69, "\(replay.complaint)")
        #expect(try box.run("library", "check").status == 0)
        #expect(try box.run("library", "import", try box.file("two.json", Executable.document("TWO"))).status == 0)
        #expect(try box.places().contains { $0.hasSuffix(" TWO") })
        // The kernel releases the lock of a killed process.
        #expect(first.end(SIGKILL) == -1)
        #expect(try Running(box).end(SIGTERM) == 0)
    }

    @Test("Power on a simulated panel ends the program and leaves the machine on, unless a command is configured")
    func power() throws {
        let box = try Executable()
        defer { box.remove() }
        // The machine's shutdown command, replaced by one that leaves a trace.
        let (commands, trace) = (try box.file("bin"), try box.file("trace"))
        try FileManager.default.createDirectory(atPath: commands, withIntermediateDirectories: true)
        let command = try box.file("bin/systemctl", "#!/bin/sh\necho \"$@\" >'\(trace)'\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: command)
        let environment = ["PATH": commands + ":/usr/bin:/bin"]

        let visited = try Running(box, environment: environment)
        try PageVisitor(visited.address).switchOff()
        #expect(visited.wait() == 0)
        #expect(visited.complaint.contains("switched off at the panel; the machine stays on\n"), "\(visited.complaint)")
        #expect(!FileManager.default.fileExists(atPath: trace))

        let path = try box.file("off.json5", "{gpio: {shutdownCommand: ['systemctl', 'halt']}}")
        // The open menu is kept too.
        let configured = try Running(
            box, "--config", path, "--library", try box.file("other.sqlite"), environment: environment)
        try PageVisitor(configured.address).switchOff()
        #expect(configured.wait() == 0)
        #expect(try bytes(trace) == Array("halt\n".utf8))
    }

    @Test("calibrating on the panel keeps the matrix beside the library, or in the named configuration")
    func calibrates() throws {
        let box = try Executable()
        defer { box.remove() }
        let folder = box.folder + "/kept"
        let named = try box.file("named.json5", "{}")
        // Each box starts on the grid.
        for arguments in [
            ["--library", try box.file("1.sqlite")], ["--library", try box.file("2.sqlite"), "--config", named],
        ] {
            let running = try Running(box, arguments, environment: ["STATE_DIRECTORY": folder])
            try PageVisitor(running.address).calibrate()
            let path = arguments.contains(named) ? named : folder + "/calibration.json"
            running.wait(for: "the overlay's matrix was written to \(path)\n")
            #expect(running.end(SIGTERM) == 0)
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("matrix"))
        }
        // If it cannot be written, the box reports that and plays on.
        let running = try Running(box, "--library", try box.file("3.sqlite"), environment: ["STATE_DIRECTORY": folder])
        try FileManager.default.removeItem(atPath: folder + "/calibration.json")
        try FileManager.default.createDirectory(
            atPath: folder + "/calibration.json/full", withIntermediateDirectories: true)
        try PageVisitor(running.address).calibrate()
        running.wait(for: "the overlay lies as calibrated until the box is switched off: ")
        #expect(running.end(SIGTERM) == 0)
    }

    @Test("a recording ended by a full disk is reported at once, and the box runs on")
    func fullDisk() throws {
        let box = try Executable()
        defer { box.remove() }
        let path = try box.file("full.wav")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
        let words = "\(path): cannot be written: No space left on device; nothing more is recorded"
        let result = try box.runUntil(words, ["run", "--panel", "none", "--audio", path])
        #expect(result.complaint.contains(words) && result.ranOn && result.status == 74, "\(result)")
    }

    @Test("run writes its sound to a file, complete when it ends")
    func runToFile() throws {
        let box = try Executable()
        defer { box.remove() }
        let path = try box.file("session.wav")
        let process = box.process(["run", "--panel", "none", "--audio", path])
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let limit = Limit(process)
        // When more than the header has been written, the first sound is in progress.
        while process.isRunning {
            let names = try FileManager.default.contentsOfDirectory(atPath: box.folder)
            let partial = names.first { $0.hasSuffix(".partial") } ?? ""
            let attributes = try? FileManager.default.attributesOfItem(atPath: box.folder + "/" + partial)
            let size = attributes?[.size] as? Int ?? 0
            if size > 100_000 { break }
            sched_yield()
        }
        process.terminate()
        process.waitUntilExit()
        limit.cancel()
        #expect(process.terminationStatus == 0)
        let wave = try bytes(path)
        let frames = (wave.count - WaveFile.Sample.float.headerSize) / 8
        #expect(frames > 12_000)
        #expect(Array(wave[..<WaveFile.Sample.float.headerSize]) == WaveFile.header(frames: frames, rate: 48_000))
    }
}
