import Display
import Testing

@testable import Panel

/// The bytes for three LEDs, red, half-blue green and black, computed by hand from each chip's datasheet.
struct GoldenWire: Sendable, CustomTestStringConvertible {
    var chip: LEDChip
    var hertz: Int
    var bytes: [UInt8]
    var testDescription: String { "\(chip.rawValue) at \(hertz) Hz" }

    /// A channel's 8 bits at 8 SPI bits each: 11000000 for 0, 11111000 for 1.
    private static let off8: [UInt8] = Array(repeating: 0xc0, count: 8)
    private static let full8: [UInt8] = Array(repeating: 0xf8, count: 8)
    /// 0x80 is a one and seven zeros.
    private static let half8: [UInt8] = [0xf8] + Array(repeating: 0xc0, count: 7)
    /// The same at 4 SPI bits each, two to a byte: 1000 for 0, 1100 for 1.
    private static let off4: [UInt8] = [0x88, 0x88, 0x88, 0x88]
    private static let full4: [UInt8] = [0xcc, 0xcc, 0xcc, 0xcc]
    private static let half4: [UInt8] = [0xc8, 0x88, 0x88, 0x88]

    /// 4 zero bytes; 111 and the brightness, blue, green, red of each LED, with the lowest brightness that fits the
    /// strongest channel: 31 for full, 0 for black; 4 zero bytes; a byte whose 8 clocks are more than half of three.
    private static let brightnessWords: [UInt8] = [
        0, 0, 0, 0,
        0xff, 0x00, 0x00, 0xff,
        0xff, 0x80, 0xff, 0x00,
        0xe0, 0x00, 0x00, 0x00,
        0, 0, 0, 0,
        0,
    ]

    /// A low byte; these channels of the LEDs in turn; `low` low bytes for the reset and one more.
    private static func pulses(_ channels: [[UInt8]], low: Int) -> [UInt8] {
        var bytes: [UInt8] = [0]
        for channel in channels { bytes += channel }
        bytes += [UInt8](repeating: 0, count: low + 1)
        return bytes
    }

    /// Green, red, blue of each LED; 300 µs low at 6.4 MHz are 1920 bits or 240 bytes.
    private static let pulses8 = pulses([off8, full8, off8, full8, off8, half8, off8, off8, off8], low: 240)
    /// The same at 2.6 MHz: 300 µs are 780 bits, 97.5 bytes.
    private static let pulses4 = pulses([off4, full4, off4, full4, off4, half4, off4, off4, off4], low: 98)
    /// Green, red, blue, white: these colours have no common part.
    private static let white8 = pulses(
        [off8, full8, off8, off8, full8, off8, half8, off8, off8, off8, off8, off8], low: 240)
    private static let white4 = pulses(
        [off4, full4, off4, off4, full4, off4, half4, off4, off4, off4, off4, off4], low: 98)

    /// 8 zero bytes; a one, three gains of 31 = 0xffff, then red, green, blue: 0x80 of 0xff is 0x8080 of 0xffff;
    /// 4 + 1.5 bytes of ones.
    private static let sixteenBitWords: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0, 0,
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
        0xff, 0xff, 0x00, 0x00, 0xff, 0xff, 0x80, 0x80,
        0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    ]

    static let all: [GoldenWire] = [
        .init(chip: .apa102, hertz: 8_000_000, bytes: brightnessWords),
        .init(chip: .sk9822, hertz: 4_000_000, bytes: brightnessWords),
        .init(chip: .ws2812b, hertz: 6_400_000, bytes: pulses8),
        .init(chip: .ws2812b, hertz: 2_600_000, bytes: pulses4),
        .init(chip: .sk6812, hertz: 6_400_000, bytes: pulses8),
        .init(chip: .sk6812, hertz: 2_600_000, bytes: pulses4),
        .init(chip: .sk6812RGBW, hertz: 6_400_000, bytes: white8),
        .init(chip: .sk6812RGBW, hertz: 2_600_000, bytes: white4),
        .init(chip: .hd108, hertz: 8_000_000, bytes: sixteenBitWords),
    ]
}

@Suite("The wires of the LEDs")
struct WireTests {
    @Test("three LEDs byte by byte, by the datasheet", arguments: GoldenWire.all)
    func golden(wire: GoldenWire) throws {
        var driver = try PanelDriver(.strip(wire.chip, count: 3, hertz: wire.hertz))
        driver.drive(frame { column, _ in [RGB(0xff0000), RGB(0x00ff80), RGB.black][min(column, 2)] })
        #expect(driver.messages == [wire.bytes])
    }

    @Test("the white LED shows the common part of the colours")
    func white() throws {
        var driver = try PanelDriver(.strip(.sk6812RGBW, count: 3))
        driver.drive(frame { column, _ in [RGB.white, RGB(0xff8000), RGB(0x804060)][min(column, 2)] })
        #expect(
            try driver.shown() == [
                LEDLight(red: 0, green: 0, blue: 0, white: 255), LEDLight(red: 255, green: 128, blue: 0, white: 0),
                LEDLight(red: 64, green: 0, blue: 32, white: 64),
            ])
    }

    /// The bytes of the colour at `position` in the data of the first LED.
    private func data(_ position: Int, in message: [UInt8], of chip: LEDChip) -> [UInt8] {
        switch chip {
        case .apa102, .sk9822: [message[5 + position]]
        case .hd108: Array(message[10 + 2 * position..<12 + 2 * position])
        default: Array(message[1 + 8 * position..<9 + 8 * position])
        }
    }

    @Test(
        "the data has the colours in the configured order, which changes neither light nor current",
        arguments: LEDChip.allCases, ColourOrder.allCases)
    func order(chip: LEDChip, order: ColourOrder) throws {
        var plain = PanelConfiguration.strip(chip, count: 1)
        plain.milliamps = .init(red: 10, green: 20, blue: 30)
        var ordered = plain
        ordered.order = order
        #expect(ChannelMap(order, datasheet: chip.order).isPlain == (order == chip.order))
        let pixels: [ColourOrder.Colour: RGB] = [.red: RGB(0xff0000), .green: RGB(0x00ff00), .blue: RGB(0x0000ff)]
        for (position, colour) in order.colours.enumerated() {
            var drivers = try [PanelDriver(plain), PanelDriver(ordered)]
            let pixel = try #require(pixels[colour])
            for index in drivers.indices { drivers[index].drive(frame { _, _ in pixel }) }
            #expect(try drivers[0].shown() == drivers[1].shown())
            #expect(drivers[0].zoneAmps == drivers[1].zoneAmps)
            let datasheet = try #require(chip.order.colours.firstIndex(of: colour))
            for other in 0..<3 {
                let wanted = data(
                    other == position ? datasheet : (datasheet + 1) % 3, in: drivers[0].messages[0], of: chip)
                #expect(data(other, in: drivers[1].messages[0], of: chip) == wanted, "\(colour) at \(other)")
            }
        }
    }

    @Test("the first two colours of the data name the order")
    func firstTwo() {
        for order in ColourOrder.allCases {
            #expect(ColourOrder(order.colours[0], order.colours[1]) == order)
            #expect(order.colours.map { $0.rawValue.prefix(1).uppercased() }.joined() == order.rawValue)
        }
        #expect(ColourOrder(.red, .red) == nil)
    }

    @Test("a channel in its lowest quarter still has all its steps, at a lower brightness")
    func brightness() throws {
        // 8 of 255 is 8 · 31 = 248 steps of 7905: brightness 1 and 248. 10 is 310: brightness 2 and 155.
        var driver = try PanelDriver(.strip(.sk9822, count: 2))
        driver.drive(frame { column, _ in column == 0 ? RGB(0x080000) : RGB(0x0a0a04) })
        #expect(driver.messages[0][4..<12] == [0xe1, 0, 0, 248, 0xe2, 62, 155, 155])
    }

    static let sizes: [(LEDChip, Int, Int)] = [
        (.apa102, 1056, 4298), (.sk9822, 528, 2153), (.sk9822, 1, 13), (.sk9822, 16, 73),
        (.ws2812b, 1056, 1 + 24 * 1056 + 241), (.sk6812RGBW, 100, 1 + 32 * 100 + 241), (.hd108, 1056, 8 + 8448 + 532),
    ]

    @Test("a message has its header, its words and its trailer", arguments: sizes)
    func size(chip: LEDChip, leds: Int, bytes: Int) { #expect(chip.messageSize(leds: leds) == bytes) }

    @Test(
        "every chip has its name, its format at its own clock, and a valid dark message",
        arguments: LEDChip.allCases)
    func chips(chip: LEDChip) throws {
        #expect(LEDChip(rawValue: chip.rawValue) == chip)
        for wire in chip.wires {
            let hertz = wire.defaultHertz
            #expect(chip.wire(hertz: hertz) == wire)
            let driver = try PanelDriver(.strip(chip, count: 44, hertz: hertz))
            #expect(driver.messages[0].count == chip.messageSize(leds: 44, hertz: hertz))
            #expect(try driver.shown() == Array(repeating: .dark, count: 44))
        }
        #expect(chip.wire.isClocked == (chip.resetMicroseconds == 0))
        #expect(chip.wire.spiMode == (chip == .hd108 ? 3 : 0))
    }

    @Test("the pulses of every allowed clock are within the datasheet's times, and are decoded correctly")
    func pulseClocks() throws {
        for wire in LEDChip.ws2812b.wires {
            for hertz in [wire.hertz.lowerBound, wire.defaultHertz, wire.hertz.upperBound] {
                var driver = try PanelDriver(.strip(.ws2812b, count: 44, hertz: hertz))
                driver.drive(frame { column, _ in RGB(red: UInt8(column * 5), green: UInt8(255 - column), blue: 1) })
                let expected = (0..<44).map { LEDLight(red: $0 * 5, green: 255 - $0, blue: 1) }
                #expect(try driver.shown() == expected)
            }
        }
    }

    @Test(
        "a clock outside every format is rejected, naming the chain and the allowed clocks",
        arguments: [(LEDChip.ws2812b, 4_000_000), (.sk6812RGBW, 8_000_000), (.sk9822, 50_000_000), (.hd108, 1000)])
    func clock(chip: LEDChip, hertz: Int) {
        #expect {
            try PanelDriver(.strip(chip, count: 3, hertz: hertz))
        } throws: { error in
            guard let error = error as? PanelError else { return false }
            return error.place == "chains[0].hertz"
                && chip.wires.allSatisfy {
                    error.problem.contains("\($0.hertz.lowerBound) to \($0.hertz.upperBound)")
                }
        }
    }

    @Test("a long chain of APA102 has a slow clock, a short one a fast one, unless it is set")
    func chainClocks() {
        #expect(LEDChip.apa102.defaultHertz(leds: 1056) == 4_000_000)
        #expect(LEDChip.sk9822.defaultHertz(leds: 528) == 8_000_000)
        #expect(LEDChip.ws2812b.defaultHertz(leds: 528) == 6_400_000)
    }
}
