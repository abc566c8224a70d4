/// How words that are wider than their place run through it: they stand, run to their end and stand there.
struct Scroll {
    /// How long they stand, before and after.
    let rest: Instant.Span
    /// How fast they run.
    let columnsPerSecond: Int64

    /// How long it takes where `overhang` columns do not fit.
    func length(_ overhang: Int) -> Instant.Span {
        let running = Int64(overhang) * 1_000_000 / columnsPerSecond
        return Instant.Span(microseconds: (overhang > 0 ? 2 : 1) * rest.microseconds + running)
    }

    /// Columns that have run out of the place so long after the words came to stand in it, where `overhang` do not fit.
    func travelled(_ overhang: Int, after elapsed: Instant.Span) -> Int {
        let moving = max(0, elapsed.microseconds - rest.microseconds)
        return min(Int(moving * columnsPerSecond / 1_000_000), overhang)
    }
}
