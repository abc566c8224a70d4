import Synchronization

/// Compares a file's schema (sqlite.org, "The Schema Table") with the schema that this program creates.
///
/// Only text is compared, so that no content of a hostile file is evaluated.
enum SchemaText {
    /// An entry of the schema table.
    private struct Entry: Hashable {
        var type: String
        var name: String
        var table: String
        var text: String
    }

    /// Throws `Damage` unless `database` has exactly the tables and indexes that `statements` create.
    static func compare(_ database: Database, with statements: [String], version: Int64) throws {
        let (found, expected) = (try entries(of: database), try model(statements, version: version))
        guard found != expected else { return }
        // A table with a different definition is in both sets under the same name.
        let named = found.subtracting(expected).sorted { $0.name < $1.name }
        if let entry = named.first {
            throw Damage("has the \(entry.type.shown) \(entry.name.shown), as no library of version \(version) has")
        }
        let missing = expected.subtracting(found).map { "\($0.type) \($0.name)" }.min() ?? ""
        throw Damage("lacks the \(missing) of a library of version \(version)")
    }

    /// Schemas by version, each built once per process.
    private static let models = Mutex<[Int64: Set<Entry>]>([:])

    private static func model(_ statements: [String], version: Int64) throws -> Set<Entry> {
        if let known = models.withLock({ $0[version] }) { return known }
        let database = try Database(path: ":memory:")
        for statement in statements { try database.run(statement) }
        let made = try entries(of: database)
        models.withLock { $0[version] = made }
        return made
    }

    /// Whether each library table in `database` is a plain table, so that reading it evaluates no expression.
    static func isPlain(_ database: Database) throws -> Bool {
        let names = Checksum.tables.map(\.name) + ["watched"]
        // A table of this name would hide the function that describes tables.
        let functions = ["pragma_table_info", "pragma_table_xinfo", "sqlite_schema"]
        for entry in try entries(of: database) {
            let name = entry.name.lowercased()
            if functions.contains(name) { return false }
            guard names.contains(name), entry.type != "index", entry.type != "trigger" else { continue }
            guard entry.type == "table", entry.text.hasPrefix("CREATE TABLE") else { return false }
            let computed = "SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0"
            guard try database.run(computed, [.text(entry.name)]).isEmpty else { return false }
        }
        return true
    }

    /// The schema's entries, without ANALYZE's tables, which reading does not evaluate.
    private static func entries(of database: Database) throws -> Set<Entry> {
        let rows = try database.run(
            "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema "
                + "WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4')")
        return Set(
            rows.map { row in
                let texts = row.map { if case .text(let text) = $0 { text } else { "" } }
                return Entry(type: texts[0], name: texts[1], table: texts[2], text: plain(texts[3]))
            })
    }

    /// `text` without line comments and with normalised white space: a library begun by an older program has other
    /// comments. The program's own statements have no quotes, so two hyphens are always a comment.
    private static func plain(_ text: String) -> String {
        var plain: [UInt8] = []
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
        for line in lines {
            var isComment = false
            var last: UInt8 = 0
            for byte in line where !isComment {
                isComment = byte == UInt8(ascii: "-") && last == byte
                last = byte
                if isComment { plain.removeLast() } else { append(byte, to: &plain) }
            }
            append(UInt8(ascii: " "), to: &plain)
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, to plain: inout [UInt8]) {
        let space = UInt8(ascii: " ")
        let marks = Array("(),".utf8)
        let byte = byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") ? space : byte
        let last = plain.last ?? space
        if byte == space, last == space || marks.contains(last) { return }
        if marks.contains(byte), plain.last == space { plain.removeLast() }
        plain.append(byte)
    }
}
