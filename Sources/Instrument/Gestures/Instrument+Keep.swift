import InputEvents

// KEEP: the round that was heard becomes a scene.

extension Instrument {
    /// Writes the round that was heard last into the next empty scene. A pattern that belongs to no scene gets one
    /// first: it would be lost when the new scene plays.
    mutating func keepRound(contact id: Int) {
        guard !isRefused() else { return }
        state.fingers[id].role = .nothing
        guard let heard = state.takes.heard, heard.isOf(pattern) else { return showTooltip("NO LOOP YET") }
        guard let kept = pattern.keeping(heard.round) else { return showTooltip("TOO LONG") }
        var scenes = state.session.composition.scenes
        if scenes.current == nil, let slot = scenes.firstEmpty { scenes.copy(pattern, into: slot) }
        guard scenes.current != nil, let slot = scenes.firstEmpty else { return showTooltip("NO ROOM") }
        scenes.store(kept, in: slot)
        // It was heard with the scene's own sound.
        perform("KEEP", own: .init(slot: slot, sound: state.session.ownSound)) { $0.scenes = scenes }
        showTooltip("SCENE \(slot + 1)")
    }
}
