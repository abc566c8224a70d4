import Glibc
import Instrument

/// The library's file, whether or not it can be used now. Not for two threads at once: its owner locks.
struct Disk {
    /// What the tables of the session hold; nil where that is nothing, or not known.
    private(set) var written: Session?

    /// A session that was there when the file could be used at last, and another was being played.
    private var found: Session?
    /// The database's version that `written` is of.
    private var version: Int64?

    private let path: String
    private let role: Library.Role
    /// A player's, for as long as it lives.
    private var lock: LibraryLock?
    private var database: Database?
    private var notices: [String] = []

    init(path: String, as role: Library.Role) {
        self.path = path
        self.role = role
    }

    /// Whether the file was opened.
    var isOpen: Bool { database != nil }

    /// Opens or creates the file, if that is not done yet, and reads what it holds. With `damage` that was found since it
    /// was opened last, what can be read of it is saved into a new file first.
    mutating func open(after damage: Damage? = nil) throws(LibraryError) {
        guard database == nil else { return }
        if role == .player { try takeLock() }
        let file = try LibraryFile(
            path: path, lock: lock, repairs: role != .reader, after: damage, notices: &notices)
        database = file.database
        // What is damaged of the session is written anew with the next change.
        version = file.isWhole ? file.version : nil
        written = file.session
        takeNotes(of: file.database)
    }

    /// Closes the file; what it holds is not known any more.
    private mutating func close() {
        database = nil
        written = nil
    }

    /// Locks the library from now on, if that is not done yet.
    mutating func takeLock() throws(LibraryError) {
        guard lock == nil else { return }
        try makeFolder(of: path)
        lock = try LibraryLock(path)
    }

    /// Lines about files that had to make room, each given once.
    mutating func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    /// Puts `session` and its music on the disk, and before it the music of those in `left`. A file that turns out to be
    /// damaged is repaired, or makes room for a new one with what can be read of it.
    mutating func write(_ session: Session, left: [Session] = []) throws(LibraryError) {
        for attempt in 1...3 {
            try followFile()
            if database == nil {
                try open()
                found = written
            }
            guard let database else { return }
            defer { takeNotes(of: database) }
            do {
                return try write(session, left, to: database)
            } catch  where error.isDamage && attempt <= 2 {
                written = nil
                // Opening checks the tables, but not whether the indexes agree with them.
                if attempt == 1, remakeIndexes(of: database) { continue }
                close()
                try open(after: Damage("is damaged (\(error.reason))"))
                found = written
            } catch {
                // Whether it got there nobody knows.
                written = nil
                throw .notWritten(path: path, reason: LibraryError.Reason(error))
            }
        }
    }

    /// Makes the indexes anew from their tables; whether that could be done.
    private mutating func remakeIndexes(of database: Database) -> Bool {
        guard (try? database.run("REINDEX")) != nil else { return false }
        noteIndexes()
        return true
    }

    private mutating func noteIndexes() {
        notices.append("an index of the library \(path) was damaged, and was made anew")
    }

    /// Takes over what `database` has noted.
    private mutating func takeNotes(of database: Database) {
        notices += database.takeNotes().map { "the library \(path): \($0)" }
    }

    /// Closes a player's file that has lost its name, as SQLite would go on writing into it. A file that was removed is first
    /// written anew with all that it held; a file that took its place is left as it is. Only a player does so: its lock keeps
    /// others from being in the middle of a replacement.
    private mutating func followFile() throws(LibraryError) {
        guard role == .player, let database, database.hasMoved else { return }
        if access(path, F_OK) != 0 {
            try writeAnew(from: database)
            notices.append("the library \(path) was removed, and was written anew with all that it held")
        } else {
            notices.append("another file took the place of the library \(path): the music goes into that one")
        }
        close()
    }

    /// Writes all that `database` holds into a new file at `path`.
    private func writeAnew(from database: Database) throws(LibraryError) {
        let new = path + ".recovering"
        do {
            try makeFolder(of: path)
            removeFile(new)
            try database.copy(to: new)
        } catch let error as LibraryError {
            throw error
        } catch {
            throw .notWritten(path: path, reason: LibraryError.Reason(error))
        }
        // A log of the file that is gone would be read as one of the new file.
        for suffix in databaseSuffixes where !suffix.isEmpty { unlink(path + suffix) }
        guard synchronise(file: new), rename(new, path) == 0 else {
            throw .notWritten(path: path, reason: LibraryError.Reason())
        }
        synchronise(folder: parent(of: path))
    }

    private mutating func write(_ session: Session, _ left: [Session], to database: Database) throws(DatabaseError) {
        var session = session
        try database.transaction { () throws(DatabaseError) in
            let now = Self.now
            // What was found is somebody's music too.
            if let found {
                _ = try database.keepMusic(of: found, as: found.pattern ?? Library.newNumber(), at: now)
            }
            for session in left {
                guard let number = session.pattern else { continue }
                _ = try database.keepMusic(of: session, as: number, at: now)
            }
            var last = try lastWritten(in: database)
            if let number = session.pattern {
                // With a pattern that is removed goes the session's reference to it.
                if try !database.hasPattern(number) { last?.pattern = nil }
                if try !database.keepMusic(of: session, as: number, at: now) { session.pattern = nil }
            }
            try database.write(session, over: last)
        }
        written = session
        found = nil
    }

    /// What the tables of the session hold; nil if another program has written to them since.
    private mutating func lastWritten(in database: Database) throws(DatabaseError) -> Session? {
        let version = try database.version()
        defer { self.version = version }
        return version == self.version ? written : nil
    }

    /// Does `body` with the file; once more if an index of it had to be made anew.
    mutating func use<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        try followFile()
        try open()
        guard let database else { throw .notWritten(path: path, reason: LibraryError.Reason("it is not open")) }
        defer { takeNotes(of: database) }
        do {
            do {
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

    /// Sets the file aside and begins a new one with what can be read of it, for `problem`, unless new indexes are enough.
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
