/// A supported LED chip: its data from the datasheet, and its wire formats. Each chip has its own file.
public struct LEDChip: NamedKind {
    /// Name in configurations (`SK9822`).
    public let rawValue: String
    /// Whether it has a white LED in addition to the colours.
    public let hasWhite: Bool
    /// The order of the colours by the datasheet; variants of the chip have another one.
    public let order: ColourOrder
    /// Light steps of a full channel: the maximum of an `LEDLight` channel.
    public let lightSteps: Int
    /// Minimum low time after which the chips show the received values, in microseconds; 0 for chips with a clock line,
    /// which latch on data.
    public let resetMicroseconds: Int

    /// The supported wire formats, the preferred one first.
    let forms: [LEDForm]

    /// All supported chips. Add a new chip here.
    public static let allCases: [LEDChip] = [
        .apa102,
        .sk9822,
        .ws2812b,
        .sk6812,
        .sk6812RGBW,
        .hd108,
    ]

    /// A chip, as described in its file.
    init(
        _ name: String, hasWhite: Bool = false, order: ColourOrder, lightSteps: Int, resetMicroseconds: Int = 0,
        forms: [LEDForm]
    ) {
        precondition(!forms.isEmpty)
        rawValue = name
        self.hasWhite = hasWhite
        self.order = order
        self.lightSteps = lightSteps
        self.resetMicroseconds = resetMicroseconds
        self.forms = forms
    }

    /// Bus requirements of the preferred wire format.
    public var wire: LEDWire { forms[0].wire }

    /// Bus requirements of each wire format, the preferred one first.
    public var wires: [LEDWire] { forms.map { $0.wire } }

    /// Bus requirements at the clock `hertz`; nil if no wire format meets the datasheet at that clock.
    public func wire(hertz: Int) -> LEDWire? { form(hertz: hertz)?.wire }

    /// Default clock in Hz for a chain of `leds` LEDs.
    public func defaultHertz(leds: Int) -> Int {
        leds <= wire.shortChain ? wire.shortChainHertz : wire.defaultHertz
    }

    /// Message size in bytes for `leds` LEDs in the preferred wire format at its default clock.
    public func messageSize(leds: Int) -> Int { forms[0].format.messageSize(leds: leds, hertz: wire.defaultHertz) }

    /// Message size in bytes for `leds` LEDs at `hertz`; nil if no wire format allows that clock.
    public func messageSize(leds: Int, hertz: Int) -> Int? {
        form(hertz: hertz)?.format.messageSize(leds: leds, hertz: hertz)
    }

    /// Decodes `message`, sent at `hertz`: the light of each LED of a chain of `leds`, the first LED first; the LEDs
    /// have the colours in `order`, or the datasheet's. Throws `WireFailure` if any LED would not show its value.
    public func decode(
        _ message: [UInt8], leds: Int, hertz: Int, order: ColourOrder? = nil
    ) throws(WireFailure) -> [LEDLight] {
        guard let form = form(hertz: hertz) else { throw .wrongClock(hertz) }
        let lights = try form.format.decode(message, leds: leds, hertz: hertz)
        let map = ChannelMap(order ?? self.order, datasheet: self.order)
        return map.isPlain ? lights : lights.map(map.colours)
    }

    /// The first wire format that allows `hertz`.
    func form(hertz: Int) -> LEDForm? { forms.first { $0.wire.hertz.contains(hertz) } }
}

/// Requirements of an LED chip on the SPI bus.
public struct LEDWire: Hashable, Sendable {
    /// SPI mode, 0 or 3: clock polarity and phase.
    public let spiMode: Int
    /// Default clock in Hz.
    public let defaultHertz: Int
    /// Clock range in Hz that meets the datasheet's timing.
    public let hertz: ClosedRange<Int>
    /// Whether the chip has a clock line: then a frame may be sent in several messages with pauses. Otherwise a frame
    /// must be one uninterrupted transfer at a constant clock.
    public let isClocked: Bool

    /// Maximum length of a chain that uses `shortChainHertz`.
    let shortChain: Int
    let shortChainHertz: Int

    init(
        spiMode: Int, defaultHertz: Int, hertz: ClosedRange<Int>, isClocked: Bool, shortChain: Int = 0,
        shortChainHertz: Int = 0
    ) {
        precondition(hertz.contains(defaultHertz))
        self.spiMode = spiMode
        self.defaultHertz = defaultHertz
        self.hertz = hertz
        self.isClocked = isClocked
        self.shortChain = shortChain
        self.shortChainHertz = shortChainHertz
    }
}

/// A wire format of a chip, with its bus requirements.
struct LEDForm: Sendable {
    let wire: LEDWire
    let format: any WireFormat
}

/// The light of one LED as sent on the wire, each channel in 1/`LEDChip.lightSteps` of full.
public struct LEDLight: Hashable, Sendable {
    /// Red.
    public var red: Int
    /// Green.
    public var green: Int
    /// Blue.
    public var blue: Int
    /// White, 0 for chips without it.
    public var white: Int

    /// The light with these channels.
    public init(red: Int, green: Int, blue: Int, white: Int = 0) {
        self.red = red
        self.green = green
        self.blue = blue
        self.white = white
    }

    /// A dark LED.
    public static let dark = LEDLight(red: 0, green: 0, blue: 0)
}

/// Why a chain would not show the message as intended.
public enum WireFailure: Error, Hashable, Sendable {
    /// No wire format of the chip allows this clock, in Hz.
    case wrongClock(Int)
    /// The start of the message is missing: zero words for a clocked chip, a low guard byte for others.
    case noStart
    /// The word of this LED lacks its marker bits.
    case noMark(led: Int)
    /// A pulse in the bits of this LED is neither a valid 0 nor a valid 1.
    case badPulse(led: Int)
    /// The message ends before the last LED's word is complete.
    case tooShort
    /// The message contains data for more LEDs than the chain has.
    case tooLong
    /// The latch is missing after the words: the frame would appear one frame late, or never.
    case noLatch
    /// The clock stops before the last LEDs have received their words.
    case tooFewClocks
}
