import InputEvents

/// Scroll movement of a text wider than its place: it rests, scrolls to its end and rests there.
struct Scroll {
    /// Rest time, before and after.
    let rest: Instant.Span
    /// Scroll speed.
    let columnsPerSecond: Int64

    /// Duration of the movement for a text with `overhang` columns too many.
    func length(_ overhang: Int) -> Instant.Span {
        let running = Int64(overhang) * 1_000_000 / columnsPerSecond
        return Instant.Span(microseconds: (overhang > 0 ? 2 : 1) * rest.microseconds + running)
    }

    /// Columns scrolled `elapsed` after the text appeared, for a text with `overhang` columns too many.
    func travelled(_ overhang: Int, after elapsed: Instant.Span) -> Int {
        let moving = max(0, elapsed.microseconds - rest.microseconds)
        return min(Int(moving * columnsPerSecond / 1_000_000), overhang)
    }
}
