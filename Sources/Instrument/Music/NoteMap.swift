/// The notes of a track's rows (SPEC 1, "Note pages").
///
/// Page 0 spans all twelve notes over the track's rows; each later page shows consecutive notes, one a row, lowest first.
struct NoteMap: Hashable, Sendable {
    /// The note of a touch on each row, from the track's top.
    let noteOfRow: [Int]
    /// The notes that light each row, as bits, from the track's top.
    let notesOfRow: [UInt16]
    /// The notes above the page, as bits.
    let notesAbove: UInt16
    /// The notes below the page, as bits.
    let notesBelow: UInt16

    /// The row, from the track's top, that `note` lights; nil if the note is off the page.
    func row(of note: Int) -> Int? { notesOfRow.firstIndex { $0 >> UInt16(note) & 1 == 1 } }

    /// The map of `track` on `page`.
    static func map(_ track: Track, page: Int) -> NoteMap { maps[track.rawValue][page] }

    /// The number of pages of `track`, the span included.
    static func pages(_ track: Track) -> Int { 1 + Pattern.notes / track.rows.count }

    private static let maps = Track.allCases.map { track in
        (0..<pages(track)).map { NoteMap(rows: track.rows.count, page: $0) }
    }

    private init(rows: Int, page: Int) {
        let all: UInt16 = 0xfff
        if page == 0 {
            let last = Double(rows - 1)
            noteOfRow = (0..<rows).map { nearest((last - Double($0)) / last * 11) }
            notesOfRow = (0..<rows).map { row in
                (0..<Pattern.notes).reduce(0) { bits, note in
                    nearest(Double(11 - note) / 11 * last) == row ? bits | 1 << UInt16(note) : bits
                }
            }
            notesAbove = 0
            notesBelow = 0
        } else {
            let first = (page - 1) * rows
            noteOfRow = (0..<rows).map { first + rows - 1 - $0 }
            notesOfRow = noteOfRow.map { 1 << UInt16($0) }
            notesAbove = all & ~((1 << UInt16(first + rows)) - 1)
            notesBelow = (1 << UInt16(first)) - 1
        }
    }
}

/// Rounds `value` to the nearest integer, halves up (SPEC 3).
func nearest(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
