import CSQLite
import Glibc
import Instrument

/// The library's file as it was found, or made, at the start.
struct LibraryFile {
    /// The connection to it.
    let database: Database
    /// What it held.
    let session: Session?
    /// One line about an older file that had to make room.
    let notice: String?

    /// Opens the file at `path`; creates it, and its folder, where there is none; sets it aside and creates a new one
    /// where there is one that is damaged.
    init(path: String) throws(LibraryError) {
        try makeFolder(of: path)
        switch try Self.open(path) {
        case .opened(let database, let session):
            (self.database, self.session, notice) = (database, session, nil)
        case .setAside(let damage, let aside):
            guard case .opened(let database, let session) = try Self.open(path) else {
                throw .unusable(path: path, reason: "a new file is damaged at once")
            }
            notice = "the library \(path) \(damage.reason): set aside as \(aside), and a new one begun"
            (self.database, self.session) = (database, session)
        }
    }

    private enum Outcome {
        case opened(Database, Session?)
        case setAside(Damage, as: String)
    }

    private static func open(_ path: String) throws(LibraryError) -> Outcome {
        var connection: Database?
        // Closing a connection clears its log away, unless the file has been renamed by then: all of what was found is
        // to be there for whoever tries to save it.
        defer { withExtendedLifetime(connection) {} }
        let damage: Damage
        do {
            let database = try Database(path: path)
            connection = database
            try Schema.prepare(database)
            return .opened(database, try database.readSession())
        } catch let error as Damage {
            damage = error
        } catch let error as DatabaseError where error.isDamage {
            damage = Damage("is damaged (\(error.reason))")
        } catch let error as DatabaseError where [SQLITE_BUSY, SQLITE_LOCKED].contains(error.code) {
            throw .inUse(path: path)
        } catch let error as DatabaseError {
            throw .unusable(path: path, reason: error.reason)
        } catch {
            throw .unusable(path: path, reason: "\(error)")
        }
        return .setAside(damage, as: try setAsideFile(path, damage))
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

/// Makes new names in `folder` survive a power cut, as far as its file system can.
private func synchronise(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
}

/// Renames the file at `path` and its companions, so that SQLite's tools still find them together; returns the new name.
private func setAsideFile(_ path: String, _ damage: Damage) throws(LibraryError) -> String {
    let stem = "\(path).damaged-\(timestamp())"
    // Two within one second must not overwrite each other.
    var aside = stem
    for number in 2...99 where access(aside, F_OK) == 0 { aside = "\(stem)-\(number)" }
    // The file itself goes last: cut short, this leaves a damaged file that is found again, not a companion that a new
    // file would take for its own.
    for suffix in ["-shm", "-wal", ""] {
        guard rename(path + suffix, aside + suffix) == 0 || (errno == ENOENT && !suffix.isEmpty) else {
            throw .notSetAside(path: path, damage: damage.reason, reason: String(cString: strerror(errno)))
        }
    }
    synchronise(folder: parent(of: path))
    return aside
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
