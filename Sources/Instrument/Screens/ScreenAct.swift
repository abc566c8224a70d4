import InputEvents

/// A request of a screen. A screen changes nothing outside itself: it returns acts, and the instrument performs them.
public enum ScreenAct: Hashable, Sendable {
    /// Show this screen.
    case show(Instrument.Screen)
    /// Another page of the same sheet is shown: fingers on the previous page lose their function.
    case turnPage

    /// Show this text.
    case say(String)
    /// Pick up these tracks, for other fingers to copy.
    case pickUp(TrackSet)
    /// Remove the values of a lane: of the track, or the own values of a note.
    case clearLane(Track, Lane, note: Int?)
    /// Choose this row of the track's note page on the LANES screen.
    case chooseLaneNote(row: Int)
    /// Show the next note page of the track.
    case turnNotePage(Track)
    /// Write the round that was heard into a free scene.
    case keepRound
    /// Choose the order of the track's steps.
    case chooseDirection(Track, TrackShape.Direction)
    /// Choose how the track's chords are placed.
    case chooseVoicing(Track, TrackShape.Voicing)
    /// Choose the kind of chord this many places further, up to the last.
    case walkChordKinds(by: Int)
    /// Choose the next kind of chord; after the last one, the first.
    case chooseNextChordKind

    /// Show the list of sounds for this track.
    case showSounds(Track)
    /// Choose the sound this many places further in the track's list.
    case walkSounds(Track, by: Int)
    /// Choose the sound at this place of the track's list.
    case chooseSound(Track, place: Int)
    /// Ask for a name for the track's sound, to save it.
    case nameSound(Track)
    /// Save the track's sound under this name.
    case saveSound(Track, String)
    /// Delete the own sound that the track plays.
    case deleteSound(Track)

    /// Sound this pad.
    case hearPad(Int)
    /// Show the list of samples for this pad.
    case showSamples(Int)
    /// Choose for this pad what is at this place of its list.
    case chooseSample(Int, place: Int)
    /// Cut the sample of this pad into slices.
    case sliceSample(Int, SliceCut)
    /// Remove the sample of this pad from the library.
    case removeSample(Int)

    /// Start the transport, or stop it unless the lock asks for a hold.
    case pressPlay
    /// Play was held.
    case holdPlay
    /// Choose the next of the modes that say what plays at the pattern's end.
    case chooseNextMode
    /// Remember this entry of the song as the one touched last, and its repeats for the finger's drag.
    case landOnEntry(Int)
    /// Play the song from this entry on; after the last one, from the first.
    case chooseEntry(Int)
    /// Add a repeat to this entry; after the last one, begin with one again.
    case addRepeat(Int)
    /// Set the repeats of this entry, limited to their range.
    case setRepeats(Int, Int)
    /// Remove the entry that was touched last.
    case removeEntry
    /// Save at most this many bars of what was heard, up to the one that is `back` bars before the last.
    case saveTake(bars: Int, back: Int)
    /// Cut at most this many bars of what was heard into slices, by steps or by onsets.
    case slice(bars: Int, back: Int, byOnsets: Bool)
    /// Hear what was heard from this column of the sheet's waveform on, until the finger lifts.
    case hearTake(TakeSheet, column: Float)
    /// Show how far back the waveform is.
    case sayTakePlace
    /// Switch audition on or off.
    case toggleAudition
    /// Switch tap sound on or off.
    case toggleTapSound
    /// Change the rules of the gestures.
    case setRules(Rules)
    /// Show or hide the notes of other tracks as ghosts.
    case toggleGhosts
    /// Change the tempo by this many BPM. All changes by one finger are one history step.
    case changeTempo(by: Int)
    /// A tap of tap tempo.
    case tapTempo
    /// Choose the source of the tempo.
    case chooseSource(SyncSource)
    /// Choose this number of beats of a bar, limited to their range. All choices by one finger are one history step.
    case chooseBeats(Int)
    /// Choose this number of steps of a beat.
    case chooseStepsOfBeat(Int)
    /// Choose this scale. All choices by one finger are one history step.
    case chooseScale(Scale.Kind)
    /// Switch the note this many semitones above the root.
    case switchScaleNote(Int)
    /// Show the offset of that note from equal temperament.
    case sayOffset(Int)
    /// Remember A4, from which the finger's drag begins.
    case landOnA4
    /// Move A4 by this many hertz from where the finger landed.
    case moveA4(by: Int)
    /// Choose equal temperament, or else the next of the player's own tunings.
    case chooseTuning(isEqual: Bool)
    /// Begin or end the recording of played keys.
    case toggleRecording
    /// Show all hints again.
    case showHints
    /// Show the picture at this place of the list of sources; the instrument is the first.
    case chooseLight(place: Int)
    /// Switch the light that goes out to walls.
    case toggleLightOut
    /// Say how to return from a picture.
    case remindOfReturn

    /// Remember this number for the finger.
    case remember(Int)
    /// Report a hold if the finger rests on its spot for this long.
    case awaitHold(Instant.Span)
    /// The finger has no function until it lifts.
    case dropFinger

    /// Close the guide and open this pattern.
    case open(Int64)
    /// Close the guide and begin a pattern in the bank at this channel index.
    case begin(channel: Int)
    /// Show the other source in the guide.
    case changeSource
    /// Ask for a new name of this pattern.
    case rename(Int64)
    /// Delete this pattern.
    case delete(Int64)

    /// Pass this effect on.
    case effect(Instrument.Effect)
}

/// One action of one finger on a spot of a sheet.
struct SpotTouch {
    /// The spot on which the finger landed.
    let spot: Spot
    let phase: Phase
    /// Where the finger landed; columns count from the first of the 44.
    let start: Position
    /// Where it is now.
    let position: Position
    let time: Instant
    /// Time since it landed.
    let held: Instant.Span
    /// Whether it was ever more than one LED from where it landed.
    let hasWandered: Bool
    /// The number that was remembered for it.
    let remembered: Int

    enum Phase: Hashable {
        /// The finger lands.
        case down
        /// The finger moves.
        case move
        /// The finger has rested for the time that the sheet asked for.
        case hold
        /// The finger lifts; whether it is still over the spot.
        case up(isOver: Bool)
    }

    /// Minimum rows of a vertical drag.
    private static let dragRows: Float = 3

    /// Rows by which a vertical drag has gone down, negative if up; nil if the finger has made none.
    var verticalDrag: Float? {
        let (rows, columns) = (position.row - start.row, position.column - start.column)
        return abs(rows) >= Self.dragRows && abs(rows) > abs(columns) ? rows : nil
    }
}

extension Instrument {
    /// Passes one action of contact `id` on `spot` to the sheet, and performs its acts.
    mutating func touchSheet(_ spot: Spot, _ phase: SpotTouch.Phase, contact id: Int) {
        let motion = state.fingers[id].motion
        let touch = SpotTouch(
            spot: spot, phase: phase, start: motion.start, position: motion.position, time: now,
            held: now - motion.down, hasWandered: motion.hasWandered, remembered: state.fingers[id].remembered)
        let acts = passToSheet(touch)
        for act in acts { perform(act, contact: id) }
    }

    /// Performs `act`. `id` is the contact that requested it; nil for an act that only time requested.
    mutating func perform(_ act: ScreenAct, contact id: Int?) {
        switch act {
        case .show(let screen): show(screen)
        case .turnPage:
            state.view.tooltip = nil
            state.fingers.leaveScreen()
        case .say(let text): showTooltip(text)
        case .pickUp(let tracks): if let id { pickUp(tracks, contact: id) }
        case .clearLane(let track, let lane, let note): if let id { clearLane(track, lane, note, contact: id) }
        case .chooseLaneNote(let row): chooseLaneNote(atRow: row)
        case .turnNotePage(let track): turnPage(of: track)
        case .keepRound: if let id { keepRound(contact: id) }
        case .chooseDirection(let track, let direction):
            reshape("DIRECTION", track, contact: id) { $0.direction = direction }
        case .chooseVoicing(let track, let voicing):
            reshape("VOICING", track, contact: id) { $0.voicing = voicing }
        case .walkChordKinds(let places): walkChordKinds(by: places, contact: id)
        case .chooseNextChordKind: chooseNextChordKind(contact: id)
        case .showSounds(let track): show(.presets(PresetSheet(of: track)))
        case .walkSounds(let track, let places): walkSounds(track, by: places, contact: id)
        case .chooseSound(let track, let place): chooseSound(track, place: place, contact: id)
        case .nameSound(let track): nameSound(track)
        case .saveSound(let track, let name): saveSound(track, name)
        case .deleteSound(let track): deleteSound(track)
        case .hearPad(let pad): hear(pad: pad)
        case .showSamples(let pad):
            show(.samples(SampleSheet(for: pad)))
            effects.append(.job(.showSamples))
        case .chooseSample(let pad, let place): chooseSample(pad, place: place, contact: id)
        case .sliceSample(let pad, let cut): sliceSample(of: pad, cut)
        case .removeSample(let pad): removeSample(of: pad)
        case .pressPlay: pressPlay()
        case .holdPlay: holdPlay(.either, contact: nil)
        case .chooseNextMode: chooseNextMode()
        case .landOnEntry(let place): if let id { land(onEntry: place, contact: id) }
        case .chooseEntry(let place): choose(entry: place)
        case .addRepeat(let place): if let id { addRepeat(toEntry: place, contact: id) }
        case .setRepeats(let place, let repeats):
            if let id { setRepeats(repeats, ofEntry: place, contact: id) }
        case .removeEntry: if let id { removeEntry(contact: id) }
        case .saveTake(let bars, let back): saveTake(bars: bars, back: back)
        case .slice(let bars, let back, let byOnsets):
            slice(bars: bars, back: back, byOnsets: byOnsets)
        case .hearTake(let sheet, let column): if let id { state.takes.hear(sheet, column: column, contact: id) }
        case .sayTakePlace:
            if case .take(let sheet) = state.view.screen { showTooltip(sheet.placeName) }
        case .toggleAudition: state.session.auditions.toggle()
        case .toggleTapSound: state.session.soundsTaps = !state.soundsTaps
        case .setRules(let rules): setRules(rules)
        case .toggleGhosts: if !isRefused() { perform("GHOSTS") { $0.showsGhosts.toggle() } }
        case .changeTempo(let change):
            guard !isRefused() else { return }
            changeTempo(by: Tempo(change)) { if let id { $0.perform("BPM", inTouch: id, $1) } }
        case .tapTempo: tapTempo()
        case .chooseSource(let source): chooseSource(source)
        case .chooseBeats(let beats):
            let metre = Metre(beats: beats.clamped(to: Metre.beatsOfBar), steps: pattern.metre.steps)
            if let id { choose(metre, contact: id) }
        case .chooseStepsOfBeat(let steps):
            if let id { choose(Metre(beats: pattern.metre.beats, steps: steps), contact: id) }
        case .chooseScale(let kind): if let id { chooseScale(kind, contact: id) }
        case .switchScaleNote(let interval): if let id { switchScaleNote(interval, contact: id) }
        case .sayOffset(let interval):
            showTooltip(ScaleSheet.offsetName(ofNote: interval, in: pattern))
        case .landOnA4: if let id { state.fingers[id].remembered = pattern.tuning.a4 }
        case .moveA4(let hertz): if let id { moveA4(by: hertz, contact: id) }
        case .chooseTuning(let isEqual): if let id { chooseTuning(isEqual: isEqual, contact: id) }
        case .toggleRecording: toggleRecording()
        case .showHints: showHints()
        case .chooseLight(let place): chooseLight(place: place)
        case .toggleLightOut: if state.box.facts.hasWalls { state.lights.areSent.toggle() }
        case .remindOfReturn: remindOfReturn()
        case .remember(let number): if let id { state.fingers[id].remembered = number }
        case .awaitHold(let span): if let id { state.fingers[id].due = now + span }
        case .dropFinger: if let id { state.fingers[id].role = .nothing }
        case .open(let pattern): openTune(pattern)
        case .begin(let channel): beginPattern(inChannel: channel)
        case .changeSource:
            showGuide(state.shelf.guide.content.source == .library ? .listings : .library)
        case .rename(let number):
            let title = state.shelf.guide.content.title(of: number) ?? ""
            show(.letters(LetterSheet(pattern: number, name: title)))
        case .delete(let number):
            if number == state.session.pattern, isRefused() { return }
            if number == state.tunes.pattern { state.tunes.cancel() }
            effects.append(.job(.delete(number)))
            // The current pattern is deleted: begin another.
            state.shelf.delete(number, isPlaying: number == state.session.pattern)
            if number == state.session.pattern {
                open(.begun)
                effects.append(.job(.begin(bank: nil)))
            }
        case .effect(.job(.restore(let number))):
            effects.append(.job(.restore(number)))
            // The deleted pattern was playing: it plays again.
            if state.shelf.restore(number), !isFrozen { effects.append(.job(.open(number))) }
        case .effect(let effect): effects.append(effect)
        }
    }

    /// Shows `screen`. Fingers on the previous screen lose their function.
    mutating func show(_ screen: Screen) {
        if state.view.screen == .guide, screen != .guide { state.shelf.guide.leave(at: now) }
        if let track = state.view.screen.laneTrack { state.fingers.playedTrack = track }
        state.view.show(screen, at: now)
        limitScreen()
        state.fingers.leaveScreen()
    }
}
