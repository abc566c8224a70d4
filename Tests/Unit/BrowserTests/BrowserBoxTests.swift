import Documents
import InputEvents
import Instrument
import Replay
import Runtime
import TestSupport
import Testing

@testable import Browser

@Suite("The box in a browser")
struct BrowserBoxTests {
    /// A box, and what it gave to the page.
    private final class Page {
        var outputs: [(kind: Output, bytes: [UInt8])] = []
        private(set) var box: BrowserBox?
        private(set) var samples: [Float] = []
        /// The samples' documents that it gave; empty ones are to be removed.
        private(set) var documents: [String: [UInt8]] = [:]

        /// The problems of the `kept` documents.
        private(set) var problems: [String] = []

        init(rate: Int = 48_000, kept: [(name: String, bytes: [UInt8])] = []) throws {
            let library = BrowserLibrary(
                documents: [], demos: [], begin: 0, offset: 0, seed: 1, problems: &problems)
            let samples = BrowserSamples(documents: kept, problems: &problems) { [unowned self] name, bytes in
                documents[name] = bytes
            }
            // Unowned, as the page is around the box.
            box = BrowserBox(rate: rate, version: "1.2.3", library, samples) { [unowned self] kind, bytes in
                outputs.append((kind, Array(bytes)))
            }
        }

        /// The last line that it said.
        var line: String? {
            outputs.last { $0.kind == .line }.map { String(decoding: $0.bytes, as: UTF8.self) }
        }

        /// Messages of the kind `kind`.
        func messages(_ kind: UInt8) -> [[UInt8]] {
            outputs.filter { $0.kind == .message && $0.bytes.first == kind }.map { $0.bytes }
        }

        func render(_ frames: Int) {
            var left = frames
            while left > 0, let sound = box?.render(min(left, BrowserBox.framesMax)) {
                let count = min(left, BrowserBox.framesMax)
                samples += UnsafeBufferPointer(start: sound, count: 2 * count)
                left -= count
            }
        }

        func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { box?.receive($0) } }

        /// A finger is at a place for this long.
        func touch(column: Int, row: Int, frames: Int) {
            let (x, y) = (column * 1024 + 512, row * 1024 + 512)
            func contact(_ phase: UInt8) -> [UInt8] {
                [1, phase, 0, 0, UInt8(x & 255), UInt8(x >> 8), UInt8(y & 255), UInt8(y >> 8)]
            }
            send(contact(0))
            render(frames)
            send(contact(2))
        }

        func acknowledge() {
            guard let last = messages(1).last else { return }
            send([4, 0, 0, 0] + last[4..<8])
        }
    }

    @Test("greets, shows at most two pictures that are not drawn, and reports each second")
    func messages() throws {
        let page = try Page()
        for _ in 0..<480 { page.render(200) }
        #expect(page.messages(0) == [[0, BoxMessage.version, 44, 24, 0x80, 0xbb, 0, 0]])
        #expect(page.outputs.first?.bytes.first == 0)
        #expect((1...2).contains(page.messages(1).count))
        #expect(page.messages(1)[0].count == 8 + 3 * 44 * 24)
        // In two seconds.
        #expect(page.messages(3).count == 2)
        // Space plays: the playhead moves, but nobody draws.
        page.send([2, 0, UInt8(Key.allCases.firstIndex(of: .playStop) ?? 0)])
        for _ in 0..<480 { page.render(200) }
        #expect(page.messages(1).count == 2)
        page.acknowledge()
        for _ in 0..<480 { page.render(200) }
        #expect(page.messages(1).count == 4)
        let words = page.messages(5).map { String(decoding: $0.dropFirst(4), as: UTF8.self) }
        #expect(words.contains("PLAY\n\n"))
    }

    @Test("a tap draws a note, which is in the document, and its step sounds on its frame")
    func plays() throws {
        let page = try Page()
        page.render(4800)
        #expect(page.samples.allSatisfy { $0 == 0 })
        // Step 0 of the rhythm's second row from below.
        page.touch(column: 4, row: 21, frames: 2400)
        page.render(48_000)
        page.box?.giveMusic()
        let text = try #require(page.outputs.last { $0.kind == .music }?.bytes)
        let pattern = try PatternDocument(parsing: text).pattern
        #expect(Track.rhythm.notes.count { pattern[.rhythm, note: $0, step: 0] != .empty } == 1)
        let peak = page.samples.map { abs($0) }.max() ?? 0
        #expect(peak > 0.05)
    }

    /// Bytes of a MIDI keyboard that holds a key and then falls silent, and whether the key sounds on.
    private static let cables: [(bytes: [[UInt8]], soundsOn: Bool)] = [
        ([[0x91, 60, 100]], true), ([[0x91, 60, 100], [0x81, 60, 0]], false),
        // Active sensing, and then silence; an unplugged port.
        ([[0xfe], [0x91, 60, 100]], false), ([[0x91, 60, 100], []], false),
    ]

    @Test("a key of a MIDI keyboard sounds until it is released, or its cable is dead", arguments: cables.indices)
    func keyboard(_ place: Int) throws {
        let cable = Self.cables[place]
        let page = try Page()
        page.render(128)
        for bytes in cable.bytes {
            bytes.withUnsafeBytes { page.box?.receiveMIDI($0, port: 0) }
            page.render(4800)
        }
        #expect(page.samples.contains { abs($0) > 0.01 })
        for _ in 0..<30 { page.render(4800) }
        let end = page.samples.suffix(9600)
        #expect(end.contains { abs($0) > 0.001 } == cable.soundsOn)
    }

    @Test("the frames of sound do not depend on how many are asked for at once")
    func blocks() throws {
        func sound(_ sizes: [Int]) throws -> [Float] {
            let page = try Page()
            page.send([2, 0, UInt8(Key.allCases.firstIndex(of: .playStop) ?? 0)])
            var place = 0
            while page.samples.count < 2 * 96_000 {
                page.render(sizes[place % sizes.count])
                place += 1
            }
            return Array(page.samples[..<(2 * 96_000)])
        }
        let even = try sound([128])
        let isSame = try sound([1, 77, 1000, 128, 8192, 3]) == even
        #expect(isSame)
    }

    @Test("a link's tune opens, and anything else is refused with a line")
    func links() throws {
        let page = try Page()
        var pattern = Pattern()
        pattern[.melody, note: 0, step: 0] = .normal
        page.box?.open(Array(PatternDocument(pattern: pattern, name: "GIFT").text().utf8))
        #expect(page.outputs.last.map { $0.kind == .music && $0.bytes == Array("GIFT".utf8) } == true)
        page.render(4800)
        page.box?.giveMusic()
        let text = try #require(page.outputs.last { $0.kind == .music }?.bytes)
        #expect(try PatternDocument(parsing: text).pattern == pattern)
        page.box?.open(Array("{}".utf8))
        let line = page.outputs.last.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(line == "the link has no tune: bpm: is missing")
    }

    /// A second of a saw that dies away twice.
    private static let hits = SampleSound(
        rate: 48_000, channels: 1,
        samples: (0..<48_000).map { (frame: Int) -> Int16 in
            let saw = 300 * (frame % 200 - 100)
            return Int16(saw * (24_000 - frame % 24_000) / 24_000)
        })

    @Test("a sound that is dropped is a sample: on a pad it plays there, elsewhere it is cut; it is kept, and removed")
    func samples() throws {
        let page = try Page()
        let wave = WaveFile.bytes(Self.hits)
        page.box?.take(wave, name: "my hits.wav", column: 10, row: 10)
        page.render(4800)
        #expect(page.line == "MY HITS is a sample of 1.00 s")
        #expect(page.documents == ["sample/MY HITS": wave])
        page.box?.take(wave, name: "my hits.wav", column: 10, row: 10)
        #expect(page.documents.keys.sorted() == ["sample/MY HITS", "sample/MY HITS2"])
        // The kit plays its parts: the tune names the sample.
        page.box?.giveMusic()
        page.render(128)
        let text = try #require(page.outputs.last { $0.kind == .music }?.bytes)
        let name = try #require(SoundName("MY HITS"))
        #expect(try PatternDocument(parsing: text).sound[sampleOf: 0] == name)

        // Another page has what was kept: it plays the tune with the sample, which is louder than the drum.
        let again = try Page(kept: page.documents.map { ($0.key, $0.value) } + [("sample/BAD", [1, 2, 3])])
        #expect(again.problems == ["sample/BAD: is no sample"])
        again.box?.open(text)
        again.render(4800)
        var (problems, removed): ([String], [String]) = ([], [])
        let samples = BrowserSamples(documents: page.documents.map { ($0.key, $0.value) }, problems: &problems) {
            if $1.isEmpty { removed.append($0) }
        }
        let engine = try #require(Engine(rate: 48_000))
        #expect(samples.run(.showSamples, engine) == [.samples(["MY HITS", "MY HITS2"].compactMap { SoundName($0) })])
        guard case .sample(let loaded)? = samples.run(.loadSample(name), engine)?.first else {
            Issue.record("it is not loaded")
            return
        }
        #expect(loaded.name == name && loaded.peaks.first ?? 0 > 200 && loaded.peaks.count == LoadedSample.parts)
        #expect(samples.run(.removeSample(name), engine) == [.samples(["MY HITS2"].compactMap { SoundName($0) })])
        #expect(samples.run(.loadSample(name), engine) == [.sampleFailed(name)])
        #expect(problems == [] && removed == ["sample/MY HITS"])
    }

    @Test("sounds that cannot be samples are refused with a line")
    func refusals() throws {
        let page = try Page()
        let minute = SampleSound(rate: 8000, channels: 1, samples: [Int16](repeating: 1, count: 60 * 8000 + 1))
        page.box?.take(WaveFile.bytes(minute), name: "long.wav", column: 0, row: 0)
        #expect(page.line == "long.wav: is no sample: those have at most 60 s, and some sound")
        page.box?.take(WaveFile.bytes(Self.hits), name: "日.wav", column: 0, row: 0)
        #expect(page.line == "日.wav: has no name that the panel can show; rename it")
        let large = SampleSound(rate: 48_000, channels: 2, samples: [Int16](repeating: 1, count: 5_760_000))
        for _ in 0..<3 { page.box?.take(WaveFile.bytes(large), name: "x.wav", column: 0, row: 0) }
        #expect(page.line == "x.wav: the samples fill 32 MB; remove some on the PADS sheet")
        page.box?.take([1, 2, 3], name: "x.json", column: 0, row: 0)
        #expect(page.line == "x.json: line 1, column 1: found U+0001, expected a value")
    }

    @Test("a take is the sound that was heard, as a WAV file, and a loop of it becomes a sample")
    func takes() throws {
        let page = try Page()
        page.send([2, 0, UInt8(Key.allCases.firstIndex(of: .playStop) ?? 0)])
        var pattern = Pattern()
        for step in stride(from: 0, to: 32, by: 4) { pattern[.rhythm, note: 0, step: step] = .normal }
        page.box?.open(Array(PatternDocument(pattern: pattern).text().utf8))
        // Two bars and more at 120 BPM.
        page.render(5 * 48_000)
        page.touch(column: 43, row: 22, frames: 48_000)
        page.render(48_000)
        let head = try #require(page.outputs.firstIndex { $0.kind == .file })
        let said = String(decoding: page.outputs[head].bytes, as: UTF8.self).split(separator: "\n")
        let parts = page.outputs[head...].filter { $0.kind == .part }.flatMap { $0.bytes }
        #expect(said.first == "take-1.wav" && said.last == "\(parts.count)")
        let take = try #require(WaveFile.sound(in: parts))
        #expect(take.rate == 48_000 && take.channels == 2 && take.frames >= 2 * 96_000)
        // It is a part of what was rendered, but for the rounding to integers.
        let heard = page.samples.map { Int(($0 * 32_768).rounded()) }
        let loudest = try #require(
            take.samples[..<96_000].enumerated().max { abs(Int($0.element)) < abs(Int($1.element)) })
        let isPart = stride(from: loudest.offset % 2, to: heard.count, by: 2).contains { place in
            let begin = place - loudest.offset
            guard begin >= 0, begin + take.samples.count <= heard.count else { return false }
            return take.samples.indices.allSatisfy { abs(Int(take.samples[$0]) - heard[begin + $0]) <= 2 }
        }
        #expect(isPart && abs(Int(loudest.element)) > 1000)
        let words = page.messages(5).map { String(decoding: $0.dropFirst(4), as: UTF8.self) }
        #expect(words.contains { $0.hasPrefix("TAKE 1") })
    }

    @Test("the tune is given as a MIDI file")
    func midiFile() throws {
        let page = try Page()
        var pattern = Pattern()
        pattern[.melody, note: 3, step: 5] = .accent
        page.box?.open(Array(PatternDocument(pattern: pattern).text().utf8))
        page.render(4800)
        page.box?.giveMIDI()
        let bytes = try #require(page.outputs.last { $0.kind == .music }?.bytes)
        #expect(try MIDIImport(parsing: bytes).document.pattern[.melody, note: 3, step: 5] == .accent)
    }

    @Test("is silent about invalid messages, and has no engine at another rate")
    func invalid() throws {
        let page = try Page()
        for bytes in [[], [9], [1, 0], [2, 7, 0], [4, 0, 0, 0, 9, 9, 9, 9]] as [[UInt8]] { page.send(bytes) }
        page.render(128)
        #expect(try Page(rate: 12_345).box == nil)
    }
}
