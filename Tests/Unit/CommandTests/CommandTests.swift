import Box
import Documents
import Foundation
import Instrument
import TestTags
import Testing

@testable import Commands

@Suite("The command line", .tags(.live))
struct CommandTests {
    @Test("every command prints its help", arguments: Main.commands.map(\.name))
    func help(command: String) throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run(command, "--help")
        #expect(result.status == 0)
        #expect(result.text.hasPrefix("Usage: pixelboop \(command)"))
        #expect(try box.run("--help").text.contains("pixelboop \(command)"))
    }

    @Test("a command line without the program's name, as without /proc, is an error and not a box that runs")
    func noCommandLine() throws {
        #expect(try Main.words(of: ["pixelboop", "version"]) == ["version"])
        #expect(throws: CommandError.self) { try Main.words(of: []) }
    }

    @Test("version is one line")
    func version() throws {
        let box = try Executable()
        defer { box.remove() }
        #expect(try box.run("version").text.wholeMatch(of: /pixelboop \d+\.\d+\.\d+\n/) != nil)
    }

    static let mistakes: [Mistake] = [
        .init(arguments: "frobnicate", status: 64, message: "frobnicate"),
        .init(arguments: "replay", status: 64, message: "an operand is missing"),
        .init(arguments: "replay a b", status: 64, message: "too many"),
        .init(arguments: "replay good.jsonl --frob", status: 64, message: "--frob"),
        .init(arguments: "replay good.jsonl --until", status: 64, message: "--until needs a value"),
        .init(arguments: "replay good.jsonl --until 1 --until 2", status: 64, message: "twice"),
        .init(arguments: "replay good.jsonl --until soon", status: 64, message: "--until is soon"),
        .init(arguments: "replay good.jsonl --loops -1", status: 64, message: "--loops"),
        .init(arguments: "replay missing.jsonl", status: 66, message: "missing.jsonl"),
        .init(arguments: "replay .", status: 66, message: "is a folder"),
        .init(arguments: "replay bad.jsonl", status: 65, message: "bad.jsonl: line 2, phase"),
        .init(arguments: "replay good.jsonl --start bad.json", status: 65, message: "bad.json: tracks"),
        .init(arguments: "replay good.jsonl --pattern /proc/none/x", status: 73, message: "/proc/none/x"),
        .init(arguments: "replay good.jsonl --wav no/such/folder.wav", status: 73, message: "no/such/folder.wav"),
        .init(arguments: "replay good.jsonl --wire /proc/none", status: 73, message: "/proc/none"),
        .init(
            arguments: "replay good.jsonl --pattern p.json --events no/such/folder.jsonl", status: 73,
            message: "no/such/folder.jsonl"),
        .init(arguments: "replay good.jsonl --until 9000 --events /dev/full", status: 74, message: "/dev/full"),
        .init(arguments: "replay good.jsonl --pattern /dev/full", status: 74, message: "/dev/full"),
        .init(arguments: "replay good.jsonl --wav /dev/full", status: 74, message: "/dev/full"),
        .init(
            arguments: "replay good.jsonl --config bad.json5", status: 78, message: "bad.json5: line 1: panel.colums"),
        .init(arguments: "render bad.json -o x.wav", status: 65, message: "bad.json"),
        .init(arguments: "render bad.json", status: 64, message: "-o"),
        .init(arguments: "render empty.json -o x.ogg", status: 64, message: "x.ogg"),
        .init(arguments: "render empty.json -o x.wav --rate 44000", status: 64, message: "--rate"),
        .init(arguments: "render empty.json -o x.wav --song", status: 65, message: "empty.json: has no song"),
        .init(arguments: "render empty.json -o x.mid --song", status: 65, message: "empty.json: has no song"),
        .init(
            arguments: "render skipped.json -o x.wav --song", status: 65, message: "all scenes of its song are empty"),
        .init(
            arguments: "render song.json -o x.wav --song --loops 2", status: 64,
            message: "--song plays the song once, and --loops 2 is for one pattern"),
        .init(
            arguments: "render song.json -o x.wav --loops meet --song", status: 64, message: "--loops meet is for one"),
        .init(arguments: "render song.json -o x.png --song", status: 64, message: "name a .wav or .mid file"),
        .init(
            arguments: "render song.json -o x.wav --loops never", status: 64,
            message: "--loops is never, should be a whole number from 1 to 1000, or meet"),
        .init(
            arguments: "render primes.json -o x.mid --loops meet", status: 65,
            message: "primes.json: its tracks meet again after 20677 loops, more than 1000"),
        .init(arguments: "sounds", status: 64, message: "an operand is missing"),
        .init(arguments: "sounds x --rate 44000", status: 64, message: "--rate"),
        .init(arguments: "sounds /proc/none", status: 73, message: "/proc/none"),
        .init(arguments: "devices", status: 64, message: "missing"),
        .init(arguments: "devices lamp", status: 64, message: "devices sound or devices touch"),
        .init(arguments: "devices touch --test x", status: 64, message: "pixelboop touch monitor"),
        .init(arguments: "devices sound --test=", status: 64, message: "the sound device is empty"),
        .init(arguments: "devices sound --test hw:77", status: 69, message: "hw:77 does not open"),
        .init(arguments: "panel", status: 64, message: "missing"),
        .init(arguments: "panel dance", status: 64, message: "panel walk"),
        .init(arguments: "panel walk --by knights", status: 64, message: "leds, rows, columns, chains"),
        .init(arguments: "panel test --picture cat", status: 64, message: "ramps"),
        .init(arguments: "panel power --milliohms 0", status: 64, message: "0.01 to 1000"),
        .init(arguments: "panel power --supply much", status: 64, message: "0.1 to 1000"),
        .init(arguments: "run --panel bogus", status: 64, message: "bogus"),
        .init(arguments: "run --listen nonsense --audio none", status: 64, message: "nonsense"),
        .init(arguments: "run --listen 0.0.0.0:0 --token-file missing.txt", status: 66, message: "missing.txt"),
        .init(
            arguments: "run --listen 0.0.0.0:0 --token-file empty.json", status: 77, message: "chmod o= ./empty.json"),
        .init(arguments: "run --panel terminal --audio none", status: 69, message: "terminal"),
        .init(arguments: "run --panel none --audio none --library /proc/none/x", status: 73, message: "/proc/none"),
        .init(arguments: "run --panel none --audio=", status: 64, message: "--audio is empty"),
        .init(
            arguments: "run --panel none --audio " + String(repeating: "h", count: 256), status: 64,
            message: "--audio is longer than 255 bytes"),
        .init(
            arguments: "run --panel none --audio hw\u{7}", status: 64, message: "--audio contains control or invisible"),
        .init(arguments: "doctor --config bad.json5", status: 78, message: "bad.json5: line 1: panel.colums"),
        .init(arguments: "doctor --config missing.json5", status: 66, message: "missing.json5"),
        .init(arguments: "doctor --config device.json5", status: 69, message: "1 fault"),
        .init(arguments: "bench --frames 1", status: 64, message: "--frames"),
        .init(arguments: "bench --pattern loud -o x.json", status: 64, message: "typical"),
        .init(arguments: "bench --pattern dense", status: 64, message: "-o"),
        .init(arguments: "bench -o x.json", status: 64, message: "--pattern"),
    ]

    @Test("a mistake is reported in one line, with its status, and leaves no file", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let box = try Executable()
        defer { box.remove() }
        _ = try box.file("good.jsonl", script)
        _ = try box.file("bad.jsonl", script.replacingOccurrences(of: "\"up\"", with: "\"upp\""))
        _ = try box.file("bad.json", #"{"bpm": 120, "length": 32, "rootNote": "C", "scale": "major", "tracks": 3}"#)
        _ = try box.file("empty.json", PatternDocument(pattern: .init()).text())
        let song = Song([Song.Entry(scene: 1)])
        let scenes = Scenes([nil, Pattern()])
        _ = try box.file("song.json", PatternDocument(pattern: .init(), scenes: scenes, song: song).text())
        _ = try box.file("skipped.json", PatternDocument(pattern: .init(), song: song).text())
        var primes = Pattern()
        for (track, length) in [(Track.melody, 23), (.chords, 29), (.bass, 31)] {
            primes[track, note: 0, step: 0] = .normal
            primes[shape: track].length = length
        }
        _ = try box.file("primes.json", PatternDocument(pattern: primes).text())
        _ = try box.file("bad.json5", "{panel: {colums: 44}}")
        _ = try box.file("device.json5", "{audio: {device: 'hw:77'}}")
        try mistake.expect(in: box, except: "state")
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
}
