/// A row of the tables of controls: all that is known of a control but its value.
struct ControlRow: Sendable {
    /// Key in documents and touch scripts; empty for a control that is not in them.
    let key: String
    /// Range of values, with any model.
    let range: ClosedRange<Int>
    /// Default value on each track; the first is the default of a control that belongs to no track.
    let defaults: [Int]
    /// The letter below its fader; empty if no sheet has one.
    let letter: String
    /// Its name in full; nil for a model's own control, which the model names.
    let word: String?
    /// Its value as a text.
    let text: ValueText
    /// Mapping between the level of its fader and its value.
    let scale: Scale
    /// Whether the neutral value is in the middle.
    let isBipolar: Bool

    /// Mapping between level and value.
    enum Scale: Sendable { case linear, quadratic, quartic, thirdOctaves }

    /// A row with a default on each track; nil is `value` on all.
    init(
        key: String = "", _ range: ClosedRange<Int>, default value: Int = 0, defaults: [Int]? = nil, letter: String,
        _ word: String?, _ text: ValueText, _ scale: Scale = .linear, isBipolar: Bool = false
    ) {
        (self.key, self.range, self.letter, self.word, self.text) = (key, range, letter, word, text)
        (self.scale, self.isBipolar) = (scale, isBipolar)
        self.defaults = defaults ?? Track.allCases.map { _ in value }
    }
}

/// The value of a control as a text short enough for the header: mostly an abbreviation of its name, and a number.
enum ValueText: Sendable {
    /// A number, between `prefix` and `unit`.
    case number(String, prefix: String = "", unit: String = "")
    /// A number with its sign.
    case signed(String)
    /// Tenths.
    case tenths(String, unit: String)
    /// Milliseconds; a text for 0.
    case time(String, zero: String)
    /// Per cent of a whole.
    case share(String, of: Int)
    /// Per cent to the left or the right.
    case pan
    /// Hertz.
    case frequency
    /// Hundredths of a hertz.
    case rate
    /// The track's model.
    case model
    case lfoShape
    case target
    /// A model's own control, by its place among them.
    case timbre(Int)
    case division
    /// A click that is on or off.
    case click
    /// On or off.
    case flag(String)

    /// The text of `value` on a track with `model`.
    func text(of value: Int, _ model: SoundModel) -> String {
        switch self {
        case .number(let name, let prefix, let unit): "\(name) \(prefix)\(value)\(unit)"
        case .signed(let name): "\(name) \(value > 0 ? "+" : "")\(value)"
        case .tenths(let name, let unit): "\(name) \(Self.decimal(value))\(unit)"
        case .time(let name, let zero): "\(name) " + (value == 0 ? zero : Self.time(value))
        case .share(let name, let whole): "\(name) \(value * 100 / whole)%"
        case .pan: value == 0 ? "PAN MID" : "PAN \(value < 0 ? "L" : "R")\(abs(value))"
        case .frequency: "CUT " + (value < 1000 ? "\(value)" : "\(Self.decimal((value + 50) / 100))K")
        case .rate: "LFO \(Self.hertz(value))"
        case .model: String(model.word.uppercased().prefix(8))
        case .lfoShape: LFOShape.labels[value]
        case .target: "TO " + ModulationTarget.label(value, model)
        case .timbre(let place): Self.text(ofTimbre: place, value, model)
        case .division: "DIV " + (TrackShape.Division(rawValue: value)?.word ?? "1")
        case .click: value == 0 ? Self.noClick : "CLICK"
        case .flag(let name): "\(name) \(value == 0 ? "OFF" : "ON")"
        }
    }

    /// The abbreviation alone, for a control of a track with `model`.
    func name(_ model: SoundModel = .plain) -> String {
        switch self {
        case .number(let name, _, _), .signed(let name), .tenths(let name, _), .time(let name, _), .share(let name, _),
            .flag(let name):
            name
        case .pan: "PAN"
        case .frequency: "CUT"
        case .rate, .lfoShape: "LFO"
        case .model: "MODEL"
        case .target: "TARGET"
        case .timbre(let place): model.timbres.indices.contains(place) ? model.timbres[place].label : "-"
        case .division: "DIV"
        case .click: "CLICK"
        }
    }

    /// A click that is off: no abbreviation stands before it.
    static let noClick = "NO CLICK"

    private static func text(ofTimbre timbre: Int, _ value: Int, _ model: SoundModel) -> String {
        let label = model.timbres.indices.contains(timbre) ? model.timbres[timbre].label : "-"
        // Eight letters fit.
        return value < 100 || label.count < 5 ? "\(label) \(value)" : "\(label)\(value)"
    }

    /// Hundredths of a hertz as a number of three digits.
    private static func hertz(_ hundredths: Int) -> String {
        guard hundredths < 1000 else { return decimalPlace(hundredths / 10, 10) }
        return decimalPlace(hundredths, 100)
    }

    /// `value` / `unit`, a power of ten, with all its decimal places.
    private static func decimalPlace(_ value: Int, _ unit: Int) -> String {
        let rest = "\(unit + value % unit)"
        return "\(value / unit).\(rest.dropFirst())"
    }

    /// Tenths as a number with one decimal, or none from 10 on.
    private static func decimal(_ tenths: Int) -> String {
        tenths >= 100 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private static func time(_ milliseconds: Int) -> String {
        milliseconds < 1000 ? "\(milliseconds)MS" : "\(decimal((milliseconds + 50) / 100))S"
    }
}
