import Glibc
import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

@Suite("Backups of a library")
struct BackupTests {
    let folder = Folder()
    var backup: String { folder.path + "/backup.sqlite" }

    /// A closed library that was played, and its contents.
    private func fill(seed: UInt64 = 41) throws -> LibraryContents {
        var script = LibraryScript(seed: seed)
        let library = try Library(path: folder.library)
        for _ in 0..<20 { #expect(library.perform(script.next())) }
        return script.contents
    }

    private var replaced: [String] { names(in: folder.path).filter { $0.contains(".replaced-") } }

    private func contents(_ path: String) throws -> LibraryContents {
        let library = try Library(path: path)
        #expect(library.drainNotices() == [])
        return try LibraryContents(of: library)
    }

    @Test("are complete while the box plays on, and a single file")
    func playing() throws {
        var script = LibraryScript(seed: 42)
        let library = try Library(path: folder.library)
        for round in 0..<12 {
            #expect(library.perform(script.next()))
            try Library(path: folder.library).backup(to: backup)
            #expect(names(in: folder.path).filter { $0.hasPrefix("backup") } == ["backup.sqlite"])
            #expect(chmod(backup, 0o400) == 0)
            let copy = Folder()
            write(readBytes(backup), to: copy.library)
            #expect(try contents(copy.library) == script.contents, "\(round)")
        }
    }

    @Test("restore everything, and the replaced file is kept")
    func restore() throws {
        let before = try fill()
        try Library(path: folder.library).backup(to: backup)
        let after = try fill(seed: 43)
        #expect(after != before)
        let later = try contents(folder.library)
        let aside = try #require(try Library.restore(folder.library, from: backup))
        #expect(replaced == [String(aside.dropFirst(folder.path.count + 1))])
        #expect(try contents(folder.library) == before)
        #expect(try contents(aside) == later)
        #expect(!names(in: folder.path).contains { $0.contains(".restor") })
    }

    @Test("create a missing library, with its folder")
    func none() throws {
        let before = try fill()
        try Library(path: folder.library).backup(to: backup)
        let new = folder.path + "/deep/er/library.sqlite"
        #expect(try Library.restore(new, from: backup) == nil)
        #expect(try contents(new) == before)
    }

    @Test("replace a library that is damaged or newer, which is kept unchanged")
    func damaged() throws {
        let before = try fill()
        try Library(path: folder.library).backup(to: backup)
        try Database(path: folder.library).run("PRAGMA user_version = 99")
        let newer = try #require(try Library.restore(folder.library, from: backup))
        #expect(try Database(path: newer, isReadOnly: true).run("PRAGMA user_version") == [[.integer(99)]])
        let rubbish = Array(repeating: UInt8(0x55), count: 9000)
        write(rubbish, to: folder.library)
        let aside = try #require(try Library.restore(folder.library, from: backup))
        #expect(aside != newer && readBytes(aside) == rubbish)
        #expect(try contents(folder.library) == before)
    }

    @Test("of an older version are migrated")
    func older() throws {
        let before = try fill()
        let other = Folder()
        #expect(rename(folder.library, other.library) == 0)
        try other.makeVersion4()
        #expect(try Library.restore(folder.library, from: other.library) == nil)
        let library = try Library(path: folder.library)
        #expect(library.drainNotices() == [])
        #expect(try library.patterns().count == before.tunes.count)
    }

    @Test("that are not a complete library change nothing")
    func bad() throws {
        let before = try fill()
        try Library(path: folder.library).backup(to: backup)
        let whole = readBytes(backup)
        var holed = whole
        for index in 4096..<min(4096 * 6, holed.count) { holed[index] = 0xaa }
        let bad: [[UInt8]] = [[], Array("no library".utf8), Array(whole.prefix(whole.count / 2)), holed]
        for bytes in bad {
            write(bytes, to: backup)
            let error = thrown(LibraryError.self) { _ = try Library.restore(folder.library, from: backup) }
            guard case .badBackup(backup, _)? = error else {
                Issue.record("\(bytes.count) bytes: \(String(describing: error))")
                continue
            }
            #expect(readBytes(backup) == bytes)
        }
        try Database(path: backup + "2").run("CREATE TABLE other (id)")
        #expect(thrown(LibraryError.self) { _ = try Library.restore(folder.library, from: backup + "2") } != nil)
        #expect(replaced.isEmpty && !names(in: folder.path).contains { $0.contains(".restor") })
        #expect(try contents(folder.library) == before)
    }

    @Test(
        "with triggers and other active statements is not restored",
        arguments: [
            "CREATE TRIGGER gone AFTER UPDATE ON session BEGIN DELETE FROM pattern; END",
            "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
            "CREATE VIRTUAL TABLE words USING fts5(word)",
        ])
    func hostile(statement: String) throws {
        let before = try fill()
        try Library(path: folder.library).backup(to: backup)
        try Database(path: backup).run(statement)
        let error = thrown(LibraryError.self) { _ = try Library.restore(folder.library, from: backup) }
        guard case .badBackup(backup, let reason)? = error, reason.contains("as no library of version") else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try contents(folder.library) == before)
    }

    @Test("cannot be restored, nor settings reset, while the library is open elsewhere")
    func inUse() throws {
        let before = try fill()
        let library = try Library(path: folder.library)
        try library.backup(to: backup)
        for _ in 1...2 {
            let error = thrown(LibraryError.self) { _ = try Library.restore(folder.library, from: backup) }
            #expect(error == .inUse(path: folder.library))
            let other = thrown(LibraryError.self) { try Library(path: folder.library).resetSettings() }
            #expect(other == .inUse(path: folder.library))
        }
        library.keep(state(session(bpm: 77)), at: .zero)
        library.flush()
        #expect(library.lastFailure == nil)
        #expect(try library.patterns().count >= before.tunes.count)
        #expect(replaced.isEmpty)
    }

    @Test("interrupted by a power cut are finished by the next program that opens the library")
    func cut() throws {
        let before = try fill()
        try Library(path: folder.library).backup(to: backup)
        _ = try fill(seed: 44)
        for isAside in [false, true] {
            write(readBytes(backup), to: folder.library + ".restored")
            if isAside { #expect(rename(folder.library, folder.library + ".replaced-1") == 0) }
            let library = try Library(path: folder.library)
            #expect(library.drainNotices().count == 1)
            #expect(try LibraryContents(of: library) == before)
            #expect(folder.aside.isEmpty && !replaced.isEmpty)
        }
    }

    @Test("replace no device and no folder")
    func special() throws {
        let library = try Library(path: folder.library)
        let nested = folder.path + "/folder"
        #expect(mkdir(nested, 0o700) == 0)
        for path in [nested, "/dev/null"] {
            let error = try #require(thrown(LibraryError.self) { try library.backup(to: path) })
            #expect("\(error)".contains("\(path): is no plain file"))
        }
        #expect(!names(in: folder.path).contains { $0.contains(".partial") })
    }

    @Test(
        "that fail leave the old file, and no other", arguments: [FaultyFolder.Calls.write, .open, .read, .size])
    func faults(_ calls: FaultyFolder.Calls) throws {
        let faulty = FaultyFolder()
        let path = faulty.path + "/backup.sqlite"
        let library = try Library(path: faulty.library)
        library.keep(state(session(bpm: 77)), at: .zero)
        library.flush()
        write([1, 2, 3], to: path)
        var index = 0
        var failures = 0
        while true {
            faulty.fail(calls, at: index)
            let error = thrown(LibraryError.self) { try library.backup(to: path) }
            let wasReached = faulty.calls > index
            faulty.mend()
            guard wasReached else {
                #expect(error == nil)
                break
            }
            #expect(!names(in: faulty.path).contains { $0.contains(".partial") }, "\(calls) \(index)")
            if error != nil {
                failures += 1
                #expect(readBytes(path) == [1, 2, 3], "\(calls) \(index)")
            } else {
                // SQLite could do without that call.
                let restored = Folder()
                #expect(try Library.restore(restored.library, from: path) == nil)
                #expect(try Library(path: restored.library).session() == library.session())
                write([1, 2, 3], to: path)
            }
            index += 1
        }
        print("backup: \(calls): \(index) calls failed in turn, \(failures) backups with them")
    }

    @Test("are named by the date")
    func name() {
        let name = Library.backupName(at: 1_774_814_400)
        #expect(name.wholeMatch(of: #/pixelboop-library-2026032[89]-\d{6}\.sqlite/#) != nil, "\(name)")
    }
}
