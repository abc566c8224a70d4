import InputEvents
import Display

/// The card of one entry: a screen with its large title, access to the other entries of its cell, and the entry's
/// actions.
struct GuideCard: Hashable, Sendable {
    var channel: Int
    var day: Int
    /// Index of the entry within its cell, and the number of entries there.
    var place: Int
    var count: Int
    var entry: Int64
    /// When the card was opened.
    var since: Instant
    let title: Marquee
    let facts: Marquee

    /// An action on the entry.
    enum Action: Hashable, Sendable {
        case open, copy, rename, delete
        case watched

        /// Actions of a library entry, left to right.
        static let library: [Action] = [.open, .copy, .rename, .delete]

        /// Hold time for deleting; the button fills meanwhile.
        static let deleteHold = Instant.Span.milliseconds(1200)
    }

    /// Rows of the action buttons.
    static let actionRows = 18..<24
    /// Columns of each of the library's buttons.
    static let actionColumns = 11
    /// First row of the title, whose dots are two LEDs wide.
    static let titleRow = 7
    /// Columns at either side that turn to the cell's other entries.
    static let arrowColumns = 6

    /// The target at `position` of the card; nil for none.
    func target(at position: Position, _ source: GuideContent.Source) -> GuideLayout.Target? {
        let led = position.led
        if led.row < 6 { return led.column < 6 ? .back : led.column >= GuideLayout.buttonColumn - 2 ? .play : nil }
        if led.row >= Self.actionRows.lowerBound {
            if source == .listings { return .action(.watched) }
            return .action(Action.library[(led.column / Self.actionColumns).clamped(to: 0...Action.library.count - 1)])
        }
        guard count > 1 else { return nil }
        if led.column < Self.arrowColumns { return .previous }
        return led.column >= Grid.columns - Self.arrowColumns ? .next : nil
    }
}

extension Guide {
    /// Opens the card of a cell at the entry with index `place`; does nothing for an empty cell.
    mutating func setCard(channel: Int, day: Int, place: Int, since: Instant) {
        let entries = content[channel: channel, day: day]
        guard !entries.isEmpty else { return }
        let place = place.clamped(to: 0...entries.count - 1)
        let entry = entries[entries.startIndex + place]
        let date = CalendarDate(dayNumber: day)
        let pager = entries.count > 1 ? "\(place + 1)/\(entries.count)" : ""
        let words = [
            pager, entry.badge, entry.time, "\(date.day) \(date.monthName) \(date.year)",
            content.channels[channel].name,
        ]
        card = GuideCard(
            channel: channel, day: day, place: place, count: entries.count, entry: entry.id, since: since,
            title: Marquee(line: TextLine(entry.title), since: since),
            facts: Marquee(line: TextLine(words.filter { !$0.isEmpty }.joined(separator: " ")), since: since))
        selection = Selection(channel: channel, day: day, entry: entry.id)
    }

    /// Turns the card `count` entries further within its cell.
    mutating func turnCard(by count: Int, at now: Instant) {
        guard let card, (0..<card.count).contains(card.place + count) else { return }
        setCard(channel: card.channel, day: card.day, place: card.place + count, since: now)
    }
}
