import InputEvents

// Fingers on the scenes: a tap plays a scene, a hold copies into it or empties it. Below its bar, a tap plays one of
// its parts.

/// A finger on a scene.
struct SceneTouch: Hashable, Sendable {
    /// The scene's number, 0 to 7.
    let slot: Int
    /// Whether the finger is on the song sheet; else on the grid's scene columns.
    let isOnSheet: Bool
    /// The action of a hold; nil for none.
    let hold: Hold?

    /// The action of holding a scene.
    enum Hold: Sendable {
        /// Copies the current pattern into an empty scene.
        case copy
        /// Replaces a filled scene by the current pattern.
        case replace
        /// Empties the current scene.
        case clear

        /// Hold time.
        var span: Instant.Span { self == .copy ? Limits.sceneCopy : Limits.sceneReplace }
    }

    /// Rows of a scene, and the first scene's upper edge. A fingertip covers one and a half rows.
    static let pitch: Float = 2.5
    static let top: Float = 1
    /// The last scene's lower edge, where the chain switch begins.
    static let bottom = top + pitch * Float(Scenes.count)

    /// The scene at `row` (exact, in LEDs); nil above and below the scenes.
    static func slot(atRow row: Float) -> Int? {
        guard row >= top, row < bottom else { return nil }
        return Int(((row - top) / pitch).rounded(.down))
    }

    /// Whether a finger at `position` still counts as on the scene.
    func isNear(_ position: Position) -> Bool {
        if isOnSheet { return SongSheet.isNear(slot, position) }
        let start = SceneTouch.top + SceneTouch.pitch * Float(slot)
        return SceneTouch.isNear(position, start, start + SceneTouch.pitch)
    }

    /// Whether a finger at `position` still counts as on the chain switch, which ends where TAKE begins under the rules
    /// of the box.
    static func isNearChain(_ position: Position, _ rules: Rules) -> Bool {
        let end: Float = rules == .box ? Float(Grid.takeColumns.lowerBound) - 0.5 + Limits.sceneTremble : .infinity
        return position.column < end && isNear(position, bottom, .infinity)
    }

    private static func isNear(_ position: Position, _ start: Float, _ end: Float) -> Bool {
        let tremble = Limits.sceneTremble
        return position.column >= Float(Grid.sceneColumns.lowerBound) - 0.5 - tremble
            && position.row >= start - tremble && position.row < end + tremble
    }
}

extension Instrument {
    /// Handles a finger that lands in the scenes' columns, below row 0.
    mutating func landOnScenes(_ id: Int, at position: Position) {
        guard let slot = SceneTouch.slot(atRow: position.row) else {
            state.fingers[id].role = position.row < SceneTouch.top ? .nothing : .chain
            return
        }
        if state.rules == .box, let part = PartTouch(at: position) { return landOnPart(part, contact: id) }
        landOnScene(slot, isOnSheet: false, contact: id)
    }

    /// Handles a finger that lands on scene `slot`.
    mutating func landOnScene(_ slot: Int, isOnSheet: Bool, contact id: Int) {
        let touch = SceneTouch(slot: slot, isOnSheet: isOnSheet, hold: state.session.isLocked ? nil : holdOf(slot))
        state.fingers[id].role = .scene(touch)
        if let hold = touch.hold { state.fingers[id].due = now + min(hold.span, Limits.sceneCopy) }
        if state.session.composition.scenes.isFilled(slot) {
            showTooltip("SCENE \(slot + 1)")
        } else if touch.hold == .copy {
            showTooltip("COPY TO \(slot + 1)")
        }
    }

    private func holdOf(_ slot: Int) -> SceneTouch.Hold {
        state.scene == slot ? .clear : state.session.composition.scenes.isFilled(slot) ? .replace : .copy
    }

    /// Handles a finger that holds a scene. At `Limits.sceneCopy` the panel names the action; at the hold time the
    /// action is performed.
    mutating func holdScene(_ touch: SceneTouch, contact id: Int) {
        // Another finger, undo or redo may have changed the scene.
        guard let hold = touch.hold, hold == holdOf(touch.slot) else {
            state.fingers[id].role = .nothing
            return
        }
        let end = state.fingers[id].motion.down + hold.span
        if now < end {
            state.fingers[id].due = end
            if hold == .replace { showTooltip("COPY TO \(touch.slot + 1)") }
            return
        }
        state.fingers[id].role = .nothing
        switch hold {
        case .copy, .replace:
            // Its own sound comes with it.
            let own = History.OwnSound(slot: touch.slot, sound: state.session.ownSound)
            perform("SCENE", own: own) { $0.copyPattern(into: touch.slot) }
            showTooltip("COPY TO \(touch.slot + 1)")
        case .clear:
            perform("SCENE", own: .init(slot: touch.slot, sound: nil)) { $0.empty(touch.slot) }
            showTooltip("CLEARED \(touch.slot + 1)")
        }
    }

    /// Handles a finger that lifts from a scene after `held`: a tap, unless a hold was in progress.
    mutating func liftFromScene(_ touch: SceneTouch, held: Instant.Span) {
        guard touch.hold == nil || held < Limits.sceneCopy else { return }
        if !state.session.composition.scenes.isFilled(touch.slot) {
            // Longer is a copy that was given up.
            guard held < Limits.sceneTap, begin(scene: touch.slot) else {
                showTooltip("EMPTY")
                return
            }
            showTooltip("NEW SCENE \(touch.slot + 1)")
        }
        choose(scene: touch.slot)
    }

    /// Plays the filled scene `slot`, all its parts: from the next bar on while the transport runs. The queued one, or
    /// the one that plays whole, cancels what is queued. In a song it plays once, and the song goes on with the entry
    /// after the last.
    mutating func choose(scene slot: Int) {
        let plays = state.session.composition.parts.isEmpty ? state.scene : nil
        guard !state.isPlaying, slot != plays else {
            return state.songPlay.queue(scene: slot, plays: plays)
        }
        play(scene: slot)
        state.songPlay.stepAside()
    }

    /// Puts an empty pattern into `slot`, with the current tempo, length and tonality; returns whether it did. Under
    /// the rules of the phone, and while the current pattern belongs to no scene and would be lost, it does not.
    private mutating func begin(scene slot: Int) -> Bool {
        guard state.rules == .box, state.scene != nil, !state.session.isLocked else { return false }
        perform("SCENE") { $0.scenes.store($0.blank, in: slot) }
        return true
    }

    /// Progress of the hold on `slot`, 0-1, and its action; nil without one.
    func holdProgress(of slot: Int, at now: Instant) -> (part: Float, hold: SceneTouch.Hold)? {
        for contact in state.fingers.contacts {
            guard case .scene(let touch) = contact.role, touch.slot == slot, let hold = touch.hold, contact.due != nil
            else { continue }
            return (min(1, (now - contact.motion.down).fraction(of: hold.span)), hold)
        }
        return nil
    }

    // MARK: Playing

    /// Makes `slot` current: the engine plays it and it is audible now. Ignored for a scene that was never upcoming: it
    /// belongs to a session that was replaced.
    mutating func beginScene(_ slot: Int) {
        guard state.isPlaying, state.songPlay.expects(slot), state.session.composition.scenes.isFilled(slot) else {
            return
        }
        closeRecording(carries: .toScene)
        state.songPlay.begin(scene: slot, in: state.session)
        play(scene: slot)
        followSong()
        // The step that is heard now is the first of the pattern, and ends no pass of it.
        state.transport.endPlayheads()
    }

    /// Makes `slot` current if it is filled: it plays whole.
    mutating func play(scene slot: Int) {
        let isMixed = !state.session.composition.parts.isEmpty
        guard slot != state.scene || isMixed, state.session.composition.scenes.isFilled(slot) else { return }
        state.session.composition.play(slot)
        leavePattern()
    }

    /// Ends all touches and pairs that began on the previous pattern: they must not change another one.
    mutating func leavePattern() {
        state.takes.heard = nil
        state.recording.endPass()
        state.fingers.leavePattern()
    }
}
