import Display

/// A line of text that is wider than its place and runs through it, so that all of it can be read.
struct Marquee: Hashable, Sendable {
    let line: TextLine
    let since: Instant

    /// It stands before and after it runs.
    private static let rest = Instant.Span.milliseconds(1200)
    /// Columns of text a second.
    private static let columnsPerSecond: Int64 = 12

    /// Text columns that do not fit into `view`.
    private func overhang(_ view: Int) -> Int { max(0, line.width - view) }

    /// Text columns that have run out of a place of `view` at `now`; when it has been read to the end it begins again.
    func travelled(view: Int, at now: Instant) -> Int { travelled(view, now, scale: 1) }

    /// The same in LEDs, where a column of text is `scale` LEDs.
    func travelled(_ view: Int, _ now: Instant, scale: Int) -> Int {
        let overhang = max(0, line.width * scale - view)
        guard overhang > 0 else { return 0 }
        let elapsed = max(0, (now - since).microseconds) % length(overhang, scale).microseconds
        let moving = max(0, elapsed - Self.rest.microseconds)
        return min(Int(moving * Self.columnsPerSecond * Int64(scale) / 1_000_000), overhang)
    }

    /// Whether it has been read once in the header's place.
    func hasEnded(at now: Instant) -> Bool {
        now - since >= length(overhang(GuideLayout.gridColumns.count), 1)
    }

    private func length(_ overhang: Int, _ scale: Int) -> Instant.Span {
        let running = Int64(overhang) * 1_000_000 / (Self.columnsPerSecond * Int64(scale))
        return Instant.Span(microseconds: (overhang > 0 ? 2 : 1) * Self.rest.microseconds + running)
    }
}
