/// The notes of a track's rows (SPEC 1, "Note pages").
///
/// Page 0 spans the twelve notes of the middle octave over the track's rows; each later page shows consecutive notes, one a row, lowest first.
struct NoteMap: Hashable, Sendable {
    /// The note of a touch on each row, from the track's top.
    let noteOfRow: [Int]
    /// The notes that light each row, as bits, from the track's top.
    let notesOfRow: [NoteSet]
    /// The notes above the page.
    let notesAbove: NoteSet
    /// The notes below the page.
    let notesBelow: NoteSet

    /// The row, from the track's top, that `note` lights; nil if the note is off the page.
    func row(of note: Int) -> Int? { notesOfRow.firstIndex { $0.contains(note) } }

    /// The map of `track` on `page`.
    static func map(_ track: Track, page: Int) -> NoteMap { maps[track.rawValue][page] }

    /// The number of pages of `track`, the span included.
    static func pages(_ track: Track) -> Int { 1 + Pattern.octave / track.rows.count }

    private static let maps = Track.allCases.map { track in
        (0..<pages(track)).map { NoteMap(track, page: $0) }
    }

    private init(_ track: Track, page: Int) {
        let rows = track.rows.count
        var shown = 0..<Pattern.octave
        if page == 0 {
            let last = Double(rows - 1)
            noteOfRow = (0..<rows).map { nearest((last - Double($0)) / last * 11) }
            notesOfRow = (0..<rows).map { row in
                NoteSet((0..<Pattern.octave).filter { nearest(Double(11 - $0) / 11 * last) == row })
            }
        } else {
            shown = (page - 1) * rows..<page * rows
            noteOfRow = shown.reversed()
            notesOfRow = noteOfRow.map { NoteSet([$0]) }
        }
        notesAbove = NoteSet(track.notes.filter { $0 >= shown.upperBound })
        notesBelow = NoteSet(track.notes.filter { $0 < shown.lowerBound })
    }
}

/// Rounds `value` to the nearest integer, halves up (SPEC 3).
func nearest(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
