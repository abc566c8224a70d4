import InputEvents
import Display

extension Guide {
    /// Draws `card` over the 44 columns of `frame` from `origin` on.
    func draw(
        _ card: GuideCard, into frame: inout Frame, _ origin: Int, at now: Instant, isPlaying: Bool, _ mode: ColourMode
    ) {
        let entries = content[channel: card.channel, day: card.day]
        guard let entry = entries.first(where: { $0.id == card.entry }) else { return }
        GuideIcon.back.draw(into: &frame, column: origin, row: 0, colour: isTouched(.back) ? .white : Palette.text)
        frame.fill(
            columns: origin..<origin + 4, rows: Font.height..<Font.height + 1,
            isTouched(.back) ? .white : Palette.library)
        drawPlay(into: &frame, origin, isPlaying: isPlaying, mode)
        let header = CardLayout.header.lowerBound + origin..<CardLayout.header.upperBound + origin
        let name = touchedName ?? caption.flatMap { $0.hasEnded(at: now) ? nil : $0 }
        let words = name ?? card.facts
        words.line.draw(
            into: &frame, column: header.lowerBound - words.travelled(view: header.count, at: now), row: 0,
            colour: name == nil ? Palette.text : .white, clip: header)
        drawTitle(of: card, into: &frame, origin, at: now)
        switch content.source {
        case .library: drawActions(into: &frame, origin, at: now)
        case .listings: drawSwitch(isOn: entry.isWatched, mode, into: &frame, origin)
        }
    }

    private func drawTitle(of card: GuideCard, into frame: inout Frame, _ origin: Int, at now: Instant) {
        var columns = origin..<origin + Grid.columns
        if card.count > 1 {
            drawArrow(
                GuideWords.previousArrow, origin + 1, .previous, isThere: card.place > 0, into: &frame)
            drawArrow(
                GuideWords.nextArrow, origin + Grid.columns - 4, .next, isThere: card.place + 1 < card.count,
                into: &frame)
            columns = origin + GuideCard.arrowColumns..<origin + Grid.columns - GuideCard.arrowColumns
        }
        let scale = CardLayout.titleScale
        let travelled = card.title.travelled(view: columns.count, scale: scale, at: now)
        let spare = max(0, columns.count - card.title.line.width * scale)
        card.title.line.draw(
            into: &frame, column: columns.lowerBound + spare / 2 - travelled, row: GuideCard.titleRow, colour: .white,
            clip: columns, scale: scale)
    }

    private func drawArrow(
        _ arrow: TextLine, _ column: Int, _ target: GuideLayout.Target, isThere: Bool, into frame: inout Frame
    ) {
        let row = GuideCard.titleRow + (CardLayout.titleScale - 1) * Font.height / 2
        let colour = !isThere ? Palette.off : isTouched(target) ? .white : Palette.text
        arrow.draw(into: &frame, column: column, row: row, colour: colour)
    }

    private func drawActions(into frame: inout Frame, _ origin: Int, at now: Instant) {
        for (index, action) in GuideCard.Action.library.enumerated() {
            let column = origin + index * GuideCard.actionColumns
            let isTouched = isTouched(.action(action))
            var colour = isTouched ? RGB.white : Palette.text
            if action == .delete {
                let filled = isTouched ? filling(at: now) : 0
                let top = GuideCard.actionRows.upperBound - filled
                frame.fill(
                    columns: column..<column + GuideCard.actionColumns, rows: top..<GuideCard.actionRows.upperBound,
                    RGB.black.blended(towards: Palette.danger, 0.3))
                colour = isTouched ? .white : Palette.danger
            }
            Self.icon(of: action).draw(
                into: &frame, column: column + 3, row: GuideCard.actionRows.lowerBound, colour: colour)
        }
    }

    /// Rows filled by the hold on delete.
    private func filling(at now: Instant) -> Int {
        guard let finger = fingers.first(where: { !$0.isSpent && $0.target == .action(.delete) }) else { return 0 }
        let part = min(1, max(0, (now - finger.down).fraction(of: GuideCard.Action.deleteHold)))
        return Int((part * Float(GuideCard.actionRows.count)).rounded(.up))
    }

    private func drawSwitch(isOn: Bool, _ mode: ColourMode, into frame: inout Frame, _ origin: Int) {
        let row = GuideCard.actionRows.lowerBound
        let isTouched = isTouched(.action(.watched))
        let line = GuideWords.watched.line
        line.draw(
            into: &frame, column: origin + 2, row: row,
            colour: isTouched ? .white : isOn ? Palette.text : Palette.quiet,
            clip: origin..<origin + Grid.columns)
        let column = origin + CardLayout.switchColumn
        frame.fill(
            columns: column..<column + 6, rows: row + 1..<row + 4,
            isOn ? RGB.black.blended(towards: Palette.go(mode), 0.2) : RGB(0x161616))
        let knob = isOn ? column + 3 : column
        frame.fill(columns: knob..<knob + 3, rows: row + 1..<row + 4, isOn ? Palette.go(mode) : RGB(0x585858))
    }

    private static func icon(of action: GuideCard.Action) -> Icon {
        switch action {
        case .open: GuideIcon.open
        case .copy: GuideIcon.copy
        case .rename: GuideIcon.rename
        case .delete: GuideIcon.delete
        case .watched: GuideIcon.mark
        }
    }

    /// The name of the touched item.
    private var touchedName: Marquee? {
        for finger in fingers where isTouched(finger.target) {
            switch finger.target {
            case .back: return GuideWords.back
            case .action(.open): return GuideWords.open
            case .action(.copy): return GuideWords.copy
            case .action(.rename): return GuideWords.rename
            case .action(.delete): return GuideWords.delete
            case .close, .month, .rail, .header, .grid, .play, .turn, .today, .mark, .previous, .next,
                .action(.watched):
                continue
            }
        }
        return nil
    }
}

private enum CardLayout {
    /// Columns of the line of facts.
    static let header = 6..<39
    /// LEDs per dot of the title, each way.
    static let titleScale = 2
    /// First of the switch's six columns.
    static let switchColumn = 34
}
