import Glibc
import Synchronization
import Testing

@testable import Library

@Suite("Calls on files other than SQLite's own that fail")
struct FileSystemTests {
    let folder = Folder()

    /// A call that fails with `errno`.
    struct Fault: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var errno: Int32
        var isDiskFull = false
        var files: FileSystem

        init(_ call: String, _ errno: Int32, _ fail: (inout FileSystem, FileError) -> Void) {
            testDescription = "\(call): \(String(cString: strerror(errno)))"
            self.errno = errno
            isDiskFull = [ENOSPC, EDQUOT].contains(errno)
            files = .linux
            fail(&files, FileError(errno: errno))
        }
    }

    private static func failMaking(_ files: inout FileSystem, _ error: FileError) {
        files.makeDirectory = { _, _ in .failure(error) }
    }

    private static func failOpening(_ files: inout FileSystem, _ error: FileError) {
        files.open = { _, _ in .failure(error) }
    }

    private static func failFlushing(_ files: inout FileSystem, _ error: FileError) {
        files.flush = { _ in .failure(error) }
    }

    private static func failRenaming(_ files: inout FileSystem, _ error: FileError) {
        files.rename = { _, _ in .failure(error) }
    }

    static let folderFaults = [EACCES, EROFS, ENOSPC, ENAMETOOLONG, ENODEV, EEXIST].map {
        Fault("mkdir", $0, failMaking)
    }

    @Test("a folder that cannot be created is named, with the reason", arguments: folderFaults)
    func noFolder(_ fault: Fault) {
        let path = "\(folder.path)/a/b/library.sqlite"
        do throws(LibraryError) {
            try fault.files.makeFolder(of: path)
            Issue.record("it was created")
        } catch {
            #expect(error == .noFolder(path: "\(folder.path)/a", reason: LibraryError.Reason(errno: fault.errno)))
            #expect(error.isDiskFull == fault.isDiskFull)
        }
    }

    @Test("a folder that another program creates at the same moment is used")
    func createdMeanwhile() throws {
        var files = FileSystem.linux
        files.makeDirectory = { path, mode in
            _ = FileSystem.linux.makeDirectory(path, mode)
            return .failure(FileError(errno: EEXIST))
        }
        try files.makeFolder(of: "\(folder.path)/a/b/library.sqlite")
        #expect(names(in: "\(folder.path)/a") == ["b"])
    }

    @Test("each new folder's name is written to the medium, from the outermost on")
    func synchronised() throws {
        let opened = Mutex<[String]>([])
        var files = FileSystem.linux
        files.open = { path, flags in
            opened.withLock { $0.append(path) }
            return FileSystem.linux.open(path, flags)
        }
        try files.makeFolder(of: "\(folder.path)/a/b/library.sqlite")
        #expect(opened.withLock { $0 } == [folder.path, "\(folder.path)/a"])
    }

    static let backupFaults = [
        Fault("open", EMFILE, failOpening), Fault("fsync", ENOSPC, failFlushing), Fault("fsync", EIO, failFlushing),
        Fault("fsync", EDQUOT, failFlushing), Fault("rename", EXDEV, failRenaming),
        Fault("rename", ENODEV, failRenaming),
    ]

    @Test("a backup that is not whole on its medium is reported, and no part of it stays", arguments: backupFaults)
    func backup(_ fault: Fault) throws {
        let library = try Library(path: folder.library, as: .visitor, timer: ManualTimer().timer, fault.files)
        let place = Folder()
        let path = "\(place.path)/backup.sqlite"
        do throws(LibraryError) {
            try library.backup(to: path)
            Issue.record("it was written")
        } catch {
            #expect(error == .noBackup(path: path, reason: LibraryError.Reason(errno: fault.errno)))
            #expect(error.isDiskFull == fault.isDiskFull)
        }
        #expect(names(in: place.path) == [])
    }

    @Test("a restore that fails leaves the library as it was", arguments: backupFaults)
    func restore(_ fault: Fault) throws {
        let backup = "\(folder.path)/backup.sqlite"
        do {
            let library = try Library(path: folder.library, as: .visitor, timer: ManualTimer().timer)
            library.keep(state(session(bpm: 61)), at: .zero)
            library.flush()
            try library.backup(to: backup)
            library.keep(state(session(bpm: 99)), at: .zero)
            library.flush()
        }
        do throws(LibraryError) {
            _ = try Library.restore(folder.library, from: backup, fault.files)
            Issue.record("it was restored")
        } catch {
            #expect(error == .unusable(path: folder.library, reason: LibraryError.Reason(errno: fault.errno)))
        }
        let library = try Library(path: folder.library)
        #expect(library.session() == session(bpm: 99))
        #expect(library.drainNotices() == [])
    }

    @Test("a library that cannot be set aside is not repaired, and stays", arguments: [EACCES, EROFS, EBUSY])
    func unrenamed(errno: Int32) throws {
        write(Array("no library".utf8), to: folder.library)
        var files = FileSystem.linux
        let path = folder.library
        files.rename = { old, new in
            old == path ? .failure(FileError(errno: errno)) : FileSystem.linux.rename(old, new)
        }
        do throws(LibraryError) {
            _ = try Library(path: folder.library, as: .visitor, timer: ManualTimer().timer, files)
            Issue.record("it was opened")
        } catch {
            guard case .notSetAside(folder.library, _, let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason == LibraryError.Reason(errno: errno))
        }
        #expect(readBytes(folder.library) == Array("no library".utf8))
    }

    @Test(
        "a file system that cannot write a folder's names to its medium is used all the same",
        arguments: [EINVAL, EROFS])
    func unsynchronised(errno: Int32) throws {
        var files = FileSystem.linux
        files.open = { path, flags in
            flags & O_DIRECTORY == 0 ? FileSystem.linux.open(path, flags) : .failure(FileError(errno: errno))
        }
        let path = "\(folder.path)/a/library.sqlite"
        let library = try Library(path: path, as: .visitor, timer: ManualTimer().timer, files)
        library.keep(state(session(bpm: 61)), at: .zero)
        library.flush()
        #expect(library.lastFailure == nil)
    }
}
