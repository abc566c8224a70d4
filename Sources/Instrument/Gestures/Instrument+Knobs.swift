import InputEvents

// Rotary encoders and the power button.

extension Instrument {
    /// Handles a turn of `knob` by `count` units. One turn is one history step.
    mutating func turn(_ knob: Knob, by count: Int) {
        if knob != .volume, isRefused() { return }
        switch knob {
        case .tempo:
            changeTempo(by: Tempo(count)) { $0.perform("BPM", inTurnOf: knob, $1) }
        case .length:
            let limits = state.rules.limits.lengths
            perform("LENGTH", inTurnOf: knob) { $0.pattern.changeLength(by: count, within: limits) }
            showLength()
        case .volume:
            state.session.volume = (state.volume + count).clamped(to: Session.volumes)
            showTooltip("VOL \(state.volume)%")
        }
    }

    private mutating func perform(_ word: String, inTurnOf knob: Knob, _ change: (inout Composition) -> Void) {
        var action = state.fingers.action(ofTurning: knob, at: now)
        perform(word, extending: &action, change)
        state.fingers.remember(knob, at: now, action)
    }

    /// Handles the power button: the first press asks, the second switches off while the question is shown.
    mutating func pressPower() {
        if state.box.askPower(at: now) {
            showTooltip("OFF?")
        } else {
            cancelPowerOff()
            effects.append(.powerOff)
        }
    }

    /// Cancels the power-off question.
    mutating func cancelPowerOff() {
        guard let asked = state.box.withdrawPower() else { return }
        if state.view.tooltip?.since == asked { state.view.tooltip = nil }
    }
}

extension Instrument.Event {
    /// Whether the event is a player's action other than an answer to the power button's question. Time, playback and
    /// fingers already on the panel are not.
    var isAct: Bool {
        switch self {
        case .touch(let touch): touch.phase == .down
        case .step, .trackStep, .round, .beat, .sceneBegan, .partsBegan, .tuneEnds, .tuneBegan, .count, .tick, .power,
            .notice,
            .stick, .facts, .guide,
            .sounds, .samples, .sample, .sampleFailed, .sliced, .dropped, .tunings, .lights, .opened, .listings, .keyUp,
            .keyCancel, .watched, .midi, .edge, .link, .transport, .syncStatus,
            .heat, .fault:
            false
        case .key, .type, .lock, .audition, .tapSound, .rules, .brightness, .showHints, .sound, .metronome, .countIn,
            .quantise,
            .turn, .sync, .record, .remote, .powerOff:
            true
        }
    }
}
