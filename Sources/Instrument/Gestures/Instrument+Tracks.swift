import InputEvents

// Fingers on the tracks: landing, preview and writing.

extension Instrument {
    /// Handles contact `id`, which lands on a track and begins `gesture`.
    mutating func land(_ id: Int, _ gesture: Gesture) {
        // What is drawn stays where it is.
        if gesture.rules == .box { state.view.follows = false }
        // It was played to what was heard.
        state.fingers[id].recording = beginRecording(on: gesture.track, at: now - state.fingers[id].soundDelay)
        // A tap that is recorded adds its note, whatever the finger's LED shows.
        let gesture = state.fingers[id].recording == nil ? gesture : gesture.overDark
        state.fingers[id].role = .gesture(gesture)
        state.fingers[id].due = now + Limits.hold
        state.fingers.joinGroup(id, state.rules, at: now)
        placed(gesture, of: id).write(&state.fingers[id].placements, over: state.session.composition.pattern)
        if state.soundsTaps || state.fingers[id].recording != nil { soundLanding(of: id, gesture) }
        if isFrozen { state.fingers[id].placements.removeAll(keepingCapacity: true) }
        showWord(of: id)
    }

    /// Sounds what a tap on a dark LED writes: under the rules of the box, or if it is recorded, one step long and not
    /// accented.
    private mutating func soundLanding(of id: Int, _ gesture: Gesture) {
        let placements = state.fingers[id].placements
        guard gesture.rules == .box || state.fingers[id].recording != nil else {
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
        let motion = state.fingers[id].motion
        var next = gesture
        if let place = gesture.place(from: previous, to: motion.position, window) { next.end = place }
        if motion.hasLeftFirstLED { state.fingers[id].due = nil }
        if gesture.rules == .box {
            next.rise(from: previous, to: motion.position)
            next.isStill = motion.isStill(liftingAt: now)
            // Time alone ends being still.
            if let end = motion.stillUntil, next.isStill, end > now { state.fingers[id].due = end }
        }
        update(id, gesture, to: next)
    }

    /// Handles contact `id`, which draws `gesture` and has rested long enough.
    mutating func hold(_ id: Int, _ gesture: Gesture) {
        var next = gesture
        let motion = state.fingers[id].motion
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
        state.fingers[id].role = .gesture(next)
        preview(id)
        // The chord of a stack, and whether a gesture leaves its page, depend on how far it reaches.
        let isOther = next.shape != gesture.shape || next.isHeld != gesture.isHeld || next.shape == .stack
        let leaves = next.rules == .box && offPage(of: id) != state.view.tooltip?.offPage
        if isOther || leaves { showWord(of: id) }
    }

    mutating func preview(_ id: Int) {
        guard case .gesture(let gesture) = state.fingers[id].role, !state.fingers[id].isShaking, !isFrozen else {
            return
        }
        placed(gesture, of: id).write(&state.fingers[id].placements, over: state.session.composition.pattern)
    }

    // MARK: Lifting

    /// Handles contact `id`, which draws `gesture` and lifts.
    mutating func lift(_ id: Int, _ gesture: Gesture) {
        guard !state.fingers[id].isShaking, !isFrozen else { return }
        var gesture = gesture
        let motion = state.fingers[id].motion
        if gesture.rules == .box {
            gesture.isStill = motion.isStill(liftingAt: now)
            state.fingers[id].role = .gesture(gesture)
            preview(id)
        }
        let direction = motion.swipe(endingAt: now)
        if let direction, let last = pair(with: direction, id) {
            if swipe(last, direction, id) { return }
            // With nothing to undo or redo the two are gestures like any.
            state.fingers.lastSwipe = nil
            commit(id, gesture)
            return
        }
        let before = direction == nil ? nil : Fingers.LastSwipe.Before(state.session)
        let isTap = gesture.rules == .box ? gesture.isStill : !motion.hasLeftFirstLED
        if let recording = state.fingers[id].recording, gesture.shape == .tap {
            recordTap(gesture, recording)
            follow(gesture)
            if gesture.rules == .box { showWord(of: id, isDone: recording != .nothing) }
        } else if isTap, !gesture.isHeld {
            tap(id, gesture)
        } else {
            if gesture.rules == .phone { state.fingers.forgetTaps() }
            commit(id, gesture)
        }
        rememberSwipe(direction, of: id, before: before)
    }

    /// Changes the pattern by the gesture of contact `id`. Fingers that landed together make one history step.
    mutating func commit(_ id: Int, _ gesture: Gesture) {
        let placements = state.fingers[id].placements
        perform(gesture.word, inGroupOf: id) { gesture.apply(placements, to: &$0.pattern) }
        follow(gesture)
        if gesture.rules == .box {
            showWord(of: id, isDone: true)
        } else if state.session.auditions, !state.isPlaying, !state.soundsTaps {
            // With tap sound on, the note sounded when the finger landed.
            audition(placements, on: gesture.track)
        }
    }

    /// Changes the composition; fingers that landed together make one history step.
    mutating func perform(_ word: String, inGroupOf id: Int, _ change: (inout Composition) -> Void) {
        perform(self.word(word, orSeveral: "NOTES", of: id), inTouch: id, change)
        state.fingers.shareAction(of: id)
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
