import Display

/// The box's own settings: three faders, three switches and four buttons.
enum SettingsSheet {
    /// Something that is on or off.
    enum Toggle: Int, CaseIterable, Hashable, Sendable {
        /// Committed notes sound while the transport is stopped.
        case audition
        /// A finger that lands on a step sounds at once.
        case tap
        /// Notes of other tracks are hinted at.
        case ghosts

        /// The row of its letters' top.
        fileprivate var row: Int { 7 + 6 * rawValue }
    }

    /// Something that is asked for.
    enum Button: CaseIterable, Hashable, Sendable {
        /// Tell the box how its overlay lies.
        case calibrate
        /// Show the hints again.
        case hints
        /// What the box is.
        case about
        /// Switch it off.
        case power

        fileprivate var place: (column: Int, row: Int) {
            switch self {
            case .calibrate: (33, 7)
            case .hints: (33, 13)
            case .about: (39, 13)
            case .power: (39, 19)
            }
        }

        /// Its name on the panel.
        var name: String {
            switch self {
            case .calibrate: "TOUCH"
            case .hints: "HINTS"
            case .about: "ABOUT"
            case .power: "POWER"
            }
        }
    }

    private static let faders: [(fader: Fader, column: Int, letter: TextLine)] = [
        (.master, 0, TextLine("V")), (.light, 4, TextLine("L")), (.sound(.swing), 8, TextLine("S")),
    ]
    private static let names = ["AUD", "TAP", "GST"].map { TextLine($0) }

    static func spot(at position: Position) -> Spot? {
        guard position.row >= 5.5 else { return nil }
        if position.column < 11.5 {
            let fader = faders[min(Int((position.column + 0.5) / 4), faders.count - 1)].fader
            return Fader.target.contains(position.row) ? .fader(fader) : .letter(fader)
        }
        let line = Int((position.row - 5.5) / 6).clamped(to: 0...2)
        if position.column < 31.5 { return position.column < 12.5 ? nil : Toggle(rawValue: line).map { .toggle($0) } }
        let isRight = position.column >= 37.5
        let button = Button.allCases.first { ($0.place.column > 36) == isRight && $0.place.row == 7 + 6 * line }
        return button.map { .button($0) }
    }

    static func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int) {
        for (fader, column, letter) in faders {
            instrument.draw(fader, letter, colour: Palette.shared, column: origin + column, into: &frame)
        }
        for toggle in Toggle.allCases {
            let isTouched = instrument.isTouched(.toggle(toggle))
            names[toggle.rawValue].draw(
                into: &frame, column: origin + 14, row: toggle.row, colour: isTouched ? .white : Palette.text,
                clip: origin + 14..<origin + 25)
            draw(isOn: instrument.isOn(toggle), into: &frame, column: origin + 26, row: toggle.row + 1)
        }
        for button in Button.allCases {
            let (column, row) = button.place
            let isTouched = instrument.isTouched(.button(button))
            let colour = isTouched ? RGB.white : button == .power ? Palette.danger : Palette.text
            icon(of: button).draw(
                into: &frame, column: origin + column, row: row, colour: colour,
                alpha: isTouched || button != .power ? 1 : 0.85)
        }
    }

    /// A switch: its knob lies right and is lit while it is on.
    static func draw(isOn: Bool, colour: RGB = Palette.go, into frame: inout Frame, column: Int, row: Int) {
        let ground = isOn ? RGB.black.blended(towards: colour, 0.2) : RGB(0x161616)
        frame.fill(columns: column..<column + 6, rows: row..<row + 3, ground)
        let knob = isOn ? column + 3 : column
        frame.fill(columns: knob..<knob + 3, rows: row..<row + 3, isOn ? colour : RGB(0x585858))
    }

    private static func icon(of button: Button) -> Icon {
        switch button {
        case .calibrate: target
        case .hints: question
        case .about: letter
        case .power: power
        }
    }

    private static let target = Icon("..#.. ..#.. ##.## ..#.. ..#..")
    private static let question = Icon(".###. #...# ..##. ..... ..#..")
    private static let letter = Icon("..#.. ..... .##.. ..#.. .###.")
    private static let power = Icon("..#.. #.#.# #.#.# #...# .###.")
}

extension Instrument {
    /// Whether `toggle` is on.
    func isOn(_ toggle: SettingsSheet.Toggle) -> Bool {
        switch toggle {
        case .audition: state.session.auditions
        case .tap: state.session.soundsTaps
        case .ghosts: state.session.composition.showsGhosts
        }
    }
}
