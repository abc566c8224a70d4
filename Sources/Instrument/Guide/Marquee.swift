import Display

/// A line of text that is wider than its place and runs through it, so that all of it can be read.
struct Marquee: Hashable, Sendable {
    let line: TextLine
    let since: Instant

    /// How it runs where a column of text is `scale` LEDs.
    private static func scroll(scale: Int) -> Scroll {
        Scroll(rest: .milliseconds(1200), columnsPerSecond: 12 * Int64(scale))
    }

    /// LEDs that have run out of a place of `view` LEDs at `now`, where a column of text is `scale` LEDs; when it has been read
    /// to the end it begins again.
    func travelled(view: Int, scale: Int = 1, at now: Instant) -> Int {
        let overhang = max(0, line.width * scale - view)
        let scroll = Self.scroll(scale: scale)
        let elapsed = max(0, (now - since).microseconds) % scroll.length(overhang).microseconds
        return scroll.travelled(overhang, after: Instant.Span(microseconds: elapsed))
    }

    /// Whether it has been read once in the header's place.
    func hasEnded(at now: Instant) -> Bool {
        now - since >= Self.scroll(scale: 1).length(max(0, line.width - GuideLayout.gridColumns.count))
    }
}
