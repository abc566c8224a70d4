import CSQLite
import SQLiteFaults

/// A test's own folder whose files fail on demand.
final class FaultyFolder: Sendable {
    private let folder = Folder()
    private let watch: Int32

    /// Path of the library in the folder.
    var library: String { folder.library }
    /// Path of the folder.
    var path: String { folder.path }
    /// Names of the files that were set aside.
    var aside: [String] { folder.aside }
    /// Paths of the databases that were set aside, without their companions.
    var databasesAside: [String] { folder.databasesAside }
    /// Number of the selected calls since the selection.
    var calls: Int { Int(sqlite_faults_calls(watch)) }
    /// Number of bytes written.
    var bytes: Int { Int(sqlite_faults_bytes(watch)) }
    /// Number of syncs.
    var syncs: Int { Int(sqlite_faults_syncs(watch)) }

    init() {
        watch = sqlite_faults_watch(folder.path)
        precondition(watch >= 0)
    }

    deinit { sqlite_faults_forget(watch) }

    /// Makes one of `calls` fail: the one at `index`, counted from now and from 0, with `result`, or by default as the
    /// device does.
    func fail(_ calls: Calls, at index: Int, with result: Int32 = SQLITE_OK) {
        sqlite_faults_set(watch, calls.rawValue, Int64(index), 1, result)
    }

    /// Makes all `calls` fail from now on, with `result`, or by default as the device does.
    func fail(_ calls: Calls, with result: Int32 = SQLITE_OK) {
        sqlite_faults_set(watch, calls.rawValue, 0, .max, result)
    }

    /// Ends all failures; `calls` are counted.
    func mend(counting calls: Calls = []) { sqlite_faults_set(watch, calls.rawValue, 0, 0, SQLITE_OK) }

    /// Calls of SQLite's file layer.
    struct Calls: OptionSet, Sendable, CustomStringConvertible {
        let rawValue: UInt32

        init(rawValue: UInt32) { self.rawValue = rawValue }
        private init(_ call: SQLiteCall) { rawValue = call.rawValue }

        static let open = Calls(SQLiteCallOpen)
        static let delete = Calls(SQLiteCallDelete)
        static let access = Calls(SQLiteCallAccess)
        static let read = Calls(SQLiteCallRead)
        static let write = Calls(SQLiteCallWrite)
        static let truncate = Calls(SQLiteCallTruncate)
        static let sync = Calls(SQLiteCallSync)
        static let size = Calls(SQLiteCallSize)
        static let lock = Calls(SQLiteCallLock)
        static let unlock = Calls(SQLiteCallUnlock)
        static let reserved = Calls(SQLiteCallReserved)
        static let shmMap = Calls(SQLiteCallShmMap)
        static let shmLock = Calls(SQLiteCallShmLock)
        static let fetch = Calls(SQLiteCallFetch)

        private static let names: [(call: Calls, name: String)] = [
            (.open, "open"), (.delete, "delete"), (.access, "access"), (.read, "read"), (.write, "write"),
            (.truncate, "truncate"), (.sync, "sync"), (.size, "size"), (.lock, "lock"), (.unlock, "unlock"),
            (.reserved, "check of a lock"), (.shmMap, "mapping of the index"), (.shmLock, "lock of the index"),
            (.fetch, "fetch"),
        ]

        var description: String {
            Self.names.filter { contains($0.call) }.map(\.name).joined(separator: ", ")
        }
    }
}
