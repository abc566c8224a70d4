import Glibc
import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

@Suite("An interrupted recovery")
struct CutRecoveryTests {
    let folder = FaultyFolder()

    /// A library with a damaged file, and its recoverable contents.
    private func fill() throws -> LibraryContents {
        var script = LibraryScript(seed: 22)
        do {
            let library = try Library(path: folder.library)
            for _ in 0..<12 { #expect(library.perform(script.next())) }
        }
        try Database(path: folder.library).run("PRAGMA user_version = 99")
        return script.contents
    }

    private func rename(_ from: String, _ to: String) {
        #expect(Glibc.rename(folder.library + from, folder.library + to) == 0)
    }

    /// The complete new file beside the damaged one.
    private func stopBeforeExchange() throws -> (contents: LibraryContents, damaged: [UInt8]) {
        let contents = try fill()
        let damaged = readBytes(folder.library)
        do { _ = try Library(path: folder.library) }
        rename("", ".recovered")
        write(damaged, to: folder.library)
        for name in folder.aside { unlink(folder.path + "/" + name) }
        return (contents, damaged)
    }

    private func expect(_ contents: LibraryContents, aside: [UInt8]?) throws {
        let library = try Library(path: folder.library)
        #expect(library.drainNotices().count == 1)
        let isWhole = try LibraryContents(of: library) == contents
        #expect(isWhole)
        let isAsFound = folder.databasesAside.map(readBytes) == (aside.map { [$0] } ?? [])
        #expect(isAsFound)
        #expect(!names(in: folder.path).contains { $0.contains(".recover") })
        #expect(try Library(path: folder.library).drainNotices() == [])
    }

    @Test("begins again if the new file was incomplete")
    func writing() throws {
        let contents = try fill()
        let damaged = readBytes(folder.library)
        for suffix in ["", "-wal", "-shm"] {
            write(Array(repeating: 9, count: 5000), to: folder.library + ".recovering" + suffix)
        }
        try expect(contents, aside: damaged)
    }

    @Test("continues before the damaged file is set aside")
    func beforeSettingAside() throws {
        let (contents, damaged) = try stopBeforeExchange()
        try expect(contents, aside: damaged)
    }

    @Test("continues before the new file gets its name")
    func beforeTakingItsPlace() throws {
        let (contents, _) = try stopBeforeExchange()
        unlink(folder.library)
        try expect(contents, aside: nil)
    }

    static let calls: [FaultyFolder.Calls] = [
        .open, .delete, .access, .read, .write, .truncate, .sync, .size, .lock, .unlock, .shmMap, .shmLock,
    ]

    @Test("by a call of the file layer that fails once is repeated completely", arguments: calls)
    func faults(_ calls: FaultyFolder.Calls) throws {
        let contents = try fill()
        let damaged = readBytes(folder.library)
        var index = 0
        while true {
            let folder = FaultyFolder()
            write(damaged, to: folder.library)
            folder.fail(calls, at: index)
            let library = try Library(waitingFor: folder.library, timer: ManualTimer().timer)
            library.flush()
            let wasReached = folder.calls > index
            folder.mend()
            let comment: Comment = "\(calls) \(index)"
            #expect(library.drainNotices().count == 1, comment)
            let isWhole = try LibraryContents(of: Library(path: folder.library)) == contents
            #expect(isWhole, comment)
            let isAsFound = folder.databasesAside.map(readBytes) == [damaged]
            #expect(isAsFound, comment)
            guard wasReached else { break }
            index += 1
        }
        print("recovery: \(calls): \(index) calls failed in turn")
    }
}
