import CZlib

/// The checksum of a row: a bit that flips on the card changes a note, and SQLite has no checksum of its pages to see it.
///
/// CRC-32 as in zlib and PNG, over the row's values in the order of its columns. Each value is a byte for its kind, then its
/// content, little-endian; text and bytes have their length, in eight bytes, before them. Nulls at the end are left out, so
/// that the columns which a later version adds change no checksum of an older row.
enum Checksum {
    /// The column that holds it, in each of `tables`.
    static let column = "checksum"

    /// The version of the tables that has it first.
    static let version: Int64 = 7

    /// The tables with checksums, and the columns that each is of. Keys and times tell nothing of the music.
    static let tables: [(name: String, columns: String)] = [
        ("session", SettingsRow.summed), ("sound", SoundRow.columns),
        ("composition", CompositionRow.columns), ("pattern", EntryRow.summed), ("revision", RevisionRow.columns),
    ]

    /// Stands in the place of the checksum where a table has no such column. A checksum is never text.
    static let absent = "none"

    /// The checksum of a row of `values`.
    static func of(_ values: some BidirectionalCollection<Value>) -> Value {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        if let last = values.lastIndex(where: { $0 != .null }) {
            for value in values[...last] { append(value, to: &bytes) }
        }
        return .integer(Int64(crc32(0, bytes, UInt32(bytes.count))))
    }

    private static func append(_ value: Value, to bytes: inout [UInt8]) {
        func append(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
        switch value {
        case .null: bytes.append(0)
        case .integer(let integer):
            bytes.append(1)
            append(UInt64(bitPattern: integer))
        case .real(let real):
            bytes.append(2)
            append(real.bitPattern)
        case .text(let text):
            bytes.append(3)
            append(UInt64(text.utf8.count))
            bytes += text.utf8
        case .blob(let blob):
            bytes.append(4)
            append(UInt64(blob.count))
            bytes += blob
        }
    }
}

/// A row that was read with its checksum as the last column.
struct SummedRow {
    /// The values before the checksum.
    let values: [Value]
    /// The values are those that were written. Also if the table is from before checksums.
    let isWhole: Bool

    /// The row with these columns. The first `keys` of them are not of the checksum.
    init(_ row: [Value], keys: Int = 0) { self.init(row) { Checksum.of($0[keys...]) } }

    /// The row with a checksum of its own kind.
    init(_ row: [Value], sum: ([Value]) -> Value) {
        values = Array(row.dropLast())
        let checksum = row.last ?? .null
        isWhole = checksum == .text(Checksum.absent) || checksum == sum(values)
    }
}

extension Database {
    /// Gives a checksum to each row that has none, of what stands in it now. To be done within a transaction.
    func addChecksums() throws(DatabaseError) {
        for table in Checksum.tables {
            let update = try prepare("UPDATE \(table.name) SET \(Checksum.column) = ?2 WHERE rowid = ?1")
            let next = try prepare(
                "SELECT rowid, \(table.columns) FROM \(table.name) NOT INDEXED WHERE rowid > ? AND \(Checksum.column) IS NULL "
                    + "ORDER BY rowid LIMIT 500")
            var last = Value.real(-.greatestFiniteMagnitude)
            while true {
                let rows = try next.run([last])
                for row in rows { try update.run([row[0], Checksum.of(row.dropFirst())]) }
                guard let end = rows.last?.first else { break }
                last = end
            }
        }
    }
}
