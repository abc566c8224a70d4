import InputEvents

// Double taps, pairs of swipes and shakes, on the tracks and beside them.

extension Instrument {
    // MARK: Taps

    /// Handles a tap of contact `id` on a step: the second tap of a double tap removes the notes of the step.
    mutating func tap(_ id: Int, _ gesture: Gesture) {
        let (track, step) = (gesture.track, gesture.start.step)
        var tap = State.Tap(landing: state.contacts[id].landing, target: .step(track, step))
        guard let first = doubleTap(with: tap) else {
            commit(id, gesture)
            tap.action = state.contacts[id].action
            remember(tap)
            return
        }
        follow(Hint.doubleTap)
        // Both taps are one history step.
        state.contacts[id].action = first.action
        if gesture.rules == .box {
            perform(inTouch: id) { $0.pattern.removeNotes(track, at: step, in: gesture.length) }
            showWord(.stepOff, of: id, isDone: true)
        } else {
            // Notes that the first tap wrote at other steps stay.
            perform(inTouch: id) { $0.pattern.erase(track, step: step) }
            showTooltip("ERASE")
        }
    }

    /// The LEDs beside the tracks, where a double tap starts and stops.
    func isOutsideTracks(_ led: Position.LED) -> Bool {
        guard led.row == 1 || led.row == 22 || led.row == 23 else { return false }
        return state.rules == .box ? Grid.stepColumns.contains(led.column) : led.row > 1 || led.column > 3
    }

    /// Handles contact `id` that lifts beside the tracks.
    mutating func liftOutsideTracks(_ id: Int) {
        let contact = state.contacts[id]
        guard !contact.isShaking else { return }
        if state.rules == .phone {
            let direction = contact.motion.swipe(endingAt: now)
            if let direction, let last = state.lastSwipe, isPair(last, direction, id) {
                if swipe(last, direction, id) { return }
            }
            rememberSwipe(direction, of: id, before: State.LastSwipe.Before(state.session))
        }
        let isStill =
            state.rules == .box ? contact.motion.isStill(liftingAt: now) : !contact.motion.hasLeftFirstLED
        guard isStill, !contact.motion.isHeld(until: now) else { return }
        let tap = State.Tap(landing: contact.landing, target: .outsideTracks)
        if doubleTap(with: tap) != nil {
            togglePlay()
        } else {
            remember(tap)
        }
    }

    /// Remembers `tap`, and the taps before it of as many fingers as there can be.
    mutating func remember(_ tap: State.Tap) {
        if state.taps.count == Touch.contactsMax { state.taps.removeFirst() }
        state.taps.append(tap)
    }

    /// The earlier tap with which `tap` makes a double tap; nil for none. The pair is then used up.
    mutating func doubleTap(with tap: State.Tap) -> State.Tap? {
        let place: Int?
        switch state.rules {
        case .box:
            // Taps of other fingers may have ended since the second landed.
            place = state.taps.firstIndex {
                $0.landing.led == tap.landing.led && $0.landing.isFollowedAlone(by: tap.landing)
            }
        case .phone:
            place = state.taps.indices.last.flatMap {
                abs(state.taps[$0].landing.led.row - tap.landing.led.row) <= 1 && !state.session.isLocked ? $0 : nil
            }
        }
        guard let place, state.taps[place].target == tap.target,
            tap.landing.time - state.taps[place].landing.time < state.rules.limits.doubleTap
        else { return nil }
        return state.taps.remove(at: place)
    }

    // MARK: Swipes

    /// Remembers the touch of contact `id` if it was a swipe in a `direction`; nil for another touch.
    mutating func rememberSwipe(_ direction: Swipe?, of id: Int, before: State.LastSwipe.Before?) {
        guard let direction, let before else {
            state.lastSwipe = nil
            return
        }
        state.lastSwipe = State.LastSwipe(
            direction: direction, landing: state.contacts[id].landing, end: now, before: before,
            revision: state.session.history.revision)
    }

    /// Whether the swipe of contact `id`, which lifts `now`, makes a pair with `last`.
    func isPair(_ last: State.LastSwipe, _ direction: Swipe, _ id: Int) -> Bool {
        guard direction == last.direction else { return false }
        let limits = state.rules.limits
        guard state.rules == .box else { return now - last.end <= limits.swipePair }
        let landing = state.contacts[id].landing
        let distance = Limits.swipeDistance
        return last.landing.isFollowedAlone(by: landing) && state.landings == landing.number
            && landing.time >= last.end && landing.time - last.end <= limits.swipePair
            && abs(landing.led.column - last.landing.led.column) <= distance.columns
            && abs(landing.led.row - last.landing.led.row) <= distance.rows
            && (last.hasActed || last.revision == state.session.history.revision)
    }

    /// Handles the second swipe of a pair: takes back what the first wrote, then undoes or redoes. A further one undoes or redoes
    /// once more. Returns false, with nothing changed, if there is nothing to undo or redo.
    mutating func swipe(_ last: State.LastSwipe, _ direction: Swipe, _ id: Int) -> Bool {
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
        state.taps.removeAll(keepingCapacity: true)
        state.lastSwipe = nil
        guard state.rules == .box else { return true }
        state.lastSwipe = last
        state.lastSwipe?.landing = state.contacts[id].landing
        state.lastSwipe?.end = now
        state.lastSwipe?.hasActed = true
        return true
    }

    // MARK: Shakes

    /// Handles a shake by `id`: clears after enough reversals, the track under the rules of the box, all under the phone's.
    mutating func shake(_ id: Int) {
        let reversals = state.contacts[id].motion.reversals
        let isShaking = reversals >= Limits.shakeMute
        if state.contacts[id].isShaking, !isShaking, state.rules == .box {
            // The count began anew.
            state.contacts[id].isShaking = false
            preview(id)
        }
        guard !state.session.isLocked, isShaking else { return }
        state.contacts[id].isShaking = true
        state.contacts[id].due = nil
        state.contacts[id].placements.removeAll(keepingCapacity: true)
        guard reversals >= Limits.shakeClear else { return }
        if case .gesture(let gesture) = state.contacts[id].role, gesture.rules == .box {
            perform(inGroupOf: id) { $0.pattern.clear(gesture.track) }
            effects.append(.fade)
            showTooltip("~SHAKE CLEAR~")
        } else {
            clear(tooltip: "~SHAKE CLEAR~")
        }
        state.contacts[id].role = .nothing
    }
}
