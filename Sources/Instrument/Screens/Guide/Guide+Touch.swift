import InputEvents
import Display

/// A finger on the guide.
struct GuideFinger: Hashable, Sendable {
    let contact: Int
    let target: GuideLayout.Target
    let down: Instant
    let start: Position
    var position: Position
    var trail: FingerTrail
    /// Offset of the grid when the finger was at `anchor`; the grid follows the finger from there.
    var offset: (across: Double, down: Double) {
        get { (offsetAcross, offsetDown) }
        set { (offsetAcross, offsetDown) = newValue }
    }
    var anchor: Position
    /// Whether it has travelled an LED: it scrolls the grid and is no tap.
    var isDragging = false
    /// Whether it stopped a moving grid: it is no tap.
    let hasStopped: Bool
    /// Whether its action is done or cancelled.
    var isSpent = false

    private var offsetAcross = 0.0
    private var offsetDown = 0.0

    init(_ touch: Touch, on target: GuideLayout.Target, hasStopped: Bool, at now: Instant) {
        contact = touch.contact
        self.target = target
        down = now
        start = Position(column: touch.column, row: touch.row)
        position = start
        anchor = start
        trail = FingerTrail(at: start, now)
        self.hasStopped = hasStopped
    }

    /// Whether it scrolls, now or once it moves.
    var scrolls: Bool { target.scrolls && !isSpent }

    /// Squared distance from the landing position, in LEDs.
    fileprivate var travel: Float {
        let (across, down) = (position.column - start.column, position.row - start.row)
        return across * across + down * down
    }

    /// Maximum duration of a tap.
    fileprivate static let tap = Instant.Span.milliseconds(300)
    /// Hold time on a cell that opens its card.
    fileprivate static let hold = Instant.Span.milliseconds(600)
    /// Maximum travel of a tap, in LEDs.
    fileprivate static let tapTravel: Float = 1
}

extension Guide {
    /// Processes `touch`, whose column counts from the first of the 44, at `now`; times must not decrease. Appends its
    /// requests to `acts`.
    public mutating func handle(_ touch: Touch, at now: Instant, into acts: inout [ScreenAct]) {
        advance(to: now, into: &acts)
        let index = fingers.firstIndex { $0.contact == touch.contact }
        switch touch.phase {
        case .down:
            if let index { lift(index, isCancelled: true, at: now, &acts) }
            land(touch, at: now)
        case .move: if let index { move(index, to: touch, at: now) }
        case .up:
            if let index {
                move(index, to: touch, at: now)
                lift(index, isCancelled: false, at: now, &acts)
            }
        case .cancel: if let index { lift(index, isCancelled: true, at: now, &acts) }
        }
    }

    /// Performs the holds due by `now`: opens the card of a held cell, switches to the other source, or deletes an
    /// entry.
    public mutating func advance(to now: Instant, into acts: inout [ScreenAct]) {
        while let (index, due) = nextHold, due <= now {
            let finger = fingers[index]
            fingers[index].isSpent = true
            if finger.target == .grid {
                guard let cell = cell(at: finger.start, due) else { continue }
                openCard(channel: cell.channel, day: cell.day, place: 0, at: due)
            } else if finger.target == .turn {
                acts.append(.changeSource)
            } else if finger.target == .play {
                acts.append(.holdPlay)
            } else if let entry = card?.entry {
                acts.append(.delete(entry))
                undo = Undo(entry: entry, until: due + Self.undoSpan)
                (card, selection, caption) = (nil, nil, nil)
                spendFingers()
            }
        }
        if let undo, undo.until <= now { self.undo = nil }
        if let caption, caption.hasEnded(at: now) { self.caption = nil }
    }

    /// Time in which a deletion can be undone.
    private static let undoSpan = Instant.Span.milliseconds(8000)

    /// The finger whose hold completes first, and when.
    private var nextHold: (index: Int, due: Instant)? {
        var next: (index: Int, due: Instant)?
        for (index, finger) in fingers.enumerated() where !finger.isSpent {
            let span: Instant.Span
            switch finger.target {
            case .grid where !finger.isDragging && !finger.hasStopped && isOnEntry(finger): span = GuideFinger.hold
            case .turn where hasOtherSource: span = GuideFinger.hold
            case .play: span = Limits.recordHold
            case .action(.delete): span = GuideCard.Action.deleteHold
            case .close, .month, .rail, .header, .grid, .turn, .today, .mark, .back, .previous, .next, .action:
                continue
            }
            let due = finger.down + span
            if next.map({ due < $0.due }) ?? true { next = (index, due) }
        }
        return next
    }

    /// Whether the cell on which `finger` landed contains an entry.
    private func isOnEntry(_ finger: GuideFinger) -> Bool {
        cell(at: finger.start, finger.down).map { !content[channel: $0.channel, day: $0.day].isEmpty } ?? false
    }

    /// Cancels the actions of all fingers, because another screen is now under them.
    mutating func spendFingers() {
        for index in fingers.indices { fingers[index].isSpent = true }
    }

    /// Anchors the scrolling fingers to the grid's current offset.
    mutating func anchorFingers(at now: Instant) {
        for index in fingers.indices where fingers[index].scrolls {
            across.stop(at: now)
            down.stop(at: now)
            fingers[index].anchor = fingers[index].position
            fingers[index].offset = (across.offset(at: now), down.offset(at: now))
        }
    }

    // MARK: Down, move, up

    /// The target at `position`; nil for none.
    func target(at position: Position) -> GuideLayout.Target? {
        if let card { return card.target(at: position, content.source) }
        return GuideLayout.target(at: position)
    }

    private mutating func land(_ touch: Touch, at now: Instant) {
        guard fingers.count < Touch.contactsMax else { return }
        let position = Position(column: touch.column, row: touch.row)
        guard let target = target(at: position) else { return }
        // Only one finger scrolls the grid.
        if target.scrolls, fingers.contains(where: { $0.scrolls }) { return }
        let hasStopped = target.scrolls && isMoving(at: now)
        var finger = GuideFinger(touch, on: target, hasStopped: hasStopped, at: now)
        if target.scrolls {
            across.stop(at: now)
            down.stop(at: now)
            finger.offset = (across.offset(at: now), down.offset(at: now))
        }
        fingers.append(finger)
    }

    private mutating func move(_ index: Int, to touch: Touch, at now: Instant) {
        fingers[index].position = Position(column: touch.column, row: touch.row)
        fingers[index].trail.add(fingers[index].position, at: now)
        let finger = fingers[index]
        if finger.isSpent { return }
        guard finger.target.scrolls else {
            // Sliding off cancels a hold.
            if finger.target == .action(.delete), target(at: finger.position) != finger.target {
                fingers[index].isSpent = true
            }
            return
        }
        if !finger.isDragging {
            guard finger.travel >= GuideFinger.tapTravel * GuideFinger.tapTravel else { return }
            fingers[index].isDragging = true
        }
        if finger.target != .rail {
            across.drag(to: finger.offset.across - Double(finger.position.column - finger.anchor.column))
        }
        if finger.target != .header {
            down.drag(to: finger.offset.down - Double(finger.position.row - finger.anchor.row))
        }
    }

    private mutating func lift(_ index: Int, isCancelled: Bool, at now: Instant, _ acts: inout [ScreenAct]) {
        let finger = fingers.remove(at: index)
        if finger.isSpent { return }
        if finger.target.scrolls {
            let velocity = finger.isDragging && !isCancelled ? finger.trail.velocity(at: now) : (across: 0, down: 0)
            // The content follows the finger, so the offset moves the opposite way.
            across.release(velocity: finger.target == .rail ? 0 : -velocity.across, at: now)
            down.release(velocity: finger.target == .header ? 0 : -velocity.down, at: now)
            let isTap = !finger.isDragging && !finger.hasStopped && now - finger.down < GuideFinger.tap
            if isTap, !isCancelled { tap(finger, at: now, &acts) }
        } else if !isCancelled, target(at: finger.position) == finger.target {
            press(finger.target, at: now, &acts)
        }
    }

    // MARK: Actions

    /// The cell at `position`; nil beyond the last one.
    func cell(at position: Position, _ now: Instant) -> (channel: Int, day: Int)? {
        func index(_ place: Float, _ start: Int, _ axis: ScrollAxis) -> Int? {
            // Each gap is divided between the cells on its sides; the first half belongs to the cell before.
            let led = Double(place - Float(start)) + 1 + Double(axis.drawnOffset(at: now))
            let index = Int((led / Double(axis.pitch)).rounded(.down))
            return (0..<axis.count).contains(index) ? index : nil
        }
        guard let column = index(position.column, GuideLayout.gridColumns.lowerBound, across),
            let row = index(position.row, GuideLayout.gridRows.lowerBound, down)
        else { return nil }
        let (channel, day) = isTurned ? (row, column) : (column, row)
        return (channel, content.days.lowerBound + day)
    }

    private mutating func tap(_ finger: GuideFinger, at now: Instant, _ acts: inout [ScreenAct]) {
        switch finger.target {
        case .grid:
            guard let cell = cell(at: finger.start, finger.down) else {
                (selection, caption) = (nil, nil)
                return
            }
            guard let entry = content[channel: cell.channel, day: cell.day].first else {
                tapEmpty(cell.channel, cell.day, at: now, &acts)
                return
            }
            if let selection, selection.channel == cell.channel, selection.day == cell.day {
                if content.source == .library {
                    acts.append(.open(entry.id))
                } else {
                    openCard(channel: cell.channel, day: cell.day, place: 0, at: now)
                }
                return
            }
            selection = Selection(channel: cell.channel, day: cell.day, entry: entry.id)
            let words = entry.badge.isEmpty ? entry.title : "\(entry.badge) \(entry.title)"
            caption = Marquee(line: TextLine(words), since: now)
        case .header, .rail: name(finger, at: now)
        case .close, .month, .play, .turn, .today, .mark, .back, .previous, .next, .action: break
        }
    }

    /// Handles a tap on an empty cell: in the library a second tap on today's cell begins a pattern.
    private mutating func tapEmpty(_ channel: Int, _ day: Int, at now: Instant, _ acts: inout [ScreenAct]) {
        guard isBlank(channel, day) else {
            (selection, caption) = (nil, nil)
            return
        }
        let blank = Selection(channel: channel, day: day, entry: nil)
        if selection == blank {
            acts.append(.begin(channel: channel))
        } else {
            selection = blank
            caption = Marquee(line: TextLine("NEW IN \(content.channels[channel].name)"), since: now)
        }
    }

    /// Whether a pattern can be begun in the cell.
    func isBlank(_ channel: Int, _ day: Int) -> Bool {
        content.source == .library && day == content.today && content[channel: channel, day: day].isEmpty
    }

    /// Shows the channel or the date of the touched header or rail.
    private mutating func name(_ finger: GuideFinger, at now: Instant) {
        // Position of the grid's first row or column beside the touched header or rail.
        var position = finger.start
        if finger.target == .header { position.row = Float(GuideLayout.gridRows.lowerBound) }
        if finger.target == .rail { position.column = Float(GuideLayout.gridColumns.lowerBound) }
        guard let cell = cell(at: position, finger.down) else { return }
        if (finger.target == .rail) == isTurned {
            caption = Marquee(line: content.channels[cell.channel].nameLine, since: now)
        } else {
            let date = CalendarDate(dayNumber: cell.day)
            caption = Marquee(line: TextLine("\(date.day) \(date.monthName) \(date.year)"), since: now)
        }
    }

    private mutating func press(_ target: GuideLayout.Target, at now: Instant, _ acts: inout [ScreenAct]) {
        switch target {
        case .close: acts.append(.show(.grid))
        case .month:
            let date = shownMonth(at: now)
            caption = Marquee(line: TextLine("\(date.monthName) \(date.year)"), since: now)
        case .play: acts.append(.pressPlay)
        case .turn: turn(at: now)
        case .today: if !fingers.contains(where: { $0.scrolls }) { glideToToday(at: now) }
        case .mark:
            if let undo {
                acts.append(.effect(.job(.restore(undo.entry))))
                self.undo = nil
            } else if let selection {
                if selection.entry == nil {
                    acts.append(.begin(channel: selection.channel))
                } else {
                    openCard(of: selection, at: now)
                }
            }
        case .back: _ = closeCard()
        case .previous: turnCard(by: -1, at: now)
        case .next: turnCard(by: 1, at: now)
        case .action(let action): if let card { perform(action, on: card, at: now, &acts) }
        case .rail, .header, .grid: break
        }
    }

    private mutating func openCard(of selection: Selection, at now: Instant) {
        let entries = content[channel: selection.channel, day: selection.day]
        let place = entries.firstIndex { $0.id == selection.entry }.map { $0 - entries.startIndex }
        openCard(channel: selection.channel, day: selection.day, place: place ?? 0, at: now)
    }

    private mutating func openCard(channel: Int, day: Int, place: Int, at now: Instant) {
        setCard(channel: channel, day: day, place: place, since: now)
        caption = nil
        // A finger under the card no longer scrolls: the grid snaps to a cell.
        if fingers.contains(where: { $0.scrolls }) {
            across.release(velocity: 0, at: now)
            down.release(velocity: 0, at: now)
        }
        spendFingers()
    }

    /// Closes the card; returns whether there was one.
    mutating func closeCard() -> Bool {
        guard card != nil else { return false }
        card = nil
        caption = nil
        spendFingers()
        return true
    }

    private mutating func perform(
        _ action: GuideCard.Action, on card: GuideCard, at now: Instant, _ acts: inout [ScreenAct]
    ) {
        switch action {
        case .open: acts.append(.open(card.entry))
        case .copy:
            acts.append(.effect(.job(.duplicate(card.entry))))
            caption = Marquee(line: GuideWords.copied, since: now)
        case .rename: acts.append(.rename(card.entry))
        // Only a hold deletes; a finger that lifts earlier gets a hint.
        case .delete: caption = Marquee(line: GuideWords.hold, since: now)
        case .watched:
            let entries = content[channel: card.channel, day: card.day]
            guard let entry = entries.first(where: { $0.id == card.entry }) else { return }
            content.setWatched(entry.id, !entry.isWatched)
            acts.append(.effect(.job(.setWatched(entry.id, !entry.isWatched))))
        }
    }
}
