import Documents
import Formats
import Foundation
import TestTags
import Testing

@Suite("pixelboop doctor", .tags(.live))
struct DoctorCommandTests {
    /// The findings of `doctor --json`, by section: state and text. If the configuration names no port a free one is
    /// used: another program may have the default one.
    private func findings(
        _ box: Executable, _ configuration: String
    ) throws -> (status: Int32, sections: [String: [(state: String, what: String, fix: String?)]]) {
        // ALSA's default is the null device, on any machine.
        _ = try box.file(".asoundrc", "pcm.!default { type null hint { show on description 'Nothing' } }")
        let configuration =
            configuration.contains("listen") ? configuration : "{listen: '127.0.0.1:0', \(configuration.dropFirst())"
        let path = try box.file("c.json5", configuration)
        let result = try box.run("doctor", "--config", path, "--json")
        guard case .object(let report) = try JSON(parsing: Array(result.output)),
            case .array(let list)? = report["findings"], let inForce = report["configuration"]
        else { return (result.status, [:]) }
        // The configuration in force is the one read.
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

    @Test("doctor finds no fault if everything configured exists")
    func healthy() throws {
        let box = try Executable()
        defer { box.remove() }
        let (status, sections) = try findings(box, "{audio: {rate: 44100, period: 64, periods: 4, priority: 0}}")
        #expect(status == 0)
        #expect(
            Set(sections.keys)
                == [
                    "configuration", "service", "machine", "sound", "sound devices", "sound thread", "library", "panel",
                    "screen", "page", "touch", "keyboard", "input devices", "gpio", "midi", "network",
                ])
        #expect(sections["gpio"]?.last?.what == "no line is configured")
        #expect(sections["network"]?.last?.what == "closed: no walls, lightIn, grid or osc is configured")
        #expect(sections["configuration"]?.first?.what.hasSuffix("/c.json5") == true)
        let sound = try #require(sections["sound"])
        #expect(sound.map(\.state) == ["ok", "ok"])
        #expect(sound[0].what.contains("44100 Hz, FLOAT_LE, mapped, periods of 64 frames in a buffer of 256"))
        #expect(sound[1].what.contains(/latency from touch to sound: \d+\.\d ms/))
        #expect(
            try #require(sections["sound devices"]).contains { $0.what.hasPrefix("default (Nothing): 44100, 48000") })
        #expect(sections["library"]?.first?.what == box.folder + "/state/pixelboop/library.sqlite can be created")
        // Each warning and fault names a fix.
        #expect(sections.values.joined().allSatisfy { $0.state == "ok" || $0.fix?.isEmpty == false })
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/state"))
        let table = try box.run("doctor", "--config", box.file("c.json5"))
        #expect(table.status == 0 && table.complaint.isEmpty)
        let lines = table.text.split(separator: "\n")
        #expect(lines.count == sections.values.joined().count + 1)
        // The machine's parts are unknown.
        let verdict = try #require(lines.last)
        #expect(verdict.hasPrefix("Runs: "), "\(verdict)")
        for part in ["panel", "sound", "touch"] { #expect(verdict.contains(part), "\(verdict)") }
    }

    @Test("a screen that is configured and missing is a fault, with its fix")
    func missingScreen() throws {
        let box = try Executable()
        defer { box.remove() }
        let (status, sections) = try findings(
            box,
            """
            {panel: {screen: {automatic: true, connector: 'NONE-9'},
              chains: [{device: '/dev/none', tiles: [{x: 0, y: 0, columns: 44, rows: 24}]}]}}
            """)
        #expect(status == 69)
        let screen = try #require(sections["screen"]?.first)
        #expect(screen.state == "fault")
        #expect(screen.fix?.isEmpty == false)
        // Without it the page is served.
        #expect(sections["page"]?.first?.state == "ok")
    }

    @Test("the verdict names the parts present, the absent ones, and the reason that the box does not run")
    func verdict() throws {
        let box = try Executable()
        defer { box.remove() }
        func verdict(_ configuration: String, environment: [String: String] = [:]) throws -> String {
            let path = try box.file("c.json5", configuration)
            let text = try box.run("doctor", "--config", path, environment: environment).text
            return text.split(separator: "\n").last.map(String.init) ?? ""
        }
        // No machine has any of these.
        let nothing = """
            audio: {device: 'hw:77'}, touch: {device: '/dev/none'},
            panel: {chains: [{device: '/dev/none', tiles: [{x: 0, y: 0, columns: 44, rows: 24}]}]}
            """
        let page = "{listen: '127.0.0.1:0', \(nothing)}"
        #expect(try verdict(page) == "Runs: page at http://127.0.0.1:0/; panel, sound, touch absent")
        let open = try verdict("{listen: '0.0.0.0:0', \(nothing)}")
        #expect(open.hasPrefix("Runs: page at http://"), "\(open)")
        // Checking creates no token; an existing one is checked, and not shown.
        let token = box.folder + "/state/pixelboop/page-token"
        #expect(!FileManager.default.fileExists(atPath: token))
        try FileManager.default.createDirectory(
            atPath: box.folder + "/state/pixelboop", withIntermediateDirectories: true)
        _ = try box.file("state/pixelboop/page-token", "short")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token)
        let short = try verdict("{listen: '0.0.0.0:0', \(nothing)}")
        #expect(short.hasPrefix("Does not run: \(token): the token should be 32 to 128 letters"), "\(short)")
        let memory = try verdict("{library: ':memory:', listen: '127.0.0.1:0', \(nothing)}")
        #expect(memory == "Does not run: library is \":memory:\", should be the path of a file")
        let path = try box.file("c.json5", page)
        let player = box.process(["run", "--config", path, "--audio", "none"])
        let complaint = Pipe()
        player.standardError = complaint
        try player.run()
        _ = complaint.fileHandleForReading.availableData
        let running = try verdict(page)
        player.terminate()
        player.waitUntilExit()
        #expect(running.hasPrefix("Runs already (process \(player.processIdentifier)): page at"), "\(running)")
    }

    @Test("--service checks with the service's user, limits, library and options")
    func service() throws {
        let box = try Executable()
        defer { box.remove() }
        // systemd's answer, on any machine. Root can adopt any user; others only themselves.
        let isRoot = geteuid() == 0
        let user = isRoot ? "nobody" : NSUserName()
        let configuration = try box.file("service.json5", "{audio: {priority: 40}}")
        _ = try box.file("default", "# options\nPIXELBOOP_OPTIONS=\"--panel none --audio none\"\n")
        let folder = try box.file("bin")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = try box.file("bin/systemctl", "")
        func doctor(_ properties: String) throws -> Executable.Result {
            let answer = """
                #!/bin/sh
                cat <<'END'
                User=\(user)
                StateDirectory=pixelboop-test
                Environment=PIXELBOOP_CONFIG=\(configuration)
                EnvironmentFiles=\(box.folder)/default (ignore_errors=yes)
                \(properties)
                END
                """
            try Data(answer.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return try box.run("doctor", "--service", environment: ["PATH": folder + ":/usr/bin:/bin"])
        }
        let refused = try doctor("LoadState=loaded\nLimitRTPRIO=0").text
        #expect(refused.contains("read from \(configuration)\n"), "\(refused)")
        #expect(refused.contains("/var/lib/pixelboop-test/library.sqlite"), "\(refused)")
        #expect(refused.contains("the sound thread runs without real-time priority"), "\(refused)")
        #expect(refused.contains("not served: the panel is none\n"), "\(refused)")
        let granted = try doctor("LoadState=loaded\nLimitRTPRIO=95\nLimitMEMLOCK=infinity")
        if isRoot {
            let mayRaise = try mayRaiseLimits()
            #expect(granted.text.contains("real-time priority: SCHED_FIFO 40\n") == mayRaise, "\(granted.text)")
        } else {
            #expect(granted.status == 77 && granted.complaint.contains("sudo pixelboop doctor --service"))
        }
        let absent = try doctor("LoadState=not-found")
        #expect(absent.status == 69 && absent.complaint.contains("pixelboop.service is not installed"))
    }

    /// Whether this process has CAP_SYS_RESOURCE, bit 24 (capabilities(7)); a container's root may lack it.
    private func mayRaiseLimits() throws -> Bool {
        let status = String(decoding: try bytes("/proc/self/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("CapEff:") })
        let set = try #require(UInt64(line.split(separator: "\t")[1], radix: 16))
        return set >> 24 & 1 == 1
    }

    struct Illness: Sendable, CustomTestStringConvertible {
        var configuration: String
        var section: String
        var message: String
        var testDescription: String { configuration }
    }

    static let illnesses: [Illness] = [
        .init(
            configuration: "{audio: {device: 'hw:77'}}", section: "sound", message: "hw:77 does not open: there is no"),
        .init(configuration: "{audio: {core: 1023}}", section: "sound thread", message: "core 1023"),
        .init(configuration: "{library: '/dev/null/x/y'}", section: "library", message: "/dev/null is not a folder"),
        .init(
            configuration: "{library: '/dev'}", section: "library",
            message: "/dev cannot be written: it is no regular file"),
        .init(
            configuration: "{touch: {device: '/dev/input/none'}}", section: "touch", message: "/dev/input/none: No such"
        ),
        .init(
            configuration: "{touch: {device: 'Nobody'}}", section: "touch", message: "there is no input device Nobody"),
        .init(configuration: "{keyboard: '1234:5678'}", section: "keyboard", message: "no input device 1234:5678"),
        .init(configuration: "{touch: {device: '/tmp'}}", section: "touch", message: "/tmp: is not a device"),
        .init(
            configuration: """
                {panel: {chains: [{device: '/dev/none', tiles: [{x: 0, y: 0, columns: 44, rows: 24}]}]}}
                """, section: "panel", message: "/dev/none: No such file"),
        .init(
            configuration: "{gpio: {chip: '/dev/none', play: 5}}", section: "gpio",
            message: "the GPIO chip /dev/none does not open (No such file or directory)"),
        .init(
            configuration: "{osc: {interface: 'none0'}, grid: {interface: 'lo', port: 42000}}", section: "network",
            message: "OSC at none0, UDP port 4425: there is no network interface none0"),
    ]

    @Test("doctor reports a fault for an unavailable part that the configuration names", arguments: illnesses)
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
        #expect(fault.1.what.contains(illness.message), "\(fault.1.what)")
    }

    @Test("doctor reads the heat sensor, and a name that no sensor has is a fault")
    func heat() throws {
        let box = try Executable()
        defer { box.remove() }
        let (status, sections) = try findings(box, "{panel: {heat: {sensor: 'no_such_sensor'}}}")
        #expect(status == 69)
        let panel = try #require(sections["panel"])
        let found = try #require(panel.last)
        #expect(found.state == "fault" && found.what.hasPrefix("the heat sensor no_such_sensor does not answer"))
        #expect(found.fix?.contains("panel.heat.sensor") == .some(true))
    }

    @Test("doctor accepts the devices of two chains, each by itself, and names the rule for a shared bus")
    func twoChains() throws {
        let box = try Executable()
        defer { box.remove() }
        // Devices that open, in place of spidev's.
        let chains = [("/dev/null", 0), ("/dev/zero", 12)].map { device, y in
            "{ device: '\(device)', hertz: 8000000, tiles: [{ x: 0, y: \(y), columns: 44, rows: 12 }] }"
        }
        let (status, sections) = try findings(box, "{panel: {chains: [\(chains.joined(separator: ", "))]}}")
        #expect(status == 0)
        #expect(sections["panel"]?.map(\.state) == ["ok", "ok"])
        #expect(sections["panel"]?.map(\.what) == ["/dev/null opens", "/dev/zero opens"])
        let shared = chains.joined(separator: ", ").replacing("/dev/null", with: "/dev/spidev0.0")
            .replacing("/dev/zero", with: "/dev/spidev0.1")
        let machine = try findings(box, "{panel: {chains: [\(shared)]}}").sections["machine"] ?? []
        let rules = machine.filter { $0.what.contains("share data and clock") }
        #expect(rules.map(\.state) == ["ok"])
        #expect(machine.contains { $0.what.contains("528 SK9822 at 8000000 Hz take 2153 bytes, 2.1 ms") })
    }
}
