import Display
import Documents
import Formats
import Instrument

// The library as a guide, and the marks of watched programmes. Each call waits for the disk, so the loop must not call
// it.

extension Library {
    /// The patterns as a guide: each bank is a channel, and a pattern is shown on the day of its last change in `zone`,
    /// newest first. The days go from the oldest pattern's, but at least 67 days back, to `today` (days since
    /// 1970-01-01), by default the current day.
    public func guide(today: Int? = nil, zone: LocalTime = .system) throws(LibraryError) -> GuideContent {
        GuideContent(library: try use { try $0.guideEntries(zone) }, today: today ?? zone.day(of: Disk.now))
    }

    /// The numbers of the watched programmes.
    public func watched() throws(LibraryError) -> Set<Int64> {
        try use { database in
            Set(
                try database.run("SELECT id FROM watched").compactMap { row -> Int64? in
                    if case .integer(let number)? = row.first { number } else { nil }
                })
        }
    }

    /// Sets whether the programme `number` is marked as watched.
    public func setWatched(_ number: Int64, _ isWatched: Bool) throws(LibraryError) {
        try use { database in
            if isWatched {
                try database.insertWatched([.integer(number), .integer(Disk.now)])
            } else {
                try database.run("DELETE FROM watched WHERE id = ?", [.integer(number)])
            }
        }
    }
}

extension Database {
    /// The patterns with their places in a guide, last changed first.
    func guideEntries(_ zone: LocalTime) throws -> [GuideContent.Placed] {
        let rows = try run(
            "SELECT pattern.id, bank, name, modified, length, cells, octaves, extras, windows FROM pattern JOIN revision ON revision.id = "
                + "(SELECT max(id) FROM revision WHERE revision.pattern = pattern.id) ORDER BY modified DESC, pattern.id"
        )
        return try rows.map { row in
            var fields = Fields(row, of: "a pattern")
            let number = try fields.number("id")
            let bank = try fields.integer("bank", in: 0...Bank.allCases.count - 1)
            let name = try fields.text("name")
            let day = zone.day(of: try fields.time("modified"))
            // A pattern with a damaged picture is shown without it.
            let length = (try? fields.integer("length", in: Pattern.sharedLengths)) ?? Pattern.window
            let cells = try? fields.blob("cells", count: CompositionRow.bytes)
            var composition = Composition()
            composition.pattern.length = length
            try? NotesBlob.octaves.read(&fields, into: &composition)
            try? ExtrasText.read(&fields, into: &composition)
            try? NotesBlob.windows.read(&fields, into: &composition)
            let outer = composition.pattern
            let thumbnail = GuideThumbnail(length: outer.length) { track, note, window in
                guard window == 0, Pattern.middleOctave.contains(note) else {
                    return outer.cells(track, note: note, window: window)
                }
                return cells.map { CompositionRow.word(track, note: note, in: $0) } ?? 0
            }
            let entry = GuideContent.Entry(id: number, title: Font.spelling(name), look: .thumbnail(thumbnail))
            return GuideContent.Placed(channel: bank, day: day, entry: entry)
        }
    }

    /// Inserts a row into `watched`.
    func insertWatched(_ row: [Value]) throws(DatabaseError) {
        try run("INSERT OR REPLACE INTO watched (\(WatchedRow.columns)) VALUES (?, ?)", row)
    }
}

/// The columns of the table `watched`.
enum WatchedRow {
    static let columns = "id, marked"

    /// Whether `row` is valid.
    static func isRight(_ row: [Value]) -> Bool {
        var fields = Fields(row, of: "a mark")
        return (try? fields.number("id")) != nil && (try? fields.time("marked")) != nil
    }
}
