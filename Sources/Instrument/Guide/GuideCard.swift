import Display

/// The card of one entry: a screen with its title large, the others of its cell beside it, and what can be done with it.
struct GuideCard: Hashable, Sendable {
    var channel: Int
    var day: Int
    /// Which of the cell's entries it shows, and of how many.
    var place: Int
    var count: Int
    var entry: Int64
    /// Since when it stands.
    var since: Instant
    let title: Marquee
    let facts: Marquee

    /// What a finger can do with the entry.
    enum Action: Hashable, Sendable {
        case open, copy, rename, delete
        case watched

        /// What the library's entries offer, left to right.
        static let library: [Action] = [.open, .copy, .rename, .delete]

        /// Deleting wants a hold of so long, and shows it by filling.
        static let deleteHold = Instant.Span.milliseconds(1200)
    }

    /// Rows that the actions are touched at.
    static let actionRows = 18..<24
    /// LEDs of each of the library's.
    static let actionColumns = 11
    /// Rows of the title, in dots of two LEDs.
    static let titleRow = 7
    /// Columns at either side where the cell's other entries are reached.
    static let arrowColumns = 6

    /// What is at `position` of the card; nil for nothing.
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
    /// Opens the card of a cell at its entry of index `place`; nothing if there is none.
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

    /// Shows the entry of the card's cell that is `count` further.
    mutating func turnCard(by count: Int, at now: Instant) {
        guard let card, (0..<card.count).contains(card.place + count) else { return }
        setCard(channel: card.channel, day: card.day, place: card.place + count, since: now)
    }
}
