import InputEvents
import Display

/// A line of text that scrolls through its view if it is wider.
struct Marquee: Hashable, Sendable {
    let line: TextLine
    let since: Instant

    /// The scroll movement, for text columns of `scale` LEDs.
    private static func scroll(scale: Int) -> Scroll {
        Scroll(rest: .milliseconds(1200), columnsPerSecond: 12 * Int64(scale))
    }

    /// Scroll position in LEDs at `now`, for a view of `view` LEDs and text columns of `scale` LEDs. At the end it
    /// starts again.
    func travelled(view: Int, scale: Int = 1, at now: Instant) -> Int {
        let overhang = max(0, line.width * scale - view)
        let scroll = Self.scroll(scale: scale)
        let elapsed = max(0, (now - since).microseconds) % scroll.length(overhang).microseconds
        return scroll.travelled(overhang, after: Instant.Span(microseconds: elapsed))
    }

    /// Whether it has scrolled through the header once.
    func hasEnded(at now: Instant) -> Bool {
        now - since >= Self.scroll(scale: 1).length(max(0, line.width - GuideLayout.gridColumns.count))
    }
}
