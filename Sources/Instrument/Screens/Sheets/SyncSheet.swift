import InputEvents
import Display

/// The tempo sheet; the clock is the box's own.
struct SyncSheet: Sheet {
    /// A button that changes the tempo.
    enum Step: Hashable, Sendable {
        case slower, faster
    }

    private static let source = TextLine("INTERNAL")
    /// The words for a finger on it.
    private static let sourceWords = TextLine("INTERNAL: THE BOX KEEPS TIME")
    private static let minus = TextLine("-")
    private static let plus = TextLine("+")
    private static let tempos = Pattern.tempos.map { TextLine("\($0)") }

    var screen: Instrument.Screen { .sync }
    var title: TextLine? { Menu.Item.sync.name }
    var accent: RGB { Menu.Item.sync.colour }

    func spot(at position: Position) -> Spot? {
        guard position.row < 17.5 else { return .source }
        if position.column < 9.5 { return .tempo(.slower) }
        if position.column >= 33.5 { return .tempo(.faster) }
        return .tapTempo
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? { spot == .source ? Self.sourceWords : nil }

    func take(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.tempo(let step), .down): nudge(step, again: Limits.repeatDelay, &acts)
        case (.tempo(let step), .hold): nudge(step, again: Limits.repeatInterval, &acts)
        case (.tapTempo, .down): acts.append(.tapTempo)
        default: break
        }
    }

    /// Changes the tempo by one, and repeats after `again` while the finger holds the button.
    private func nudge(_ step: Step, again: Instant.Span, _ acts: inout [ScreenAct]) {
        acts.append(.changeTempo(by: step == .faster ? 1 : -1))
        acts.append(.awaitHold(again))
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        func button(_ spot: Spot, _ columns: Range<Int>, _ line: TextLine) {
            let columns = origin + columns.lowerBound..<origin + columns.upperBound
            let ground = RGB.black.blended(towards: accent, instrument.isTouched(spot) ? 0.8 : 0.18)
            frame.fill(columns: columns, rows: 7..<17, ground)
            line.draw(into: &frame, centredIn: columns, row: 9, colour: .white)
        }
        let bpm = instrument.state.session.composition.pattern.bpm
        button(.tempo(.slower), 0..<9, Self.minus)
        button(.tempo(.faster), 35..<44, Self.plus)
        button(.tapTempo, 11..<33, Self.tempos[bpm - Pattern.tempos.lowerBound])
        // A light below the number moves from beat to beat.
        if let playhead = instrument.state.playhead {
            let beat = playhead.step / Pattern.stepsPerBeat % Pattern.stepsPerBeat
            frame.fill(columns: origin + 13 + beat * 5..<origin + 16 + beat * 5, rows: 15..<16, .white)
        }
        Self.source.draw(
            into: &frame, centredIn: origin..<origin + Grid.columns, row: 19,
            colour: instrument.isTouched(.source) ? .white : Palette.quiet)
    }
}
