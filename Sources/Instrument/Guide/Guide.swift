/// The guide (SPEC 9): channels by days in three views, the grid of cells, the header and the rail, that scroll as one, and
/// the card of a cell. A value: touches and the time go in, acts and frames come out.
public struct Guide: Hashable, Sendable {
    /// What it shows.
    public internal(set) var content: GuideContent
    /// Days run across and channels down, and not the other way round.
    public internal(set) var isTurned = false
    /// What is selected.
    var selection: Selection?
    /// The card that stands before the grid.
    var card: GuideCard?
    /// The one offset that all three views show, across and down.
    var across: ScrollAxis
    var down: ScrollAxis
    /// Words in the header's place.
    var caption: Marquee?
    /// The entry that was deleted last, and until when that can be undone.
    var undo: Undo?
    var fingers: [GuideFinger] = []
    /// There is another source to go to.
    var hasOtherSource = false

    /// A cell, and the entry in it.
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

    /// A guide of `content` at its present day.
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

    /// The offset at which today stands second, or as near to that as it can.
    private var offsetOfToday: Double {
        let day = content.today.clamped(
            to: content.days.lowerBound...max(content.days.lowerBound, content.days.upperBound - 1))
        return dayAxis.offset(ofCell: day - content.days.lowerBound - 1)
    }

    private mutating func goToToday() { dayAxis.drag(to: offsetOfToday) }

    /// Moves to the present day, for all to see.
    mutating func glideToToday(at now: Instant) { dayAxis.glide(to: offsetOfToday, in: Self.jump, at: now) }

    /// The way to the present day takes so long.
    private static let jump = Instant.Span.milliseconds(300)

    /// Lets days run the other way; the first day and channel stay first.
    mutating func turn(at now: Instant) {
        let (day, channel) = (dayAxis.firstCell(at: now), channelAxis.firstCell(at: now))
        isTurned.toggle()
        (across, down) = Self.axes(of: content, isTurned: isTurned)
        dayAxis.drag(to: dayAxis.offset(ofCell: day))
        channelAxis.drag(to: channelAxis.offset(ofCell: channel))
        anchorFingers(at: now)
    }

    // MARK: New content

    /// Shows `content` from now on. The day and the channel that are first stay so, also under a finger that moves them, as
    /// far as they are still there; so do the selected entry and that of the card.
    public mutating func show(_ content: GuideContent, at now: Instant) {
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

    /// How many channels more than now stand before the first that is seen and is still there.
    private func channelShift(to content: GuideContent, at now: Instant) -> Int {
        let channels = self.content.channels
        guard !channels.isEmpty else { return 0 }
        for index in min(channelAxis.firstCell(at: now), channels.count - 1)..<channels.count {
            if let place = content.channels.firstIndex(where: { $0.id == channels[index].id }) { return place - index }
        }
        return 0
    }

    // MARK: What it tells

    /// The entry that is selected.
    public var selected: Int64? { selection?.entry }

    /// Whether the card of an entry stands before the grid.
    public var showsCard: Bool { card != nil }

    /// Whether the grid moves by itself.
    public func isMoving(at now: Instant) -> Bool { across.isMoving(at: now) || down.isMoving(at: now) }

    /// Forgets what fingers do: another screen has come before it.
    public mutating func leave(at now: Instant) {
        fingers.removeAll(keepingCapacity: true)
        across.stop(at: now)
        down.stop(at: now)
        across.release(velocity: 0, at: now)
        down.release(velocity: 0, at: now)
    }
}

/// What the guide asks for.
public enum GuideAct: Hashable, Sendable {
    /// Leave the guide.
    case close
    /// Start or stop the transport.
    case play
    /// Load this entry.
    case open(Int64)
    /// Begin a pattern in the bank that is the channel of this place.
    case begin(channel: Int)
    /// Show the other source.
    case changeSource
    /// Make another entry like this one.
    case duplicate(Int64)
    /// Ask for another name for this entry.
    case rename(Int64)
    /// Take this entry out.
    case delete(Int64)
    /// Put this entry, which was deleted, back.
    case undoDelete(Int64)
    /// Mark this entry as watched, or not.
    case setWatched(Int64, Bool)
}
