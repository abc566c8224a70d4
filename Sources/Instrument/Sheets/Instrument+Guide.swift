import Display

// The guide as a screen: passes touches on to it, and performs its requests.

extension Instrument {
    /// Draws the guide over the 44 columns from `origin`.
    func drawGuide(into frame: inout Frame, at now: Instant) {
        state.guide.draw(
            into: &frame, origin: origin, at: now, isPlaying: state.isPlaying, mode: state.session.colourMode)
        state.tooltip?.drawOver(into: &frame, clip: origin + 12..<origin + 40, row: 0, at: now)
    }

    /// Shows the guide, and requests its content.
    mutating func showGuide(_ source: GuideContent.Source, at now: Instant, _ effects: inout [Effect]) {
        show(.guide, at: now)
        state.guide.hasOtherSource = state.hasListings
        effects.append(.errand(source == .library ? .showLibrary : .showListings))
    }

    /// Passes `phase` of contact `id`, at its current position, to the guide.
    mutating func touchGuide(
        _ phase: Touch.Phase, contact id: Int, at now: Instant, _ effects: inout [Effect]
    ) {
        let position = state.contacts[id].motion.position
        let touch = Touch(contact: id, phase: phase, column: position.column, row: position.row)
        var acts: [GuideAct] = []
        state.guide.take(touch, at: now, into: &acts)
        for act in acts { perform(act, at: now, &effects) }
    }

    /// Performs the guide's holds that are due.
    mutating func advanceGuide(to now: Instant, _ effects: inout [Effect]) {
        guard state.screen == .guide else { return }
        var acts: [GuideAct] = []
        state.guide.advance(to: now, into: &acts)
        for act in acts { perform(act, at: now, &effects) }
    }

    private mutating func perform(_ act: GuideAct, at now: Instant, _ effects: inout [Effect]) {
        switch act {
        case .close: show(.grid, at: now)
        case .play: togglePlay(at: now)
        case .open(let number):
            show(.grid, at: now)
            if number != state.session.pattern { effects.append(.errand(.open(number))) }
            if let title = state.guide.content.title(of: number) { showTooltip(title, at: now) }
        case .begin(let channel):
            show(.grid, at: now)
            effects.append(.errand(.begin(bank: channel)))
            showTooltip("NEW", at: now)
        case .changeSource:
            showGuide(state.guide.content.source == .library ? .listings : .library, at: now, &effects)
        case .duplicate(let number): effects.append(.errand(.duplicate(number)))
        case .rename(let number):
            let title = state.guide.content.title(of: number) ?? ""
            show(.letters(LetterSheet(pattern: number, name: title)), at: now)
        case .delete(let number):
            effects.append(.errand(.delete(number)))
            // The current pattern is deleted: begin another.
            if number == state.session.pattern {
                open(Session())
                effects.append(.errand(.begin(bank: nil)))
            }
        case .undoDelete(let number): effects.append(.errand(.restore(number)))
        case .setWatched(let number, let isWatched): effects.append(.errand(.setWatched(number, isWatched)))
        }
    }

    /// Plays the music of `session` from now on, with an empty history; the settings of the box stay.
    mutating func open(_ session: Session) {
        var next = state.session
        next.takeMusic(of: session)
        next.history = History()
        load(next)
    }
}
