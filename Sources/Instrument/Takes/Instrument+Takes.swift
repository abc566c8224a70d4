import InputEvents
import Display

// The take: the sound that was just heard, kept as a file.

extension Instrument {
    /// Whether a finger is down, or what it began goes on: a key that is held, a pair of swipes.
    public var hasFinger: Bool {
        state.fingers.contacts.contains { $0.isDown || $0.role != nil } || !state.recording.keys.isEmpty
    }

    /// Adds a beat that was heard.
    mutating func hear(_ beat: HeardBeat) {
        guard state.takes.bars.add(beat), case .take(var sheet) = state.view.screen else { return }
        // The bars on the panel stay in place.
        if sheet.back > 0 || isTouched(.takeWave) { sheet.back += 1 }
        sheet.limit(to: state)
        state.view.screen = .take(sheet)
    }

    /// Handles a finger that holds the light of TAKE on the grid.
    mutating func holdTakeLight(contact id: Int) {
        state.fingers[id].role = .nothing
        saveTake(bars: TakeSheet.usual, back: 0)
    }

    /// Saves at most `bars` bars up to the one that is `back` bars before the last.
    mutating func saveTake(bars: Int, back: Int) {
        guard let span = state.takes.span(upTo: bars, back: back) else { return showTooltip("NO BAR YET") }
        guard !state.takes.isSaving else { return }
        state.takes.save(span, upTo: bars, back: back, at: now)
        effects.append(.job(.keepTake(span)))
    }

    /// Draws the light of TAKE on the grid: dark until a bar was heard, white upwards while it is held, and white while
    /// a take is being saved.
    func drawTakeLight(into frame: inout Frame, at now: Instant) {
        guard state.rules == .box, !state.takes.bars.bars.isEmpty else { return }
        let rows = Grid.takeRows
        let hold = holdProgress(on: .takeLight, Limits.takeHold, at: now) ?? 0
        let isSaving = state.takes.isSaving
        for column in Grid.takeColumns {
            for row in rows {
                let isWhite = isSaving || hold >= Float(rows.upperBound - row) / Float(rows.count)
                let alpha: Float = row == rows.upperBound - 1 ? 1 : Opacity.takeTop
                frame[origin + column, row] = isWhite ? .white : .black.blended(towards: Palette.library, alpha)
            }
        }
    }
}
