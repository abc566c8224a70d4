import InputEvents

// The windows of a pattern longer than 32 steps: the overview chooses one, two fingers scroll on the row of the steps,
// or on the notes of LANES, and the shown one goes with the playhead until a finger draws (docs/spec.md, section 4).

extension Instrument {
    /// The window of the pattern that the grid shows.
    var window: StepWindow { state.window }

    /// Windows of the longest pattern, from 0.
    public static let windows = 0...Pattern.windows - 1

    /// Shows the window at `index`, within `windows`, which goes with the playhead if it `follows`.
    public mutating func show(window index: Int, follows: Bool) {
        precondition(Self.windows.contains(index))
        (state.view.window, state.view.follows) = (index, follows)
    }

    /// Shows the window with the audible `step`, unless the player has chosen one.
    mutating func followPlayhead(to step: Int) {
        if state.view.follows { state.view.window = step / Pattern.window }
    }

    /// Whether `led` is on the overview, of a pattern that has several windows.
    func isOnWindows(_ led: Position.LED) -> Bool {
        state.rules == .box && Grid.overviewRows.contains(led.row) && pattern.shownWindows > 1
    }

    /// Shows the window with the steps at `column` of the overview.
    mutating func chooseWindow(atColumn column: Int) {
        guard let place = Grid.step(atColumn: column) else { return }
        let step = min(place * pattern.shownWindows, pattern.length - 1)
        show(window: step / Pattern.window)
    }

    /// Lets the window go with the playhead, or stay.
    mutating func toggleFollow() {
        state.view.follows.toggle()
        if state.view.follows, let step = state.transport.playhead?.step { followPlayhead(to: step) }
        showTooltip(state.view.follows ? "FOLLOW" : "STAY")
    }

    /// The length of what the screen shows: on LANES the track's own, unless it shows the pattern's harmony.
    var shownLength: Int {
        if case .lanes(let sheet) = state.view.screen, sheet.lane == .harmony { return pattern.length }
        return state.view.screen.laneTrack.map { pattern.length(of: $0) } ?? pattern.length
    }

    /// Handles contact `id`, which has landed on the row of the steps, or on the track's notes of LANES. With a second
    /// finger there both scroll, and make nothing else.
    mutating func joinScroll(_ id: Int) {
        state.fingers[id].remembered = state.window(of: shownLength).index
        guard state.rules == .box, shownLength > Pattern.window else { return }
        let scrollers = state.fingers.contacts.indices.filter { state.fingers[$0].mayScroll }
        guard scrollers.count > 1 else { return }
        for scroller in scrollers { (state.fingers[scroller].role, state.fingers[scroller].due) = (.scrolling, nil) }
    }

    /// Handles contact `id`, which scrolls and moves: by a window for each group of steps and its gap that another
    /// finger that scrolls has gone too.
    mutating func scroll(contact id: Int) {
        let other = state.fingers.contacts.indices.first { $0 != id && state.fingers[$0].role == .scrolling }
        guard let other else { return }
        let travels = [id, other].map { Int(state.fingers[$0].motion.travel / Limits.scrollColumns) }
        let count = travels[0] * travels[1] > 0 ? travels.min { $0.magnitude < $1.magnitude } ?? 0 : 0
        // Both have remembered the window that was shown when they landed; the later one counts.
        let later = state.fingers[id].landingNumber > state.fingers[other].landingNumber ? id : other
        let next = (state.fingers[later].remembered - count).clamped(to: 0...(shownLength - 1) / Pattern.window)
        if next != state.window(of: shownLength).index { show(window: next) }
    }

    /// Shows the window at `index` and stays there. Fingers that draw go on in it.
    private mutating func show(window index: Int) {
        show(window: index, follows: false)
        let steps = state.window(of: shownLength).steps(of: shownLength)
        showTooltip("\(steps.lowerBound + 1)-\(steps.upperBound)")
        for id in state.fingers.contacts.indices {
            if case .gesture(let gesture)? = state.fingers[id].role {
                follow(id, gesture, from: state.fingers[id].motion.position)
            }
        }
    }
}

extension Contact {
    /// Whether it scrolls, or does beside a second finger: on the row of the steps, or on the notes of LANES unless it
    /// moves the post.
    fileprivate var mayScroll: Bool {
        switch role {
        case .scrolling: true
        case .outsideTracks: landing.led.row == 1
        case .laneLength(let touch): !touch.isDragging
        case .gesture, .control, .spot, .guide, .colourHold, .stickPrompt, .play, .scene, .part, .ordering, .chain,
            .page, .lane, .pickedUp, .copy, .key, .fxLight, .fx, .nothing, nil:
            false
        }
    }
}
