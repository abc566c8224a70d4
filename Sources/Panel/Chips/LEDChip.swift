/// An LED that can be driven: what its datasheet says of it, and how its bytes are made. Each stands in a file of its own.
public struct LEDChip: RawRepresentable, CaseIterable, Hashable, CustomStringConvertible, Sendable {
    /// The name, as a configuration gives it (`SK9822`).
    public let rawValue: String
    /// Whether it has a white LED beside the colours.
    public let hasWhite: Bool
    /// What a full channel is in steps of light: the most that an `LEDLight` holds.
    public let lightSteps: Int
    /// How long the line must rest before the chips show what they have taken in, in microseconds; 0 for chips with a
    /// clock line, which show it when the bytes say so.
    public let resetMicroseconds: Int

    /// The ways to write to it, the preferred one first.
    let forms: [LEDForm]

    /// Every LED that can be driven. A new one has its line here.
    public static let allCases: [LEDChip] = [
        .apa102,
        .sk9822,
        .ws2812b,
        .sk6812,
        .sk6812RGBW,
        .hd108,
    ]

    /// The LED named `rawValue`; nil when there is none.
    public init?(rawValue: String) {
        guard let chip = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = chip
    }

    /// An LED as a chip's file describes it.
    init(
        _ name: String, hasWhite: Bool = false, lightSteps: Int, resetMicroseconds: Int = 0, forms: [LEDForm]
    ) {
        precondition(!forms.isEmpty)
        rawValue = name
        self.hasWhite = hasWhite
        self.lightSteps = lightSteps
        self.resetMicroseconds = resetMicroseconds
        self.forms = forms
    }

    /// Two are alike when their names are.
    public static func == (one: LEDChip, other: LEDChip) -> Bool { one.rawValue == other.rawValue }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The name.
    public var description: String { rawValue }

    /// What the preferred way of writing to it asks of the bus.
    public var wire: LEDWire { forms[0].wire }

    /// What each way of writing to it asks of the bus, the preferred one first.
    public var wires: [LEDWire] { forms.map(\.wire) }

    /// What the bus must do when it runs at `hertz`; nil where no way of writing meets the datasheet at that clock.
    public func wire(hertz: Int) -> LEDWire? { form(hertz: hertz)?.wire }

    /// The clock, in Hz, of a chain of `leds` LEDs for which none is given.
    public func defaultHertz(leds: Int) -> Int {
        leds <= wire.shortChain ? wire.shortChainHertz : wire.defaultHertz
    }

    /// Bytes of a message for `leds` LEDs in the preferred form at its own clock.
    public func messageSize(leds: Int) -> Int { forms[0].format.messageSize(leds: leds, hertz: wire.defaultHertz) }

    /// Bytes of a message for `leds` LEDs at `hertz`; nil where no form allows that clock.
    public func messageSize(leds: Int, hertz: Int) -> Int? {
        form(hertz: hertz)?.format.messageSize(leds: leds, hertz: hertz)
    }

    /// What a chain of `leds` LEDs shows after `message` has come down its wire at `hertz`, the first LED first. Throws
    /// `WireFailure` when any of them would not show what was meant.
    public func decode(_ message: [UInt8], leds: Int, hertz: Int) throws(WireFailure) -> [LEDLight] {
        guard let form = form(hertz: hertz) else { throw .wrongClock(hertz) }
        return try form.format.decode(message, leds: leds, hertz: hertz)
    }

    /// The first form that allows `hertz`.
    func form(hertz: Int) -> LEDForm? { forms.first { $0.wire.hertz.contains(hertz) } }
}

/// What an LED asks of the bus that carries its bytes.
public struct LEDWire: Hashable, Sendable {
    /// SPI mode, 0 or 3: clock polarity and phase.
    public let spiMode: Int
    /// The clock, in Hz, where none is asked for.
    public let defaultHertz: Int
    /// The clocks, in Hz, that the datasheet's times allow.
    public let hertz: ClosedRange<Int>
    /// Whether the chip has a clock line: its bytes may then come in several messages with pauses. Without one, a frame is
    /// one unbroken transfer at a steady clock.
    public let isClocked: Bool

    /// LEDs of a chain that can have `shortChainHertz`.
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

/// One way to write to a chip: what it asks of the bus, and its bytes.
struct LEDForm: Sendable {
    let wire: LEDWire
    let format: any WireFormat
}

/// The light of one LED as the bytes on the wire ask for it, each channel in steps of 1/`LEDChip.lightSteps` of full.
public struct LEDLight: Hashable, Sendable {
    /// Red.
    public var red: Int
    /// Green.
    public var green: Int
    /// Blue.
    public var blue: Int
    /// White, of chips that have it; 0 for others.
    public var white: Int

    /// An LED that shows this.
    public init(red: Int, green: Int, blue: Int, white: Int = 0) {
        self.red = red
        self.green = green
        self.blue = blue
        self.white = white
    }

    /// A dark LED.
    public static let dark = LEDLight(red: 0, green: 0, blue: 0)
}

/// Why the chips at the far end of a wire would not show what was meant.
public enum WireFailure: Error, Hashable, Sendable {
    /// No form of the chip allows this clock, in Hz.
    case wrongClock(Int)
    /// The message does not begin as the chips await it: zero words of a clocked chip, a low guard byte of others.
    case noStart
    /// The word of this LED does not begin with its mark.
    case noMark(led: Int)
    /// A pulse among the bits of this LED is neither a 0 nor a 1.
    case badPulse(led: Int)
    /// The message ends within or before the words of the chain's LEDs.
    case tooShort
    /// There are bits for more LEDs than the chain has.
    case tooLong
    /// What makes the chips show the frame does not follow the words: they would show it one frame late, or never.
    case noLatch
    /// The clock stops before the last LEDs have their words.
    case tooFewClocks
}
