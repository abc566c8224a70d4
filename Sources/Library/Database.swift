import CSQLite
import Glibc

/// What SQLite refused.
struct DatabaseError: Error, Hashable, Sendable {
    /// SQLite's primary result code.
    let code: Int32
    /// One line in SQLite's words.
    let reason: String
    /// The system's error number behind a failed access to the file; otherwise 0.
    var systemError: Int32 = 0

    /// Whether the file itself is wrong, so that asking again will not help: not a database, a broken one, tables
    /// other than ours (`SQLITE_ERROR`), a value longer than any of ours, or a statement without end.
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

/// A value in a row.
enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// What a statement may still do.
private final class Budget {
    /// Instructions of SQLite's virtual machine between two looks at the budget.
    static let step = 100_000
    /// Steps that are left to the statement that runs.
    var steps = 0
}

/// One connection to an SQLite file. Not for two threads at once: its owner locks.
final class Database {
    /// How long another program's transaction is waited for.
    private static let busyMilliseconds: Int32 = 1000
    /// No row of ours is longer, so that a damaged file cannot make a read fill the memory.
    static let lengthMax = 1 << 20

    /// Instructions that a statement may take, whatever the file's size, and more for each byte of it. A check of a whole
    /// library takes less than one a byte.
    private static let instructions = (base: 100_000_000, perByte: 10)

    private let connection: OpaquePointer
    private let budget = Budget()
    /// Steps of the budget that each statement has.
    private let steps: Int
    /// Seconds that had been played when this connection first asked, and the machine's clock then.
    private var start: (played: Int64, clock: Int64)?
    /// Damage that was met and read past, a line each: all since the file was opened, and those that nobody has taken.
    private var notes: (all: Set<String>, new: [String]) = ([], [])

    /// Opens or creates the file at `path` for writing, with rows of up to `lengthMax` bytes. What it holds is not
    /// looked at yet. Stands for `sqlite3_open_v2`. With `isReadOnly` the file has to be there, and is left as it is.
    init(path: String, lengthMax: Int = Database.lengthMax, isReadOnly: Bool = false) throws(DatabaseError) {
        var handle: OpaquePointer?
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            let error = Database.error(handle, code)
            sqlite3_close_v2(handle)
            throw error
        }
        // SQLite opens a file that may not be written for reading alone, and says nothing before the first write.
        guard isReadOnly || sqlite3_db_readonly(handle, "main") == 0 else {
            sqlite3_close_v2(handle)
            throw DatabaseError(code: SQLITE_READONLY, reason: "the file is read-only")
        }
        connection = handle
        var file = stat()
        let bytes = stat(path, &file) == 0 ? Int(clamping: file.st_size) : 0
        steps = (Self.instructions.base + min(bytes, 1 << 40) * Self.instructions.perByte) / Budget.step
        // A hostile file may hold expressions that never end.
        let context = Unmanaged.passUnretained(budget).toOpaque()
        sqlite3_progress_handler(
            handle, Int32(Budget.step),
            { context in
                // Not 0 ends the statement.
                guard let context else { return 1 }
                let budget = Unmanaged<Budget>.fromOpaque(context).takeUnretainedValue()
                budget.steps -= 1
                return budget.steps < 0 ? 1 : 0
            }, context)
        // A hostile file may define triggers and views: they may call nothing with side effects.
        sqlite3_exec(handle, "PRAGMA trusted_schema = OFF", nil, nil, nil)
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(lengthMax))
    }

    deinit {
        sqlite3_progress_handler(connection, 0, nil, nil)
        sqlite3_close_v2(connection)
    }

    /// Gives the next statement its whole budget.
    fileprivate func renewBudget() { budget.steps = steps }

    /// A statement to be run several times.
    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        renewBudget()
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code) }
        return Statement(statement, of: self)
    }

    /// The rows that `sql` gives.
    @discardableResult
    func run(_ sql: String, _ values: [Value] = []) throws(DatabaseError) -> [[Value]] {
        try prepare(sql).run(values)
    }

    /// A number that changes whenever another connection has written to the file.
    func version() throws(DatabaseError) -> Int64 {
        guard case .integer(let version)? = try run("PRAGMA data_version").first?.first else { return 0 }
        return version
    }

    /// Seconds for which boxes have had this library open: the most that stands in it, and what has passed since this
    /// connection first asked. A clock that goes on evenly whatever the time of day does. Stands for `clock_gettime`.
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

    /// Notes damage that was read past, once for each line.
    func note(_ line: String) {
        if notes.all.insert(line).inserted { notes.new.append(line) }
    }

    /// The lines that were noted since they were last taken.
    func takeNotes() -> [String] {
        defer { notes.new = [] }
        return notes.new
    }

    /// Whether the file has lost its name: removed, renamed, or another is there. Stands for `SQLITE_FCNTL_HAS_MOVED`.
    var hasMoved: Bool {
        var isMoved: Int32 = 0
        return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK && isMoved != 0
    }

    /// Does all of `body` or nothing of it. Takes the right to write at once, so that a file that cannot be written is
    /// found out before anything else.
    func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    /// The same for a body that reads rows too, and may find that they are damaged.
    func transaction(reading body: () throws -> Void) throws {
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
        // Some failures, a full disk among them, have rolled back already.
        if sqlite3_get_autocommit(connection) == 0 { _ = try? run("ROLLBACK") }
    }

    fileprivate func error(_ code: Int32) -> DatabaseError { Database.error(connection, code) }

    private static func error(_ connection: OpaquePointer?, _ code: Int32) -> DatabaseError {
        DatabaseError(
            code: code & 0xff, reason: reason(connection, code),
            systemError: connection.map { sqlite3_system_errno($0) } ?? 0)
    }

    private static func reason(_ connection: OpaquePointer?, _ code: Int32) -> String {
        if code & 0xff == SQLITE_INTERRUPT { return "a statement goes on longer than any of a library" }
        let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        // What it quotes of a broken schema has several lines.
        return words.map { String(String(cString: $0).map { $0.isNewline ? " " : $0 }) } ?? "SQLite error \(code)"
    }
}

/// A prepared statement.
final class Statement {
    private let statement: OpaquePointer
    /// Kept, because a statement must not outlive its connection.
    private let database: Database

    fileprivate init(_ statement: OpaquePointer, of database: Database) {
        self.statement = statement
        self.database = database
    }

    deinit { sqlite3_finalize(statement) }

    /// Runs it to its end with `values` for its parameters, and returns its rows.
    @discardableResult
    func run(_ values: [Value] = []) throws(DatabaseError) -> [[Value]] {
        defer { sqlite3_reset(statement) }
        database.renewBudget()
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index) + 1)
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

    /// Its rows as far as they can be read, and what stood in the way of more.
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
        // SQLite is to copy what it is given before the call returns (SQLITE_TRANSIENT, a cast that C macros do).
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
