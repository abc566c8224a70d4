import InputEvents

// Choosing a scale and a tuning, and their sound.

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
    /// Opens the scale sheet for contact `id`, which has held a light of row 0, and requests the player's own tunings.
    /// The scale is again that before the touch.
    mutating func openScales(contact id: Int) {
        state.fingers[id].role = .nothing
        // Another finger may have opened a screen since.
        guard state.view.screen == .grid, let before = state.fingers.transpositions[id]?.tonality.scale else { return }
        perform("SCALE", inTouch: id) { $0.pattern.tonality.scale = before }
        show(.scale)
        effects.append(.job(.showTunings))
    }

    /// Chooses the scale of `kind`. The player's own begins with the notes of the scale before the touch of contact
    /// `id`.
    mutating func chooseScale(_ kind: Scale.Kind, contact id: Int) {
        guard kind != pattern.tonality.scale.kind, !isRefused() else { return }
        let own = scaleBefore(contact: id).asUser
        perform("SCALE", inTouch: id) { $0.pattern.tonality.scale = kind == .user ? own : Scale(kind) }
        showName(of: .scaleDial)
        beginScale()
    }

    /// Moves A4 by `hertz` from its frequency before the touch of contact `id`, to a whole number of hertz.
    mutating func moveA4(by hertz: Int, contact id: Int) {
        let landed = state.fingers[id].remembered
        let moved = (landed + hertz * Tuning.parts).clamped(to: Tuning.references)
        let a4 = hertz == 0 ? landed : (moved + Tuning.parts / 2) / Tuning.parts * Tuning.parts
        guard a4 != pattern.tuning.a4, !isRefused() else { return }
        perform("TUNING", inTouch: id) { $0.pattern.tuning.a4 = a4 }
        showName(of: .a4)
    }

    /// Chooses equal temperament, or the own tuning after the present one, of which the first follows the last.
    mutating func chooseTuning(isEqual: Bool, contact id: Int) {
        guard !isRefused() else { return }
        let next = isEqual ? nil : state.shelf.tuning(after: pattern.tuning.name)
        if !isEqual, next == nil { return showTooltip("NO TUNINGS") }
        perform("TUNING", inTouch: id) {
            if let next { $0.pattern.tuning.choose(next) } else { $0.pattern.tuning.makeEqual() }
        }
        showName(of: .tuning)
        beginScale()
    }

    private mutating func beginScale() {
        state.view.scaleRun = ScaleRun(due: now)
        soundScale()
    }

    /// The scale before the touch of contact `id`.
    private func scaleBefore(contact id: Int) -> Scale {
        let history = state.session.history
        guard let action = state.fingers[id].action, history.isNewest(action), let before = history.past.last else {
            return pattern.tonality.scale
        }
        return before.composition.pattern.tonality.scale
    }

    /// Switches the note `interval` semitones above the root on or off: the scale becomes the player's own. The root
    /// stays on.
    mutating func switchScaleNote(_ interval: Int, contact id: Int) {
        guard interval != 0, !isRefused() else { return }
        perform("SCALE", inTouch: id) { $0.pattern.tonality.scale = $0.pattern.tonality.scale.toggling(interval) }
        showName(of: .scaleNote(interval))
    }

    /// Sounds the notes of the scale that are due by `now`, on the melody. Play and another screen end it.
    mutating func soundScale() {
        guard var run = state.view.scaleRun, run.due <= now else { return }
        let tonality = pattern.tonality
        guard !state.isPlaying, state.view.screen == .scale, run.degree <= tonality.scale.count else {
            state.view.scaleRun = nil
            return
        }
        let note = Effect.Note(track: .melody, note: tonality.note(ofDegree: run.degree), velocity: 1, steps: 1)
        effects.append(.audition([note]))
        run.degree += 1
        run.due = now + ScaleRun.pace
        state.view.scaleRun = run
    }
}
