import Foundation
import TestTags
import Testing

@Suite("The panel commands", .tags(.live))
struct PanelCommandTests {
    @Test("panel walk prints the lit LEDs, in order, leaves none out, and ends")
    func walk() throws {
        let box = try Executable()
        defer { box.remove() }
        // Faster than frames.
        let rows = try box.run("panel", "walk", "--by", "rows", "--every", "10", "--seconds", "1", "--panel", "none")
        #expect(rows.status == 0, "\(rows.complaint)")
        let lines = rows.text.split(separator: "\n").map(String.init)
        #expect(lines == lines.indices.map { "row \($0 % 24)" } && lines.count > 24)
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
        let result = try box.run(
            "panel", "power", "--json", "--milliohms", "4", "--supply", "10", "--config", config)
        #expect(result.status == 0, "\(result.complaint)")
        let object = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
        let zones = try #require(object?["zones"] as? [[String: Any]])
        #expect(zones.compactMap { $0["firstLED"] as? Int } == [0, 528] && object?["milliohms"] as? Double == 4)
        #expect(object?["zoneAmps"] as? [Double] == [4, 4] && object?["zoneAmpsWithBoard"] as? [Double] == [2.1, 2.1])
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
        let supplied = try box.run("panel", "power", "--supply", "10", "--config", config)
        #expect(
            supplied.text.hasSuffix(
                "A supply of 10.0 A: panel.zones[].amps of 4.0 A, 4.0 A; if it feeds the board too, 2.1 A, 2.1 A.\n"))
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

    @Test("panel wiring asks where LEDs are, and prints the chains; back takes an answer back")
    func wiring() throws {
        let box = try Executable()
        defer { box.remove() }
        let answers = "green\nred red\ngreen red\n-9223372036854775808 0\n28 0\nback\n22 12\n  29,0 \n0 0\n"
        let result = try box.run("panel", "wiring", "--panel", "none", input: answers)
        #expect(result.status == 0, "\(result.complaint)")
        let first = "LED 28 of tile 0 lights: at which column and row? It can be at 15 0, 28 0, "
        let explanation = "answer with a column and a row, such as 21 0; or with back"
        let all = result.text.split(separator: "\n").map(String.init)
        let colours =
            "most of tile 0 lights in one colour, its first LEDs in another: which two? It can be red green, red blue, "
            + "green red, green blue, blue red, blue green"
        let form = "answer with two colours, such as red green; or with back"
        #expect(all.prefix(3) == [colours, form, form])
        let lines = Array(all.dropFirst(3))
        #expect(lines[0].hasPrefix(first) && lines[1] == explanation && lines[3] == lines[0] && lines[4] == explanation)
        #expect(lines[2] == "LED 44 of tile 0 lights: at which column and row? It can be at 0 1, 43 1")
        #expect(lines[5] == lines[2])
        #expect(
            lines[6...] == [
                "the wiring is known; the configuration's panel needs these lines, and no origin:", "order: \"GRB\",",
                "chains: [", "  {",
                "    device: \"/dev/spidev0.0\",", "    tiles: [",
                "      { x: 0, y: 0, columns: 44, rows: 24, serpentine: false },", "    ],", "  },", "],",
            ])
        let config = try box.file("box.json5", "{ panel: { \(lines[7...].joined(separator: "\n")) } }")
        #expect(try box.run("panel", "walk", "--seconds", "1", "--panel", "none", "--config", config).status == 0)
    }

    @Test("panel wiring asks the setup service in words, and ends without an answer")
    func wiringForTheService() throws {
        let box = try Executable()
        defer { box.remove() }
        let config = try box.file(
            "box.json5",
            """
            { panel: { chains: [
              { device: '/dev/spidev0.0', tiles: [{ x: 0, y: 0, columns: 44, rows: 12 }] },
              { device: '/dev/spidev0.1', tiles: [{ x: 0, y: 12, columns: 44, rows: 12 }] },
            ] } }
            """)
        let words = [
            "panel", "wiring", "--service", "--panel", "none", "--config", config, "--tiles", "1x2", "--chains", "2",
        ]
        let result = try box.run(words, input: "blue green\n0 12\n")
        #expect(result.status == 66 && result.complaint.contains("standard input"))
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines == [
                "panel 44 24", "leds 528", "tile 0", "tiles 2", "colours red green", "colours red blue",
                "colours green red", "colours green blue", "colours blue red", "colours blue green", "",
                "panel 44 24", "leds 528", "tile 0", "tiles 2", "place 22 6", "place 22 18", "", "unclear", "", "",
            ])
        #expect(try box.run(words + ["--seconds", "1"]).status == 66)
        for (tiles, chains, problem) in [
            ("3x5", "1", "divide evenly"), ("1x2", "3", "divide evenly"), ("2", "1", "such as 2x2"),
            ("2x2x2", "1", "such as 2x2"),
            ("2x2", "9", "1 to 8"), ("4x2", "4", "configuration has 2"),
        ] {
            let refused = try box.run("panel", "wiring", "--config", config, "--tiles", tiles, "--chains", chains)
            #expect(refused.status == 64 && refused.complaint.contains(problem), "\(refused.complaint)")
        }
    }

    private let question = "is every LED the same grey, without flicker or colour? Enter: yes; n: no\n"

    @Test("panel clock raises the clock by tenths until an answer is n, and prints the clock to configure")
    func clock() throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run("panel", "clock", "--panel", "none", input: "\nwhat\ny\nn\n")
        #expect(result.status == 0, "\(result.complaint)")
        #expect(
            result.text
                == "2.00 MHz: \(question)2.20 MHz: \(question)answer with Enter for yes, or n and Enter for no\n"
                + "2.42 MHz: \(question)2.20 MHz is right: set hertz: 1700000 in panel.chains, a fifth less for heat, for a "
                + "supply that sags, and for errors too rare to see\n")
        let full = try box.run(
            "panel", "clock", "--panel", "none", input: String(repeating: "\n", count: 60))
        #expect(full.status == 0)
        #expect(
            full.text.split(separator: "\n").last?.hasPrefix("the highest clock of the chip, 20.00 MHz, is right")
                == true)
        // The end of the input ends the search like Ctrl-C.
        let ended = try box.run("panel", "clock", "--panel", "none", input: "\n")
        #expect(ended.status == 0 && ended.text.contains("2.00 MHz is right: set hertz: 1600000"))
    }

    /// Arguments of `panel clock`, its input, its status, and its complaint's part.
    static let clockMistakes: [(arguments: [String], input: String, status: Int32, says: String)] = [
        ([], "n\n", 69, "2.00 MHz is wrong already: check the wires"),
        ([], "", 66, "no clock was judged"),
        (["--seconds", "2"], "", 64, "--seconds needs --hertz"),
        (
            ["--hertz", "50000"], "", 64,
            "--hertz is 50000, should be a whole number from 100000 to 20000000 for SK9822"
        ),
        (["--chain", "1"], "", 64, "--chain is 1, should be 0 to 0"),
        (["--panel", "terminal"], "", 64, "panel clock asks in the terminal"),
        (["--panel", "spi"], "\n", 69, "/dev/spidev0.0 does not open"),
    ]

    @Test("panel clock says in a line what it cannot do", arguments: clockMistakes)
    func clockMistake(mistake: (arguments: [String], input: String, status: Int32, says: String)) throws {
        let box = try Executable()
        defer { box.remove() }
        let panel = mistake.arguments.contains("--panel") ? [] : ["--panel", "none"]
        let result = try box.run(["panel", "clock"] + mistake.arguments + panel, input: mistake.input)
        #expect(result.status == mistake.status, "\(mistake)")
        #expect(result.complaint.contains(mistake.says), "\(result.complaint)")
    }

    @Test("panel clock refuses LEDs without a clock line, and a zone that allows too little")
    func clockConfigurations() throws {
        let box = try Executable()
        defer { box.remove() }
        let pulses = try box.file(
            "pulses.json5",
            "{ panel: { chip: 'WS2812B', chains: [{ device: '/dev/spidev0.0', "
                + "hertz: 6400000, tiles: [{ x: 0, y: 0, columns: 44, rows: 24 }] }] } }")
        let fixed = try box.run("panel", "clock", "--panel", "none", "--config", pulses)
        #expect(fixed.status == 64 && fixed.complaint.contains("the clock of WS2812B is fixed by its data sheet"))
        let weak = try box.file("weak.json5", "{ panel: { zones: [{ amps: 1.2, from: 0, count: 1056 }] } }")
        let dark = try box.run("panel", "clock", "--panel", "none", "--config", weak)
        #expect(dark.status == 78 && dark.complaint.contains("panel.zones[0].amps is 1.2, and the picture draws 1.7"))
    }

    @Test("panel clock --hertz shows one clock for --seconds, without asking")
    func oneClock() throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run("panel", "clock", "--hertz", "5000000", "--seconds", "1", "--panel", "none")
        #expect(result.status == 0, "\(result.complaint)")
        #expect(result.text == "5.00 MHz: every LED should be the same grey, without flicker or colour\n")
    }
}
