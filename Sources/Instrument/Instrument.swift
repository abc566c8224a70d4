import InputEvents
import Display

/// The instrument as a value: events and the time go in, effects and frames come out. It reads no clock and does no I/O.
public struct Instrument: Sendable {
    /// The complete state.
    public internal(set) var state = State()
    /// The pictures of other machines; not a part of the state. Nil for none.
    public var pictures: (any LightPictures)?
    /// Columns of the panel: 44, or 46 or 50 with the menu to the left of the sequencer's 44.
    public let columns: Int
    /// Time of the event in progress. A hold that was due before the event has its own.
    var now = Instant.zero
    /// Effects of the event in progress, in order.
    var effects: [Effect] = []

    /// An instrument with an empty pattern and a panel of `columns`. `volume` is the master volume in percent, `rules` are the
    /// rules of the gestures, and the source of `sync` is that of the tempo, until the player sets others. `trackChannels` are those
    /// of the tracks on MIDI ports.
    public init(
        columns: Int = 44, volume: Int = 100, rules: Rules = .box, sync: SyncSettings = SyncSettings(),
        trackChannels: TrackChannels = TrackChannels()
    ) {
        precondition(Frame.panelColumns.contains(columns))
        self.columns = columns
        state.initialRules = rules
        state.initialSync = sync
        state.trackChannels = trackChannels
        state.initialVolume = volume.clamped(to: Session.volumes)
        state.cursor = Cursor(column: columns - Grid.columns + Grid.column(ofStep: 0), row: Cursor.firstRow)
    }

    /// Rows of the panel.
    public static let rows = Frame.panelRows

    /// The panel column of the sequencer's column 0.
    var origin: Int { columns - Grid.columns }

    /// Replaces the session. The transport does not change. Values out of range are clamped.
    public mutating func load(_ session: Session) {
        state.session = session.clamped()
        state.queuedScene = nil
        state.queuedEntry = nil
        state.songPlace = .start
        state.expectedScenes = 0
        leavePattern()
        state.hint = nil
        state.hintRound = HintRound()
        state.untouchedSince = nil
        settlePages()
    }

    /// Processes `event`, which happened at `now`; times must not decrease. Returns the effects to perform.
    public mutating func update(_ event: Event, at now: Instant) -> [Effect] {
        self.now = now
        defer { effects.removeAll() }
        if state.untouchedSince == nil { state.untouchedSince = now }
        advance()
        if event.isAct {
            cancelPowerOff()
            wake()
        }
        switch event {
        case .tick: break
        case .touch(let touch): if touch.contact < Touch.contactsMax { take(touch) }
        case .key(let key): press(key)
        case .keyUp(let key): release(key, as: .up)
        case .keyCancel(let key): release(key, as: .cancel)
        case .type(let character): type(character)
        case .step(let step, let number):
            guard state.isPlaying else { break }
            countPass(at: step)
            beginStep(step, number: number)
        case .trackStep(let track, let step, let place, let sounds):
            guard state.isPlaying else { break }
            beginStep(step, of: track, place: place, sounds: sounds)
        case .round(let round): if state.isPlaying { state.heard = State.Heard(round: round, in: pattern) }
        case .beat(let beat): hear(beat)
        case .sceneBegan(let slot): beginScene(slot)
        case .lock(let isLocked): state.session.isLocked = isLocked
        case .audition(let isOn): state.session.auditions = isOn
        case .tapSound(let isOn): state.session.soundsTaps = isOn
        case .rules(let rules): setRules(rules)
        case .brightness(let percent): state.session.brightness = percent.clamped(to: Session.brightnesses)
        case .showHints: showHints()
        case .watched: beginHints()
        case .facts(let facts): if facts != state.facts { take(facts) }
        case .guide(let content): state.guide.show(content, at: now)
        case .sounds(let presets): take(presets)
        case .samples(let names): take(names)
        case .sample(let sample): take(sample)
        case .sampleFailed(let name): miss(name)
        case .sliced(let kit): take(kit)
        case .dropped(let kit, let column, let row):
            drop(kit, on: Position(column: column - Float(origin), row: row))
        case .tunings(let tunings): state.ownTunings = tunings
        case .lights(let sources): take(sources)
        case .opened(let session): open(session)
        case .listings:
            state.hasListings = true
            showGuide(.listings)
        case .sound(let control, let value): state.session.sound[control] = value
        case .metronome(let isOn): state.session.metronome = isOn
        case .countIn(let bars): state.session.countIn = bars.clamped(to: Session.countIns)
        case .quantise(let percent): state.session.quantise = percent.clamped(to: Session.quantises)
        case .count(let beats):
            guard state.isPlaying else { break }
            state.counted = (beats, now)
            showTooltip("\(beats)")
        case .turn(let knob, let count): turn(knob, by: count)
        case .power: pressPower()
        case .powerOff: effects.append(.powerOff)
        case .notice(let notice):
            if let warns = notice.warns { state.isWarned = warns }
            if notice.endsTake { finishTake() }
            showTooltip(notice.text)
        case .midi(let message): take(message)
        // The loop follows the clocks; their transport arrives as an event. It limits the light, too.
        case .edge, .link, .heat, .fault: break
        case .transport(let command): take(command)
        case .syncStatus(let status): state.syncStatus = status
        case .sync(let setting): take(setting)
        case .remote(let command): take(command)
        case .record(let isOn): state.isRecording = isOn
        case .stick(let isThere): state.stickPrompt = isThere ? StickPrompt(since: now) : nil
        }
        settleScenes()
        settlePages()
        settleHearing()
        settleSamples()
        return effects
    }

    /// Time of the next hold or repeat of a resting finger, or of the next note of a scale: the instrument needs a `tick` then. Nil for none.
    public var nextDeadline: Instant? {
        guard let run = state.scaleRun else { return nextHold }
        return min(nextHold ?? run.due, run.due)
    }

    /// Time of the next hold or repeat of a resting finger; nil for none.
    private var nextHold: Instant? {
        state.contacts.reduce(nil) { earliest, contact in
            guard let due = contact.due else { return earliest }
            return min(earliest ?? due, due)
        }
    }

    /// Processes everything due by `now`, in order of time.
    private mutating func advance() {
        let end = now
        while let due = nextHold, due <= end, let id = state.contacts.firstIndex(where: { $0.due == due }) {
            now = due
            hold(id)
        }
        now = end
        soundScale()
        if let asked = state.powerAsked, now - asked >= Limits.powerAnswer { cancelPowerOff() }
        if let prompt = state.stickPrompt, now - prompt.since >= StickPrompt.life { state.stickPrompt = nil }
        advanceFaders()
        advanceGuide()
        // A touched item keeps its tooltip, and a finger that draws keeps its word.
        if let tooltip = state.tooltip, tooltip.hasEnded(on: state.screen, at: now), tooltip.since != state.powerAsked,
            state.contacts.allSatisfy({ !$0.keeps(tooltip) })
        {
            state.tooltip = nil
        }
        advanceHints()
    }

    /// Changes the rules of the gestures. Pages of one set of rules mean nothing under the other, and fingers that are down make
    /// nothing.
    mutating func setRules(_ rules: Rules) {
        let isOther = rules != state.rules
        state.session.rules = rules
        guard isOther else { return }
        state.session.pages = Track.allCases.map { _ in 0 }
        state.scrolled = TrackSet()
        leavePattern()
        for id in state.contacts.indices {
            if case .page = state.contacts[id].role { state.contacts[id].role = .nothing }
        }
    }
}

// MARK: Actions, from any input

extension Instrument {
    /// Changes the composition as one step of the history; nil if nothing changed.
    @discardableResult
    mutating func perform(_ change: (inout Composition) -> Void) -> History.Action? {
        guard !isFrozen else { return nil }
        let before = state.session.composition
        change(&state.session.composition)
        return state.session.composition == before ? nil : state.session.history.record(before)
    }

    /// Changes the composition as part of `action` if that can still be extended, else as a new step of the history.
    mutating func perform(extending action: inout History.Action?, _ change: (inout Composition) -> Void) {
        guard !isFrozen else { return }
        guard let current = action, state.session.history.extend(current, by: change) else {
            action = perform(change)
            return
        }
        change(&state.session.composition)
        if state.session.history.isNewest(current), state.session.composition == state.session.history.past.last {
            _ = state.session.history.takeBack(current)
            action = nil
        }
    }

    /// Whether the performance lock keeps the music from any change. Under the rules of the phone it only keeps it from Clear,
    /// double taps and shakes.
    var isFrozen: Bool { state.session.isLocked && state.rules == .box }

    /// Whether the lock refuses a change of the music; says so.
    mutating func isRefused() -> Bool {
        if isFrozen { showTooltip("LOCKED") }
        return isFrozen
    }

    mutating func showTooltip(_ text: String) { showTooltip(TextLine(text)) }

    mutating func showTooltip(_ line: TextLine) { state.tooltip = Tooltip(line: line, since: now) }

    mutating func togglePlay() {
        if state.isPlaying { settleRecording() } else { beginSong() }
        state.isPlaying.toggle()
        state.begun = nil
        follow(Hint.play)
        state.endPlayheads()
        endRecording()
        showTooltip(state.isPlaying ? "PLAY" : "STOP")
    }

    /// Begins or ends the recording of played keys and taps.
    mutating func toggleRecording() {
        state.isRecording.toggle()
        showTooltip(state.isRecording ? "REC" : "REC OFF")
    }

    mutating func undo(tooltip: String) {
        travel(tooltip) { $0.history.undo(from: $0.composition) }
    }

    mutating func redo(tooltip: String) {
        travel(tooltip) { $0.history.redo(from: $0.composition) }
    }

    /// Moves through the history until the composition changes for the player, who stays in the current scene. Steps that
    /// changed a pattern outside any scene have no effect after the player has left it.
    private mutating func travel(_ tooltip: String, by move: (inout Session) -> Composition?) {
        guard !isRefused() else { return }
        let present = state.session.composition
        repeat {
            guard let next = move(&state.session) else { break }
            state.session.composition = next.brought(to: state.session.composition)
        } while state.session.composition == present
        if state.session.composition != present { showTooltip(tooltip) }
    }

    mutating func clear(tooltip: String) {
        guard !isRefused(), !state.session.isLocked else { return }
        perform { $0.pattern.clear() }
        effects.append(.fade)
        showTooltip(tooltip)
    }

    /// Shows the tempo that is heard.
    mutating func showTempo() {
        let own = state.session.composition.pattern.bpm
        let heard = state.isFollowing ? state.syncStatus.tempo.map { nearest($0) } ?? own : own
        showTooltip("\(heard) BPM")
    }

    /// Changes the tempo of those that lead the box by `bpm`: a Link session's changes for all members, that of a clock does not.
    /// Returns whether the box follows; the pattern's own tempo then stays.
    mutating func follows(changeBy bpm: Int) -> Bool {
        guard state.isFollowing, let tempo = state.syncStatus.tempo else { return false }
        guard state.sync.source == .link else {
            showTempo()
            return true
        }
        // Until the session has taken the last wish, the next one counts from it.
        let last = state.sessionTempo.flatMap { $0.before == tempo ? $0.bpm : nil } ?? nearest(tempo)
        wish(forTempo: last + bpm)
        return true
    }

    /// Wants a tempo of `bpm` of the Link session.
    mutating func wish(forTempo bpm: Int) {
        let tempo = bpm.clamped(to: Int(LinkState.tempos.lowerBound)...Int(LinkState.tempos.upperBound))
        state.sessionTempo = State.SessionTempo(
            bpm: tempo, before: state.syncStatus.tempo ?? 0, number: (state.sessionTempo?.number ?? -1) + 1)
        showTooltip("\(tempo) BPM")
    }

    mutating func showLength() {
        showTooltip("\(state.session.composition.pattern.length) STEPS")
    }
}
