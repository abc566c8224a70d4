import InputEvents
import Display

/// The eight scenes, and below them the song: their order, from left to right, with the repeats of each entry as dots.
public struct SongSheet: Sheet, Hashable, Sendable {
    /// The entry at the left.
    private(set) var first = 0

    /// The sheet with `entry` in view.
    init(showing entry: Int?) { if let entry { reveal(entry) } }

    /// Columns from a scene or an entry to the next, and the number of those that are shown.
    private static let (pitch, shown) = (5, 8)
    /// The row of the lines above the scenes with their own sound.
    private static let ownRow = 6
    /// The first rows of the scenes, the entries, the repeats and the place in the song.
    private static let (sceneRow, holdRow, entryRow, repeatRows, placeRow) = (7, 12, 13, [19, 21], 23)
    /// Where the touches of the scenes, the entries and the repeats end, and of the buttons on the right.
    private static let (scenesTop, scenesEnd, entriesEnd, repeatsEnd): (Float, Float, Float, Float) =
        (5.5, 11.5, 17.5, 22.5)
    private static let buttonColumn: Float = 39.5
    /// Columns by which a finger may leave a scene sideways.
    private static let tremble: Float = 4
    /// Rows of a drag for one repeat.
    private static let rowsPerRepeat: Float = 2
    /// Repeats in a row of dots.
    private static let dots = 4
    private static let placeColumns = 39

    private static let numbers = (1...Scenes.count).map { TextLine("\($0)") }
    private static let start = Icon("..# .## ### .## ..#")
    private static let startWord = TextLine("START")
    private static let rail = RGB(0x1c1626)
    private static let empty = RGB(0x626262)
    /// Repeats of the playing entry that are to come.
    private static let comingRepeat = RGB(0x5a5a5a)
    /// Opacity of an entry whose scene is empty, and of the repeats of an entry that does not play.
    private static let (skipped, resting): (Float, Float) = (0.35, 0.75)

    var screen: Instrument.Screen { .song(self) }
    var title: TextLine? { Menu.Item.song.name }
    var accent: RGB { Menu.Item.song.colour }

    // MARK: Places

    /// The place, from the left, at `column`.
    private static func place(at column: Float) -> Int {
        Int(((column + 1.5) / Float(pitch)).rounded(.down)).clamped(to: 0...shown - 1)
    }

    /// The scene at `position`.
    static func slot(at position: Position) -> Int? {
        guard position.row >= scenesTop, position.row < scenesEnd, position.column < buttonColumn else { return nil }
        return place(at: position.column)
    }

    /// Whether a finger at `position` still counts as on scene `slot`.
    static func isNear(_ slot: Int, _ position: Position) -> Bool {
        abs(position.column - Float(pitch * slot + 1)) <= tremble && position.row >= scenesTop - 1
            && position.row < scenesEnd
    }

    /// Whether a finger at `position` is below the scenes, where a dragged one goes into the order.
    static func isInOrder(_ position: Position) -> Bool {
        position.row >= scenesEnd && position.column < buttonColumn
    }

    /// The place in an order of `count` entries at which a scene goes that is let go at `position`.
    func insertion(at position: Position, count: Int) -> Int {
        let place = Int(((position.column + Float(Self.pitch) - 1.5) / Float(Self.pitch)).rounded(.down))
        return (first + place).clamped(to: 0...count)
    }

    func spot(at position: Position) -> Spot? {
        guard position.column < Self.buttonColumn else {
            if position.row < Self.scenesEnd { return .sceneMode }
            return position.row < Self.entriesEnd ? .openTake : .removeEntry
        }
        guard position.row >= Self.scenesEnd, position.row < Self.repeatsEnd else { return nil }
        let entry = first + Self.place(at: position.column)
        return position.row < Self.entriesEnd ? .songEntry(entry) : .songRepeats(entry)
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .sceneMode: return TextLine(state.session.sceneMode.word)
        case .songEntry(let place) where place > 0 && place == state.song.entries.count: return Self.startWord
        case .songEntry(let place), .songRepeats(let place): return state.song.name(ofEntry: place).map { TextLine($0) }
        case .removeEntry:
            return state.songPlay.entryToRemove(from: state.song).flatMap { state.song.name(ofEntry: $0) }.map {
                TextLine($0)
            }
        default: return nil
        }
    }

    // MARK: Touches

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.sceneMode, .up(isOver: true)): acts.append(.chooseNextMode)
        case (.songEntry(let place), .down):
            acts.append(.landOnEntry(place))
            acts.append(.remember(first))
        case (.songEntry, .move) where touch.hasWandered:
            let columns = touch.position.column - touch.start.column
            first = touch.remembered - Int((columns / Float(Self.pitch)).rounded())
        case (.songEntry(let place), .up(isOver: true)) where !touch.hasWandered: acts.append(.chooseEntry(place))
        case (.songRepeats(let place), .down): acts.append(.landOnEntry(place))
        case (.songRepeats(let place), .move) where touch.hasWandered:
            let rows = touch.start.row - touch.position.row
            acts.append(.setRepeats(place, touch.remembered + Int((rows / Self.rowsPerRepeat).rounded(.towardZero))))
        case (.songRepeats(let place), .up(isOver: true)) where !touch.hasWandered: acts.append(.addRepeat(place))
        case (.removeEntry, .down): acts.append(.awaitHold(Limits.sceneReplace))
        case (.removeEntry, .hold):
            acts.append(.removeEntry)
            acts.append(.dropFinger)
        default: return
        }
    }

    mutating func limit(to state: Instrument.State) { limit(state.song.entries.count) }

    /// Limits the view to `count` entries and the place after them.
    private mutating func limit(_ count: Int) { first = first.clamped(to: 0...max(0, count + 1 - Self.shown)) }

    /// Scrolls as little as needed to show `entry`.
    mutating func reveal(_ entry: Int) { first = first.clamped(to: max(0, entry + 1 - Self.shown)...entry) }

    // MARK: Drawing

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        for slot in 0..<Scenes.count { drawScene(slot, instrument, into: &frame, origin: origin, at: now) }
        drawOrder(instrument, into: &frame, origin: origin)
        drawPlace(instrument.state, into: &frame, origin: origin)
        for (place, mode) in SceneMode.allCases.enumerated() {
            let isChosen = instrument.state.session.sceneMode == mode
            let row = Self.sceneRow + 2 * place
            frame.fill(columns: origin + 41..<origin + 44, rows: row..<row + 1, isChosen ? .white : Palette.quiet)
        }
        Icon.keep.draw(
            into: &frame, column: origin + 41, row: Self.entryRow,
            colour: instrument.isTouched(.openTake) ? .white : Palette.library)
        let isEmpty = instrument.state.song.isEmpty
        Icon.cross.draw(
            into: &frame, column: origin + 41, row: 20, colour: isEmpty ? Palette.off : Palette.danger,
            alpha: isEmpty ? 1 : 0.6)
        instrument.drawHold(on: .removeEntry, Limits.sceneReplace, bottom: 24, into: &frame, at: now)
    }

    /// Draws the number of scene `slot`, or a light if it is empty.
    private func drawScene(
        _ slot: Int, _ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant
    ) {
        let state = instrument.state
        let column = origin + Self.pitch * slot
        if state.session.composition.scenes.isFilled(slot) {
            let colour =
                state.scene == slot ? RGB.white : state.songPlay.queuedScene == slot ? SceneLook.waiting : Palette.text
            Self.numbers[slot].draw(into: &frame, column: column, row: Self.sceneRow, colour: colour)
        } else {
            frame[column + 1, Self.sceneRow + 2] = Self.empty
        }
        if state.session.sounds.isOwn(slot) {
            frame.fill(columns: column..<column + 3, rows: Self.ownRow..<Self.ownRow + 1, Palette.sound)
        }
        guard instrument.holdProgress(of: slot, at: now) != nil || state.songPlay.queuedScene == slot else { return }
        instrument.drawSceneBar(of: slot, into: &frame, column: column, row: Self.holdRow, width: 3, at: now)
    }

    /// Draws the entries in view; a scene that a finger drags stands among them where it would go.
    private func drawOrder(_ instrument: Instrument, into frame: inout Frame, origin: Int) {
        let state = instrument.state
        let entries = state.song.entries
        let dragged = instrument.draggedScene(on: self)
        let count = entries.count + (dragged == nil ? 0 : 1)
        for place in first..<min(first + Self.shown, count + 1) {
            let column = origin + Self.pitch * (place - first)
            if let dragged, dragged.place == place {
                Self.numbers[dragged.slot].draw(into: &frame, column: column, row: Self.entryRow, colour: .white)
            } else if place < count {
                drawEntry(place - (dragged.map { place > $0.place } == true ? 1 : 0), instrument, into: &frame, column)
            } else if entries.isEmpty {
                frame[column + 1, Self.entryRow + 2] = Self.empty
            } else {
                let isTouched = instrument.isTouched(.songEntry(place))
                Self.start.draw(
                    into: &frame, column: column, row: Self.entryRow, colour: isTouched ? .white : Self.comingRepeat)
            }
        }
    }

    private func drawEntry(_ place: Int, _ instrument: Instrument, into frame: inout Frame, _ column: Int) {
        let state = instrument.state
        let entry = state.song.entries[place]
        let isPlaying = state.session.sceneMode == .song && state.songPlay.place == .entry(place)
        var colour = accent
        if instrument.isTouched(.removeEntry), state.songPlay.entryToRemove(from: state.song) == place {
            colour = Palette.danger
        } else if isPlaying {
            colour = .white
        } else if state.songPlay.queuedEntry == place {
            colour = SceneLook.waiting
        } else if !state.session.composition.scenes.isFilled(entry.scene) {
            colour = .black.blended(towards: accent, Self.skipped)
        }
        Self.numbers[entry.scene].draw(into: &frame, column: column, row: Self.entryRow, colour: colour)
        let heard = state.songPlay.pass(in: state.song)
        for pass in 0..<entry.repeats {
            let (row, dot) = (Self.repeatRows[pass / Self.dots], column + pass % Self.dots)
            if isPlaying, state.isPlaying {
                frame[dot, row] = pass < heard ? .white : pass == heard ? accent : Self.comingRepeat
            } else {
                frame[dot, row] = .black.blended(towards: accent, Self.resting)
            }
        }
    }

    /// Draws the place in the song, in time.
    private func drawPlace(_ state: Instrument.State, into frame: inout Frame, origin: Int) {
        guard !state.song.isEmpty else { return }
        let done = Int(
            (Float(Self.placeColumns) * state.songPlay.part(of: state.session, step: state.transport.playhead?.step))
                .rounded())
        frame.fill(columns: origin..<origin + Self.placeColumns, rows: Self.placeRow..<Self.placeRow + 1, Self.rail)
        frame.fill(columns: origin..<origin + done, rows: Self.placeRow..<Self.placeRow + 1, accent)
    }
}
