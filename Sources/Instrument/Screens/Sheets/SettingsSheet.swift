import InputEvents
import Display

/// The settings of the box: three faders, three switches and four buttons.
struct SettingsSheet: Sheet {
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
        /// Shows version, address and state of the box.
        case about
        /// Switches the box off.
        case power

        /// Its name on the panel.
        var name: TextLine { SettingsSheet.buttons[rawValue].name }
    }

    private static let faders: [(fader: Fader, column: Int, letter: TextLine)] = [
        (.master, 0, TextLine("V")), (.light, 4, TextLine("L")), (.sound(.swing), 8, TextLine("S")),
    ]
    /// Letters of each switch, and its texts for on and off.
    private static let toggles: [(letters: TextLine, on: TextLine, off: TextLine)] = [
        (TextLine("AUD"), TextLine("AUDITION"), TextLine("NO AUD")),
        (TextLine("TAP"), TextLine("TAP SND"), TextLine("NO TAP")),
        (TextLine("GST"), TextLine("GHOSTS"), TextLine("NO GHOST")),
    ]
    /// Name, position and icon of each button.
    fileprivate static let buttons: [(name: TextLine, column: Int, line: Int, icon: Icon)] = [
        (TextLine("TOUCH"), 33, 0, Icon("..#.. ..#.. ##.## ..#.. ..#..")),
        (TextLine("HINTS"), 33, 1, Icon(".###. #...# ..##. ..... ..#..")),
        (TextLine("ABOUT"), 39, 1, Icon("..#.. ..... .##.. ..#.. .###.")),
        (TextLine("POWER"), 39, 2, Icon("..#.. #.#.# #.#.# #...# .###.")),
    ]
    /// First row of `line`, 0-2.
    private static func row(of line: Int) -> Int { 7 + 6 * line }

    var screen: Instrument.Screen { .settings }
    var title: TextLine? { Menu.Item.settings.name }
    var accent: RGB { Menu.Item.settings.colour }

    func spot(at position: Position) -> Spot? {
        if position.column < 11.5 {
            let fader = Self.faders[min(Int((position.column + 0.5) / 4), Self.faders.count - 1)].fader
            return Fader.target.contains(position.row) ? .fader(fader) : .letter(fader)
        }
        let line = Int((position.row - 5.5) / 6).clamped(to: 0...2)
        if position.column < 31.5 { return position.column < 12.5 ? nil : Toggle(rawValue: line).map { .toggle($0) } }
        let column = position.column < 37.5 ? 33 : 39
        let place = Self.buttons.firstIndex { $0.column == column && $0.line == line }
        return place.flatMap(Button.init).map { .button($0) }
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .toggle(let toggle):
            let names = Self.toggles[toggle.rawValue]
            return isOn(toggle, state) ? names.on : names.off
        case .button(let button): return button.name
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

    func take(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        guard touch.phase == .up(isOver: true) else { return }
        switch touch.spot {
        case .toggle(.audition): acts.append(.toggleAudition)
        case .toggle(.tap): acts.append(.toggleTapSound)
        case .toggle(.ghosts): acts.append(.toggleGhosts)
        case .button(.calibrate): acts.append(.effect(.calibrate))
        case .button(.hints): acts.append(.showHints)
        case .button(.about): acts.append(.show(.about(AboutSheet(touch.time))))
        case .button(.power): acts.append(.show(.power))
        default: break
        }
    }

    // MARK: Drawing

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        for (fader, column, letter) in Self.faders {
            instrument.draw(fader, letter, colour: Palette.shared, column: origin + column, into: &frame)
        }
        for toggle in Toggle.allCases {
            let row = Self.row(of: toggle.rawValue)
            Self.toggles[toggle.rawValue].letters.draw(
                into: &frame, column: origin + 14, row: row,
                colour: instrument.isTouched(.toggle(toggle)) ? .white : Palette.text)
            Switch.draw(
                isOn: isOn(toggle, instrument.state), colour: Palette.go, into: &frame, column: origin + 26,
                row: row + 1)
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
