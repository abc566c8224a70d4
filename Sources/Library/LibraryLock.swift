import Glibc

/// The exclusive right to play a library: one box at a time, and no other process replaces the file meanwhile.
///
/// The kernel holds the lock (flock(2)) and releases it however the process ends, so it does not survive a power cut.
/// The lock is on a file of its own, `….lock` beside the library, because a repair renames the library's file, and
/// because closing a descriptor of that file would release SQLite's own locks on it (sqlite.org, "How To Corrupt An
/// SQLite Database File", 2.2). The file contains its holder's process number; the holder removes it at the end.
final class LibraryLock: Sendable {
    private let name: String
    private let descriptor: Int32

    /// Maximum attempts at a file that another process removes at the same moment.
    private static let attemptsMax = 100

    /// Locks the library at `path`, whose folder exists. Throws `.locked` while another process holds the lock.
    init(_ path: String) throws(LibraryError) {
        name = Self.name(of: path)
        for _ in 0..<Self.attemptsMax {
            guard let descriptor = try Self.lock(name, of: path) else { continue }
            self.descriptor = descriptor
            // The number is only for messages, so a full disk is no reason to fail.
            let text = "\(getpid())\n"
            if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.utf8.count, 0) }
            return
        }
        throw .unusable(path: path, reason: LibraryError.Reason("\(name) is removed again and again"))
    }

    deinit {
        // Removed before it is unlocked, so that it cannot be the file of a new holder.
        unlink(name)
        close(descriptor)
    }

    /// The process that holds the lock of the library at `path`; nil if there is none. Does not take the lock, so that
    /// a box that starts at this moment finds it free.
    static func holder(of path: String) -> pid_t? {
        let descriptor = Glibc.open(name(of: path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // The file of a killed process remains.
        return process(from: descriptor).flatMap { kill($0, 0) == 0 || errno == EPERM ? $0 : nil }
    }

    /// Returns a locked descriptor of the file `name`; nil if its holder removed the file meanwhile.
    private static func lock(_ name: String, of path: String) throws(LibraryError) -> Int32? {
        let descriptor = Glibc.open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .unusable(path: path, reason: LibraryError.Reason(of: name))
        }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let error = errno
            defer { close(descriptor) }
            guard error == EWOULDBLOCK else {
                throw .unusable(path: path, reason: LibraryError.Reason(errno: error, of: name))
            }
            throw .locked(path: path, process: process(from: descriptor))
        }
        var (locked, named) = (stat(), stat())
        if fstat(descriptor, &locked) == 0, stat(name, &named) == 0, locked.st_ino == named.st_ino { return descriptor }
        close(descriptor)
        return nil
    }

    /// Path of the lock file. A symbolic link is resolved to the library itself.
    private static func name(of path: String) -> String {
        guard let real = realpath(path, nil) else { return path + ".lock" }
        defer { free(real) }
        return String(cString: real) + ".lock"
    }

    /// The process that holds the lock; nil if it has not written its number yet.
    private static func process(from descriptor: Int32) -> pid_t? {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { bytes in
            let count = pread(descriptor, bytes.baseAddress, bytes.count, 0)
            let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            return pid_t(text.prefix { $0 != "\n" })
        }
    }
}
