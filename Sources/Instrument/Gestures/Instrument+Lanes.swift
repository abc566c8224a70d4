import InputEvents
import Display

// Fingers on the steps and on the overview of the LANES screen. All draw at once, and each is one history step.

/// A finger on the steps of a lane.
struct LaneTouch: Hashable, Sendable {
    let track: Track
    let lane: Lane
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
    let track: Track
    /// The window in which it landed.
    let window: StepWindow
    /// Whether it moves the post.
    var isDragging: Bool
}

extension Lanes {
    static let title = TextLine("LANES")
    static let fillTitle = TextLine("FILL")
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
            landOnLane(sheet.track, sheet.lane, contact: id)
        } else {
            landOnLaneOverview(sheet.track, contact: id)
        }
    }

    /// The step at `position` of the LANES screen while it shows `window`.
    func laneStep(at position: Position, _ window: StepWindow) -> Int {
        let column = position.led.column.clamped(
            to: Grid.stepColumns.lowerBound...Grid.stepColumns.upperBound - 1)
        return window.step(atColumn: column) ?? 0
    }

    /// The window of the LANES screen: that of the grid, or the last that the track has.
    var laneWindow: StepWindow {
        let track = state.view.screen.laneTrack ?? state.fingers.playedTrack
        return state.window(of: pattern.length(of: track))
    }

    /// Handles contact `id` that lands on the steps: the value at its height, or none for the second tap of a double
    /// tap.
    private mutating func landOnLane(_ track: Track, _ lane: Lane, contact id: Int) {
        state.fingers[id].role = .nothing
        guard !isRefused(), lane.exists(on: track) else { return }
        let position = state.fingers[id].motion.position
        let window = laneWindow
        let step = laneStep(at: position, window)
        let first = pattern.lanes[track, lane, step: step]
        let tap = Fingers.Tap(landing: state.fingers[id].landing, target: .lane(track, lane, step))
        if let before = doubleTap(with: tap) {
            state.fingers[id].action = before.action
            write(nil, track, lane, steps: step...step, contact: id)
            return
        }
        state.fingers[id].role = .lane(
            LaneTouch(track: track, lane: lane, window: window, step: step, row: position.row, first: first))
        switch lane {
        case .when:
            guard let turn = StepCondition.turn(atRow: position.row) else {
                let row = position.led.row.clamped(to: StepCondition.wordRows)
                let next = StepCondition.next(after: first, atRow: row)
                write(next, track, lane, steps: step...step, contact: id)
                state.fingers[id].role = .nothing
                break
            }
            var turns = max(2, turn)
            if case .every(_, let old)? = first.flatMap(StepCondition.init(code:)) { turns = max(old, turn) }
            let code = StepCondition.every(turn: turn, of: turns).code
            write(code, track, lane, steps: step...step, contact: id)
        case .slide:
            write(first == nil ? 1 : nil, track, lane, steps: step...step, contact: id)
        case .velocity, .chance, .ratchet, .ramp, .gate, .shift, .cutoff, .resonance, .pan, .delay, .reverb:
            write(lane.value(atRow: position.row), track, lane, steps: step...step, contact: id)
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
        let (track, lane) = (touch.track, touch.lane)
        switch lane {
        case .when:
            guard let landed = StepCondition.turn(atRow: state.fingers[id].motion.start.row),
                let turn = StepCondition.turn(atRow: position.row), turn != landed
            else { return }
            let step = laneStep(at: state.fingers[id].motion.start, touch.window)
            let (low, high) = (min(landed, turn), max(2, landed, turn))
            write(StepCondition.every(turn: low, of: high).code, track, lane, steps: step...step, contact: id)
        case .slide:
            let steps = min(touch.step, next.step)...max(touch.step, next.step)
            write(touch.first == nil ? 1 : nil, track, lane, steps: steps, contact: id)
        case .velocity, .chance, .ratchet, .ramp, .gate, .shift, .cutoff, .resonance, .pan, .delay, .reverb:
            let steps = touch.step <= next.step ? Array(touch.step...next.step) : (next.step...touch.step).reversed()
            for (place, step) in steps.enumerated() where place > 0 || steps.count == 1 {
                let part = steps.count > 1 ? Float(place) / Float(steps.count - 1) : 1
                let row = touch.row + (next.row - touch.row) * part
                write(lane.value(atRow: row), track, lane, steps: step...step, contact: id)
            }
        }
    }

    private mutating func write(_ value: Int?, _ track: Track, _ lane: Lane, steps: ClosedRange<Int>, contact id: Int) {
        perform(lane.title, inTouch: id) {
            for step in steps { $0.pattern.lanes[track, lane, step: step] = value }
        }
        say(lane.word(for: value), of: id)
    }

    /// Shows `text` away from the finger of contact `id`.
    private mutating func say(_ text: String, of id: Int) {
        state.view.tooltip = Tooltip(
            line: TextLine(text), since: now, isBelow: state.fingers[id].motion.position.led.row < 12,
            isAmongSteps: true)
    }

    /// Empties `lane` of `track`.
    mutating func clearLane(_ track: Track, _ lane: Lane, contact id: Int) {
        guard !isRefused() else { return }
        perform(lane.title, inTouch: id) { $0.pattern.lanes.clear(track, lane) }
        showTooltip("\(lane.title) OFF")
        state.fingers[id].role = .nothing
    }

    // MARK: The track's own length

    /// Handles contact `id` that lands on the overview: near the post it moves that, elsewhere after a hold.
    private mutating func landOnLaneOverview(_ track: Track, contact id: Int) {
        let (window, last) = (laneWindow, pattern.length(of: track) - 1)
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
        perform("LENGTH", inTouch: id) { $0.pattern.setLength(of: touch.track, to: length) }
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
