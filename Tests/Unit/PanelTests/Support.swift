import Display
import TestSupport

@testable import Panel

/// A frame of 44 × 24 with this colour for the LED at column, row.
func frame(_ colour: (Int, Int) -> RGB) -> Frame {
    var frame = Frame(columns: 44, rows: 24)
    for row in 0..<24 { for column in 0..<44 { frame[column, row] = colour(column, row) } }
    return frame
}

extension RGB {
    static func random(using random: inout SplitMix) -> RGB {
        RGB(UInt32.random(in: 0...0xffffff, using: &random))
    }
}

extension PanelConfiguration {
    /// A panel with only the first `count` LEDs of its first row, at full brightness and gamma 1: a channel's target is
    /// its value.
    static func strip(_ chip: LEDChip, count: Int, hertz: Int? = nil) -> PanelConfiguration {
        var configuration = PanelConfiguration(chip: chip)
        configuration.brightness = 1
        configuration.gamma = 1
        configuration.dither = false
        for row in 0..<24 {
            for column in 0..<44 where row > 0 || column >= count {
                configuration.chains[0].tiles[0].missing.insert(.init(column: column, row: row))
            }
        }
        configuration.chains[0].hertz = hertz ?? chip.defaultHertz(leds: count)
        configuration.zones = [.init(amps: 100, from: 0, count: count)]
        return configuration
    }
}

extension PanelDriver {
    /// The light of the LEDs of all chains after the messages, in order of their numbers, decoded from the bytes.
    func shown() throws(WireFailure) -> [LEDLight] {
        var lights: [LEDLight] = []
        for (index, chain) in geometry.chains.enumerated() {
            lights += try configuration.chip.decode(
                messages[index], leds: chain.count, hertz: configuration.chains[index].hertz,
                order: configuration.order)
        }
        return lights
    }
}
