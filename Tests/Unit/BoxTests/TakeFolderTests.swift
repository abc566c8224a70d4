import Foundation
import Documents
import Formats
import Instrument
import Runtime
import TestSupport
import Testing

@testable import Box

@Suite("Takes beside the library")
final class TakeFolderTests {
    private let base = NSTemporaryDirectory() + "pixelboop-takes-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: base) }

    private func folder(free: Int? = nil) -> TakeFolder {
        guard let free else { return TakeFolder(ofLibrary: base + "/box.sqlite") }
        return TakeFolder(ofLibrary: base + "/box.sqlite") { _ in free }
    }

    /// Frames that say their own number.
    private func recall(_ frame: UInt64, _ samples: UnsafeMutableBufferPointer<Int16>) -> Bool {
        for place in samples.indices { samples[place] = Int16(truncatingIfNeeded: 2 * Int(frame) + place) }
        return true
    }

    @discardableResult
    private func keep(_ count: UInt64, from begin: UInt64 = 100, in folder: TakeFolder, script: String? = nil) throws
        -> Int
    {
        try folder.keep(TakeSpan(begin: begin, end: begin + count), rate: 48_000, script: script, recall: recall)
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: base + "/box.takes").sorted()) ?? []
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: base + "/" + name)))
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: base + "/" + name))
    }

    @Test("a take has exactly the frames of its span, and the next number")
    func keep() throws {
        let folder = folder()
        #expect(try folder.takes() == [])
        #expect(try keep(100_000, in: folder, script: "touches\n") == 1)
        #expect(try keep(0, in: folder) == 2)
        for name in ["take-7.wav", "take-08.wav", "other.wav"] { try write("", to: "box.takes/\(name)") }
        #expect(try keep(5, in: folder) == 8)
        let takes = try folder.takes()
        #expect(takes.map(\.number) == [1, 2, 8])
        #expect(takes.map(\.frames) == [100_000, 0, 5])
        #expect(takes.allSatisfy { $0.rate == 48_000 && abs($0.kept - Int64(Date().timeIntervalSince1970)) < 600 })
        let wave = try bytes("box.takes/take-1.wav")
        #expect(Array(wave.prefix(44)) == WaveFile.header(frames: 100_000, rate: 48_000, of: .integer))
        let isWhole =
            wave.count == 44 + 400_000
            && (0..<200_000).allSatisfy {
                Int16(truncatingIfNeeded: 200 + $0) == Int16(wave[44 + 2 * $0])
                    | Int16(bitPattern: UInt16(wave[45 + 2 * $0]) << 8)
            }
        #expect(isWhole)
        #expect(try bytes("box.takes/take-1.jsonl") == Array("touches\n".utf8))
    }

    @Test("a take that would fill the disk is refused, and leaves nothing")
    func room() throws {
        let size = 44 + 4 * 1000
        let tight = folder(free: FolderBesideLibrary.roomMin + size - 1)
        #expect(throws: TakeFolder.Refusal.noRoom(bytes: size)) { try keep(1000, in: tight) }
        #expect(names == [])
        #expect(tight.room == size - 1)
        #expect(folder(free: 5).room == 0)
        #expect(try keep(1000, in: folder(free: FolderBesideLibrary.roomMin + size)) == 1)
    }

    @Test("sound that is forgotten while it is copied gives no take")
    func forgotten() throws {
        let folder = folder()
        #expect(throws: TakeFolder.Refusal.forgotten) {
            try folder.keep(TakeSpan(begin: 0, end: 100_000), rate: 48_000, script: nil) { frame, samples in
                frame < 50_000 && recall(frame, samples)
            }
        }
        #expect(names == [])
    }

    @Test("what a power cut left of a take is removed with the next one, and a stale script does not stay")
    func leftovers() throws {
        let folder = folder()
        try keep(10, in: folder)
        try write("half", to: "box.takes/.pixelboop-abc.partial")
        try write("of a take that was cut off", to: "box.takes/take-2.jsonl")
        #expect(try folder.takes().map(\.number) == [1])
        #expect(try keep(10, in: folder) == 2)
        #expect(names == ["take-1.wav", "take-2.wav"])
    }

    @Test("a take is copied and removed; another number is a clear error")
    func copies() throws {
        let folder = folder()
        try keep(10_000, in: folder, script: "touches\n")
        try keep(10, in: folder)
        let copy = base + "/copy.wav"
        try folder.copy(1, to: try OutputFile(copy))
        #expect(try bytes("copy.wav") == bytes("box.takes/take-1.wav"))
        try folder.copy(1, script: true, to: try OutputFile(copy))
        #expect(try bytes("copy.wav") == Array("touches\n".utf8))
        #expect(throws: CommandError.self) { try folder.copy(2, script: true, to: try OutputFile(copy)) }
        #expect(throws: CommandError.self) { try folder.copy(3, to: try OutputFile(copy)) }
        try folder.remove(1)
        #expect(names == ["take-2.wav"])
        #expect(throws: CommandError.self) { try folder.remove(1) }
    }

    @Test("a folder that cannot be made is a message for the panel, and the box goes on")
    func noFolder() throws {
        try write("", to: "box.takes")
        let engine = try #require(Engine(rate: 48_000))
        let keeper = TakeKeeper(folder(), engine)
        #expect(keeper.keep(TakeSpan(begin: 0, end: 10)) == .takeFailed)
    }
}
