import Formats
import Foundation
import Testing

@Suite("pixelboop doctor")
struct DoctorCommandTests {
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
}
