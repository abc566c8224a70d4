import Instrument
import Synth

/// The sound engine for the loop: owns the engine, sends it changes and takes its reports.
///
/// The loop's thread calls `synchronise` and `takeReports`; any one thread calls `render`.
public final class Engine: @unchecked Sendable {
    /// Sample rate, in frames per second.
    public let rate: Int
    /// The engine itself, for an audio thread outside Swift. Valid as long as this object.
    public let synth: OpaquePointer

    /// The state that was last sent of the engine's two patterns, and of the tracks that wait to play alone.
    private var sent = [Sent(), Sent(), Sent()]
    /// Index of the playing pattern, according to the reports so far.
    private var playing = 0
    /// The requested switch, and the sound that it brings; nil if the sound stays.
    private var asked: Instrument.State.Upcoming?
    private var askedSound: Sounding?
    /// The switch that the engine has performed and that is not audible yet, and whether it has brought a sound; nil for
    /// none. Until then the player hears the old pattern, and neither pattern is changed, nor a sound that was brought.
    private var awaited: (switched: Switched, bringsSound: Bool)?
    /// The requested parts, and those of them that go on with the pattern.
    private var askedParts = (parts: Parts(), returning: TrackSet())
    /// The composition from which they were last sent.
    private var composition: Composition?
    /// Parts that the engine has begun and that are not audible yet; nil for none. Until then no pattern is changed.
    private var awaitedParts: Parts?
    /// The number in the last report of parts.
    private var partsReports: UInt8 = 0
    /// Sounds that were requested since the last switch or stop, and whether the sound was changed since the last of them.
    private var requests = (count: 0, isOutdated: false)
    /// Whether the engine's sound may differ from the one that was sent: a switch has brought one that was not the only
    /// one requested, or a change of the sound came before or after it.
    private var isSoundUnknown = false
    /// Number of stops of the transport. Reports from before the last stop are ignored.
    private var stops: UInt16 = 0

    /// Other state that was sent to the engine.
    private var isPlaying = false
    private var begun: Instrument.Transport.Begin?
    private var mix = Mix()
    /// Whether a source steers the engine.
    public private(set) var isSteered = false

    /// Bytes of the sample in each slot. The thread that loads samples owns it.
    var sampleSizes = [Int](repeating: 0, count: LoadedSample.slots)
    /// Slots that the engine is to empty, one bit each.
    private var unloaded: UInt32 = 0

    private var commands: [SynthCommand] = []
    /// Commands with values of single notes that wait for room in the engine's ring, oldest first.
    private var noteCommands: [SynthCommand] = []
    private var reports = [SynthReport](repeating: SynthReport(), count: 256)
    private var rounds = RoundCollector()

    /// Maximum commands of one change: rows of cells, lanes and shapes of three patterns, controls, and a few others,
    /// which include the tunings.
    private static let commandsMax =
        3
        * Track.allCases.reduce(0) {
            $0 + $1.notes.count * Pattern.windows + 1 + Lane.ofTracks.count * Pattern.steps / 4
        }
        + 2 * SoundControl.allCases.count + 64 + LoadedSample.slots + noteCommandsMax
    /// Maximum commands with values of single notes in one change; further ones follow by themselves.
    private static let noteCommandsMax = 512

    /// A pattern as it was last sent.
    private struct Sent {
        /// The pattern; nil where a command may have been skipped.
        var pattern: Pattern? = Pattern() {
            didSet {
                guard let pattern else { return }
                (metre, tuning, windows) = (pattern.metre, pattern.tuning, max(windows, pattern.filledWindows))
            }
        }
        /// Its metre, its tuning, and the windows beyond which the engine has no notes, also of a pattern whose commands
        /// were skipped.
        private(set) var metre = Metre()
        private(set) var tuning = Tuning()
        private(set) var windows = 1

        /// Tracks of `other` have replaced its own.
        mutating func take(_ other: Sent) {
            pattern = nil
            windows = max(windows, other.windows)
        }
    }

    /// The part of the mix that a switch can bring.
    private struct Sounding: Equatable {
        let silent: TrackSet
        let settings: SoundSettings
        let samples: [LoadedSample]
    }

    /// Mix of the patterns. The properties have no default values: every pass would create them, and allocate.
    private struct Mix: Equatable {
        var sound: Sounding
        /// In per cent.
        let volume: Int
        let metronome: Bool
        let sync: SyncSettings
        let isFilling: Bool
        let hearing: Instrument.Takes.Hearing?
        let fx: FXPlays

        /// The mix of a new engine.
        init() {
            sound = Sounding(silent: TrackSet(), settings: SoundSettings(), samples: [])
            volume = Session.volumes.upperBound
            metronome = false
            sync = SyncSettings()
            isFilling = false
            hearing = nil
            fx = FXPlays()
        }

        init(_ state: Instrument.State) {
            sound = Sounding(
                silent: state.silent, settings: state.heardSound, samples: state.samples.loaded)
            volume = state.volume
            metronome = state.session.metronome
            sync = state.sync
            isFilling = state.isFilling
            hearing = state.takes.hearing
            fx = state.fx
        }
    }

    /// An engine at `rate`: 44100, 48000 or 96000 frames per second. Nil for another rate or if memory is short.
    public init?(rate: Int) {
        guard let rate32 = UInt32(exactly: rate), let synth = synth_create(rate32) else { return nil }
        self.rate = rate
        self.synth = synth
        commands.reserveCapacity(Self.commandsMax)
    }

    deinit { synth_destroy(synth) }

    /// The tuning of the pattern that plays in the newest of the engine's frames.
    public var tuning: Tuning { sent[playing].tuning }

    /// The metre of the pattern that plays in the newest of the engine's frames.
    public var metre: Metre { sent[playing].metre }

    // MARK: To the engine

    /// Sends the engine the differences between `state` and the state it has, and `effects`, to take effect on `frame`.
    ///
    /// If its ring is full nothing is sent and the differences are found again next time; the notes of these `effects`
    /// are dropped, because a late note is worse than a missing one.
    public func synchronise(with state: Instrument.State, _ effects: [Instrument.Effect], at frame: UInt64) {
        commands.removeAll(keepingCapacity: true)
        if !state.isPlaying { (awaited, awaitedParts) = (nil, nil) }
        let pattern = state.heardPattern
        let isAwaited = awaited != nil || awaitedParts != nil
        let awaitsSound = awaited?.bringsSound == true
        let upcoming = isAwaited ? asked : state.upcoming
        let parts = isAwaited ? askedParts : state.upcomingParts
        let waiting = isAwaited || parts.parts.isEmpty ? nil : waitingTracks(parts.parts, of: state.session.composition)
        let next = isAwaited ? nil : upcoming.flatMap { Self.pattern(of: $0, in: state) }
        var mix = Mix(state)
        if awaitsSound { mix.sound = self.mix.sound }
        let nextSound = isAwaited ? askedSound : Self.upcomingSound(in: state)
        let pendingNotes = noteCommands
        if !isAwaited {
            send(pattern, as: playing, isWaiting: false)
            if let next { send(next, as: 1 - playing, isWaiting: true) }
            if let waiting { send(waiting, as: Int(synth_parts), isWaiting: true) }
        }
        // Before Play.
        let isWhole = noteCommands.count <= Self.noteCommandsMax
        if isWhole { commands += noteCommands }
        let resends = isSoundUnknown && !awaitsSound
        if mix != self.mix || resends { send(mix, resends: resends) }
        if state.isPlaying != isPlaying || (isPlaying && state.transport.begun != begun) { sendTransport(state) }
        // After Play: a stopped engine would switch at once.
        if upcoming != asked || nextSound != askedSound { ask(for: upcoming, nextSound, pattern.metre) }
        if parts != askedParts { ask(for: parts.parts, returning: parts.returning) }
        for effect in effects { send(effect) }
        sendUnloaded()
        guard post(at: frame) else {
            noteCommands = pendingNotes
            return
        }
        if isWhole { noteCommands.removeAll() } else { postNotes(at: frame) }
        unloaded = 0
        if !isAwaited {
            sent[playing].pattern = pattern
            if let next { sent[1 - playing].pattern = next }
            if let waiting { (sent[Int(synth_parts)].pattern, composition) = (waiting, state.session.composition) }
        }
        if nextSound != nil, nextSound != askedSound {
            requests = (requests.count + 1, false)
        } else if mix.sound != self.mix.sound || resends {
            requests.isOutdated = true
        }
        (asked, askedSound, askedParts) = (upcoming, nextSound, parts)
        if resends { isSoundUnknown = false }
        if isPlaying, !state.isPlaying {
            stops &+= 1
            requests = (0, false)
            sent[1 - playing].pattern = nil
            // Parts may have begun, with the report on its way.
            sent[playing].take(sent[Int(synth_parts)])
        }
        isPlaying = state.isPlaying
        begun = state.transport.begun
        self.mix = mix
    }

    /// Lets a source steer the engine: on `frame`, which may be rendered already, the position is `steps`, within ±2³¹,
    /// and the tempo `bpm`, above 0 and below 4096. Other numbers do nothing.
    public func steer(steps: Double, bpm: Double, at frame: UInt64) {
        guard steps.magnitude < Double(Int64(1) << 31), bpm > 0, bpm < 4096 else { return }
        commands.removeAll(keepingCapacity: true)
        let (position, tempo) = ((steps * Self.stepOne).rounded(.down), (bpm * Self.tempoOne).rounded())
        send(SynthSteer, .init(steer: .init(position: Int64(position), tempo: UInt32(tempo))))
        if post(at: frame) { isSteered = true }
    }

    /// Returns to the patterns' tempos.
    public func release(at frame: UInt64) {
        commands.removeAll(keepingCapacity: true)
        send(SynthRelease)
        if post(at: frame) { isSteered = false }
    }

    /// Makes the engine report the actions of other instruments.
    public func transmit(at frame: UInt64) {
        commands.removeAll(keepingCapacity: true)
        send(SynthTransmit, .init(toggle: .init(is_on: true)))
        _ = post(at: frame)
    }

    private static let stepOne = Double(UInt64(1) << 32)
    private static let tempoOne = Double(UInt64(1) << 20)

    /// Sends the differences between `next` and the engine's pattern `number`. A pattern that `isWaiting` must not be
    /// changed if the engine has already switched to it and the report is on its way.
    private func send(_ next: Pattern, as number: Int, isWaiting: Bool) {
        if next == sent[number].pattern { return }
        let (next, last) = (next.sounding, sent[number].pattern?.sounding)
        let windows = max(next.filledWindows, sent[number].windows)
        let number = SynthPatternNumber(number: UInt8(number), waiting: isWaiting)
        for track in Track.allCases {
            for window in 0..<windows {
                for note in track.notes {
                    let cells = next.cells(track, note: note, window: window)
                    if cells == last?.cells(track, note: note, window: window) { continue }
                    let row = SynthRowCommand(
                        cells: cells, track: UInt8(track.rawValue), note: Int8(note), window: UInt8(window),
                        pattern: number)
                    send(SynthRow, .init(row: row))
                }
            }
            let shape = SynthShapeCommand(of: track, in: next, pattern: number)
            if last.map({ !shape.isSame(as: .init(of: track, in: $0, pattern: number)) }) ?? true {
                send(SynthShape, .init(shape: shape))
            }
        }
        var lanes = last?.lanes ?? Lanes()
        if last == nil || next.lanes.isEmpty && !lanes.isEmpty {
            send(SynthNoLanes, .init(no_lanes: .init(pattern: number)))
            noteCommands.removeAll { $0.payload.note_lane.pattern.number == number.number }
            lanes = Lanes()
        }
        if next.lanes != lanes {
            for track in Track.allCases {
                for lane in Lane.ofTracks where !next.lanes.isSame(track, lane, as: lanes) {
                    for step in stride(from: 0, to: Pattern.steps, by: Int(synth_lane_values)) {
                        func values(_ lanes: Lanes) -> SynthLaneCommand {
                            SynthLaneCommand(lanes, track, lane, from: step, pattern: number)
                        }
                        let new = values(next.lanes)
                        if new.values != values(lanes).values { send(SynthLane, .init(lane: new)) }
                    }
                }
            }
        }
        sendNotes(of: next, over: lanes, number)
        let tuning = next.tuning
        if tuning != last?.tuning {
            for pitchClass in stride(from: 0, to: Pattern.octave, by: Int(synth_tuning_offsets)) {
                let offsets = SynthTuningCommand(tuning, from: pitchClass, pattern: number)
                send(SynthTuning, .init(tuning: offsets))
            }
            send(SynthReference, .init(reference: .init(a4: Int32(tuning.a4), pattern: number)))
        }
        if next.seed != last?.seed {
            send(SynthSeed, .init(seed: .init(seed: UInt32(next.seed), pattern: number)))
        }
        if next.tempo != last?.tempo {
            send(SynthTempo, .init(tempo: .init(tempo: UInt32(next.tempo.hundredths), pattern: number)))
        }
        if next.metre != last?.metre {
            let metre = SynthMetreCommand(
                steps: UInt8(next.metre.steps), beats: UInt8(next.metre.beats), pattern: number)
            send(SynthMetre, .init(metre: metre))
        }
        if next.length != last?.length {
            send(SynthLength, .init(length: .init(steps: UInt32(next.length), pattern: number)))
        }
    }

    /// Sends the differences between the values of single notes of `next` and `last`, after those that wait.
    private func sendNotes(of next: Pattern, over last: Lanes, _ number: SynthPatternNumber) {
        if !next.lanes.hasNotes, !last.hasNotes { return }
        for track in Track.allCases where !next.lanes.hasSameNotes(track, as: last) {
            let rows = next.lanes.rows(of: track)
            for row in rows + last.rows(of: track).filter({ !rows.contains($0) }) {
                for step in stride(from: 0, to: Pattern.steps, by: Int(synth_lane_values)) {
                    func values(_ lanes: Lanes) -> SynthNoteLaneCommand {
                        SynthNoteLaneCommand(lanes, track, row, from: step, pattern: number)
                    }
                    let new = values(next.lanes)
                    if new.values != values(last).values {
                        noteCommands.append(SynthCommand(frame: 0, payload: .init(note_lane: new), kind: SynthNoteLane))
                    }
                }
            }
        }
    }

    /// Posts as many of the values of single notes as the engine's ring has room for.
    private func postNotes(at frame: UInt64) {
        while !noteCommands.isEmpty {
            let count = min(noteCommands.count, Self.noteCommandsMax)
            for index in 0..<count { noteCommands[index].frame = frame }
            guard synth_post(synth, noteCommands, UInt32(count)) else { return }
            noteCommands.removeFirst(count)
        }
    }

    /// A pattern that has the tracks of `parts` as they play alone in `composition`. Its other tracks are those that it had.
    private func waitingTracks(_ parts: Parts, of composition: Composition) -> Pattern {
        let last = sent[Int(synth_parts)].pattern ?? Pattern()
        if parts == askedParts.parts, composition == self.composition { return last }
        var next = last
        next.tonality = composition.pattern.tonality
        for track in Track.allCases { next[program: track] = nil }
        for track in parts.tracks.tracks {
            if let slot = parts[track] { next.borrow(track, from: composition.part(ofScene: slot)) }
        }
        return next
    }

    private static func pattern(of upcoming: Instrument.State.Upcoming, in state: Instrument.State) -> Pattern? {
        switch upcoming {
        case .scene(let scene): state.session.composition[scene: scene.slot]
        case .tune(let tune): tune.tune.session.composition.pattern
        }
    }

    private static func upcomingSound(in state: Instrument.State) -> Sounding? {
        guard let (sound, soloed) = state.upcomingSound else { return nil }
        return Sounding(
            silent: sound.muted.silent(soloed: soloed), settings: sound.settings, samples: state.samples.loaded)
    }

    /// Requests a switch to the waiting pattern of `upcoming`, with `nextSound`, or cancels the request. Replaces
    /// an earlier request unless that has been performed.
    private func ask(for upcoming: Instrument.State.Upcoming?, _ nextSound: Sounding?, _ metre: Metre) {
        let (wasTune, isTune) = (asked?.isTune == true, upcoming?.isTune == true)
        if nextSound != askedSound || wasTune != isTune { prepare(nextSound, endsNotes: isTune) }
        let bringsSound = nextSound != nil
        let number = SynthPatternNumber(number: UInt8(1 - playing), waiting: true)
        func atMultiple(of steps: Int, _ switched: Switched) {
            let change = SynthSwitchAtBarCommand(
                tag: tag(of: switched, bringsSound), steps: UInt8(steps), pattern: number, ends_parts: isTune)
            send(SynthSwitchAtBar, .init(switch_at_bar: change))
        }
        func atEnd(passes: Int, _ switched: Switched) {
            let change = SynthSwitchAtEndCommand(
                passes: UInt64(passes), tag: tag(of: switched, bringsSound), pattern: number, ends_parts: isTune)
            send(SynthSwitchAtEnd, .init(switch_at_end: change))
        }
        switch upcoming {
        case nil: send(SynthStay)
        case .scene(let scene) where scene.isAtBar: atMultiple(of: metre.stepsOfBar, .scene(scene.slot))
        case .scene(let scene): atEnd(passes: scene.passes, .scene(scene.slot))
        case .tune(let tune) where tune.isAtBeat: atMultiple(of: metre.steps, .tune(tag: tune.tag))
        case .tune(let tune): atEnd(passes: 1, .tune(tag: tune.tag))
        }
    }

    /// Requests that `parts` begin with the next bar, in place of an earlier request.
    private func ask(for parts: Parts, returning: TrackSet) {
        let change = SynthSwitchTracksCommand(
            tag: UInt32(stops) << 16 | UInt32(parts.bits), tracks: parts.tracks.rawValue,
            returning: returning.rawValue, reports: partsReports)
        send(SynthSwitchTracks, .init(switch_tracks: change))
    }

    /// Lets `sound` wait for the switch, in place of another. The notes that sound then end with a tune, by themselves with
    /// a scene.
    private func prepare(_ sound: Sounding?, endsNotes: Bool) {
        send(SynthAwaitSwitch, .init(toggle: .init(is_on: true)))
        if let sound {
            if endsNotes { send(SynthFade) }
            sendSilent(sound)
            send(sound, over: nil)
        }
        send(SynthAwaitSwitch, .init(toggle: .init(is_on: false)))
    }

    /// The scene or tune that begins with a switch.
    public enum Switched: Hashable, Sendable {
        /// The scene in this slot, 0 to 7.
        case scene(Int)
        /// The queued tune with this tag.
        case tune(tag: Int)

        fileprivate var number: UInt16 {
            switch self {
            case .scene(let slot): UInt16(slot)
            case .tune(let tag): UInt16(Scenes.count + tag)
            }
        }

        fileprivate init(number: UInt16) {
            let number = Int(number)
            self = number < Scenes.count ? .scene(number) : .tune(tag: number - Scenes.count)
        }
    }

    /// Bits of the number of a `Switched` in a tag.
    private static let switchedBits = UInt16((Scenes.count + Instrument.TuneQueue.tags).trailingZeroBitCount)

    /// The tag that the engine returns with a switch: whether it brings a sound, then its number, and the number of stops
    /// in the bits above.
    private func tag(of switched: Switched, _ bringsSound: Bool) -> UInt16 {
        (stops << Self.switchedBits | switched.number) << 1 | (bringsSound ? 1 : 0)
    }

    /// Follows the engine's switch. Returns false if the transport has stopped since it was asked for.
    public func follow(_ switched: Switched, tag: UInt16) -> Bool {
        let bringsSound = tag & 1 == 1
        guard tag == self.tag(of: switched, bringsSound) else {
            if bringsSound { isSoundUnknown = true }
            return false
        }
        if bringsSound {
            // A value that is sent again glides again, which would be heard.
            if let askedSound, requests.count == 1, !requests.isOutdated {
                mix.sound = askedSound
            } else {
                isSoundUnknown = true
            }
        }
        requests = (0, false)
        playing = 1 - playing
        sent[playing].pattern = nil
        (asked, askedSound) = (nil, nil)
        awaited = (switched, bringsSound)
        return true
    }

    /// The switch becomes audible now. Returns false if the transport has stopped since.
    public func hearSwitch() -> Bool {
        defer { awaited = nil }
        return awaited != nil
    }

    /// Follows parts that the engine has begun; `number` is their report's. Returns false if the transport has stopped
    /// since they were asked for.
    public func follow(_ parts: Parts, tag: UInt32, number: UInt8) -> Bool {
        partsReports = number
        // The engine has ignored what was asked for since.
        askedParts = (Parts(), TrackSet())
        guard tag >> 16 == stops else { return false }
        sent[playing].take(sent[Int(synth_parts)])
        awaitedParts = parts
        return true
    }

    /// The parts become audible now. Returns false if the transport has stopped since.
    public func hearParts() -> Bool {
        defer { awaitedParts = nil }
        return awaitedParts != nil
    }

    /// Sends the differences between `next` and the mix that was sent; `resends` the sound whole.
    private func send(_ next: Mix, resends: Bool) {
        if next.sound.silent != mix.sound.silent || resends { sendSilent(next.sound) }
        if next.volume != mix.volume {
            send(SynthVolume, .init(volume: .init(volume: UInt32(next.volume * 65_536 / 100))))
        }
        if next.metronome != mix.metronome { send(SynthMetronome, .init(toggle: .init(is_on: next.metronome))) }
        if next.isFilling != mix.isFilling { send(SynthFill, .init(toggle: .init(is_on: next.isFilling))) }
        if next.hearing != mix.hearing { send(next.hearing) }
        if next.fx != mix.fx {
            for fx in FX.allCases where next.fx[fx] != mix.fx[fx] { send(SynthFx, .init(fx: .init(fx, next.fx[fx]))) }
        }
        send(next.sync, in: mix.sync)
        send(next.sound, over: resends ? nil : mix.sound)
    }

    private func sendSilent(_ next: Sounding) {
        send(SynthSilent, .init(silent: .init(tracks: UInt32(next.silent.rawValue))))
    }

    /// Sends the differences between the sounds of `next` and `last`; the whole sound if that is nil.
    private func send(_ next: Sounding, over last: Sounding?) {
        for control in SoundControl.allCases where next.settings[control] != last?.settings[control] {
            guard let command = SynthControlCommand(control, next.settings[control]) else { continue }
            send(SynthSet, .init(control: command))
        }
        for number in Track.rhythm.notes {
            let pad = SynthPadCommand(number, next.settings, next.samples)
            if let last, pad.isSame(as: SynthPadCommand(number, last.settings, last.samples)) { continue }
            send(SynthPad, .init(pad: pad))
        }
    }

    private func sendUnloaded() {
        for slot in 0..<LoadedSample.slots where unloaded >> UInt32(slot) & 1 == 1 {
            send(SynthUnload, .init(unload: .init(slot: UInt8(slot))))
        }
    }

    private func send(_ hearing: Instrument.Takes.Hearing?) {
        guard let hearing else { return send(SynthHearMusic) }
        let (begin, count) = (hearing.loop?.begin ?? 0, UInt32(clamping: hearing.loop?.count ?? 0))
        send(SynthHearLoop, .init(hear_loop: .init(begin: begin, count: count)))
        send(SynthHear, .init(hear: .init(from: hearing.from)))
    }

    private func send(_ next: SyncSettings, in last: SyncSettings) {
        func send(_ control: SynthControl, _ value: Int) {
            self.send(SynthSet, .init(control: .init(value: Int32(value), control: control, track: 0)))
        }
        if next.pulse != last.pulse { send(SynthPulseOutput, next.pulse.number) }
        if next.pulsesPerQuarter != last.pulsesPerQuarter { send(SynthPulsesPerQuarter, next.pulsesPerQuarter) }
        if next.pulseMilliseconds != last.pulseMilliseconds { send(SynthPulseMilliseconds, next.pulseMilliseconds) }
        if next.pulseLevel != last.pulseLevel { send(SynthPulseLevel, next.pulseLevel) }
    }

    private func sendTransport(_ state: Instrument.State) {
        guard state.isPlaying else {
            send(SynthStop)
            // The engine may have switched, with the report on its way.
            let stay = SynthSwitchAtBarCommand(
                tag: 0, steps: 1, pattern: .init(number: UInt8(playing), waiting: false), ends_parts: false)
            return send(SynthSwitchAtBar, .init(switch_at_bar: stay))
        }
        if let begun = state.transport.begun {
            return send(SynthPlayFrom, .init(play_from: .init(step: UInt32(begun.step))))
        }
        let beats = state.session.countIn * state.session.composition.pattern.metre.beats
        send(SynthPlay, .init(play: .init(beats: UInt32(beats))))
    }

    private func send(_ effect: Instrument.Effect) {
        switch effect {
        case .powerOff, .calibrate, .job, .touchPicture: return
        case .fade: send(SynthFade)
        case .turn(let track, let control):
            guard let (control, track) = Self.control(.track(track, control)) else { return }
            let transmit = SynthTransmitControlCommand(control: control, track: UInt8(track.rawValue))
            send(SynthTransmitControl, .init(transmit_control: transmit))
        case .unload(let slot): unloaded |= 1 << UInt32(slot)
        case .press(let note, let velocity, let expression):
            let press = SynthNoteOnCommand(
                expression: .init(expression), track: UInt8(note.track.rawValue), note: Int8(note.note),
                velocity: UInt8(velocity))
            send(SynthNoteOn, .init(note_on: press))
        case .express(let note, let expression):
            let change = SynthNoteExpressionCommand(
                expression: .init(expression), track: UInt8(note.track.rawValue), note: Int8(note.note))
            send(SynthNoteExpression, .init(note_expression: change))
        case .release(let note):
            send(SynthNoteOff, .init(note_off: .init(track: UInt8(note.track.rawValue), note: Int8(note.note))))
        case .audition(let notes):
            for note in notes {
                let audition = SynthAuditionCommand(
                    steps: UInt32(note.steps), track: UInt8(note.track.rawValue), note: Int8(note.note),
                    velocity: UInt8(note.velocity))
                send(SynthAudition, .init(audition: audition))
            }
        }
    }

    private func send(_ kind: SynthCommandKind, _ payload: SynthCommandPayload = SynthCommandPayload()) {
        commands.append(SynthCommand(frame: 0, payload: payload, kind: kind))
    }

    private func post(at frame: UInt64) -> Bool {
        if commands.isEmpty { return true }
        for index in commands.indices { commands[index].frame = frame }
        return synth_post(synth, commands, UInt32(commands.count))
    }

    // MARK: From the engine

    /// Passes all reports since the last call to `body` with their frames, oldest first.
    public func takeReports(_ body: (UInt64, Report) -> Void) {
        while true {
            let count = Int(synth_read_reports(synth, &reports, UInt32(reports.count)))
            for report in reports.prefix(count) {
                let payload = report.payload
                switch report.kind {
                case SynthReportStep:
                    let (step, position) = (Int(payload.step.step), Int(payload.step.position))
                    if let round = rounds.begin(step: step, at: position) { body(report.frame, .round(round)) }
                    body(report.frame, .step(step, number: position / HeardRound.twelfths))
                case SynthReportTrackStep:
                    guard let track = Track(rawValue: Int(payload.track_step.track)) else { continue }
                    let (step, place) = (Int(payload.track_step.step), Int(payload.track_step.position))
                    let sounds = payload.track_step.sounds
                    let note = Int(payload.track_step.note)
                    let isOfTrack = note == Int(synth_all_notes)
                    if sounds { rounds.add(step, of: track, at: place, note: isOfTrack ? nil : note) }
                    if !isOfTrack { continue }
                    // A note with hits of its own pulses with its step.
                    let pulses = sounds || payload.track_step.has_timed
                    body(report.frame, .trackStep(track, step: step, place: place, sounds: pulses))
                case SynthReportCount: body(report.frame, .count(Int(payload.count.beats)))
                case SynthReportSwitch:
                    let tag = payload.pattern_switch.tag
                    let switched = Switched(number: tag >> 1 & (1 << Self.switchedBits - 1))
                    body(report.frame, .switched(switched, tag: tag))
                case SynthReportTracks:
                    let (tag, number) = (payload.tracks_switch.tag, payload.tracks_switch.reports)
                    guard let parts = Parts(bits: tag & 0xffff) else { continue }
                    body(report.frame, .partsBegan(parts, tag: tag, number: number))
                case SynthReportNote:
                    guard let note = Note(payload.note) else { continue }
                    body(report.frame, .note(note, step: Int(payload.note.step)))
                case SynthReportNoteEnd:
                    guard let track = Track(rawValue: Int(payload.note_end.track)) else { continue }
                    body(report.frame, .transmission(.noteEnd(track, note: Int(payload.note_end.note))))
                case SynthReportControl:
                    guard let track = Track(rawValue: Int(payload.control.track)),
                        let control = Self.trackControl(payload.control.control)
                    else { continue }
                    body(report.frame, .transmission(.control(track, control, Int(payload.control.value))))
                case SynthReportTick: body(report.frame, .transmission(.tick))
                case SynthReportStart: body(report.frame, .transmission(.start(step: Int(payload.start.step))))
                case SynthReportStop: body(report.frame, .transmission(.stop))
                case SynthReportSilence:
                    body(report.frame, .transmission(.silence(TrackSet(rawValue: payload.silence.tracks))))
                case SynthReportPulse: body(report.frame, .transmission(.pulse))
                default: continue
                }
            }
            if count < reports.count { return }
        }
    }

    /// The pattern that begins with `report`, whose switch is not followed yet; nil for none.
    func begun(with report: Report) -> Pattern? {
        switch report {
        case .switched: sent[1 - playing].pattern
        case .partsBegan: sent[Int(synth_parts)].pattern
        case .transmission(.start): sent[playing].pattern
        default: nil
        }
    }

    /// Frames rendered so far.
    public var frames: UInt64 { synth_counters(synth).frames }

    /// Delay of the output against the frame it belongs to, in frames.
    public var latency: Int { Int(synth_latency(synth)) }

    /// Writes the pulses of the last `samples.count` frames that were rendered.
    public func renderPulses(into samples: UnsafeMutableBufferPointer<Float>) {
        guard let base = samples.baseAddress else { return }
        synth_render_pulses(synth, base, UInt32(samples.count))
    }

    /// Lets the next `frames` frames pass without their sound, which is faster: steps and notes are the same.
    public func pass(frames: Int) { synth_pass(synth, UInt32(frames)) }

    /// Renders the next frames into `samples`, interleaved left and right.
    public func render(into samples: UnsafeMutableBufferPointer<Float>) {
        guard let base = samples.baseAddress else { return }
        synth_render(synth, base, UInt32(samples.count / 2))
    }

    /// Numbers in a frame of stems: left and right of melody, chords, bass and rhythm, then of the mix before the master.
    public static let stemSamples = Int(synth_stem_samples)

    /// Renders the next frames into `samples`, the same as without stems, and the parts of the mix into `stems`,
    /// `stemSamples` numbers a frame. The tracks are without their sends, the mix has delay and reverberation. The stems
    /// have no latency: their frame n is frame n + `latency` of `samples`. They may exceed full scale.
    public func render(
        into samples: UnsafeMutableBufferPointer<Float>, stems: UnsafeMutableBufferPointer<Float>
    ) {
        guard let base = samples.baseAddress, let parts = stems.baseAddress else { return }
        precondition(stems.count == samples.count / 2 * Self.stemSamples)
        synth_render_stems(synth, base, parts, UInt32(samples.count / 2))
    }
}

extension Engine.Note {
    /// The note of a report; nil if its track does not exist.
    fileprivate init?(_ report: SynthNoteReport) {
        guard let track = Track(rawValue: Int(report.track)) else { return nil }
        self.init(
            track: track, note: Int(report.note), velocity: Int(report.velocity),
            steps: Double(report.length) / Double(synth_step_parts), reportsEnd: report.reports_end)
    }
}
