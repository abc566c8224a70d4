import CSQLite
import FoundationEssentials
import Glibc
import Instrument

/// The library's file at the start, opened or created.
struct LibraryFile {
    /// The connection to the file.
    let database: Database
    /// The session in the file.
    let session: Session?
    /// Whether all rows of the session match their checksums.
    let isWhole: Bool
    /// The database's `data_version` before the session was read.
    let version: Int64

    /// Opens the file at `path`, or creates it and its folder. A damaged file is set aside and replaced by a new one
    /// with what can be read; a power cut leaves the one or the other. Adds a message about it to `notices`, also if
    /// the new file cannot be opened yet. The file is replaced only under its lock: the caller's `lock`, or a lock for
    /// the replacement alone. Throws `.locked` while another process holds it, and `.needsRepair` for a damaged file if
    /// `repairs` is false. With `known` damage the file is replaced even if it opens.
    init(
        path: String, _ files: FileSystem, lock: LibraryLock?, repairs: Bool = true, after known: Damage? = nil,
        notices: inout [String]
    ) throws(LibraryError) {
        try files.makeFolder(of: path)
        var lock = lock
        defer { withExtendedLifetime(lock) {} }
        if lock == nil, Replacement.allCases.contains(where: { files.isThere(path + $0.suffix) }) {
            lock = try LibraryLock(path)
        }
        notices += try Self.exchange(
            path, files, .restored, after: Damage("is to be replaced"), by: "a backup took its place")
        notices += try Self.exchange(
            path, files, .recovered, after: Damage("was damaged"), by: "what could be read was recovered")
        var outcome = try Self.open(path, after: known)
        if !repairs, case .damaged(let damage, _) = outcome { throw .needsRepair(path: path, reason: damage.reason) }
        if lock == nil, case .damaged = outcome {
            lock = try LibraryLock(path)
            // Another process may have repaired the file in the meantime.
            outcome = try Self.open(path, after: known)
        }
        switch outcome {
        case .opened(let file): self = file
        case .damaged(let damage, let connection):
            // Closing a connection deletes its log unless the file has been renamed before. The log is kept for later
            // attempts to recover the file.
            defer { withExtendedLifetime(connection) {} }
            let recovered = try Self.recover(path, files)
            notices += try Self.exchange(path, files, .recovered, after: damage, by: recovered)
            guard case .opened(let file) = try Self.open(path) else {
                throw .unusable(path: path, reason: LibraryError.Reason("a new file is damaged at once"))
            }
            self = file
        }
    }

    private init(_ database: Database) throws {
        self.database = database
        version = try database.version()
        (session, isWhole) = try database.readSessionAndWholeness()
        // If the list of patterns is unreadable, its patterns are unreachable, so the file counts as damaged.
        _ = try database.entries(of: nil)
    }

    private enum Outcome {
        case opened(LibraryFile)
        case damaged(Damage, Database?)
    }

    private static func open(_ path: String, after known: Damage? = nil) throws(LibraryError) -> Outcome {
        var connection: Database?
        do {
            let database = try Database(path: path)
            connection = database
            if let known { throw known }
            try Schema.prepare(database)
            // SQLite would tell it only at the first write, perhaps long after.
            if database.hasUnknownFormat { throw Damage("is damaged (its write version is unknown)") }
            return .opened(try LibraryFile(database))
        } catch let error as Damage {
            return .damaged(error, connection)
        } catch let error as DatabaseError where error.isDamage || connection?.hasUnknownFormat ?? false {
            return .damaged(Damage("is damaged (\(error.reason))"), connection)
        } catch let error as DatabaseError where error.isBusy {
            throw .inUse(path: path)
        } catch {
            throw .unusable(path: path, reason: LibraryError.Reason(error, at: path))
        }
    }

    /// Writes what can be read of the file at `path` into a new file beside it. Returns a summary.
    private static func recover(_ path: String, _ files: FileSystem) throws(LibraryError) -> String {
        let new = path + ".recovering"
        files.removeDatabase(new)
        var recovery = Recovery(path: path)
        // A second attempt reads what failed only once; data that stays unreadable must not keep the box from playing.
        if recovery.isDisturbed { recovery = Recovery(path: path) }
        // One flipped bit in the schema hides a table or a column, with all its rows.
        let isMisread = recovery.isEmpty || Schema.isMisleading(path)
        if isMisread || Schema.isBroken(path), let scan = scan(path, files) { recovery.add(scan, isMisread: isMisread) }
        do {
            let database = try Database(path: new)
            try Schema.prepare(database)
            try recovery.write(into: database)
            // Moves the log into the file: only the file itself is renamed below.
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch {
            throw .unusable(path: path, reason: LibraryError.Reason(error))
        }
        try rename(new, path + Replacement.recovered.suffix, of: path, files)
        return recovery.summary
    }

    /// Rows found on the pages of the file at `path`, read without its schema; nil if there are none.
    private static func scan(_ path: String, _ files: FileSystem) -> Recovery? {
        let scanned = path + ".scanning"
        files.removeDatabase(scanned)
        defer { files.removeDatabase(scanned) }
        guard let content = try? Data(contentsOf: URL(fileURLWithPath: path)),
            let database = try? Database(path: scanned)
        else { return nil }
        do {
            try Schema.prepare(database)
            try LeafScan(Array(content)).write(into: database)
        } catch {
            return nil
        }
        let recovery = Recovery(path: scanned)
        return recovery.isEmpty ? nil : recovery
    }

    /// Kinds of file that replace a library.
    private enum Replacement: String, CaseIterable {
        case recovered, restored

        /// Suffix of the new file's name until the replacement.
        var suffix: String { ".\(rawValue)" }
        /// Suffix of the old file's name after the replacement.
        var aside: String { self == .recovered ? "damaged" : "replaced" }
    }

    /// Replaces the file at `path` by a complete new file, if there is one, and sets the old one aside. Continues an
    /// interrupted replacement. Returns one line about it, or none if there is no new file.
    private static func exchange(
        _ path: String, _ files: FileSystem, _ replacement: Replacement, after damage: Damage, by what: String
    ) throws(LibraryError) -> [String] {
        guard files.isThere(path + replacement.suffix) else { return [] }
        let aside = try exchange(path, files, replacement, damage)
        let place = aside.map { "as \($0)" } ?? "already"
        return ["the library \(path) \(damage.reason): set aside \(place), and a new one begun; \(what)"]
    }

    private static func exchange(
        _ path: String, _ files: FileSystem, _ replacement: Replacement, _ damage: Damage
    ) throws(LibraryError) -> String? {
        let aside = try SetAside.rename(path, damage, as: replacement.aside, files)
        try rename(path + replacement.suffix, path, of: path, files)
        if let aside { SetAside.removeOldest(of: path, as: replacement.aside, besides: aside, files) }
        return aside
    }

    /// Renames a file of the library at `path`; the new name survives a power cut.
    private static func rename(
        _ old: String, _ new: String, of path: String, _ files: FileSystem
    ) throws(LibraryError) {
        if case .failure(let error) = files.rename(old, new) {
            throw .unusable(path: path, reason: LibraryError.Reason(errno: error.errno))
        }
        files.synchronise(folder: parent(of: path))
    }

    // MARK: Backups

    /// Reads the file at `path` from end to end, and copies it to the new file `copy` if given. Throws `Damage` or
    /// `DatabaseError` if it is not a library.
    static func verify(_ path: String, copyingTo copy: String? = nil) throws {
        let database = try database(path)
        if let copy { try database.copy(to: copy) } else { _ = try LibraryFile(database) }
    }

    /// One line for each row with a wrong checksum in the file at `path`, a library of the current version.
    static func wrongChecksums(_ path: String) throws -> [String] { try database(path).wrongChecksums() }

    private static func database(_ path: String) throws -> Database {
        let database = try Database(path: path, isReadOnly: true)
        guard try Schema.check(database) > 0 else { throw Damage("holds nothing") }
        return database
    }

    /// Migrates the file at `new`, a copy of `backup`, to the current version.
    static func migrate(_ new: String, of backup: String) throws(LibraryError) {
        guard case .damaged(let damage, _) = try open(new) else { return }
        throw .badBackup(path: backup, reason: damage.reason)
    }

    /// Replaces the library at `path` by the file at `new` and sets the old one aside. Returns the old one's new name.
    /// The caller holds the library's lock.
    static func replace(_ path: String, with new: String, _ files: FileSystem) throws(LibraryError) -> String? {
        var old: Database?
        defer { withExtendedLifetime(old) {} }
        do {
            if files.isThere(path) {
                old = try Database(path: path)
                try old?.acquireExclusiveAccess()
                // Held until the file is renamed.
                try old?.run("BEGIN EXCLUSIVE")
            }
        } catch  where error.isBusy {
            throw .inUse(path: path)
        } catch  where error.isDamage {
            // A damaged library is set aside unchanged.
        } catch {
            throw .unusable(path: path, reason: LibraryError.Reason(error))
        }
        try rename(new, path + Replacement.restored.suffix, of: path, files)
        return try exchange(path, files, .restored, Damage("is to be replaced"))
    }
}
