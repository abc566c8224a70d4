import CZlib

/// The checksum of a row. A bit that flips on the card changes a note, and SQLite has no page checksums to detect it.
///
/// CRC-32 as in zlib and PNG, over the row's values in column order. Each value is a byte for its type, then its
/// content, little-endian; text and bytes are preceded by their length in eight bytes. Nulls at the end are left out,
/// so that columns of a later version do not change the checksum of an older row.
enum Checksum {
    /// Name of the checksum's column in each of `tables`.
    static let column = "checksum"

    /// First version of the tables with checksums.
    static let version: Int64 = 7

    /// The tables with checksums, the columns included in them, and the first version with the table's checksum. Keys
    /// and times are left out because they are not music.
    static let tables: [(name: String, columns: String, since: Int64)] = [
        ("session", SettingsRow.summed, version), ("sound", SoundRow.columns, version),
        ("composition", StepRow.columns, version), ("pattern", EntryRow.summed, version),
        ("revision", RevisionRow.columns, version), ("preset", PresetRow.columns, 10),
        ("tuning", TuningRow.columns, TuningRow.version),
    ]

    /// Value in place of the checksum if a table has no such column. A checksum is never text.
    static let absent = "none"

    /// The checksum of the values of a row.
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
    /// Whether the values match the checksum; true for a table without checksums.
    let isWhole: Bool

    /// A row with a checksum over the columns after the first `keys`.
    init(_ row: [Value], keys: Int = 0) { self.init(row) { Checksum.of($0[keys...]) } }

    /// A row with a different checksum function.
    init(_ row: [Value], sum: ([Value]) -> Value) {
        values = Array(row.dropLast())
        let checksum = row.last ?? .null
        isWhole = checksum == .text(Checksum.absent) || checksum == sum(values)
    }
}

extension Database {
    /// Adds a checksum of the current values to each row without one. Runs within a transaction.
    func addChecksums() throws(DatabaseError) {
        for table in Checksum.tables {
            let update = try prepare("UPDATE \(table.name) SET \(Checksum.column) = ?2 WHERE rowid = ?1")
            try readBatches(of: table.columns, from: table.name, where: "\(Checksum.column) IS NULL") {
                rows throws(DatabaseError) in
                for row in rows { try update.run([row[0], Checksum.of(row.dropFirst())]) }
            }
        }
    }
}
