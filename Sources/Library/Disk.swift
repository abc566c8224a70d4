import Documents
import Glibc
import Instrument
import Synchronization

/// The library's file, open or not. Not thread-safe: its owner locks.
struct Disk {
    /// The session in the tables; nil if there is none or it is unknown.
    private(set) var written: Session?

    /// The session of a file that could be opened only after another session had begun.
    private var found: Session?
    /// The database's version to which `written` belongs.
    private var version: Int64?

    private let path: String
    private let role: Library.Role
    /// The calls on files other than SQLite's own.
    let files: FileSystem
    /// The fault that a virtual box's disk has.
    let faults = DiskSwitch()
    /// The lock of a player's library, held for the life of this value.
    private var lock: LibraryLock?
    private var database: Database?
    private var notices: [String] = []

    init(path: String, as role: Library.Role, _ files: FileSystem = .linux) {
        self.path = path
        self.role = role
        self.files = files
    }

    /// Whether the file is open.
    var isOpen: Bool { database != nil }

    /// Opens or creates the file and reads its session; does nothing if it is open. With `damage` found since the last
    /// opening, first saves what can be read into a new file.
    mutating func open(after damage: Damage? = nil) throws(LibraryError) {
        guard database == nil else { return }
        if faults.fault == .fail {
            throw .unusable(path: path, reason: LibraryError.Reason(Database.error(.fail)))
        }
        if role == .player { try acquireLock() }
        let file = try LibraryFile(
            path: path, files, lock: lock, repairs: role != .reader, after: damage, notices: &notices)
        database = file.database
        file.database.faults = faults
        // A damaged session is rewritten with the next change.
        version = file.isWhole ? file.version : nil
        written = file.session
        drainNotes(of: file.database)
    }

    /// Closes the file; its content is then unknown.
    private mutating func close() {
        database = nil
        written = nil
    }

    /// Locks the library until this value is destroyed; does nothing if it is locked.
    mutating func acquireLock() throws(LibraryError) {
        guard lock == nil else { return }
        try files.makeFolder(of: path)
        lock = try LibraryLock(path)
    }

    /// Returns and clears the messages about replaced files.
    mutating func drainNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    /// Writes `session` and its music to the disk, after the music of the sessions in `left`. A file that turns out to
    /// be damaged is repaired, or replaced by a new one with what can be read.
    mutating func write(_ session: Session, left: [Session] = []) throws(LibraryError) {
        for attempt in 1...3 {
            try followFile()
            if database == nil {
                try open()
                found = written
            }
            guard let database else { return }
            defer { drainNotes(of: database) }
            do {
                return try write(session, left, to: database)
            } catch let error as DatabaseError where error.isDamage && attempt <= 2 {
                written = nil
                // Opening checks the tables, but does not compare the indexes with them.
                if attempt == 1, remakeIndexes(of: database) { continue }
                close()
                try open(after: Damage("is damaged (\(error.reason))"))
                found = written
            } catch {
                // The write may have succeeded or not.
                written = nil
                throw .notWritten(path: path, reason: LibraryError.Reason(error))
            }
        }
    }

    /// Rebuilds the indexes from their tables. Returns whether this succeeded.
    private mutating func remakeIndexes(of database: Database) -> Bool {
        guard (try? database.run("REINDEX")) != nil else { return false }
        noteIndexes()
        return true
    }

    private mutating func noteIndexes() {
        notices.append("an index of the library \(path) was damaged and has been rebuilt")
    }

    /// Moves the new notes of `database` to the notices.
    private mutating func drainNotes(of database: Database) {
        notices += database.drainNotes().map { "the library \(path): \($0)" }
    }

    /// Closes a player's file that no longer has its name, because SQLite would go on writing into it. A removed file
    /// is first rewritten with all its content; a file that took its place is left unchanged. Only a player does this:
    /// its lock rules out that another process is replacing the file.
    private mutating func followFile() throws(LibraryError) {
        guard role == .player, let database, database.hasMoved else { return }
        if !files.isThere(path) {
            try writeAnew(from: database)
            notices.append("the library \(path) was removed; it has been rewritten with all its content")
        } else {
            notices.append("the library \(path) was replaced by another file; music is now saved in that file")
        }
        close()
    }

    /// Writes the whole content of `database` into a new file at `path`.
    private func writeAnew(from database: Database) throws(LibraryError) {
        let new = path + ".recovering"
        do {
            try files.makeFolder(of: path)
            files.removeDatabase(new)
            try database.copy(to: new)
        } catch let error as LibraryError {
            throw error
        } catch {
            throw .notWritten(path: path, reason: LibraryError.Reason(error))
        }
        // Otherwise the removed file's log would be applied to the new file.
        for suffix in databaseSuffixes where !suffix.isEmpty { files.remove(path + suffix) }
        do throws(FileError) {
            try files.complete(new, as: path)
        } catch {
            throw .notWritten(path: path, reason: LibraryError.Reason(errno: error.errno))
        }
        files.synchronise(folder: parent(of: path))
    }

    private mutating func write(_ session: Session, _ left: [Session], to database: Database) throws {
        var session = session
        try database.transaction {
            let now = Self.now
            // The session in the file is the user's music too.
            if let found {
                _ = try database.keepMusic(of: found, as: found.pattern ?? Library.newNumber(), at: now)
            }
            for session in left {
                guard let number = session.pattern else { continue }
                _ = try database.keepMusic(of: session, as: number, at: now)
            }
            var last = try lastWritten(in: database)
            if let number = session.pattern {
                // Removing a pattern also removes the session's reference to it.
                if try !database.hasPattern(number) { last?.pattern = nil }
                if try !database.keepMusic(of: session, as: number, at: now) { session.pattern = nil }
            }
            try database.write(session, over: last)
        }
        written = session
        found = nil
    }

    /// The session in the tables; nil if another program has written to them since.
    private mutating func lastWritten(in database: Database) throws(DatabaseError) -> Session? {
        let version = try database.version()
        defer { self.version = version }
        return version == self.version ? written : nil
    }

    /// Calls `body` with the file; retries once if an index had to be rebuilt.
    mutating func use<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        try followFile()
        try open()
        guard let database else { throw .notWritten(path: path, reason: LibraryError.Reason("it is not open")) }
        defer { drainNotes(of: database) }
        do {
            do {
                if faults.fault == .fail { throw Database.error(.fail) }
                return try body(database)
            } catch let error as DatabaseError where error.isDamage && role != .reader {
                guard remakeIndexes(of: database) else { throw error }
                return try body(database)
            }
        } catch let error as DatabaseError where error.isBusy {
            throw .inUse(path: path)
        } catch let error as DatabaseError where error.isDamage {
            throw .damaged(path: path, reason: "is damaged (\(error.reason))")
        } catch let error as DatabaseError {
            throw .notWritten(path: path, reason: LibraryError.Reason(error))
        } catch let error as Damage {
            throw .damaged(path: path, reason: error.reason)
        } catch {
            throw .damaged(path: path, reason: "\(error)")
        }
    }

    /// Rebuilds the indexes; if this does not solve `problem`, sets the file aside and begins a new one with what can
    /// be read.
    mutating func repair(_ problem: String) throws(LibraryError) {
        try open()
        if let database, let remade = try? database.run("REINDEX"), remade.isEmpty,
            (try? database.problems())?.isEmpty == true
        {
            return noteIndexes()
        }
        close()
        try open(after: Damage("is damaged (\(problem))"))
    }

    /// The time of day, in seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }
}

/// The fault of a virtual box's disk, which the box sets while the library may be writing.
final class DiskSwitch: Sendable {
    private let state = Mutex<DiskFault?>(nil)

    /// The fault; nil for none.
    var fault: DiskFault? {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}
