import InputEvents

// Recording: played keys, and taps on the tracks, are written at the nearest step while the music runs (docs/spec.md,
// section 5).

extension Instrument {
    /// The line of time of the pattern that plays.
    var line: StepLine {
        StepLine(
            transport: state.transport, pattern: pattern, swing: state.session.sound[.swing], tempo: state.heardTempo)
    }

    // MARK: Steps

    /// Handles a step of the pattern that is audible since `time`.
    mutating func beginStep(_ step: Int, number: Int, at time: Instant) {
        if let last = state.transport.playhead?.step, step <= last { state.recording.beginPass() }
        state.transport.beginStep(step, number: number, at: time)
        for track in Track.allCases where pattern.isPlain(track) {
            state.transport.followPattern(track)
            writeWaitingNotes(of: track)
            writeFaders(of: track, at: step)
            writeFilter(of: track, at: step)
        }
    }

    /// Handles a step of a track with lanes or a shape that is audible since `time`.
    mutating func beginStep(_ step: Int, of track: Track, place: Int, sounds: Bool, at time: Instant) {
        let span = pattern[shape: track].division.twelfths
        state.transport.beginStep(step, of: track, number: (place + span / 2) / span, sounds: sounds, at: time)
        if !pattern.isPlain(track) { writeWaitingNotes(of: track) }
        writeFaders(of: track, at: step)
        writeFilter(of: track, at: step)
    }

    /// The step of `track` to which a note was played at `time`; nil if there is none, as in the count-in, or if the
    /// lock refuses it.
    private mutating func target(on track: Track, at time: Instant) -> StepLine.Target? {
        let line = line
        guard line.isRunning, !isRefused() else { return nil }
        return line.target(at: time, on: track, quantise: state.session.quantise)
    }

    // MARK: Keys

    /// Writes the note of a key at the step nearest to its begin, or lets it wait for that step. Nil if nothing is
    /// recorded.
    mutating func record(_ key: Recording.PlayedKey) -> Recording.PlayedKey.Recording? {
        guard let target = target(on: key.note.track, at: key.since) else { return nil }
        return write(key, target, steps: 1)
    }

    /// The recorded note of contact `id` on the panel's keys goes on since `time` as `note`, to which it is bent. A note
    /// that would begin with the same step is replaced.
    mutating func recordBend(to note: Int, since time: Instant, contact id: Int) {
        guard let index = state.recording.down(id, of: Recording.PlayedKey.panel) else { return }
        closeNote(of: index, at: time)
        let before = state.recording.keys[index]
        state.recording.keys[index].bent = note
        state.recording.keys[index].since = time
        guard before.recording != nil, let target = target(on: before.note.track, at: time) else { return }
        switch before.recording {
        case .written(let step, let old, _) where step == target.step:
            write(on: before.note.track, step, nil) { $0[before.note.track, note: old, step: step] = .empty }
        case .waiting(let old, _) where old.number != target.number:
            state.recording.leave(before)
        default: break
        }
        state.recording.keys[index].recording = write(state.recording.keys[index], target, steps: 1)
    }

    /// Writes the note of `key`, as it is heard, of `steps` if the step of `target` has begun; else it waits. A bent one
    /// slides, if the track does.
    private mutating func write(
        _ key: Recording.PlayedKey, _ target: StepLine.Target, steps: Int
    ) -> Recording.PlayedKey.Recording {
        guard let step = target.step else { return .waiting(target, steps: steps) }
        let note = key.heard
        var written = note.note
        var hasRoom = true
        write(on: note.track, step, target.shift) {
            // What sounded is what plays back.
            written = $0.makeNote(soundAs: note.note, on: note.track, step: step)
            $0.record(note.velocity == 2 ? .accent : .normal, note.track, note: written, step: step)
            hasRoom = $0.record(key.velocity, note.track, note: written, step: step)
            $0.hold(note.track, note: written, from: step, steps: steps)
            if key.bent != nil, Lane.slide.exists(on: note.track) { $0.lanes[note.track, .slide, step: step] = 1 }
        }
        if !hasRoom { showTooltip(Lanes.full) }
        return .written(step: step, note: written, state.recording.action)
    }

    /// Writes the filters of the panel's keys of `track` to the cut-off of `step`, which is heard.
    private mutating func writeFilter(of track: Track, at step: Int) {
        for index in state.recording.keys.indices {
            let key = state.recording.keys[index]
            guard key.movesFilter, !key.isLifted, key.recording != nil, key.note.track == track else { continue }
            // 1000 is two octaves, and in the lane 100 is five.
            let value = key.expression.brightness / 25
            write(on: track, step, nil) { $0.lanes[track, .cutoff, step: step] = value == 0 ? nil : value }
        }
    }

    /// Gives the recorded note of the key at `index` the length for which the key was down until `time`; nil for now.
    mutating func closeNote(of index: Int, at time: Instant? = nil) {
        let played = state.recording.keys[index]
        let held = Double(((time ?? now) - played.since).microseconds) / line.microseconds(ofStepOf: played.note.track)
        let steps = max(1, nearest(held))
        switch played.recording {
        case .waiting(let target, _): state.recording.keys[index].recording = .waiting(target, steps: steps)
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
        perform("REC", extending: &own) { $0.pattern.hold(track, note: note, from: step, steps: steps) }
        if state.recording.action == action { state.recording.action = own }
    }

    // MARK: Taps

    /// The recording of a tap on `track` that was played at `time`; nil if the tap is drawn.
    mutating func beginRecording(on track: Track, at time: Instant) -> Contact.Recording? {
        guard state.recording.isOn, state.isPlaying, !isFrozen else { return nil }
        return target(on: track, at: time).map { .notes($0) } ?? .nothing
    }

    /// The gesture of contact `id` where a tap writes it: at the step to which it was played.
    func placed(_ gesture: Gesture, of id: Int) -> Gesture {
        guard gesture.shape == .tap, case .notes(let target) = state.fingers[id].recording else { return gesture }
        let step = target.step ?? line.step(ofNumber: target.number, of: gesture.track) ?? 0
        return gesture.played(atStep: step, length: pattern.length(of: gesture.track))
    }

    /// Records the tap of a contact that lifts.
    mutating func recordTap(_ gesture: Gesture, _ recording: Contact.Recording) {
        guard case .notes(let target) = recording else { return }
        record(Recording.WaitingTap(gesture: gesture, target: target))
    }

    /// Writes `tap` if its step has begun; else it waits.
    private mutating func record(_ tap: Recording.WaitingTap) {
        let track = tap.gesture.track
        guard let step = tap.target.step else { return state.recording.wait(tap) }
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
        let line = line
        for id in state.fingers.contacts.indices {
            guard case .gesture(let gesture) = state.fingers[id].role, gesture.track == track,
                case .notes(let target) = state.fingers[id].recording, target.step == nil
            else { continue }
            let reached = line.reached(target, on: track)
            guard reached.step != nil else { continue }
            state.fingers[id].recording = .notes(reached)
            preview(id)
        }
        state.recording.reach(track, on: line)
        writeReachedNotes()
    }

    /// Writes the waiting keys and taps whose steps have begun.
    private mutating func writeReachedNotes() {
        while let note = state.recording.nextReached() {
            switch note {
            case .tap(let tap): record(tap)
            case .key(let index, let target, let steps):
                state.recording.write(index, write(state.recording.keys[index], target, steps: steps))
            }
        }
    }

    /// Changes `step` of `track` by `change`, and moves it by `shift` per cent. What is written in one pass of the
    /// pattern is one step of the history.
    mutating func write(on track: Track, _ step: Int, _ shift: Int?, _ change: (inout Pattern) -> Void) {
        var action = state.recording.action
        perform("REC", extending: &action) {
            guard step < $0.pattern.length(of: track) else { return }
            change(&$0.pattern)
            guard let shift, shift != $0.pattern.lanes[track, .shift, step: step] ?? 0 else { return }
            $0.pattern.lanes[track, .shift, step: step] = shift == 0 ? nil : shift
        }
        state.recording.action = action
    }

    // MARK: The end

    /// Writes what waits on `tracks` for a step that will not come because the music stops, and closes the notes of keys
    /// that are still down. If it `carries`, another scene or part follows: what was played to the first step of that
    /// waits for it.
    mutating func closeRecording(
        of tracks: TrackSet = TrackSet(Track.allCases), carries: StepLine.Carrying = .nowhere
    ) {
        for (index, key) in state.recording.keys.enumerated() where tracks.contains(key.note.track) && !key.isLifted {
            closeNote(of: index)
        }
        let line = line
        state.recording.close(tracks, on: line, carries: carries)
        writeReachedNotes()
        for id in state.fingers.contacts.indices {
            guard case .gesture(let gesture) = state.fingers[id].role, tracks.contains(gesture.track),
                case .notes(let target) = state.fingers[id].recording
            else { continue }
            let recording = Contact.Recording.notes(line.closed(target, on: gesture.track, carries: carries))
            state.fingers[id].recording = recording
            // The pattern on which the finger began ends.
            if carries != .nowhere, gesture.shape == .tap { recordTap(gesture, recording) }
        }
    }
}

extension Gesture {
    /// The tap at `step` of a track with `length` steps, where its notes were played.
    fileprivate func played(atStep step: Int, length: Int) -> Gesture {
        var gesture = Gesture(
            rules, track, page: page, tonality, length: length, chords: chordKind,
            from: Place(step: step, row: start.row))
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

    /// Gives a recorded note its MIDI velocity: a value of its own if it would sound with another one. Returns false,
    /// without a change, if there is no room for the value.
    fileprivate mutating func record(_ velocity: Int, _ track: Track, note: Int, step: Int) -> Bool {
        let cell = self[track, note: note, step: step] == .accent ? 2 : 1
        let without = lanes[track, .velocity, step: step] ?? Track.midiVelocity(of: cell)
        return setValue(velocity == without ? nil : velocity, track, .velocity, note: note, step: step)
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
