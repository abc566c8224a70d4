import InputEvents

// The windows of a pattern longer than 32 steps: the overview chooses one, two fingers on the row of the steps scroll,
// and the shown one goes with the playhead until a finger draws, on LANES too (docs/spec.md, section 4).

extension Instrument {
    /// The window of the pattern that the grid shows.
    var window: StepWindow { state.window }

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

    /// Handles contact `id`, which moves on the row of the steps: with a second finger there it scrolls, by a window for
    /// each group of steps and its gap that both have gone.
    mutating func scroll(contact id: Int) {
        guard state.rules == .box, pattern.shownWindows > 1, state.fingers[id].landing.led.row == 1 else { return }
        let other = state.fingers.contacts.indices.first {
            $0 != id && state.fingers[$0].role == .outsideTracks && state.fingers[$0].landing.led.row == 1
        }
        guard let other else { return }
        let travels = [id, other].map { Int(state.fingers[$0].motion.travel / Limits.scrollColumns) }
        let count = travels[0] * travels[1] > 0 ? travels.min { $0.magnitude < $1.magnitude } ?? 0 : 0
        // Both have remembered the window that was shown when they landed; the later one counts.
        let later = state.fingers[id].landingNumber > state.fingers[other].landingNumber ? id : other
        let next = (state.fingers[later].remembered - count).clamped(to: 0...pattern.shownWindows - 1)
        if next != window.index { show(window: next) }
    }

    /// Shows the window at `index` and stays there. Fingers that draw go on in it.
    private mutating func show(window index: Int) {
        (state.view.window, state.view.follows) = (index, false)
        let steps = window.steps(of: pattern.length)
        showTooltip("\(steps.lowerBound + 1)-\(steps.upperBound)")
        for id in state.fingers.contacts.indices {
            if case .gesture(let gesture)? = state.fingers[id].role {
                follow(id, gesture, from: state.fingers[id].motion.position)
            }
        }
    }
}
