import Display
import InputEvents

// KEYS: the panel as a keyboard (docs/spec.md, section 15). A finger's note is a key of the recording, as that of a MIDI
// keyboard.

/// A finger on a key of the panel.
struct KeyTouch: Hashable, Sendable {
    let map: KeyMap
    /// The place of the key on which it landed, whose note sounds.
    let landed: Int
    /// The place to which it has bent the note, where it rested last.
    private(set) var place: Int
    /// The column at which it rested there.
    private var anchor: Float
    /// The column from which it counts as resting.
    private var rest: Float

    /// A finger that lands at `column` on the key at `place`.
    init(_ map: KeyMap, place: Int, column: Float) {
        self.map = map
        (landed, self.place, anchor, rest) = (place, place, column, column)
    }

    /// Whether a finger that is now at `column` moves. One that trembles rests.
    mutating func moves(to column: Float) -> Bool {
        guard abs(column - rest) >= Self.tremble else { return false }
        rest = column
        return true
    }

    /// The place that it bends to at `column`: around the column of its rest exactly the note there.
    func target(at column: Float) -> Float {
        let way = column - anchor
        return abs(way) < Self.still ? Float(place) : Float(place) + way / Float(KeyMap.width)
    }

    /// It rests at `column`: the note that is nearest sounds exactly.
    mutating func settle(at column: Float) {
        place = Int(target(at: column).rounded()).clamped(to: map.places)
        anchor = column
    }

    /// Columns that a finger may tremble without a bend, and that count as a movement.
    private static let (still, tremble): (Float, Float) = (0.4, 0.15)
}

extension Instrument {
    /// The keys that the panel shows, or would show.
    var keyMap: KeyMap {
        KeyMap(state.view.keys.track, pattern.tonality, allTwelve: state.view.keys.hasAllTwelve)
    }

    /// Shows the keys of the track used last, or the steps again.
    mutating func toggleKeys() {
        state.view.keys.isShown.toggle()
        if state.view.keys.isShown { state.view.keys.track = state.fingers.playedTrack }
        state.fingers.leaveScreen()
        state.fingers.leavePattern()
        showTooltip(state.view.keys.isShown ? "KEYS" : "STEPS")
    }

    /// Shows the keys and the effects as `keys` and `fx` say.
    public mutating func show(_ keys: PanelKeys, _ fx: PanelFX) { (state.view.keys, state.view.fx) = (keys, fx) }

    /// Handles contact `id` that lands at `led` while the panel shows the keys; returns whether it is on one.
    mutating func landOnKeys(_ id: Int, at led: Position.LED) -> Bool {
        guard state.view.keys.isShown, state.view.screen == .grid, KeyMap.columns.contains(led.column),
            KeyMap.rows.contains(led.row)
        else { return false }
        let map = keyMap
        state.fingers[id].role = .nothing
        guard let place = map.place(at: led) else { return true }
        let column = state.fingers[id].motion.position.column
        state.fingers[id].role = .key(KeyTouch(map, place: place, column: column))
        if !state.recording.isPanelKeyDown { releasePanelKeys() }
        let (note, velocity) = (map.note(at: place), map.velocity(atRow: led.row))
        state.fingers.playedTrack = map.track
        state.fingers.touchedNotes[map.track.rawValue] = note
        sound(
            Recording.PlayedKey(
                channel: Recording.PlayedKey.panel, key: id,
                note: Effect.Note(
                    track: map.track, note: note, velocity: Track.velocity(ofMIDI: velocity), steps: 1),
                velocity: velocity, since: now - state.fingers[id].soundDelay))
        return true
    }

    /// Handles contact `id` that moves on a key: sideways it bends the note, up and down it opens and closes the filter.
    mutating func move(_ touch: KeyTouch, contact id: Int) {
        var touch = touch
        if touch.moves(to: state.fingers[id].motion.position.column) {
            state.fingers[id].role = .key(touch)
            state.fingers[id].due = now + Limits.keyRest
        }
        express(touch, contact: id)
    }

    /// Handles contact `id` that rests on a key: its note settles on the nearest one, which is written as another note.
    mutating func hold(_ touch: KeyTouch, contact id: Int) {
        var touch = touch
        let before = touch.place
        touch.settle(at: state.fingers[id].motion.position.column)
        state.fingers[id].role = .key(touch)
        express(touch, contact: id)
        if touch.place != before {
            recordBend(to: touch.map.note(at: touch.place), since: now - Limits.keyRest, contact: id)
        }
    }

    /// Gives the note of contact `id` the expression of its finger.
    private mutating func express(_ touch: KeyTouch, contact id: Int) {
        guard touch.map.track != .rhythm,
            let index = state.recording.down(id, of: Recording.PlayedKey.panel)
        else { return }
        let motion = state.fingers[id].motion
        let target = touch.target(at: motion.position.column)
        let opening = (motion.start.row - motion.position.row) * Limits.keyBrightness
        let expression = Expression(
            bend: touch.map.bend(from: touch.landed, to: target, in: pattern.tuning), pressure: 0,
            brightness: Int(opening.rounded()))
        guard expression != state.recording.keys[index].expression else { return }
        state.recording.keys[index].expression = expression
        if expression.brightness != 0 { state.recording.keys[index].movesFilter = true }
        effects.append(.express(state.recording.keys[index].note, expression))
    }

    /// Ends the notes of fingers that have left their keys, unless HOLD keeps them.
    mutating func settlePanelKeys() {
        guard state.recording.isPanelKeyDown else { return }
        for index in state.recording.keys.indices.reversed() {
            let key = state.recording.keys[index]
            guard key.isOfPanel, !key.isLifted else { continue }
            if case .key? = state.fingers[key.key].role { continue }
            liftKey(at: index)
            if !state.view.keys.isHolding { releaseKey(at: index) }
        }
    }

    /// Ends the notes of the panel's keys, also of those that are down. Their fingers play nothing more.
    mutating func endPanelKeys() { releaseKeys { $0.isOfPanel } }

    /// The notes of the panel's keys were cleared, and fade: what their fingers still do is not written.
    mutating func forgetPanelKeys() {
        for index in state.recording.keys.indices where state.recording.keys[index].isOfPanel {
            state.recording.keys[index].recording = nil
        }
    }

    /// Ends the notes that HOLD keeps.
    private mutating func releasePanelKeys() { releaseKeys { $0.isOfPanel && $0.isLifted } }

    // MARK: The row below the keys

    /// The spot at `led` below the keys.
    func keySpot(at led: Position.LED) -> Spot? {
        guard state.view.keys.isShown, Grid.overviewRows.contains(led.row) else { return nil }
        return KeySpots.all.first { $0.columns.contains(led.column) }?.spot
    }

    /// Handles a finger that lifts from `spot` below the keys.
    mutating func press(keySpot spot: Spot) {
        if spot == .holdKeys {
            state.view.keys.isHolding.toggle()
            if !state.view.keys.isHolding { releasePanelKeys() }
            showTooltip(state.view.keys.isHolding ? "HOLD ON" : "HOLD OFF")
        } else {
            state.view.keys.hasAllTwelve.toggle()
            showTooltip(state.view.keys.hasAllTwelve ? "12 KEYS" : "SCALE")
        }
    }
}

/// The lights below the keys.
enum KeySpots {
    static let all: [(spot: Spot, columns: ClosedRange<Int>)] = [
        (.holdKeys, 6...9), (.record, 16...19), (.twelveKeys, 21...24),
    ]

    // Their names.
    static let (hold, record, twelve) = (TextLine("HOLD"), TextLine("REC"), TextLine("12 KEYS"))
}
