import InputEvents

// Keys: functions that act at once, and the keys of a keyboard, which type a name or move the cursor and its finger.

extension Instrument {
    /// Handles a press of `key`, or its repetition.
    mutating func press(_ key: Key) {
        switch key {
        case .playStop: pressPlayKey()
        // On the letters a change of the music would be unseen.
        case .undo: if !isNaming { undo() }
        case .redo: if !isNaming { redo() }
        case .clear: clear(tooltip: "CLEAR!")
        case .faster: changeTempo(bySteps: 1)
        case .slower: changeTempo(bySteps: -1)
        case .escape: goBack()
        case _ where isNaming: pressForName(key)
        case .spaceBar: if state.view.cursor.isShown { landCursor(key) } else { pressPlayKey() }
        case .enter: if state.view.cursor.isShown { landCursor(key) } else { state.view.cursor.isShown = true }
        case .latch:
            if state.view.cursor.holder == key {
                liftCursor(.up)
            } else if state.view.cursor.isShown {
                landCursor(key)
            } else {
                state.view.cursor.isShown = true
            }
        case .erase: holdClear()
        case .arrowUp where !state.view.cursor.isShown: changeTempo(bySteps: 1)
        case .arrowDown where !state.view.cursor.isShown: changeTempo(bySteps: -1)
        case .arrowUp: moveCursor(0, -1)
        case .arrowDown: moveCursor(0, 1)
        case .arrowLeft: moveCursor(-1, 0)
        case .arrowRight: moveCursor(1, 0)
        }
    }

    /// Handles a release of `key`; `phase` is the phase of its finger, up or cancel.
    mutating func release(_ key: Key, as phase: Touch.Phase) {
        if key == .erase { touchClear(.cancel) }
        if key == .playStop || key == .spaceBar { releasePlayKey(as: phase) }
        if state.view.cursor.holder == key { liftCursor(phase) }
    }

    /// Handles a typed character: a letter of a name, or R for the recording.
    mutating func type(_ character: Character) {
        guard case .letters(var sheet) = state.view.screen else {
            if Self.recordKeys.contains(character) { toggleRecording() }
            return
        }
        sheet.type(character)
        state.view.screen = .letters(sheet)
    }

    private static let recordKeys: [Character] = ["r", "R"]

    /// Whether the panel asks for a name: then a keyboard types letters.
    public var isNaming: Bool { if case .letters = state.view.screen { true } else { false } }

    /// Handles a press of `key` while the panel asks for a name. There is no cursor: the keyboard has the letters.
    private mutating func pressForName(_ key: Key) {
        guard case .letters(var sheet) = state.view.screen else { return }
        var acts: [ScreenAct] = []
        switch key {
        case .spaceBar: sheet.press(.space)
        case .erase: sheet.press(.back)
        case .enter: sheet.confirm(into: &acts)
        default: return
        }
        state.view.screen = .letters(sheet)
        for act in acts { perform(act, contact: nil) }
    }

    private mutating func changeTempo(bySteps change: Int) {
        guard !isNaming, !isRefused() else { return }
        changeTempo(by: change * Tempo.step) { $0.perform("BPM", $1) }
    }

    /// Gives up the finger at the cursor, or dismisses the stick's question, or leaves the screen, or closes the menu,
    /// or hides the cursor: the first of these that is there.
    private mutating func goBack() {
        if state.view.cursor.holder != nil {
            liftCursor(.cancel)
        } else if state.box.stickPrompt != nil {
            state.box.stickPrompt = nil
        } else if let look = sheetLook {
            show(look.parent)
        } else if state.view.screen == .guide {
            if !state.shelf.guide.closeCard() { show(.grid) }
        } else if state.session.isMenuOpen, origin == 0 {
            toggleMenu()
        } else {
            state.view.cursor.isShown = false
        }
    }

    // MARK: The cursor

    /// Moves the cursor by LEDs, and its finger if it is down. A hidden cursor only appears.
    private mutating func moveCursor(_ columns: Int, _ rows: Int) {
        guard state.view.cursor.isShown else {
            state.view.cursor.isShown = true
            return
        }
        state.view.cursor.column = (state.view.cursor.column + columns).clamped(to: 0...self.columns - 1)
        state.view.cursor.row = (state.view.cursor.row + rows).clamped(to: 0...Instrument.rows - 1)
        if state.view.cursor.holder != nil { touchAtCursor(.move) }
    }

    /// Puts a finger down at the cursor, until `key` is released.
    private mutating func landCursor(_ key: Key) {
        guard state.view.cursor.holder == nil else { return }
        state.view.cursor.holder = key
        touchAtCursor(.down)
    }

    private mutating func liftCursor(_ phase: Touch.Phase) {
        state.view.cursor.holder = nil
        touchAtCursor(phase)
    }

    private mutating func touchAtCursor(_ phase: Touch.Phase) {
        let touch = Touch(
            contact: Contact.ofCursor, phase: phase, column: Float(state.view.cursor.column),
            row: Float(state.view.cursor.row))
        handle(touch)
    }

    // MARK: Play

    /// Handles a press of a key that plays and stops: at once, or by a hold while the lock is on.
    private mutating func pressPlayKey() {
        guard stopTakesHold else { return togglePlay() }
        let id = Contact.ofPlayKey
        guard state.fingers[id].role == nil else { return }
        state.fingers[id].motion = Motion(at: Position(column: 0, row: 0), time: now, state.rules)
        state.fingers[id].role = .play(stops: true)
        state.fingers[id].due = now + Limits.recordHold
    }

    /// Handles the release of a key that plays and stops. A terminal reports no releases and no holds: there each press
    /// ends at once, and the second of two stops the music.
    private mutating func releasePlayKey(as phase: Touch.Phase) {
        let id = Contact.ofPlayKey
        guard case .play? = state.fingers[id].role else { return state.fingers.release(id) }
        let isTap = phase == .up && now == state.fingers[id].motion.down
        state.fingers.release(id)
        guard stopTakesHold else { return }
        if isTap, state.fingers.isSecondPlayTap(at: now) { togglePlay() } else { showTooltip("LOCKED") }
    }

    // MARK: Clear

    /// Begins a hold on Clear, as a finger there would; only where Clear is drawn.
    private mutating func holdClear() {
        let id = Contact.ofEraseKey
        guard state.view.screen == .grid, state.fingers[id].role == nil else { return }
        let column = Float(Control.clear.columns.lowerBound)
        state.fingers[id].motion = Motion(at: Position(column: column, row: 0), time: now, state.rules)
        state.fingers[id].role = .control(.clear)
        touch(.clear, contact: id)
    }

    private mutating func touchClear(_ phase: Touch.Phase) {
        handle(Touch(contact: Contact.ofEraseKey, phase: phase, column: 0, row: 0))
    }
}
