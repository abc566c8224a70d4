import Display
import Instrument
import Panel
import Testing

@testable import Replay

@Suite("The simulated panel")
struct SimulatedPanelTests {
    @Test("it decodes the messages of any chip, on several chains and in any tiles", arguments: LEDChip.allCases)
    func chips(chip: LEDChip) throws {
        var configuration = PanelConfiguration(columns: 46, chip: chip)
        configuration.whiteBalance = ChannelValues(red: 1, green: 0.8, blue: 0.7)
        configuration.zones[0].amps = 100
        var turned = PanelConfiguration.Tile(x: 0, y: 12, columns: 12, rows: 46)
        turned.rotation = .threeQuarters
        configuration.chains = [
            .init(
                device: "a", hertz: chip.defaultHertz(leds: 552), tiles: [.init(x: 0, y: 0, columns: 46, rows: 12)]),
            .init(device: "b", hertz: chip.wires[chip.wires.count - 1].defaultHertz, tiles: [turned]),
        ]
        var frame = Frame(columns: 46, rows: 24)
        for row in 0..<24 {
            for column in 0..<46 {
                frame[column, row] = RGB(
                    red: UInt8(100 + column * 3), green: UInt8(255 - row * 6), blue: UInt8(128 + column))
            }
        }
        var driver = try PanelDriver(configuration)
        let panel = try SimulatedPanel(configuration)
        driver.drive(frame)
        for (chain, message) in driver.messages.enumerated() { try panel.send(message, chain: chain, at: .zero) }
        let shown = panel.pixels
        var worst = 0
        for (index, colour) in frame.pixels.enumerated() {
            let channels = [colour.red, colour.green, colour.blue]
            for (offset, value) in channels.enumerated() {
                worst = max(worst, abs(Int(shown[3 * index + offset]) - Int(value)))
            }
        }
        // Half a step of 8 bits at sRGB 100 is 2 values; the brightness of 0.7 of blue makes it 3.
        #expect(worst <= 4)
        #expect(panel.bytes == driver.messages.reduce(0) { $0 + $1.count })
    }

    @Test("it rejects bytes that its chips would not show")
    func refusal() throws {
        let configuration = PanelConfiguration(chip: .ws2812b)
        let panel = try SimulatedPanel(configuration)
        var message = try PanelDriver(configuration).messages[0]
        message[1] = 0xff
        let spoilt = message
        #expect(throws: WireFailure.badPulse(led: 0)) { try panel.send(spoilt, chain: 0, at: .zero) }
        #expect(panel.bytes == 0)
    }
}
