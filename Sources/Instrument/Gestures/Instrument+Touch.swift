import InputEvents

// Fingers: the function of each, and the effects of moving, holding still and lifting (docs/spec.md, section 3).

extension Instrument {
    /// Processes one report of one finger.
    mutating func handle(_ touch: Touch) {
        guard state.fingers.contacts.indices.contains(touch.contact) else { return }
        let id = touch.contact
        defer { state.fingers[id].isDown = touch.phase == .down || touch.phase == .move && state.fingers[id].isDown }
        let position = Position(column: touch.column - Float(origin), row: touch.row)
        if touch.phase != .down { passOn(touch) }
        switch touch.phase {
        case .down:
            if state.fingers[id].role == .guide { touchGuide(.cancel, contact: id) }
            state.fingers.release(id)
            state.fingers[id].soundDelay = touch.delay
            land(id, at: position)
            passOn(touch)
        case .move:
            move(id, to: position)
        case .up:
            move(id, to: position)
            lift(finger: id)
            state.fingers.release(id)
        case .cancel:
            if state.fingers[id].role == .guide { touchGuide(.cancel, contact: id) }
            state.fingers.release(id)
        }
    }

    // MARK: Landing

    private mutating func land(_ id: Int, at position: Position) {
        let led = position.led
        state.fingers.land(id, at: position, now, state.rules)
        if state.box.stickPrompt != nil, StickPrompt.covers(led) {
            state.fingers[id].role = .stickPrompt(StickPrompt.answer(at: led))
            return
        }
        state.box.stickPrompt = nil
        if let spot = spot(at: position) {
            touch(spot, contact: id)
        } else if case .song = state.view.screen, let slot = SongSheet.slot(at: position) {
            landOnScene(slot, isOnSheet: true, contact: id)
        } else if state.view.screen == .guide {
            state.fingers[id].role = .guide
            touchGuide(.down, contact: id)
        } else if state.view.screen != .grid {
            state.fingers[id].role = .nothing
        } else if Menu.isHandle(led) {
            state.fingers[id].role = .nothing
            toggleMenu()
        } else if isUnderMenu(led) {
            state.fingers[id].role = .nothing
        } else if led == Position.LED(column: 0, row: 0) {
            state.fingers[id].role = .colourHold
            state.fingers[id].due = now + Limits.colourHold
        } else if led.row == 0, let control = Control.at(column: position.column, state.rules), !isUnderMenu(control) {
            state.fingers[id].role = .control(control)
            touch(control, contact: id)
        } else if landOnFX(id, at: led) || landOnKeys(id, at: led) {
            return
        } else if let gesture = Gesture(
            state.rules, at: led, pages: state.session.pages, state.session.composition.pattern, window)
        {
            state.fingers.playedTrack = gesture.track
            state.fingers.touchedNotes[gesture.track.rawValue] = gesture.map.note(atRow: gesture.start.row) ?? 0
            land(id, gesture)
        } else if let track = Track(row: led.row), (0...3).contains(led.column) {
            state.fingers[id].role = .nothing
            if !state.view.keys.isShown || led.column > 1 { state.fingers.playedTrack = track }
            touchTrack(track, column: led.column, contact: id)
        } else if Grid.sceneColumns.contains(led.column), led.row > 0, !state.view.keys.isShown {
            landOnScenes(id, at: position)
        } else if isOutsideTracks(led) {
            state.fingers[id].role = .outsideTracks
            if stopTakesHold || isOnWindows(led) { state.fingers[id].due = now + Limits.recordHold }
            if led.row == 1 { joinScroll(id) }
        } else {
            state.fingers[id].role = .nothing
        }
    }
}
