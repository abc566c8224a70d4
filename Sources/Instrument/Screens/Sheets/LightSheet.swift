import InputEvents
import Display

/// The list of picture sources for the panel: the instrument, and every source on the network. A drag scrolls the list,
/// a tap chooses. The arrow switches the light that goes out to walls.
public struct LightSheet: Sheet, Hashable, Sendable {
    /// The list of the sources; the panel's own picture is the first.
    private(set) var list = NameList()

    /// The list, at the source that was shown last.
    init() {}

    private static let panelLine = TextLine("PANEL")
    private static let (outLine, outOffLine) = (TextLine("LIGHT GOES OUT"), TextLine("NO LIGHT GOES OUT"))
    private static let noWallsLine = TextLine("NO WALLS: SEE THE CONFIGURATION")
    private static let arrow = Icon(".### ..## .#.# #... ....")
    private static let (nameColumn, arrowColumn, arrowRow) = (6, 40, 19)
    /// Columns of the names; and the left and upper edge of the arrow, for touches.
    private static let nameColumns = 5..<39
    private static let (arrowSide, arrowTop): (Float, Float) = (39.5, 17.5)
    /// Opacities of a picture that is chosen, and not.
    private static let (chosenInk, otherInk): (Float, Float) = (0.95, 0.45)

    var screen: Instrument.Screen { .lights(self) }
    var title: TextLine? { SettingsSheet.Button.light.name }
    var accent: RGB { Palette.settings }
    var parent: Instrument.Screen { .settings }

    mutating func limit(to state: Instrument.State) {
        list.limit(count: state.lights.sources.count + 1, chosen: chosen(state))
    }

    /// The place of what was chosen last.
    private func chosen(_ state: Instrument.State) -> Int {
        state.lights.chosenPlace
    }

    func spot(at position: Position) -> Spot? {
        guard position.column >= Self.arrowSide else { return .line(NameList.line(atRow: position.row)) }
        return position.row >= Self.arrowTop ? .lightOut : nil
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .lightOut:
            state.box.facts.hasWalls ? state.lights.areSent ? Self.outLine : Self.outOffLine : Self.noWallsLine
        case .line(let line): name(at: list.place(at: line), state)
        default: nil
        }
    }

    private func name(at place: Int, _ state: Instrument.State) -> TextLine? {
        if place == 0 { return Self.panelLine }
        return state.lights.sources.indices.contains(place - 1) ? state.lights.sources[place - 1].name : nil
    }

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.line(let line), _):
            if let place = list.handle(touch, line: line) { acts.append(.chooseLight(place: place)) }
        case (.lightOut, .up(isOver: true)): acts.append(.toggleLightOut)
        default: return
        }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let state = instrument.state
        let mode = state.session.colourMode
        let chosen = chosen(state)
        list.forEachVisible(of: state.lights.sources.count + 1, instrument) { place, row, isTouched in
            guard let name = name(at: place, state) else { return }
            let picture = (row + 1..<row + 4).clamped(to: NameList.rows)
            if place == 0 {
                for y in picture {
                    for x in 0..<3 {
                        let track = Track.allCases[(x + y - row - 1) % Track.allCases.count]
                        frame[origin + x, y] = Palette.track(track, mode)
                    }
                }
            } else if picture.count == 3 {
                instrument.pictures?.draw(
                    state.lights.sources[place - 1].number, into: &frame, columns: origin..<origin + 3, rows: picture)
            }
            let ink = place == chosen ? Self.chosenInk : Self.otherInk
            for y in picture { for x in origin..<origin + 3 { frame.blend(x, y, towards: .black, 1 - ink) } }
            name.draw(
                into: &frame, column: origin + Self.nameColumn, row: row,
                colour: place == chosen || isTouched ? .white : Palette.quiet,
                clip: origin + Self.nameColumns.lowerBound..<origin + Self.nameColumns.upperBound,
                clipRows: NameList.rows)
            if place == chosen {
                NameList.underline(
                    into: &frame, column: origin + Self.nameColumn, row: row, width: name.width, accent)
            }
        }
        let isOn = state.box.facts.hasWalls && state.lights.areSent
        let ink = isOn ? Palette.go(mode) : state.box.facts.hasWalls ? Palette.quiet : Palette.off
        Self.arrow.draw(
            into: &frame, column: origin + Self.arrowColumn, row: Self.arrowRow,
            colour: instrument.isTouched(.lightOut) ? .white : ink)
    }
}

/// The picture of a source on the whole panel. The upper left corner returns to the instrument; other fingers are the
/// source's, if it wants to know of them.
public struct PictureSheet: Sheet, Hashable, Sendable {
    /// The source's number.
    let source: Int

    /// The picture of the source with this number.
    init(of source: Int) { self.source = source }

    /// Says how to return.
    static let returnLine = TextLine("BACK: UP LEFT")
    /// The corner that returns, for touches.
    private static let (cornerColumn, cornerRow): (Float, Float) = (3.5, 2.5)

    var screen: Instrument.Screen { .picture(self) }
    var hasHeader: Bool { false }
    var title: TextLine? { SettingsSheet.Button.light.name }
    var accent: RGB { Palette.settings }

    func spot(at position: Position) -> Spot? {
        position.column < Self.cornerColumn && position.row < Self.cornerRow ? .back : .ground
    }

    func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        if touch.spot == .ground, touch.phase == .down { acts.append(.remindOfReturn) }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        instrument.pictures?.draw(source, into: &frame, columns: 0..<frame.columns, rows: 0..<frame.rows)
        // A source of which fingers play every place leaves the corner free.
        if instrument.sharesTouches {
            let colour = Palette.handle(instrument.state.rules).closed
            for column in Menu.handle { frame[origin + column, 1] = colour }
        }
        instrument.state.view.tooltip?.draw(into: &frame, origin: origin, at: now)
    }
}
