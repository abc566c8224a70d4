import Documents
import InputEvents
import Instrument
import Replay
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

        init(rate: Int = 48_000) throws {
            var problems: [String] = []
            let library = BrowserLibrary(
                documents: [], demos: [], begin: 0, offset: 0, seed: 1, problems: &problems)
            // Unowned, as the page is around the box.
            box = BrowserBox(rate: rate, version: "1.2.3", library) { [unowned self] kind, bytes in
                outputs.append((kind, Array(bytes)))
            }
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
        // Column 4, row 21: step 0 of the rhythm's second row from below.
        let (x, y) = (UInt16(4 * 1024 + 512), UInt16(21 * 1024 + 512))
        func contact(_ phase: UInt8) -> [UInt8] {
            [1, phase, 0, 0, UInt8(x & 255), UInt8(x >> 8), UInt8(y & 255), UInt8(y >> 8)]
        }
        page.send(contact(0))
        page.render(2400)
        page.send(contact(2))
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

    @Test("is silent about invalid messages, and has no engine at another rate")
    func invalid() throws {
        let page = try Page()
        for bytes in [[], [9], [1, 0], [2, 7, 0], [4, 0, 0, 0, 9, 9, 9, 9]] as [[UInt8]] { page.send(bytes) }
        page.render(128)
        #expect(try Page(rate: 12_345).box == nil)
    }
}
