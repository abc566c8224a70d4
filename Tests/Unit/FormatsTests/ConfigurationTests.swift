import Documents
import Formats
import Instrument
import Panel
import TestSupport
import Testing

@Suite("Configurations")
struct ConfigurationTests {
    /// The defaults, and lines of a GPIO chip.
    static let example = """
        {
          panel: {
            columns: 44, chip: "SK9822", brightness: 0.6, gamma: 2.4, whiteBalance: [1, 1, 1], dither: true,
            flashGuard: true, origin: "topLeft", heat: { sensor: null, dimFrom: 60, dimTo: 75 },
            milliamps: { red: 18, green: 18, blue: 18, white: 18, standby: 1 },
            zones: [ { amps: 8, from: 0, count: 1056 } ],
            chains: [ { device: "/dev/spidev0.0", hertz: 4000000,
                        tiles: [ { x: 0, y: 0, columns: 44, rows: 24, first: "topLeft", along: "rows", serpentine: true,
                                   missing: [] } ] } ],
          },
          touch: { device: null, matrix: [1, 0, 0, 0, 1, 0] },  // a comment
          audio: { device: "default", rate: 48000, period: 128, periods: 3, priority: 75, core: null, volume: 0.8 },
          gpio: { chip: null, ledEnable: null, outputEnable: null, statusLed: null, fault: null, play: null, shift: null, power: null,
                  clockIn: null, resetIn: null, runIn: null, clockOut: null,
                  tempo: null, volume: null, activeLow: ["fault", "play", "shift", "power"], debounceMilliseconds: 5, detent: 4,
                  shutdownCommand: "automatic" },
          sync: { source: "internal", clockPerQuarter: 2, linkTransport: false, pulse: "off", pulsesPerQuarter: 2, pulseMilliseconds: 15, pulseLevel: 100 },
          midi: { enabled: true, raw: true, ports: null, clock: null, launchpads: true, uart: null, channels: { melody: 1, chords: 2, bass: 3, rhythm: 10, mpe: false },
                  outputDelay: 0 },
          walls: [],
          lightIn: [],
          grid: null,
          osc: null,
          rules: "box",
          library: null,
          listen: "127.0.0.1:4424",
        }
        """

    @Test("a file with every key at its default, and an empty one, are the defaults")
    func defaults() throws {
        #expect(try Configuration(parsing: Array(Self.example.utf8)) == Configuration())
        #expect(try Configuration(parsing: Array("{}".utf8)) == Configuration())
        #expect(try Configuration(parsing: Array("\n// nothing yet\n".utf8)) == Configuration())
    }

    @Test("a panel of 46 or 50 columns has a chain and a zone to match", arguments: [46, 50])
    func columns(columns: Int) throws {
        let configuration = try Configuration(parsing: Array("{panel: {columns: \(columns)}}".utf8))
        #expect(configuration.panel.chains[0].length == columns * 24)
        #expect(configuration.panel.zones[0].count == columns * 24)
    }

    static let written: [String] = [
        "{osc: {interface: 'wlan0', port: 9000}}",
        "{grid: {interface: 'lo', size: '16x16', port: 1}}",
        "{lightIn: [{interface: 'lo'}, {interface: 'lo', protocol: 'sacn', universe: 63993}, {interface: 'lo', protocol: 'artnet', universe: 0, port: 1}]}",
        "{walls: [{address: '10.0.0.1'}, {protocol: 'sacn', universe: 63999, columns: 2, rows: 85, stage: 'lit', rate: 44}]}",
        "{walls: [{protocol: 'artnet', address: '10.0.0.1', universe: 0, port: 9, interface: 'lo', brightness: 0.5, tiles: [{x: 1, y: 2, columns: 3, rows: 4}]}]}",
        "{}", example, "{panel: {columns: 46, origin: 'bottomRight'}}",
        "{panel: {chip: 'WS2812B', order: 'BRG', dither: false, flashGuard: false}}",
        "{panel: {screen: {automatic: true, connector: 'DSI-1', rotation: 270, blankMinutes: 10}}}",
        "{panel: {chip: 'SK6812RGBW', milliamps: {white: 11.5}}}",
        """
        {panel: {columns: 50, chip: 'HD108', chains: [
          {device: 'a', tiles: [{x: 0, y: 0, columns: 24, rows: 50, rotation: 270}]}]}}
        """,
        """
        {
          panel: {
            brightness: 0.25, gamma: 2.2, whiteBalance: [1, 0.9, 0.8], milliamps: { red: 17.5, standby: 0.5 },
            heat: { sensor: "lm75", dimFrom: 40, dimTo: 55 },
            zones: [{ amps: 9.5, from: 0, count: 500 }, { amps: 4, from: 500, count: 555 }],
            chains: [{ device: "/dev/spidev1.0", hertz: 8000000, tiles: [
              { x: 0, y: 0, columns: 22, rows: 24, first: "bottomRight", along: "columns", missing: [[3, 4]] },
              { x: 22, y: 0, columns: 22, rows: 24, serpentine: false } ] }],
          },
          touch: { device: "1234:5678", matrix: [0, 1, 0, -1, 0, 1] },
          audio: { device: "hw:1", rate: 96000, period: 64, periods: 2, priority: 0, core: 3, volume: 0.5 },
          gpio: { chip: "pinctrl-rp1", ledEnable: 17, outputEnable: "OE", statusLed: 511, fault: 16, play: 0, power: "GPIO3",
                  tempo: [5, 6], volume: ["A", "B"], activeLow: ["outputEnable", "power"], debounceMilliseconds: 0,
                  detent: 1, shutdownCommand: null },
          sync: { source: "clock", clockPerQuarter: 48, linkTransport: true, pulse: 4, pulsesPerQuarter: 24, pulseMilliseconds: 5, pulseLevel: 90 },
          midi: { enabled: false, raw: false, ports: ["Keystation", "A B"], clock: "A B",
                  launchpads: false, uart: "/dev/ttyAMA0", channels: { melody: 16, chords: null, bass: 1 }, outputDelay: -12.5 },
          rules: "phone", library: "/tmp/\\"x\\"", listen: "localhost:80", pageAddress: "https://box.example.org/a/",
          siteAddress: "https://example.org/pixelboop/",
        }
        """,
    ]

    @Test("a written configuration reads back equal", arguments: written)
    func writing(text: String) throws {
        let configuration = try Configuration(parsing: Array(text.utf8))
        let json = configuration.json.text(pretty: true)
        #expect(try Configuration(parsing: Array(json.utf8)) == configuration)
    }

    @Test(
        "a message is one short line, for any keys",
        arguments: [
            ("a\\rb", "a\\u{d}b: is not a key"), ("\\u001b[2J", "\\u{1b}[2J: is not a key"),
            ("\\u2028x", "\\u{2028}x: is not a key"), ("\\u202ex", "\\u{202e}x: is not a key"),
            (String(repeating: "k", count: 5000), String(repeating: "k", count: 69) + "…: is not a key"),
        ])
    func strangeKey(key: String, says: String) throws {
        let error = try #require(
            thrown(FormatError.self) { _ = try Configuration(parsing: Array("{\"\(key)\": 1}".utf8)) })
        #expect(error.description.contains(says), "\(error)")
        #expect(error.description.count < 300)
        #expect(error.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }

    @Test("lines are numbers or names, and others are not wired")
    func gpio() throws {
        let text = """
            {gpio: {ledEnable: 17, outputEnable: 'OE', play: 5, tempo: [22, 'GPIO23'], activeLow: ['outputEnable'],
                    debounceMilliseconds: 8, detent: 2, shutdownCommand: []}}
            """
        let settings = try Configuration(parsing: Array(text.utf8)).gpio
        var expected = Configuration.GPIOSettings()
        expected.ledEnable = .number(17)
        expected.outputEnable = .name("OE")
        expected.play = .number(5)
        expected.tempo = .init(a: .number(22), b: .name("GPIO23"))
        expected.activeLow = [.outputEnable]
        expected.debounceMilliseconds = 8
        expected.detent = 2
        expected.shutdown = .command([])
        #expect(settings == expected)
        #expect(settings[.shift] == nil && settings[.ledEnable] == .number(17))
    }

    @Test("the audio thread's core is a number or null")
    func core() throws {
        #expect(try Configuration(parsing: Array("{audio: {core: 3}}".utf8)).audio.core == 3)
        #expect(try Configuration(parsing: Array("{audio: {core: null}}".utf8)).audio.core == nil)
    }

    @Test("the rules are those of the box or the phone, and another word is one clear error")
    func rules() throws {
        #expect(try Configuration(parsing: Array("{}".utf8)).rules == .box)
        #expect(try Configuration(parsing: Array("{rules: 'phone'}".utf8)).rules == .phone)
        let refusal = error { () throws(FormatError) in
            _ = try Configuration(parsing: Array("{\n rules: 'Phone'}".utf8))
        }
        #expect(refusal?.description == "line 2: rules: is \"Phone\", should be one of box, phone")
    }

    @Test("a chain without a clock has its chip's, the faster one if it is short")
    func clocks() throws {
        func hertz(_ panel: String) throws -> [Int] {
            try Configuration(parsing: Array("{panel: {\(panel)}}".utf8)).panel.chains.map(\.hertz)
        }
        let halves = """
            chains: [{device: 'a', tiles: [{x: 0, y: 0, columns: 44, rows: 12}]},
              {device: 'b', tiles: [{x: 0, y: 12, columns: 44, rows: 12}]}]
            """
        #expect(try hertz("chip: 'APA102'") == [4_000_000])
        #expect(try hertz("chip: 'APA102', \(halves)") == [8_000_000, 8_000_000])
        #expect(try hertz("chip: 'WS2812B'") == [6_400_000])
        #expect(try hertz("chip: 'SK6812', \(halves)") == [6_400_000, 6_400_000])
        #expect(try hertz("columns: 50, chip: 'HD108'") == [8_000_000])
    }

    static let lines: [(String, String)] = [
        ("{panel: {\n  chip: 'SK9822',\n  gamma:\n 9}}", "line 3: panel.gamma: is 9"),
        ("{\n// comment\n panel: {zones: [\n{amps: 1,\n from: 0, count: 1056}]}}", "line 4: panel.zones[0].amps: is 1"),
        // A missing key is reported at the line of its parent.
        ("{\n panel: {\n zones: [\n {amps: 8, from: 0}]}}", "line 4: panel.zones[0].count: is missing"),
        (
            "{panel: {\n chains: [{\n device: 'a', tiles: [\n{x: 0, y: 0, columns: 44, rows: 24,\n rotation: 90}]}]}}",
            "line 4: panel.chains[0].tiles[0]: reaches from"
        ),
        (
            "{panel: {\n chip: 'HD108',\n chains: [{device: 'a',\n hertz: 50000000, tiles: [\n{x: 0, y: 0, columns: 44, rows: 24}]}]}}",
            "line 4: panel.chains[0].hertz: is 50000000"
        ),
        ("{\n\n colour: 1}", "line 3: colour: is not a key"), ("[]", "is a list"),
        ("{\n panel: }", "line 2, column 9: found '}'"),
    ]

    @Test("a message names the line", arguments: lines)
    func names(text: String, start: String) {
        let refusal = error { () throws(FormatError) in _ = try Configuration(parsing: Array(text.utf8)) }
        let message = refusal.map(\.description) ?? "nothing"
        #expect(message.hasPrefix(start))
    }

    static let refusals: [(String, String)] = [
        ("{panel: {order: 'RGBW'}}", "panel.order"), ("{panel: {order: 'grb'}}", "panel.order"),
        ("{panel: {dither: 1}}", "panel.dither"), ("{panel: {origin: 'left'}}", "panel.origin"),
        ("{panel: {flashGuard: 'on'}}", "panel.flashGuard"),
        ("{panel: {screen: null}}", "panel.screen"), ("{panel: {screen: {turn: 90}}}", "panel.screen.turn"),
        ("{panel: {screen: {automatic: 'yes'}}}", "panel.screen.automatic"),
        ("{panel: {screen: {connector: ''}}}", "panel.screen.connector"),
        ("{panel: {screen: {connector: 'DSI\\u00071'}}}", "panel.screen.connector"),
        ("{panel: {screen: {rotation: 45}}}", "panel.screen.rotation"),
        ("{panel: {screen: {blankMinutes: 1441}}}", "panel.screen.blankMinutes"),
        ("{panel: {milliamps: {white: -1}}}", "panel.milliamps.white"),
        (
            "{panel: {chains: [{device: 'a', tiles: [{x: 0, y: 0, columns: 44, rows: 24, rotation: 45}]}]}}",
            "panel.chains[0].tiles[0].rotation"
        ),
        ("{panel: {chains: [{device: 'a', tiles: [{x: 0, y: 0, columns: 44, rows: 23}]}]}}", "panel.chains"),
        (
            "{panel: {chip: 'WS2812B', chains: [{device: 'a', hertz: 4000000, tiles: [{x: 0, y: 0, columns: 44, rows: 24}]}]}}",
            "panel.chains[0].hertz"
        ),
        ("{colour: 1}", "colour"), ("{panel: {brightness: 1.1}}", "panel.brightness"),
        ("{panel: {columns: 45}}", "panel.columns"),
        ("{panel: {chip: 'WS2811'}}", "panel.chip"), ("{panel: {gama: 2}}", "panel.gama"),
        ("{panel: {whiteBalance: [1, 1]}}", "panel.whiteBalance"),
        ("{panel: {milliamps: {red: -1}}}", "panel.milliamps.red"),
        ("{panel: {zones: [{amps: 1, from: 0, count: 1056}]}}", "panel.zones[0].amps"),
        ("{panel: {zones: [{amps: 8, from: 0, count: 1000}]}}", "panel.zones"), ("{panel: {zones: []}}", "panel.zones"),
        ("{panel: {zones: [{amps: 8, from: 0}]}}", "panel.zones[0].count"),
        (
            "{panel: {chains: [{device: 'a', tiles: [{x: 1, y: 0, columns: 44, rows: 24}]}]}}",
            "panel.chains[0].tiles[0]"
        ),
        (
            "{panel: {chains: [{device: 'a', tiles: [{x: 0, y: 0, columns: 4, rows: 2, first: 'left'}]}]}}",
            "panel.chains[0].tiles[0].first"
        ),
        ("{panel: {chains: [{device: 'a', hertz: 5, tiles: []}]}}", "panel.chains[0].tiles"),
        ("{panel: {heat: {sensor: ''}}}", "panel.heat.sensor"),
        ("{panel: {heat: {sensor: 'a/b'}}}", "panel.heat.sensor"),
        ("{panel: {heat: {dimFrom: 75}}}", "panel.heat"), ("{panel: {heat: {dimTo: 121}}}", "panel.heat.dimTo"),
        ("{panel: {heat: {dimAt: 50}}}", "panel.heat.dimAt"), ("{gpio: {fault: 600}}", "gpio.fault"),
        ("{touch: {matrix: [1, 0, 0, 0, 1]}}", "touch.matrix"),
        ("{touch: {matrix: [1, 1, 0, 2, 2, 0]}}", "touch.matrix"),
        ("{audio: {rate: 22050}}", "audio.rate"), ("{audio: {period: 8}}", "audio.period"),
        ("{audio: {volume: 'x'}}", "audio.volume"), ("{audio: {core: -1}}", "audio.core"),
        ("{audio: {core: 1024}}", "audio.core"), ("{audio: {core: 'x'}}", "audio.core"),
        ("{audio: {device: ''}}", "audio.device"), ("{audio: {device: 'hw:\\u0007'}}", "audio.device"),
        ("{audio: {device: '\(String(repeating: "h", count: 256))'}}", "audio.device"),
        ("{gpio: {tempo: [1]}}", "gpio.tempo"), ("{gpio: {play: true}}", "gpio.play"), ("{gpio: {led: 1}}", "gpio.led"),
        ("{gpio: {chip: 0}}", "gpio.chip"), ("{gpio: {chip: ''}}", "gpio.chip"),
        ("{gpio: {play: 512}}", "gpio.play"), ("{gpio: {play: -1}}", "gpio.play"),
        ("{gpio: {shift: ''}}", "gpio.shift"),
        ("{gpio: {tempo: 5}}", "gpio.tempo"), ("{gpio: {volume: [5, null]}}", "gpio.volume[1]"),
        ("{gpio: {play: 5, power: 5}}", "gpio.power"), ("{gpio: {play: 'X', tempo: [1, 'X']}}", "gpio.tempo[1]"),
        ("{gpio: {volume: [7, 7]}}", "gpio.volume[1]"), ("{gpio: {activeLow: ['tempo']}}", "gpio.activeLow[0]"),
        ("{gpio: {activeLow: 'play'}}", "gpio.activeLow"), ("{gpio: {detent: 3}}", "gpio.detent"),
        ("{gpio: {debounceMilliseconds: 101}}", "gpio.debounceMilliseconds"),
        ("{gpio: {debounceMilliseconds: 1.5}}", "gpio.debounceMilliseconds"),
        ("{gpio: {shutdownCommand: 'off'}}", "gpio.shutdownCommand"),
        ("{gpio: {shutdownCommand: ['a', 1]}}", "gpio.shutdownCommand[1]"),
        ("{gpio: {shutdownCommand: ['']}}", "gpio.shutdownCommand"),
        ("{sync: {source: 'usb'}}", "sync.source"), ("{sync: {clockPerQuarter: 3}}", "sync.clockPerQuarter"),
        ("{sync: {pulse: 'right'}}", "sync.pulse"), ("{sync: {pulse: 2}}", "sync.pulse"),
        ("{sync: {pulseLevel: 101}}", "sync.pulseLevel"),
        ("{sync: {pulseMilliseconds: 0}}", "sync.pulseMilliseconds"), ("{sync: {tempo: 1}}", "sync.tempo"),
        ("{gpio: {clockIn: 5, play: 5}}", "gpio.clockIn"),
        ("{rules: 'web'}", "rules"), ("{rules: null}", "rules"), ("{rules: 1}", "rules"), ("{rules: ['box']}", "rules"),
        ("{midi: true}", "midi"), ("{midi: {port: 'a'}}", "midi.port"), ("{midi: {ports: []}}", "midi.ports"),
        ("{midi: {ports: ['']}}", "midi.ports[0]"), ("{midi: {clock: ''}}", "midi.clock"),
        ("{midi: {uart: 'ttyAMA0'}}", "midi.uart"),
        ("{midi: {channels: {bass: 0}}}", "midi.channels.bass"),
        ("{midi: {channels: {drums: 9}}}", "midi.channels.drums"),
        ("{midi: {channels: {bass: 17}}}", "midi.channels.bass"), ("{midi: {channels: {bass: 1}}}", "midi.channels"),
        ("{midi: {channels: {mpe: 1}}}", "midi.channels.mpe"),
        ("{midi: {channels: {mpe: true, bass: 11}}}", "midi.channels"),
        ("{midi: {controllers: {drums: {}}}}", "midi.controllers.drums"),
        ("{midi: {controllers: {bass: {drive: 3}}}}", "midi.controllers.bass.drive"),
        ("{midi: {controllers: {bass: {pan: 64}}}}", "midi.controllers.bass.pan"),
        ("{midi: {controllers: {bass: {pan: 120}}}}", "midi.controllers.bass.pan"),
        ("{midi: {controllers: {bass: {pan: 74}}}}", "midi.controllers.bass"),
        ("{midi: {outputDelay: 51}}", "midi.outputDelay"), ("{midi: {enabled: 1}}", "midi.enabled"),
        ("{osc: {}}", "osc.interface"), ("{osc: {interface: 'lo', port: 0}}", "osc.port"),
        ("{grid: {}}", "grid.interface"), ("{grid: {interface: 'lo', size: '8x8'}}", "grid.size"),
        ("{grid: {interface: 'lo', port: 65535}}", "grid.port"), ("{grid: []}", "grid"),
        ("{lightIn: [{}]}", "lightIn[0].interface"), ("{lightIn: [{interface: ''}]}", "lightIn[0].interface"),
        ("{lightIn: [{interface: 'lo', universe: 2}]}", "lightIn[0].universe"),
        ("{lightIn: [{interface: 'lo', protocol: 'sacn', universe: 63994}]}", "lightIn[0].universe"),
        ("{lightIn: [{interface: 'lo', address: '10.0.0.1'}]}", "lightIn[0].address"),
        ("{walls: {}}", "walls"), ("{walls: [{}]}", "walls[0].address"),
        ("{walls: [{address: 'wled'}]}", "walls[0].address"),
        ("{walls: [{address: '10.0.0.01'}]}", "walls[0].address"),
        ("{walls: [{protocol: 'osc'}]}", "walls[0].protocol"),
        ("{walls: [{address: '1.2.3.4', rate: 61}]}", "walls[0].rate"),
        ("{walls: [{protocol: 'sacn', rate: 45}]}", "walls[0].rate"),
        ("{walls: [{protocol: 'sacn', universe: 0}]}", "walls[0].universe"),
        ("{walls: [{protocol: 'sacn', universe: 63999}]}", "walls[0].universe"),
        ("{walls: [{protocol: 'sacn', interface: 'a/b'}]}", "walls[0].interface"),
        ("{walls: [{protocol: 'sacn', columns: 257}]}", "walls[0].columns"),
        ("{walls: [{protocol: 'sacn', columns: 256, rows: 256}]}", "walls[0].tiles"),
        ("{walls: [{protocol: 'sacn', tiles: [{x: 40, y: 0, columns: 5, rows: 1}]}]}", "walls[0].tiles[0]"),
        ("{walls: [{protocol: 'sacn', stage: 'raw'}]}", "walls[0].stage"),
        ("{walls: [{protocol: 'sacn', port: 0}]}", "walls[0].port"), ("{walls: [{colour: 1}]}", "walls[0].colour"),
        ("{listen: 4424}", "listen"), ("{library: 1}", "library"), ("[]", ""), ("{\n  panel: }", "line 2, column 10"),
    ]

    @Test("an unknown key or an invalid value is rejected by path", arguments: refusals)
    func refuses(text: String, place: String) {
        let bytes = Array(text.utf8)
        #expect(error { () throws(FormatError) in _ = try Configuration(parsing: bytes) }?.place == place)
    }

    @Test(
        "an address to listen at, and a library, are checked where they stand",
        arguments: [
            (
                "{\n listen: 'http://127.0.0.1:4600/' }",
                "line 2: listen: is \"http://127.0.0.1:4600/\", should be an IPv4 address and a port"
            ),
            ("{ listen: '127.0.0.1' }", "line 1: listen: "), ("{ listen: '127.0.0.1:x' }", "line 1: listen: "),
            ("{ listen: '127.0.0.1:70000' }", "line 1: listen: "), ("{ listen: ':4424' }", "line 1: listen: "),
            ("{ listen: '300.0.0.1:1' }", "line 1: listen: "), ("{ listen: '224.0.0.1:4499' }", "line 1: listen: "),
            ("{ listen: 5 }", "line 1: listen: "),
            ("{ library: '~/music.pixelboop' }", "line 1: library: begins with ~, which only a shell understands"),
            (
                "{ pageAddress: 'box.example.org' }",
                "line 1: pageAddress: is \"box.example.org\", should be an address such as https"
            ),
            (
                "{ siteAddress: 'example.org' }",
                "line 1: siteAddress: is \"example.org\", should be an address such as https"
            ),
            ("{ pageAddress: 'https://box/?a' }", "line 1: pageAddress: "),
            ("{ pageAddress: 'wss://box/' }", "line 1: pageAddress: "),
            ("{ pageAddress: 'https://box:0/' }", "line 1: pageAddress: "),
            ("{ pageAddress: 'https://box:65536/' }", "line 1: pageAddress: "),
            ("{ pageAddress: 'https://.../' }", "line 1: pageAddress: "),
            ("{ pageAddress: 'https://box/a/../b' }", "line 1: pageAddress: "),
            ("{ pageAddress: 'https://box//' }", "line 1: pageAddress: "),
        ])
    func addresses(text: String, message: String) {
        do throws(FormatError) {
            _ = try Configuration(parsing: Array(text.utf8))
            Issue.record("was read")
        } catch { #expect("\(error)".hasPrefix(message), "\(error)") }
    }

    @Test(
        "a public address has no port of its scheme's own, and a path that ends with a slash",
        arguments: [
            ("https://Box.example.org/music", "https://box.example.org/music/"), ("http://box:80", "http://box/"),
            ("https://box:443/a/b/", "https://box/a/b/"), ("https://10.0.0.1:8443", "https://10.0.0.1:8443/"),
            ("http://box:443/", "http://box:443/"), ("https://box:00443", "https://box/"),
            ("http://box/a.b", "http://box/a.b/"),
        ])
    func publicAddress(text: String, written: String) { #expect(PublicAddress(text)?.text == written) }

    @Test(
        "two ports at which others are heard are refused if they are the same",
        arguments: [
            (
                "grid: { interface: 'lo', port: 24424 }, osc: { interface: 'lo', port: 24425 }",
                "osc.port: is UDP port 24425 of lo"
            ),
            ("lightIn: [{ interface: 'lo' }, { interface: 'lo' }]", "lightIn[1].port: is UDP port 4048 of lo"),
            ("lightIn: [{ interface: 'lo' }, { interface: 'eth0' }], osc: { interface: 'wlan0', port: 4048 }", nil),
        ] as [(String, String?)])
    func ports(text: String, message: String?) {
        do throws(FormatError) {
            _ = try Configuration(parsing: Array("{ \(text) }".utf8))
            #expect(message == nil)
        } catch { #expect(message.map { "\(error)".contains($0) } == true, "\(error)") }
    }

    @Test(
        "a wall's address is one machine's, or that of all of a network",
        arguments: [
            ("127.255.255.255", true), ("255.255.255.255", true), ("192.168.1.50", true), ("0.0.0.0", false),
            ("0.1.2.3", false), ("239.255.0.1", false), ("224.0.0.1", false), ("240.0.0.1", false), ("1.2.3", false),
            ("01.2.3.4", false), ("box.local", false),
        ])
    func wallAddress(address: String, isValid: Bool) {
        let text = "{ walls: [ { protocol: 'artnet', address: '\(address)' } ] }"
        let configuration = try? Configuration(parsing: Array(text.utf8))
        #expect((configuration != nil) == isValid)
    }
}
