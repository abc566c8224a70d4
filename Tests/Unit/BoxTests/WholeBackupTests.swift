import Foundation
import Documents
import Instrument
import Library
import TestSupport
import Testing

@testable import Box

@Suite("Backups with takes and samples")
final class WholeBackupTests {
    private let base = NSTemporaryDirectory() + "pixelboop-whole-\(UUID().uuidString)"
    private var place: String { base + "/stick" }
    private let kick, snare: SoundName

    init() throws {
        kick = try #require(SoundName("KICK"))
        snare = try #require(SoundName("SNARE"))
        for name in ["own", "other", "stick"] {
            try FileManager.default.createDirectory(atPath: "\(base)/\(name)", withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: base) }

    private func path(_ box: String) -> String { "\(base)/\(box)/box.sqlite" }

    private func sound(_ first: Int16) -> SampleSound {
        SampleSound(rate: 48_000, channels: 1, samples: (0..<1000).map { first &+ Int16($0) })
    }

    /// A take of `count` frames.
    private func keepTake(_ count: UInt64, in box: String, script: String? = nil) throws {
        _ = try TakeFolder(ofLibrary: path(box)).keep(TakeSpan(begin: 0, end: count), rate: 48_000, script: script) {
            for place in $1.indices { $1[place] = Int16(truncatingIfNeeded: 2 * Int($0) + place) }
            return true
        }
    }

    /// A box with a pattern, two takes, of which one has touches, and two samples; returns its backup.
    private func backedUp() throws -> WholeBackup {
        try keepTake(5000, in: "own", script: "touches\n")
        try keepTake(70, in: "own")
        try SampleFolder(ofLibrary: path("own")).keep(sound(1), as: kick)
        try SampleFolder(ofLibrary: path("own")).keep(sound(2), as: snare)
        let library = try Library(path: path("own"))
        library.flush()
        return try WholeBackup(of: library, at: path("own"), to: place) { _ in }
    }

    /// The files below a folder, with their contents, but for libraries.
    private func files(_ folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where !name.contains("sqlite") {
            files[name.replacing("library.", with: "box.")] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return files
    }

    @Test("a box that is restored has all that the other one had; a second time changes nothing")
    func restored() throws {
        let backup = try backedUp()
        #expect(backup.path.hasPrefix(place + "/pixelboop-library-"))
        let found = try #require(WholeBackup(at: backup.path))
        for isFirst in [true, false] {
            #expect((try found.restore(to: path("other")) == nil) == isFirst)
            #expect(try files(base + "/other") == files(base + "/own"))
        }
        #expect(try files(base + "/own").count == 5)
        #expect(try Library(path: path("other")).session() == Library(path: path("own")).session())
    }

    @Test("takes and samples of another box stay beside the restored ones")
    func others() throws {
        let backup = try backedUp()
        try keepTake(300, in: "other", script: "its own\n")
        try SampleFolder(ofLibrary: path("other")).keep(sound(7), as: kick)
        try SampleFolder(ofLibrary: path("other")).keep(sound(2), as: snare)
        for _ in 0..<2 { _ = try backup.restore(to: path("other")) }
        let takes = try TakeFolder(ofLibrary: path("other")).takes()
        #expect(Set(takes.map(\.frames)) == [300, 5000, 70] && takes.count == 3)
        let folder = SampleFolder(ofLibrary: path("other"))
        #expect(try folder.read(kick) == sound(1) && folder.read(snare) == sound(2))
        #expect(try folder.samples().count == 3)
        let renamed = try #require(try folder.samples().map(\.name).first { ![kick, snare].contains($0) })
        #expect(try folder.read(renamed) == sound(7))
    }

    @Test("one that cannot be written leaves nothing, and replaces nothing")
    func refused() throws {
        let library = try Library(path: path("own"))
        let file = place + "/file"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: CommandError.self) { try WholeBackup(of: library, at: path("own"), to: file) { _ in } }
        #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
        #expect(WholeBackup(at: place) == nil && WholeBackup(at: file) == nil)
        // A sample that cannot be read.
        try SampleFolder(ofLibrary: path("own")).keep(sound(1), as: kick)
        try Data("no sound".utf8).write(to: URL(fileURLWithPath: "\(base)/own/box.takes"))
        #expect(throws: (any Error).self) { try WholeBackup(of: library, at: path("own"), to: place + "/new") { _ in } }
        #expect(!FileManager.default.fileExists(atPath: place + "/new"))
    }
}
