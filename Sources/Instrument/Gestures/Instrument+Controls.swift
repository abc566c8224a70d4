import InputEvents

// Fingers on row 0 and on columns 0 to 3 (docs/spec.md, section 4).

extension Instrument {
    /// Handles a finger that lands on `control`.
    mutating func touch(_ control: Control, contact id: Int) {
        switch control {
        case .play: return touchPlay(contact: id)
        case .keys:
            state.fingers[id].role = .nothing
            return toggleKeys()
        case .fx:
            state.fingers[id].role = .fxLight
            state.fingers[id].remembered = 0
            state.fingers[id].due = now + Limits.fxHold
            return
        default: break
        }
        guard !isRefused() else { return }
        switch control {
        case .play, .keys, .fx: break
        case .undo: undo()
        case .redo: redo()
        case .scale, .root:
            if state.rules == .box {
                state.fingers.transpositions[id] = Transposition(from: state.session.composition.own)
            }
            choose(control, contact: id)
        case .ghosts:
            perform("GHOSTS") { $0.showsGhosts.toggle() }
            showTooltip("GHOSTS")
        case .tapTempo:
            tapTempo()
            state.fingers[id].remembered = 0
        case .length:
            state.fingers[id].remembered = 0
            state.fingers[id].due = now + Limits.metreHold
            showLength()
        case .slower, .faster, .shorter, .longer:
            state.fingers[id].remembered = 0
            // Beside a finger on the light between − and + it only makes the unit finer, also after that has lifted.
            if state.fingers[id].changesTempo, isDialled() { break }
            nudge(control, contact: id)
            state.fingers[id].due = now + Limits.repeatDelay
        case .clear:
            if !state.session.isLocked { state.fingers[id].due = now + Limits.hold }
        }
    }

    /// Handles a finger that lands on Play: it plays at once. It stops when the finger lifts, because a longer hold
    /// changes only the recording.
    private mutating func touchPlay(contact id: Int) {
        state.fingers[id].role = .play(stops: state.isPlaying)
        state.fingers[id].due = now + Limits.recordHold
        if !state.isPlaying { togglePlay() }
    }

    /// The effect of a press of Play when it ends.
    enum PlayPress {
        /// It began the music at its landing, and does nothing more.
        case start
        /// It stops the music.
        case stop
        /// It begins the music, or stops it.
        case either
    }

    /// Handles contact `id`, which has held Play: it switches the recording. While the lock is on it only stops the
    /// music: the recording waits for the lock's end.
    mutating func holdPlay(_ press: PlayPress, contact id: Int?) {
        if isFrozen, press == .either, !state.isPlaying {
            // The lift begins the music. The guide's Play has no lift after a hold.
            if id == nil { togglePlay() }
            return
        }
        if let id { state.fingers[id].role = .nothing }
        if stopTakesHold, press != .start { togglePlay() } else { toggleRecording() }
    }

    /// Handles a press of Play, without a hold: plays, or stops unless the lock asks for a hold.
    mutating func pressPlay() {
        if stopTakesHold { showTooltip("LOCKED") } else { togglePlay() }
    }

    /// Whether only a hold stops the music: the performance lock is on.
    var stopTakesHold: Bool { isFrozen && state.isPlaying }

    /// Handles a finger that landed on `control` and slides to `position`. Within a group it changes the choice;
    /// elsewhere sliding off cancels the hold.
    mutating func slide(_ control: Control, contact id: Int, to position: Position) {
        guard !isFrozen else { return }
        if control == .length || control == .tapTempo && state.rules == .box { return dial(control, contact: id) }
        let next = control.sliding(to: position.column)
        if next != control {
            state.fingers[id].role = .control(next)
            choose(next, contact: id)
        } else if state.fingers[id].due != nil, position.led.row > 1 || !control.isNear(position.column) {
            state.fingers[id].due = nil
        }
    }

    /// Handles contact `id`, which drags on the light between − and +: each LED of its travel is one unit.
    private mutating func dial(_ control: Control, contact id: Int) {
        let before = state.fingers[id].remembered
        let travel = state.fingers[id].motion.travel
        let count = before == 0 && travel.magnitude < Limits.dialColumns ? 0 : Int(travel)
        guard count != before else { return }
        state.fingers[id].remembered = count
        state.fingers[id].due = nil
        if control == .length {
            let length = (pattern.length + count - before).clamped(to: state.rules.limits.lengths)
            perform("LENGTH", inTouch: id) { $0.pattern.length = length }
            return showLength()
        }
        // The finger does not tap.
        state.fingers.tempoTaps = TempoTaps()
        let fine = state.fingers.contacts.indices.filter { state.fingers[$0].changesTempo }
        for other in fine { makeFine(contact: other) }
        let unit = fine.isEmpty ? 1 : Tempo(hundredths: 1)
        changeTempo(by: (count - before) * unit) { $0.perform("BPM", inTouch: id, $1) }
    }

    /// Handles contact `id` on − or +, beside which another finger drags the tempo: takes back what it has changed, and
    /// ends its repeats.
    private mutating func makeFine(contact id: Int) {
        state.fingers[id].due = nil
        let change = state.fingers[id].remembered
        guard change != 0 else { return }
        state.fingers[id].remembered = 0
        changeTempo(by: Tempo(hundredths: -change)) { $0.perform("BPM", inTouch: id, $1) }
    }

    /// The tempo that − and + change: a Link session's, or the pattern's.
    private var tempoToChange: Tempo {
        (state.isFollowing ? state.transport.tempoToChange : nil) ?? pattern.tempo
    }

    /// Whether a finger is on the light between − and +, which then only make its unit finer.
    private func isDialled() -> Bool { state.fingers.contacts.contains { $0.role == .control(.tapTempo) } }

    /// Handles a finger that has held `control` long enough.
    mutating func holdControl(_ control: Control, contact id: Int) {
        switch control {
        case .clear:
            // Another finger may have opened a screen since.
            if state.view.screen == .grid { clear(tooltip: "CLEAR!") }
            state.fingers[id].role = .nothing
        case .root(let root):
            transpose(to: root, contact: id)
        case .scale:
            openScales(contact: id)
        case .slower, .faster, .shorter, .longer:
            nudge(control, contact: id)
            state.fingers[id].due = now + Limits.repeatInterval
        case .length:
            show(.metre)
        case .play, .undo, .redo, .ghosts, .tapTempo, .keys, .fx: break
        }
    }

    /// Moves the melodic notes of the current scene from the key before the touch of contact `id` to `root`; tracks that
    /// are borrowed from others stay. Key and notes are one history step.
    private mutating func transpose(to root: Int, contact id: Int) {
        guard let move = state.fingers.transpositions[id] else { return }
        let change = Tonality.semitones(from: move.tonality.root, to: root)
        guard change != move.semitones else { return }
        let before = state.session.composition.own
        perform("KEY", inTouch: id) { $0.changeOwn { move.apply(change, to: &$0) } }
        state.fingers.transpositions[id]?.remember(change, from: before, to: state.session.composition.own)
        showTooltip(change > 0 ? "MOVED +\(change)" : "MOVED \(change)")
    }

    /// Progress of the hold on Clear, 0-1; nil without a finger on it.
    func clearProgress(at now: Instant) -> Float? {
        for contact in state.fingers.contacts where contact.role == .control(.clear) {
            if contact.due != nil { return min(1, (now - contact.motion.down).fraction(of: Limits.hold)) }
        }
        return nil
    }

    /// Changes the composition; all changes by one touch of a control are one history step.
    mutating func perform(_ word: String, inTouch id: Int, _ change: (inout Composition) -> Void) {
        var action = state.fingers[id].action
        perform(word, extending: &action, change)
        state.fingers[id].action = action
    }

    private mutating func choose(_ choice: Control, contact id: Int) {
        let word = if case .root = choice { "KEY" } else { "SCALE" }
        perform(word, inTouch: id) {
            switch choice {
            case .scale(let scale): $0.pattern.tonality.scale = scale
            case .root(let root): $0.pattern.tonality.root = root
            default: break
            }
        }
        if state.rules == .box {
            if case .root = choice {
                state.fingers[id].due = now + Limits.transpose
            } else {
                state.fingers[id].due = now + Limits.hold
            }
        }
        showTooltip(state.session.composition.pattern.tonality.title)
    }

    private mutating func nudge(_ control: Control, contact id: Int) {
        switch control {
        case .slower, .faster:
            if isDialled() { return }
            let before = tempoToChange
            changeTempo(by: (control == .faster ? 1 : -1) * Tempo.step) { $0.perform("BPM", inTouch: id, $1) }
            state.fingers[id].remembered += (tempoToChange - before).hundredths
        case .shorter, .longer:
            let limits = state.rules.limits.lengths
            perform("LENGTH", inTouch: id) { $0.pattern.changeLength(by: control == .longer ? 1 : -1, within: limits) }
            showLength()
        case .play, .undo, .redo, .scale, .root, .ghosts, .tapTempo, .length, .keys, .fx, .clear: break
        }
    }

    /// Tap tempo: the mean of the intervals between the last eight taps.
    mutating func tapTempo() {
        guard !isRefused() else { return }
        if let tempo = state.fingers.tempoTaps.tap(at: now, steps: pattern.metre.steps) {
            if state.isFollowing {
                if state.sync.source == .link { return wish(forTempo: tempo) }
            } else {
                var action = state.fingers.tempoTaps.action
                let limits = state.rules.limits.tempos
                perform("BPM", extending: &action) { $0.pattern.tempo = tempo.clamped(to: limits) }
                state.fingers.tempoTaps.action = action
                state.fingers.forgetTempoChanges()
            }
        }
        showTempo()
    }

    /// Handles a finger that lands on `column` (0-3) of `track`: mute, solo, note page.
    mutating func touchTrack(_ track: Track, column: Int, contact id: Int) {
        switch column {
        case 0:
            if state.session.soloed == track {
                state.session.soloed = nil
                showTooltip("UNSOLO")
            } else {
                state.session.muted = state.session.muted.toggling(track)
                showTooltip(state.session.muted.contains(track) ? "MUTE \(track.abbreviation)" : "UNMUTE")
            }
        case 1:
            state.session.soloed = state.session.soloed == track ? nil : track
            showTooltip(state.session.soloed == track ? "SOLO \(track.abbreviation)" : "UNSOLO")
        case 2...3 where state.view.keys.isShown:
            state.view.keys.track = track
            showTooltip(track.name.uppercased())
        case 2...3 where state.rules == .box:
            let page = state.session.pages[track.rawValue]
            let row = state.fingers[id].landing.led.row
            state.fingers[id].role = .page(PageTouch(track: track, row: row, page: page))
            state.fingers[id].due = now + Limits.hold
        case 3: turnPage(of: track)
        default: break
        }
    }
}
