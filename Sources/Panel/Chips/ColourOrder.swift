/// The order of an LED's colours in its data; a white LED's value follows them. Variants of one chip differ in it.
public enum ColourOrder: String, CaseIterable, Sendable {
    /// The first letters of red, green and blue.
    case rgb = "RGB"
    case rbg = "RBG"
    case grb = "GRB"
    case gbr = "GBR"
    case brg = "BRG"
    case bgr = "BGR"

    /// The three colours.
    public var colours: [Colour] {
        switch self {
        case .rgb: [.red, .green, .blue]
        case .rbg: [.red, .blue, .green]
        case .grb: [.green, .red, .blue]
        case .gbr: [.green, .blue, .red]
        case .brg: [.blue, .red, .green]
        case .bgr: [.blue, .green, .red]
        }
    }

    /// The order that begins with `first` and `second`; nil if they are the same.
    public init?(_ first: Colour, _ second: Colour) {
        guard let order = Self.allCases.first(where: { $0.colours.starts(with: [first, second]) }) else { return nil }
        self = order
    }

    /// A colour of an LED.
    public enum Colour: String, CaseIterable, Sendable {
        /// The raw value is its word.
        case red, green, blue
    }
}

/// The channels of a wire format, which has the order of the chip's datasheet, on LEDs of another order.
struct ChannelMap: Hashable, Sendable {
    /// The colours that the format's channels carry.
    private let red: ColourOrder.Colour
    private let green: ColourOrder.Colour
    private let blue: ColourOrder.Colour

    /// The map for LEDs of `order` behind a format of the order `datasheet`.
    init(_ order: ColourOrder, datasheet: ColourOrder) {
        func carried(by channel: ColourOrder.Colour) -> ColourOrder.Colour {
            datasheet.colours.firstIndex(of: channel).map { order.colours[$0] } ?? channel
        }
        (red, green, blue) = (carried(by: .red), carried(by: .green), carried(by: .blue))
    }

    /// Whether each channel carries its own colour.
    var isPlain: Bool { red == .red && green == .green && blue == .blue }

    /// The channels that carry `colours`.
    func channels<Values: ColourValues>(of colours: Values) -> Values {
        var channels = colours
        (channels.red, channels.green, channels.blue) = (colours[red], colours[green], colours[blue])
        return channels
    }

    /// The colours that `channels` carry.
    func colours<Values: ColourValues>(of channels: Values) -> Values {
        var colours = channels
        (colours[red], colours[green], colours[blue]) = (channels.red, channels.green, channels.blue)
        return colours
    }
}

/// A value for each colour.
protocol ColourValues {
    associatedtype Value
    var red: Value { get set }
    var green: Value { get set }
    var blue: Value { get set }
}

extension ColourValues {
    fileprivate subscript(colour: ColourOrder.Colour) -> Value {
        get {
            switch colour {
            case .red: red
            case .green: green
            case .blue: blue
            }
        }
        set {
            switch colour {
            case .red: red = newValue
            case .green: green = newValue
            case .blue: blue = newValue
            }
        }
    }
}

extension LinearLight: ColourValues {}
extension LightSums: ColourValues {}
extension LEDLight: ColourValues {}
