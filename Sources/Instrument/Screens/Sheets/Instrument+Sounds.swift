import InputEvents
import Display

// Choosing, saving and deleting sounds.

extension Instrument {
    /// Shows the sound sheet, and requests the player's own sounds.
    mutating func showSound() {
        show(.sound(SoundSheet(of: state.view.soundTrack)))
        effects.append(.job(.showSounds))
    }

    /// Takes over the player's own sounds.
    mutating func list(_ presets: [SoundPreset]) {
        state.shelf.sounds = OwnSounds(presets)
        if case .presets = state.view.screen { limitScreen() }
    }

    /// Moves `track` by this many places in its list of sounds. A sound that is not in the list counts as the first.
    mutating func walkSounds(_ track: Track, by places: Int, contact id: Int?) {
        // The name that appears is the header's.
        state.view.tooltip = nil
        let present = state.soundPlace(of: track) ?? 0
        let place = (present + places).clamped(to: 0...state.soundCount(for: track) - 1)
        if place != present { chooseSound(track, place: place, contact: id) }
    }

    /// Chooses the sound at `place` of the list of `track`. While stopped it is heard at once.
    mutating func chooseSound(_ track: Track, place: Int, contact id: Int?) {
        guard (0..<state.soundCount(for: track)).contains(place) else { return }
        let sound = state.sound(at: place, for: track)
        changeSound(track == .rhythm ? "KIT" : "SOUND", inTouch: id) { $0.choose(sound, for: track) }
        guard !state.isPlaying else { return }
        let notes = Self.auditioned[track.rawValue].map { Effect.Note(track: track, note: $0, velocity: 1, steps: 4) }
        effects.append(.audition(notes))
    }

    /// The notes of each track by which a sound is heard; a triad for chords.
    private static let auditioned = [[0], [0, 4, 7], [0], [0]]

    /// Gives the current scene its own sound, a copy of the tune's and its mutes, or takes it away, as a step of the history:
    /// a touch that does both makes none.
    mutating func giveOwnSound(_ isOn: Bool, contact id: Int) {
        guard let slot = state.scene, isAvailable(.own), isOn != state.session.sounds.isOwn(slot) else { return }
        if let action = state.fingers[id].action, state.session.history.isNewest(action),
            let before = state.session.history.past.last?.own, before.slot == slot
        {
            _ = state.session.exchange(before)
            state.session.history.remove(action)
            state.fingers[id].action = nil
            return
        }
        let own = state.session.exchange(.init(slot: slot, sound: isOn ? state.session.sounds.tune : nil))
        state.fingers[id].action = state.session.history.record(
            History.Step(state.session.composition, own: own, word: "OWN"))
    }

    /// Asks for the name under which the sound of `track` is saved.
    mutating func nameSound(_ track: Track) {
        let name = state.playsOwnSound(track) ? state.session.sound[nameOf: track]?.text : nil
        show(.letters(LetterSheet(soundOf: track, name: name ?? "")))
    }

    /// Saves the sound of `track` under `name`, in place of an own sound of that name.
    mutating func saveSound(_ track: Track, _ name: String) {
        show(.presets(PresetSheet(of: track)))
        guard let name = SoundName(name), !FactorySounds.has(name, SoundPreset.Kind(track)) else {
            showTooltip("TAKEN")
            return
        }
        let preset = SoundPreset(state.session.sound, of: track, named: name)
        changeSound("NAME", inTouch: nil) { $0.choose(preset, for: track) }
        effects.append(.job(.keepSound(preset)))
    }

    /// Deletes the own sound that `track` plays. The track goes on with it, under its name.
    mutating func deleteSound(_ track: Track) {
        guard state.playsOwnSound(track), let name = state.session.sound[nameOf: track], !isRefused() else {
            return
        }
        effects.append(.job(.removeSound(SoundPreset.Kind(track), name)))
    }
}
