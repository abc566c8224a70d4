import InputEvents
import Display

// Fingers on the steps and on the overview of the LANES screen. All draw at once, and each is one history step.

/// A finger on the steps of a lane.
struct LaneTouch: Hashable, Sendable {
    let track: Track
    let lane: Lane
    /// The note whose own values it draws; nil for the track's.
    let note: Int?
    /// The window in which it landed.
    let window: StepWindow
    /// Where it has drawn last.
    var step: Int
    var row: Float
    /// The value with which it began, for what a tap or a drag makes of it.
    let first: Int?
}

/// A finger on the overview of a lane.
struct LaneLengthTouch: Hashable, Sendable {
    /// The track whose length it may change; nil for the pattern's, below the harmony.
    let track: Track?
    /// The window in which it landed.
    let window: StepWindow
    /// Whether it moves the post.
    var isDragging: Bool
}

extension Lanes {
    static let title = TextLine("LANES")
    static let fillTitle = TextLine("FILL")
    /// All rows of single notes have values.
    static let full = TextLine("FULL")
}

extension Pattern {
    /// The value of `lane` of `track`, or the own one of its `note`.
    func laneValue(_ track: Track, _ lane: Lane, _ note: Int?, step: Int) -> Int? {
        note.map { lanes[track, lane, note: $0, step: step] } ?? lanes[track, lane, step: step]
    }

    /// Sets that value, or removes it. Returns false, without a change, if there is no room for it.
    fileprivate mutating func setLaneValue(
        _ value: Int?, _ track: Track, _ lane: Lane, _ note: Int?, step: Int
    ) -> Bool {
        if let note { return setValue(value, track, lane, note: note, step: step) }
        lanes[track, lane, step: step] = value
        return true
    }
}

extension Instrument.State {
    /// Whether FILL is held.
    public var isFilling: Bool {
        fingers.contacts.contains { if case .spot(.fill, _)? = $0.role { true } else { false } }
    }
}

extension Instrument {
    /// The lights of LANES, FILL and TAKE on the grid.
    func laneSpot(at led: Position.LED) -> Spot? {
        guard led.row >= 22 else { return nil }
        return switch led.column {
        case 0...1: .lanesLight
        case 2...3: .fill
        case 42...: .takeLight
        default: nil
        }
    }

    /// Opens the lanes of the track touched last, or returns from them.
    mutating func toggleLanes() {
        if case .lanes = state.view.screen {
            show(.grid)
        } else {
            show(.lanes(LanesSheet(of: state.fingers.playedTrack)))
            showTooltip(Lanes.title)
        }
    }

    /// Handles contact `id` that lands on the steps or the overview of the LANES screen.
    mutating func landOnLanes(_ spot: Spot, contact id: Int) {
        guard case .lanes(let sheet) = state.view.screen else { return }
        state.view.follows = false
        if spot == .laneSteps {
            landOnLane(sheet.track, sheet.lane, sheet.note, contact: id)
        } else {
            landOnLaneOverview(sheet.lane == .harmony ? nil : sheet.track, contact: id)
        }
    }

    /// The step at `position` of the LANES screen while it shows `window`.
    func laneStep(at position: Position, _ window: StepWindow) -> Int {
        let column = position.led.column.clamped(
            to: Grid.stepColumns.lowerBound...Grid.stepColumns.upperBound - 1)
        return window.step(atColumn: column) ?? 0
    }

    /// The window of the LANES screen: that of the grid, or the last that is left of what is shown.
    var laneWindow: StepWindow { state.window(of: shownLength) }

    /// Handles contact `id` that lands on the steps: the value at its height, or none for the second tap of a double
    /// tap.
    private mutating func landOnLane(_ track: Track, _ lane: Lane, _ note: Int?, contact id: Int) {
        state.fingers[id].role = .nothing
        guard !isRefused(), lane.exists(on: track) else { return }
        let position = state.fingers[id].motion.position
        let window = laneWindow
        let step = laneStep(at: position, window)
        let first = pattern.laneValue(track, lane, note, step: step)
        let tap = Fingers.Tap(landing: state.fingers[id].landing, target: .lane(track, lane, step, note: note))
        let touch = LaneTouch(
            track: track, lane: lane, note: note, window: window, step: step, row: position.row, first: first)
        if let before = doubleTap(with: tap) {
            state.fingers[id].action = before.action
            write(nil, touch, steps: step...step, contact: id)
            return
        }
        state.fingers[id].role = .lane(touch)
        switch lane {
        case .when:
            guard let turn = StepCondition.turn(atRow: position.row) else {
                let row = position.led.row.clamped(to: StepCondition.wordRows)
                let next = StepCondition.next(after: first, atRow: row)
                write(next, touch, steps: step...step, contact: id)
                state.fingers[id].role = .nothing
                break
            }
            var turns = max(2, turn)
            if case .every(_, let old)? = first.flatMap(StepCondition.init(code:)) { turns = max(old, turn) }
            let code = StepCondition.every(turn: turn, of: turns).code
            write(code, touch, steps: step...step, contact: id)
        case .slide:
            write(first == nil ? 1 : nil, touch, steps: step...step, contact: id)
        case .velocity, .chance, .ratchet, .ramp, .gate, .shift, .cutoff, .resonance, .pan, .delay, .reverb, .harmony:
            write(value(atRow: position.row, of: touch, at: step), touch, steps: step...step, contact: id)
        }
        var next = tap
        next.action = state.fingers[id].action
        state.fingers.remember(next)
    }

    /// Handles contact `id` that moves over the steps: the line from where it was.
    mutating func drawLane(_ touch: LaneTouch, contact id: Int) {
        let position = state.fingers[id].motion.position
        var next = touch
        (next.step, next.row) = (laneStep(at: position, touch.window), position.row)
        guard next != touch else { return }
        state.fingers[id].role = .lane(next)
        switch touch.lane {
        case .when:
            guard let landed = StepCondition.turn(atRow: state.fingers[id].motion.start.row),
                let turn = StepCondition.turn(atRow: position.row), turn != landed
            else { return }
            let step = laneStep(at: state.fingers[id].motion.start, touch.window)
            let (low, high) = (min(landed, turn), max(2, landed, turn))
            write(StepCondition.every(turn: low, of: high).code, touch, steps: step...step, contact: id)
        case .slide:
            let steps = min(touch.step, next.step)...max(touch.step, next.step)
            write(touch.first == nil ? 1 : nil, touch, steps: steps, contact: id)
        case .velocity, .chance, .ratchet, .ramp, .gate, .shift, .cutoff, .resonance, .pan, .delay, .reverb, .harmony:
            let steps = touch.step <= next.step ? Array(touch.step...next.step) : (next.step...touch.step).reversed()
            for (place, step) in steps.enumerated() where place > 0 || steps.count == 1 {
                let part = steps.count > 1 ? Float(place) / Float(steps.count - 1) : 1
                let row = touch.row + (next.row - touch.row) * part
                write(value(atRow: row, of: touch, at: step), touch, steps: step...step, contact: id)
            }
        }
    }

    /// The value at `row`. Where the track has one, a note has its own also without an effect.
    private func value(atRow row: Float, of touch: LaneTouch, at step: Int) -> Int? {
        let value = touch.lane.value(atRow: row)
        if touch.note == nil || value != nil { return value }
        return pattern.lanes[touch.track, touch.lane, step: step] == nil ? nil : touch.lane == .ratchet ? 1 : 0
    }

    private mutating func write(_ value: Int?, _ touch: LaneTouch, steps: ClosedRange<Int>, contact id: Int) {
        var isFull = false
        perform(touch.lane.title, inTouch: id) {
            for step in steps where !$0.pattern.setLaneValue(value, touch.track, touch.lane, touch.note, step: step) {
                isFull = true
            }
        }
        say(isFull ? Lanes.full.text : touch.lane.word(for: value), of: id)
    }

    /// Shows `text` away from the finger of contact `id`.
    private mutating func say(_ text: String, of id: Int) {
        state.view.tooltip = Tooltip(
            line: TextLine(text), since: now, isBelow: state.fingers[id].motion.position.led.row < 12,
            isAmongSteps: true)
    }

    /// Empties `lane` of `track`, or of its `note`.
    mutating func clearLane(_ track: Track, _ lane: Lane, _ note: Int?, contact id: Int) {
        guard !isRefused() else { return }
        perform(lane.title, inTouch: id) {
            if let note {
                $0.pattern.lanes.clear(track, lane, note: note)
            } else {
                $0.pattern.lanes.clear(track, lane)
            }
        }
        showTooltip("\(lane.title) OFF")
        state.fingers[id].role = .nothing
    }

    // MARK: Notes

    /// The notes on the rows of the page that is shown of `track`.
    func pageMap(of track: Track) -> PageMap {
        PageMap(state.rules, track, page: state.session.pages[track.rawValue], pattern.tonality)
    }

    /// The notes that taps on row `row` of the page of `track` choose in turn: the row's own, and then others of its
    /// light that the pattern has.
    private func laneNotes(atRow row: Int, of track: Track) -> [Int] {
        let map = pageMap(of: track)
        guard let first = map.note(atRow: row) else { return [] }
        let shown = map.notes(atRow: row)
        return [first]
            + track.notes.filter {
                $0 != first && shown.contains($0) && !pattern.cells(track, note: $0).isEmpty
            }
    }

    /// The note that a tap on row `row` of the note page of LANES chooses; nil for the track.
    func nextLaneNote(atRow row: Int, _ sheet: LanesSheet) -> Int? {
        let notes = laneNotes(atRow: row, of: sheet.track)
        let next = sheet.note.flatMap { notes.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        return next < notes.count ? notes[next] : nil
    }

    /// Chooses a note on row `row` of the note page of LANES, or the track again after its last.
    mutating func chooseLaneNote(atRow row: Int) {
        guard case .lanes(var sheet) = state.view.screen, pageMap(of: sheet.track).note(atRow: row) != nil else {
            return
        }
        sheet.choose(note: nextLaneNote(atRow: row, sheet))
        state.view.screen = .lanes(sheet)
        showTooltip(sheet.note.map { Word.name(ofNote: $0, on: sheet.track) } ?? sheet.track.name.uppercased())
    }

    // MARK: The track's own length

    /// Handles contact `id` that lands on the overview: near the post it moves that, elsewhere after a hold.
    private mutating func landOnLaneOverview(_ track: Track?, contact id: Int) {
        let (window, last) = (laneWindow, shownLength - 1)
        let post = window.column(ofStep: last) + 1
        let distance = abs(state.fingers[id].motion.position.column - Float(post))
        let isNear = window.contains(last) && distance <= 2.5
        state.fingers[id].role = .laneLength(
            LaneLengthTouch(track: track, window: window, isDragging: isNear))
        if !isNear {
            state.fingers[id].due = now + Limits.hold
            joinScroll(id)
        }
    }

    /// Handles contact `id` that rests on the overview: from now on it moves the post.
    mutating func holdLaneOverview(_ touch: LaneLengthTouch, contact id: Int) {
        var next = touch
        next.isDragging = true
        state.fingers[id].role = .laneLength(next)
        dragLaneLength(next, contact: id)
    }

    /// Handles contact `id` that moves on the overview.
    mutating func dragLaneLength(_ touch: LaneLengthTouch, contact id: Int) {
        guard touch.isDragging else {
            if state.fingers[id].motion.hasLeftFirstLED { state.fingers[id].due = nil }
            return
        }
        guard !isRefused() else { return }
        // The post stands after the last step.
        var position = state.fingers[id].motion.position
        position.column -= 1
        let length = laneStep(at: position, touch.window) + 1
        perform("LENGTH", inTouch: id) {
            guard let track = touch.track else { return $0.pattern.length = length }
            $0.pattern.setLength(of: track, to: length)
        }
        say("\(length) STEP\(length == 1 ? "" : "S")", of: id)
    }

    /// Handles contact `id` that lifts from the overview: the second of two swipes undoes or redoes.
    mutating func liftFromLaneOverview(_ touch: LaneLengthTouch, contact id: Int) {
        guard !touch.isDragging else { return }
        let direction = state.fingers[id].motion.swipe(endingAt: now)
        if let direction, let last = pair(with: direction, id), swipe(last, direction, id) { return }
        rememberSwipe(direction, of: id, before: Fingers.LastSwipe.Before(state.session))
    }
}
