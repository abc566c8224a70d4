import Foundation
import Testing

@Suite("The panel commands")
struct PanelCommandTests {
    @Test("panel walk prints the lit LEDs, in order, and ends")
    func walk() throws {
        let box = try Executable()
        defer { box.remove() }
        let rows = try box.run("panel", "walk", "--by", "rows", "--every", "40", "--seconds", "1", "--panel", "none")
        #expect(rows.status == 0, "\(rows.complaint)")
        let lines = rows.text.split(separator: "\n").map(String.init)
        #expect(lines.first == .some("row 0"))
        // A busy machine may skip one.
        let numbers = lines.compactMap { Int($0.dropFirst(4)) }
        #expect(numbers.count == lines.count && numbers.count > 12)
        #expect(zip(numbers, numbers.dropFirst()).count { $1 == ($0 + 1) % 24 } > numbers.count / 2)
        let leds = try box.run("panel", "walk", "--seconds", "1", "--panel", "none")
        #expect(leds.text.hasPrefix("LED 0: chain 0, tile 0, column 0, row 0\n"))
    }

    @Test("panel test shows every picture in turn, or the named one")
    func pictures() throws {
        let box = try Executable()
        defer { box.remove() }
        let turns = try box.run("panel", "test", "--seconds", "4", "--panel", "none")
        #expect(turns.text == "red\ngreen\n")
        let one = try box.run("panel", "test", "--picture", "bar", "--seconds", "1", "--panel", "none")
        #expect(one.status == 0 && one.text == "bar\n")
    }

    @Test("without LEDs panel off fails with one line that names the fix")
    func off() throws {
        let box = try Executable()
        defer { box.remove() }
        let config = try box.file(
            "box.json5",
            "{ panel: { chains: [{ device: '/dev/none', tiles: [{ x: 0, y: 0, columns: 44, rows: 24 }] }] } }")
        let result = try box.run("panel", "off", "--panel", "spi", "--config", config)
        #expect(result.status == 69)
        #expect(result.complaint.contains("/dev/none does not open"))
        #expect(result.complaint.contains(/panel\.chains|dtparam=spi=on/))
        #expect(result.complaint.split(separator: "\n").count == 1)
        let file = try box.file("notes.txt", "")
        let other = try box.file(
            "other.json5",
            "{ panel: { chains: [{ device: '\(file)', tiles: [{ x: 0, y: 0, columns: 44, rows: 24 }] }] } }")
        let plain = try box.run("panel", "off", "--panel", "spi", "--config", other)
        #expect(plain.status == 69 && plain.complaint.contains("is no SPI device"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty)
    }

    @Test("panel power --json prints the same plan as an object; other subcommands refuse it")
    func powerAsJSON() throws {
        let box = try Executable()
        defer { box.remove() }
        let config = try box.file(
            "config.json5",
            "{ panel: { zones: [{ amps: 8, from: 0, count: 528 }, { amps: 8, from: 528, count: 528 }] } }")
        let result = try box.run("panel", "power", "--json", "--milliohms", "4", "--config", config)
        #expect(result.status == 0, "\(result.complaint)")
        let object = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
        let zones = try #require(object?["zones"] as? [[String: Any]])
        #expect(zones.compactMap { $0["firstLED"] as? Int } == [0, 528] && object?["milliohms"] as? Double == 4)
        let typical = zones.compactMap { $0["typicalAmps"] as? Double }
        let white = zones.compactMap { $0["whiteAmps"] as? Double }
        #expect(typical.count == 2 && zip(typical, white).allSatisfy { 0 < $0 && $0 < $1 })
        #expect(try box.run("panel", "off", "--json").status == 64)
    }

    @Test("panel power prints each zone's current, fuse and feeds, and the supply")
    func power() throws {
        let box = try Executable()
        defer { box.remove() }
        let config = try box.file(
            "box.json5",
            "{ panel: { brightness: 1, zones: [{ amps: 3, from: 0, count: 528 }, { amps: 31, from: 528, count: 528 }] } }"
        )
        let result = try box.run("panel", "power", "--milliohms", "4", "--config", config)
        #expect(result.status == 0, "\(result.complaint)")
        let rows = result.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        try #require(rows.count == 6, "\(result.text)")
        // 528 LEDs of 1 mA dark and 55 mA white; 3 A is three quarters of 4 A, and there is no fuse for 31 A.
        let typical = rows[1][4]
        #expect(rows[1] == ["0", "0-527", "0.53", "A", typical, "A", "29.04", "A", "3.00", "A", "4.0", "A", "7"])
        #expect((0.6..<3).contains(Double(typical) ?? 0))
        #expect(rows[2][6...] == ["29.04", "A", "31.00", "A", "divide", "7"])
        #expect(rows[3][..<4] == ["all", "1056", "1.06", "A"])
        #expect(result.text.contains("at most 95 LEDs apart, with 4.0 mΩ between LEDs"))
        // 34 A is four fifths of 42.5 A.
        #expect(result.text.contains("Supply: 5 V, at least 42.5 A (213 W) for the LEDs"))
    }

    @Test("run with missing LEDs reports them, plays on, and ends cleanly")
    func missing() throws {
        let box = try Executable()
        defer { box.remove() }
        let words = "pixelboop: panel: /dev/spidev0.0 does not open"
        let result = try box.runUntil(words, ["run", "--panel", "spi", "--audio", "none"])
        #expect(result.complaint.contains(words), "\(result.complaint)")
        #expect(result.ranOn && result.status == 0)
    }
}
