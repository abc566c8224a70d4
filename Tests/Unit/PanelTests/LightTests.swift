import Display
import Testing

@testable import Panel

@Suite("Light")
struct LightTests {
    /// The decoded light of the first row's LEDs for 44 greys or colours.
    private func shown(_ driver: inout PanelDriver, _ colour: (Int) -> RGB) throws -> [LEDLight] {
        driver.drive(frame { column, row in row == 0 ? colour(column) : .black })
        return Array(try driver.shown()[..<44])
    }

    /// Every sRGB value through a driver of `configuration`, 44 at a time.
    private func all(_ configuration: PanelConfiguration, _ colour: (UInt8) -> RGB) throws -> [LEDLight] {
        var driver = try PanelDriver(configuration)
        driver.drive(frame { column, row in row * 44 + column < 256 ? colour(UInt8(row * 44 + column)) : .black })
        let shown = try driver.shown()
        // Undo the serpentine: every second row runs backwards.
        return (0..<256).map { value in
            let (row, column) = value.quotientAndRemainder(dividingBy: 44)
            return shown[row * 44 + (row % 2 == 0 ? column : 43 - column)]
        }
    }

    @Test(
        "zero is off, full is brightness times full, and light increases with every value", arguments: LEDChip.allCases)
    func curve(chip: LEDChip) throws {
        let configuration = PanelConfiguration(chip: chip)
        let light = try all(configuration) { RGB(red: $0, green: 0, blue: 0) }.map(\.red)
        #expect(light[0] == 0)
        // Half a step of 8 bits, at a brightness of 19 of 31 for APA102.
        #expect(abs(Double(light[255]) / Double(chip.lightSteps) - 0.6) <= 0.5 / 255)
        #expect(zip(light, light.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test(
        "dark colours keep their steps: sRGB 20 to 40 are twenty-one different intensities",
        arguments: [LEDChip.sk9822, .hd108])
    func darkSteps(chip: LEDChip) throws {
        let light = try all(PanelConfiguration(chip: chip)) { RGB(red: $0, green: 0, blue: 0) }.map(\.red)
        #expect(Set(light[20...40]).count == 21)
    }

    @Test("the light decoded from the wire is the drawn one, within the chip's steps", arguments: LEDChip.allCases)
    func meter(chip: LEDChip) throws {
        let configuration = PanelConfiguration(chip: chip)
        let meter = LightMeter(configuration)
        let lights = try all(configuration) { RGB(red: $0, green: 255 - $0, blue: 60) }
        for (value, light) in lights.enumerated() {
            let read = meter.value(of: light)
            // In 8 bits, sRGB 60 is 5 steps, and a channel below 30 none.
            #expect(abs(Int(read.blue) - 60) <= (chip.lightSteps == 255 ? 8 : 4))
            if value > 60 { #expect(abs(Int(read.red) - value) <= 4) }
            if value < 195 { #expect(abs(Int(read.green) - (255 - value)) <= 4) }
        }
    }

    /// White balances and colours with channels in these proportions.
    static let tints: [ChannelValues] = [
        .init(red: 1, green: 1, blue: 1), .init(red: 1, green: 0.7, blue: 0.55), .init(red: 0.5, green: 1, blue: 0.9),
        .init(red: 0.8, green: 0.8, blue: 0.5),
    ]

    @Test(
        "greys stay grey: the three channels keep their proportions within a step, at every value and brightness",
        arguments: LEDChip.allCases)
    func greys(chip: LEDChip) throws {
        for balance in Self.tints {
            for brightness in [1, 0.6, 0.05, 0.02] {
                for rate in [0.0, 120] { try checkGreys(chip, balance, brightness, framesPerSecond: rate) }
            }
        }
    }

    private func checkGreys(
        _ chip: LEDChip, _ balance: ChannelValues, _ brightness: Double, framesPerSecond: Double
    ) throws {
        var configuration = PanelConfiguration(chip: chip)
        configuration.brightness = brightness
        configuration.whiteBalance = balance
        configuration.zones[0].amps = 100
        var driver = try PanelDriver(configuration)
        driver.framesPerSecond = framesPerSecond
        let picture = frame { column, row in RGB(0x010101 &* UInt32(min(255, row * 11 + column / 4))) }
        var isGrey = true
        for _ in 0..<(framesPerSecond == 0 ? 1 : 3) {
            driver.drive(picture)
            for (number, light) in try driver.shown().enumerated() {
                // White is balanced exactly; the colour channels of a white LED's grey are dark.
                let pixel = picture.pixels[driver.geometry.pixels[number]]
                if pixel.red == 0 { isGrey = isGrey && light == .dark }
                if chip.hasWhite { isGrey = isGrey && light.red == 0 && light.green == 0 && light.blue == 0 }
                isGrey = isGrey && keepsProportion(light, balance, step: step(of: number, driver))
            }
        }
        #expect(isGrey, "\(chip.rawValue), \(balance), brightness \(brightness), \(framesPerSecond) frames/s")
    }

    /// The smallest change of the LED's light: one step of brightness for APA102, which multiplies its channels.
    private func step(of number: Int, _ driver: PanelDriver) -> Int {
        guard [.apa102, .sk9822].contains(driver.configuration.chip) else { return 1 }
        return max(1, Int(driver.messages[0][4 + 4 * number] & 0x1f))
    }

    /// Whether the channels of `light` over the balance differ by one step or less each, and none is dark beside one of
    /// two steps or more.
    private func keepsProportion(_ light: LEDLight, _ balance: ChannelValues, step: Int) -> Bool {
        let channels = [(light.red, balance.red), (light.green, balance.green), (light.blue, balance.blue)]
        // The minimum and maximum of each channel's target at full balance.
        let least = channels.map { (Double($0.0) - Double(step)) / $0.1 }.max() ?? 0
        let most = channels.map { (Double($0.0) + Double(step)) / $0.1 }.min() ?? 0
        let isWhole = light.red == 0 || light.green == 0 || light.blue == 0
        let strongest = max(light.red, light.green, light.blue)
        return least <= most && (!isWhole || strongest < 2 * step)
    }

    @Test(
        "channels with the same target get the same light, in every frame, dithered or not", arguments: LEDChip.allCases
    )
    func equalChannels(chip: LEDChip) throws {
        var configuration = PanelConfiguration(chip: chip)
        configuration.brightness = 0.02
        var driver = try PanelDriver(configuration)
        for rate in [0.0, 200] {
            driver.framesPerSecond = rate
            for _ in 0..<8 {
                let lights = try shown(&driver) { RGB(0x010101 &* UInt32($0 * 5)) }
                #expect(lights.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
            }
        }
    }
}
