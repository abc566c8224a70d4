import InputEvents

// Played keys, external transports and settings of the clocks (SYNC.md 1 and 3).

extension Instrument {
    /// Handles a MIDI message; the loop follows its clock.
    mutating func take(_ message: MIDIMessage, at now: Instant, _ effects: inout [Effect]) {
        switch message {
        case .noteOn(let channel, let key, let velocity):
            let track = Track(midiChannel: channel) ?? state.playedTrack
            state.playedTrack = track
            let note = track.note(ofMIDIKey: key)
            let played = Effect.Note(track: track, note: note, velocity: Track.velocity(ofMIDI: velocity), steps: 1)
            effects.append(.audition([played]))
            if state.isRecording, state.isPlaying { record(played, at: now) }
        case .program(_, let number):
            if number < Scenes.count, state.session.composition.scenes.isFilled(number) { choose(scene: number) }
        default: break
        }
    }

    /// Writes a played note to the nearest step.
    private mutating func record(_ played: Effect.Note, at now: Instant) {
        guard let playhead = state.playhead, !isRefused(at: now) else { return }
        let step = state.session.composition.pattern.duration(ofSteps: 1)
        if now - playhead.since > Instant.Span(microseconds: step.microseconds / 2) {
            state.recorded.early.append(played)
        } else {
            write(played, atStep: playhead.step)
        }
    }

    /// Writes the notes that were played before `step`, which has begun.
    mutating func writeEarlyNotes(atStep step: Int) {
        guard !state.recorded.early.isEmpty else { return }
        for played in state.recorded.early { write(played, atStep: step) }
        state.recorded.early.removeAll(keepingCapacity: true)
    }

    /// Writes a played note. Those of one pass of the pattern are one step of the history.
    private mutating func write(_ played: Effect.Note, atStep step: Int) {
        if step < state.recorded.step { state.recorded.action = nil }
        state.recorded.step = step
        var action = state.recorded.action
        perform(extending: &action) {
            $0.pattern[played.track, note: played.note, step: step] = played.velocity == 2 ? .accent : .normal
        }
        state.recorded.action = action
    }

    /// Follows the transport of the source.
    mutating func take(_ command: TransportCommand) {
        switch command {
        case .begin(let step):
            state.isPlaying = true
            state.begun = State.Begin(step: step, number: (state.begun?.number ?? 0) &+ 1)
        case .stop: state.isPlaying = false
        }
        state.playhead = nil
        state.recorded = State.Recorded()
    }

    /// Changes a setting of the clocks; a value out of range changes nothing.
    mutating func take(_ setting: SyncSetting) {
        let rates = SyncSettings.pulsesPerQuarter
        switch setting {
        case .source(let source): state.sync.source = source
        case .pulse(let output): state.sync.pulse = output
        case .pulsesPerQuarter(let count): if rates.contains(count) { state.sync.pulsesPerQuarter = count }
        case .clockPerQuarter(let count): if rates.contains(count) { state.sync.clockPerQuarter = count }
        case .pulseMilliseconds(let length):
            state.sync.pulseMilliseconds = length.clamped(to: SyncSettings.pulseLengths)
        case .pulseLevel(let level): state.sync.pulseLevel = level.clamped(to: SyncSettings.pulseLevels)
        }
    }
}
