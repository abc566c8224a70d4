import Formats
import Instrument
import Panel
import Testing
import TestSupport

private func pattern(_ seed: UInt64) -> Pattern {
    var random = SplitMix(seed: seed)
    var pattern = Pattern()
    pattern.bpm = Int.random(in: Pattern.tempos, using: &random)
    pattern.length = 4 * Int.random(in: 2...8, using: &random)
    pattern.tonality = Tonality(
        root: .random(in: 0..<12, using: &random), scale: Scale.allCases.randomElement(using: &random) ?? .major)
    for track in Track.allCases {
        for note in 0..<Pattern.notes {
            for step in 0..<Pattern.steps {
                let value = UInt8(max(0, Int.random(in: -6...3, using: &random)))
                pattern[track, note: note, step: step] = Cell(rawValue: value) ?? .empty
            }
        }
    }
    return pattern
}

/// A document's text with one thing in it changed.
private func text(_ change: (inout [String: JSON]) -> Void = { _ in }) throws -> [UInt8] {
    let whole = PatternDocument(pattern: pattern(7)).text()
    guard case .object(var root) = try JSON(parsing: Array(whole.utf8)) else { return [] }
    change(&root)
    return Array(JSON.object(root).text(pretty: true).utf8)
}

private func cells(_ change: (inout [[JSON]]) -> Void) -> JSON {
    var rows = [[JSON]](repeating: Array(repeating: .integer(0), count: 32), count: 12)
    change(&rows)
    return .array(rows.map { .array($0) })
}

private func error(_ body: () throws(FormatError) -> Void) -> FormatError? {
    do throws(FormatError) {
        try body()
        return nil
    } catch { return error }
}

@Suite("Pattern documents")
struct PatternDocumentTests {
    @Test("what is written is read again, names, mutes and unknown keys included", arguments: 1...20)
    func roundTrip(seed: UInt64) throws {
        var document = PatternDocument(pattern: pattern(seed), muted: TrackSet(.bass, .melody), soloed: .chords)
        document.name = "Night \"B\""
        document.createdAt = "2026-01-03T10:00:00Z"
        document.unknown = ["swing": .number("0.10"), "tags": .array([.string("a"), .object(["x": .null])])]
        #expect(try PatternDocument(parsing: Array(document.text().utf8)) == document, "seed \(seed)")
    }

    @Test("keys are sorted, and a row of cells is a line")
    func layout() {
        let lines = PatternDocument(pattern: Pattern()).text().split(separator: "\n")
        #expect(lines[1] == "  \"bpm\" : 120,")
        #expect(lines.filter { $0.hasPrefix("      [0, 0,") }.count == 48)
    }

    @Test(
        "roots by number, sharp and flat; penta by both its names",
        arguments: [
            (JSON.integer(10), 10), (.string("A#"), 10), (.string("Bb"), 10), (.string("Db"), 1), (.string("B"), 11),
        ])
    func roots(root: JSON, note: Int) throws {
        let bytes = try text {
            $0["rootNote"] = root
            $0["scale"] = .string("pentatonic")
        }
        #expect(try PatternDocument(parsing: bytes).pattern.tonality == Tonality(root: note, scale: .penta))
    }

    @Test("the older form, a list of notes by column and pitch, is read")
    func noteList() throws {
        let notes = """
            [{"col": 4, "row": 7, "pitch": 60, "velocity": "accent"}, {"col": 5, "pitch": 60, "velocity": "sustain"},
             {"col": 22, "row": 2, "pitch": 71, "velocity": "normal"}]
            """
        let bytes = try text {
            guard case .object(var tracks)? = $0["tracks"] else { return }
            tracks["melody"] = .object([
                "type": .string("melody"), "notes": (try? JSON(parsing: Array(notes.utf8))) ?? .null,
            ])
            $0["tracks"] = .object(tracks)
        }
        let pattern = try PatternDocument(parsing: bytes).pattern
        #expect(pattern[.melody, note: 0, step: 0] == .accent)
        #expect(pattern[.melody, note: 0, step: 1] == .sustain)
        #expect(pattern[.melody, note: 11, step: 16] == .normal)
        #expect(pattern.runLength(.melody, note: 0, step: 0) == 2)
    }

    struct Refusal: Sendable {
        var key: String
        var value: JSON?
        var place: String
    }

    static let refusals: [Refusal] = [
        .init(key: "bpm", value: .integer(201), place: "bpm"), .init(key: "bpm", value: .integer(59), place: "bpm"),
        .init(key: "bpm", value: .number("120.5"), place: "bpm"),
        .init(key: "bpm", value: .string("120"), place: "bpm"),
        .init(key: "bpm", value: nil, place: "bpm"), .init(key: "length", value: .integer(30), place: "length"),
        .init(key: "length", value: .integer(36), place: "length"),
        .init(key: "rootNote", value: .integer(12), place: "rootNote"),
        .init(key: "rootNote", value: .string("H"), place: "rootNote"),
        .init(key: "scale", value: .string("blues"), place: "scale"),
        .init(key: "muted", value: .array([.string("drums")]), place: "muted[0]"),
        .init(key: "soloed", value: .integer(1), place: "soloed"),
        .init(key: "name", value: .integer(1), place: "name"),
        .init(key: "tracks", value: nil, place: "tracks"), .init(key: "tracks", value: .array([]), place: "tracks"),
        .init(key: "tracks", value: .object([:]), place: "tracks.melody"),
        .init(key: "tracks", value: .object(["drums": .null]), place: "tracks.drums"),
    ]

    @Test("a wrong or missing setting is refused by its name", arguments: refusals)
    func settings(refusal: Refusal) throws {
        let bytes = try text { $0[refusal.key] = refusal.value }
        #expect(error { () throws(FormatError) in _ = try PatternDocument(parsing: bytes) }?.place == refusal.place)
    }

    static let badCells: [(JSON, String)] = [
        (cells { $0[3].append(contentsOf: Array(repeating: .integer(0), count: 9)) }, "tracks.bass[3]"),
        (cells { $0[3].removeLast() }, "tracks.bass[3]"), (cells { $0.removeLast() }, "tracks.bass"),
        (cells { $0[11][31] = .integer(4) }, "tracks.bass[11][31]"),
        (cells { $0[0][7] = .integer(-1) }, "tracks.bass[0][7]"),
        (cells { $0[2][5] = .string("1") }, "tracks.bass[2][5]"),
        (cells { $0[2][5] = .number("0.5") }, "tracks.bass[2][5]"),
        (.string("x"), "tracks.bass"),
        (.object(["notes": .array([.object(["col": .integer(3)])])]), "tracks.bass.notes[0].col"),
        (.object(["type": .string("melody"), "notes": .array([])]), "tracks.bass.type"),
    ]

    @Test("ragged rows and wrong cells are refused by their path", arguments: badCells)
    func cellErrors(bass: JSON, place: String) throws {
        let bytes = try text {
            guard case .object(var tracks)? = $0["tracks"] else { return }
            tracks["bass"] = bass
            $0["tracks"] = .object(tracks)
        }
        #expect(error { () throws(FormatError) in _ = try PatternDocument(parsing: bytes) }?.place == place)
    }
}

@Suite("The sound in pattern documents")
struct SoundDocumentTests {
    /// The document of an empty pattern with `value` at `path` in its sound.
    private func bytes(_ value: JSON, at path: [String]) -> [UInt8] {
        let sound = path.reversed().reduce(value) { .object([$1: $0]) }
        return Array(PatternDocument(pattern: Pattern(), unknown: ["sound": sound]).text().utf8)
    }

    @Test("any settings are read again to the byte, and unknown ones beside them stay")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let others: [JSON?] = [
            nil, .object(["bass": .object(["wobble": .number("0.50")]), "chorus": .object([:]), "swing2": .null]),
        ]
        for round in 0..<60 {
            var document = PatternDocument(pattern: Pattern())
            for control in SoundControl.allCases where Bool.random(using: &random) {
                document.sound[control] = .random(in: control.range, using: &random)
            }
            document.unknown["sound"] = others[round % 2]
            let text = document.text()
            let read = try PatternDocument(parsing: Array(text.utf8))
            #expect(read == document, "seed \(seed), round \(round)")
            #expect(read.text() == text, "seed \(seed), round \(round)")
        }
    }

    @Test("every setting may be at either end of its range", arguments: SoundControl.allCases)
    func ends(control: SoundControl) throws {
        for value in [control.range.lowerBound, control.range.upperBound] {
            let read = try PatternDocument(parsing: bytes(.integer(value), at: control.path))
            var expected = SoundSettings()
            expected[control] = value
            #expect(read.sound == expected)
        }
    }

    @Test("a setting beyond its range or of the wrong type is refused by its path", arguments: SoundControl.allCases)
    func refused(control: SoundControl) {
        let (least, most) = (control.range.lowerBound, control.range.upperBound)
        let wrong: [(JSON, String)] = [
            (.integer(least - 1), "\(least - 1)"), (.integer(most + 1), "\(most + 1)"),
            (.number("\(least).5"), "\(least).5"), (.string("\(least)"), "\"\(least)\""), (.null, "null"),
            (.bool(true), "true"), (.array([.integer(least)]), "a list"), (.object([:]), "an object"),
        ]
        for (value, shown) in wrong {
            let refusal = error { () throws(FormatError) in
                _ = try PatternDocument(parsing: bytes(value, at: control.path))
            }
            let place = "sound." + control.path.joined(separator: ".")
            #expect(
                refusal == FormatError(place, "is \(shown), should be a whole number from \(least) to \(most)"))
        }
    }

    static let misplaced: [([String], JSON, String)] = [
        ([], .integer(1), "sound"), ([], .null, "sound"), (["bass"], .integer(400), "sound.bass"),
        (["delay"], .array([]), "sound.delay"), (["swing"], .object(["per cent": .integer(60)]), "sound.swing"),
    ]

    @Test("what should be an object and is not is refused by its path, and the other way round", arguments: misplaced)
    func refusedObjects(path: [String], value: JSON, place: String) {
        let refusal = error { () throws(FormatError) in _ = try PatternDocument(parsing: bytes(value, at: path)) }
        #expect(refusal?.place == place)
    }

    @Test("what is the standard is not written, and no sound at all when everything is")
    func standard() throws {
        var document = PatternDocument(pattern: Pattern())
        #expect(!document.text().contains("sound"))
        document.sound[.track(.bass, .cutoff)] = 800
        document.sound[.track(.bass, .delay)] = 30
        document.sound[.swing] = 60
        #expect(
            document.text().contains(
                """
                  "sound" : {
                    "bass" : {
                      "cutoff" : 800,
                      "delay" : 30
                    },
                    "swing" : 60
                  },
                """))
        for control in SoundControl.allCases {
            let read = try PatternDocument(parsing: bytes(.integer(control.standard), at: control.path))
            #expect(read == PatternDocument(pattern: Pattern()))
        }
    }
}

@Suite("Touch scripts")
struct TouchScriptTests {
    private let down = #"{"at": 50, "touch": 0, "phase": "down", "col": 13.25, "row": 10}"#

    @Test("lines are read in order; blank ones and carriage returns are passed over")
    func accepts() throws {
        let script = try TouchScript(parsing: Array("\(down)\r\n\n  \n{\"at\": 900.5, \"key\": \"space\"}".utf8))
        #expect(
            script.lines == [
                .init(at: Instant(milliseconds: 50), act: .touch(contact: 0, .down, column: 13.25, row: 10)),
                .init(at: Instant(microseconds: 900_500), act: .control(.key(.space))),
            ])
        #expect(try TouchScript(parsing: []).lines.isEmpty)
    }

    static let refusals: [(String, String)] = [
        (#"{"at": 49, "key": "undo"}"#, "line 2, at"), (#"{"at": 60, "key": "enter"}"#, "line 2, key"),
        (#"{"at": 60, "key": "undo", "col": 1}"#, "line 2, col"), (#"{"key": "undo"}"#, "line 2, at"),
        (#"{"at": -1, "key": "undo"}"#, "line 2, at"), (#"{"at": 1e99, "key": "undo"}"#, "line 2, at"),
        (#"{"at": 60, "touch": 0, "phase": "hover", "col": 1, "row": 1}"#, "line 2, phase"),
        (#"{"at": 60, "touch": 0, "phase": "up", "col": 1}"#, "line 2, row"),
        (#"{"at": 60, "touch": -3, "phase": "up", "col": 1, "row": 1}"#, "line 2, touch"),
        (#"{"at": 60, "touch": 0, "phase": "up", "col": "1", "row": 1}"#, "line 2, col"),
        (#"{"at": 60,, "key": "undo"}"#, "line 2, column 11"), ("[]", "line 2"),
        (#"{"at": 60, "set": "bass.cutof", "value": 800}"#, "line 2, set"),
        (#"{"at": 60, "set": "bass", "value": 800}"#, "line 2, set"),
        (#"{"at": 60, "set": 1, "value": 800}"#, "line 2, set"), (#"{"at": 60, "set": "swing"}"#, "line 2, value"),
        (#"{"at": 60, "set": "metronome", "value": 1}"#, "line 2, value"),
        (#"{"at": 60, "set": "countIn", "value": 3}"#, "line 2, value"),
        (#"{"at": 60, "set": "countIn", "value": -1}"#, "line 2, value"),
        (#"{"at": 60, "set": "countIn", "value": true}"#, "line 2, value"),
        (#"{"at": 60, "set": "swing", "value": 60, "key": "undo"}"#, "line 2, set"),
        (#"{"at": 60, "set": "swing", "value": 60, "col": 4}"#, "line 2, col"),
    ]

    @Test("a line may set any control of the sound, the metronome and the count-in", arguments: SoundControl.allCases)
    func sets(control: SoundControl) throws {
        let (least, most) = (control.range.lowerBound, control.range.upperBound)
        let word = control.path.joined(separator: ".")
        let lines = [least, most].map { #"{"at": 1, "set": "\#(word)", "value": \#($0)}"# }
        let others = [
            #"{"at": 2, "set": "metronome", "value": true}"#, #"{"at": 2, "set": "countIn", "value": 2}"#,
        ]
        let script = try TouchScript(parsing: Array((lines + others).joined(separator: "\n").utf8))
        #expect(
            script.lines.map(\.act) == [
                .control(.sound(control, least)), .control(.sound(control, most)), .control(.metronome(true)),
                .control(.countIn(2)),
            ])
        for value in ["\(least - 1)", "\(most + 1)", "\(least).5", "\"\(least)\"", "null", "true"] {
            let line = #"{"at": 1, "set": "\#(word)", "value": \#(value)}"#
            let refusal = error { () throws(FormatError) in _ = try TouchScript(parsing: Array(line.utf8)) }
            #expect(
                refusal
                    == FormatError("line 1, value", "is \(value), should be a whole number from \(least) to \(most)"))
        }
    }

    @Test("a line that is not one is refused by its number", arguments: refusals)
    func refuses(line: String, place: String) {
        let bytes = Array("\(down)\n\(line)\n".utf8)
        #expect(error { () throws(FormatError) in _ = try TouchScript(parsing: bytes) }?.place == place)
    }
}

@Suite("Configurations")
struct ConfigurationTests {
    /// The defaults, and lines of a GPIO chip.
    static let example = """
        {
          panel: {
            columns: 44, chip: "SK9822", brightness: 0.6, gamma: 2.4, whiteBalance: [1, 1, 1], dither: true,
            milliamps: { red: 18, green: 18, blue: 18, white: 18, standby: 1 },
            zones: [ { amps: 8, from: 0, count: 1056 } ],
            chains: [ { device: "/dev/spidev0.0", hertz: 4000000,
                        tiles: [ { x: 0, y: 0, columns: 44, rows: 24, first: "topLeft", along: "rows", serpentine: true,
                                   missing: [] } ] } ],
          },
          touch: { device: null, matrix: [1, 0, 0, 0, 1, 0] },  // a comment
          audio: { device: "default", rate: 48000, period: 128, periods: 3, priority: 75, core: null, volume: 0.8 },
          gpio: { chip: null, ledEnable: null, outputEnable: null, statusLed: null, play: null, shift: null, power: null,
                  tempo: null, volume: null, activeLow: ["play", "shift", "power"], debounceMilliseconds: 5, detent: 4,
                  shutdownCommand: ["systemctl", "poweroff"] },
          library: null,
          listen: "127.0.0.1:4424",
        }
        """

    @Test("every key at its default is the defaults, and so is an empty file's object")
    func defaults() throws {
        #expect(try Configuration(parsing: Array(Self.example.utf8)) == Configuration())
        #expect(try Configuration(parsing: Array("{}".utf8)) == Configuration())
    }

    @Test("a panel of 46 or 50 columns has a chain and a zone to match", arguments: [46, 50])
    func columns(columns: Int) throws {
        let configuration = try Configuration(parsing: Array("{panel: {columns: \(columns)}}".utf8))
        #expect(configuration.panel.chains[0].length == columns * 24)
        #expect(configuration.panel.zones[0].count == columns * 24)
    }

    static let written: [String] = [
        "{}", example, "{panel: {columns: 46}}", "{panel: {chip: 'WS2812B', dither: false}}",
        "{panel: {chip: 'SK6812RGBW', milliamps: {white: 11.5}}}",
        """
        {panel: {columns: 50, chip: 'HD108', chains: [
          {device: 'a', tiles: [{x: 0, y: 0, columns: 24, rows: 50, rotation: 270}]}]}}
        """,
        """
        {
          panel: {
            brightness: 0.25, gamma: 2.2, whiteBalance: [1, 0.9, 0.8], milliamps: { red: 17.5, standby: 0.5 },
            zones: [{ amps: 9.5, from: 0, count: 500 }, { amps: 4, from: 500, count: 555 }],
            chains: [{ device: "/dev/spidev1.0", hertz: 8000000, tiles: [
              { x: 0, y: 0, columns: 22, rows: 24, first: "bottomRight", along: "columns", missing: [[3, 4]] },
              { x: 22, y: 0, columns: 22, rows: 24, serpentine: false } ] }],
          },
          touch: { device: "1234:5678", matrix: [0, 1, 0, -1, 0, 1] },
          audio: { device: "hw:1", rate: 96000, period: 64, periods: 2, priority: 0, core: 3, volume: 0.5 },
          gpio: { chip: "pinctrl-rp1", ledEnable: 17, outputEnable: "OE", statusLed: 511, play: 0, power: "GPIO3",
                  tempo: [5, 6], volume: ["A", "B"], activeLow: ["outputEnable", "power"], debounceMilliseconds: 0,
                  detent: 1, shutdownCommand: null },
          library: "/tmp/\\"x\\"", listen: "[::1]:80",
        }
        """,
    ]

    @Test("a configuration that is written reads back as the same", arguments: written)
    func writing(text: String) throws {
        let configuration = try Configuration(parsing: Array(text.utf8))
        let json = configuration.json.text(pretty: true)
        #expect(try Configuration(parsing: Array(json.utf8)) == configuration)
    }

    @Test("lines are numbers or names, and what is not named is not wired")
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
        expected.shutdownCommand = []
        #expect(settings == expected)
        #expect(settings[.shift] == nil && settings[.ledEnable] == .number(17))
    }

    @Test("the audio thread's core is a number or none")
    func core() throws {
        #expect(try Configuration(parsing: Array("{audio: {core: 3}}".utf8)).audio.core == 3)
        #expect(try Configuration(parsing: Array("{audio: {core: null}}".utf8)).audio.core == nil)
    }

    @Test("a chain without a clock has its chip's, the faster one where it is short")
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
        // What is not there stands where the part around it does.
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
        ("{\n panel: }", "line 2, column 9: '}'"),
    ]

    @Test("a message names the line", arguments: lines)
    func names(text: String, start: String) {
        let refusal = error { () throws(FormatError) in _ = try Configuration(parsing: Array(text.utf8)) }
        let message = refusal.map(\.description) ?? "nothing"
        #expect(message.hasPrefix(start))
    }

    static let refusals: [(String, String)] = [
        ("{panel: {dither: 1}}", "panel.dither"), ("{panel: {milliamps: {white: -1}}}", "panel.milliamps.white"),
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
        ("{listen: 4424}", "listen"), ("{library: 1}", "library"), ("[]", ""), ("{\n  panel: }", "line 2, column 10"),
    ]

    @Test("an unknown key or a bad value is refused by its path", arguments: refusals)
    func refuses(text: String, place: String) {
        let bytes = Array(text.utf8)
        #expect(error { () throws(FormatError) in _ = try Configuration(parsing: bytes) }?.place == place)
    }
}

@Suite("Byte soup")
struct ByteSoupTests {
    @Test("mutated and random documents are read whole or refused in one line", arguments: 1...40)
    func soup(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let valid: [[UInt8]] = [
            try text(), Array(ConfigurationTests.example.utf8),
            Array(#"{"at": 50, "touch": 0, "phase": "down", "col": 13, "row": 10}"#.utf8),
            Array(#"{"at": 50, "set": "bass.cutoff", "value": 800}"#.utf8),
        ]
        for _ in 0..<60 {
            var bytes = valid.randomElement(using: &random) ?? []
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            case 1: bytes.removeLast(.random(in: 0...bytes.count, using: &random))
            default:
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let tokens = Array("{}[],:\"'-+.eE0123456789\\ntfx/*".utf8) + [0, 0xff, 0xe9]
                    bytes[.random(in: bytes.indices, using: &random)] = tokens.randomElement(using: &random) ?? 0
                }
            }
            let soup = bytes
            let errors = [
                error { () throws(FormatError) in _ = try PatternDocument(parsing: soup) },
                error { () throws(FormatError) in _ = try TouchScript(parsing: soup) },
                error { () throws(FormatError) in _ = try Configuration(parsing: soup) },
            ]
            for error in errors.compactMap(\.self) {
                #expect(!error.description.contains { $0.isNewline }, "seed \(seed): \(error)")
                #expect(error.description.count < 300, "seed \(seed): \(error)")
            }
        }
    }
}
