/// The columns of the sequencer's grid (docs/spec.md, section 1).
enum Grid {
    /// Columns of the sequencer.
    static let columns = 44
    /// Columns of the steps, gaps included.
    static let stepColumns = 4..<39

    /// Columns of the scenes, including the black one on their left.
    static let sceneColumns = 39..<44

    /// Rows of the overview.
    static let overviewRows = 22..<24

    /// Columns and rows of the light of TAKE, below the scenes.
    static let (takeColumns, takeRows) = (42..<44, 22..<24)

    /// The column of `step`.
    static func column(ofStep step: Int) -> Int { 4 + step + step / 8 }

    /// The columns of the first `count` steps, including the gap after the last one.
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

/// The part of a pattern that the grid shows: 32 steps of up to 128.
struct StepWindow: Hashable, Sendable {
    /// Its place among the windows, 0-3.
    let index: Int

    /// The first step.
    var first: Int { index * Pattern.window }

    /// Its steps in a pattern of `length` steps.
    func steps(of length: Int) -> Range<Int> { first..<max(first, min(first + Pattern.window, length)) }

    /// Whether it shows `step`.
    func contains(_ step: Int) -> Bool { step / Pattern.window == index }

    /// The column of `step`; of a step outside that of the nearest.
    func column(ofStep step: Int) -> Int {
        Grid.column(ofStep: (step - first).clamped(to: 0...Pattern.window - 1))
    }

    /// The columns of its steps in a pattern of `length` steps, including the gap after the last one.
    func columns(ofSteps length: Int) -> ClosedRange<Int> { Grid.columns(ofSteps: steps(of: length).count) }

    /// The step at `column`; a gap column counts as the step to its left.
    func step(atColumn column: Int) -> Int? { Grid.step(atColumn: column).map { first + $0 } }
}

extension Pattern {
    /// The step at `column` (in LEDs from the left edge of the 44-column grid); nil for none.
    public static func step(atColumn column: Int) -> Int? { Grid.step(atColumn: column) }
}
