import Documents
import Formats
import Foundation
import Instrument
import Library
import Pages
import Synchronization
import TestSupport
import TestTags
import Testing

@testable import Box

@Suite("Files dropped on the page, in the library", .tags(.live))
final class VisitorFilesTests: Sendable {
    private let base = NSTemporaryDirectory() + "pixelboop-dropped-\(UUID().uuidString)"
    private let library: Library
    private let samples: SampleFolder
    private let events = Mutex<[Instrument.Event]>([])

    init() throws {
        try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
        library = try Library(path: base + "/box.sqlite", as: .player)
        samples = SampleFolder(ofLibrary: base + "/box.sqlite")
    }

    deinit { try? FileManager.default.removeItem(atPath: base) }

    /// Drops a file on column 9, row 15; returns the answer and the events.
    private func drop(_ name: String, _ bytes: [UInt8]) async -> (answer: PageAnswer, events: [Instrument.Event]) {
        events.withLock { $0 = [] }
        let files = VisitorFiles(library, samples) { [self] event in events.withLock { $0.append(event) } }
        let answer = await withCheckedContinuation { continuation in
            files.keep(PageFile(name: name, bytes: bytes, column: 9, row: 15)) { continuation.resume(returning: $0) }
        }
        return (answer, events.withLock(\.self))
    }

    @Test("a file is refused by its kind and its size before it comes, and the page says the same")
    func refusals() throws {
        let files = VisitorFiles(library, samples) { _ in }
        let script = try String(
            contentsOf: Checkout.root.appending(path: "Sources/Pages/Page/drop.js"), encoding: .utf8)
        let documents = try #require(script.firstMatch(of: /isDocument = \/\\\.\((.*)\)\$\/i;/)).1
        func limit(_ name: String) throws -> Int {
            let match = try #require(script.firstMatch(of: try Regex("\(name)SizeMax = (\\d+) \\* 1024 \\* 1024;")))
            return try #require(match[1].substring.flatMap { Int($0) }) << 20
        }
        for (name, kind) in [("a.json", "document"), ("A.MID", "document"), ("a.scl", "document"), ("a.wav", "sound")] {
            let most = try limit(kind)
            #expect(files.refusal(of: name, size: most) == nil)
            #expect(files.refusal(of: name, size: most + 1) == "\(name): is larger than \(most >> 20) MiB")
        }
        #expect(documents == "scl|kbm|json|midi?|rmi")
        for name in ["a.txt", "json", "a"] {
            #expect(files.refusal(of: name, size: 1)?.contains("is no sound") == true)
        }
    }

    @Test(
        "a document larger than a row of the library, and one of more than a megabyte, are refused; nothing else changes"
    )
    func large() async throws {
        let lists = "[" + String(repeating: "[0],", count: 300_000) + "[0]]"
        #expect(await drop("a.json", Array(lists.utf8)).answer == .refused("a.json: is larger than 1 MiB"))
        let document = PatternDocument(pattern: Pattern()).text()
        let end = try #require(document.lastIndex(of: "}"))
        let extra = String(document[..<end]) + ", \"zz\": \"" + String(repeating: "x", count: 900_000) + "\"}"
        let answer = await drop("b.json", Array(extra.utf8)).answer
        #expect(
            answer == .refused("b.json: the keys that are none of a pattern's have 879 KiB, should have at most 256"))
        #expect(try library.patterns(in: .a).isEmpty && library.lastFailure == nil)
    }

    /// Two clicks, half a second apart.
    private let clicks = SampleSound(
        rate: 8000, channels: 1,
        samples: (0..<8000).map { (frame: Int) -> Int16 in
            if frame % 4000 >= 100 { return 0 }
            return frame % 2 == 0 ? -20_000 : 20_000
        })

    @Test("a sound is a sample that its place gets, with the parts where sounds begin")
    func sound() async throws {
        let (answer, events) = await drop("C:\\sounds\\kick.WAV", WaveFile.bytes(clicks))
        let kick = try #require(SoundName("KICK"))
        #expect(answer == .kept("KICK is a sample of 1.00 s"))
        #expect(events == [.samples([kick]), .dropped(SliceKit(kick, clicks, .onsets), column: 9, row: 15)])
        #expect(SliceKit(kick, clicks, .onsets).slices.count == 2)
        #expect(try samples.read(kick) == clicks)
        // The same again is the same sample; another sound of that name has a name of its own.
        #expect(await drop("kick.wav", WaveFile.bytes(clicks)).answer == .kept("KICK is a sample of 1.00 s"))
        let other = SampleSound(rate: 8000, channels: 1, samples: [Int16](repeating: 5, count: 800))
        #expect(await drop("kick.wav", WaveFile.bytes(other)).answer == .kept("KICK2 is a sample of 0.10 s"))
    }

    @Test("a scale is a tuning, a pattern and a MIDI file are patterns of the first bank")
    func documents() async throws {
        let scale = "! x.scl\nJust\n12\n16/15\n9/8\n6/5\n5/4\n4/3\n45/32\n3/2\n8/5\n5/3\n9/5\n15/8\n2/1\n"
        let tuned = await drop("just.scl", Array(scale.utf8))
        #expect(tuned.answer == .kept("JUST is a tuning of the SCALE sheet"))
        let tunings = try library.tunings()
        #expect(tuned.events == [.tunings(tunings)] && tunings.map(\.name.text) == ["JUST"])

        var pattern = Pattern()
        pattern[.melody, note: 3, step: 2] = .normal
        let document = PatternDocument(pattern: pattern)
        let played = await drop("My tune.json", Array(document.text().utf8))
        #expect(played.answer == .kept("My tune is a pattern of bank A"))
        #expect(played.events == [.notice(.imported(1))])
        let again = await drop("My tune.json", Array(document.text().utf8))
        #expect(again.answer == .kept("My tune.json: is in the library already"))
        let midi = MIDIFile.bytes(document, loops: 1)
        #expect(await drop("other.mid", midi).events == [.notice(.imported(1))])
        func size(_ count: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(count).littleEndian, Array.init) }
        let data = Array("RMIDdata".utf8) + size(midi.count) + midi
        #expect(await drop("riff.rmi", Array("RIFF".utf8) + size(data.count) + data).events == [.notice(.imported(1))])
        #expect(try library.patterns().count == 3)
    }

    @Test("the playing tune leaves as it is now, with the name that the library has for it")
    func tune() async throws {
        var pattern = Pattern()
        pattern[.melody, note: 3, step: 2] = .normal
        var session = Session(PatternDocument(pattern: pattern))
        session.pattern = try library.add([.init(PatternDocument(pattern: pattern), name: "NIGHT", to: .a)])[0].number
        session.composition.pattern[.bass, note: 1, step: 4] = .accent
        var state = Instrument().state
        state.session = session
        library.keep(state, at: .zero)
        let files = VisitorFiles(library, samples) { _ in }
        func tune(_ form: PageTune) async -> PageAnswer {
            await withCheckedContinuation { continuation in files.give(form) { continuation.resume(returning: $0) } }
        }
        guard case .tune(let text, .json) = await tune(.json), case .tune(let midi, .midi) = await tune(.midi) else {
            Issue.record("no tune")
            return
        }
        let document = try PatternDocument(parsing: text)
        #expect(document.name == "NIGHT" && document.pattern == session.composition.pattern)
        #expect(midi == MIDIFile.bytes(document, loops: 1))
    }

    static let bad: [(name: String, bytes: [UInt8], says: String)] = [
        ("kick.wav", [], "kick.wav: is empty; copy it again"),
        (
            "kick.wav", Array("MZ, a program".utf8),
            "kick.wav: is not a WAV, W64, FLAC, Ogg, AIFF, AU or CAF file; convert it to one of them"
        ),
        ("♥.wav", [], "♥.wav: is empty; copy it again"), ("a\n\u{1b}b.wav", [], "a ?b.wav: is empty; copy it again"),
        ("just.scl", Array("x\n5\n".utf8), "just.scl: "), ("tune.json", Array("{".utf8), "tune.json: "),
        ("tune.mid", Array("MThd".utf8), "tune.mid: "),
        (
            "notes.txt", [1],
            "notes.txt: is no sound (.wav, .flac, .ogg, .aiff), scale (.scl), pattern (.json) or MIDI file (.mid)"
        ),
        ("", [1], "the file: is no sound"), ("../../../etc/passwd", [1], "passwd: is no sound"),
    ]

    @Test("what cannot be kept is refused in a line, and nothing is kept", arguments: bad)
    func refused(name: String, bytes: [UInt8], says: String) async throws {
        let (answer, events) = await drop(name, bytes)
        guard case .refused(let line) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(line.hasPrefix(says) && !line.contains("\n"), "\(line)")
        #expect(events == [])
        #expect(try samples.samples() == [] && library.patterns() == [] && library.tunings() == [])
    }
}
