import Formats
import Glibc
import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

/// If a file succeeds, its test never ends: a time limit would include the wait for other tests.
@Suite("A file made to keep a box busy forever")
struct HostileTests {
    let folder = Folder()
    var backup: String { folder.path + "/backup.sqlite" }

    /// A loop without a row, as a table.
    private static let loop =
        "(WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n WHERE x = 2)"
    /// A comparison that takes longer than the age of the universe, in one instruction of SQLite's virtual machine.
    private static let bomb =
        "replace(hex(zeroblob(30000)), '0', 'a') LIKE '" + String(repeating: "%a", count: 40) + "%b'"

    static let statements: [String] = [
        "ALTER TABLE session RENAME TO other; CREATE VIEW session AS SELECT * FROM other, \(loop)",
        "ALTER TABLE revision RENAME TO other; CREATE VIEW revision AS SELECT * FROM other, \(loop)",
        "CREATE VIEW pragma_table_info AS SELECT * FROM \(loop)",
        "CREATE TRIGGER gone AFTER INSERT ON revision BEGIN SELECT count(*) FROM \(loop); END",
        "ALTER TABLE pattern ADD COLUMN slow INTEGER AS (\(bomb))",
        "ALTER TABLE session ADD COLUMN slow INTEGER CHECK (slow IS NOT NULL OR NOT \(bomb))",
        "CREATE INDEX slow ON watched (marked) WHERE \(bomb.replacing("zeroblob(30000)", with: "zeroblob(marked)"))",
        "CREATE INDEX slow ON watched (\(bomb.replacing("zeroblob(30000)", with: "zeroblob(marked)")))",
    ]

    /// A library that was played, and its contents.
    private func fill() throws -> LibraryContents {
        var script = LibraryScript(seed: 51)
        let library = try Library(path: folder.library)
        for _ in 0..<20 { #expect(library.perform(script.next())) }
        return script.contents
    }

    private func change(_ path: String, _ statement: String) throws {
        let database = try Database(path: path)
        try database.run("PRAGMA legacy_alter_table = ON")
        if statement.hasPrefix("CREATE TRIGGER") { return _ = try database.run(statement) }
        // A check constraint of a new column is evaluated for existing rows.
        if statement.contains("CHECK") { try database.run("DELETE FROM session") }
        for part in statement.split(separator: "; ") { try database.run(String(part)) }
        if statement.contains("CHECK") {
            try database.run("PRAGMA ignore_check_constraints = ON")
            let values = SettingsRow.values(of: Session())
            try database.run("INSERT INTO session (\(SettingsRow.columns)) VALUES (\(database.places(values)))", values)
        }
    }

    @Test("is rejected as a backup", arguments: statements)
    func restored(statement: String) throws {
        let before = try fill()
        try Library(path: folder.library).backup(to: backup)
        try change(backup, statement)
        let error = thrown(LibraryError.self) { _ = try Library.restore(folder.library, from: backup) }
        guard case .badBackup(backup, let reason)? = error, reason.contains("as no library of version") else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!error.debugDescription.contains("\n"))
        #expect(try LibraryContents(of: Library(path: folder.library)) == before)
    }

    @Test("is set aside by the box that starts, and its music is read", arguments: statements)
    func opened(statement: String) throws {
        let before = try fill()
        try Database(path: folder.library).run("PRAGMA journal_mode = DELETE")
        try change(folder.library, statement)
        let library = try Library(waitingFor: folder.library)
        library.flush()
        #expect(library.lastFailure == nil)
        let notices = library.drainNotices()
        #expect(notices.count == 1 && notices[0].contains("as no library of version"), "\(notices)")
        #expect(try library.check() == [])
        let found = try LibraryContents(of: library)
        let isAll = before.tunes.allSatisfy { found.tunes[$0.key] == $0.value }
        #expect(isAll)
    }

    @Test("cannot run a statement longer than any of a library")
    func endless() throws {
        let database = try Database(path: folder.library)
        let error = thrown(DatabaseError.self) { _ = try database.run("SELECT * FROM \(Self.loop)") }
        #expect(error?.isDamage == true && error?.reason.contains("longer than any") == true)
        #expect(try database.run("SELECT 1") == [[.integer(1)]])
    }
}
