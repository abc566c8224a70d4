import Instrument
import TestSupport
import Testing

@testable import Library

@Suite("A library of an older version")
struct OlderVersionTests {
    let folder = Folder()

    /// Libraries that the last program of a version wrote.
    static let versions = ["version6", "version7"]

    private func rows(_ path: String) throws -> [[[Value]]] {
        let database = try Database(path: path, isReadOnly: true)
        return try Checksum.tables.map { table in
            let columns = try Schema.readable(table.columns, of: table.name, in: database)
            return try database.run("SELECT rowid, \(columns) FROM \(table.name) ORDER BY rowid")
        }
    }

    @Test("is migrated: every row is unchanged, and has a checksum", arguments: versions)
    func migration(version: String) throws {
        write(try Fixtures.bytes("libraries/\(version).sqlite"), to: folder.library)
        let before = try rows(folder.library)
        let library = try Library(path: folder.library)
        #expect(library.takeNotices() == [])
        #expect(try library.check() == [])
        #expect(try rows(folder.library) == before)
        #expect(try library.patterns().count == 4)
        #expect(library.session()?.history.past.count == 4 && library.session()?.history.future.count == 1)
        for entry in try library.patterns() { _ = try library.document(of: entry.number) }
        #expect(library.takeNotices() == [])
        #expect(try Database(path: folder.library).run("PRAGMA user_version") == [[.integer(Schema.version)]])
    }

    @Test("is read as a backup", arguments: versions)
    func backup(version: String) throws {
        let backup = folder.path + "/backup.sqlite"
        write(try Fixtures.bytes("libraries/\(version).sqlite"), to: backup)
        #expect(try Library.restore(folder.library, from: backup) == nil)
        let library = try Library(path: folder.library)
        #expect(library.takeNotices() == [])
        #expect(try library.check() == [])
    }
}
