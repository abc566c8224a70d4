/// The cells of one note in all steps of a pattern, two bits each. Window w has the steps 32·w to 32·w + 31, the first
/// lowest.
public struct Cells: Hashable, Sendable {
    private var words = SIMD4<UInt64>()

    /// Empty cells.
    public init() {}

    /// The cells of the first window; the others are empty. Every pair of bits is a valid cell.
    public init(_ word: UInt64) { words[0] = word }

    /// The cell at `step`, 0-127.
    public subscript(step: Int) -> Cell {
        get {
            let bits = words[step / Pattern.window] >> UInt64(2 * (step % Pattern.window)) & 3
            return Cell(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .empty
        }
        set {
            let shift = UInt64(2 * (step % Pattern.window))
            let word = words[step / Pattern.window]
            words[step / Pattern.window] = word & ~(3 << shift) | UInt64(newValue.rawValue) << shift
        }
    }

    /// The 32 cells of `window`, 0-3.
    public subscript(window window: Int) -> UInt64 {
        get { words[window] }
        set { words[window] = newValue }
    }

    /// Whether every cell is empty.
    public var isEmpty: Bool { words == SIMD4() }

    /// The stronger of two notes' cells at every step: an accent before a normal note before a sustain.
    static func merge(_ one: Cells, _ other: Cells) -> Cells {
        func split(_ words: SIMD4<UInt64>) -> (normal: SIMD4<UInt64>, accent: SIMD4<UInt64>, sustain: SIMD4<UInt64>) {
            let (low, high) = (words & lowBits, words &>> 1 & lowBits)
            return (low & ~high, high & ~low, low & high)
        }
        let (a, b) = (split(one.words), split(other.words))
        let accent = a.accent | b.accent
        let normal = (a.normal | b.normal) & ~accent
        let sustain = (a.sustain | b.sustain) & ~(accent | normal)
        var result = Cells()
        result.words = normal | accent &<< 1 | sustain | sustain &<< 1
        return result
    }

    /// The lower bit of each cell.
    private static let lowBits = SIMD4<UInt64>(repeating: Pattern.lowBits)
}
