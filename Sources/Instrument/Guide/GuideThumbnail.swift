import Display

/// A pattern as a cell of the guide shows it: four rows, one a track, in slices of time, each the colour of the note that
/// begins first in it. Holds the slices for both widths of a cell.
public struct GuideThumbnail: Hashable, Sendable {
    /// LEDs across a cell whose columns are channels.
    static let slices = 4
    /// LEDs across a cell whose columns are days.
    static let slicesTurned = 7

    /// For each track its eleven slices, five bits each: none is 0, a struck note from 1, one that only goes on from 13.
    private var tracks = SIMD4<UInt64>()

    /// The thumbnail of `pattern`, as far as its length goes.
    public init(_ pattern: Pattern) {
        self.init(length: pattern.length) { pattern.cells($0, note: $1) }
    }

    /// The thumbnail of a pattern of `length` steps, whose notes' cells (`Pattern.cells`) are `cells`.
    public init(length: Int, cells: (Track, Int) -> UInt64) {
        for track in Track.allCases {
            var words: UInt64 = 0
            for slice in 0..<Self.slices + Self.slicesTurned {
                let (place, count) =
                    slice < Self.slices ? (slice, Self.slices) : (slice - Self.slices, Self.slicesTurned)
                let start = place * length / count
                let end = max(start + 1, (place + 1) * length / count)
                words |= Self.code(steps: start..<end) { cells(track, $0) } << UInt64(5 * slice)
            }
            tracks[track.rawValue] = words
        }
    }

    /// The slice of `steps`: the note that is struck first, the lowest of several, else the first that goes on.
    private static func code(steps: Range<Int>, cells: (Int) -> UInt64) -> UInt64 {
        let window = Pattern.lowBits(before: steps.upperBound) & ~Pattern.lowBits(before: steps.lowerBound)
        var struck = (bit: UInt64.max, note: -1)
        var held = (bit: UInt64.max, note: -1)
        for note in 0..<Pattern.notes {
            let word = cells(note)
            let (low, high) = (word & window, word >> 1 & window)
            let (strikes, holds) = (low ^ high, low & high)
            if strikes != 0, strikes & (0 &- strikes) < struck.bit { struck = (strikes & (0 &- strikes), note) }
            if holds != 0, holds & (0 &- holds) < held.bit { held = (holds & (0 &- holds), note) }
        }
        if struck.note >= 0 { return UInt64(1 + struck.note) }
        return held.note >= 0 ? UInt64(1 + Pattern.notes + held.note) : 0
    }

    /// The colour of `slice` of `track`.
    func colour(_ track: Int, slice: Int, isTurned: Bool, _ mode: ColourMode) -> RGB {
        let place = isTurned ? Self.slices + slice : slice
        let code = Int(truncatingIfNeeded: tracks[track] >> UInt64(5 * place) & 31)
        return (mode == .chromatic ? Self.chromatic : Self.harmonic)[code]
    }

    private static let chromatic = shades(.chromatic)
    private static let harmonic = shades(.harmonic)

    private static func shades(_ mode: ColourMode) -> [RGB] {
        [RGB(0x141414)]
            + [Float(0.85), 0.3].flatMap { alpha in
                (0..<Pattern.notes).map { RGB.black.blended(towards: Palette.note($0, mode), alpha) }
            }
    }
}
