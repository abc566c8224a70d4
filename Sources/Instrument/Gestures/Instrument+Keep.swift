import InputEvents

// KEEP: the round that was heard becomes a scene.

extension Instrument.State {
    /// The last round of the pattern that was heard.
    struct Heard: Sendable {
        let round: HeardRound
        /// How the tracks ran then.
        private let shapes: [TrackShape]

        init(round: HeardRound, in pattern: Pattern) {
            self.round = round
            shapes = Heard.shapes(of: pattern)
        }

        /// Whether the tracks of `pattern` run as they did then.
        func isOf(_ pattern: Pattern) -> Bool { round.length == pattern.length && shapes == Heard.shapes(of: pattern) }

        private static func shapes(of pattern: Pattern) -> [TrackShape] {
            Track.allCases.map {
                var shape = pattern[shape: $0]
                // Where the notes sound changes no step.
                (shape.transposition, shape.voicing) = (0, .root)
                return shape
            }
        }
    }
}

extension Instrument {
    /// Writes the round that was heard last into the next empty scene. A pattern that belongs to no scene gets one first: it would
    /// be lost when the new scene plays.
    mutating func keepRound(contact id: Int) {
        guard !isRefused() else { return }
        state.contacts[id].role = .nothing
        guard let heard = state.heard, heard.isOf(pattern) else { return showTooltip("NO LOOP YET") }
        guard let kept = pattern.keeping(heard.round) else { return showTooltip("TOO LONG") }
        var scenes = state.session.composition.scenes
        if scenes.current == nil, let slot = scenes.firstEmpty { scenes.copy(pattern, into: slot) }
        guard scenes.current != nil, let slot = scenes.firstEmpty else { return showTooltip("NO ROOM") }
        scenes.store(kept, in: slot)
        perform { $0.scenes = scenes }
        showTooltip("SCENE \(slot + 1)")
    }
}
