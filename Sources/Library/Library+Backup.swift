import CSQLite
import Glibc
import Instrument

// Backup and restore of a library, and reset of its settings.

extension Library {
    /// File name of a backup made at `moment`, in seconds since 1970.
    public static func backupName(at moment: Int64) -> String {
        "pixelboop-library-\(SetAside.timestamp(at: time_t(moment))).sqlite"
    }

    /// Writes the whole library to the file at `path`, completely or not at all, and verifies it before it gets its
    /// name. Others may read and write the library meanwhile.
    public func backup(to path: String, _ progress: @escaping Progress = { _ in }) throws(LibraryError) {
        var old = stat()
        // A device or a pipe would become a file.
        guard stat(path, &old) != 0 || old.st_mode & S_IFMT == S_IFREG else {
            throw .noBackup(path: path, reason: LibraryError.Reason("is no plain file, and is not replaced"))
        }
        let partial = "\(parent(of: path))/\(partialFileName())"
        let files = disk.withLock { $0.files }
        var isWhole = false
        defer { if !isWhole { files.remove(partial) } }
        let failure: DatabaseError? = try use { database in
            do throws(DatabaseError) {
                // The rest is the verification.
                try database.copy(to: partial) { progress(Self.copied * $0) }
                return nil
            } catch {
                return error
            }
        }
        do {
            if let failure { throw failure }
            progress(Self.copied)
            try LibraryFile.verify(partial)
            // Wrong checksums are no reason to refuse: a damaged library needs a backup most.
            add(try LibraryFile.wrongChecksums(partial).map { "the backup \(path): \($0), as in the library" })
        } catch {
            throw .noBackup(path: path, reason: LibraryError.Reason(error))
        }
        do throws(FileError) {
            try files.complete(partial, as: path)
            // A stick may be pulled out as soon as the backup is reported.
            try files.synchronise(parent(of: path), O_DIRECTORY).get()
        } catch {
            throw .noBackup(path: path, reason: LibraryError.Reason(errno: error.errno))
        }
        isWhole = true
    }

    /// Part of a backup that is done once the file is copied.
    private static let copied = 0.5

    /// Replaces the library at `path` by the backup at `backup`; no other process may have the library open. Returns
    /// the new name of the old library; nil if there was none. A power cut leaves the one or the other.
    public static func restore(_ path: String, from backup: String) throws(LibraryError) -> String? {
        try restore(path, from: backup, .linux)
    }

    static func restore(
        _ path: String, from backup: String, _ files: FileSystem
    ) throws(LibraryError) -> String? {
        try files.makeFolder(of: path)
        let lock = try LibraryLock(path)
        defer { withExtendedLifetime(lock) {} }
        let new = path + ".restoring"
        defer { files.removeDatabase(new) }
        do {
            files.removeDatabase(new)
            try LibraryFile.verify(backup, copyingTo: new)
        } catch let error as LibraryError {
            throw error
        } catch let error as DatabaseError where error.isDiskFull || error.code == SQLITE_READONLY {
            throw .unusable(path: path, reason: LibraryError.Reason(error))
        } catch {
            throw .badBackup(path: backup, reason: LibraryError.Reason(error).description)
        }
        try LibraryFile.migrate(new, of: backup)
        // Keeps the box's user as owner, whichever user restores it.
        var owner = stat()
        if stat(path, &owner) == 0 || stat(parent(of: path), &owner) == 0 {
            _ = chown(new, owner.st_uid, owner.st_gid)
        }
        if case .failure(let error) = files.synchronise(new, 0) {
            throw .unusable(path: path, reason: LibraryError.Reason(errno: error.errno))
        }
        return try LibraryFile.replace(path, with: new, files)
    }

    /// Resets the settings of the box, but not the music. No other process may have the library open.
    public func resetSettings() throws(LibraryError) {
        try onDisk { disk throws(LibraryError) in try disk.acquireLock() }
        try use { database in
            try database.acquireExclusiveAccess()
            let (found, isWhole) = try database.readSessionAndWholeness()
            guard let session = found else { return }
            try database.transaction {
                try database.write(session.withFirstSettings, over: isWhole ? session : nil)
            }
        }
    }
}

extension Session {
    /// The same music with default settings. Music is what a pattern's document contains.
    var withFirstSettings: Session {
        var session = Session.first
        session.takeMusic(of: self)
        session.history = history
        return session
    }
}

extension Database {
    /// Writes the whole database into a new file at `path` that needs no companion files.
    func copy(to path: String, _ progress: @escaping Library.Progress = { _ in }) throws(DatabaseError) {
        func bytes(_ path: String) -> Double {
            var file = stat()
            return stat(path, &file) == 0 ? Double(file.st_size) : 0
        }
        let size = try pageBytes()
        onStep = { progress(min(1, bytes(path) / max(1, size))) }
        defer { onStep = nil }
        try run("VACUUM INTO ?", [.text(path)])
    }

    /// Bytes of the database, including its log.
    private func pageBytes() throws(DatabaseError) -> Double {
        var bytes = 1.0
        for pragma in ["page_count", "page_size"] {
            if case .integer(let number)? = try run("PRAGMA \(pragma)").first?.first { bytes *= Double(number) }
        }
        return bytes
    }

    /// Acquires exclusive access; throws `SQLITE_BUSY` while another connection has the file open. Moves the log into
    /// the file, until the file is next opened as a library.
    func acquireExclusiveAccess() throws(DatabaseError) {
        // SQLite removes a log only for the last connection.
        try run("PRAGMA journal_mode = DELETE")
    }
}
