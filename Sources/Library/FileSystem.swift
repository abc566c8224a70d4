import Glibc

/// Makes the folder that `path` is in, and those above it.
func makeFolder(of path: String) throws(LibraryError) {
    var missing: [String] = []
    var folder = parent(of: path)
    while access(folder, F_OK) != 0, folder != parent(of: folder) {
        missing.append(folder)
        folder = parent(of: folder)
    }
    for folder in missing.reversed() {
        // The XDG base directory specification asks for 0700. Another program may have been faster.
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .noFolder(path: folder, reason: LibraryError.Reason())
        }
        synchronise(folder: parent(of: folder))
    }
}

/// The folder that `path` is in.
func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// What stands behind the name of a database, of its companions and then of itself.
let databaseSuffixes = ["-shm", "-wal", "-journal", ""]

/// Removes the database at `path` and its companions.
func removeFile(_ path: String) {
    for suffix in databaseSuffixes { unlink(path + suffix) }
}

/// Makes new names in `folder` survive a power cut, as far as its file system can.
@discardableResult
func synchronise(folder: String) -> Bool { synchronise(folder, O_DIRECTORY) }

/// Makes what the file at `path` holds survive a power cut.
func synchronise(file path: String) -> Bool { synchronise(path, 0) }

private func synchronise(_ path: String, _ flags: Int32) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
}
