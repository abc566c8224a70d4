import InputEvents
import Formats
import Instrument
import Input
import Testing

@Suite("Touch recordings of libinput")
struct LibinputRecordingTests {
    /// Written by libinput 1.22: a keyboard with hidden keys, a pen, a touch screen, the events of all layers.
    private static let whole = """
        # libinput record
        version: 1
        ndevices: 3
        libinput:
          version: "1.22.1"
          git: "unknown"
        system:
          os: "debian:12"
          kernel: "6.1.0-18-rpi"
          dmi: "unknown"
        devices:
        - node: /dev/input/event2
          evdev:
            # Name: Keyboard
            # ID: bus 0x0003 (usb) vendor 0x046d product 0xc31c version 0x0110
            # Supported Events:
            # Event type 1 (EV_KEY)
            #   Event code 1 (KEY_ESC)
            # Properties:
            name: "Keyboard"
            id: [3, 1133, 49948, 272]
            codes:
              0: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] # EV_SYN
              1: [1, 2, 30, 330] # EV_KEY
              4: [4] # EV_MSC
            properties: []
          hid: [
            0x05, 0x01, 0x09, 0x06, 0xa1, 0x01, 0x05, 0x07, 0x19, 0xe0, 0x29, 0xe7, 0x15, 0x00, 0x25, 0x01,
            0x75, 0x01, 0xc0
          ]
          udev:
            properties:
            - ID_INPUT=1
            - ID_INPUT_KEY=1
            - LIBINPUT_DEVICE_GROUP=3/46d/c31c:usb-0000:01:00.0-1.2
          quirks:
          events:
          # Current time is 12:59:10
          - evdev:
            - [  1, 214310,   4,   4,      30] # EV_MSC / MSC_SCAN                 30 (obfuscated)
            - [  1, 214310,   1,  30,       1] # EV_KEY / KEY_A                     1 (obfuscated)
            - [  1, 214310,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +1214ms
        - node: /dev/input/event3
          evdev:
            name: "Pen"
            id: [3, 1386, 93, 5]
            codes:
              0: [0, 1] # EV_SYN
              1: [320, 330] # EV_KEY
              3: [0, 1] # EV_ABS
            absinfo:
              0: [0, 9, 0, 0, 0]
              1: [0, 9, 0, 0, 0]
            properties: [1]
          events:
        - node: /dev/input/event4
          evdev:
            # Size in mm: 217x136
            name: "ILITEK ILITEK-TP"
            id: [3, 8746, 136, 22784]
            codes:
              0: [0, 1, 2, 3] # EV_SYN
              1: [330] # EV_KEY
              3: [0, 1, 47, 53, 54, 57] # EV_ABS
            absinfo:
              0: [0, 99, 0, 0, 0]
              1: [0, 99, 0, 0, 0]
              47: [0, 9, 0, 0, 0]
              53: [-8, 16384, 0, 0, 75]
              54: [0, 9600, 0, 0, 70]
              57: [0, 65535, 0, 0, 0]
            properties: [1]
          quirks:
          - AttrSizeHint=217x136
          libinput:
            size: [217, 136]
            capabilities: [touch]
          events:
          # Current time is 12:59:10
          - libinput:
            - {type: DEVICE_ADDED, seat: seat0, logical_seat: default}
          - hid:
              time: [  2,  43000]
              hidraw0: [
                0x04, 0x01, 0x00
              ]
          - evdev:
            - [  2,  43010,   3,  57,    1420] # EV_ABS / ABS_MT_TRACKING_ID         1420
            - [  2,  43010,   3,  53,      -8] # EV_ABS / ABS_MT_POSITION_X           -8 (-8)
            - [  2,  43010,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +829ms
            libinput:
            - {time: 2.043010, type: TOUCH_DOWN, slot: 0, seat_slot: 0, point: [ 12.60,  23.10]}
            - {time: 2.043010, type: TOUCH_FRAME}
          - evdev:
            - [  3,      0,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID           -1
            - [  3,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +957ms
                                             # Touch device in neutral state
          # Current time is 12:59:15

        """

    @Test("the first device with contacts is read, its times from its own first report")
    func read() throws {
        let expected = TouchRecording(
            name: "ILITEK ILITEK-TP", axes: TouchAxes(x: -8...16384, y: 0...9600),
            reports: [
                report(0, 3, 57, 1420), report(0, 3, 53, -8), report(0, 0, 0, 0), report(956_990, 3, 57, -1),
                report(956_990, 0, 0, 0),
            ])
        #expect(try recording(Self.whole) == expected)
        #expect(try recording(Self.whole.replacing("\n", with: "\r\n")) == expected)
    }

    @Test("without a device with contacts the first with BTN_TOUCH is read")
    func singleTouch() throws {
        let text = Self.whole.replacing("      53: [-8", with: "      52: [-8")
        let expected = TouchRecording(name: "Pen", axes: TouchAxes(x: 0...9, y: 0...9), reports: [])
        #expect(try recording(text) == expected)
    }

    private static let short = """
        version: 1
        devices:
          - evdev:
              name: Screen
              absinfo:
                53: [0, 799, 0, 0, 0]
                54: [0, 479, 0, 0, 0]
            events:
              - evdev:
                - [0, 0, 3, 57, 7]
                - [0, 12, 0, 0, 0]

        """

    @Test("the required keys suffice")
    func short() throws {
        let expected = TouchRecording(
            name: "Screen", axes: TouchAxes(x: 0...799, y: 0...479),
            reports: [report(0, 3, 57, 7), report(12, 0, 0, 0)])
        #expect(try recording(Self.short) == expected)
    }

    struct Refusal: Sendable {
        /// The part of the text above to replace …
        var part: String
        /// … and its replacement.
        var by: String
        var place: String
        var problem: String

        init(_ part: String, _ by: String, _ place: String, _ problem: String) {
            self.part = part
            self.by = by
            self.place = place
            self.problem = problem
        }
    }

    static let refusals: [Refusal] = [
        .init("version: 1", "version: 2", "version", "is 2, should be 1"),
        .init("version: 1", "other: 1", "version", "is missing"),
        .init("devices:", "machines:", "devices", "is missing"),
        .init("53:", "55:", "devices", "has no touch device, should have one with the axis 53"),
        .init("evdev:\n      name", "dev:\n      name", "devices[0].evdev", "is missing"),
        .init("Screen", "[]", "devices[0].evdev.name", "is a list, should be a string"),
        .init("[0, 799, 0, 0, 0]", "799", "devices[0].evdev.absinfo.53", "is a number, should be a list"),
        .init("[0, 799, 0, 0, 0]", "[0, 799]", "devices[0].evdev.absinfo.53", "has 2 elements, should have 5"),
        .init("[0, 799, 0, 0, 0]", "[0, 0, 0, 0, 0]", "devices[0].evdev.absinfo.53", "the axis is from 0 to 0"),
        .init("[0, 799, 0, 0, 0]", "[a, 0, 0, 0, 0]", "devices[0].evdev.absinfo.53[0]", #"is "a", should be a whole"#),
        .init("3, 57, 7", "3, 57, 2147483648", "devices[0].events[0].evdev[0][4]", "is 2147483648, should be"),
        .init("3, 57, 7", "3, 65536, 7", "devices[0].events[0].evdev[0][3]", "is 65536, should be"),
        .init("3, 57, 7", "3, 57, 010", "devices[0].events[0].evdev[0][4]", #"is "010", should be"#),
        .init("3, 57, 7", "3, 57, 1.5", "devices[0].events[0].evdev[0][4]", "is 1.5, should be"),
        .init("[0, 12,", "[0, 1000000,", "devices[0].events[0].evdev[1][1]", "is 1000000, should be"),
        .init("[0, 0, 3,", "[0, 13, 3,", "devices[0].events[0].evdev[1]", "is earlier than the report before"),
        .init("[0, 0, 3,", "[-1, 0, 3,", "devices[0].events[0].evdev[0][0]", "is -1, should be"),
        .init(
            "[0, 12, 0, 0, 0]", "[1700000000, 12, 0, 0, 0]", "devices[0].events[0].evdev[1]",
            "is 1700000000 s after the first report, should be at most 86400 s (a day)"),
        .init("[0, 12, 0, 0, 0]", "[0, 12, 0, 0]", "devices[0].events[0].evdev[1]", "has 4 elements, should have 5"),
        .init(
            "evdev:\n        - [0, 0, 3, 57, 7]\n        - [0, 12, 0, 0, 0]", "evdev: 1", "devices[0].events[0].evdev",
            "is a number, should be a list"),
        .init("name: Screen", "name: \"A \"B\"\"", "line 4, column 17", "did not find expected key"),
        .init("name: Screen", "name: A\n      name: B", "line 5, column 7", #"duplicate key "name""#),
        .init(
            "name: Screen", "name: &a A\n      id: *a", "line 5, column 11", "found an alias, expected its value"),
        .init("name: Screen", "name: !!str A", "line 4, column 13", "a value has a tag, should have none"),
        .init("name: Screen", "? [A]\n      : B", "line 4, column 9", "a key is not a string"),
        .init("name: Screen", "name: \"A", "line 12, column 1", "found unexpected end of stream"),
        .init("name: Screen", "\tname: A", "line 4, column 7", "found character that cannot start any token"),
        .init("name: Screen", "name: \u{1}", "line 4", "control characters are not allowed"),
        .init("version: 1", "--- {}\n---\nversion: 1", "line 2, column 1", "a second document begins"),
    ]

    @Test("invalid recordings are rejected by path, invalid YAML by position", arguments: refusals)
    func refuses(refused: Refusal) {
        let text = Self.short.replacing(refused.part, with: refused.by)
        let error = refusal(text)
        #expect(text != Self.short)
        #expect(error?.place == refused.place, "\(refused): \(String(describing: error))")
        #expect(error?.problem.hasPrefix(refused.problem) == true, "\(String(describing: error))")
    }

    @Test("nesting is bounded, and so is the expansion of a few bytes")
    func bounds() {
        let deep = "version: " + String(repeating: "[", count: 100_000)
        #expect(refusal(deep)?.problem.contains("deeper") == true)
        let laughs = "version: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]\n"
        #expect(refusal(laughs)?.problem.hasPrefix("found an alias") == true)
        #expect(refusal("---\n")?.problem == "is null, should be an object")
        #expect(refusal("%YAML 1.1\n")?.place == "line 2, column 1")
    }

    @Test("the value of each unquoted scalar")
    func scalars() throws {
        let values = ["0x35": "53", "-8": "-8", "0X35": nil, "0x-5": nil, "+8": nil, "8 9": nil, "0x": nil, "": nil]
        for (text, value) in values {
            let recorded = Self.short.replacing("3, 57, 7", with: "3, 57, \(text)")
            let reports = try? recording(recorded).reports
            #expect(reports?.first?.value.description == value, "\(text)")
        }
    }
}
