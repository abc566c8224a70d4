import Documents
import Formats
import Foundation
import Instrument
import TestTags
import Testing

@Suite("pixelboop replay and render", .tags(.live))
struct ReplayAndRenderTests {
    @Test("replay writes the requested files, and they agree")
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
                {"at":500, "note":0, "step":0, "steps":1, "track":"rhythm", "velocity":2}
                {"at":750, "note":0, "step":2, "steps":1, "track":"rhythm", "velocity":1}

                """)
        let pattern = try PatternDocument(parsing: bytes(box.file("p.json"))).pattern
        #expect(pattern[.rhythm, note: 0, step: 0] == .accent)
        #expect(try bytes(box.file("s.wav")).count == WaveFile.Sample.float.headerSize + 8 * 120_000)
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

    @Test("a replay can start with a pattern, keeps its unknown keys, and plays it N times")
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

    @Test("a failing command leaves its output files unchanged")
    func kept() throws {
        let box = try Executable()
        defer { box.remove() }
        let path = try box.file("p.json", "precious")
        #expect(try box.run("replay", "-", "--start", path, "--pattern", path, "--wav", path).status == 65)
        #expect(try box.run("replay", "-", "--wav", path, input: "nonsense").status == 65)
        #expect(try bytes(path) == Array("precious".utf8))
    }

    @Test("render writes WAV, MIDI and PNG by the extension")
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
        // One loop of 32 steps at 120 BPM takes 4 s; then there is silence, as the kicks have rung out.
        #expect((4 * 48_000...5 * 48_000).contains((wave.count - WaveFile.Sample.float.headerSize) / 8))
        #expect(Array(other[24..<28]) == [0x44, 0xac, 0, 0])
        #expect((8 * 44_100...9 * 44_100).contains((other.count - WaveFile.Sample.float.headerSize) / 8))
        #expect(try bytes(box.file("m.mid")).starts(with: "MThd".utf8))
        #expect(try bytes(box.file("f.png")).starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }

    @Test("render --song writes the song with its repeats, and --loops meet until the tracks meet again")
    func song() throws {
        let box = try Executable()
        defer { box.remove() }
        func scene(_ bpm: Int, _ length: Int) -> Pattern {
            var pattern = Pattern()
            (pattern.tempo, pattern.length) = (Tempo(bpm), length)
            pattern[.rhythm, note: 5, step: 0] = .normal
            return pattern
        }
        // 2 · 2 s and 3 · 0.96 s; the empty scene is skipped.
        let document = PatternDocument(
            pattern: scene(120, 16), scenes: Scenes([scene(120, 16), scene(125, 8)], current: 0),
            song: Song([(0, 2), (4, 8), (1, 3)].map { Song.Entry(scene: $0.0, repeats: $0.1) }))
        let file = try box.file("song.json", document.text())
        let wave = try box.file("s.wav")
        func seconds() throws -> Double {
            Double((try bytes(wave).count - WaveFile.Sample.float.headerSize) / 8) / 48_000
        }
        let result = try box.run("render", file, "-o", wave, "--song")
        #expect(result.status == 0 && result.complaint.isEmpty)
        #expect(try (6.88...7).contains(seconds()))
        let midi = try box.file("s.mid")
        #expect(try box.run("render", file, "-o", midi, "--song").status == 0)
        #expect(try bytes(midi) == MIDIFile.songBytes(document))
        // Without it the playing scene.
        #expect(try box.run("render", file, "-o", wave).status == 0)
        #expect(try (2...2.2).contains(seconds()))
        var odd = scene(120, 8)
        odd[shape: .rhythm].length = 3
        let meeting = try box.file("odd.json", PatternDocument(pattern: odd).text())
        #expect(try box.run("render", meeting, "-o", midi, "--loops", "meet").status == 0)
        #expect(try bytes(midi) == MIDIFile.bytes(PatternDocument(pattern: odd), loops: 3))
        // The library writes it likewise.
        #expect(try box.run("library", "import", file).status == 0)
        #expect(try box.run("library", "export", "A1", "-o", wave, "--song").status == 0)
        #expect(try (6.88...7).contains(seconds()))
    }
}
