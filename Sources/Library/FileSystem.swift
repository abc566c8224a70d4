import Glibc

/// The system calls on files other than SQLite's own, one closure each so that a test can make any of them fail.
struct FileSystem: Sendable {
    /// Whether there is a file or folder at a path.
    var isThere: @Sendable (_ path: String) -> Bool
    /// Creates one folder.
    var makeDirectory: @Sendable (_ path: String, _ mode: mode_t) -> Result<Void, FileError>
    /// Opens the file at a path for reading, with further flags of open(2); returns a descriptor.
    var open: @Sendable (_ path: String, _ flags: Int32) -> Result<Int32, FileError>
    /// Writes the content of a descriptor to the medium.
    var flush: @Sendable (_ descriptor: Int32) -> Result<Void, FileError>
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void
    /// Gives a file another name.
    var rename: @Sendable (_ path: String, _ new: String) -> Result<Void, FileError>
    /// Removes a file, if it is there.
    var remove: @Sendable (_ path: String) -> Void

    /// The real calls.
    static let linux = FileSystem(
        isThere: { access($0, F_OK) == 0 },
        makeDirectory: { FileError.result(mkdir($0, $1)).map { _ in } },
        open: { FileError.result(Glibc.open($0, O_RDONLY | O_CLOEXEC | $1)) },
        flush: { FileError.result(fsync($0)).map { _ in } },
        close: { _ = Glibc.close($0) },
        rename: { FileError.result(Glibc.rename($0, $1)).map { _ in } },
        remove: { unlink($0) })

    /// Creates the folder of `path` and its missing parents.
    func makeFolder(of path: String) throws(LibraryError) {
        do throws(FolderError) {
            // The XDG base directory specification requires 0700.
            try makeFolders(parent(of: path), mode: 0o700) { synchronise(folder: $0) }
        } catch {
            throw .noFolder(path: error.path, reason: LibraryError.Reason(errno: error.errno))
        }
    }

    /// Creates the folder at `path` and its missing parents, and calls `made` with the parent of each.
    fileprivate func makeFolders(_ path: String, mode: mode_t, made: (String) -> Void) throws(FolderError) {
        var missing: [String] = []
        var folder = path
        while !isThere(folder), folder != parent(of: folder) {
            missing.append(folder)
            folder = parent(of: folder)
        }
        for folder in missing.reversed() {
            // Another program may have created the folder in the meantime.
            if case .failure(let error) = makeDirectory(folder, mode), error.errno != EEXIST || !isThere(folder) {
                throw FolderError(path: folder, errno: error.errno)
            }
            made(parent(of: folder))
        }
    }

    /// Makes new names in `folder` survive a power cut, if its file system supports it.
    func synchronise(folder: String) { _ = synchronise(folder, O_DIRECTORY) }

    /// Makes the file at `new` survive a power cut, and then gives it the name `path` in the same folder.
    func complete(_ new: String, as path: String) throws(FileError) {
        try synchronise(new, 0).get()
        try rename(new, path).get()
    }

    /// Writes the file or folder at `path`, opened with `flags`, to the medium.
    func synchronise(_ path: String, _ flags: Int32) -> Result<Void, FileError> {
        open(path, flags).flatMap { descriptor in
            defer { close(descriptor) }
            return flush(descriptor)
        }
    }

    /// Removes the database at `path` and its companions.
    func removeDatabase(_ path: String) {
        for suffix in databaseSuffixes { remove(path + suffix) }
    }
}

/// The error number of a failed call on a file.
struct FileError: Error, Hashable, Sendable {
    var errno: Int32

    /// The result of a C function that returns a number from 0 up, or −1 and `errno`.
    static func result(_ returned: Int32) -> Result<Int32, FileError> {
        returned < 0 ? .failure(FileError(errno: Glibc.errno)) : .success(returned)
    }
}

/// Why a folder cannot be created.
public struct FolderError: Error, Hashable, Sendable {
    /// The folder.
    public var path: String
    /// The error number.
    public var errno: Int32
}

/// Creates the folder at `path` and its missing parents, with the permissions that the umask leaves. Calls `mkdir`.
public func makeFolders(_ path: String) throws(FolderError) {
    var files = FileSystem.linux
    // A file in the place of a folder is reported by its name.
    files.isThere = { path in
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
    try files.makeFolders(path, mode: 0o777) { _ in }
}

/// A name for a file that gets its own when it is complete: at random, so that nobody can have placed a link there.
public func partialFileName() -> String { ".pixelboop-\(String(UInt64.random(in: .min ... .max), radix: 36)).partial" }

/// Whether `partialFileName` may have made `name`.
public func isPartialFileName(_ name: String) -> Bool { name.hasPrefix(".pixelboop-") && name.hasSuffix(".partial") }

/// The folder of `path`.
func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Suffixes of a database's files: its companions, then the database itself.
let databaseSuffixes = ["-shm", "-wal", "-journal", ""]
