import InputEvents
import Display

// The take: the sound that was just heard, kept as a file.

extension Instrument.State {
    /// Remembered sound that is heard in place of the music.
    public struct Hearing: Hashable, Sendable {
        /// The first frame that is heard.
        public var from: UInt64
        /// The frames that repeat; nil if what follows is heard.
        public var loop: TakeSpan?
        /// The finger that hears it.
        var contact: Int
    }

    /// A take on its way to the library.
    struct SavedTake: Hashable, Sendable {
        let span: TakeSpan
        let bars: Int
        let since: Instant
        /// When it was in the library, or was refused.
        var done: Instant?
    }
}

extension Instrument {
    /// Whether a finger is down, or what it began goes on: a key that is held, a pair of swipes.
    public var hasFinger: Bool { state.contacts.contains { $0.isDown || $0.role != nil } || !state.playedKeys.isEmpty }

    /// The largest number of bars to choose, at most `bars`, that was heard without a pause; 0 for none.
    func takeLength(upTo bars: Int, back: Int) -> Int {
        let heard = state.heardBars.count(upTo: bars, back: back)
        return TakeSheet.lengths.last { $0 <= heard } ?? 0
    }

    /// Adds a beat that was heard.
    mutating func hear(_ beat: HeardBeat) {
        guard state.heardBars.add(beat), case .take(var sheet) = state.screen else { return }
        // The bars on the panel stay in place.
        if sheet.back > 0 || isTouched(.takeWave) { sheet.back += 1 }
        sheet.settle(state)
        state.screen = .take(sheet)
    }

    /// Handles a finger that holds the light of TAKE on the grid.
    mutating func holdTakeLight(contact id: Int) {
        state.contacts[id].role = .nothing
        saveTake(bars: TakeSheet.usual, back: 0)
    }

    /// Saves at most `bars` bars up to the one that is `back` bars before the last.
    mutating func saveTake(bars: Int, back: Int) {
        let length = takeLength(upTo: bars, back: back)
        guard let span = state.heardBars.span(of: length, back: back) else {
            return showTooltip("NO BAR YET")
        }
        guard state.savedTake == nil || state.savedTake?.done != nil else { return }
        state.savedTake = State.SavedTake(span: span, bars: length, since: now)
        effects.append(.job(.keepTake(span)))
    }

    /// A take was saved or refused.
    mutating func finishTake() { state.savedTake?.done = now }

    /// Hears the remembered sound from the beat at `column` of the waveform on, until contact `id` lifts: the chosen bars again and
    /// again, or what followed an older beat.
    mutating func hearTake(_ sheet: TakeSheet, column: Float, contact id: Int) {
        guard let (place, beat) = TakeSheet.beat(at: column) else { return }
        let index = state.heardBars.bars.count - sheet.back - TakeSheet.barsShown + place
        guard state.heardBars.bars.indices.contains(index) else { return }
        let bar = state.heardBars.bars[index]
        let from = bar.span.begin + UInt64(bar.offsets[min(beat, bar.beats - 1)])
        let length = takeLength(upTo: sheet.length, back: sheet.back)
        let loop = state.heardBars.span(of: length, back: sheet.back).flatMap { $0.begin <= from ? $0 : nil }
        state.hearing = State.Hearing(from: from, loop: loop, contact: id)
    }

    /// Ends the hearing when its finger has lifted or has lost its function.
    mutating func settleHearing() {
        guard let hearing = state.hearing else { return }
        if case .spot(.takeWave, _)? = state.contacts[hearing.contact].role { return }
        state.hearing = nil
    }

    /// Draws the light of TAKE on the grid: dark until a bar was heard, white upwards while it is held, and white while a take is
    /// being saved.
    func drawTakeLight(into frame: inout Frame, at now: Instant) {
        guard state.rules == .box, !state.heardBars.bars.isEmpty else { return }
        let rows = Grid.takeRows
        let hold = holdProgress(on: .takeLight, Limits.takeHold, at: now) ?? 0
        let isSaving = state.savedTake.map { $0.done == nil } ?? false
        for column in Grid.takeColumns {
            for row in rows {
                let isWhite = isSaving || hold >= Float(rows.upperBound - row) / Float(rows.count)
                let alpha: Float = row == rows.upperBound - 1 ? 1 : Opacity.takeTop
                frame[origin + column, row] = isWhite ? .white : .black.blended(towards: Palette.library, alpha)
            }
        }
    }
}
