import CSQLite
import Glibc

/// Why a library cannot be used. The description is one line that says what to do.
public enum LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder does not exist and cannot be created.
    case noFolder(path: String, reason: Reason)
    /// The file cannot be created, read or written.
    case unusable(path: String, reason: Reason)
    /// Another program uses the file: it wrote to it for longer than the time-out, or has it open where exclusive
    /// access is needed.
    case inUse(path: String)
    /// Another process plays or repairs the library; its process number, if known.
    case locked(path: String, process: Int32?)
    /// The file is damaged and cannot be renamed.
    case notSetAside(path: String, damage: String, reason: Reason)

    /// A write or read failed.
    case notWritten(path: String, reason: Reason)
    /// The content is damaged.
    case damaged(path: String, reason: String)
    /// The file is damaged and opened for reading only.
    case needsRepair(path: String, reason: String)
    /// A backup cannot be written.
    case noBackup(path: String, reason: Reason)
    /// The file to restore is not a complete library.
    case badBackup(path: String, reason: String)
    /// The pattern, or its revision, does not exist.
    case noPattern(String)
    /// No own sound has this name.
    case noSound(String)
    /// No own tuning has this name.
    case noTuning(String)

    /// Why the system or SQLite refused.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// One line.
        public let description: String
        /// Whether the disk, or the user's quota, is full.
        public let isDiskFull: Bool
    }

    /// Whether the cause is a full disk.
    public var isDiskFull: Bool {
        switch self {
        case .noFolder(_, let reason), .unusable(_, let reason), .notSetAside(_, _, let reason),
            .notWritten(_, let reason), .noBackup(_, let reason):
            reason.isDiskFull
        case .inUse, .locked, .damaged, .needsRepair, .badBackup, .noPattern, .noSound, .noTuning: false
        }
    }

    /// One line: what, where and what to do.
    public var description: String {
        switch self {
        case .noFolder(let path, let reason):
            "cannot create the library's folder \(path): \(reason); "
                + "create it for this user, or set XDG_STATE_HOME to a folder that can be written"
        case .unusable(let path, let reason):
            "cannot keep the library in \(path): \(reason); "
                + (reason.isDiskFull ? "make room there" : "let this user write there")
                + ", or set XDG_STATE_HOME to a folder that can be written"
        case .inUse(let path):
            "cannot use the library \(path): another program is using it; stop the other one"
        case .locked(let path, let process):
            "cannot use the library \(path): another pixelboop\(process.map { " (process \($0))" } ?? "") is using it; "
                + "stop that one, or name another file with --library"
        case .notWritten(_, let reason): "cannot write the library: \(reason)"
        case .damaged(let path, let reason): "the library \(path) \(reason); pixelboop library check shows details"
        case .needsRepair(let path, let reason):
            "the library \(path) \(reason); pixelboop library repair sets it aside and saves what can be read"
        case .noBackup(let path, let reason):
            "cannot write the backup \(path): \(reason); check that the medium is connected and has space"
        case .badBackup(let path, let reason): "the backup \(path): \(reason); the library is as it was"
        case .noPattern(let name): "there is no pattern \(name); pixelboop library list shows all patterns"
        case .noSound(let name): "there is no own sound \(name); pixelboop library presets shows all of them"
        case .noTuning(let name): "there is no own tuning \(name); pixelboop library tunings shows all of them"
        case .notSetAside(let path, let damage, let reason):
            "the library \(path) \(damage), and cannot be renamed: \(reason); move it away by hand"
        }
    }
}

extension LibraryError.Reason {
    /// A reason other than a full disk.
    init(_ text: String) { self.init(description: text, isDiskFull: false) }

    /// The reason of a system call that failed with the error number `error`, by default the last call.
    init(errno error: Int32 = Glibc.errno, of name: String? = nil) {
        let text = String(cString: strerror(error))
        self.init(description: name.map { "\($0): \(text)" } ?? text, isDiskFull: Self.isDiskFull(errno: error))
    }

    /// The reason of an error of the library's file at `path`, if it is known.
    init(_ error: any Error, at path: String? = nil) {
        switch error {
        case let error as DatabaseError:
            // SQLite says only that there was an error when its shared memory has no room.
            let isFull = error.isDiskFull || error.code == SQLITE_IOERR && path.map(Self.isFull) ?? false
            self.init(description: isFull ? "the disk is full" : error.reason, isDiskFull: isFull)
        case let damage as Damage: self.init(damage.reason)
        default: self.init("\(error)")
        }
    }

    /// Whether the disk of the file at `path` has less room than SQLite's shared memory needs: one part of 32 KiB
    /// (https://www.sqlite.org/walformat.html, 2).
    private static func isFull(_ path: String) -> Bool {
        var state = statvfs()
        return statvfs(path, &state) == 0 && UInt64(state.f_bavail) * UInt64(state.f_frsize) < 32 << 10
    }

    /// Whether `error` is the error number of a full disk or quota.
    static func isDiskFull(errno error: Int32) -> Bool { [ENOSPC, EDQUOT].contains(error) }
}
