import InputEvents
import Display

/// The list of sounds for a track: a drag scrolls it, a tap chooses and sounds. The buttons on the right save what is on the
/// track, and delete one of the player's own sounds.
public struct PresetSheet: Sheet, Hashable, Sendable {
    /// The selected track.
    private(set) var track: Track
    /// Rows by which the list is scrolled up; nil until the sheet is settled.
    private(set) var offset: Int16?
    /// The offset at which the finger that scrolls has landed; nil until it scrolls.
    private var start: Int16?

    /// The sheet with the list for `track`, at its chosen sound.
    init(of track: Track) { self.track = track }

    /// Hold time that deletes.
    static let hold = Instant.Span.milliseconds(1200)

    private static let (titles, nameColumn, ownColumn) = ((TextLine("PRESETS"), TextLine("KITS")), 7, 5)
    /// Rows of the list, and rows from a name to the next.
    private static let (rows, pitch) = (7..<24, 6)
    /// Number of visible names.
    private static let lines = 3
    /// First column of the buttons' targets, and the first rows of those below the first.
    private static let (buttonColumn, deleteRow, padsRow): (Float, Float, Float) = (39.5, 11.5, 17.5)
    private static let saveIcon = Icon(".#. ### .#.")
    private static let (saveName, deleteName) = (TextLine("SAVE"), TextLine("DELETE"))
    private static let names = Track.allCases.map { TextLine($0.name.uppercased()) }

    var screen: Instrument.Screen { .presets(self) }
    var title: TextLine? { track == .rhythm ? Self.titles.1 : Self.titles.0 }
    var accent: RGB { Menu.Item.sound.colour }
    var parent: Instrument.Screen { .sound(SoundSheet(of: track)) }

    /// Limits the offset to the list, and begins at the chosen sound.
    mutating func settle(_ state: Instrument.State) {
        // The last name may be in the middle, where its line can be seen.
        let last = max(0, state.soundCount(for: track) - Self.lines + 1)
        let offset = Int(offset ?? Int16(Self.pitch * ((state.soundPlace(of: track) ?? 0) - 1)))
        self.offset = Int16(offset.clamped(to: 0...Self.pitch * last))
    }

    func spot(at position: Position) -> Spot? {
        if position.column < 5.5 { return TrackPicker.track(at: position).map { .track($0) } }
        guard position.column >= Self.buttonColumn else {
            return .line(Int((position.row - 6) / Float(Self.pitch)).clamped(to: 0...Self.lines - 1))
        }
        if position.row < Self.deleteRow { return .saveSound }
        return position.row < Self.padsRow ? .deleteSound : nil
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .track(let track): Self.names[track.rawValue]
        case .saveSound: Self.saveName
        case .deleteSound: state.playsOwnSound(track) ? Self.deleteName : nil
        default: nil
        }
    }

    mutating func take(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.track(let track), .up(isOver: true)):
            self.track = track
            offset = nil
            acts.append(.turnPage)
        case (.line, .down): start = nil
        case (.line, .move): scroll(touch)
        case (.line(let line), .up(let isOver)):
            if start == nil, isOver { choose(line, into: &acts) }
            if start != nil { offset = Int16(Self.pitch * place(at: 0)) }
            start = nil
        case (.saveSound, .up(isOver: true)): acts.append(.nameSound(track))
        case (.deleteSound, .down): acts.append(.awaitHold(Self.hold))
        case (.deleteSound, .hold):
            acts.append(.dropFinger)
            acts.append(.deleteSound(track))
        default: return
        }
    }

    /// Place in the list of the name at `line`.
    private func place(at line: Int) -> Int { line + (Int(offset ?? 0) + Self.pitch / 2) / Self.pitch }

    private mutating func scroll(_ touch: SpotTouch) {
        let rows = touch.position.row - touch.start.row
        guard start != nil || abs(rows) >= 1 else { return }
        let start = start ?? offset ?? 0
        self.start = start
        offset = start - Int16(rows.rounded())
    }

    private mutating func choose(_ line: Int, into acts: inout [ScreenAct]) {
        acts.append(.chooseSound(track, place: place(at: line)))
        // Below the lowest name is no row for the line that marks it.
        if line == Self.lines - 1 { offset = (offset ?? 0) + Int16(Self.pitch) }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let state = instrument.state
        let mode = state.session.colourMode
        TrackPicker.draw(track, into: &frame, origin: origin, mark: 1, mode)
        let (chosen, offset) = (state.soundPlace(of: track), Int(offset ?? 0))
        let own = FactorySounds.list(for: track).count
        let first = offset / Self.pitch
        for place in first..<min(first + Self.lines + 1, state.soundCount(for: track)) {
            let row = Self.rows.lowerBound + Self.pitch * place - offset
            let isTouched = instrument.isTouched(.line(place - self.place(at: 0)))
            let name = state.sound(at: place, for: track).name
            name.draw(
                into: &frame, column: origin + Self.nameColumn, row: row,
                colour: place == chosen || isTouched ? .white : Palette.quiet, rows: Self.rows)
            if place == chosen, Self.rows.contains(row + 5) {
                let columns = origin + Self.nameColumn..<origin + Self.nameColumn + name.width
                frame.fill(columns: columns, rows: row + 5..<row + 6, Palette.track(track, mode))
            }
            if place >= own {
                let rows = (row + 1..<row + 4).clamped(to: Self.rows)
                frame.fill(columns: origin + Self.ownColumn..<origin + Self.ownColumn + 1, rows: rows, accent)
            }
        }
        drawButtons(instrument, into: &frame, origin: origin, at: now)
    }

    private func drawButtons(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        Self.saveIcon.draw(
            into: &frame, column: origin + 41, row: 8,
            colour: instrument.isTouched(.saveSound) ? .white : Palette.text)
        guard instrument.state.playsOwnSound(track) else {
            Icon.cross.draw(into: &frame, column: origin + 41, row: 14, colour: Palette.off)
            return
        }
        // The button fills from below while held.
        for contact in instrument.state.contacts where contact.isOn(.deleteSound) {
            let height = Int(6 * min(1, (now - contact.motion.down).fraction(of: Self.hold)))
            frame.fill(
                columns: origin + 40..<origin + 44, rows: 18 - height..<18,
                RGB.black.blended(towards: Palette.danger, 0.3))
        }
        Icon.cross.draw(into: &frame, column: origin + 41, row: 14, colour: Palette.danger)
    }
}
