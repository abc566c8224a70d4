import Display
import Testing

@testable import Panel

@Suite("Tinted colours")
struct TintTests {
    /// Without those whose white LED would show a part of it.
    static let chips = LEDChip.allCases.filter { !$0.hasWhite }

    /// With light as the value's square and a balance of 1, 1/4 and 1/16, the values k, 2k and 4k have the same target
    /// in all three channels.
    @Test(
        "three channels whose light is equal after the white balance get the same, dithered, dimmed or neither",
        arguments: chips)
    func equalLight(chip: LEDChip) throws {
        for (gamma, part) in [(1.0, 0.5), (2, 0.25)] {
            for (rate, limit) in [(0.0, 1.0), (120, 1), (0, 0.02), (120, 0.02)] {
                var configuration = PanelConfiguration(chip: chip)
                configuration.gamma = gamma
                configuration.whiteBalance = .init(red: 1, green: part, blue: part * part)
                var driver = try PanelDriver(configuration)
                driver.framesPerSecond = rate
                driver.powerLimit = limit
                var isEqual = true
                for _ in 0..<8 {
                    driver.drive(
                        frame { column, row in
                            let value = UInt8(min(63, row + column))
                            return RGB(red: value, green: 2 * value, blue: 4 * value)
                        })
                    isEqual = try driver.shown().allSatisfy { $0.red == $0.green && $0.green == $0.blue } && isEqual
                }
                #expect(isEqual, "gamma \(gamma), \(rate) frames/s, power \(limit)")
                #expect(try driver.shown().contains { $0.red > 0 })
            }
        }
    }
}
