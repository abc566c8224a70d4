import InputEvents

// Fingers on the tracks: landing, preview and writing.

extension Instrument {
    /// Handles contact `id`, which lands on a track and begins `gesture`.
    mutating func land(_ id: Int, _ gesture: Gesture) {
        // It was played to what was heard.
        state.contacts[id].recording = beginRecording(on: gesture.track, at: now - state.contacts[id].soundDelay)
        // A tap that is recorded adds its note, whatever the finger's LED shows.
        let gesture = state.contacts[id].recording == nil ? gesture : gesture.overDark
        state.contacts[id].role = .gesture(gesture)
        state.contacts[id].due = now + Limits.hold
        joinGroup(id)
        placed(gesture, of: id).write(&state.contacts[id].placements, over: state.session.composition.pattern)
        if state.soundsTaps || state.contacts[id].recording != nil { soundLanding(of: id, gesture) }
        if isFrozen { state.contacts[id].placements.removeAll(keepingCapacity: true) }
        showWord(of: id)
    }

    /// Fingers that land on tracks together make one history step. Under the rules of the phone each makes its own.
    private mutating func joinGroup(_ id: Int) {
        let landing = state.contacts[id].landing
        if state.rules == .phone || now - state.group.since > Limits.undoMerge {
            state.group = State.Group(number: landing.number, since: now)
        }
        state.contacts[id].group = state.group.number
        state.contacts[id].action = state.group.action
    }

    /// Sounds what a tap on a dark LED writes: under the rules of the box, or if it is recorded, one step long and not accented.
    private mutating func soundLanding(of id: Int, _ gesture: Gesture) {
        let placements = state.contacts[id].placements
        guard gesture.rules == .box || state.contacts[id].recording != nil else {
            return audition(placements, on: gesture.track)
        }
        guard gesture.lit.isEmpty, !state.silent.contains(gesture.track) else { return }
        effects.append(
            .audition(
                pattern.sounding(placements, on: gesture.track)
                    .map { Effect.Note(track: gesture.track, note: $0.note, velocity: 1, steps: 1) }))
    }

    /// Handles contact `id`, which draws `gesture` and has moved from `previous`.
    mutating func follow(_ id: Int, _ gesture: Gesture, from previous: Position) {
        let motion = state.contacts[id].motion
        var next = gesture
        if let place = gesture.place(from: previous, to: motion.position) { next.end = place }
        if motion.hasLeftFirstLED { state.contacts[id].due = nil }
        if gesture.rules == .box {
            next.isStill = motion.isStill(liftingAt: now)
            // Time alone ends being still.
            if let end = motion.stillUntil, next.isStill, end > now { state.contacts[id].due = end }
        }
        update(id, gesture, to: next)
    }

    /// Handles contact `id`, which draws `gesture` and has rested until `due`.
    mutating func hold(_ id: Int, _ gesture: Gesture) {
        var next = gesture
        let motion = state.contacts[id].motion
        if motion.hasLeftFirstLED {
            // The last moment at which a lift would have counted as still is over.
            next.isStill = motion.position.led == motion.start.led && !motion.hasWandered
        } else {
            next.isHeld = true
        }
        update(id, gesture, to: next)
    }

    private mutating func update(_ id: Int, _ gesture: Gesture, to next: Gesture) {
        guard next != gesture else { return }
        state.contacts[id].role = .gesture(next)
        preview(id)
        // The chord of a stack, and whether a gesture leaves its page, depend on how far it reaches.
        let isOther = next.shape != gesture.shape || next.isHeld != gesture.isHeld || next.shape == .stack
        let leaves = next.rules == .box && offPage(of: id) != state.tooltip?.offPage
        if isOther || leaves { showWord(of: id) }
    }

    mutating func preview(_ id: Int) {
        guard case .gesture(let gesture) = state.contacts[id].role, !state.contacts[id].isShaking, !isFrozen else {
            return
        }
        placed(gesture, of: id).write(&state.contacts[id].placements, over: state.session.composition.pattern)
    }

    // MARK: Lifting

    /// Handles contact `id`, which draws `gesture` and lifts.
    mutating func lift(_ id: Int, _ gesture: Gesture) {
        guard !state.contacts[id].isShaking, !isFrozen else { return }
        var gesture = gesture
        let motion = state.contacts[id].motion
        if gesture.rules == .box {
            gesture.isStill = motion.isStill(liftingAt: now)
            state.contacts[id].role = .gesture(gesture)
            preview(id)
        }
        let direction = motion.swipe(endingAt: now)
        if let direction, let last = state.lastSwipe, isPair(last, direction, id) {
            if swipe(last, direction, id) { return }
            // With nothing to undo or redo the two are gestures like any.
            state.lastSwipe = nil
            commit(id, gesture)
            return
        }
        let before = direction == nil ? nil : State.LastSwipe.Before(state.session)
        let isTap = gesture.rules == .box ? gesture.isStill : !motion.hasLeftFirstLED
        if let recording = state.contacts[id].recording, gesture.shape == .tap {
            recordTap(of: id, gesture, recording)
            follow(gesture)
            if gesture.rules == .box { showWord(of: id, isDone: recording != .nothing) }
        } else if isTap, !gesture.isHeld {
            tap(id, gesture)
        } else {
            if gesture.rules == .phone { state.taps.removeAll(keepingCapacity: true) }
            commit(id, gesture)
        }
        rememberSwipe(direction, of: id, before: before)
    }

    /// Changes the pattern by the gesture of contact `id`. Fingers that landed together make one history step.
    mutating func commit(_ id: Int, _ gesture: Gesture) {
        let placements = state.contacts[id].placements
        perform(inGroupOf: id) { gesture.apply(placements, to: &$0.pattern) }
        follow(gesture)
        if gesture.rules == .box {
            showWord(of: id, isDone: true)
        } else if state.session.auditions, !state.isPlaying, !state.soundsTaps {
            // With tap sound on, the note sounded when the finger landed.
            audition(placements, on: gesture.track)
        }
    }

    mutating func perform(inGroupOf id: Int, _ change: (inout Composition) -> Void) {
        perform(inTouch: id, change)
        let (group, action) = (state.contacts[id].group, state.contacts[id].action)
        if state.group.number == group { state.group.action = action }
        for other in state.contacts.indices {
            guard case .gesture = state.contacts[other].role, state.contacts[other].group == group else { continue }
            state.contacts[other].action = action
        }
    }

    /// Sounds the first column of `placements`.
    private mutating func audition(_ placements: [Placement], on track: Track) {
        guard !state.silent.contains(track) else { return }
        effects.append(
            .audition(
                pattern.sounding(placements, on: track).map {
                    Effect.Note(
                        track: track, note: $0.note, velocity: $0.cell == .accent ? 2 : 1, steps: $0.steps)
                }))
    }
}
