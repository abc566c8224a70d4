import InputEvents

// Faders that write lanes: while music is recorded, a finger on such a fader of the sound sheet writes its lane, step by
// step as they are heard. The fader's own setting stays; the finger moves only what is heard (docs/spec.md, section 5).

extension Lane {
    /// The control of a track that it changes, whose fader writes it; nil for none.
    var control: TrackControl? {
        switch self {
        case .velocity: .volume
        case .cutoff: .cutoff
        case .resonance: .resonance
        case .pan: .pan
        case .delay: .delay
        case .reverb: .reverb
        case .chance, .when, .ratchet, .ramp, .gate, .shift, .slide, .harmony: nil
        }
    }

    /// The value with which `control` sounds at `setting` as at `value`, clamped; nil if they are the same. A step
    /// without a value has `velocity`.
    func value(for value: Int, at setting: Int, _ velocity: Int) -> Int? {
        let change = value - setting
        if change == 0 { return nil }
        switch self {
        case .velocity:
            // velocity · (value / setting)^⅔, because the gain is the velocity's power of 1.5.
            func cube(_ number: Int) -> Int64 { Int64(number) * Int64(number) * Int64(number) }
            let (old, new) = (Int64(setting) * Int64(setting), cube(2 * velocity) * Int64(value) * Int64(value))
            return values.last { cube(2 * $0 - 1) * old <= new } ?? values.lowerBound
        case .cutoff:
            // 100 is five octaves. The frequency half a unit away from the setting, and then from unit to unit.
            var (offset, ratio) = (0, max(Float(value), Float(setting)) / Float(min(value, setting)) / 1.017_479_7)
            while ratio >= 1, offset < values.upperBound { (offset, ratio) = (offset + 1, ratio / 1.035_264_9) }
            return offset == 0 ? nil : change > 0 ? offset : -offset
        case .resonance:
            // 100 is 24 dB.
            return nearest(Double(change) * 100 / 24).clamped(to: values)
        case .pan, .delay, .reverb: return change.clamped(to: values)
        case .chance, .when, .ratchet, .ramp, .gate, .shift, .slide, .harmony: return nil
        }
    }
}

extension Contact {
    /// A fader that writes a lane, and its value at the finger.
    struct WrittenFader {
        let track: Track
        let lane: Lane
        let control: SoundControl
        let value: Int
    }

    /// The fader that the finger writes; nil for none.
    var writtenFader: WrittenFader? {
        guard let value = grip?.written, case .fader(.sound(let control))? = spot,
            case .track(let track, let own) = control, let lane = Lane.ofTracks.first(where: { $0.control == own })
        else { return nil }
        return WrittenFader(track: track, lane: lane, control: control, value: value)
    }
}

extension Instrument.State {
    /// The sound that is heard: that of the session, with the faders that write lanes at their fingers.
    public var heardSound: SoundSettings {
        @inline(never) get {
            var sound = session.sound
            for id in fingers.contacts.indices where fingers.contacts[id].grip?.written != nil {
                if let fader = fingers.contacts[id].writtenFader { sound[fader.control] = fader.value }
            }
            return sound
        }
    }

    /// The pattern that is heard. A lane that is written is without effect, for its fader moves the sound already.
    public var heardPattern: Pattern {
        @inline(never) get {
            var pattern = session.composition.pattern
            for id in fingers.contacts.indices where fingers.contacts[id].grip?.written != nil {
                guard let fader = fingers.contacts[id].writtenFader else { continue }
                let (track, lane) = (fader.track, fader.lane)
                for step in 0..<pattern.length(of: track) {
                    let velocity = pattern.velocity(of: track, at: step)
                    pattern.lanes[track, lane, step: step] = lane == .velocity ? velocity : 0
                }
            }
            return pattern
        }
    }
}

extension Pattern {
    /// The MIDI velocity of the notes of `track` that begin at `step`, without values: an accent's if there is one.
    fileprivate func velocity(of track: Track, at step: Int) -> Int {
        Track.midiVelocity(of: track.notes.contains { self[track, note: $0, step: step] == .accent } ? 2 : 1)
    }
}

extension Instrument {
    /// Whether a finger that grips `fader` now writes a lane.
    func writesLane(_ fader: Fader) -> Bool {
        guard case .sound(.track(_, let control)) = fader, isAvailable(fader) else { return false }
        return state.recording.isOn && state.isPlaying && state.rules == .box && !isFrozen
            && Lane.ofTracks.contains { $0.control == control }
    }

    /// Writes the held faders of `track` to `step`, which is heard.
    mutating func writeFaders(of track: Track, at step: Int) {
        for id in state.fingers.contacts.indices where state.fingers[id].grip?.written != nil {
            writeFader(of: id, on: track, at: step)
        }
    }

    private mutating func writeFader(of id: Int, on track: Track, at step: Int) {
        guard let fader = state.fingers[id].writtenFader, fader.track == track, state.recording.isOn else { return }
        state.fingers[id].grip?.hasWritten = true
        let setting = state.session.sound[fader.control]
        write(on: track, step, nil) {
            $0.lanes[track, fader.lane, step: step] = fader.lane.value(
                for: fader.value, at: setting, $0.velocity(of: track, at: step))
        }
    }

    /// Handles contact `id`, which lifts from a fader: a finger that was quicker than a step writes that. The fader is at
    /// its setting again.
    mutating func endWriting(_ id: Int) {
        guard let fader = state.fingers[id].writtenFader else { return }
        if state.fingers[id].grip?.hasWritten == false, let step = state.playhead(of: fader.track)?.step {
            writeFader(of: id, on: fader.track, at: step)
        }
        state.fingers[id].grip = nil
        if case .track(let track, let control) = fader.control { effects.append(.turn(track, control)) }
    }
}
