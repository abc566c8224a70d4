import InputEvents

// Keys: functions that act at once, and the keys of a keyboard, which type a name or move the cursor and its finger.

extension Instrument {
    /// Handles a press of `key`, or its repetition.
    mutating func press(_ key: Key, at now: Instant, _ effects: inout [Effect]) {
        switch key {
        case .playStop: togglePlay(at: now)
        // On the letters a change of the music would be unseen.
        case .undo: if !isNaming { undo(tooltip: "UNDO", at: now) }
        case .redo: if !isNaming { redo(tooltip: "REDO", at: now) }
        case .clear: clear(tooltip: "CLEAR!", at: now, &effects)
        case .faster: changeTempo(by: 1, at: now)
        case .slower: changeTempo(by: -1, at: now)
        case .escape: goBack(at: now, &effects)
        case _ where isNaming: pressForName(key, at: now, &effects)
        case .spaceBar: if state.cursor.isShown { landCursor(key, at: now, &effects) } else { togglePlay(at: now) }
        case .enter: if state.cursor.isShown { landCursor(key, at: now, &effects) } else { state.cursor.isShown = true }
        case .latch:
            if state.cursor.holder == key {
                liftCursor(.up, at: now, &effects)
            } else if state.cursor.isShown {
                landCursor(key, at: now, &effects)
            } else {
                state.cursor.isShown = true
            }
        case .erase: holdClear(at: now)
        case .arrowUp where !state.cursor.isShown: changeTempo(by: 1, at: now)
        case .arrowDown where !state.cursor.isShown: changeTempo(by: -1, at: now)
        case .arrowUp: moveCursor(0, -1, at: now, &effects)
        case .arrowDown: moveCursor(0, 1, at: now, &effects)
        case .arrowLeft: moveCursor(-1, 0, at: now, &effects)
        case .arrowRight: moveCursor(1, 0, at: now, &effects)
        }
    }

    /// Handles a release of `key`; `phase` is that of its finger, up or cancel.
    mutating func release(_ key: Key, as phase: Touch.Phase, at now: Instant, _ effects: inout [Effect]) {
        if key == .erase { touchClear(.cancel, at: now, &effects) }
        if state.cursor.holder == key { liftCursor(phase, at: now, &effects) }
    }

    /// Handles a typed character: a letter of a name, or R for the recording.
    mutating func type(_ character: Character, at now: Instant) {
        guard case .letters(var sheet) = state.screen else {
            if Self.recordKeys.contains(character) { toggleRecording(at: now) }
            return
        }
        sheet.type(character)
        state.screen = .letters(sheet)
    }

    private static let recordKeys: [Character] = ["r", "R"]

    /// Whether the panel asks for a name: then a keyboard types letters.
    public var isNaming: Bool { if case .letters = state.screen { true } else { false } }

    /// Handles a press of `key` while the panel asks for a name. There is no cursor: the keyboard has the letters.
    private mutating func pressForName(_ key: Key, at now: Instant, _ effects: inout [Effect]) {
        guard case .letters(var sheet) = state.screen else { return }
        var acts: [ScreenAct] = []
        switch key {
        case .spaceBar: sheet.press(.space)
        case .erase: sheet.press(.back)
        case .enter: sheet.confirm(into: &acts)
        default: return
        }
        state.screen = .letters(sheet)
        for act in acts { perform(act, contact: nil, at: now, &effects) }
    }

    private mutating func changeTempo(by change: Int, at now: Instant) {
        guard !isNaming, !isRefused(at: now) else { return }
        if follows(changeBy: Pattern.tempoStep * change, at: now) { return }
        perform { $0.pattern.changeTempo(by: change) }
        showTempo(at: now)
    }

    /// Gives up the finger at the cursor, or dismisses the stick's question, or leaves the screen, or closes the menu, or hides
    /// the cursor: the first of these that is there.
    private mutating func goBack(at now: Instant, _ effects: inout [Effect]) {
        if state.cursor.holder != nil {
            liftCursor(.cancel, at: now, &effects)
        } else if state.stickPrompt != nil {
            state.stickPrompt = nil
        } else if let sheet = state.screen.sheet {
            show(sheet.parent, at: now)
        } else if state.screen == .guide {
            if !state.guide.closeCard() { show(.grid, at: now) }
        } else if state.session.isMenuOpen, origin == 0 {
            toggleMenu(at: now)
        } else {
            state.cursor.isShown = false
        }
    }

    // MARK: The cursor

    /// Moves the cursor by LEDs, and its finger if it is down. A hidden cursor only appears.
    private mutating func moveCursor(_ columns: Int, _ rows: Int, at now: Instant, _ effects: inout [Effect]) {
        guard state.cursor.isShown else {
            state.cursor.isShown = true
            return
        }
        state.cursor.column = (state.cursor.column + columns).clamped(to: 0...self.columns - 1)
        state.cursor.row = (state.cursor.row + rows).clamped(to: 0...Instrument.rows - 1)
        if state.cursor.holder != nil { touchAtCursor(.move, at: now, &effects) }
    }

    /// Puts a finger down at the cursor, until `key` is released.
    private mutating func landCursor(_ key: Key, at now: Instant, _ effects: inout [Effect]) {
        guard state.cursor.holder == nil else { return }
        state.cursor.holder = key
        touchAtCursor(.down, at: now, &effects)
    }

    private mutating func liftCursor(_ phase: Touch.Phase, at now: Instant, _ effects: inout [Effect]) {
        state.cursor.holder = nil
        touchAtCursor(phase, at: now, &effects)
    }

    private mutating func touchAtCursor(_ phase: Touch.Phase, at now: Instant, _ effects: inout [Effect]) {
        let touch = Touch(
            contact: Contact.ofCursor, phase: phase, column: Float(state.cursor.column), row: Float(state.cursor.row))
        take(touch, at: now, &effects)
    }

    // MARK: Clear

    /// Begins a hold on Clear, as a finger there would; only where Clear is drawn.
    private mutating func holdClear(at now: Instant) {
        let id = Contact.ofEraseKey
        guard state.screen == .grid, state.contacts[id].role == nil else { return }
        let column = Float(Control.clear.columns.lowerBound)
        state.contacts[id].motion = Motion(at: Position(column: column, row: 0), time: now, state.rules)
        state.contacts[id].role = .control(.clear)
        touch(.clear, contact: id, at: now)
    }

    private mutating func touchClear(_ phase: Touch.Phase, at now: Instant, _ effects: inout [Effect]) {
        take(Touch(contact: Contact.ofEraseKey, phase: phase, column: 0, row: 0), at: now, &effects)
    }
}
