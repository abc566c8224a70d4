import InputEvents
import Display

/// The tempo and its source, the recording of keyboards, and the errors of the source's ticks.
struct SyncSheet: Sheet {
    /// A button that changes the tempo.
    enum Step: Hashable, Sendable {
        case slower, faster
    }

    /// A source: its letters with their first column and row, and the words for a finger on it.
    private struct Source {
        let source: SyncSource
        let column: Int
        let row: Int
        let letters: TextLine
        let words: TextLine
    }

    private static let sources = [
        Source(
            source: .internal, column: 0, row: 7, letters: TextLine("INT"),
            words: TextLine("INTERNAL: THE BOX KEEPS TIME")),
        Source(source: .midi, column: 14, row: 7, letters: TextLine("MIDI"), words: TextLine("MIDI CLOCK")),
        Source(source: .clock, column: 0, row: 13, letters: TextLine("CLK"), words: TextLine("CLOCK JACK")),
        Source(source: .link, column: 14, row: 13, letters: TextLine("LINK"), words: TextLine("LINK")),
    ]
    private static let steps: [(step: Step, line: TextLine, column: Int)] = [
        (.slower, TextLine("-"), 33), (.faster, TextLine("+"), 40),
    ]
    private static let (record, recordOff, recordColumn) = (TextLine("REC"), TextLine("REC OFF"), 33)
    private static let (lost, noErrors) = (TextLine("LOST"), TextLine("NO TICKS"))
    /// Every tempo of a source in beats per minute, rounded.
    private static let tempos = 1...1000
    private static let tempoLines = tempos.map { TextLine("\($0) BPM") }
    /// Maximum number of members of a Link session that have a light.
    private static let peersMax = 8

    /// Lower edges of the two rows of buttons, for touches.
    private static let (firstEnd, secondEnd): (Float, Float) = (11.5, 17.5)
    /// Left edges of the second source, of − and REC, and of +, for touches.
    private static let (secondSource, right, plusSide): (Float, Float, Float) = (12.5, 30.5, 37.5)

    var screen: Instrument.Screen { .sync }
    var title: TextLine? { Menu.Item.sync.name }
    var accent: RGB { Menu.Item.sync.colour }
    var header: Spot? { .tapTempo }

    func spot(at position: Position) -> Spot? {
        let isLeft = position.column < Self.secondSource
        switch position.row {
        case ..<Self.firstEnd:
            if position.column >= Self.right { return .tempo(position.column < Self.plusSide ? .slower : .faster) }
            return .source(isLeft ? .internal : .midi)
        case ..<Self.secondEnd:
            if position.column >= Self.right { return .record }
            return .source(isLeft ? .clock : .link)
        default: return .syncErrors
        }
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .source(.link) where state.sync.source == .link:
            let peers = state.transport.syncStatus.peers
            return TextLine(peers == 1 ? "1 PEER" : "\(peers) PEERS")
        case .source(let source): return Self.sources.first { $0.source == source }?.words
        case .record: return state.recording.isOn ? Self.record : Self.recordOff
        case .syncErrors:
            return state.transport.syncStatus.rms.map { TextLine("\(hundredths($0)) MS") } ?? Self.noErrors
        default: return nil
        }
    }

    /// `value` with two decimals.
    private func hundredths(_ value: Double) -> String {
        let whole = Int((value * 100).rounded())
        return "\(whole / 100).\(whole / 10 % 10)\(whole % 10)"
    }

    // MARK: Actions

    func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.tempo(let step), .down): nudge(step, again: Limits.repeatDelay, &acts)
        case (.tempo(let step), .hold): nudge(step, again: Limits.repeatInterval, &acts)
        case (.tapTempo, .down): acts.append(.tapTempo)
        case (.source(let source), .up(isOver: true)): acts.append(.chooseSource(source))
        case (.record, .up(isOver: true)): acts.append(.toggleRecording)
        default: break
        }
    }

    /// Changes the tempo by one, and repeats after `again` while the finger holds the button.
    private func nudge(_ step: Step, again: Instant.Span, _ acts: inout [ScreenAct]) {
        acts.append(.changeTempo(by: step == .faster ? 1 : -1))
        acts.append(.awaitHold(again))
    }

    // MARK: Drawing

    func drawTitle(_ instrument: Instrument, into frame: inout Frame, column: Int) {
        let status = instrument.state.transport.syncStatus
        let isInternal = instrument.state.sync.source == .internal
        if !isInternal, status.lock == .lost {
            return Self.lost.draw(into: &frame, column: column, row: 0, colour: Palette.warning)
        }
        let tempo = instrument.state.shownTempo
        let isWhole = tempo == Tempo(tempo.whole) && Self.tempos.contains(tempo.whole)
        // With decimals there is no room for the unit.
        let line = isWhole ? Self.tempoLines[tempo.whole - Self.tempos.lowerBound] : TextLine(tempo.text)
        line.draw(
            into: &frame, column: column, row: 0, colour: instrument.isTouched(.tapTempo) ? .white : Palette.text)
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        for source in Self.sources { draw(source, instrument, into: &frame, origin: origin, at: now) }
        for (step, line, column) in Self.steps {
            let isTouched = instrument.isTouched(.tempo(step))
            let isDark = instrument.state.isFollowing && instrument.state.sync.source != .link
            let colour = isDark ? Palette.off : isTouched ? .white : Palette.text
            line.draw(into: &frame, column: origin + column, row: 7, colour: colour)
        }
        drawRecord(instrument, into: &frame, column: origin + Self.recordColumn)
        drawErrors(instrument.state, into: &frame, origin: origin)
    }

    /// Draws the letters of `source`, and the line below the letters of the chosen one: amber and breathing until its
    /// signal arrives, and after it was lost.
    private func draw(
        _ source: Source, _ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant
    ) {
        let isChosen = source.source == instrument.state.sync.source
        let isTouched = instrument.isTouched(.source(source.source))
        let column = origin + source.column
        source.letters.draw(
            into: &frame, column: column, row: source.row, colour: isChosen || isTouched ? .white : Palette.quiet)
        guard isChosen else { return }
        let status = instrument.state.transport.syncStatus
        let columns = column..<column + source.letters.width
        let row = source.row + 5
        func underline(_ colour: RGB) { frame.fill(columns: columns, rows: row..<row + 1, colour) }
        if source.source == .internal {
            underline(accent)
        } else if status.lock == .waiting || status.lock == .lost {
            underline(RGB.black.blended(towards: Palette.warning, instrument.breath(at: now)))
        } else if source.source == .link {
            underline(RGB.black.blended(towards: accent, Self.dimLine))
            for peer in 0..<min(status.peers, Self.peersMax) { frame[column + 2 * peer, row] = accent }
        } else {
            underline(accent)
        }
    }

    private func drawRecord(_ instrument: Instrument, into frame: inout Frame, column: Int) {
        let isOn = instrument.state.recording.isOn
        let isTouched = instrument.isTouched(.record)
        Self.record.draw(
            into: &frame, column: column, row: 13,
            colour: isOn || isTouched ? .white : RGB.black.blended(towards: Palette.danger, Self.recordOffInk))
        guard isOn else { return }
        frame.fill(columns: column..<column + Self.record.width, rows: 18..<19, Palette.danger)
    }

    /// Draws the errors as columns above the last row, the fullest five LEDs high, and marks at 0 and ±1 ms above them.
    private func drawErrors(_ state: Instrument.State, into frame: inout Frame, origin: Int) {
        let errors = state.transport.syncStatus.errors
        let bottom = Instrument.rows - 1
        let isEmpty = state.sync.source == .internal || errors.count != SyncStatus.columns
        let most = isEmpty ? 0 : max(1, errors.max() ?? 0)
        for (column, colour) in Self.marks {
            frame[origin + column, Self.markRow] = isEmpty ? Palette.off : colour
        }
        for column in 0..<SyncStatus.columns {
            let height = isEmpty ? 0 : Self.height * Float(errors[column]) / Float(most)
            let full = Int(height)
            if height == 0 { frame[origin + column, bottom] = Self.ground }
            for place in 0..<full {
                let ink: Float = place == full - 1 ? Self.capInk : Self.bodyInk
                frame[origin + column, bottom - place] = RGB.black.blended(towards: accent, ink)
            }
            let part = height - Float(full)
            // An error among many is dim, but not dark.
            if part > Self.partMin || full == 0 && height > 0 {
                let ink = max(part, Self.partMin) * Self.partInk
                frame.blend(origin + column, bottom - full, towards: accent, ink)
            }
        }
    }

    /// Opacities: of the line below LINK, of REC while it is off, of a column's top and the rest, of the part of an LED
    /// above.
    private static let (dimLine, recordOffInk): (Float, Float) = (0.25, 0.75)
    private static let (capInk, bodyInk, partInk): (Float, Float, Float) = (0.9, 0.45, 0.5)
    /// Minimum part of an LED that is drawn above a full one.
    private static let partMin: Float = 0.15
    private static let ground = RGB(0x1c1c1c)
    /// Height of the fullest column in LEDs.
    private static let height: Float = 5
    private static let markRow = 19
    private static let marks: [(column: Int, colour: RGB)] = [
        (11, Palette.off), (21, RGB(0x4a4a4a)), (22, RGB(0x4a4a4a)), (32, Palette.off),
    ]
}
