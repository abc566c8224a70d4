// Fingers on the scenes: a tap plays one, holding copies into one or empties it.

/// A finger on a scene.
struct SceneTouch: Hashable, Sendable {
    /// The scene's number, 0 to 7.
    let slot: Int
    /// It is on the song sheet, and not on the grid's columns.
    let isOnSheet: Bool
    /// What holding it does; nil for nothing.
    let hold: Hold?

    /// What holding a scene does to it.
    enum Hold: Sendable {
        /// Copies what is played into it: it is empty.
        case copy
        /// Copies what is played over what is in it.
        case replace
        /// Empties it: it is what is played.
        case clear

        /// How long it takes.
        var span: Instant.Span { self == .copy ? Limits.sceneCopy : Limits.sceneReplace }
    }

    /// Rows of the panel that a scene takes, and where the first of them begins: a fingertip is a row and a half.
    static let pitch: Float = 2.5
    static let top: Float = 1
    /// Where the last scene ends and the switch that chains them begins.
    static let bottom = top + pitch * Float(Scenes.count)

    /// The scene at `row`, unrounded; nil above and below them.
    static func slot(atRow row: Float) -> Int? {
        guard row >= top, row < bottom else { return nil }
        return Int(((row - top) / pitch).rounded(.down))
    }

    /// Whether a finger at `position` is still on it.
    func isNear(_ position: Position) -> Bool {
        if isOnSheet { return SongSheet.slot(at: position) == slot }
        let start = SceneTouch.top + SceneTouch.pitch * Float(slot)
        return SceneTouch.isNear(position, start, start + SceneTouch.pitch)
    }

    /// Whether a finger at `position` is still on the switch that chains scenes.
    static func isNearChain(_ position: Position) -> Bool { isNear(position, bottom, .infinity) }

    private static func isNear(_ position: Position, _ start: Float, _ end: Float) -> Bool {
        let tremble = Limits.sceneTremble
        return position.column >= Float(Grid.sceneColumns.lowerBound) - 0.5 - tremble
            && position.row >= start - tremble && position.row < end + tremble
    }
}

extension Instrument {
    /// A finger has landed in the scenes' columns, below row 0.
    mutating func landOnScenes(_ id: Int, at position: Position, _ now: Instant) {
        guard let slot = SceneTouch.slot(atRow: position.row) else {
            state.contacts[id].role = position.row < SceneTouch.top ? .nothing : .chain
            return
        }
        landOnScene(slot, isOnSheet: false, contact: id, now)
    }

    /// A finger has landed on scene `slot`.
    mutating func landOnScene(_ slot: Int, isOnSheet: Bool, contact id: Int, _ now: Instant) {
        let touch = SceneTouch(slot: slot, isOnSheet: isOnSheet, hold: state.session.isLocked ? nil : holdOf(slot))
        state.contacts[id].role = .scene(touch)
        if let hold = touch.hold { state.contacts[id].due = now + min(hold.span, Limits.sceneCopy) }
        if state.session.composition.scenes.isFilled(slot) {
            say("SCENE \(slot + 1)", at: now)
        } else if touch.hold == .copy {
            say("COPY TO \(slot + 1)", at: now)
        }
    }

    private func holdOf(_ slot: Int) -> SceneTouch.Hold {
        state.scene == slot ? .clear : state.session.composition.scenes.isFilled(slot) ? .replace : .copy
    }

    /// A finger has held a scene: at `Limits.sceneCopy` the panel names what comes, at its own time that is done.
    mutating func holdScene(_ touch: SceneTouch, contact id: Int, at due: Instant) {
        // Another finger, or the history, may have been faster.
        guard let hold = touch.hold, hold == holdOf(touch.slot) else {
            state.contacts[id].role = .nothing
            return
        }
        let end = state.contacts[id].motion.down + hold.span
        if due < end {
            state.contacts[id].due = end
            if hold == .replace { say("COPY TO \(touch.slot + 1)", at: due) }
            return
        }
        state.contacts[id].role = .nothing
        switch hold {
        case .copy, .replace:
            perform { $0.scenes.copy($0.pattern, into: touch.slot) }
            say("COPY TO \(touch.slot + 1)", at: due)
        case .clear:
            perform { $0.scenes.empty(touch.slot) }
            say("CLEARED \(touch.slot + 1)", at: due)
        }
    }

    /// A finger has lifted from a scene after `held`: a tap if it was not on the way to something else.
    mutating func liftFromScene(_ touch: SceneTouch, held: Instant.Span, at now: Instant) {
        guard touch.hold == nil || held < Limits.sceneCopy else { return }
        guard state.session.composition.scenes.isFilled(touch.slot) else {
            say("EMPTY", at: now)
            return
        }
        if state.scene == touch.slot || state.queuedScene == touch.slot {
            state.queuedScene = nil
        } else if state.isPlaying {
            state.queuedScene = touch.slot
        } else {
            play(scene: touch.slot)
        }
    }

    /// How far the finger that holds `slot` has come, 0-1, and with what; nil if none does.
    func holdProgress(of slot: Int, at now: Instant) -> (part: Float, hold: SceneTouch.Hold)? {
        for contact in state.contacts {
            guard case .scene(let touch) = contact.role, touch.slot == slot, let hold = touch.hold, contact.due != nil
            else { continue }
            return (min(1, (now - contact.motion.down).fraction(of: hold.span)), hold)
        }
        return nil
    }

    /// Lets scenes be played in turn, or not.
    mutating func toggleChain(at now: Instant) {
        state.session.chainsScenes.toggle()
        say(state.session.chainsScenes ? "CHAIN" : "NO CHAIN", at: now)
    }

    // MARK: Playing

    /// The engine plays `slot`, and that is heard from now on. One that was never to come belongs to a pattern that has been
    /// put away since.
    mutating func beginScene(_ slot: Int) {
        guard state.isPlaying, state.expectedScenes >> UInt8(slot) & 1 == 1 else { return }
        play(scene: slot)
    }

    private mutating func play(scene slot: Int) {
        guard slot != state.scene, state.session.composition.scenes.isFilled(slot) else { return }
        state.session.composition.scenes.play(slot, inPlaceOf: &state.session.composition.pattern)
        if state.queuedScene == slot { state.queuedScene = nil }
        state.expectedScenes = 0
        leavePattern()
    }

    /// Ends whatever was begun on the pattern that was played: none of it is meant for another.
    mutating func leavePattern() {
        state.lastTap = nil
        state.lastSwipe = nil
        state.tempoTaps = ([], nil)
        state.lastTurn = nil
        for id in state.contacts.indices {
            state.contacts[id].action = nil
            switch state.contacts[id].role {
            case .gesture, .control:
                state.contacts[id].role = .nothing
                state.contacts[id].due = nil
                state.contacts[id].placements.removeAll(keepingCapacity: true)
            case .scene(let touch) where touch.hold != nil:
                // The finger may still mean the scene, but no longer what it would have copied.
                state.contacts[id].due = nil
            case .scene, .chain, .spot, .guide, .colourHold, .offer, .outsideTracks, .nothing, nil:
                break
            }
        }
    }

    /// Lets go of a queued scene that can no longer come, and remembers those that can.
    mutating func settleScenes() {
        if let queued = state.queuedScene,
            !state.isPlaying || queued == state.scene || !state.session.composition.scenes.isFilled(queued)
        {
            state.queuedScene = nil
        }
        if !state.isPlaying {
            state.expectedScenes = 0
        } else if let upcoming = state.upcomingScene {
            state.expectedScenes |= 1 << UInt8(upcoming.slot)
        }
    }
}
