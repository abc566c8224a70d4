import CSQLite
import Documents
import Glibc

/// An error of SQLite.
struct DatabaseError: Error, Hashable, Sendable {
    /// SQLite's primary result code.
    let code: Int32
    /// SQLite's message in one line.
    let reason: String
    /// The system's error number behind a failed access to the file; otherwise 0.
    var systemError: Int32 = 0

    /// Whether the file itself is damaged, so that a retry is useless: not a database, a corrupt one, other tables
    /// (`SQLITE_ERROR`), a value above the maximum length, or a statement that does not end.
    var isDamage: Bool {
        [SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_INTERRUPT].contains(code)
    }

    /// Whether the disk, or the user's quota, is full. SQLite reports a full quota, and a full disk of some calls, as
    /// `SQLITE_IOERR`.
    var isDiskFull: Bool {
        code == SQLITE_FULL || code == SQLITE_IOERR && LibraryError.Reason.isDiskFull(errno: systemError)
    }

    /// Whether another program uses the file.
    var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code) }
}

/// A value of a row.
enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// Remaining instructions of a statement.
private final class Budget {
    /// Virtual machine instructions between two checks of the budget.
    static let step = 100_000
    /// Remaining steps of the running statement.
    var steps = 0
    /// Called at each step.
    var onStep: (() -> Void)?
}

/// One connection to an SQLite file. Not thread-safe: its owner locks.
final class Database {
    /// Maximum wait for another program's transaction, in milliseconds.
    private static let busyMilliseconds: Int32 = 1000
    /// Maximum length of a row, in bytes, so that a damaged file cannot fill the memory.
    static let lengthMax = 2 << 20

    /// Maximum instructions of a statement: a base, and more for each byte of the file. A check of a whole library
    /// takes less than one per byte.
    private static let instructions = (base: 100_000_000, perByte: 10)

    /// The disk, whose fault makes transactions fail; nil for one without.
    var faults: DiskSwitch?

    private let connection: OpaquePointer
    private let budget = Budget()
    /// Budget of each statement, in steps.
    private let steps: Int
    /// Seconds played in total when this connection first read them, and the machine's clock at that time.
    private var start: (played: Int64, clock: Int64)?
    /// Damage that was found and skipped, one line each: all since the file was opened, and the lines that are not
    /// drained yet.
    private var notes: (all: Set<String>, new: [String]) = ([], [])

    /// Opens or creates the file at `path` for writing, with rows of up to `lengthMax` bytes. Does not read it yet.
    /// With `isReadOnly` the file must exist and is not changed. Calls `sqlite3_open_v2`.
    init(path: String, lengthMax: Int = Database.lengthMax, isReadOnly: Bool = false) throws(DatabaseError) {
        var handle: OpaquePointer?
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            let error = Database.error(handle, code)
            sqlite3_close_v2(handle)
            throw error
        }
        // SQLite opens a write-protected file as read-only and reports it only at the first write.
        guard isReadOnly || sqlite3_db_readonly(handle, "main") == 0 else {
            sqlite3_close_v2(handle)
            throw DatabaseError(code: SQLITE_READONLY, reason: "the file is read-only")
        }
        connection = handle
        var file = stat()
        let bytes = stat(path, &file) == 0 ? Int(clamping: file.st_size) : 0
        steps = (Self.instructions.base + min(bytes, 1 << 40) * Self.instructions.perByte) / Budget.step
        // A hostile file may contain expressions that never end.
        let context = Unmanaged.passUnretained(budget).toOpaque()
        sqlite3_progress_handler(
            handle, Int32(Budget.step),
            { context in
                // A result other than 0 ends the statement.
                guard let context else { return 1 }
                let budget = Unmanaged<Budget>.fromOpaque(context).takeUnretainedValue()
                budget.steps -= 1
                budget.onStep?()
                return budget.steps < 0 ? 1 : 0
            }, context)
        // A hostile file may define triggers and views: they may call no function with side effects.
        sqlite3_exec(handle, "PRAGMA trusted_schema = OFF", nil, nil, nil)
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(lengthMax))
    }

    deinit {
        sqlite3_progress_handler(connection, 0, nil, nil)
        sqlite3_close_v2(connection)
    }

    /// Called repeatedly while a statement runs; nil for nothing. It must not use the database.
    var onStep: (() -> Void)? {
        get { budget.onStep }
        set { budget.onStep = newValue }
    }

    /// Resets the budget for the next statement.
    fileprivate func renewBudget() { budget.steps = steps }

    /// Compiles a statement that runs several times.
    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        renewBudget()
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code) }
        return Statement(statement, of: self)
    }

    /// Runs `sql` and returns its rows.
    @discardableResult
    func run(_ sql: String, _ values: [Value] = []) throws(DatabaseError) -> [[Value]] {
        try prepare(sql).run(values)
    }

    /// Passes `columns` of all rows of `table` that meet `condition` to `handle`, each row after its rowid, in batches
    /// of 500 in the order of the rowids: all rows together may exceed the memory. `handle` may change the rows of its
    /// batch.
    func readBatches(
        of columns: String, from table: String, where condition: String = "1",
        _ handle: (_ rows: [[Value]]) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let next = try prepare(
            "SELECT rowid, \(columns) FROM \(table) NOT INDEXED WHERE rowid > ? AND \(condition) ORDER BY rowid LIMIT 500"
        )
        var last = Value.real(-.greatestFiniteMagnitude)
        while true {
            let rows = try next.run([last])
            try handle(rows)
            guard let end = rows.last?.first else { return }
            last = end
        }
    }

    /// A number that changes with each write by another connection.
    func version() throws(DatabaseError) -> Int64 {
        guard case .integer(let version)? = try run("PRAGMA data_version").first?.first else { return 0 }
        return version
    }

    /// Seconds for which boxes have had this library open: the maximum stored in it, plus the time since this
    /// connection first read it. Uses a monotonic clock, which does not follow changes of the time of day. Calls
    /// `clock_gettime`.
    func played() throws(DatabaseError) -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = Int64(time.tv_sec)
        if let start { return start.played + now - start.clock }
        let found = try run("SELECT coalesce(max(played), 0) FROM revision")
        guard case .integer(let most)? = found.first?.first else { return 0 }
        start = (most, now)
        return most
    }

    /// Notes damage that was skipped, each line once.
    func note(_ line: String) {
        if notes.all.insert(line).inserted { notes.new.append(line) }
    }

    /// Returns and clears the new notes.
    func drainNotes() -> [String] {
        defer { notes.new = [] }
        return notes.new
    }

    /// Whether the file no longer has its name: it was removed, renamed or replaced. Uses `SQLITE_FCNTL_HAS_MOVED`.
    var hasMoved: Bool {
        var isMoved: Int32 = 0
        return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK && isMoved != 0
    }

    /// Whether the file's header has a write version above SQLite's, once SQLite has read it: then SQLite takes the
    /// file for read-only (sqlite.org, "Database File Format", 1.3.3). A file that is read-only for other reasons has
    /// not been opened. The header may lie in the write-ahead log, or be restored from a journal, so only SQLite knows
    /// it. Calls `sqlite3_db_readonly`.
    var hasUnknownFormat: Bool { sqlite3_db_readonly(connection, "main") != 0 }

    /// Runs `body` as one transaction. Takes the write lock first, so that a file that cannot be written fails at once.
    /// Throws `DatabaseError`, or what `body` throws.
    func transaction(_ body: () throws -> Void) throws {
        if let fault = faults?.fault { throw Database.error(fault) }
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    private func rollBack() {
        // Some errors, such as a full disk, have already rolled back.
        if sqlite3_get_autocommit(connection) == 0 { _ = try? run("ROLLBACK") }
    }

    fileprivate func error(_ code: Int32) -> DatabaseError { Database.error(connection, code) }

    /// The error of a disk with `fault`.
    static func error(_ fault: DiskFault) -> DatabaseError {
        error(nil, fault == .full ? SQLITE_FULL : SQLITE_IOERR)
    }

    private static func error(_ connection: OpaquePointer?, _ code: Int32) -> DatabaseError {
        DatabaseError(
            code: code & 0xff, reason: reason(connection, code),
            systemError: connection.map { sqlite3_system_errno($0) } ?? 0)
    }

    private static func reason(_ connection: OpaquePointer?, _ code: Int32) -> String {
        if code & 0xff == SQLITE_INTERRUPT { return "a statement goes on longer than any of a library" }
        let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        // A message that quotes a damaged schema may be long, have several lines and contain control characters.
        return words.map { String(String(cString: $0).map { $0.isNewline ? " " : $0 }).shown } ?? "SQLite error \(code)"
    }
}

/// A prepared statement.
final class Statement {
    private let statement: OpaquePointer
    /// Kept because a statement must not outlive its connection.
    private let database: Database

    fileprivate init(_ statement: OpaquePointer, of database: Database) {
        self.statement = statement
        self.database = database
    }

    deinit { sqlite3_finalize(statement) }

    /// Runs the statement with `values` as its parameters and returns its rows.
    @discardableResult
    func run(_ values: [Value] = []) throws(DatabaseError) -> [[Value]] {
        defer { sqlite3_reset(statement) }
        database.renewBudget()
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index) + 1)
            // A value that is too long to be written is no damage of the file.
            if code == SQLITE_TOOBIG {
                throw DatabaseError(code: SQLITE_CONSTRAINT, reason: "a value is longer than a row may be")
            }
            guard code == SQLITE_OK else { throw database.error(code) }
        }
        var rows: [[Value]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw database.error(code) }
            rows.append((0..<sqlite3_column_count(statement)).map(column))
        }
    }

    /// Returns the rows that can be read, and the error that ended the reading.
    func readable() -> (rows: [[Value]], error: DatabaseError?) {
        defer { sqlite3_reset(statement) }
        database.renewBudget()
        var rows: [[Value]] = []
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else { return (rows, code == SQLITE_DONE ? nil : database.error(code)) }
            rows.append((0..<sqlite3_column_count(statement)).map(column))
        }
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        // SQLITE_TRANSIENT, a cast in C: SQLite copies the value before the call returns.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let integer): return sqlite3_bind_int64(statement, index, integer)
        case .real(let real): return sqlite3_bind_double(statement, index, real)
        case .text(let text): return sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copied)
        case .blob(let bytes): return sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), copied)
        }
    }

    private func column(_ index: Int32) -> Value {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            let text = UnsafeBufferPointer(
                start: sqlite3_column_text(statement, index), count: Int(sqlite3_column_bytes(statement, index)))
            return .text(String(decoding: text, as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, index), count: Int(sqlite3_column_bytes(statement, index)))
            return .blob(Array(bytes))
        default: return .null
        }
    }
}
