/// The columns of the sequencer's grid (SPEC 1).
enum Grid {
    /// Columns of the sequencer.
    static let columns = 44
    /// Columns in which steps stand, gaps included.
    static let stepColumns = 4..<39

    /// Columns of the scenes, a black one on their left included.
    static let sceneColumns = 39..<44

    /// The column of `step`.
    static func column(ofStep step: Int) -> Int { 4 + step + step / 8 }

    /// The columns of the first `count` steps, and of the gap after them, which counts as their last.
    static func columns(ofSteps count: Int) -> ClosedRange<Int> {
        stepColumns.lowerBound...min(column(ofStep: count) - 1, stepColumns.upperBound - 1)
    }

    /// The step at `column`; a gap column counts as the step to its left.
    static func step(atColumn column: Int) -> Int? {
        guard stepColumns.contains(column) else { return nil }
        let place = column - stepColumns.lowerBound
        return place - place / 9 - (place % 9 == 8 ? 1 : 0)
    }
}

extension Pattern {
    /// The step that stands at `column` (LEDs from the left edge of the 44-column grid), if one does.
    public static func step(atColumn column: Int) -> Int? { Grid.step(atColumn: column) }
}
