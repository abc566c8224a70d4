/// Rows on the pages of a library's file, read without its first page. That page contains the names and root pages of
/// all tables; if it is damaged SQLite reads nothing.
///
/// Pages of rows are recognised by their first byte, rows by the types of their values ("Database File Format",
/// sqlite.org, 1.6 and 2.1). Free pages may still contain deleted rows.
struct LeafScan {
    /// Page size of every library: SQLite's default.
    private static let pageSize = 4096
    /// First byte of a table's leaf page.
    private static let leaf: UInt8 = 0x0d

    private let bytes: [UInt8]

    /// A scan of a file's content.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The tables. Their rows are recognised by their first values.
    private enum Table: String, CaseIterable {
        case session, composition, sound, pattern, revision, watched, preset, tuning

        /// Types of the first values: i integer, t text, b bytes, n null, o integer or null. An integer primary key is
        /// null in the row.
        private var kinds: String {
            switch self {
            case .session: "nioiiiiti"
            case .composition: "itiiiitib"
            case .sound: "iti"
            case .pattern: "nitii"
            case .revision: "niiiiitibio"
            case .watched: "ni"
            case .preset: "nttt"
            case .tuning: "ntti"
            }
        }

        /// Number of values of a row: the minimum, and the maximum with the columns of later versions.
        private var counts: ClosedRange<Int> {
            switch self {
            case .watched: kinds.count...kinds.count
            case .sound: 3...4
            case .preset: 5...5
            case .tuning: 4...4
            case .pattern: 6...7
            case .composition: 9...19
            case .revision: 12...23
            case .session: 9...33
            }
        }

        func holds(_ row: [Value]) -> Bool {
            counts.contains(row.count)
                && zip(row, kinds).allSatisfy { value, kind in
                    switch (value, kind) {
                    case (.integer, "i"), (.integer, "o"), (.null, "o"), (.text, "t"), (.blob, "b"), (.null, "n"): true
                    default: false
                    }
                }
        }
    }

    /// Inserts every row found into the new `database` of the current version.
    func write(into database: Database) throws {
        try database.run("PRAGMA foreign_keys = OFF")
        var columns: [Table: [String]] = [:]
        for table in Table.allCases {
            columns[table] = try database.run("SELECT name FROM pragma_table_info(?)", [.text(table.rawValue)])
                .compactMap { if case .text(let name)? = $0.first { name } else { nil } }
        }
        var hasOlderPages = false
        try database.transaction {
            for page in 0..<bytes.count / Self.pageSize {
                for (number, values) in rows(on: page) {
                    guard let table = Table.allCases.first(where: { $0.holds(values) }), let names = columns[table]
                    else {
                        continue
                    }
                    var row = Array(values.prefix(names.count))
                    if row[0] == .null { row[0] = .integer(number) }
                    let into = "\(table.rawValue) (\(names.prefix(row.count).joined(separator: ", ")))"
                    // A second row with the same key is an older one on a free page.
                    let inserted = try? database.run(
                        "INSERT OR IGNORE INTO \(into) VALUES (\(database.places(row))) RETURNING 1", row)
                    if table == .session, inserted?.isEmpty == false {
                        hasOlderPages = !names.prefix(row.count).contains(SettingsRow.newPagesColumn)
                    }
                }
            }
            // Rows of an older version have no checksum.
            try database.addChecksums()
            if hasOlderPages { try SettingsRow.resetPages(in: database) }
        }
    }

    /// The rows of a page, numbered from 0, with their keys.
    private func rows(on page: Int) -> [(number: Int64, values: [Value])] {
        // The first page begins with the file header.
        let start = page * Self.pageSize
        let head = start + (page == 0 ? 100 : 0)
        guard byte(head) == Self.leaf, let count = integer(at: head + 3, bytes: 2) else { return [] }
        return (0..<Int(count)).compactMap { index in
            guard let offset = integer(at: head + 8 + 2 * index, bytes: 2), offset < Self.pageSize else { return nil }
            return row(at: start + Int(offset), before: start + Self.pageSize)
        }
    }

    private func row(at place: Int, before end: Int) -> (number: Int64, values: [Value])? {
        var place = place
        guard let size = bytes.varint(at: &place), (1...Int64(Database.lengthMax)).contains(size),
            let number = bytes.varint(at: &place),
            let record = payload(Int(size), at: place, before: end), let values = Record(record).values
        else { return nil }
        return (number, values)
    }

    /// The `size` bytes at `place`, continued in overflow pages.
    private func payload(_ size: Int, at place: Int, before end: Int) -> [UInt8]? {
        let usable = Self.pageSize
        var local = size
        if size > usable - 35 {
            let least = (usable - 12) * 32 / 255 - 23
            let filling = least + (size - least) % (usable - 4)
            local = filling <= usable - 35 ? filling : least
        }
        guard place >= 0, place + local <= min(end, bytes.count) else { return nil }
        var payload = Array(bytes[place..<place + local])
        guard payload.count < size else { return payload }
        guard var next = integer(at: place + local, bytes: 4) else { return nil }
        // Each page adds bytes, so a cycle of pages ends too.
        while payload.count < size {
            let start = (Int(next) - 1) * usable
            guard next > 0, start + usable <= bytes.count, let following = integer(at: start, bytes: 4) else {
                return nil
            }
            payload += bytes[start + 4..<start + min(usable, 4 + size - payload.count)]
            next = following
        }
        return payload
    }

    private func byte(_ place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

    /// A big-endian number of `count` bytes.
    private func integer(at place: Int, bytes count: Int) -> UInt32? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// A row in the file's record format ("Database File Format", 2.1).
private struct Record {
    /// The values; nil if the bytes are not a record.
    let values: [Value]?

    init(_ bytes: [UInt8]) { values = Self.values(in: bytes) }

    private static let valuesMax = 64

    private static func values(in bytes: [UInt8]) -> [Value]? {
        var place = 0
        guard let size = bytes.varint(at: &place), size <= bytes.count else { return nil }
        var at = Int(size)
        var values: [Value] = []
        while place < Int(size) {
            guard let type = bytes.varint(at: &place), values.count < valuesMax, let length = length(of: type),
                at + length <= bytes.count
            else { return nil }
            values.append(value(of: type, bytes[at..<at + length]))
            at += length
        }
        return at == bytes.count ? values : nil
    }

    /// Bytes of a value of `type`; nil for an invalid type.
    private static func length(of type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...Int64(2 * Database.lengthMax + 13): Int(type - 12) / 2
        default: nil
        }
    }

    private static func value(of type: Int64, _ bytes: ArraySlice<UInt8>) -> Value {
        switch type {
        case 0: return .null
        case 8, 9: return .integer(type - 8)
        case 1...6:
            let sign: UInt64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : .max
            return .integer(Int64(bitPattern: bytes.reduce(sign) { $0 << 8 | UInt64($1) }))
        case 7: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        default: return type % 2 == 0 ? .blob(Array(bytes)) : .text(String(decoding: bytes, as: UTF8.self))
        }
    }
}

extension [UInt8] {
    /// A big-endian number of one to nine bytes: seven bits in each of the first eight, eight in the ninth.
    fileprivate func varint(at place: inout Int) -> Int64? {
        var value: UInt64 = 0
        for count in 1...9 {
            guard indices.contains(place) else { return nil }
            let byte = self[place]
            place += 1
            if count == 9 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte & 0x80 == 0 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
