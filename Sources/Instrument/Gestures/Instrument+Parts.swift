import InputEvents

// Fingers on the parts of the scenes: a tap plays a track's part of a scene alone, a hold copies the playing part there.

/// A finger on the parts below a scene's bar. It acts when it lifts, where it is then.
struct PartTouch: Hashable, Sendable {
    /// The scene's number, 0 to 7.
    let slot: Int
    let track: Track
    /// Whether a hold copies the playing part here.
    var copies = false

    /// The part at `position`, which is exact, in LEDs; nil beside the parts.
    init?(at position: Position) {
        guard position.column >= Float(Grid.sceneColumns.lowerBound) - 0.5, position.row < SceneTouch.bottom,
            let slot = SceneTouch.slot(atRow: position.row), position.row > Float(SceneLook.rows[slot]) + 0.5
        else { return nil }
        self.slot = slot
        let place = position.led.column - SceneLook.column
        track = Track(rawValue: place.clamped(to: 0...Track.allCases.count - 1)) ?? .melody
    }

    /// Whether both are on the same light.
    func isSame(as other: PartTouch) -> Bool { slot == other.slot && track == other.track }

    /// Its name on the panel: `BAS 1`.
    var name: String { "\(track.abbreviation) \(slot + 1)" }
}

extension Instrument {
    /// Handles a finger that lands on `part`.
    mutating func landOnPart(_ part: PartTouch, contact id: Int) {
        var part = part
        part.copies = !isFrozen && state.session.composition.scene(of: part.track) != part.slot
        state.fingers[id].role = .part(part)
        if part.copies { state.fingers[id].due = now + Limits.sceneCopy }
        showTooltip(part.name)
    }

    /// Handles contact `id`, which landed on `part` and is now at `position`: it chooses another part, or none.
    mutating func move(_ part: PartTouch, contact id: Int, to position: Position) {
        let next = PartTouch(at: position)
        if let next, next.isSame(as: part) { return }
        state.fingers[id].due = nil
        guard let next else { return }
        state.fingers[id].role = .part(next)
        showTooltip(next.name)
    }

    /// Handles a finger that has held `part`: the part of the track that plays is copied there.
    mutating func holdPart(_ part: PartTouch, contact id: Int) {
        state.fingers[id].role = .nothing
        // Another finger, undo or redo may have changed what plays.
        guard part.copies, state.session.composition.scene(of: part.track) != part.slot else { return }
        perform("PART") { $0.copyPart(part.track, into: part.slot) }
        showTooltip("COPY TO \(part.slot + 1)")
    }

    /// Handles contact `id`, which lifts with `part`: a tap, unless it slid away, or a hold was given up.
    mutating func liftFromPart(_ part: PartTouch, contact id: Int) {
        guard let last = PartTouch(at: state.fingers[id].motion.position), last.isSame(as: part) else { return }
        choose(part.track, of: part.slot)
    }

    /// Plays the part of `track` of scene `slot` alone: from the next bar on while the transport runs. The one that
    /// plays, or that is queued, cancels what is queued for the track. A pattern that belongs to no scene gets one first:
    /// its own parts would be lost.
    mutating func choose(_ track: Track, of slot: Int) {
        if state.scene == nil {
            if isRefused() { return }
            let free = (0..<Scenes.count).first { !state.session.composition.scenes.isFilled($0) && $0 != slot }
            guard let free else { return showTooltip("NO ROOM") }
            perform("SCENE") { $0.copyPattern(into: free) }
        }
        guard !state.isPlaying else {
            return state.songPlay.queue(track, of: slot, in: state.session.composition)
        }
        var parts = Parts()
        parts[track] = slot
        launch(parts)
    }

    /// The engine plays `parts`, and they are audible now. Ignored for parts that have never waited: they belong to a
    /// session that was replaced.
    mutating func beginParts(_ parts: Parts) {
        guard state.isPlaying, state.songPlay.expects(parts) else { return }
        closeRecording(of: parts.tracks, carries: .toPart)
        state.songPlay.begin(parts)
        launch(parts)
        let returning = parts.tracks.tracks.filter { state.session.composition.parts[$0] == nil }
        state.transport.launch(parts.tracks, returning: TrackSet(returning))
    }

    /// Plays `parts` in place of what their tracks play.
    private mutating func launch(_ parts: Parts) {
        // At once: each assignment mixes the pattern again.
        var playing = state.session.composition.parts
        for track in parts.tracks.tracks { playing[track] = parts[track] }
        state.session.composition.parts = playing
        state.takes.heard = nil
        state.recording.endPass(of: parts.tracks)
        state.fingers.leave(parts.tracks)
    }

    /// Progress of the hold on the light of `track` of scene `slot`, 0-1; nil without one.
    func holdProgress(of track: Track, in slot: Int, at now: Instant) -> Float? {
        for contact in state.fingers.contacts {
            guard case .part(let part) = contact.role, part.slot == slot, part.track == track, contact.due != nil else {
                continue
            }
            return min(1, (now - contact.motion.down).fraction(of: Limits.sceneCopy))
        }
        return nil
    }
}
