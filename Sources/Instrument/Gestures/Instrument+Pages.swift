import InputEvents

// Fingers on a track's note page, and the pages that a new key leaves without notes.

/// A finger on a track's note page, under the rules of the box.
struct PageTouch: Hashable, Sendable {
    let track: Track
    /// The panel's row on which it landed.
    let row: Int
    /// The page at its landing.
    let page: Int
    /// Whether it has left its row: then it scrolls, and is no tap any more.
    var hasLeftRow = false
}

extension Instrument {
    /// Shows the page after the current one of `track`.
    mutating func turnPage(of track: Track) {
        let (page, tonality) = (state.session.pages[track.rawValue], state.session.composition.pattern.tonality)
        let next =
            state.fingers.scrolled.contains(track) ? 0 : PageMap.next(after: page, state.rules, track, tonality)
        state.fingers.scrolled.remove(TrackSet(track))
        show(page: next, of: track)
    }

    /// Handles contact `id`, which landed on a page and is now at the panel's `row`: it scrolls a melodic track by
    /// degrees.
    mutating func drag(_ touch: PageTouch, contact id: Int, to row: Int) {
        if state.fingers[id].motion.hasLeftFirstLED { state.fingers[id].due = nil }
        guard touch.hasLeftRow || row != touch.row else { return }
        state.fingers[id].role = .page(
            PageTouch(track: touch.track, row: touch.row, page: touch.page, hasLeftRow: true))
        guard touch.track != .rhythm else { return }
        let offsets = PageMap.offsets(of: touch.track, state.session.composition.pattern.tonality)
        let page = (touch.page + touch.row - row).clamped(to: offsets)
        guard page != state.session.pages[touch.track.rawValue] else { return }
        state.fingers.scrolled.insert(TrackSet(touch.track))
        show(page: page, of: touch.track)
    }

    /// Handles a finger that lifts from a page.
    mutating func lift(_ touch: PageTouch) {
        if !touch.hasLeftRow { turnPage(of: touch.track) }
    }

    private mutating func show(page: Int, of track: Track) {
        state.session.pages[track.rawValue] = page
        follow(Hint.page)
        if state.rules == .box {
            showTooltip(page > 0 && track != .rhythm ? "PAGE +\(page)" : "PAGE \(page)")
        } else {
            let names = track.rows.count == 6 ? ["SPAN", "LOW", "HIGH"] : ["SPAN", "LOW", "MID", "HIGH"]
            showTooltip(names[page])
        }
    }

    /// Shows page 0 of the tracks whose page does not exist, or does not any more in a new key.
    mutating func limitPages() {
        let tonality = state.session.composition.pattern.tonality
        for track in Track.allCases {
            let page = state.session.pages[track.rawValue]
            if page != 0, !PageMap.exists(page, state.rules, track, tonality) {
                state.session.pages[track.rawValue] = 0
                state.fingers.scrolled.remove(TrackSet(track))
            }
        }
    }
}
