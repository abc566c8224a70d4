import InputEvents

// MIDI keyboards: keys, pedal, controllers and programs (docs/formats.md, "Touch script").

extension Instrument {
    /// Handles a MIDI message; the loop follows its clock.
    mutating func take(_ message: MIDIMessage) {
        switch message {
        case .noteOn(let channel, let key, let velocity):
            press(key, velocity: velocity, channel: channel)
        case .noteOff(let channel, let key):
            lift(key, of: channel)
        case .bend(let channel, let value):
            state.midiChannels.bend(channel, to: value)
            expressKeys()
        case .channelPressure(let channel, let value):
            state.midiChannels.press(channel, to: value)
            expressKeys()
        case .keyPressure(let channel, let key, let value):
            for index in state.playedKeys.indices
            where state.playedKeys[index].channel == channel && state.playedKeys[index].key == key {
                state.playedKeys[index].pressure = value
            }
            expressKeys()
        case .control(let channel, let number, let value):
            turn(controller: number, to: value, channel: channel)
        case .program(_, let number):
            if number < Scenes.count, state.session.composition.scenes.isFilled(number) { choose(scene: number) }
        default: break
        }
    }

    // MARK: Keys

    private mutating func press(_ key: Int, velocity: Int, channel: Int) {
        let track = track(ofMIDIChannel: channel)
        state.playedTrack = track
        // A key that is pressed was up meanwhile: its release got lost.
        lift(key, of: channel)
        let note = Effect.Note(
            track: track, note: track.note(ofMIDIKey: key), velocity: Track.velocity(ofMIDI: velocity), steps: 1)
        // The same note of another key, or of one that the pedal holds.
        for index in state.playedKeys.indices.reversed() where state.playedKeys[index].note.isSame(as: note) {
            lift(index)
            release(index)
        }
        var played = State.PlayedKey(channel: channel, key: key, note: note, since: now)
        played.expression = state.midiChannels.expression(of: channel, keyPressure: 0)
        effects.append(.press(note, played.expression))
        if state.isRecording, state.isPlaying { played.recording = record(note) }
        state.playedKeys.append(played)
    }

    /// Lifts `key` of `channel` if it is down; a pedal holds its note on.
    private mutating func lift(_ key: Int, of channel: Int) {
        guard
            let index = state.playedKeys.firstIndex(where: {
                $0.channel == channel && $0.key == key && !$0.isLifted
            })
        else { return }
        lift(index)
        if !isPedalDown(channel) { release(index) }
    }

    /// Handles the release of a key: its recorded note gets its length.
    private mutating func lift(_ index: Int) {
        guard !state.playedKeys[index].isLifted else { return }
        state.playedKeys[index].isLifted = true
        closeNote(of: index)
    }

    /// Ends the note of a key that was lifted, unless it waits for its step.
    private mutating func release(_ index: Int) {
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
    private mutating func liftKeys(of channel: Int) {
        for index in state.playedKeys.indices where isKey(index, of: channel) { lift(index) }
        releaseNotes(of: channel, all: false)
    }

    /// Whether the key belongs to `channel`, or to the zone of which it is the manager.
    private func isKey(_ index: Int, of channel: Int) -> Bool {
        let own = state.playedKeys[index].channel
        return own >= 0 && (own == channel || state.midiChannels.manager(of: own) == channel)
    }

    /// Ends the notes of `channel` whose keys are up and that no pedal holds, or all of them; with those of its zone if it is the
    /// manager.
    private mutating func releaseNotes(of channel: Int, all: Bool) {
        for index in state.playedKeys.indices.reversed() where isKey(index, of: channel) {
            guard all || (state.playedKeys[index].isLifted && !isPedalDown(state.playedKeys[index].channel)) else {
                continue
            }
            lift(index)
            release(index)
        }
    }

    // MARK: Controllers

    private mutating func turn(controller number: Int, to value: Int, channel: Int) {
        var ended: [Int] = []
        if state.midiChannels.turn(number, of: channel, to: value, end: { ended.append($0) }) {
            for channel in ended {
                state.pedals &= ~(1 << UInt16(channel))
                releaseNotes(of: channel, all: true)
            }
            if number == MIDIMessage.ChannelMode.resetControllers {
                for index in state.playedKeys.indices where state.playedKeys[index].channel == channel {
                    state.playedKeys[index].pressure = 0
                }
                liftPedal(of: channel)
            }
            return expressKeys()
        }
        if moveFader(controller: number, to: value, channel: channel) { return }
        switch number {
        case Self.sustain where value >= 64: state.pedals |= 1 << UInt16(channel)
        case Self.sustain: liftPedal(of: channel)
        case MIDIMessage.ChannelMode.allSoundOff: releaseNotes(of: channel, all: true)
        case MIDIMessage.ChannelMode.lifts: liftKeys(of: channel)
        default: break
        }
    }

    private mutating func liftPedal(of channel: Int) {
        state.pedals &= ~(1 << UInt16(channel))
        releaseNotes(of: channel, all: false)
    }

    /// Moves the notes of all keys to the expression that their channels have now.
    private mutating func expressKeys() {
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
    mutating func take(_ command: TransportCommand) {
        switch command {
        case .begin(let step):
            if state.isPlaying { settleRecording() }
            beginSong()
            state.isPlaying = true
            state.begun = State.Begin(step: step, number: (state.begun?.number ?? 0) &+ 1)
        case .stop:
            settleRecording()
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
