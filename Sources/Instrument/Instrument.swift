import InputEvents
import Display

/// The instrument as a value: events and the time go in, effects and frames come out. It reads no clock and does no
/// I/O.
public struct Instrument: Sendable {
    /// The complete state.
    public internal(set) var state = State()
    /// The pictures of other machines; not a part of the state. Nil for none.
    public var pictures: (any LightPictures)?
    /// Columns of the panel: 44, or 46 or 50 with the menu to the left of the sequencer's 44.
    public let columns: Int
    /// The channels of the tracks on MIDI ports.
    public let trackChannels: TrackChannels
    /// The controllers of the tracks on MIDI ports.
    public let trackControllers: TrackControllers
    /// Time of the event in progress. A hold that was due before the event has its own.
    var now = Instant.zero
    /// Effects of the event in progress, in order.
    var effects: [Effect] = []

    /// An instrument with an empty pattern and a panel of `columns`. `volume` is the master volume in per cent, `rules`
    /// are the rules of the gestures, and the source of `sync` is the source of the tempo, until the player sets
    /// others. `trackChannels` are the channels of the tracks on MIDI ports; `stops` stop the music at once while the
    /// lock is on.
    public init(
        columns: Int = 44, volume: Int = 100, rules: Rules = .box, sync: SyncSettings = SyncSettings(),
        trackChannels: TrackChannels = TrackChannels(),
        trackControllers: TrackControllers = TrackControllers(), stops: StopSources = .leaders
    ) {
        precondition(Frame.panelColumns.contains(columns))
        self.columns = columns
        self.trackChannels = trackChannels
        self.trackControllers = trackControllers
        state.defaults = Defaults(volume: volume.clamped(to: Session.volumes), rules: rules, sync: sync, stops: stops)
        state.view.cursor = Cursor(column: columns - Grid.columns + Grid.column(ofStep: 0), row: Cursor.firstRow)
    }

    /// Rows of the panel.
    public static let rows = Frame.panelRows

    /// The panel column of the sequencer's column 0.
    var origin: Int { columns - Grid.columns }

    /// Replaces the session. The transport does not change. Values out of range are clamped.
    public mutating func load(_ session: Session) {
        state.session = session.clamped()
        limitToRules()
        state.fingers.forgetActions()
        state.songPlay.loadSession()
        leavePattern()
        state.hints = Hints()
        (state.view.window, state.view.follows) = (0, true)
        limitPages()
    }

    /// Processes `event`, which happened at `now`; times must not decrease. Returns the effects to perform.
    public mutating func update(_ event: Event, at now: Instant) -> [Effect] {
        self.now = now
        defer { effects.removeAll() }
        state.hints.start(at: now)
        advance()
        if event.isAct {
            cancelPowerOff()
            state.hints.wake(at: now)
        }
        switch event {
        case .tick: break
        case .touch(let touch): if touch.contact < Touch.contactsMax { handle(touch) }
        case .key(let key): press(key)
        case .keyUp(let key): release(key, as: .up)
        case .keyCancel(let key): release(key, as: .cancel)
        case .type(let character): type(character)
        case .step(let step, let number, let delay):
            guard state.isPlaying else { break }
            state.songPlay.countPass(at: step, after: state.transport.playhead?.step)
            beginStep(step, number: number, at: now - delay)
            followPlayhead(to: step)
        case .trackStep(let track, let step, let place, let sounds, let delay):
            guard state.isPlaying else { break }
            beginStep(step, of: track, place: place, sounds: sounds, at: now - delay)
        case .round(let round): if state.isPlaying { state.takes.heard = .init(round: round, in: pattern) }
        case .beat(let beat): hear(beat)
        case .sceneBegan(let slot): beginScene(slot)
        case .partsBegan(let parts): beginParts(parts)
        case .tuneEnds: endTune()
        case .tuneBegan(let tag): beginTune(tag: tag)
        case .lock(let isLocked): state.session.isLocked = isLocked
        case .audition(let isOn): state.session.auditions = isOn
        case .tapSound(let isOn): state.session.soundsTaps = isOn
        case .rules(let rules): setRules(rules)
        case .brightness(let percent): state.session.brightness = percent.clamped(to: Session.brightnesses)
        case .showHints: showHints()
        case .watched: state.hints.begin(at: now)
        case .facts(let facts): if facts != state.box.facts { update(facts) }
        case .guide(let content): state.shelf.guide.show(content, at: now)
        case .sounds(let presets): list(presets)
        case .samples(let names): list(names)
        case .sample(let sample): add(sample)
        case .sampleFailed(let name): giveUp(name)
        case .sliced(let kit): choose(kit)
        case .dropped(let kit, let column, let row):
            drop(kit, on: Position(column: column - Float(origin), row: row))
        case .tunings(let tunings): state.shelf.tunings = tunings
        case .lights(let sources): list(sources)
        case .opened(var session, let tune):
            session.usesOwnSounds = state.session.usesOwnSounds
            if let tune, !state.tunes.opens(session, tune: tune) { break }
            state.tunes.cancel()
            open(session)
        case .listings:
            state.shelf.hasListings = true
            showGuide(.listings)
        case .sound(let control, let value): state.session.sound[control] = value
        case .metronome(let isOn): state.session.metronome = isOn
        case .countIn(let bars): state.session.countIn = bars.clamped(to: Session.countIns)
        case .quantise(let percent): state.session.quantise = percent.clamped(to: Session.quantises)
        case .count(let beats):
            guard state.isPlaying else { break }
            state.transport.count(beats, at: now)
            showTooltip("\(beats)")
        case .turn(let knob, let count): turn(knob, by: count)
        case .power: pressPower()
        case .powerOff: effects.append(.powerOff)
        case .notice(let notice):
            if let warns = notice.warns { state.box.isWarned = warns }
            if notice.endsTake { state.takes.finish(at: now) }
            if notice.endsRequests { state.tunes.endRequest() }
            showTooltip(notice.text)
        case .midi(let message): handle(message)
        // The loop follows the clocks; their transport arrives as an event. It limits the light, too.
        case .edge, .link, .heat, .fault: break
        case .transport(let command): follow(command)
        case .syncStatus(let status): state.transport.syncStatus = status
        case .sync(let setting): set(setting)
        case .remote(let command): perform(command)
        case .record(let isOn): state.recording.isOn = isOn
        case .stick(let isThere): state.box.stickPrompt = isThere ? StickPrompt(since: now) : nil
        }
        settlePanelKeys()
        settleFX()
        if !state.isPlaying, let session = state.tunes.end() { open(session) }
        state.songPlay.update(for: state.session, isPlaying: state.isPlaying)
        limitPages()
        state.takes.endHearing(unlessHeldBy: state.fingers)
        state.samples.load(for: state.session.sound, and: state.upcomingSound?.sound.settings, &effects)
        return effects
    }

    /// Time of the next hold or repeat of a resting finger, or of the next note of a scale: the instrument needs a
    /// `tick` then. Nil for none.
    public var nextDeadline: Instant? {
        let nextHold = state.fingers.nextHold
        guard let run = state.view.scaleRun else { return nextHold }
        return min(nextHold ?? run.due, run.due)
    }

    /// Processes everything due by `now`, in order of time.
    private mutating func advance() {
        let end = now
        while let due = state.fingers.nextHold, due <= end, let id = state.fingers.holder(at: due) {
            now = due
            hold(id)
        }
        now = end
        soundScale()
        if state.box.hasPowerExpired(at: now) { cancelPowerOff() }
        state.box.expireStickPrompt(at: now)
        advanceFaders()
        advanceGuide()
        // A touched item keeps its tooltip, and a finger that draws keeps its word.
        state.view.expireTooltip(at: now) { tooltip in
            tooltip.since == state.box.powerAsked || state.fingers.contacts.contains { $0.keeps(tooltip) }
        }
        advanceHints()
    }

    /// Changes the rules of the gestures. Pages of one set of rules mean nothing under the other, and fingers that are
    /// down make nothing.
    mutating func setRules(_ rules: Rules) {
        let isOther = rules != state.rules
        state.session.rules = rules
        guard isOther else { return }
        state.session.pages = Track.allCases.map { _ in 0 }
        endPanelKeys()
        (state.view.keys, state.view.fx) = (PanelKeys(), PanelFX())
        limitToRules()
        leavePattern()
        state.fingers.leavePages()
    }
}

extension Instrument {
    /// The rules of the phone have no parts that play alone, and one sound for all scenes.
    private mutating func limitToRules() {
        state.session.usesOwnSounds = state.rules == .box
        guard state.rules == .phone else { return }
        state.session.composition.endMix()
        state.songPlay.cancelParts()
    }
}

// MARK: Actions, from any input

extension Instrument {
    /// Changes the composition as one step of the history, which undo shows by `word`; nil if nothing changed.
    @discardableResult
    mutating func perform(_ word: String, _ change: (inout Composition) -> Void) -> History.Action? {
        guard !isFrozen else { return nil }
        let before = state.session.composition
        change(&state.session.composition)
        guard state.session.composition != before else { return nil }
        return state.session.history.record(History.Step(before, word: word))
    }

    /// Changes the composition and the own sound of a scene, likewise.
    mutating func perform(
        _ word: String, own: History.OwnSound, _ change: (inout Composition) -> Void
    ) {
        guard !isFrozen else { return }
        var before = History.Step(state.session.composition, word: word)
        change(&state.session.composition)
        if state.session.sounds[own: own.slot] != own.sound { before.own = state.session.exchange(own) }
        guard state.session.composition != before.composition || before.own != nil else { return }
        _ = state.session.history.record(before)
    }

    /// Changes the composition as part of `action` if that can still be extended, else as a new step of the history.
    mutating func perform(
        _ word: String, extending action: inout History.Action?, _ change: (inout Composition) -> Void
    ) {
        guard !isFrozen else { return }
        guard let current = action, state.session.history.extend(current, by: change) else {
            action = perform(word, change)
            return
        }
        change(&state.session.composition)
        end(current, word, &action)
    }

    /// Changes the sound as part of the action of contact `id` if that is the newest, else as a new step of the history.
    /// `id` is nil for a change without a finger. The history of the phone has notes only.
    mutating func changeSound(_ word: String, inTouch id: Int?, _ change: (inout SoundSettings) -> Void) {
        var action = id.flatMap { state.fingers[$0].action }
        defer { if let id { state.fingers[id].action = action } }
        let (before, owner) = (state.session.sound, state.session.soundOwner)
        change(&state.session.sound)
        let difference = before.difference(to: state.session.sound)
        guard !difference.isEmpty, state.rules == .box else { return }
        guard let current = action, state.session.history.extend(current, by: difference, of: owner) else {
            action = state.session.history.record(
                History.Step(state.session.composition, sound: difference, of: owner, word: word))
            return
        }
        end(current, word, &action)
    }

    /// The word of a step to which contact `id` adds a change with `word`: `several` if the step has another word.
    func word(_ word: String, orSeveral several: String, of id: Int) -> String {
        let shared = state.fingers[id].action.flatMap { state.session.history.word(of: $0) }
        return shared == nil || shared == word ? word : several
    }

    /// Names `current`, which was extended, by `word`; removes it if it changes nothing any more.
    private mutating func end(_ current: History.Action, _ word: String, _ action: inout History.Action?) {
        if state.session.history.isNewest(current), let before = state.session.history.past.last,
            state.session.composition == before.composition, before.own == nil,
            state.session.sounds[of: before.owner].settings.values(at: before.sound) == before.sound
        {
            state.session.history.remove(current)
            action = nil
        } else {
            state.session.history.name(current, word)
        }
    }

    /// Whether the performance lock keeps the music from any change. Under the rules of the phone it only keeps it from
    /// Clear, double taps and shakes.
    var isFrozen: Bool { state.session.isLocked && state.rules == .box }

    /// Whether the lock refuses a change of the music; says so.
    mutating func isRefused() -> Bool {
        if isFrozen { showTooltip("LOCKED") }
        return isFrozen
    }

    mutating func showTooltip(_ text: String) { showTooltip(TextLine(text)) }

    mutating func showTooltip(_ line: TextLine) { state.view.tooltip = Tooltip(line: line, since: now) }

    mutating func togglePlay() {
        if state.isPlaying { closeRecording() } else { beginSong() }
        state.transport.toggle()
        follow(Hint.play)
        state.recording.endPass()
        showTooltip(state.isPlaying ? "PLAY" : "STOP")
    }

    /// Begins or ends the recording of played keys and taps.
    mutating func toggleRecording() {
        guard !isRefused() else { return }
        state.recording.isOn.toggle()
        showTooltip(state.recording.isOn ? "REC" : "REC OFF")
    }

    /// Undoes one action, whichever screen is shown. The phone shows `tooltip`, the box the action's word.
    mutating func undo(tooltip: String = "UNDO") {
        travel("UNDO", phone: tooltip) { History.undo(in: &$0, withSound: $1) }
    }

    /// Redoes one action, whichever screen is shown. The phone shows `tooltip`, the box the action's word.
    mutating func redo(tooltip: String = "REDO") {
        travel("REDO", phone: tooltip) { History.redo(in: &$0, withSound: $1) }
    }

    /// Moves through the history until the music changes for the player, who stays in the current scene. Steps that
    /// changed a pattern outside any scene have no effect after the player has left it.
    private mutating func travel(_ verb: String, phone: String, by move: (inout Session, Bool) -> String?) {
        guard !isRefused() else { return }
        let (present, sounds) = (state.session.composition, state.session.sounds)
        var word = ""
        repeat {
            guard let next = move(&state.session, state.rules == .box) else { return }
            word = next
            state.session.composition = state.session.composition.brought(to: present)
        } while state.session.composition == present && state.session.sounds == sounds
        state.fingers.forgetMoves()
        state.fingers.forgetTempoChanges()
        showTooltip(state.rules == .phone ? phone : word.isEmpty ? verb : "\(verb) \(word)")
    }

    mutating func clear(tooltip: String) {
        guard !isRefused(), !state.session.isLocked else { return }
        perform("CLEAR") { $0.pattern.clear() }
        forgetPanelKeys()
        effects.append(.fade)
        showTooltip(tooltip)
    }

    /// Shows the tempo that is heard.
    mutating func showTempo() {
        showTooltip("\(state.shownTempo.text) BPM")
    }

    /// Changes the tempo that leads the box by `change`: a Link session's tempo changes for all members, a clock's tempo
    /// does not. Returns whether the box follows; the pattern's own tempo then stays. With `wholly` the session's tempo
    /// is rounded to whole beats per minute first.
    mutating func follows(changeBy change: Tempo, wholly: Bool = false) -> Bool {
        guard state.isFollowing, let last = state.transport.tempoToChange else { return false }
        guard state.sync.source == .link else {
            showTempo()
            return true
        }
        wish(forTempo: (wholly ? Tempo(last.whole) : last) + change)
        return true
    }

    /// Wants `tempo` of the Link session.
    mutating func wish(forTempo tempo: Tempo) {
        showTooltip("\(state.transport.wish(forTempo: tempo).text) BPM")
    }

    /// Changes the tempo of the pattern by `change`, or that of the Link session; what `perform` changes is a history
    /// step. A tempo beyond the limits of the rules does not change in the other direction.
    mutating func changeTempo(by change: Tempo, _ perform: (inout Instrument, (inout Composition) -> Void) -> Void) {
        guard !follows(changeBy: change, wholly: change.hundredths % 100 == 0) else { return }
        let (last, goal) = (pattern.tempo, (pattern.tempo + change).clamped(to: state.rules.limits.tempos))
        let tempo = change > 0 ? max(last, goal) : min(last, goal)
        perform(&self) { $0.pattern.tempo = tempo }
        showTempo()
    }

    mutating func showLength() {
        let length = state.session.composition.pattern.length
        showTooltip(length == 1 ? "1 STEP" : "\(length) STEPS")
    }
}
