import Foundation
import Documents
import Instrument
import LibraryScript
import TestSupport
import TestTags
import Testing

@testable import Library

@Suite("Two programs with one library", .tags(.live))
struct TwoWritersTests {
    let folder = Folder()

    @Test("a player and an importer lose none of each other's data")
    func importing() throws {
        let library = try Library(path: folder.library)
        let (script, actions, additions) = (UInt64(31), 60, 60)
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("SaveProbe")
        probe.arguments = [folder.library, "\(script)", "0", "\(actions)"]
        probe.standardOutput = FileHandle.nullDevice
        try probe.run()
        var added: [String: LibraryContents.Tune] = [:]
        for number in 0..<additions {
            var pattern = Pattern()
            pattern.tempo = Tempo(60 + number)
            let document = PatternDocument(pattern: pattern)
            try library.add([.init(document, name: "IMPORTED \(number)", to: .e)])
            added["IMPORTED \(number)"] = LibraryContents.Tune(bank: .e, revisions: [document])
        }
        probe.waitUntilExit()
        #expect(probe.terminationStatus == 0)
        var expected = LibraryScript(seed: script)
        expected.skip(actions)
        let reopened = try Library(path: folder.library)
        #expect(reopened.drainNotices() == [])
        #expect(try reopened.check() == [])
        let contents = try LibraryContents(of: reopened)
        #expect(contents.session == expected.contents.session)
        let isWhole = contents.tunes == expected.contents.tunes.merging(added) { own, _ in own }
        #expect(isWhole)
    }

    @Test("one player at a time: a second is refused with the first's number, until the first is gone")
    func players() throws {
        do {
            let player = try Library(path: folder.library, as: .player)
            player.keep(state(session(bpm: 77)), at: .zero)
            player.flush()
            let expected = LibraryError.locked(path: folder.library, process: getpid())
            #expect(thrown(LibraryError.self) { _ = try Library(path: folder.library, as: .player) } == expected)
            #expect(thrown(LibraryError.self) { _ = try Library(waitingFor: folder.library) } == expected)
            #expect(thrown(LibraryError.self) { try Library(path: folder.library).resetSettings() } == expected)
            // A symbolic link names the same library.
            let link = folder.path + "/link.sqlite"
            #expect(symlink(folder.library, link) == 0)
            guard case .locked? = thrown(LibraryError.self, by: { _ = try Library(path: link, as: .player) }) else {
                Issue.record("a link is another library")
                return
            }
            #expect(try Library(path: folder.library).session() == session(bpm: 77))
        }
        #expect(try Library(waitingFor: folder.library).session() == session(bpm: 77))
    }

    @Test("a visitor that finds damage leaves the file to the player that has it open")
    func repair() throws {
        write(Array("no library".utf8), to: folder.library)
        do {
            let lock = try LibraryLock(folder.library)
            defer { withExtendedLifetime(lock) {} }
            let error = thrown(LibraryError.self) { _ = try Library(path: folder.library) }
            #expect(error == .locked(path: folder.library, process: getpid()))
            #expect(folder.aside.isEmpty)
        }
        #expect(try Library(path: folder.library).drainNotices().count == 1)
        #expect(folder.aside.count == 1)
    }

    @Test("two players: the session is the complete last one, and the music of both is kept")
    func playing() throws {
        let libraries = try (0..<2).map { _ in try Library(path: folder.library) }
        var last = Session()
        for count in 0..<120 {
            last = session(bpm: 60 + count)
            last.pattern = Int64(count % 2) + 1
            last.history = History(
                past: (0..<count).map { History.Step(session(bpm: 60 + $0).composition) }, future: [])
            libraries[count % 2].keep(state(last), at: .zero)
            libraries[count % 2].flush()
            #expect(libraries[count % 2].lastFailure == nil)
        }
        let reopened = try Library(path: folder.library)
        #expect(reopened.drainNotices() == [])
        #expect(reopened.session() == last)
        #expect(try [1, 2].map { try reopened.revisions(of: $0).count } == [60, 60])
    }
}
