import Display
import Testing

@testable import Panel

/// A corruption of a message for 100 LEDs, and its decoding error.
private struct Damage: Sendable {
    var chip: LEDChip
    var failure: WireFailure?
    var change: @Sendable (inout [UInt8]) -> Void

    static let all: [Damage] = [
        Damage(chip: .sk9822, failure: nil) { _ in },
        Damage(chip: .sk9822, failure: .noStart) { $0[2] = 1 },
        Damage(chip: .sk9822, failure: .noStart) { $0.removeAll() },
        Damage(chip: .apa102, failure: .noMark(led: 77)) { $0[4 + 4 * 77] = 0x1f },
        Damage(chip: .apa102, failure: .tooShort) { $0.removeLast(20) },
        Damage(chip: .sk9822, failure: .noLatch) { $0[4 + 400 + 1] = 0xff },
        Damage(chip: .sk9822, failure: .tooFewClocks) { $0.removeLast() },
        Damage(chip: .ws2812b, failure: nil) { _ in },
        // The first low byte keeps an idle-high line from corrupting the first LED.
        Damage(chip: .ws2812b, failure: .noStart) { $0[0] = 0xff },
        Damage(chip: .ws2812b, failure: .noStart) { $0.removeAll() },
        // 312 and 781 ns are a 0 and a 1. 156 ns, 469 + low + high and 1094 ns, or no pulse at all, are neither.
        Damage(chip: .ws2812b, failure: .badPulse(led: 0)) { $0[1] = 0x80 },
        Damage(chip: .ws2812b, failure: .badPulse(led: 41)) { $0[1 + 24 * 41 + 5] = 0xc2 },
        Damage(chip: .ws2812b, failure: .badPulse(led: 41)) { $0[1 + 24 * 41 + 23] = 0xfe },
        Damage(chip: .ws2812b, failure: .badPulse(led: 99)) { $0[1 + 24 * 99] = 0 },
        Damage(chip: .sk6812, failure: .tooShort) { $0.removeLast(242) },
        // 240 bytes at 6.4 MHz are 300 µs.
        Damage(chip: .ws2812b, failure: nil) { $0.removeLast() },
        Damage(chip: .ws2812b, failure: .noLatch) { $0.removeLast(2) },
        Damage(chip: .sk6812RGBW, failure: .tooLong) { $0[1 + 3200] = 0xc0 },
        Damage(chip: .sk6812RGBW, failure: .badPulse(led: 3)) { $0[1 + 32 * 3 + 31] = 0 },
        Damage(chip: .hd108, failure: nil) { _ in },
        Damage(chip: .hd108, failure: .noStart) { $0[7] = 0xff },
        Damage(chip: .hd108, failure: .noMark(led: 5)) { $0[8 + 8 * 5] = 0x7f },
        Damage(chip: .hd108, failure: .tooShort) { $0.removeLast(60) },
        Damage(chip: .hd108, failure: .noLatch) { $0[8 + 800] = 0 },
        Damage(chip: .hd108, failure: .tooFewClocks) { $0.removeLast() },
    ]
}

@Suite("Decoding at the LEDs")
struct DecoderTests {
    @Test("the decoder rejects exactly the messages that chips would show wrongly", arguments: Damage.all.indices)
    func damages(index: Int) throws {
        let damage = Damage.all[index]
        var configuration = PanelConfiguration(chip: damage.chip)
        configuration.chains[0].tiles[0].missing = Set(
            (100..<1056).map { .init(column: $0 % 44, row: $0 / 44) })
        configuration.zones[0].count = 100
        let driver = try PanelDriver(configuration)
        var bytes = driver.messages[0]
        damage.change(&bytes)
        var failure: WireFailure?
        do throws(WireFailure) {
            _ = try damage.chip.decode(bytes, leds: 100, hertz: configuration.chains[0].hertz)
        } catch { failure = error }
        #expect(failure == damage.failure)
    }

    @Test("pulses for one clock are invalid at another")
    func wrongClock() throws {
        let driver = try PanelDriver(.strip(.ws2812b, count: 3))
        #expect(throws: WireFailure.wrongClock(4_000_000)) {
            try LEDChip.ws2812b.decode(driver.messages[0], leds: 3, hertz: 4_000_000)
        }
        #expect(throws: WireFailure.tooLong) {
            try LEDChip.ws2812b.decode(
                [0] + Array(repeating: 0x88, count: 36) + [0xc0], leds: 3, hertz: 2_600_000)
        }
        #expect(throws: WireFailure.badPulse(led: 0)) {
            try LEDChip.ws2812b.decode(driver.messages[0], leds: 3, hertz: 2_600_000)
        }
    }

    @Test("HD108's gains scale its channels")
    func gains() throws {
        let word: [UInt8] = [0b1_00001_00, 0b010_11111, 0xff, 0xff, 0x01, 0x00, 0x12, 0x34]
        let message = Array(repeating: 0, count: 8) + word + Array(repeating: 0xff, count: 5)
        #expect(
            try LEDChip.hd108.decode(message, leds: 1, hertz: 8_000_000) == [
                LEDLight(red: 65_535 / 31, green: 256 * 2 / 31, blue: 0x1234)
            ])
    }
}
