import CSQLite
import Glibc
import Instrument

// A library as one file that is kept elsewhere, and back; and its settings as they are at first.

extension Library {
    /// What a backup that was made at `moment`, in seconds since 1970, is called in a folder.
    public static func backupName(at moment: Int64) -> String {
        "pixelboop-library-\(SetAside.timestamp(at: time_t(moment))).sqlite"
    }

    /// Writes all that the library holds to the file at `path`, whole or not at all, and reads it again before it gets its
    /// name. Others may read and write the library meanwhile.
    public func backup(to path: String) throws(LibraryError) {
        // Under a name that nobody can have put a link at.
        let partial = "\(parent(of: path))/.pixelboop-\(String(UInt64.random(in: .min ... .max), radix: 36)).partial"
        var isWhole = false
        defer { if !isWhole { unlink(partial) } }
        let failure: DatabaseError? = try use { database in
            do throws(DatabaseError) {
                try database.copy(to: partial)
                return nil
            } catch {
                return error
            }
        }
        do {
            if let failure { throw failure }
            try LibraryFile.verify(partial)
            // A damaged library is worth a backup more than any other.
            add(try LibraryFile.wrongChecksums(partial).map { "the backup \(path): \($0), as in the library" })
        } catch {
            throw .noBackup(path: path, reason: LibraryError.Reason(error))
        }
        guard synchronise(file: partial), Glibc.rename(partial, path) == 0, synchronise(folder: parent(of: path)) else {
            throw .noBackup(path: path, reason: LibraryError.Reason())
        }
        isWhole = true
    }

    /// Puts what the backup at `backup` holds into the place of the library at `path`, which nobody else may have open.
    /// Returns the name under which what was there is kept; nil if there was nothing. A power cut leaves the one or the other.
    public static func restore(_ path: String, from backup: String) throws(LibraryError) -> String? {
        try makeFolder(of: path)
        let lock = try LibraryLock(path)
        defer { withExtendedLifetime(lock) {} }
        let new = path + ".restoring"
        defer { removeFile(new) }
        do {
            removeFile(new)
            try LibraryFile.verify(backup, copyingTo: new)
        } catch let error as LibraryError {
            throw error
        } catch let error as DatabaseError where error.isDiskFull || error.code == SQLITE_READONLY {
            throw .unusable(path: path, reason: LibraryError.Reason(error))
        } catch {
            throw .badBackup(path: backup, reason: LibraryError.Reason(error).description)
        }
        try LibraryFile.migrate(new, of: backup)
        // The box's own, whoever restores it.
        var owner = stat()
        if stat(path, &owner) == 0 || stat(parent(of: path), &owner) == 0 {
            _ = chown(new, owner.st_uid, owner.st_gid)
        }
        guard synchronise(file: new) else {
            throw .unusable(path: path, reason: LibraryError.Reason())
        }
        return try LibraryFile.replace(path, with: new)
    }

    /// Makes what belongs to the box, and not to the music, as it is at the first start. Nobody else may have the library open.
    public func resetSettings() throws(LibraryError) {
        try onDisk { disk throws(LibraryError) in try disk.takeLock() }
        try use { database in
            try database.takeAlone()
            let (found, isWhole) = try database.readSessionAndWholeness()
            guard let session = found else { return }
            try database.transaction { () throws(DatabaseError) in
                try database.write(session.withFirstSettings, over: isWhole ? session : nil)
            }
        }
    }
}

extension Session {
    /// The same music, on a box that is switched on for the first time. What a pattern's document holds is music.
    var withFirstSettings: Session {
        var session = Session.first
        session.takeMusic(of: self)
        session.history = history
        return session
    }
}

extension Database {
    /// Writes all that it holds into a new file at `path`, which needs no companions to be read.
    func copy(to path: String) throws(DatabaseError) { try run("VACUUM INTO ?", [.text(path)]) }

    /// Takes the file for itself; throws `SQLITE_BUSY` while another connection has it open. Its log is in the file from then
    /// on, until the next one that opens it as a library.
    func takeAlone() throws(DatabaseError) {
        // SQLite gives up a log only to the last that uses it.
        try run("PRAGMA journal_mode = DELETE")
    }
}
