import Documents
import Formats
import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

@Suite("Recovery of a damaged file")
struct RecoveryTests {
    /// A closed library that was played for a while.
    private func fill(_ path: String, actions: Int = 30) throws -> LibraryContents {
        var script = LibraryScript(seed: 21)
        let library = try Library(path: path)
        for _ in 0..<actions { #expect(library.perform(script.next())) }
        return script.contents
    }

    private func change(_ path: String, _ statements: [String]) throws {
        let database = try Database(path: path)
        for statement in statements { try database.run(statement) }
    }

    /// Opens the damaged library in `folder`, and checks that the old file is beside it unchanged, with one message
    /// about it. Returns the contents of the new library.
    private func recover(_ folder: Folder, _ comment: Comment? = nil) throws -> LibraryContents {
        let found = readBytes(folder.library)
        let library = try Library(path: folder.library)
        let notices = library.drainNotices()
        #expect(notices.count == 1, comment)
        #expect(notices.allSatisfy { !$0.contains("\n") && $0.contains("set aside as ") }, comment)
        let files = folder.databasesAside
        let isAsFound = files.map(readBytes) == [found]
        #expect(isAsFound, comment)
        #expect(files.allSatisfy { notices.first?.contains($0) == true }, comment)
        #expect(!names(in: folder.path).contains { $0.contains(".recover") }, comment)
        #expect(try library.check() == [], comment)
        return try LibraryContents(of: library)
    }

    @Test("of a newer version restores everything that this version knows")
    func newer() throws {
        let folder = Folder()
        let contents = try fill(folder.library)
        try change(
            folder.library,
            [
                "CREATE TABLE constellation (id INTEGER PRIMARY KEY, star TEXT)",
                "INSERT INTO constellation VALUES (1, 'Vega')", "ALTER TABLE pattern ADD COLUMN colour TEXT",
                // Its checksums include columns that this version does not know.
                "UPDATE revision SET checksum = checksum + 1", "UPDATE composition SET checksum = checksum + 1",
                "UPDATE session SET checksum = checksum + 1",
                "PRAGMA user_version = 99",
            ])
        let isWhole = try recover(folder) == contents
        #expect(isWhole)
    }

    @Test("restores everything except the damaged part")
    func parts() throws {
        for (statement, broken) in [
            ("DROP TABLE session", \LibraryContents.session),
            ("UPDATE session SET volume = 5000", \LibraryContents.session),
        ] {
            let folder = Folder()
            var contents = try fill(folder.library)
            try change(folder.library, ["PRAGMA foreign_keys = OFF", statement])
            contents[keyPath: broken] = nil
            let isAllElse = try recover(folder, "\(statement)") == contents
            #expect(isAllElse, "\(statement)")
        }
    }

    @Test("restores the session without its history if that is damaged")
    func history() throws {
        let folder = Folder()
        var contents = try fill(folder.library)
        try change(folder.library, ["UPDATE composition SET bpm = 1 WHERE kind = 'past' AND position = 0"])
        contents.session?.history = History()
        let isAllElse = try recover(folder) == contents
        #expect(isAllElse)
    }

    @Test("restores a pattern under another name if its name is damaged")
    func nameless() throws {
        let folder = Folder()
        var contents = try fill(folder.library)
        try change(folder.library, ["UPDATE pattern SET bank = 9 WHERE name = 'TUNE 1'"])
        contents.tunes["FOUND 1"] = contents.tunes.removeValue(forKey: "TUNE 1")
        let isAll = try recover(folder) == contents
        #expect(isAll)
    }

    @Test("restores everything even if the first page, with the schema, is empty")
    func firstPage() throws {
        for fill in [UInt8(0), 0xff, 0x55] {
            for length in [16, 100, 512, 4096] {
                let folder = Folder()
                let contents = try self.fill(folder.library)
                // All data is in the database file itself.
                try Database(path: folder.library).run("PRAGMA journal_mode = DELETE")
                var bytes = readBytes(folder.library)
                for place in 0..<length { bytes[place] = fill }
                write(bytes, to: folder.library)
                let found = try recover(folder, "\(length) bytes of \(fill)")
                #expect(found.session == contents.session, "\(length) bytes of \(fill)")
                // A page that SQLite released may contain a deleted pattern.
                let isAll = contents.tunes.allSatisfy { found.tunes[$0.key] == $0.value }
                #expect(isAll, "\(length) bytes of \(fill)")
            }
        }
    }

    @Test("is every pattern after one flipped bit in the schema")
    func schemaBits() throws {
        let origin = Folder()
        let contents = try fill(origin.library)
        try Database(path: origin.library).run("PRAGMA journal_mode = DELETE")
        let whole = readBytes(origin.library)
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<300 {
            let (place, bit) = (Int.random(in: 0..<4096, using: &random), Int.random(in: 0..<8, using: &random))
            var bytes = whole
            bytes[place] ^= 1 << bit
            let folder = Folder()
            write(bytes, to: folder.library)
            let library = try #require(
                try? Library(path: folder.library), "bit \(bit) of byte \(place), seed \(seed)")
            let notices = library.drainNotices()
            #expect(!notices.joined().unicodeScalars.contains { $0.value < 32 || $0.value == 127 }, "\(notices)")
            let found = try LibraryContents(of: library)
            // A page that SQLite gave up may hold a pattern that was deleted.
            let isAll = contents.tunes.allSatisfy { found.tunes[$0.key] == $0.value }
            #expect(isAll, "bit \(bit) of byte \(place), seed \(seed)")
            #expect(found.session == contents.session, "bit \(bit) of byte \(place), seed \(seed)")
        }
    }

    @Test("works with any row numbers around a damaged page")
    func extremeNumbers() throws {
        let folder = Folder()
        _ = try fill(folder.library)
        try change(
            folder.library,
            [
                "UPDATE revision SET id = -9223372036854775808 WHERE id = (SELECT min(id) FROM revision)",
                "UPDATE revision SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM revision)",
            ])
        let whole = readBytes(folder.library)
        for page in 1..<whole.count / 4096 {
            let folder = Folder()
            var bytes = whole
            for place in page * 4096..<(page + 1) * 4096 { bytes[place] = 0xff }
            write(bytes, to: folder.library)
            #expect(try Library(path: folder.library).drainNotices().count <= 1, "page \(page + 1)")
        }
    }

    @Test("restores nothing of another program's database, which is set aside")
    func foreign() throws {
        let folder = Folder()
        try change(
            folder.library, ["CREATE TABLE pattern (id INTEGER, tune TEXT)", "INSERT INTO pattern VALUES (1, 'a')"])
        #expect(try recover(folder) == LibraryContents())
    }

    @Test("keeps the music of a pattern with other unreadable fields")
    func unreadableUnknown() throws {
        let folder = Folder()
        _ = try fill(folder.library)
        try Database(path: folder.library).run("UPDATE pattern SET unknown = '{\"a'")
        let revisions = revisions(folder.library)
        try Database(path: folder.library).run("PRAGMA user_version = 99")
        let library = try Library(path: folder.library)
        #expect(library.notice != nil)
        #expect(try library.check() == [])
        #expect(try library.patterns().reduce(0) { try $0 + library.revisions(of: $1.number).count } == revisions)
    }

    @Test("restores what SQLite can read, with changed bytes anywhere or a missing end")
    func anywhere() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let whole = Folder()
        let contents = try fill(whole.library)
        let bytes = readBytes(whole.library)
        let pageBytes = 4096
        let all = contents.tunes.values.reduce(0) { $0 + $1.revisions.count }
        var (damaged, recovered) = (0, 0)
        for round in 0..<100 {
            let folder = Folder()
            var changed = bytes
            if round % 4 == 0 {
                changed = Array(bytes.prefix(pageBytes * .random(in: 1..<bytes.count / pageBytes, using: &random)))
            } else {
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    changed[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
            }
            write(changed, to: folder.library)
            let readable = revisions(folder.library)
            let comment: Comment = "seed \(seed), round \(round)"
            // Some changed bytes do no harm.
            guard try isDamaged(changed) else { continue }
            damaged += 1
            let found = try recover(folder, comment)
            // Two patterns whose names were changed may have the same name.
            let library = try Library(path: folder.library)
            let count = try library.patterns().reduce(0) { try $0 + library.revisions(of: $1.number).count }
            #expect(count >= readable, comment)
            recovered += count
            // No data is invented, except in the only revision of a pattern.
            let known = music(contents)
            let unknown = music(found).subtracting(known).count
            #expect(unknown <= found.tunes.values.count { $0.revisions.count == 1 }, comment)
            if round % 4 == 0 { #expect(unknown == 0, comment) }
        }
        print(
            "recovery: seed \(seed), \(damaged) of 100 files damaged, \(recovered) revisions of \(all * damaged) recovered"
        )
    }

    /// All revisions in `contents`, without the other fields.
    private func music(_ contents: LibraryContents) -> Set<PatternDocument> {
        Set(
            contents.tunes.values.flatMap(\.revisions).map { document in
                var document = document
                document.unknown = [:]
                return document
            })
    }

    /// Whether a library of these bytes is set aside.
    private func isDamaged(_ bytes: [UInt8]) throws -> Bool {
        let folder = Folder()
        write(bytes, to: folder.library)
        return try Library(path: folder.library).drainNotices().contains { $0.contains("set aside as ") }
    }

    /// Number of valid revisions that a plain reading of the file at `path` finds, from the first to the first damaged
    /// one.
    private func revisions(_ path: String) -> Int {
        let copy = Folder()
        write(readBytes(path), to: copy.library)
        guard let database = try? Database(path: copy.library, isReadOnly: true),
            let statement = try? database.prepare(
                "SELECT pattern, saved, \(RevisionRow.columns), checksum FROM revision ORDER BY id")
        else { return 0 }
        return statement.readable().rows.count { row in
            guard case .integer = row[0], case .integer(let saved) = row[1] else { return false }
            let summed = SummedRow(row, keys: 2)
            return DocumentTime.range.contains(saved) && summed.isWhole
                && (try? RevisionRow.document(Array(summed.values[2...]))) != nil
        }
    }
}
