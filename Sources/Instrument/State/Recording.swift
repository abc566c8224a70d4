import InputEvents

extension Instrument {
    /// The recording: taps and keys that wait for their steps, and the keys of MIDI keyboards and of the panel.
    public struct Recording: Sendable {
        /// Whether played keys, and taps on the tracks, are written to the pattern while it plays.
        public internal(set) var isOn = false
        /// The history action of the notes that were written in this pass of the pattern.
        var action: History.Action?
        /// Taps that wait for their step.
        private(set) var taps: [WaitingTap] = []
        /// Keys that are down, that a pedal or HOLD keeps, or whose note waits for its step.
        var keys: [PlayedKey] = []
        /// MIDI channels whose sustain pedal is down, one bit each.
        private var pedals: UInt16 = 0
        /// Bend, pressure and zones of the MIDI channels.
        var channels = MIDIChannels()
        /// The landing whose fader has learned or forgotten a controller.
        var learnedLanding = 0

        /// A tap that was played and waits for its step.
        struct WaitingTap: Sendable {
            var gesture: Gesture
            var target: StepLine.Target

            /// Maximum number that wait at the same time: a step is at most a second long. Others are not written.
            static let countMax = 64
        }

        /// A key of a MIDI keyboard or of the panel that is down, or whose note the pedal or HOLD keeps.
        struct PlayedKey: Sendable {
            /// MIDI channel, `panel` or `noChannel`.
            var channel: Int
            /// Its number; of the panel the finger's contact.
            var key: Int
            /// The note that sounds.
            var note: Effect.Note
            /// The note to which a finger of the panel has bent it; nil for none.
            var bent: Int?
            /// MIDI velocity, 1-127.
            var velocity: Int
            var since: Instant
            /// Pressure on the key, 0-127.
            var pressure = 0
            var expression = Expression.neutral
            /// Whether the key is up.
            var isLifted = false
            /// Whether the finger has moved the filter: then it writes the lane of the cut-off.
            var movesFilter = false
            /// The recorded note: that it waits for its step, or the step and the note index that were written; nil if
            /// it is not recorded.
            var recording: Recording?

            enum Recording: Hashable, Sendable {
                case waiting(StepLine.Target, steps: Int)
                case written(step: Int, note: Int, History.Action?)
            }

            /// The channel of a note that ended before its step began.
            static let noChannel = -1
            /// The channel of the panel's keys.
            static let panel = -2

            /// Whether it is a key of the panel.
            var isOfPanel: Bool { channel == Self.panel }

            /// The note that is heard, and written.
            var heard: Effect.Note {
                var heard = note
                if let bent { heard.note = bent }
                return heard
            }

            /// The target of its note if that waits to be written, and its step has begun.
            fileprivate var reached: StepLine.Target? {
                guard case .waiting(let target, _) = recording, target.step != nil else { return nil }
                return target
            }
        }
    }
}

// MARK: Waiting notes

extension Instrument.Recording {
    /// Adds a tap that waits for its step.
    mutating func wait(_ tap: WaitingTap) {
        if taps.count < WaitingTap.countMax { taps.append(tap) }
    }

    /// A new pass of the pattern begins: what is written from now on is another step of the history.
    mutating func beginPass() { action = nil }

    /// Gives the waiting notes of `track` their steps if these have begun on `line`.
    mutating func reach(_ track: Track, on line: StepLine) {
        changeTargets { $0 == track ? line.reached($1, on: track) : $1 }
    }

    /// Gives all waiting notes of `tracks` a step: their own will not begin.
    mutating func close(_ tracks: TrackSet, on line: StepLine, carries: StepLine.Carrying) {
        changeTargets { tracks.contains($0) ? line.closed($1, on: $0, carries: carries) : $1 }
    }

    private mutating func changeTargets(_ changed: (Track, StepLine.Target) -> StepLine.Target) {
        for index in keys.indices {
            guard case .waiting(let target, let steps) = keys[index].recording else { continue }
            keys[index].recording = .waiting(changed(keys[index].note.track, target), steps: steps)
        }
        for index in taps.indices { taps[index].target = changed(taps[index].gesture.track, taps[index].target) }
    }

    /// A waiting note whose step has begun.
    enum ReachedNote {
        case tap(WaitingTap)
        /// The key at this index, with the length of its note in steps.
        case key(Int, StepLine.Target, steps: Int)
    }

    /// The note to write next, in the order in which they were played: the last one counts. A tap is removed, a key
    /// waits for `write`; nil if no step has begun.
    mutating func nextReached() -> ReachedNote? {
        let key = keys.indices.first { keys[$0].reached != nil }
        let tap = taps.indices.filter { taps[$0].target.step != nil }
            .min { taps[$0].target.time < taps[$1].target.time }
        if let tap, key.flatMap({ keys[$0].reached }).map({ $0.time > taps[tap].target.time }) ?? true {
            return .tap(taps.remove(at: tap))
        }
        guard let key, case .waiting(let target, let steps) = keys[key].recording else { return nil }
        return .key(key, target, steps: steps)
    }

    /// The note of the key at `index` has been written. A key that is up is forgotten.
    mutating func write(_ index: Int, _ recording: PlayedKey.Recording) {
        keys[index].recording = recording
        if keys[index].channel == PlayedKey.noChannel { keys.remove(at: index) }
    }

    /// Ends the recording of this pass, on `tracks`: the transport or the pattern changed, or a part. What was played to
    /// the next one goes on waiting.
    mutating func endPass(of tracks: TrackSet = TrackSet(Track.allCases)) {
        action = nil
        for index in keys.indices.reversed() where tracks.contains(keys[index].note.track) {
            if case .waiting(var target, let steps) = keys[index].recording, target.isCarried {
                target.isCarried = false
                keys[index].recording = .waiting(target, steps: steps)
                continue
            }
            keys[index].recording = nil
            if keys[index].channel == PlayedKey.noChannel { keys.remove(at: index) }
        }
        taps.removeAll { tracks.contains($0.gesture.track) && !$0.target.isCarried }
        for index in taps.indices { taps[index].target.isCarried = false }
    }
}

// MARK: Keys

extension Instrument.Recording {
    /// The key that is down with this number and channel; nil for none.
    func down(_ key: Int, of channel: Int) -> Int? {
        keys.firstIndex { $0.channel == channel && $0.key == key && !$0.isLifted }
    }

    /// Whether the pedal of `channel`, or of its zone, is down.
    func isPedalDown(_ channel: Int) -> Bool {
        let manager = channels.manager(of: channel) ?? channel
        return (pedals >> UInt16(channel) | pedals >> UInt16(manager)) & 1 == 1
    }

    /// Presses or lifts the pedal of `channel`.
    mutating func setPedal(of channel: Int, isDown: Bool) {
        let bit: UInt16 = 1 << UInt16(channel)
        pedals = isDown ? pedals | bit : pedals & ~bit
    }

    /// Whether a key of the panel is down.
    var isPanelKeyDown: Bool { keys.contains { $0.isOfPanel && !$0.isLifted } }

    /// Whether a finger or HOLD sounds `note` of `track` by the panel's keys.
    func isPanelKeyHeld(_ note: Int, on track: Track) -> Bool {
        keys.contains { $0.isOfPanel && $0.note.track == track && $0.heard.note == note }
    }

    /// Whether the key at `index` belongs to `channel`, or to the zone of which it is the manager.
    func isKey(_ index: Int, of channel: Int) -> Bool {
        let own = keys[index].channel
        return own >= 0 && (own == channel || channels.manager(of: own) == channel)
    }

    /// Removes the key at `index`, whose note ends; if the note waits for its step, the key stays without a channel.
    mutating func remove(_ index: Int) {
        if case .waiting = keys[index].recording {
            keys[index].channel = PlayedKey.noChannel
        } else {
            keys.remove(at: index)
        }
    }

    /// The note of `key` goes on as another one; its own waits for its step without the key.
    mutating func leave(_ key: PlayedKey) {
        var key = key
        key.channel = PlayedKey.noChannel
        key.isLifted = true
        keys.append(key)
    }

    /// Sets the pressure of the keys of `channel` that have the number `key`, or of all if that is nil.
    mutating func press(_ key: Int?, of channel: Int, to pressure: Int) {
        for index in keys.indices where keys[index].channel == channel && (key ?? keys[index].key) == keys[index].key {
            keys[index].pressure = pressure
        }
    }

    /// Moves the notes of all keys to the expression that their channels have now; calls `changed` with each that
    /// changes.
    mutating func express(_ changed: (Instrument.Effect.Note, Expression) -> Void) {
        for index in keys.indices where keys[index].channel >= 0 {
            let expression = channels.expression(of: keys[index].channel, keyPressure: keys[index].pressure)
            guard expression != keys[index].expression else { continue }
            keys[index].expression = expression
            changed(keys[index].note, expression)
        }
    }
}
