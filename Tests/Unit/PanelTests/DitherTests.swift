import Display
import Testing

@testable import Panel

@Suite("Dithering in time")
struct DitherTests {
    /// The target of red for each sRGB value, in steps of the chip.
    private func wanted(_ configuration: PanelConfiguration) -> [Double] {
        Light(configuration).red.map { Double($0) / 65_535 * Double(configuration.chip.lightSteps) }
    }

    @Test(
        "over any eight frames the mean light is within an eighth of a step of its target",
        arguments: [LEDChip.ws2812b, .sk6812, .sk6812RGBW, .apa102, .sk9822])
    func average(chip: LEDChip) throws {
        var configuration = PanelConfiguration(chip: chip)
        configuration.zones[0].amps = 100
        var driver = try PanelDriver(configuration)
        driver.framesPerSecond = 100
        let picture = frame { column, row in
            RGB(red: UInt8(min(255, row * 11 + column / 4)), green: 0, blue: 0)
        }
        let wanted = wanted(configuration)
        var frames: [[LEDLight]] = []
        for _ in 0..<19 {
            driver.drive(picture)
            frames.append(try driver.shown())
        }
        for start in 0...11 {
            var worst = 0.0
            for number in 0..<1056 {
                let value = Int(picture.pixels[driver.geometry.pixels[number]].red)
                let sum = frames[start..<start + 8].reduce(0) { $0 + $1[number].red }
                let brightness =
                    [.apa102, .sk9822].contains(chip) ? Double(driver.messages[0][4 + 4 * number] & 31) : 1
                worst = max(worst, abs(Double(sum) / 8 - wanted[value]) / max(1, brightness))
            }
            #expect(worst <= 0.125, "frames \(start) to \(start + 7)")
        }
    }

    @Test("zero and full are steady", arguments: LEDChip.allCases)
    func steady(chip: LEDChip) throws {
        var configuration = PanelConfiguration(chip: chip)
        configuration.brightness = 1
        configuration.zones[0].amps = 100
        var driver = try PanelDriver(configuration)
        driver.framesPerSecond = 1000
        let picture = frame { column, row in
            [RGB.black, .white, RGB(0xff0000), RGB(0x00ff00)][(column + row) % 4]
        }
        driver.drive(picture)
        let first = driver.messages
        for _ in 0..<16 {
            driver.drive(picture)
            let isSteady = driver.messages == first
            #expect(isSteady)
        }
    }

    @Test("it needs 100 frames a second, a fraction of a step, and the setting")
    func condition() throws {
        /// The different messages of eight frames.
        func messages(_ rate: Double, dither: Bool = true) throws -> Int {
            var configuration = PanelConfiguration(chip: .ws2812b)
            configuration.dither = dither
            var driver = try PanelDriver(configuration)
            driver.framesPerSecond = rate
            let picture = frame { _, _ in RGB(0x404040) }
            var messages: Set<[[UInt8]]> = []
            for _ in 0..<8 {
                driver.drive(picture)
                messages.insert(driver.messages)
            }
            return messages.count
        }
        #expect(try messages(0) == 1)
        #expect(try messages(99.9) == 1)
        #expect(try messages(100) > 1)
        #expect(try messages(100, dither: false) == 1)
    }

    @Test("neighbours do not blink together: with a grey at half a step, about half of the LEDs are on in every frame")
    func unison() throws {
        var configuration = PanelConfiguration.strip(.ws2812b, count: 44)
        configuration.dither = true
        configuration.brightness = 0.5 / 255
        var driver = try PanelDriver(configuration)
        driver.framesPerSecond = 120
        for _ in 0..<8 {
            driver.drive(frame { _, _ in .white })
            let lit = try driver.shown().count { $0.red > 0 }
            #expect((20...24).contains(lit))
        }
    }
}
