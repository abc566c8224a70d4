import InputEvents
import Display

/// The list of sounds for a track: a drag scrolls it, a tap chooses and sounds. The buttons on the right save what is
/// on the track, and delete one of the player's own sounds.
public struct PresetSheet: Sheet, Hashable, Sendable {
    /// The selected track.
    private(set) var track: Track
    /// The list of their names.
    private(set) var list = NameList()

    /// The sheet with the list for `track`, at its chosen sound.
    init(of track: Track) { self.track = track }

    private static let (titles, nameColumn, ownColumn) = ((TextLine("PRESETS"), TextLine("KITS")), 7, 5)
    /// First column of the buttons' targets, and the first rows of those below the first.
    private static let (buttonColumn, deleteRow, padsRow): (Float, Float, Float) = (39.5, 11.5, 17.5)
    private static let saveIcon = Icon(".#. ### .#.")
    private static let padsIcon = Icon("#.# ... #.# ... #.#")
    private static let (saveName, deleteName, padsName) = (TextLine("SAVE"), TextLine("DELETE"), TextLine("PADS"))
    private static let names = Track.allCases.map { TextLine($0.name.uppercased()) }

    var screen: Instrument.Screen { .presets(self) }
    var title: TextLine? { track == .rhythm ? Self.titles.1 : Self.titles.0 }
    var accent: RGB { Menu.Item.sound.colour }
    var parent: Instrument.Screen { .sound(SoundSheet(of: track)) }

    mutating func limit(to state: Instrument.State) {
        list.limit(count: state.soundCount(for: track), chosen: state.soundPlace(of: track))
    }

    func spot(at position: Position) -> Spot? {
        if position.column < 5.5 { return TrackPicker.track(at: position).map { .track($0) } }
        guard position.column >= Self.buttonColumn else {
            return .line(NameList.line(atRow: position.row))
        }
        if position.row < Self.deleteRow { return .saveSound }
        if position.row < Self.padsRow { return .deleteSound }
        return track == .rhythm ? .openPads : nil
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .track(let track): Self.names[track.rawValue]
        case .saveSound: Self.saveName
        case .deleteSound: state.playsOwnSound(track) ? Self.deleteName : nil
        case .openPads: Self.padsName
        default: nil
        }
    }

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.track(let track), .up(isOver: true)):
            self.track = track
            list.reset()
            acts.append(.turnPage)
        case (.line(let line), _):
            if let place = list.handle(touch, line: line) { acts.append(.chooseSound(track, place: place)) }
        case (.saveSound, .up(isOver: true)): acts.append(.nameSound(track))
        case (.deleteSound, .down): acts.append(.awaitHold(RemoveButton.hold))
        case (.deleteSound, .hold):
            acts.append(.dropFinger)
            acts.append(.deleteSound(track))
        case (.openPads, .up(isOver: true)): acts.append(.show(.kit(KitSheet(pad: 0))))
        default: return
        }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let state = instrument.state
        let mode = state.session.colourMode
        TrackPicker.draw(track, into: &frame, origin: origin, mark: 1, mode)
        let chosen = state.soundPlace(of: track)
        let own = FactorySounds.list(for: track).count
        list.forEachVisible(of: state.soundCount(for: track), instrument) { place, row, isTouched in
            NameList.draw(
                state.sound(at: place, for: track).name, into: &frame, column: origin + Self.nameColumn, row: row,
                isLit: place == chosen || isTouched, isChosen: place == chosen, line: Palette.track(track, mode))
            if place >= own { NameList.drawMark(into: &frame, column: origin + Self.ownColumn, row: row, accent) }
        }
        func ink(_ spot: Spot) -> RGB { instrument.isTouched(spot) ? .white : Palette.text }
        Self.saveIcon.draw(into: &frame, column: origin + 41, row: 8, colour: ink(.saveSound))
        RemoveButton.draw(
            .deleteSound, isAvailable: state.playsOwnSound(track), instrument, into: &frame, column: origin + 40,
            row: 12,
            at: now)
        if track == .rhythm { Self.padsIcon.draw(into: &frame, column: origin + 41, row: 18, colour: ink(.openPads)) }
    }
}
