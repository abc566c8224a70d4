import CSQLite
import Glibc
import Instrument
import Testing
import TestSupport

@testable import Library

@Suite("A library that cannot be opened")
struct ErrorTests {
    let folder = Folder()

    private func failure(_ path: String) throws -> LibraryError {
        let error = try #require(thrown(LibraryError.self) { _ = try Library(path: path) })
        #expect(!error.description.contains("\n"))
        return error
    }

    @Test("names the folder that cannot be created, and the fix")
    func folderError() throws {
        write([1], to: folder.path + "/file")
        let path = folder.path + "/file/sub"
        let error = try failure(path + "/library.sqlite")
        #expect(error == .noFolder(path: path, reason: LibraryError.Reason("Not a directory")))
        #expect(
            error.description == "cannot create the library's folder \(path): Not a directory; "
                + "create it for this user, or set XDG_STATE_HOME to a folder that can be written")
    }

    @Test("names the file that cannot be written, and the fix", arguments: ["/proc/library.sqlite", "/proc", "/"])
    func fileError(path: String) throws {
        let error = try failure(path)
        #expect(error == .unusable(path: path, reason: LibraryError.Reason("unable to open database file")))
        #expect(
            error.description == "cannot keep the library in \(path): unable to open database file; "
                + "let this user write there, or set XDG_STATE_HOME to a folder that can be written")
    }

    @Test(
        "a full disk or quota is recognised by its error number, not by its message",
        arguments: [(ENOSPC, true), (EDQUOT, true), (EIO, false)])
    func diskFull(errno: Int32, isFull: Bool) {
        let lock = LibraryError.unusable(
            path: "/srv/full/library", reason: LibraryError.Reason(errno: errno, of: "/srv/full/library.lock"))
        #expect(lock.isDiskFull == isFull)
        let error = DatabaseError(code: SQLITE_IOERR, reason: "disk I/O error", systemError: errno)
        let write = LibraryError.notWritten(path: "/srv/full/library", reason: LibraryError.Reason(error))
        #expect(write.isDiskFull == isFull)
        #expect(DatabaseError(code: SQLITE_FULL, reason: "").isDiskFull)
        #expect(!DatabaseError(code: SQLITE_READONLY, reason: "full", systemError: errno).isDiskFull)
    }

    @Test(
        "leaves a read-only file unchanged", .enabled(if: geteuid() != 0, "root may write every file"),
        arguments: [true, false])
    func readOnly(isFolder: Bool) throws {
        do {
            let library = try Library(path: folder.library)
            library.keep(state(session(bpm: 61)), at: .zero)
            library.flush()
        }
        let path = isFolder ? folder.path : folder.library
        chmod(path, isFolder ? 0o500 : 0o400)
        defer { chmod(path, 0o700) }
        guard case .unusable = try failure(folder.library) else {
            Issue.record("another error")
            return
        }
        #expect(folder.aside.isEmpty)
    }

    @Test("because another program writes to it is left unchanged")
    func inUse() throws {
        do { _ = try Library(path: folder.library) }
        let other = try Database(path: folder.library)
        try other.run("BEGIN IMMEDIATE")
        let error = try failure(folder.library)
        #expect(error == .inUse(path: folder.library))
        #expect(folder.aside.isEmpty)
        try other.run("ROLLBACK")
        #expect(try Library(path: folder.library).notice == nil)
    }
}
