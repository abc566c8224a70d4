import InputEvents

// Recording: played keys, and taps on the tracks, are written at the nearest step while the music runs (docs/spec.md, section 5).

extension Instrument.State {
    /// The tempo that is heard, in beats per minute. The box follows a source at the octave within the tempos of a pattern.
    public var heardTempo: Double {
        guard isFollowing, var tempo = syncStatus.tempo, tempo > 0 else {
            return Double(session.composition.pattern.bpm)
        }
        while tempo < Double(Pattern.tempos.lowerBound) { tempo *= 2 }
        while tempo > Double(Pattern.tempos.upperBound) { tempo /= 2 }
        return tempo
    }

    /// Duration of the pattern's step without swing.
    fileprivate var microsecondsOfStep: Double { 60_000_000 / Double(Pattern.stepsPerBeat) / heardTempo }

    /// The place of `time` on the pattern's line; nil while no step is audible and none is counted in.
    fileprivate func place(of time: Instant) -> Double? {
        func steps(since start: Instant) -> Double { Double((time - start).microseconds) / microsecondsOfStep }
        if let playhead {
            let begin = grid(.whole).place(of: playhead.number)
            // Within a pair the line is straight although the steps are not.
            return begin + steps(since: playhead.since)
        }
        return counted.map { steps(since: $0.since) - Double($0.beats * Pattern.stepsPerBeat) }
    }

    fileprivate func grid(_ division: TrackShape.Division) -> StepGrid {
        StepGrid(division, swing: session.sound[.swing])
    }

    fileprivate func grid(of track: Track) -> StepGrid {
        grid(session.composition.pattern[shape: track].division)
    }

    /// The step of `track` with this number; nil before its first step. If it is not the audible one, the track's order tells it, and
    /// of a pendulum or a random one its order since Play.
    fileprivate func step(ofNumber number: Int, of track: Track) -> Int? {
        guard let playhead = playhead(of: track) else { return nil }
        let pattern = session.composition.pattern
        let offset = number - playhead.number
        let step =
            switch pattern[shape: track].direction {
            // The pattern may have become shorter than the audible step.
            case _ where offset == 0: playhead.step
            case .forward: playhead.step + offset
            case .back: playhead.step - offset
            case .pendulum, .random: pattern.sounding(number, of: track).step
            }
        return step.quotientAndRemainder(flooring: pattern.length(of: track)).remainder
    }
}

extension Instrument {
    /// Duration of a step of `track`.
    func microseconds(ofStepOf track: Track) -> Double { state.microsecondsOfStep * state.grid(of: track).division }

    // MARK: Steps

    /// Handles a step of the pattern that is audible now.
    mutating func beginStep(_ step: Int, number: Int) {
        if let last = state.playhead?.step, step <= last { state.recordedAction = nil }
        state.playhead = State.Playhead(step: step, since: now, number: number, previous: state.playhead?.number)
        state.counted = nil
        for track in Track.allCases where pattern.isPlain(track) {
            state.trackPlayheads[track.rawValue] = state.playhead
            writeWaitingNotes(of: track)
        }
    }

    /// Handles a step of a track with lanes or a shape that is audible now.
    mutating func beginStep(_ step: Int, of track: Track, place: Int, sounds: Bool) {
        let span = pattern[shape: track].division.twelfths
        state.trackPlayheads[track.rawValue] = State.Playhead(
            step: step, since: now, sounds: sounds, number: (place + span / 2) / span,
            previous: state.trackPlayheads[track.rawValue]?.number)
        if !pattern.isPlain(track) { writeWaitingNotes(of: track) }
    }

    // MARK: Targets

    /// The step of `track` to which a note is played now; nil if there is none, as in the count-in, or if the lock refuses it.
    private mutating func target(on track: Track, at time: Instant) -> State.StepTarget? {
        guard let place = state.place(of: time), !isRefused() else { return nil }
        let grid = state.grid(of: track)
        guard place >= -grid.division / 2 else { return nil }
        var target = State.StepTarget(number: grid.number(nearestTo: place), time: time)
        let quantise = state.session.quantise
        // On the grid the lane stays as it is.
        if quantise < Session.quantises.upperBound {
            target.shift = grid.shift(of: place, from: target.number, quantise: quantise)
        }
        return reached(target, on: track)
    }

    /// `target` with its step, if that has begun: until then, what is written there would sound in this pass too.
    private func reached(_ target: State.StepTarget, on track: Track) -> State.StepTarget {
        guard let playhead = state.playhead(of: track), playhead.hasHeard(target.number) else { return target }
        var target = target
        target.step = state.step(ofNumber: target.number, of: track)
        return target
    }

    // MARK: Keys

    /// Writes a played key's note at the nearest step, or lets it wait for that step. Nil if nothing is recorded.
    mutating func record(_ note: Effect.Note) -> State.PlayedKey.Recording? {
        guard let target = target(on: note.track, at: now) else { return nil }
        return write(note, target, steps: 1)
    }

    /// Writes `note`, as it sounded, of `steps` if the step of `target` has begun; else it waits.
    private mutating func write(
        _ note: Effect.Note, _ target: State.StepTarget, steps: Int
    ) -> State.PlayedKey.Recording {
        guard let step = target.step else { return .waiting(target, steps: steps) }
        var written = note.note
        write(on: note.track, step, target.shift) {
            // What sounded is what plays back.
            written = $0.makeNote(soundAs: note.note, on: note.track)
            $0.record(note.velocity == 2 ? .accent : .normal, note.track, note: written, step: step)
            $0.hold(note.track, note: written, from: step, steps: steps)
        }
        return .written(step: step, note: written, state.recordedAction)
    }

    /// Gives the recorded note of the key at `index` the length for which the key was down until `now`.
    mutating func closeNote(of index: Int) {
        let played = state.playedKeys[index]
        let held = Double((now - played.since).microseconds) / microseconds(ofStepOf: played.note.track)
        let steps = max(1, nearest(held))
        switch played.recording {
        case .waiting(let target, _): state.playedKeys[index].recording = .waiting(target, steps: steps)
        case .written(let step, let note, let action):
            hold(played.note.track, note: note, from: step, steps: steps, action)
        case nil: break
        }
    }

    /// Gives the recorded `note` at `step` its length. It stays in the pass in which it began, and removed it stays so.
    private mutating func hold(
        _ track: Track, note: Int, from step: Int, steps: Int, _ action: History.Action?
    ) {
        guard steps > 1, pattern[track, note: note, step: step].isStart else { return }
        var own = action
        perform(extending: &own) { $0.pattern.hold(track, note: note, from: step, steps: steps) }
        if state.recordedAction == action { state.recordedAction = own }
    }

    // MARK: Taps

    /// What a tap of contact `id` records as it lands on `track`; nil if it is drawn.
    mutating func beginRecording(on track: Track, at time: Instant) -> Contact.Recording? {
        guard state.isRecording, state.isPlaying, !isFrozen else { return nil }
        return target(on: track, at: time).map { .notes($0) } ?? .nothing
    }

    /// The gesture of contact `id` where a tap writes it: at the step to which it was played.
    func placed(_ gesture: Gesture, of id: Int) -> Gesture {
        guard gesture.shape == .tap, case .notes(let target) = state.contacts[id].recording else { return gesture }
        let step = target.step ?? state.step(ofNumber: target.number, of: gesture.track) ?? 0
        return gesture.played(atStep: step, length: pattern.length(of: gesture.track))
    }

    /// Records the tap of contact `id`, which lifts.
    mutating func recordTap(of id: Int, _ gesture: Gesture, _ recording: Contact.Recording) {
        guard case .notes(let target) = recording else { return }
        record(State.WaitingTap(gesture: gesture, target: target))
    }

    /// Writes `tap` if its step has begun; else it waits.
    private mutating func record(_ tap: State.WaitingTap) {
        let track = tap.gesture.track
        guard let step = tap.target.step else {
            if state.waitingTaps.count < State.WaitingTap.countMax { state.waitingTaps.append(tap) }
            return
        }
        var placements: [Placement] = []
        tap.gesture.played(atStep: step, length: pattern.length(of: track)).write(&placements, over: pattern)
        write(on: track, step, tap.target.shift) { pattern in
            for placement in placements {
                pattern.record(placement.cell, track, note: placement.note, step: placement.step)
            }
        }
    }

    // MARK: Writing

    /// Writes the notes of `track` that wait for a step that has begun.
    private mutating func writeWaitingNotes(of track: Track) {
        for id in state.contacts.indices {
            guard case .gesture(let gesture) = state.contacts[id].role, gesture.track == track,
                case .notes(let target) = state.contacts[id].recording, target.step == nil
            else { continue }
            let reached = reached(target, on: track)
            guard reached.step != nil else { continue }
            state.contacts[id].recording = .notes(reached)
            preview(id)
        }
        for index in state.playedKeys.indices where state.playedKeys[index].note.track == track {
            guard case .waiting(let target, let steps) = state.playedKeys[index].recording else { continue }
            state.playedKeys[index].recording = .waiting(reached(target, on: track), steps: steps)
        }
        for index in state.waitingTaps.indices where state.waitingTaps[index].gesture.track == track {
            state.waitingTaps[index].target = reached(state.waitingTaps[index].target, on: track)
        }
        writeReachedNotes()
    }

    /// Writes the waiting keys and taps whose steps have begun, in the order in which they were played: the last one counts.
    private mutating func writeReachedNotes() {
        while true {
            let key = state.playedKeys.indices.first { state.playedKeys[$0].reached != nil }
            let tap = state.waitingTaps.indices.filter { state.waitingTaps[$0].target.step != nil }
                .min { state.waitingTaps[$0].target.time < state.waitingTaps[$1].target.time }
            if let tap,
                key.flatMap({ state.playedKeys[$0].reached }).map({ $0.time > state.waitingTaps[tap].target.time })
                    ?? true
            {
                record(state.waitingTaps.remove(at: tap))
            } else if let key, case .waiting(let target, let steps) = state.playedKeys[key].recording {
                state.playedKeys[key].recording = write(state.playedKeys[key].note, target, steps: steps)
                // A key that is up is forgotten.
                if state.playedKeys[key].channel == State.PlayedKey.noChannel { state.playedKeys.remove(at: key) }
            } else {
                return
            }
        }
    }

    /// Changes `step` of `track` by `change`, and moves it by `shift` per cent. What is written in one pass of the pattern is one
    /// step of the history.
    private mutating func write(on track: Track, _ step: Int, _ shift: Int?, _ change: (inout Pattern) -> Void) {
        var action = state.recordedAction
        perform(extending: &action) {
            guard step < $0.pattern.length(of: track) else { return }
            change(&$0.pattern)
            guard let shift, shift != $0.pattern.lanes[track, .shift, step: step] ?? 0 else { return }
            $0.pattern.lanes[track, .shift, step: step] = shift == 0 ? nil : shift
        }
        state.recordedAction = action
    }

    // MARK: The end

    /// Writes what waits for a step that will not come because the music stops, and closes the notes of keys that are still down. If
    /// it `carries`, another scene follows: what was played to the first step of that waits for it.
    mutating func settleRecording(carries: Bool = false) {
        for index in state.playedKeys.indices {
            if !state.playedKeys[index].isLifted { closeNote(of: index) }
            guard case .waiting(let target, let steps) = state.playedKeys[index].recording else { continue }
            let settled = settled(target, on: state.playedKeys[index].note.track, carries: carries)
            state.playedKeys[index].recording = .waiting(settled, steps: steps)
        }
        for index in state.waitingTaps.indices {
            let tap = state.waitingTaps[index]
            state.waitingTaps[index].target = settled(tap.target, on: tap.gesture.track, carries: carries)
        }
        writeReachedNotes()
        for id in state.contacts.indices {
            guard case .gesture(let gesture) = state.contacts[id].role,
                case .notes(let target) = state.contacts[id].recording
            else { continue }
            let recording = Contact.Recording.notes(settled(target, on: gesture.track, carries: carries))
            state.contacts[id].recording = recording
            // The pattern on which the finger began ends.
            if carries, gesture.shape == .tap { recordTap(of: id, gesture, recording) }
        }
    }

    /// `target` with its step although that does not begin; with the first of the scene that follows if it was played to that.
    private func settled(_ target: State.StepTarget, on track: Track, carries: Bool) -> State.StepTarget {
        guard target.step == nil else { return target }
        var target = target
        if carries, let last = state.playhead?.number,
            state.grid(of: track).place(of: target.number) > Double(last + 1) - Self.hair
        {
            (target.number, target.isCarried) = (0, true)
        } else {
            target.step = state.step(ofNumber: target.number, of: track)
        }
        return target
    }

    /// Tolerance of places on the line, in steps: times are whole microseconds.
    private static let hair = 0.01

    /// Ends the recording of this pass: the transport or the pattern changed.
    mutating func endRecording() {
        state.recordedAction = nil
        for index in state.playedKeys.indices.reversed() {
            if case .waiting(var target, let steps) = state.playedKeys[index].recording, target.isCarried {
                target.isCarried = false
                state.playedKeys[index].recording = .waiting(target, steps: steps)
                continue
            }
            state.playedKeys[index].recording = nil
            if state.playedKeys[index].channel == State.PlayedKey.noChannel { state.playedKeys.remove(at: index) }
        }
        state.waitingTaps.removeAll { !$0.target.isCarried }
        for index in state.waitingTaps.indices { state.waitingTaps[index].target.isCarried = false }
    }
}

extension Instrument.State.PlayedKey {
    /// The target of its note if that waits to be written, and its step has begun.
    fileprivate var reached: Instrument.State.StepTarget? {
        guard case .waiting(let target, _) = recording, target.step != nil else { return nil }
        return target
    }
}

extension Gesture {
    /// The tap at `step` of a track with `length` steps, where its notes were played.
    fileprivate func played(atStep step: Int, length: Int) -> Gesture {
        var gesture = Gesture(
            rules, track, page: page, tonality, length: length, from: Place(step: step, row: start.row))
        gesture.isHeld = isHeld
        return gesture
    }
}

extension Pattern {
    /// Adds a recorded note. An accent stays one.
    fileprivate mutating func record(_ cell: Cell, _ track: Track, note: Int, step: Int) {
        guard self[track, note: note, step: step] != .accent else { return }
        self[track, note: note, step: step] = cell
    }

    /// Holds the note that begins at `step` for `steps`, up to the next one of its pitch.
    fileprivate mutating func hold(_ track: Track, note: Int, from step: Int, steps: Int) {
        let length = length(of: track)
        guard track != .rhythm, step < length else { return }
        for place in 1..<max(1, min(steps, length)) {
            let next = (step + place) % length
            if self[track, note: note, step: next].isStart { return }
            self[track, note: note, step: next] = .sustain
        }
    }
}
