import InputEvents
import Display

// The header of all sheets: back, the title, Play or Stop, and the steps.

extension Instrument {
    /// The spot at `position` in the header of the screen's sheet, or on the sheet below it; nil for none.
    func sheetSpot(at position: Position) -> Spot? {
        guard let look = sheetLook else { return nil }
        guard look.hasHeader, position.row < Header.end else {
            let spot = spotOfSheet(at: position)
            // An unavailable fader does not move, but shows its name.
            if look.hasHeader, case .fader(let fader)? = spot, !isAvailable(fader) { return .letter(fader) }
            return spot
        }
        if position.column < 4.5 { return .back }
        return position.column >= 39.5 ? look.corner : look.header
    }

    /// Draws the header of `sheet` over the 44 columns from `origin`.
    func drawHeader(of sheet: some Sheet, into frame: inout Frame, at now: Instant) {
        if state.view.tooltip == nil {
            sheet.drawTitle(self, into: &frame, column: sheet.corner == nil ? origin + 5 : origin + 6)
        }
        drawHeader(
            sheet.corner, sheet.accent(state.session.colourMode), hasSteps: sheet.title != nil, into: &frame, at: now)
    }

    /// Draws the header without its title, in one function for all sheets.
    private func drawHeader(
        _ corner: Spot?, _ accent: RGB, hasSteps: Bool, into frame: inout Frame, at now: Instant
    ) {
        Header.back.draw(into: &frame, column: origin, row: 0, colour: isTouched(.back) ? .white : Palette.text)
        if let tooltip = state.view.tooltip {
            let columns = Tooltip.sheetColumns
            tooltip.drawOver(
                into: &frame, clip: origin + columns.lowerBound..<origin + columns.upperBound, row: 0, at: now)
        }
        if let corner { drawCorner(corner, into: &frame, column: origin + 41) }
        if corner == .play, state.recording.isOn {
            Header.record.draw(
                into: &frame, column: origin + 37, row: 1, colour: Palette.danger, alpha: recordLight(at: now))
        }
        let row = 1 + Int((4 * min(1, (now - state.view.screenSince).fraction(of: Header.slide))).rounded())
        frame.fill(columns: origin..<origin + 4, rows: row..<row + 1, accent)
        if hasSteps { drawSteps(into: &frame, row: row, Palette.headerSteps, at: now) }
    }

    private func drawCorner(_ spot: Spot, into frame: inout Frame, column: Int) {
        let mode = state.session.colourMode
        if spot == .done {
            Header.done.draw(
                into: &frame, column: column, row: 0, colour: isTouched(.done) ? .white : Palette.go(mode))
        } else {
            PlayButton.draw(
                into: &frame, column: column, isPlaying: state.isPlaying, isTouched: isTouched(.play), mode)
        }
    }
}

private enum Header {
    /// Lower edge of the header, for touches.
    static let end: Float = 5.5
    /// Time in which the steps slide from the grid's row 1 to the header's.
    static let slide = Instant.Span.milliseconds(120)

    static let record = Icon(".#. ### .#.")
    static let back = TextLine("<")
    static let done = TextLine("✓")
}
