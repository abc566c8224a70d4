import InputEvents
import Display

/// The settings of the box, on two pages: three faders, three switches and five buttons; then the quantise of recorded
/// notes, the count-in and the rules of the gestures. A drag upwards shows the second page and a drag downwards the
/// first; the mark of the pages turns them too.
struct SettingsSheet: Sheet {
    /// A page.
    enum Page: Hashable, Sendable {
        case first, second
    }

    /// The page shown.
    private(set) var page: Page

    /// The sheet with `page`.
    init(_ page: Page) { self.page = page }

    /// A setting that is on or off.
    enum Toggle: Int, CaseIterable, Hashable, Sendable {
        /// Whether committed notes sound while the transport is stopped.
        case audition
        /// Whether a finger that lands on a step sounds at once.
        case tap
        /// Whether notes of other tracks are shown as ghosts.
        case ghosts
    }

    /// An action.
    enum Button: Int, CaseIterable, Hashable, Sendable {
        /// Calibrates the touch overlay.
        case calibrate
        /// Shows the hints again.
        case hints
        /// Shows who may show pictures on the panel.
        case light
        /// Shows version, address and state of the box.
        case about
        /// Switches the box off.
        case power

        /// Its name on the panel.
        var name: TextLine { SettingsSheet.buttons[rawValue].name }
    }

    private typealias Place = (fader: Fader, column: Int, letter: TextLine)
    private static let firstFaders: [Place] = [
        (.master, 0, TextLine("V")), (.light, 4, TextLine("L")), (.sound(.swing), 8, TextLine("S")),
    ]
    private static let secondFaders: [Place] = [(.quantise, 1, TextLine("Q")), (.countIn, 7, TextLine("C"))]
    /// Letters of each switch, and its texts for on and off, which pass by and say what the letters mean.
    private static let toggles: [(letters: TextLine, on: TextLine, off: TextLine)] = [
        (
            TextLine("AUD", room: 11), TextLine("AUDITION: DRAWN NOTES SOUND"),
            TextLine("AUDITION OFF: DRAWN NOTES ARE SILENT")
        ),
        (TextLine("TAP"), TextLine("TAP SOUND: TOUCHED NOTES SOUND"), TextLine("TAP SOUND OFF")),
        (TextLine("GST"), TextLine("GHOSTS: NOTES OF OTHER TRACKS"), TextLine("GHOSTS OFF")),
    ]
    /// Name, position and icon of each button.
    fileprivate static let buttons: [(name: TextLine, column: Int, line: Int, icon: Icon)] = [
        (TextLine("TOUCH"), 33, 0, Icon("..#.. ..#.. ##.## ..#.. ..#..")),
        (TextLine("HINTS"), 33, 1, Icon(".###. #...# ..##. ..... ..#..")),
        (TextLine("LIGHT"), 33, 2, Icon("#.#.# .###. ##### .###. #.#.#")),
        (TextLine("ABOUT"), 39, 1, Icon("..#.. ..... .##.. ..#.. .###.")),
        (TextLine("POWER"), 39, 2, Icon("..#.. #.#.# #.#.# #...# .###.")),
    ]
    /// Name, line and letters of each choice of rules.
    private static let rules: [(rules: Rules, line: Int, letters: TextLine, name: TextLine)] = [
        (.box, 1, TextLine("BOX"), TextLine("BOX RULES: TEN FINGERS")),
        (.phone, 2, TextLine("PHONE"), TextLine("PHONE RULES: ONE FINGER")),
    ]
    /// Names of the pages, for a finger on the mark.
    private static let (firstName, secondName) = (TextLine("PAGE 1"), TextLine("PAGE 2"))
    private static let rulesTitle = TextLine("RULES")
    /// First column of words, and of the switches or lamps on their right.
    private static let (wordColumn, switchColumn, lampColumn) = (14, 26, 36)
    /// Column and rows of the mark's two lights, and the columns in which a finger touches it.
    private static let (markColumn, markRows) = (12, (first: 12, second: 18))
    private static let markTarget: Range<Float> = 11.5..<13.5
    /// First row of `line`, 0-2.
    private static func row(of line: Int) -> Int { 7 + 6 * line }

    var screen: Instrument.Screen { page == .first ? .settings : .moreSettings }
    var title: TextLine? { Menu.Item.settings.name }
    var accent: RGB { Menu.Item.settings.colour }

    func spot(at position: Position) -> Spot? {
        if Self.markTarget.contains(position.column) { return .pageMark }
        if position.column < Self.markTarget.lowerBound { return faderSpot(at: position) }
        return (page == .first ? firstSpot(at: position) : secondSpot(at: position)) ?? .ground
    }

    private static func line(at row: Float) -> Int { Int((row - 5.5) / 6).clamped(to: 0...2) }

    private var faders: [Place] { page == .first ? Self.firstFaders : Self.secondFaders }

    /// The fader at `position`, left of the mark, or its letter. The faders share the columns there.
    private func faderSpot(at position: Position) -> Spot {
        let place = Int((position.column + 0.5) * Float(faders.count) / Float(Self.markColumn))
        let fader = faders[place.clamped(to: 0...faders.count - 1)].fader
        return Fader.target.contains(position.row) ? .fader(fader) : .letter(fader)
    }

    private func firstSpot(at position: Position) -> Spot? {
        let line = Self.line(at: position.row)
        if position.column < 31.5 { return Toggle(rawValue: line).map { .toggle($0) } }
        let column = position.column < 37.5 ? 33 : 39
        let place = Self.buttons.firstIndex { $0.column == column && $0.line == line }
        return place.flatMap(Button.init).map { .button($0) }
    }

    private func secondSpot(at position: Position) -> Spot? {
        guard position.column < Float(Self.lampColumn) + 4.5 else { return nil }
        let line = Self.line(at: position.row)
        return Self.rules.first { $0.line == line }.map { .rules($0.rules) }
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .toggle(let toggle):
            let names = Self.toggles[toggle.rawValue]
            return isOn(toggle, state) ? names.on : names.off
        case .button(let button): return button.name
        case .rules(let rules): return Self.rules.first { $0.rules == rules }?.name
        case .pageMark: return page == .first ? Self.secondName : Self.firstName
        default: return nil
        }
    }

    // MARK: Actions

    private func isOn(_ toggle: Toggle, _ state: Instrument.State) -> Bool {
        switch toggle {
        case .audition: state.session.auditions
        case .tap: state.soundsTaps
        case .ghosts: state.session.composition.showsGhosts
        }
    }

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        // A drag on a fader is the fader's, and that includes its letter.
        case (.letter, _): return
        case (_, .move): drag(touch, into: &acts)
        case (_, .up(isOver: true)): tap(touch, into: &acts)
        default: return
        }
    }

    /// Turns the page by a vertical drag. What the drag began on has no function any more, on the last page too.
    private mutating func drag(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        guard let rows = touch.verticalDrag else { return }
        let next = rows < 0 ? Page.second : .first
        if next == page { acts.append(.dropFinger) } else { turn(to: next, into: &acts) }
    }

    private mutating func turn(to next: Page, into acts: inout [ScreenAct]) {
        page = next
        acts.append(.turnPage)
    }

    private mutating func tap(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch touch.spot {
        case .pageMark: turn(to: page == .first ? .second : .first, into: &acts)
        case .rules(let rules): acts.append(.setRules(rules))
        case .toggle(.audition): acts.append(.toggleAudition)
        case .toggle(.tap): acts.append(.toggleTapSound)
        case .toggle(.ghosts): acts.append(.toggleGhosts)
        case .button(.calibrate): acts.append(.effect(.calibrate))
        case .button(.hints): acts.append(.showHints)
        case .button(.light): acts.append(.show(.lights(LightSheet())))
        case .button(.about): acts.append(.show(.about(AboutSheet(touch.time))))
        case .button(.power): acts.append(.show(.power))
        default: break
        }
    }

    // MARK: Drawing

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        for (fader, column, letter) in faders {
            instrument.draw(fader, letter, colour: Palette.shared, column: origin + column, into: &frame)
        }
        drawMark(instrument, into: &frame, origin: origin)
        switch page {
        case .first: drawFirst(instrument, into: &frame, origin: origin)
        case .second: drawSecond(instrument, into: &frame, origin: origin)
        }
    }

    /// Draws a light for each page; the light of the shown page is longer and bright.
    private func drawMark(_ instrument: Instrument, into frame: inout Frame, origin: Int) {
        let (shown, other) =
            page == .first
            ? (Self.markRows.first, Self.markRows.second) : (Self.markRows.second, Self.markRows.first)
        let isTouched = instrument.isTouched(.pageMark)
        let column = origin + Self.markColumn
        frame.fill(
            columns: column..<column + 1, rows: shown - 1..<shown + 2, isTouched ? .white : Palette.text)
        frame[column, other] = isTouched ? .white : Palette.quiet
    }

    private func drawSecond(_ instrument: Instrument, into frame: inout Frame, origin: Int) {
        Self.rulesTitle.draw(
            into: &frame, column: origin + Self.wordColumn, row: Self.row(of: 0), colour: Palette.text)
        for (rules, line, letters, _) in Self.rules {
            let isChosen = rules == instrument.state.rules
            let row = Self.row(of: line)
            letters.draw(
                into: &frame, column: origin + Self.wordColumn, row: row,
                colour: isChosen || instrument.isTouched(.rules(rules)) ? .white : Palette.quiet)
            Lamp.draw(
                isOn: isChosen, colour: Palette.go(instrument.state.session.colourMode), into: &frame,
                column: origin + Self.lampColumn, row: row + 1)
        }
    }

    private func drawFirst(_ instrument: Instrument, into frame: inout Frame, origin: Int) {
        for toggle in Toggle.allCases {
            let row = Self.row(of: toggle.rawValue)
            Self.toggles[toggle.rawValue].letters.draw(
                into: &frame, column: origin + Self.wordColumn, row: row,
                colour: instrument.isTouched(.toggle(toggle)) ? .white : Palette.text)
            Switch.draw(
                isOn: isOn(toggle, instrument.state), colour: Palette.go(instrument.state.session.colourMode),
                into: &frame, column: origin + Self.switchColumn, row: row + 1)
        }
        for button in Button.allCases {
            let (_, column, line, icon) = Self.buttons[button.rawValue]
            let isTouched = instrument.isTouched(.button(button))
            let colour = button == .power ? Palette.danger : Palette.text
            icon.draw(
                into: &frame, column: origin + column, row: Self.row(of: line), colour: isTouched ? .white : colour,
                alpha: isTouched || button != .power ? 1 : 0.85)
        }
    }
}
