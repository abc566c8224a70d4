import Formats
import Panel
import Testing

@Suite("A wiring as a configuration's text")
struct WiringTextTests {
    @Test("read again it gives the same order and chains, whatever differs from the defaults")
    func same() throws {
        var panel = PanelConfiguration()
        panel.order = .grb
        panel.zones = [.init(amps: 8, from: 0, count: 1054)]
        var turned = PanelConfiguration.Tile(x: 0, y: 0, columns: 24, rows: 22)
        turned.rotation = .quarter
        (turned.first, turned.along, turned.serpentine) = (.bottomLeft, .columns, false)
        turned.missing = [.init(column: 3, row: 1), .init(column: 2, row: 0)]
        panel.chains = [
            .init(device: "/dev/spidev0.0", hertz: 1_234_567, tiles: [turned]),
            .init(
                device: "/dev/spi\"x", hertz: panel.chip.defaultHertz(leds: 528),
                tiles: [.init(x: 22, y: 0, columns: 22, rows: 12), .init(x: 22, y: 12, columns: 22, rows: 12)]),
        ]
        let text = panel.wiringText
        let document = "{ panel: { \(text) zones: [{ amps: 8, from: 0, count: 1054 }] } }"
        #expect(try Configuration(parsing: Array(document.utf8)).panel == panel)
        #expect(text.contains("missing: [[2, 0], [3, 1]]"))
        #expect(text.contains("      { x: 22, y: 0, columns: 22, rows: 12 },"))
        #expect(text.split(separator: "\n").count { $0.contains("hertz") } == 1)
    }
}
