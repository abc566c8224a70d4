import InputEvents

// Controllers of MIDI devices: those with a fader by their number, and those that the player has given to one.

extension Instrument {
    /// Handles a controller that chooses or moves a fader. Returns false for another.
    mutating func moveFader(controller number: Int, to value: Int, channel: Int) -> Bool {
        let controller = LearnedControllers.Controller(channel: channel, number: number)
        learn(controller)
        let level = TrackControllers.level(of: value)
        if let fader = state.session.learned[controller] {
            if isAvailable(fader) { set(fader, to: fader.value(at: level, in: range(of: fader))) }
            return true
        }
        let track = track(ofMIDIChannel: channel)
        guard let control = trackControllers.control(number, of: track) else { return false }
        let fader = Fader.sound(.track(track, control))
        set(fader, to: fader.value(at: level))
        return true
    }

    /// Gives `controller` to the fader that a finger holds, or takes it back. Each hold does so once, as a controller
    /// that moves sends many values.
    private mutating func learn(_ controller: LearnedControllers.Controller) {
        guard LearnedControllers.canLearn(controller.number), let (fader, landing) = heldFader,
            landing != state.recording.learnedLanding
        else { return }
        state.recording.learnedLanding = landing
        let isKnown = state.session.learned[controller] == fader
        if isKnown {
            state.session.learned.forget(controller)
        } else {
            state.session.learned.learn(controller, for: fader)
        }
        showTooltip("CC \(controller.number) \(isKnown ? "OFF" : "SET")")
    }

    /// The fader that a finger holds, the one that landed last, and the number of its landing.
    private var heldFader: (Fader, landing: Int)? {
        var held: (Fader, landing: Int)?
        for contact in state.fingers.contacts {
            guard case .spot(.fader(let fader), _)? = contact.role, isAvailable(fader), !fader.isMusic else { continue }
            if contact.landingNumber > held?.landing ?? 0 { held = (fader, contact.landingNumber) }
        }
        return held
    }
}
