import InputEvents
import Display

// The guide as a screen: passes touches on to it, and performs its requests.

extension Instrument {
    /// Draws the guide over the 44 columns from `origin`.
    func drawGuide(into frame: inout Frame, at now: Instant) {
        state.shelf.guide.draw(
            into: &frame, origin: origin, at: now, isPlaying: state.isPlaying, queued: state.tunes.pattern,
            mode: state.session.colourMode)
        let columns = Tooltip.guideColumns
        state.view.tooltip?.drawOver(
            into: &frame, clip: origin + columns.lowerBound..<origin + columns.upperBound, row: 0, at: now)
    }

    /// Shows the guide, and requests its content.
    mutating func showGuide(_ source: GuideContent.Source) {
        show(.guide)
        state.shelf.guide.hasOtherSource = state.shelf.hasListings
        effects.append(.job(source == .library ? .showLibrary : .showListings))
    }

    /// Passes `phase` of contact `id`, at its current position, to the guide.
    mutating func touchGuide(_ phase: Touch.Phase, contact id: Int) {
        let position = state.fingers[id].motion.position
        let touch = Touch(contact: id, phase: phase, column: position.column, row: position.row)
        var acts: [ScreenAct] = []
        state.shelf.guide.handle(touch, at: now, into: &acts)
        for act in acts { perform(act, contact: id) }
    }

    /// Performs the guide's holds that are due.
    mutating func advanceGuide() {
        guard state.view.screen == .guide else { return }
        var acts: [ScreenAct] = []
        state.shelf.guide.advance(to: now, into: &acts)
        for act in acts { perform(act, contact: nil) }
    }

    /// Plays the music of `session` from now on, with an empty history; the settings of the box stay.
    mutating func open(_ session: Session) {
        endPanelKeys()
        var next = state.session
        next.takeMusic(of: session)
        next.history = History()
        load(next)
    }
}
