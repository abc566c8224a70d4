import InputEvents

// Fingers: the function of each, and the effects of moving, holding still and lifting (SPEC 3).

extension Instrument {
    /// Processes one report of one finger.
    mutating func take(_ touch: Touch, at now: Instant, _ effects: inout [Effect]) {
        guard state.contacts.indices.contains(touch.contact) else { return }
        let id = touch.contact
        let position = Position(column: touch.column - Float(origin), row: touch.row)
        switch touch.phase {
        case .down:
            if state.contacts[id].role == .guide { touchGuide(.cancel, contact: id, at: now, &effects) }
            release(id)
            land(id, at: position, now, &effects)
        case .move:
            move(id, to: position, now, &effects)
        case .up:
            move(id, to: position, now, &effects)
            lift(id, now, &effects)
            release(id)
        case .cancel:
            if state.contacts[id].role == .guide { touchGuide(.cancel, contact: id, at: now, &effects) }
            release(id)
        }
    }

    private mutating func release(_ id: Int) {
        state.contacts[id].role = nil
        state.contacts[id].due = nil
        state.contacts[id].isShaking = false
        state.contacts[id].action = nil
        state.contacts[id].grip = nil
        state.contacts[id].placements.removeAll(keepingCapacity: true)
    }

    // MARK: Landing

    private mutating func land(_ id: Int, at position: Position, _ now: Instant, _ effects: inout [Effect]) {
        state.contacts[id].motion = Motion(at: position, time: now)
        let led = position.led
        if state.stickPrompt != nil, StickPrompt.covers(led) {
            state.contacts[id].role = .stickPrompt(StickPrompt.answer(at: led))
            return
        }
        state.stickPrompt = nil
        if let spot = spot(at: position) {
            touch(spot, contact: id, at: now, &effects)
        } else if state.screen == .song, let slot = SongSheet.slot(at: position) {
            landOnScene(slot, isOnSheet: true, contact: id, now)
        } else if state.screen == .guide {
            state.contacts[id].role = .guide
            touchGuide(.down, contact: id, at: now, &effects)
        } else if state.screen != .grid {
            state.contacts[id].role = .nothing
        } else if Menu.isHandle(led) {
            state.contacts[id].role = .nothing
            toggleMenu(at: now)
        } else if led == Position.LED(column: 0, row: 0) {
            state.contacts[id].role = .colourHold
            state.contacts[id].due = now + Limits.colourHold
        } else if led.row == 0, let control = Control.at(column: position.column) {
            state.contacts[id].role = .control(control)
            touch(control, contact: id, at: now)
        } else if let place = place(of: led) {
            state.contacts[id].role = .gesture(Gesture(track: place.track, start: place.place, end: place.place))
            state.contacts[id].due = now + Limits.hold
            preview(id)
            showShape(of: id, at: now)
            if state.soundsTaps { audition(state.contacts[id].placements, on: place.track, &effects) }
        } else if let track = Track(row: led.row), (0...3).contains(led.column) {
            state.contacts[id].role = .nothing
            touchTrack(track, column: led.column, at: now)
        } else if Grid.sceneColumns.contains(led.column), led.row > 0 {
            landOnScenes(id, at: position, now)
        } else if (led.row == 1 && led.column > 3) || led.row == 22 || led.row == 23 {
            state.contacts[id].role = .outsideTracks
        } else {
            state.contacts[id].role = .nothing
        }
    }

    /// The track, step and note at `led`; nil if it is not a step of the pattern.
    private func place(of led: Position.LED) -> (track: Track, place: Gesture.Place)? {
        guard let track = Track(row: led.row), let place = place(of: led, in: track) else { return nil }
        return (track, place)
    }

    private func place(of led: Position.LED, in track: Track) -> Gesture.Place? {
        guard track.rows.contains(led.row), let step = Grid.step(atColumn: led.column),
            step < state.session.composition.pattern.length
        else { return nil }
        let map = NoteMap.map(track, page: state.session.pages[track.rawValue])
        return Gesture.Place(step: step, note: map.noteOfRow[led.row - track.rows.lowerBound])
    }

    /// The last place in `track` on the straight line from `previous` to `position`. Two reports are two points of the finger's
    /// path, so the overlay's report rate does not matter.
    private func lastPlace(from previous: Position, to position: Position, in track: Track) -> Gesture.Place? {
        if let place = place(of: position.led, in: track) { return place }
        let columns = Grid.columns(ofSteps: state.session.composition.pattern.length)
        return previous.lastLED(onTheWayTo: position, within: columns, ClosedRange(track.rows)).flatMap {
            place(of: $0, in: track)
        }
    }

    // MARK: Moving

    private mutating func move(_ id: Int, to position: Position, _ now: Instant, _ effects: inout [Effect]) {
        guard let role = state.contacts[id].role, role != .nothing else { return }
        let previous = state.contacts[id].motion.position
        state.contacts[id].motion.move(to: position, at: now)
        switch role {
        case .gesture(var gesture):
            if state.contacts[id].motion.hasLeftFirstLED { state.contacts[id].due = nil }
            if let place = lastPlace(from: previous, to: position, in: gesture.track), place != gesture.end {
                let shape = gesture.shape
                gesture.end = place
                state.contacts[id].role = .gesture(gesture)
                preview(id)
                if gesture.shape != shape { showShape(of: id, at: now) }
            }
            shake(id, now, &effects)
        case .outsideTracks:
            shake(id, now, &effects)
        case .guide:
            touchGuide(.move, contact: id, at: now, &effects)
        case .spot(let spot, _):
            self.move(spot, contact: id, to: position, at: now, &effects)
        case .control(let control):
            slide(control, contact: id, to: position, at: now)
        case .colourHold:
            if !Control.play.isNear(position.column) || position.led.row > 1 { state.contacts[id].role = .nothing }
            if state.contacts[id].motion.hasLeftFirstLED { state.contacts[id].due = nil }
        case .stickPrompt:
            state.contacts[id].role = .stickPrompt(StickPrompt.answer(at: position.led))
        case .scene(let touch):
            if !touch.isNear(position) { release(id) }
        case .chain:
            if !SceneTouch.isNearChain(position) { release(id) }
        case .nothing:
            break
        }
    }

    /// Handles a shake by `id`: clears the tracks after enough reversals.
    private mutating func shake(_ id: Int, _ now: Instant, _ effects: inout [Effect]) {
        guard !state.session.isLocked, state.contacts[id].motion.reversals >= Limits.shakeMute else { return }
        if !state.contacts[id].isShaking {
            state.contacts[id].isShaking = true
            state.contacts[id].due = nil
            state.contacts[id].placements.removeAll(keepingCapacity: true)
        }
        if state.contacts[id].motion.reversals >= Limits.shakeClear {
            clear(tooltip: "~SHAKE CLEAR~", at: now, &effects)
            state.contacts[id].role = .nothing
        }
    }

    private mutating func preview(_ id: Int) {
        guard case .gesture(let gesture) = state.contacts[id].role, !state.contacts[id].isShaking else { return }
        let pattern = state.session.composition.pattern
        gesture.write(&state.contacts[id].placements, length: pattern.length, tonality: pattern.tonality)
    }

    private mutating func showShape(of id: Int, at now: Instant) {
        guard case .gesture(let gesture) = state.contacts[id].role, !state.contacts[id].isShaking else { return }
        showTooltip(gesture.title, at: now)
    }

    // MARK: Holding still

    /// Handles contact `id`, which held still until it was `due`.
    mutating func hold(_ id: Int, at due: Instant, _ effects: inout [Effect]) {
        state.contacts[id].due = nil
        switch state.contacts[id].role {
        case .gesture(var gesture):
            gesture.isHeld = true
            state.contacts[id].role = .gesture(gesture)
            preview(id)
            showShape(of: id, at: due)
        case .control(let control):
            holdControl(control, contact: id, at: due, &effects)
        case .spot(let spot, _):
            touchSheet(spot, .hold, contact: id, at: due, &effects)
        case .colourHold:
            state.contacts[id].role = .nothing
            state.session.colourMode = state.session.colourMode == .chromatic ? .harmonic : .chromatic
            showTooltip(state.session.colourMode.rawValue.uppercased(), at: due)
        case .scene(let touch):
            holdScene(touch, contact: id, at: due)
        case .outsideTracks, .stickPrompt, .guide, .chain, .nothing, nil:
            break
        }
    }

    // MARK: Lifting

    private mutating func lift(_ id: Int, _ now: Instant, _ effects: inout [Effect]) {
        let contact = state.contacts[id]
        switch contact.role {
        case .colourHold:
            togglePlay(at: now)
        case .guide:
            touchGuide(.up, contact: id, at: now, &effects)
        case .spot(let spot, let isOver):
            lift(spot, isOver: isOver, contact: id, at: now, &effects)
        case .gesture(let gesture):
            guard !contact.isShaking else { return }
            if swipe(contact.motion, now) { return }
            let action: History.Action?
            if contact.motion.hasLeftFirstLED || gesture.isHeld {
                state.lastTap = nil
                action = commit(contact.placements, on: gesture.track, &effects)
            } else {
                action = tap(contact, gesture, at: now, &effects)
            }
            remember(contact.motion, now, action)
        case .outsideTracks:
            guard !contact.isShaking else { return }
            if swipe(contact.motion, now) { return }
            if !contact.motion.hasLeftFirstLED, now - contact.motion.down < Limits.hold {
                tapOutside(contact.motion, at: now)
            }
            remember(contact.motion, now, nil)
        case .stickPrompt(let answer?):
            guard state.stickPrompt != nil else { return }
            state.stickPrompt = nil
            effects.append(.job(answer == .take ? .importPatterns : .exportPatterns))
        case .scene(let touch):
            liftFromScene(touch, held: now - contact.motion.down, at: now)
        case .chain:
            toggleChain(at: now)
        case .control, .stickPrompt, .nothing, nil:
            break
        }
    }

    /// Writes `placements` into the pattern as one history step, and sounds their first column.
    private mutating func commit(
        _ placements: [Placement], on track: Track, _ effects: inout [Effect]
    ) -> History.Action? {
        let action = perform { composition in
            for placement in placements {
                composition.pattern[track, note: placement.note, step: placement.step] = placement.cell
            }
        }
        // With tap sound on, the note sounded when the finger landed.
        if state.session.auditions, !state.isPlaying, !state.soundsTaps {
            audition(placements, on: track, &effects)
        }
        return action
    }

    /// Sounds the first column of `placements`.
    private func audition(_ placements: [Placement], on track: Track, _ effects: inout [Effect]) {
        guard !state.silent.contains(track) else { return }
        effects.append(.audition(firstColumn(of: placements, on: track)))
    }

    private func firstColumn(of placements: [Placement], on track: Track) -> [Effect.Note] {
        let pattern = state.session.composition.pattern
        let column = placements.filter { $0.step == placements.first?.step }
        return column.map {
            Effect.Note(
                track: track, note: $0.note, velocity: $0.cell == .accent ? 2 : 1,
                steps: pattern.runLength(track, note: $0.note, step: $0.step))
        }
    }

    /// Handles a tap on a step: the second tap of a double tap erases the step.
    private mutating func tap(
        _ contact: Contact, _ gesture: Gesture, at now: Instant, _ effects: inout [Effect]
    ) -> History.Action? {
        let tap = State.Tap(
            down: contact.motion.down, target: .step(gesture.track, gesture.start.step), led: contact.motion.start.led)
        guard let first = doubleTap(with: tap) else {
            let action = commit(contact.placements, on: gesture.track, &effects)
            state.lastTap = tap
            state.lastTap?.action = action
            return action
        }
        // Notes that the first tap wrote at other steps stay; both taps are one history step.
        var action = first.action
        perform(extending: &action) { $0.pattern.erase(gesture.track, step: gesture.start.step) }
        showTooltip("ERASE", at: now)
        return action
    }

    private mutating func tapOutside(_ motion: Motion, at now: Instant) {
        let tap = State.Tap(down: motion.down, target: .outsideTracks, led: motion.start.led)
        if doubleTap(with: tap) != nil {
            togglePlay(at: now)
        } else {
            state.lastTap = tap
        }
    }

    /// The earlier tap with which `tap` makes a double tap; nil for none. The pair is then used up.
    private mutating func doubleTap(with tap: State.Tap) -> State.Tap? {
        guard !state.session.isLocked, let first = state.lastTap, first.target == tap.target,
            abs(first.led.row - tap.led.row) <= 1, tap.down - first.down < Limits.doubleTap
        else { return nil }
        state.lastTap = nil
        return first
    }

    // MARK: Swipes

    /// Handles the second swipe of a pair: removes the first swipe's notes, then undoes or redoes. Returns whether it was one.
    private mutating func swipe(_ motion: Motion, _ now: Instant) -> Bool {
        guard let direction = motion.swipe(endingAt: now), let first = state.lastSwipe,
            first.direction == direction, now - first.end <= Limits.swipePair
        else { return false }
        state.lastSwipe = nil
        if let action = first.action, let before = state.session.history.takeBack(action) {
            state.session.composition = before
        }
        switch direction {
        case .left: undo(tooltip: "<<UNDO", at: now)
        case .right: redo(tooltip: "REDO>>", at: now)
        }
        return true
    }

    /// Remembers the touch that ended `now` if it may be the first swipe of a pair.
    private mutating func remember(_ motion: Motion, _ now: Instant, _ action: History.Action?) {
        state.lastSwipe = motion.swipe(endingAt: now).map { ($0, now, action) }
    }
}
