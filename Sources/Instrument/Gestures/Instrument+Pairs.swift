import InputEvents

// Double taps, pairs of swipes and shakes, on the tracks and beside them.

extension Instrument {
    // MARK: Taps

    /// Handles a tap of contact `id` on a step: the second tap of a double tap removes the notes of the step.
    mutating func tap(_ id: Int, _ gesture: Gesture) {
        let (track, step) = (gesture.track, gesture.start.step)
        var tap = Fingers.Tap(landing: state.fingers[id].landing, target: .step(track, step))
        guard let first = doubleTap(with: tap) else {
            commit(id, gesture)
            tap.action = state.fingers[id].action
            state.fingers.remember(tap)
            return
        }
        follow(Hint.doubleTap)
        // Both taps are one history step.
        state.fingers[id].action = first.action
        if gesture.rules == .box {
            perform("STEP", inTouch: id) { $0.pattern.removeNotes(track, at: step, in: gesture.length) }
            showWord(.stepOff, of: id, isDone: true)
        } else {
            // Notes that the first tap wrote at other steps stay.
            perform("STEP", inTouch: id) { $0.pattern.erase(track, step: step) }
            showTooltip("ERASE")
        }
    }

    /// The LEDs beside the tracks, where a double tap starts and stops.
    func isOutsideTracks(_ led: Position.LED) -> Bool {
        // Below the keys are lights, and no overview.
        guard led.row == 1 || !state.view.keys.isShown && Grid.overviewRows.contains(led.row) else { return false }
        return state.rules == .box ? Grid.stepColumns.contains(led.column) : led.row > 1 || led.column > 3
    }

    /// Handles contact `id` that lifts beside the tracks.
    mutating func liftOutsideTracks(_ id: Int) {
        let contact = state.fingers[id]
        guard !contact.isShaking else { return }
        if state.rules == .phone {
            let direction = contact.motion.swipe(endingAt: now)
            if let direction, let last = pair(with: direction, id), swipe(last, direction, id) { return }
            rememberSwipe(direction, of: id, before: Fingers.LastSwipe.Before(state.session))
        }
        let isStill =
            state.rules == .box ? contact.motion.isStill(liftingAt: now) : !contact.motion.hasLeftFirstLED
        guard isStill else { return }
        let tap = Fingers.Tap(landing: contact.landing, target: .outsideTracks)
        let isHeld = contact.motion.isHeld(until: now)
        if stopTakesHold || !isHeld, doubleTap(with: tap) != nil {
            pressPlay()
        } else if !isHeld {
            state.fingers.remember(tap)
            if isOnWindows(contact.landing.led) { chooseWindow(atColumn: contact.landing.led.column) }
        }
    }

    /// Handles contact `id`, which rests beside the tracks: while only a hold stops the music, the second tap of a
    /// double tap does. On the overview of several windows a hold says whether the shown one goes with the playhead.
    mutating func holdOutsideTracks(_ id: Int) {
        let tap = Fingers.Tap(landing: state.fingers[id].landing, target: .outsideTracks)
        if stopTakesHold, doubleTap(with: tap) != nil {
            togglePlay()
        } else if isOnWindows(tap.landing.led) {
            toggleFollow()
        } else {
            return
        }
        state.fingers[id].role = .nothing
    }

    /// The earlier tap with which `tap` makes a double tap; nil for none.
    mutating func doubleTap(with tap: Fingers.Tap) -> Fingers.Tap? {
        state.fingers.doubleTap(with: tap, state.rules, isLocked: state.session.isLocked)
    }

    // MARK: Swipes

    /// Remembers the touch of contact `id` if it was a swipe in a `direction`; nil for another touch.
    mutating func rememberSwipe(_ direction: Swipe?, of id: Int, before: Fingers.LastSwipe.Before?) {
        guard let direction, let before else {
            state.fingers.lastSwipe = nil
            return
        }
        state.fingers.lastSwipe = Fingers.LastSwipe(
            direction: direction, landing: state.fingers[id].landing,
            columns: state.fingers[id].motion.columns, end: now, before: before,
            revision: state.session.history.revision)
    }

    /// The last swipe, if the swipe of contact `id`, which lifts now, makes a pair with it.
    func pair(with direction: Swipe?, _ id: Int) -> Fingers.LastSwipe? {
        state.fingers.pair(with: direction, id, state.rules, revision: state.session.history.revision, at: now)
    }

    /// Handles the second swipe of a pair: takes back what the first wrote, then undoes or redoes. A further one undoes
    /// or redoes once more. Returns false, with nothing changed, if there is nothing to undo or redo.
    mutating func swipe(_ last: Fingers.LastSwipe, _ direction: Swipe, _ id: Int) -> Bool {
        if !last.hasActed {
            let steps = direction == .left ? last.before.history.past : last.before.history.future
            if state.rules == .box, steps.isEmpty { return false }
            if last.revision == state.session.history.revision {
                state.session.composition = last.before.composition
                state.session.history.restore(last.before.history)
            }
        }
        switch direction {
        case .left: undo(tooltip: "<<UNDO")
        case .right: redo(tooltip: "REDO>>")
        }
        state.fingers.forgetTaps()
        state.fingers.lastSwipe = nil
        guard state.rules == .box else { return true }
        var next = last
        (next.landing, next.columns) = (state.fingers[id].landing, state.fingers[id].motion.columns)
        (next.end, next.hasActed) = (now, true)
        state.fingers.lastSwipe = next
        return true
    }

    // MARK: Shakes

    /// Handles a shake by `id`: clears after enough reversals, the track under the rules of the box, all under the
    /// phone's.
    mutating func shake(_ id: Int) {
        let reversals = state.fingers[id].motion.reversals
        let isShaking = reversals >= Limits.shakeMute
        if state.fingers[id].isShaking, !isShaking, state.rules == .box {
            // The count began anew.
            state.fingers[id].isShaking = false
            preview(id)
        }
        guard !state.session.isLocked, isShaking else { return }
        state.fingers[id].isShaking = true
        state.fingers[id].due = nil
        state.fingers[id].placements.removeAll(keepingCapacity: true)
        guard reversals >= Limits.shakeClear else { return }
        if case .gesture(let gesture) = state.fingers[id].role, gesture.rules == .box {
            perform("CLEAR", inGroupOf: id) { $0.pattern.clear(gesture.track) }
            effects.append(.fade)
            showTooltip("~SHAKE CLEAR~")
        } else {
            clear(tooltip: "~SHAKE CLEAR~")
        }
        state.fingers[id].role = .nothing
    }
}
