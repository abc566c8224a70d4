/// The notes on the rows of a track (docs/spec.md, section 1). Rows count from the lowest, 0; a track has four or six.
struct PageMap: Hashable, Sendable {
    /// Number of rows.
    let rows: Int
    /// Notes of the track that lie above the page.
    private(set) var above = NoteSet()
    /// Notes of the track that lie below the page.
    private(set) var below = NoteSet()

    // Vectors, because every frame makes four maps and must not allocate.
    private var written = SIMD8<Int8>(repeating: PageMap.none)
    private var shown = SIMD8<UInt64>()
    private static let none = Int8.min

    /// The note that a finger on `row` writes; nil if the row has none.
    func note(atRow row: Int) -> Int? { written[row] == PageMap.none ? nil : Int(written[row]) }

    /// The notes that light `row`.
    func notes(atRow row: Int) -> NoteSet { NoteSet(bits: shown[row]) }

    /// The row that `note` lights; nil if the note is off the page.
    func row(of note: Int) -> Int? { (0..<rows).first { notes(atRow: $0).contains(note) } }

    private init(_ track: Track) { rows = track.rows.count }

    private mutating func set(_ row: Int, note: Int, shows notes: NoteSet) {
        written[row] = Int8(note)
        shown[row] = notes.bits
    }

    /// The map of `track` on `page`, which exists.
    init(_ rules: Rules, _ track: Track, page: Int, _ tonality: Tonality) {
        switch (rules, track) {
        case (.phone, _): self = PageMap.phone[track.rawValue][page]
        case (.box, .rhythm): self = PageMap.drums[page]
        case (.box, _): self.init(track, offset: page, tonality)
        }
    }

    // MARK: The box

    /// Rows of a melodic track under the rules of the box: row y is the scale degree `offset` + y. A note outside the
    /// scale lights the row of the degree below it, or the lowest degree's.
    private init(_ track: Track, offset: Int, _ tonality: Tonality) {
        self.init(track)
        let notes = track.notes
        let degrees = tonality.degrees(within: notes)
        for row in 0..<rows where degrees.contains(offset + row) {
            let degree = offset + row
            let note = tonality.note(ofDegree: degree)
            let first = degree == degrees.lowerBound ? notes.lowerBound : note
            set(row, note: note, shows: NoteSet(from: first, upTo: tonality.note(ofDegree: degree + 1), of: track))
        }
        above = NoteSet(from: tonality.note(ofDegree: offset + rows), upTo: notes.upperBound + 1, of: track)
        if offset > degrees.lowerBound {
            below = NoteSet(from: notes.lowerBound, upTo: tonality.note(ofDegree: offset), of: track)
        }
    }

    /// Drums of the rhythm track's pages under the rules of the box, each from the lowest row.
    private static let drumPages = [[0, 3, 7, 8], [2, 5, 6, 9], [1, 4, 10, 11]]

    private static let drums = drumPages.indices.map { page in
        var map = PageMap(.rhythm)
        for (row, drum) in drumPages[page].enumerated() { map.set(row, note: drum, shows: NoteSet([drum])) }
        map.above = NoteSet(drumPages[(page + 1)...].joined())
        map.below = NoteSet(drumPages[..<page].joined())
        return map
    }

    // MARK: The phone

    /// Pages of the phone version (docs/spec.md, section 11): page 0 spans the twelve notes of the middle octave; each
    /// later page shows consecutive notes, one a row, lowest first.
    private static let phone = Track.allCases.map { track in
        (0...Pattern.octave / track.rows.count).map { PageMap(track, phonePage: $0) }
    }

    private init(_ track: Track, phonePage page: Int) {
        self.init(track)
        let notes = track.notes
        var range = Pattern.middleOctave
        if page == 0 {
            let last = Double(rows - 1)
            for row in 0..<rows {
                let shown = range.filter { rows - 1 - nearest(Double(11 - $0) / 11 * last) == row }
                set(row, note: nearest(Double(row) / last * 11), shows: NoteSet(shown))
            }
        } else {
            range = (page - 1) * rows..<page * rows
            for (row, note) in range.enumerated() { set(row, note: note, shows: NoteSet([note])) }
        }
        above = NoteSet(from: range.upperBound, upTo: notes.upperBound + 1, of: track)
        below = NoteSet(from: notes.lowerBound, upTo: range.lowerBound, of: track)
    }
}

// MARK: Which pages there are

extension PageMap {
    /// Whether `track` has `page`. Under the rules of the box a melodic track has the pages with at least one note;
    /// their numbers are the degree of the lowest row.
    static func exists(_ page: Int, _ rules: Rules, _ track: Track, _ tonality: Tonality) -> Bool {
        switch (rules, track) {
        case (.phone, _): phone[track.rawValue].indices.contains(page)
        case (.box, .rhythm): drums.indices.contains(page)
        case (.box, _): offsets(of: track, tonality).contains(page)
        }
    }

    /// The pages to which a melodic track scrolls under the rules of the box.
    static func offsets(of track: Track, _ tonality: Tonality) -> ClosedRange<Int> {
        let degrees = tonality.degrees(within: track.notes)
        return degrees.lowerBound - track.rows.count + 1...degrees.upperBound
    }

    /// The page after `page`, from the last page to page 0. The melodic tracks of the box have the pages 0, +r, −r,
    /// +2r, −2r, … for r rows, without those that do not exist; from any other page the next is 0.
    static func next(after page: Int, _ rules: Rules, _ track: Track, _ tonality: Tonality) -> Int {
        if rules == .phone || track == .rhythm {
            return exists(page + 1, rules, track, tonality) ? page + 1 : 0
        }
        let rows = track.rows.count
        guard page % rows == 0 else { return 0 }
        let offsets = offsets(of: track, tonality)
        var next = page
        repeat {
            next = next > 0 ? -next : rows - next
            if offsets.contains(next) { return next }
        } while abs(next) <= max(offsets.upperBound, -offsets.lowerBound)
        return 0
    }
}

/// Rounds `value` to the nearest integer, halves up (docs/spec.md, section 11).
func nearest(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
