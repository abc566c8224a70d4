import Glibc

/// Creates the folder of `path` and its missing parents.
func makeFolder(of path: String) throws(LibraryError) {
    var missing: [String] = []
    var folder = parent(of: path)
    while access(folder, F_OK) != 0, folder != parent(of: folder) {
        missing.append(folder)
        folder = parent(of: folder)
    }
    for folder in missing.reversed() {
        // The XDG base directory specification requires 0700. Another program may have created the folder in the meantime.
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .noFolder(path: folder, reason: LibraryError.Reason())
        }
        synchronise(folder: parent(of: folder))
    }
}

/// The folder of `path`.
func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Suffixes of a database's files: its companions, then the database itself.
let databaseSuffixes = ["-shm", "-wal", "-journal", ""]

/// Removes the database at `path` and its companions.
func removeFile(_ path: String) {
    for suffix in databaseSuffixes { unlink(path + suffix) }
}

/// Makes new names in `folder` survive a power cut, if its file system supports it.
@discardableResult
func synchronise(folder: String) -> Bool { synchronise(folder, O_DIRECTORY) }

/// Makes the content of the file at `path` survive a power cut.
func synchronise(file path: String) -> Bool { synchronise(path, 0) }

private func synchronise(_ path: String, _ flags: Int32) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
}
