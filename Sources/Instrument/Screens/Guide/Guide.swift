import InputEvents

/// The guide (docs/spec.md, section 9): channels by days in three views (the grid of cells, the header and the rail)
/// that scroll together, and the card of a cell. It is a value: touches and the time go in, requests and frames come
/// out.
public struct Guide: Hashable, Sendable {
    /// The content.
    public internal(set) var content: GuideContent
    /// Whether days run across and channels down; else the other way round.
    public internal(set) var isTurned = false
    /// The selected cell.
    var selection: Selection?
    /// The card shown instead of the grid.
    var card: GuideCard?
    /// The scroll offset shared by all three views, across and down.
    var across: ScrollAxis
    var down: ScrollAxis
    /// Text shown instead of the header.
    var caption: Marquee?
    /// The last deleted entry, and the time until which the deletion can be undone.
    var undo: Undo?
    var fingers: [GuideFinger] = []
    /// Whether another source is available.
    var hasOtherSource = false

    /// A cell, and an entry in it.
    struct Selection: Hashable, Sendable {
        var channel: Int
        var day: Int
        var entry: Int64?
    }

    /// A deletion that can be undone.
    struct Undo: Hashable, Sendable {
        var entry: Int64
        var until: Instant
    }

    /// A guide of `content` at the current day.
    public init(_ content: GuideContent, isTurned: Bool = false) {
        self.content = content
        self.isTurned = isTurned
        let axes = Self.axes(of: content, isTurned: isTurned)
        (across, down) = (axes.across, axes.down)
        fingers.reserveCapacity(Touch.contactsMax)
        goToToday()
    }

    // MARK: Axes

    /// The axis of the days.
    var dayAxis: ScrollAxis {
        get { isTurned ? across : down }
        set { if isTurned { across = newValue } else { down = newValue } }
    }

    /// The axis of the channels.
    var channelAxis: ScrollAxis {
        get { isTurned ? down : across }
        set { if isTurned { down = newValue } else { across = newValue } }
    }

    private static func axes(of content: GuideContent, isTurned: Bool) -> (across: ScrollAxis, down: ScrollAxis) {
        let (days, channels) = (content.days.count, content.channels.count)
        return (
            ScrollAxis(
                pitch: GuideLayout.pitchAcross(isTurned), count: isTurned ? days : channels,
                view: GuideLayout.gridColumns.count),
            ScrollAxis(
                pitch: GuideLayout.pitchDown, count: isTurned ? channels : days, view: GuideLayout.gridRows.count)
        )
    }

    /// The offset that shows today as the second cell, or as near to that as possible.
    private var offsetOfToday: Double {
        let day = content.today.clamped(
            to: content.days.lowerBound...max(content.days.lowerBound, content.days.upperBound - 1))
        return dayAxis.offset(ofCell: day - content.days.lowerBound - 1)
    }

    private mutating func goToToday() { dayAxis.drag(to: offsetOfToday) }

    /// Scrolls smoothly to the current day.
    mutating func glideToToday(at now: Instant) { dayAxis.glide(to: offsetOfToday, in: Self.jump, at: now) }

    /// Duration of that movement.
    private static let jump = Instant.Span.milliseconds(300)

    /// Swaps the axes of days and channels; the first visible day and channel stay.
    mutating func turn(at now: Instant) {
        let (day, channel) = (dayAxis.firstCell(at: now), channelAxis.firstCell(at: now))
        isTurned.toggle()
        (across, down) = Self.axes(of: content, isTurned: isTurned)
        dayAxis.drag(to: dayAxis.offset(ofCell: day))
        channelAxis.drag(to: channelAxis.offset(ofCell: channel))
        anchorFingers(at: now)
    }

    // MARK: New content

    /// Replaces the content. The first visible day and channel stay if they still exist, also under a finger that
    /// scrolls; so do the selected entry and the card's entry. Content of another source begins at today, with nothing
    /// selected.
    public mutating func show(_ content: GuideContent, at now: Instant) {
        guard content.source == self.content.source else { return begin(content, at: now) }
        let old = self.content
        let wasEmpty = old.days.isEmpty || old.channels.isEmpty
        let dayShift = old.days.lowerBound - content.days.lowerBound
        let channelShift = self.channelShift(to: content, at: now)
        self.content = content
        dayAxis = dayAxis.changed(count: content.days.count, shift: dayShift, at: now)
        channelAxis = channelAxis.changed(count: content.channels.count, shift: channelShift, at: now)
        if wasEmpty { goToToday() }
        anchorFingers(at: now)
        if let selected = selection {
            selection = selected.entry.flatMap { content.place(of: $0) }.map {
                Selection(channel: $0.channel, day: $0.day, entry: selected.entry)
            }
        }
        if let shown = card {
            if let place = content.place(of: shown.entry) {
                setCard(channel: place.channel, day: place.day, place: place.place, since: shown.since)
            } else {
                card = nil
                spendFingers()
            }
        }
    }

    private mutating func begin(_ content: GuideContent, at now: Instant) {
        self.content = content
        (selection, card, caption, undo) = (nil, nil, nil, nil)
        (across, down) = Self.axes(of: content, isTurned: isTurned)
        goToToday()
        spendFingers()
    }

    /// How many places the first visible channel that still exists moves in `content`.
    private func channelShift(to content: GuideContent, at now: Instant) -> Int {
        let channels = self.content.channels
        guard !channels.isEmpty else { return 0 }
        for index in min(channelAxis.firstCell(at: now), channels.count - 1)..<channels.count {
            if let place = content.channels.firstIndex(where: { $0.id == channels[index].id }) { return place - index }
        }
        return 0
    }

    // MARK: Queries

    /// The selected entry.
    public var selected: Int64? { selection?.entry }

    /// Whether the card of an entry is shown.
    public var showsCard: Bool { card != nil }

    /// Whether the grid moves by itself.
    public func isMoving(at now: Instant) -> Bool { across.isMoving(at: now) || down.isMoving(at: now) }

    /// Drops all fingers, because another screen is shown.
    public mutating func leave(at now: Instant) {
        fingers.removeAll(keepingCapacity: true)
        across.stop(at: now)
        down.stop(at: now)
        across.release(velocity: 0, at: now)
        down.release(velocity: 0, at: now)
    }
}
