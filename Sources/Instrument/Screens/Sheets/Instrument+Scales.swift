import InputEvents

// Choosing a scale, and the sound of the scale that was chosen.

/// A scale that is heard once, note by note, from its root to the root above.
struct ScaleRun: Hashable, Sendable {
    /// The next degree.
    var degree = 0
    /// When it sounds.
    var due: Instant

    /// Time from note to note.
    static let pace = Instant.Span.milliseconds(120)
}

extension Instrument {
    /// Opens the scale sheet for contact `id`, which has held a light of row 0. The scale is again that before the touch.
    mutating func openScales(contact id: Int, at due: Instant) {
        state.contacts[id].role = .nothing
        // Another finger may have opened a screen since.
        guard state.screen == .grid, let before = state.transpositions[id]?.tonality.scale else { return }
        perform(inTouch: id) { $0.pattern.tonality.scale = before }
        show(.scale, at: due)
    }

    /// Chooses the scale of `kind`. The player's own begins with the notes of the scale before the touch of contact `id`.
    mutating func chooseScale(
        _ kind: Scale.Kind, contact id: Int, at now: Instant, _ effects: inout [Effect]
    ) {
        guard kind != pattern.tonality.scale.kind, !isRefused(at: now) else { return }
        let own = scaleBefore(contact: id).asUser
        perform(inTouch: id) { $0.pattern.tonality.scale = kind == .user ? own : Scale(kind) }
        showName(of: .scaleDial, at: now)
        state.scaleRun = ScaleRun(due: now)
        soundScale(until: now, &effects)
    }

    /// The scale before the touch of contact `id`.
    private func scaleBefore(contact id: Int) -> Scale {
        let history = state.session.history
        guard let action = state.contacts[id].action, history.isNewest(action), let before = history.past.last else {
            return pattern.tonality.scale
        }
        return before.pattern.tonality.scale
    }

    /// Switches the note `interval` semitones above the root on or off: the scale becomes the player's own. The root stays on.
    mutating func switchScaleNote(_ interval: Int, contact id: Int, at now: Instant) {
        guard interval != 0, !isRefused(at: now) else { return }
        perform(inTouch: id) { $0.pattern.tonality.scale = $0.pattern.tonality.scale.toggling(interval) }
        showName(of: .scaleNote(interval), at: now)
    }

    /// Sounds the notes of the scale that are due by `now`, on the melody. Play and another screen end it.
    mutating func soundScale(until now: Instant, _ effects: inout [Effect]) {
        guard var run = state.scaleRun, run.due <= now else { return }
        let tonality = pattern.tonality
        guard !state.isPlaying, state.screen == .scale, run.degree <= tonality.scale.count else {
            state.scaleRun = nil
            return
        }
        let note = Effect.Note(track: .melody, note: tonality.note(ofDegree: run.degree), velocity: 1, steps: 1)
        effects.append(.audition([note]))
        run.degree += 1
        run.due = now + ScaleRun.pace
        state.scaleRun = run
    }
}
