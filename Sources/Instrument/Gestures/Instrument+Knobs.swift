// Knobs that turn without end, and the power button.

extension Instrument {
    /// `knob` has been turned by `count` of its units. What one turn does to the music is one step of the history.
    mutating func turn(_ knob: Knob, by count: Int, at now: Instant) {
        switch knob {
        case .tempo:
            perform(inTurnOf: knob, at: now) { $0.pattern.changeTempo(byBPM: count) }
            sayTempo(at: now)
        case .length:
            perform(inTurnOf: knob, at: now) { $0.pattern.changeLength(by: count) }
            sayLength(at: now)
        case .volume:
            state.session.volume = (state.volume + count).clamped(to: Session.volumes)
            say("VOL \(state.volume)%", at: now)
        }
    }

    private mutating func perform(inTurnOf knob: Knob, at now: Instant, _ change: (inout Composition) -> Void) {
        var action: History.Action?
        if let last = state.lastTurn, last.knob == knob, now - last.at < Limits.turnMemory { action = last.action }
        perform(extending: &action, change)
        state.lastTurn = (knob, now, action)
    }

    /// The power button has been pressed: the first time asks, and the second, while that stands, switches off.
    mutating func pressPower(at now: Instant, _ effects: inout [Effect]) {
        if state.powerAsked != nil {
            cancelPowerOff()
            effects.append(.powerOff)
        } else {
            state.powerAsked = now
            say("OFF?", at: now)
        }
    }

    /// Takes the question back.
    mutating func cancelPowerOff() {
        guard let asked = state.powerAsked else { return }
        state.powerAsked = nil
        if state.tooltip?.since == asked { state.tooltip = nil }
    }
}

extension Event {
    /// Whether somebody does something other than answer the power button's question. Time, the music's own course and
    /// fingers that were there before go on beside it.
    var isAct: Bool {
        switch self {
        case .touch(let touch): touch.phase == .down
        case .step, .sceneBegan, .count, .tick, .power, .notice, .stick, .facts, .guide, .opened, .listings: false
        case .key, .lock, .audition, .tapSound, .brightness, .showHints, .sound, .metronome, .countIn, .turn, .powerOff:
            true
        }
    }
}
