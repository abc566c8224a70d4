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

    /// Opens or creates the file, if that is not done yet, and reads what it holds.
    mutating func open() throws(LibraryError) {
        guard database == nil else { return }
        if role == .player { try takeLock() }
        let file = try LibraryFile(path: path, lock: lock, notices: &notices)
        database = file.database
        version = file.version
        written = file.session
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
    /// damaged makes room for a new one.
    mutating func write(_ session: Session, left: [Session] = []) throws(LibraryError) {
        if let database {
            do {
                return try write(session, left, to: database)
            } catch  where error.isDamage {
                self.database = nil
                written = nil
            } catch {
                // Whether it got there nobody knows.
                written = nil
                throw .notWritten(path: path, reason: error.reason)
            }
        }
        try open()
        found = written
        guard let database else { return }
        do {
            try write(session, left, to: database)
        } catch {
            throw .notWritten(path: path, reason: error.reason)
        }
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

    /// Does `body` with the file.
    mutating func use<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        try open()
        guard let database else { throw .notWritten(path: path, reason: "it is not open") }
        do {
            return try body(database)
        } catch let error as DatabaseError where error.isBusy {
            throw .inUse(path: path)
        } catch let error as DatabaseError {
            throw .notWritten(path: path, reason: error.reason)
        } catch let error as Damage {
            throw .damaged(path: path, reason: error.reason)
        } catch {
            throw .damaged(path: path, reason: "\(error)")
        }
    }

    /// The time of day, in seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }
}
