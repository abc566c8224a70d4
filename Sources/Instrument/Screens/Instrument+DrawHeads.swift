import InputEvents
import Display

// Columns 0 to 3 of the tracks.

extension Instrument {
    /// Mute, solo, off-page hints and note page, left of the steps.
    func drawHead(of track: Track, _ map: PageMap, isSilent: Bool, into frame: inout Frame, at now: Instant) {
        let colour = Palette.track(track, state.session.colourMode)
        let rows = track.rows
        let isSoloed = state.session.soloed == track
        for (place, row) in rows.enumerated() {
            let shade = ((1 - Float(place) / Float(rows.count) * 0.5) * 200).rounded() / 255
            let alpha = isSilent ? Opacity.silentHead : isSoloed ? 1 : shade
            frame[origin, row] = Palette.background.blended(towards: colour, alpha)
            frame[origin + 1, row] = isSoloed ? .white : RGB(0x333333)
            frame[origin + 2, row] = RGB(0x111111)
            drawPage(of: track, row: rows.count - 1 - place, into: &frame)
        }
        drawOffPage(track, map.above, row: rows.lowerBound, isSilent: isSilent, into: &frame, at: now)
        drawOffPage(track, map.below, row: rows.upperBound - 1, isSilent: isSilent, into: &frame, at: now)
        if let offPage = state.view.tooltip?.offPage, offPage.track == track { drawGlow(offPage, rows, into: &frame) }
        if let part = pageHold(of: track, at: now) {
            let lit = Int((Float(rows.count) * part).rounded(.up))
            for row in rows.upperBound - lit..<rows.upperBound {
                for column in 2...3 { frame.blend(origin + column, row, towards: .white, 0.75) }
            }
        }
    }

    /// Lights the upper or the lower half of the note page, where a gesture has written.
    private func drawGlow(_ offPage: Tooltip.OffPage, _ rows: Range<Int>, into frame: inout Frame) {
        let middle = rows.lowerBound + rows.count / 2
        for row in rows where row < middle ? offPage.isAbove : offPage.isBelow {
            for column in 2...3 { frame.blend(origin + column, row, towards: .white, Opacity.glow) }
        }
    }

    /// Progress of the hold on the note page of `track` that opens its lanes, 0-1; nil without one.
    private func pageHold(of track: Track, at now: Instant) -> Float? {
        for contact in state.fingers.contacts where contact.due != nil {
            guard case .page(let touch)? = contact.role, touch.track == track else { continue }
            return min(1, (now - contact.motion.down).fraction(of: Limits.hold))
        }
        return nil
    }

    /// Draws column 3 at `row`, from the lowest of `track`: which part of its notes the page shows.
    private func drawPage(of track: Track, row: Int, into frame: inout Frame) {
        let (rows, page) = (track.rows.count, state.session.pages[track.rawValue])
        let (column, y) = (origin + 3, track.rows.upperBound - 1 - row)
        let colour = Palette.track(track, state.session.colourMode)
        switch (state.rules, track) {
        case (.phone, _):
            // The rows are divided among the pages, the first page lowest.
            let pages = Pattern.octave / rows
            if page > 0, row * pages / rows == page - 1 { frame.blend(column, y, towards: colour, 0.5) }
        case (.box, .rhythm):
            guard row < rows - 1 else { return }
            frame[column, y] = Palette.background.blended(
                towards: colour, row == page ? Opacity.shownPage : Opacity.otherPage)
        case (.box, _):
            // A bar as long as the notes, and on it the part that the page shows.
            let degrees = pattern.tonality.degrees(within: track.notes)
            let pitch = Float(degrees.count) / Float(rows)
            let low = Float(degrees.lowerBound) + Float(row) * pitch
            let shown = min(low + pitch, Float(page + rows)) - max(low, Float(page))
            // At the ends of the notes a page shows fewer degrees than it has rows.
            let all = min(degrees.upperBound, page + rows - 1) - max(degrees.lowerBound, page) + 1
            let part = shown / min(pitch, Float(all))
            frame[column, y] =
                part > 0 ? Palette.background.blended(towards: colour, Opacity.page(part)) : Palette.pageBar
        }
    }

    /// Draws column 2 at `row` if `track` has any of `notes`, which are off the page; under the rules of the box it is
    /// bright when one of them sounds.
    private func drawOffPage(
        _ track: Track, _ notes: NoteSet, row: Int, isSilent: Bool, into frame: inout Frame, at now: Instant
    ) {
        let lit = steps(of: track, notes: notes) & Pattern.lowBits(before: pattern.length, in: window.index)
        guard lit != 0 else { return }
        var alpha: Float = 0.7
        if state.rules == .box {
            let isSounding = !isSilent && beginsNow(of: track, notes: notes) && pulse(of: track, at: now) > 0
            alpha = isSounding ? 1 : 0.55
        }
        frame.blend(origin + 2, row, towards: Palette.track(track, state.session.colourMode), alpha)
    }

    /// Whether any of `notes` begins at the playhead.
    private func beginsNow(of track: Track, notes: NoteSet) -> Bool {
        guard let step = state.playhead(of: track)?.step else { return false }
        var begins = false
        notes.notes(of: track).forEach { begins = begins || pattern[track, note: $0, step: step].isStart }
        return begins
    }
}
