import InputEvents

// Copies on the LANES screen: one finger rests on a track's light, or on the light of LANES for all tracks, and another
// says where to.

/// A finger that says where picked-up tracks are copied.
struct CopyTouch: Hashable, Sendable {
    /// The tracks that are copied.
    let tracks: TrackSet
    /// The window in which the finger landed.
    let window: StepWindow
    /// Where the finger is.
    var place: Place

    enum Place: Hashable, Sendable {
        /// On the light of this track.
        case track(Track)
        /// On these groups of steps: where it landed, and where it is.
        case group(from: Int, to: Int)
    }
}

extension Instrument {
    /// The tracks that a finger has picked up on the LANES screen; nil for none.
    var pickedUp: TrackSet? {
        for contact in state.fingers.contacts { if case .pickedUp(let tracks) = contact.role { return tracks } }
        return nil
    }

    /// Picks up `tracks`, on whose light contact `id` rests.
    mutating func pickUp(_ tracks: TrackSet, contact id: Int) {
        guard pickedUp == nil, !isRefused() else { return }
        state.fingers[id].role = .pickedUp(tracks)
        showTooltip("COPY \(tracks.only?.name.uppercased() ?? "ALL")")
    }

    /// Begins a copy by contact `id`, which lands on `spot` while another finger has picked up tracks; returns whether
    /// it is one.
    mutating func landOnCopy(_ spot: Spot, contact id: Int) -> Bool {
        guard let tracks = pickedUp else { return false }
        switch spot {
        case .laneSteps, .laneOverview:
            state.view.follows = false
            let (window, position) = (laneWindow, state.fingers[id].motion.position)
            let group = laneStep(at: position, window) / Pattern.groupSteps
            state.fingers[id].role = .copy(
                CopyTouch(tracks: tracks, window: window, place: .group(from: group, to: group)))
        case .track(let target):
            state.fingers[id].role = .nothing
            // All tracks together have no target, and a track is not copied onto itself.
            guard let source = tracks.only, source != target else { break }
            guard Pattern.canCopy(source, to: target) else {
                showTooltip("NOT DRUMS")
                break
            }
            state.fingers[id].role = .copy(CopyTouch(tracks: tracks, window: laneWindow, place: .track(target)))
            state.fingers[id].due = now + Limits.move
        default: return false
        }
        return true
    }

    /// Handles contact `id` that moves over the groups.
    mutating func move(_ touch: CopyTouch, contact id: Int) {
        let position = state.fingers[id].motion.position
        switch touch.place {
        case .track(let target):
            guard spotOfSheet(at: position) == .track(target) else {
                return state.fingers[id].role = .nothing
            }
        case .group(let from, let to):
            let group = laneStep(at: position, touch.window) / Pattern.groupSteps
            guard group != to else { return }
            var next = touch
            next.place = .group(from: from, to: group)
            state.fingers[id].role = .copy(next)
            state.fingers[id].due = group == from ? nil : now + Limits.move
        }
    }

    /// Copies as `touch` says, at the lift of contact `id`, or moves after its hold.
    mutating func copy(_ touch: CopyTouch, moves: Bool, contact id: Int) {
        state.fingers[id].role = .nothing
        guard !isRefused() else { return }
        switch touch.place {
        case .track(let target):
            guard let source = touch.tracks.only else { return }
            perform(moves ? "MOVE" : "COPY", inTouch: id) { $0.pattern.copy(source, to: target, moves: moves) }
        case .group(let from, let to) where from != to:
            perform(moves ? "MOVE" : "COPY", inTouch: id) {
                $0.pattern.copy(group: from, to: to, of: touch.tracks, moves: moves)
            }
        case .group(_, let group):
            if touch.tracks.only == nil { double(from: group, touch.window, contact: id) }
            return
        }
        showTooltip(moves ? "MOVED" : "COPIED")
    }

    /// Doubles the pattern, if contact `id` has tapped behind its end: on `group`, or beside the last step of a `window`
    /// that it fills.
    private mutating func double(from group: Int, _ window: StepWindow, contact id: Int) {
        let isBehind = Pattern.groupSteps * group >= pattern.length
        let isBeside = state.fingers[id].motion.start.led.column >= Grid.stepColumns.upperBound
        guard isBehind || isBeside && pattern.length == window.first + Pattern.window else { return }
        guard pattern.canDouble else { return showTooltip("TOO LONG") }
        perform("LENGTH", inTouch: id) { $0.changeOwn { $0.double() } }
        showTooltip("\(pattern.length) STEPS")
    }
}
