import InputEvents

// MIDI keyboards: keys, pedal, controllers and programs (docs/formats.md, "Touch script").

extension Instrument {
    /// Handles a MIDI message; the loop follows its clock.
    mutating func handle(_ message: MIDIMessage) {
        switch message {
        case .noteOn(let channel, let key, let velocity):
            press(key, velocity: velocity, channel: channel)
        case .noteOff(let channel, let key):
            lift(key, of: channel)
        case .bend(let channel, let value):
            state.recording.channels.bend(channel, to: value)
            expressKeys()
        case .channelPressure(let channel, let value):
            state.recording.channels.press(channel, to: value)
            expressKeys()
        case .keyPressure(let channel, let key, let value):
            state.recording.press(key, of: channel, to: value)
            expressKeys()
        case .control(let channel, let number, let value):
            turn(controller: number, to: value, channel: channel)
        case .program(_, let number):
            if number < Scenes.count, state.session.composition.scenes.isFilled(number) { choose(scene: number) }
        // The loop follows clocks, and a cable handles the rest.
        case .songPosition, .clock, .start, .resume, .stop, .identityRequest, .activeSensing, .reset: break
        }
    }

    // MARK: Keys

    private mutating func press(_ key: Int, velocity: Int, channel: Int) {
        let track = track(ofMIDIChannel: channel)
        state.fingers.playedTrack = track
        // A key that is pressed was up meanwhile: its release got lost.
        lift(key, of: channel)
        let note = Effect.Note(
            track: track, note: track.note(ofMIDIKey: key), velocity: Track.velocity(ofMIDI: velocity), steps: 1)
        var played = Recording.PlayedKey(channel: channel, key: key, note: note, velocity: velocity, since: now)
        played.expression = state.recording.channels.expression(of: channel, keyPressure: 0)
        sound(played)
    }

    /// Sounds the note of `key` until it is released, and writes it.
    mutating func sound(_ key: Recording.PlayedKey) {
        // The same note of another key, or of one that the pedal holds.
        releaseKeys { $0.note.isSame(as: key.note) }
        var key = key
        effects.append(.press(key.note, velocity: key.velocity, key.expression))
        if state.recording.isOn, state.isPlaying { key.recording = record(key) }
        state.recording.keys.append(key)
    }

    /// Lifts `key` of `channel` if it is down; a pedal holds its note on.
    private mutating func lift(_ key: Int, of channel: Int) {
        guard let index = state.recording.down(key, of: channel) else { return }
        liftKey(at: index)
        if !state.recording.isPedalDown(channel) { releaseKey(at: index) }
    }

    /// Handles the release of a key: its recorded note gets its length.
    mutating func liftKey(at index: Int) {
        guard !state.recording.keys[index].isLifted else { return }
        state.recording.keys[index].isLifted = true
        closeNote(of: index)
    }

    /// Ends the note of a key that was lifted, unless it waits for its step.
    mutating func releaseKey(at index: Int) {
        effects.append(.release(state.recording.keys[index].note))
        state.recording.remove(index)
    }

    /// Lifts all keys of `channel`, with the keys of its zone if it is the manager. A pedal holds their notes on.
    private mutating func liftKeys(of channel: Int) {
        for index in state.recording.keys.indices where state.recording.isKey(index, of: channel) { liftKey(at: index) }
        releaseNotes(of: channel, all: false)
    }

    /// Ends the notes of `channel` whose keys are up and that no pedal holds, or all of them; with the notes of its
    /// zone if it is the manager.
    private mutating func releaseNotes(of channel: Int, all: Bool) {
        for index in state.recording.keys.indices.reversed() where state.recording.isKey(index, of: channel) {
            guard
                all
                    || (state.recording.keys[index].isLifted
                        && !state.recording.isPedalDown(state.recording.keys[index].channel))
            else {
                continue
            }
            liftKey(at: index)
            releaseKey(at: index)
        }
    }

    /// Ends the notes of all keys, also of the panel's.
    mutating func releaseKeys() { releaseKeys { _ in true } }

    /// Ends the notes of the keys that are meant.
    mutating func releaseKeys(where isMeant: (Recording.PlayedKey) -> Bool) {
        for index in state.recording.keys.indices.reversed() where isMeant(state.recording.keys[index]) {
            liftKey(at: index)
            releaseKey(at: index)
        }
    }

    // MARK: Controllers

    private mutating func turn(controller number: Int, to value: Int, channel: Int) {
        var ended: [Int] = []
        if state.recording.channels.turn(number, of: channel, to: value, end: { ended.append($0) }) {
            for channel in ended {
                state.recording.setPedal(of: channel, isDown: false)
                releaseNotes(of: channel, all: true)
            }
            if number == MIDIMessage.ChannelMode.resetControllers {
                state.recording.press(nil, of: channel, to: 0)
                liftPedal(of: channel)
            }
            return expressKeys()
        }
        if moveFader(controller: number, to: value, channel: channel) { return }
        switch number {
        case Self.sustain where value >= 64: state.recording.setPedal(of: channel, isDown: true)
        case Self.sustain: liftPedal(of: channel)
        case MIDIMessage.ChannelMode.allSoundOff: releaseNotes(of: channel, all: true)
        case MIDIMessage.ChannelMode.lifts: liftKeys(of: channel)
        default: break
        }
    }

    private mutating func liftPedal(of channel: Int) {
        state.recording.setPedal(of: channel, isDown: false)
        releaseNotes(of: channel, all: false)
    }

    /// Moves the notes of all keys to the expression that their channels have now.
    private mutating func expressKeys() {
        state.recording.express { effects.append(.express($0, $1)) }
    }

    /// The track that `channel` plays: its own, or that used last. The channels of a zone are notes and not tracks.
    func track(ofMIDIChannel channel: Int) -> Track {
        guard state.recording.channels.zone(of: channel) == nil else { return state.fingers.playedTrack }
        return trackChannels.track(on: channel) ?? state.fingers.playedTrack
    }

    private static let sustain = 64
}

// MARK: External transports, and settings of the clocks

extension Instrument {
    /// Follows the transport of the source.
    mutating func follow(_ command: TransportCommand) {
        switch command {
        case .begin(let step):
            if state.isPlaying { closeRecording() }
            beginSong()
            state.transport.begin(at: step)
        case .stop:
            guard stops(by: state.sync.source.stops) else { return showTooltip("LOCKED") }
            closeRecording()
            state.transport.stop()
        }
        state.recording.endPass()
    }

    /// Whether `source` stops the music at once: while the lock is on, the sources of the configuration do.
    func stops(by source: StopSources) -> Bool { !isFrozen || state.defaults.stops.isSuperset(of: source) }

    /// Chooses the source of the tempo, as the player does. The status is unknown until the new source sends.
    mutating func chooseSource(_ source: SyncSource) {
        if source != state.sync.source { state.transport.syncStatus = SyncStatus() }
        state.session.syncSource = source
    }

    /// Changes a setting of the clocks; a value out of range changes nothing.
    mutating func set(_ setting: SyncSetting) {
        if case .source(let source) = setting { chooseSource(source) } else { state.defaults.set(setting) }
    }
}

extension SyncSource {
    /// The source as one that stops the music; none for the box itself.
    fileprivate var stops: StopSources {
        switch self {
        case .internal: []
        case .midi: .midi
        case .clock: .clock
        case .link: .link
        }
    }
}

extension Instrument.Effect.Note {
    /// Whether it has the same pitch or drum as `other`.
    fileprivate func isSame(as other: Self) -> Bool { track == other.track && note == other.note }
}
