import Formats
import Foundation
import Testing

private let script = """
    {"at": 50, "touch": 0, "phase": "down", "col": 4, "row": 21}
    {"at": 120, "touch": 0, "phase": "up", "col": 4, "row": 21}
    {"at": 500, "key": "space"}

    """

@Suite("The command line")
struct CommandTests {
    @Test(
        "every command explains itself",
        arguments: ["run", "replay", "render", "library", "doctor", "bench", "version"])
    func help(command: String) throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run(command, "--help")
        #expect(result.status == 0)
        #expect(result.text.hasPrefix("Usage: pixelboop \(command)"))
        #expect(try box.run("--help").text.contains("pixelboop \(command)"))
    }

    @Test("version is one line")
    func version() throws {
        let box = try Executable()
        defer { box.remove() }
        #expect(try box.run("version").text.wholeMatch(of: /pixelboop \d+\.\d+\.\d+\n/) != nil)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var arguments: String
        var status: Int32
        var says: String
        var testDescription: String { arguments }
    }

    static let mistakes: [Mistake] = [
        .init(arguments: "frobnicate", status: 64, says: "frobnicate"),
        .init(arguments: "replay", status: 64, says: "an operand is missing"),
        .init(arguments: "replay a b", status: 64, says: "too many"),
        .init(arguments: "replay good.jsonl --frob", status: 64, says: "--frob"),
        .init(arguments: "replay good.jsonl --until", status: 64, says: "--until needs a value"),
        .init(arguments: "replay good.jsonl --until 1 --until 2", status: 64, says: "twice"),
        .init(arguments: "replay good.jsonl --until soon", status: 64, says: "--until is soon"),
        .init(arguments: "replay good.jsonl --loops -1", status: 64, says: "--loops"),
        .init(arguments: "replay missing.jsonl", status: 66, says: "missing.jsonl"),
        .init(arguments: "replay .", status: 66, says: "is a folder"),
        .init(arguments: "replay bad.jsonl", status: 65, says: "bad.jsonl: line 2, phase"),
        .init(arguments: "replay good.jsonl --start bad.json", status: 65, says: "bad.json: tracks"),
        .init(arguments: "replay good.jsonl --pattern /proc/none/x", status: 73, says: "/proc/none/x"),
        .init(arguments: "replay good.jsonl --wav no/such/folder.wav", status: 73, says: "no/such/folder.wav"),
        .init(arguments: "replay good.jsonl --wire /proc/none", status: 73, says: "/proc/none"),
        .init(
            arguments: "replay good.jsonl --pattern p.json --events no/such/folder.jsonl", status: 73,
            says: "no/such/folder.jsonl"),
        .init(arguments: "replay good.jsonl --until 9000 --events /dev/full", status: 74, says: "/dev/full"),
        .init(arguments: "replay good.jsonl --pattern /dev/full", status: 74, says: "/dev/full"),
        .init(arguments: "replay good.jsonl --wav /dev/full", status: 74, says: "/dev/full"),
        .init(arguments: "replay good.jsonl --config bad.json5", status: 78, says: "bad.json5: line 1: panel.colums"),
        .init(arguments: "render bad.json -o x.wav", status: 65, says: "bad.json"),
        .init(arguments: "render bad.json", status: 64, says: "-o"),
        .init(arguments: "render empty.json -o x.ogg", status: 64, says: "x.ogg"),
        .init(arguments: "render empty.json -o x.wav --rate 44000", status: 64, says: "--rate"),
        .init(arguments: "panel", status: 64, says: "missing"),
        .init(arguments: "panel dance", status: 64, says: "panel walk"),
        .init(arguments: "panel walk --by knights", status: 64, says: "leds, rows, columns, chains"),
        .init(arguments: "panel test --picture cat", status: 64, says: "ramps"),
        .init(arguments: "panel power --milliohms 0", status: 64, says: "0.01 to 1000"),
        .init(arguments: "run --panel bogus", status: 64, says: "bogus"),
        .init(arguments: "run --listen nonsense --audio none", status: 64, says: "nonsense"),
        .init(arguments: "run --listen 0.0.0.0:0 --audio none", status: 64, says: "--token"),
        .init(arguments: "run --panel terminal --audio none", status: 69, says: "terminal"),
        .init(arguments: "run --panel none --audio none --library /proc/none/x", status: 73, says: "/proc/none"),
        .init(arguments: "run --panel none --audio=", status: 64, says: "--audio is empty"),
        .init(
            arguments: "run --panel none --audio " + String(repeating: "h", count: 256), status: 64,
            says: "--audio is longer than 255 bytes"),
        .init(arguments: "run --panel none --audio hw\u{7}", status: 64, says: "--audio contains control characters"),
        .init(arguments: "doctor --config bad.json5", status: 78, says: "bad.json5: line 1: panel.colums"),
        .init(arguments: "doctor --config missing.json5", status: 66, says: "missing.json5"),
        .init(arguments: "doctor --config device.json5", status: 69, says: "1 fault"),
        .init(arguments: "bench --frames 1", status: 64, says: "--frames"),
        .init(arguments: "bench --pattern loud -o x.json", status: 64, says: "typical"),
        .init(arguments: "bench --pattern dense", status: 64, says: "-o"),
        .init(arguments: "bench -o x.json", status: 64, says: "--pattern"),
    ]

    @Test("a mistake is one line that names it, with its status, and leaves nothing behind", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let box = try Executable()
        defer { box.remove() }
        _ = try box.file("good.jsonl", script)
        _ = try box.file("bad.jsonl", script.replacingOccurrences(of: "\"up\"", with: "\"upp\""))
        _ = try box.file("bad.json", #"{"bpm": 120, "length": 32, "rootNote": "C", "scale": "major", "tracks": 3}"#)
        _ = try box.file("empty.json", PatternDocument(pattern: .init()).text())
        _ = try box.file("bad.json5", "{panel: {colums: 44}}")
        _ = try box.file("device.json5", "{audio: {device: 'hw:77'}}")
        let before = try FileManager.default.contentsOfDirectory(atPath: box.folder).sorted()
        let process = box.process(mistake.arguments.split(separator: " ").map(String.init))
        process.currentDirectoryURL = URL(fileURLWithPath: box.folder)
        let complaint = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = complaint
        try process.run()
        let limit = Limit(process, seconds: 30)
        let words = String(decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        limit.cancel()
        #expect(process.terminationStatus == mistake.status)
        #expect(words.contains(mistake.says), "\(words)")
        #expect(words.filter(\.isNewline).count == 1, "\(words)")
        let after = try FileManager.default.contentsOfDirectory(atPath: box.folder).filter { $0 != "state" }
        #expect(after.sorted() == before)
    }

    @Test("the configuration is found by $PIXELBOOP_CONFIG and in the user's folder")
    func configuration() throws {
        let box = try Executable()
        defer { box.remove() }
        let path = try box.file("mine.json5", "{nonsense: 1}")
        let result = try box.run("replay", "-", environment: ["PIXELBOOP_CONFIG": path])
        #expect(result.status == 78 && result.complaint.contains("mine.json5: line 1: nonsense"))
        try FileManager.default.createDirectory(
            atPath: box.folder + "/config/pixelboop", withIntermediateDirectories: true)
        _ = try box.file("config/pixelboop/config.json5", "{panel: {gamma: 9}}")
        #expect(try box.run("replay", "-").complaint.contains("config.json5: line 1: panel.gamma"))
        #expect(try box.run("version").status == 0)
    }

    // MARK: replay and render

    @Test("replay writes what it is asked for, and the parts agree")
    func replay() throws {
        let box = try Executable()
        defer { box.remove() }
        let wire = box.folder + "/wire"
        let result = try box.run(
            "replay", "-", "--until", "2500", "--pattern", box.file("p.json"), "--events", "-", "--frame",
            box.file("f.png"),
            "--picture", box.file("v.png"), "--wire", wire, "--wav", box.file("s.wav"), input: script)
        #expect(result.status == 0, "\(result.complaint)")
        #expect(
            result.text == """
                {"at":500, "note":0, "step":0, "steps":1, "track":"rhythm", "velocity":1}
                {"at":750, "note":0, "step":2, "steps":1, "track":"rhythm", "velocity":1}

                """)
        let pattern = try PatternDocument(parsing: bytes(box.file("p.json"))).pattern
        #expect(pattern[.rhythm, note: 0, step: 0] == .normal)
        #expect(try bytes(box.file("s.wav")).count == WaveFile.headerSize + 8 * 120_000)
        #expect(try Array(bytes(box.file("f.png"))[16..<24]) == [0, 0, 0, 44, 0, 0, 0, 24])
        #expect(try bytes(box.file("v.png")).count > bytes(box.file("f.png")).count)
        let messages = try bytes(wire + "/chain-0.bin")
        var end = 0
        for line in try bytes(wire + "/chain-0.jsonl").split(separator: 0x0a) {
            guard case .object(let frame) = try JSON(parsing: Array(line)) else { continue }
            #expect(
                frame["offset"]?.integer == end && frame["length"]?.integer == 4298
                    && frame["hertz"]?.integer == 4_000_000)
            #expect(Array(messages[end..<end + 4]) == [0, 0, 0, 0])
            end += 4298
        }
        #expect(end == messages.count && end > 0)
    }

    @Test("a replay may begin with a pattern, keeps its other keys, and plays it N times")
    func start() throws {
        let box = try Executable()
        defer { box.remove() }
        let first = try box.run("replay", "-", "--pattern", "-", input: script).text
        let path = try box.file(
            "start.json", first.replacingOccurrences(of: "\"muted\"", with: "\"swing\" : 0.25,\n\"muted\""))
        let again = try box.run("replay", "-", "--start", path, "--pattern", "-", "--until", "0", "--loops", "2")
        #expect(again.status == 0 && again.text.contains("\"swing\" : 0.25"))
        let events = try box.run("replay", "-", "--start", path, "--events", "-", "--until", "0", "--loops", "2").text
        #expect(events.split(separator: "\n").count == 4)
    }

    @Test("a command that fails leaves the files that it was to write as they were")
    func kept() throws {
        let box = try Executable()
        defer { box.remove() }
        let path = try box.file("p.json", "precious")
        #expect(try box.run("replay", "-", "--start", path, "--pattern", path, "--wav", path).status == 65)
        #expect(try box.run("replay", "-", "--wav", path, input: "nonsense").status == 65)
        #expect(try bytes(path) == Array("precious".utf8))
    }

    @Test("render writes WAV, MIDI and PNG by the ending")
    func render() throws {
        let box = try Executable()
        defer { box.remove() }
        let pattern = try box.file("p.json", try box.run("replay", "-", "--pattern", "-", input: script).text)
        #expect(try box.run("render", pattern, "-o", box.file("s.wav")).status == 0)
        #expect(try box.run("render", pattern, "-o", box.file("t.wav"), "--rate", "44100", "--loops", "2").status == 0)
        #expect(
            try box.run("render", "-", "-o", box.file("m.mid"), input: String(decoding: bytes(pattern), as: UTF8.self))
                .status == 0)
        #expect(try box.run("render", pattern, "-o", box.file("f.png")).status == 0)
        let (wave, other) = (try bytes(box.file("s.wav")), try bytes(box.file("t.wav")))
        // One loop of 32 steps at 120 BPM takes 4 s; what follows is silence, for the kicks have rung out.
        #expect((4 * 48_000...5 * 48_000).contains((wave.count - WaveFile.headerSize) / 8))
        #expect(Array(other[24..<28]) == [0x44, 0xac, 0, 0])
        #expect((8 * 44_100...9 * 44_100).contains((other.count - WaveFile.headerSize) / 8))
        #expect(try bytes(box.file("m.mid")).starts(with: "MThd".utf8))
        #expect(try bytes(box.file("f.png")).starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }

    @Test("bench prints its figures, every block faster in the middle than at its worst")
    func bench() throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run("bench", "--json", "--frames", "100")
        guard case .object(let figures) = try JSON(parsing: Array(result.output)) else { return #expect(Bool(false)) }
        let plain = [
            "drawNanoseconds", "driveNanoseconds", "driveUnclockedNanoseconds", "touchNanoseconds",
            "touchP999Nanoseconds", "soundTypical", "soundTypicalEffects",
            "soundDense", "guideNanoseconds",
        ]
        #expect(plain.allSatisfy { (figures[$0]?.integer ?? 0) > 0 })
        let times = ["libraryOpenMilliseconds", "libraryListMilliseconds", "libraryGuideMilliseconds"]
        #expect(times.allSatisfy { (figures[$0]?.double ?? 0) > 0 })
        let blocks = ["blocks32", "blocks64", "blocks128", "tail"]
        #expect(Set(figures.keys) == Set(plain + times + blocks))
        for name in blocks {
            guard case .object(let times) = figures[name] else { return #expect(Bool(false), "\(name)") }
            let ordered = ["median", "p999", "worst"].compactMap { times["\($0)Microseconds"]?.double }
            #expect(ordered.count == 3 && ordered == ordered.sorted() && ordered[0] > 0, "\(name)")
            #expect((times["deadlineMicroseconds"]?.double ?? 0) > 0)
        }
    }

    @Test("bench hands out its patterns, which render", arguments: ["typical", "dense", "full"])
    func benchPattern(name: String) throws {
        let box = try Executable()
        defer { box.remove() }
        let path = box.folder + "/pattern.json"
        #expect(try box.run("bench", "--pattern", name, "-o", path).status == 0)
        let document = try PatternDocument(parsing: bytes(path))
        #expect(document.pattern.bpm == (name == "full" ? 200 : 120))
        #expect(try box.run("render", path, "-o", box.folder + "/notes.mid").status == 0)
    }

    // MARK: doctor

    /// The findings of `doctor --json`, by section: state and words.
    private func findings(
        _ box: Executable, _ configuration: String
    ) throws -> (status: Int32, sections: [String: [(state: String, what: String, fix: String?)]]) {
        // ALSA's default is the null device, whatever this machine has.
        _ = try box.file(".asoundrc", "pcm.!default { type null hint { show on description 'Nothing' } }")
        let path = try box.file("c.json5", configuration)
        let result = try box.run("doctor", "--config", path, "--json")
        guard case .object(let report) = try JSON(parsing: Array(result.output)),
            case .array(let list)? = report["findings"], let inForce = report["configuration"]
        else { return (result.status, [:]) }
        // What is in force is what was read.
        let text = inForce.text(pretty: false)
        #expect(try Configuration(parsing: Array(text.utf8)) == Configuration(parsing: Array(configuration.utf8)))
        var sections: [String: [(state: String, what: String, fix: String?)]] = [:]
        for case .object(let finding) in list {
            func word(_ key: String) -> String? {
                if case .string(let word)? = finding[key] { word } else { nil }
            }
            sections[word("section") ?? "", default: []].append(
                (word("state") ?? "", word("what") ?? "", word("fix")))
        }
        return (result.status, sections)
    }

    @Test("doctor finds no fault where nothing is asked for that is not there")
    func healthy() throws {
        let box = try Executable()
        defer { box.remove() }
        let (status, sections) = try findings(box, "{audio: {rate: 44100, period: 64, periods: 4, priority: 0}}")
        #expect(status == 0)
        #expect(
            Set(sections.keys)
                == [
                    "configuration", "machine", "sound", "sound devices", "sound thread", "library", "panel", "touch",
                    "keyboard", "input devices", "gpio",
                ])
        #expect(sections["gpio"]?.last?.what == "nothing is wired")
        #expect(sections["configuration"]?.first?.what.hasSuffix("/c.json5") == true)
        let sound = try #require(sections["sound"])
        #expect(sound.map(\.state) == ["ok", "ok"])
        #expect(sound[0].what.contains("44100 Hz, FLOAT_LE, mapped, periods of 64 frames in a buffer of 256"))
        #expect(sound[1].what.contains(/heard \d+\.\d ms/))
        #expect(
            try #require(sections["sound devices"]).contains { $0.what.hasPrefix("default (Nothing): 44100, 48000") })
        #expect(sections["library"]?.first?.what == box.folder + "/state/pixelboop/library.sqlite can be made")
        // Whatever is not ok says what to do.
        #expect(sections.values.joined().allSatisfy { $0.state == "ok" || $0.fix?.isEmpty == false })
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/state"))
        let table = try box.run("doctor", "--config", box.file("c.json5"))
        #expect(table.status == 0 && table.complaint.isEmpty)
        #expect(table.text.split(separator: "\n").count == sections.values.joined().count)
    }

    struct Illness: Sendable, CustomTestStringConvertible {
        var configuration: String
        var section: String
        var says: String
        var testDescription: String { configuration }
    }

    static let illnesses: [Illness] = [
        .init(configuration: "{audio: {device: 'hw:77'}}", section: "sound", says: "hw:77 does not open: there is no"),
        .init(configuration: "{audio: {core: 1023}}", section: "sound thread", says: "core 1023"),
        .init(configuration: "{library: '/dev/null/x/y'}", section: "library", says: "/dev/null is not a folder"),
        .init(
            configuration: "{touch: {device: '/dev/input/none'}}", section: "touch", says: "/dev/input/none: No such"),
        .init(
            configuration: "{touch: {device: 'Nobody'}}", section: "touch", says: "there is no input device Nobody"),
        .init(configuration: "{keyboard: '1234:5678'}", section: "keyboard", says: "no input device 1234:5678"),
        .init(configuration: "{touch: {device: '/tmp'}}", section: "touch", says: "/tmp: is not a device"),
        .init(
            configuration: """
                {panel: {chains: [{device: '/dev/none', tiles: [{x: 0, y: 0, columns: 44, rows: 24}]}]}}
                """, section: "panel", says: "/dev/none: No such file"),
        .init(
            configuration: "{gpio: {chip: '/dev/none', play: 5}}", section: "gpio",
            says: "the GPIO chip /dev/none does not open (No such file or directory)"),
    ]

    @Test("doctor calls it a fault when what the configuration names is not to be had", arguments: illnesses)
    func illness(_ illness: Illness) throws {
        let box = try Executable()
        defer { box.remove() }
        let (status, sections) = try findings(box, illness.configuration)
        #expect(status == 69)
        let faults = sections.flatMap { section, findings in
            findings.filter { $0.state == "fault" }.map { (section, $0) }
        }
        #expect(faults.count == 1)
        let fault = try #require(faults.first)
        #expect(fault.0 == illness.section)
        #expect(fault.1.what.contains(illness.says), "\(fault.1.what)")
    }

    static let missing: [(arguments: [String], says: String)] = [
        (
            ["--audio", "hw:77"],
            "the ALSA device hw:77 does not open (there is no such device); it is tried each second"
        ),
        (
            ["--audio", "none", "--config", "gpio.json5"],
            "gpio: the GPIO chip /dev/none does not open (No such file or directory): "
                + "set gpio.chip to one that pixelboop doctor lists"
        ),
    ]

    @Test("a device that does not open is told of once, and the box runs on", arguments: missing)
    func unopenable(device: (arguments: [String], says: String)) throws {
        let box = try Executable()
        defer { box.remove() }
        let path = try box.file("gpio.json5", "{gpio: {chip: '/dev/none', power: 3, tempo: [5, 6], statusLed: 4}}")
        let arguments = device.arguments.map { $0 == "gpio.json5" ? path : $0 }
        let line = "pixelboop: \(device.says)\n"
        let result = try box.runUntil(line, ["run", "--panel", "none"] + arguments)
        #expect(result.complaint.contains(line), "\(result.complaint)")
        #expect(result.ranOn && result.status == 0)
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    // MARK: run

    /// A box that runs, from the line that says where its panel is.
    private final class Running {
        let process: Process
        let address: String
        private let limit: Limit
        private let pipe = Pipe()

        init(_ box: Executable, _ arguments: String...) throws {
            process = box.process(["run", "--audio", "none", "--listen", "127.0.0.1:0"] + arguments)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = pipe
            try process.run()
            limit = Limit(process, seconds: 30)
            var text = ""
            while !text.contains("\n") {
                let data = pipe.fileHandleForReading.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            let match = try #require(text.firstMatch(of: /127\.0\.0\.1:\d+/), "\(text)")
            address = String(match.0)
        }

        func end(_ signal: Int32) -> Int32 {
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            limit.cancel()
            return process.terminationReason == .exit ? process.terminationStatus : -1
        }
    }

    @Test("run serves the panel, and SIGTERM and SIGINT end it cleanly", arguments: [SIGTERM, SIGINT])
    func runs(signal: Int32) throws {
        let box = try Executable()
        defer { box.remove() }
        let running = try Running(box)
        #expect(!running.address.hasSuffix(":0"))
        let other = try box.run("run", "--audio", "none", "--listen", running.address)
        #expect(other.status == 69 && other.complaint.contains("another program"))
        #expect(running.end(signal) == 0)
        #expect(FileManager.default.fileExists(atPath: box.folder + "/state/pixelboop/library.sqlite"))
    }

    @Test("run writes its sound to a file, whole when it ends")
    func runToFile() throws {
        let box = try Executable()
        defer { box.remove() }
        let path = try box.file("session.wav")
        let process = box.process(["run", "--panel", "none", "--audio", path])
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let limit = Limit(process, seconds: 30)
        // The first sound is on its way when more than the header has been written.
        let partial = path + ".partial"
        while process.isRunning {
            let size = (try? FileManager.default.attributesOfItem(atPath: partial)[.size] as? Int) ?? 0
            if size > 100_000 { break }
            sched_yield()
        }
        process.terminate()
        process.waitUntilExit()
        limit.cancel()
        #expect(process.terminationStatus == 0)
        let wave = try bytes(path)
        let frames = (wave.count - WaveFile.headerSize) / 8
        #expect(frames > 12_000)
        #expect(Array(wave[..<WaveFile.headerSize]) == WaveFile.header(frames: frames, rate: 48_000))
    }
}
