import Display

/// A pattern in a cell of the guide: one row per track, divided into time slices; each slice has the colour of the
/// first note that begins in it. Contains the slices for both cell widths.
public struct GuideThumbnail: Hashable, Sendable {
    /// Columns of a cell if channels run across.
    static let slices = 4
    /// Columns of a cell if days run across.
    static let slicesTurned = 7

    /// Eleven slices of each track, five bits each: 0 for silence, from 1 for a struck note, from 13 for a held note.
    private var tracks = SIMD4<UInt64>()

    /// The thumbnail of `pattern`, up to its length.
    public init(_ pattern: Pattern) {
        self.init(length: pattern.length) { pattern.cells($0, note: $1, window: $2) }
    }

    /// The thumbnail of a pattern of `length` steps with the notes' `cells` in each window (`Pattern.cells`).
    public init(length: Int, cells: (Track, _ note: Int, _ window: Int) -> UInt64) {
        for track in Track.allCases {
            var words: UInt64 = 0
            for slice in 0..<Self.slices + Self.slicesTurned {
                let (place, count) =
                    slice < Self.slices ? (slice, Self.slices) : (slice - Self.slices, Self.slicesTurned)
                let start = place * length / count
                let end = max(start + 1, (place + 1) * length / count)
                words |= Self.code(track, steps: start..<end) { cells(track, $0, $1) } << UInt64(5 * slice)
            }
            tracks[track.rawValue] = words
        }
    }

    /// The code of the slice `steps`: the note struck first, the lowest of several; else the first held note.
    private static func code(
        _ track: Track, steps: Range<Int>, cells: (_ note: Int, _ window: Int) -> UInt64
    ) -> UInt64 {
        var firstHeld: Int?
        for window in steps.lowerBound / Pattern.window...(steps.upperBound - 1) / Pattern.window {
            let mask =
                Pattern.lowBits(before: steps.upperBound, in: window)
                & ~Pattern.lowBits(before: steps.lowerBound, in: window)
            var struck: (bit: UInt64, note: Int?) = (.max, nil)
            var held: (bit: UInt64, note: Int?) = (.max, nil)
            for note in track.notes {
                let word = cells(note, window)
                let (low, high) = (word & mask, word >> 1 & mask)
                let (strikes, holds) = (low ^ high, low & high)
                if strikes != 0, strikes & (0 &- strikes) < struck.bit { struck = (strikes & (0 &- strikes), note) }
                if holds != 0, holds & (0 &- holds) < held.bit { held = (holds & (0 &- holds), note) }
            }
            // The colour depends on the pitch class only.
            if let note = struck.note { return UInt64(1 + Pattern.pitchClass(of: note)) }
            firstHeld = firstHeld ?? held.note
        }
        return firstHeld.map { UInt64(1 + Pattern.octave + Pattern.pitchClass(of: $0)) } ?? 0
    }

    /// The colour of `slice` of `track`.
    func colour(_ track: Int, slice: Int, isTurned: Bool, _ mode: ColourMode) -> RGB {
        let place = isTurned ? Self.slices + slice : slice
        let code = Int(truncatingIfNeeded: tracks[track] >> UInt64(5 * place) & 31)
        return Self.shades[mode.place][code]
    }

    private static let shades = ColourMode.allCases.map { shades($0) }

    private static func shades(_ mode: ColourMode) -> [RGB] {
        [RGB(0x141414)]
            + [Float(0.85), 0.3].flatMap { alpha in
                (0..<Pattern.octave).map { RGB.black.blended(towards: Palette.note($0, mode), alpha) }
            }
    }
}
