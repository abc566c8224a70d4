import CSQLite
import Foundation
import Instrument
import Library
import SQLiteFaults
import Testing

@testable import Box

@Suite("The panel's message about the library")
struct MemoryWatchTests {
    /// Reports `library` once, and returns the panel's events.
    private func messages(_ library: Library) -> [Instrument.Event] {
        var watch = MemoryWatch()
        var events: [Instrument.Event] = []
        watch.report(library) { events.append($0) }
        return events
    }

    @Test("NOT SAVED for a failure other than a full disk, also in a folder named full")
    func notSaved() throws {
        let folder = NSTemporaryDirectory() + "pixelboop-full-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/full", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: folder + "/full/file"))
        let library = try Library(waitingFor: folder + "/full/file/library.sqlite")
        let failure = try #require(library.lastFailure)
        #expect(failure.description.contains("/full/"))
        #expect(messages(library) == [.notice(.notSaved)])
    }

    @Test("DISK FULL for a full disk")
    func diskFull() throws {
        let folder = NSTemporaryDirectory() + "pixelboop-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let faults = sqlite_faults_watch(folder)
        try #require(faults >= 0)
        defer { sqlite_faults_forget(faults) }
        let library = try Library(path: folder + "/library.sqlite", as: .player)
        sqlite_faults_set(faults, SQLiteCallWrite.rawValue, 0, .max, SQLITE_FULL)
        var state = Instrument().state
        state.session.composition.pattern.tempo = 61
        library.keep(state, at: .zero)
        library.flush()
        #expect(messages(library) == [.notice(.diskFull)])
    }
}
