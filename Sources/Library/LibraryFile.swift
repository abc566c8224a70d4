import CSQLite
import Glibc
import Instrument

/// The library's file as it was found, or made, at the start.
struct LibraryFile {
    /// The connection to it.
    let database: Database
    /// What it held.
    let session: Session?
    /// The database's `data_version` from before that was read.
    let version: Int64

    /// Opens the file at `path`; creates it, and its folder, where there is none. One that is damaged is set aside, and
    /// a new one with what can be read of it takes its place: a power cut leaves the one or the other. Adds a line
    /// about it to `notices`, also if the new one cannot be opened just now.
    init(path: String, notices: inout [String]) throws(LibraryError) {
        try makeFolder(of: path)
        notices += try Self.exchange(
            path, after: Damage("was damaged"), recovered: "what could be read was recovered")
        switch try Self.open(path) {
        case .opened(let file): self = file
        case .damaged(let damage, let connection):
            // Closing a connection clears its log away, unless the file has been renamed by then: all of what was found
            // is to be there for whoever tries to save it.
            defer { withExtendedLifetime(connection) {} }
            let recovered = try Self.recover(path)
            notices += try Self.exchange(path, after: damage, recovered: recovered)
            guard case .opened(let file) = try Self.open(path) else {
                throw .unusable(path: path, reason: "a new file is damaged at once")
            }
            self = file
        }
    }

    private init(_ database: Database) throws {
        self.database = database
        version = try database.version()
        session = try database.readSession()
        // A list that cannot be read is none, and what it lists cannot be had.
        _ = try database.entries(of: nil)
    }

    private enum Outcome {
        case opened(LibraryFile)
        case damaged(Damage, Database?)
    }

    private static func open(_ path: String) throws(LibraryError) -> Outcome {
        var connection: Database?
        do {
            let database = try Database(path: path)
            connection = database
            try Schema.prepare(database)
            return .opened(try LibraryFile(database))
        } catch let error as Damage {
            return .damaged(error, connection)
        } catch let error as DatabaseError where error.isDamage {
            return .damaged(Damage("is damaged (\(error.reason))"), connection)
        } catch let error as DatabaseError where [SQLITE_BUSY, SQLITE_LOCKED].contains(error.code) {
            throw .inUse(path: path)
        } catch let error as DatabaseError {
            throw .unusable(path: path, reason: error.reason)
        } catch {
            throw .unusable(path: path, reason: "\(error)")
        }
    }

    /// Writes what can be read of the file at `path` into a new one beside it, and says in words what that is.
    private static func recover(_ path: String) throws(LibraryError) -> String {
        let new = path + ".recovering"
        for suffix in suffixes { unlink(new + suffix) }
        var recovery = Recovery(path: path)
        // What cannot be read just once is not lost; what never can be must not keep the box from playing.
        if recovery.isDisturbed { recovery = Recovery(path: path) }
        do {
            let database = try Database(path: new)
            try Schema.prepare(database)
            try recovery.write(into: database)
            // From now on the new file is all there is to have.
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch let error as DatabaseError {
            throw .unusable(path: path, reason: error.reason)
        } catch {
            throw .unusable(path: path, reason: "\(error)")
        }
        guard rename(new, path + ".recovered") == 0 else {
            throw .unusable(path: path, reason: String(cString: strerror(errno)))
        }
        synchronise(folder: parent(of: path))
        return recovery.summary
    }

    /// Puts a new file that is complete, if there is one, into the place of that at `path`, which is set aside. Goes on
    /// where it was cut short. Returns one line about it, or none if there is no such file.
    private static func exchange(
        _ path: String, after damage: Damage, recovered: String
    ) throws(LibraryError) -> [String] {
        guard access(path + ".recovered", F_OK) == 0 else { return [] }
        let aside = try setAsideFile(path, damage)
        guard rename(path + ".recovered", path) == 0 else {
            throw .unusable(path: path, reason: String(cString: strerror(errno)))
        }
        synchronise(folder: parent(of: path))
        let place = aside.map { "as \($0)" } ?? "already"
        return ["the library \(path) \(damage.reason): set aside \(place), and a new one begun; \(recovered)"]
    }
}

// MARK: The file system

/// Makes the folder that `path` is in, and those above it.
private func makeFolder(of path: String) throws(LibraryError) {
    var missing: [String] = []
    var folder = parent(of: path)
    while access(folder, F_OK) != 0, folder != parent(of: folder) {
        missing.append(folder)
        folder = parent(of: folder)
    }
    for folder in missing.reversed() {
        // The XDG base directory specification asks for 0700. Another program may have been faster.
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .noFolder(path: folder, reason: String(cString: strerror(errno)))
        }
        synchronise(folder: parent(of: folder))
    }
}

private func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The file and its companions.
private let suffixes = ["-shm", "-wal", ""]

/// Makes new names in `folder` survive a power cut, as far as its file system can.
private func synchronise(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
}

/// Renames the file at `path` and its companions, so that SQLite's tools still find them together; returns the new
/// name, or nil where there is no file.
private func setAsideFile(_ path: String, _ damage: Damage) throws(LibraryError) -> String? {
    let stem = "\(path).damaged-\(timestamp())"
    // Two within one second must not overwrite each other.
    var aside = stem
    for number in 2...99 where access(aside, F_OK) == 0 { aside = "\(stem)-\(number)" }
    // What is not there has been renamed already, when this was cut short; the file itself goes last.
    let isThere = access(path, F_OK) == 0
    for suffix in suffixes {
        guard rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
            throw .notSetAside(path: path, damage: damage.reason, reason: String(cString: strerror(errno)))
        }
    }
    synchronise(folder: parent(of: path))
    return isThere ? aside : nil
}

/// The time of day for a file's name, YYYYMMDD-HHMMSS as the wall clock shows it.
private func timestamp() -> String {
    var seconds = time(nil)
    var date = tm()
    localtime_r(&seconds, &date)
    func digits(_ number: Int32, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return digits(date.tm_year + 1900, 4) + digits(date.tm_mon + 1, 2) + digits(date.tm_mday, 2) + "-"
        + digits(date.tm_hour, 2) + digits(date.tm_min, 2) + digits(date.tm_sec, 2)
}
