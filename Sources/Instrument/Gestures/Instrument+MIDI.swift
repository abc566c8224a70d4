import InputEvents

// MIDI keyboards: keys, pedal, controllers and programs (docs/formats.md, "Touch script").

extension Instrument {
    /// Handles a MIDI message; the loop follows its clock.
    mutating func take(_ message: MIDIMessage, at now: Instant, _ effects: inout [Effect]) {
        switch message {
        case .noteOn(let channel, let key, let velocity):
            press(key, velocity: velocity, channel: channel, at: now, &effects)
        case .noteOff(let channel, let key):
            lift(key, of: channel, at: now, &effects)
        case .bend(let channel, let value):
            state.midiChannels.bend(channel, to: value)
            expressKeys(&effects)
        case .channelPressure(let channel, let value):
            state.midiChannels.press(channel, to: value)
            expressKeys(&effects)
        case .keyPressure(let channel, let key, let value):
            for index in state.playedKeys.indices
            where state.playedKeys[index].channel == channel && state.playedKeys[index].key == key {
                state.playedKeys[index].pressure = value
            }
            expressKeys(&effects)
        case .control(let channel, let number, let value):
            turn(controller: number, to: value, channel: channel, at: now, &effects)
        case .program(_, let number):
            if number < Scenes.count, state.session.composition.scenes.isFilled(number) { choose(scene: number) }
        default: break
        }
    }

    // MARK: Keys

    private mutating func press(_ key: Int, velocity: Int, channel: Int, at now: Instant, _ effects: inout [Effect]) {
        let track = track(ofMIDIChannel: channel)
        state.playedTrack = track
        // A key that is pressed was up meanwhile: its release got lost.
        lift(key, of: channel, at: now, &effects)
        let note = Effect.Note(
            track: track, note: track.note(ofMIDIKey: key), velocity: Track.velocity(ofMIDI: velocity), steps: 1)
        // The same note of another key, or of one that the pedal holds.
        for index in state.playedKeys.indices.reversed() where state.playedKeys[index].note.isSame(as: note) {
            lift(index, at: now)
            release(index, &effects)
        }
        var played = State.PlayedKey(channel: channel, key: key, note: note, since: now)
        played.expression = state.midiChannels.expression(of: channel, keyPressure: 0)
        effects.append(.press(note, played.expression))
        if state.isRecording, state.isPlaying { played.recording = record(note, at: now) }
        state.playedKeys.append(played)
    }

    /// Lifts `key` of `channel` if it is down; a pedal holds its note on.
    private mutating func lift(_ key: Int, of channel: Int, at now: Instant, _ effects: inout [Effect]) {
        guard
            let index = state.playedKeys.firstIndex(where: {
                $0.channel == channel && $0.key == key && !$0.isLifted
            })
        else { return }
        lift(index, at: now)
        if !isPedalDown(channel) { release(index, &effects) }
    }

    /// Handles the release of a key: its recorded note gets its length.
    private mutating func lift(_ index: Int, at now: Instant) {
        guard !state.playedKeys[index].isLifted else { return }
        state.playedKeys[index].isLifted = true
        closeNote(of: index, at: now)
    }

    /// Ends the note of a key that was lifted, unless it waits for its step.
    private mutating func release(_ index: Int, _ effects: inout [Effect]) {
        effects.append(.release(state.playedKeys[index].note))
        if case .waiting = state.playedKeys[index].recording {
            state.playedKeys[index].channel = State.PlayedKey.noChannel
        } else {
            state.playedKeys.remove(at: index)
        }
    }

    /// Whether the pedal of `channel`, or of its zone, is down.
    private func isPedalDown(_ channel: Int) -> Bool {
        let manager = state.midiChannels.manager(of: channel) ?? channel
        return (state.pedals >> UInt16(channel) | state.pedals >> UInt16(manager)) & 1 == 1
    }

    /// Lifts all keys of `channel`, with those of its zone if it is the manager. A pedal holds their notes on.
    private mutating func liftKeys(of channel: Int, at now: Instant, _ effects: inout [Effect]) {
        for index in state.playedKeys.indices where isKey(index, of: channel) { lift(index, at: now) }
        releaseNotes(of: channel, all: false, at: now, &effects)
    }

    /// Whether the key belongs to `channel`, or to the zone of which it is the manager.
    private func isKey(_ index: Int, of channel: Int) -> Bool {
        let own = state.playedKeys[index].channel
        return own >= 0 && (own == channel || state.midiChannels.manager(of: own) == channel)
    }

    /// Ends the notes of `channel` whose keys are up and that no pedal holds, or all of them; with those of its zone if it is the
    /// manager.
    private mutating func releaseNotes(of channel: Int, all: Bool, at now: Instant, _ effects: inout [Effect]) {
        for index in state.playedKeys.indices.reversed() where isKey(index, of: channel) {
            guard all || (state.playedKeys[index].isLifted && !isPedalDown(state.playedKeys[index].channel)) else {
                continue
            }
            lift(index, at: now)
            release(index, &effects)
        }
    }

    // MARK: Controllers

    private mutating func turn(
        controller number: Int, to value: Int, channel: Int, at now: Instant, _ effects: inout [Effect]
    ) {
        var ended: [Int] = []
        if state.midiChannels.turn(number, of: channel, to: value, end: { ended.append($0) }) {
            for channel in ended {
                state.pedals &= ~(1 << UInt16(channel))
                releaseNotes(of: channel, all: true, at: now, &effects)
            }
            if number == MIDIMessage.ChannelMode.resetControllers {
                for index in state.playedKeys.indices where state.playedKeys[index].channel == channel {
                    state.playedKeys[index].pressure = 0
                }
                liftPedal(of: channel, at: now, &effects)
            }
            return expressKeys(&effects)
        }
        if moveFader(controller: number, to: value, channel: channel, at: now) { return }
        switch number {
        case Self.sustain where value >= 64: state.pedals |= 1 << UInt16(channel)
        case Self.sustain: liftPedal(of: channel, at: now, &effects)
        case MIDIMessage.ChannelMode.allSoundOff: releaseNotes(of: channel, all: true, at: now, &effects)
        case MIDIMessage.ChannelMode.lifts: liftKeys(of: channel, at: now, &effects)
        default: break
        }
    }

    private mutating func liftPedal(of channel: Int, at now: Instant, _ effects: inout [Effect]) {
        state.pedals &= ~(1 << UInt16(channel))
        releaseNotes(of: channel, all: false, at: now, &effects)
    }

    /// Moves the notes of all keys to the expression that their channels have now.
    private mutating func expressKeys(_ effects: inout [Effect]) {
        for index in state.playedKeys.indices where state.playedKeys[index].channel >= 0 {
            let played = state.playedKeys[index]
            let expression = state.midiChannels.expression(of: played.channel, keyPressure: played.pressure)
            guard expression != played.expression else { continue }
            state.playedKeys[index].expression = expression
            effects.append(.express(played.note, expression))
        }
    }

    /// The track that `channel` plays: its own, or that used last. The channels of a zone are notes and not tracks.
    func track(ofMIDIChannel channel: Int) -> Track {
        guard state.midiChannels.zone(of: channel) == nil else { return state.playedTrack }
        return state.trackChannels.track(on: channel) ?? state.playedTrack
    }

    private static let sustain = 64
}

// MARK: External transports, and settings of the clocks

extension Instrument {
    /// Follows the transport of the source.
    mutating func take(_ command: TransportCommand, at now: Instant) {
        switch command {
        case .begin(let step):
            if state.isPlaying { settleRecording(at: now) }
            beginSong()
            state.isPlaying = true
            state.begun = State.Begin(step: step, number: (state.begun?.number ?? 0) &+ 1)
        case .stop:
            settleRecording(at: now)
            state.isPlaying = false
        }
        state.endPlayheads()
        endRecording()
    }

    /// Chooses the source of the tempo, as the player does. The status is unknown until the new source sends.
    mutating func chooseSource(_ source: SyncSource) {
        if source != state.sync.source { state.syncStatus = SyncStatus() }
        state.session.syncSource = source
    }

    /// Changes a setting of the clocks; a value out of range changes nothing.
    mutating func take(_ setting: SyncSetting) {
        let rates = SyncSettings.pulsesPerQuarter
        switch setting {
        case .source(let source): chooseSource(source)
        case .pulse(let output): state.initialSync.pulse = output
        case .pulsesPerQuarter(let count): if rates.contains(count) { state.initialSync.pulsesPerQuarter = count }
        case .clockPerQuarter(let count): if rates.contains(count) { state.initialSync.clockPerQuarter = count }
        case .pulseMilliseconds(let length):
            state.initialSync.pulseMilliseconds = length.clamped(to: SyncSettings.pulseLengths)
        case .pulseLevel(let level): state.initialSync.pulseLevel = level.clamped(to: SyncSettings.pulseLevels)
        }
    }
}

extension Instrument.Effect.Note {
    /// Whether it has the same pitch or drum as `other`.
    fileprivate func isSame(as other: Self) -> Bool { track == other.track && note == other.note }
}
