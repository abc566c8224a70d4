import Formats
import Instrument
import Overlay
import TestSupport
import Testing

private func recording(_ text: String) throws(FormatError) -> TouchRecording {
    try TouchRecording(parsing: Array(text.utf8))
}

private func refusal(_ text: String) -> FormatError? {
    do throws(FormatError) {
        _ = try recording(text)
        return nil
    } catch { return error }
}

private func report(_ microseconds: Int64, _ type: UInt16, _ code: UInt16, _ value: Int32) -> InputReport {
    InputReport(time: Instant(microseconds: microseconds), type: type, code: code, value: value)
}

@Suite("Touch recordings of evemu")
struct EvemuRecordingTests {
    private static let whole = """
        # EVEMU 1.3
        # Input device name: "Other name"
        N: CoolTouch® System #1
        I: 0003 2575 0204 0111
        P: 02 00 00 00 00 00 00 00
        B: 03 03 00 00 00 00 80 60 02
        A: 00 0 1000 0 0 55
        A: 35 -100 32767 4 0 55 # a comment
        A: 36 0 1023 0 0
        L: 00 0
        S: 00 1
        ################################
        #      Waiting for events      #
        ################################
        E: 1369413358.008095 0003 0039 0120\t# EV_ABS / ABS_MT_TRACKING_ID   120

        E: 1369413358.008095 0003 0035 -001
          E:  1369413358.108096 0001 014a 1# BTN_TOUCH
        E: 1369413360.000000 0000 0000 0000\t# ------------ SYN_REPORT (0) ----------

        """

    private static let wholeReports = [
        report(0, 3, 0x39, 120), report(0, 3, 0x35, -1), report(100_001, 1, 0x14a, 1), report(1_991_905, 0, 0, 0),
    ]

    @Test("reports, axes and name are read, times count from the first report, and zeros in front mean nothing")
    func read() throws {
        let expected = TouchRecording(
            name: "CoolTouch® System #1", axes: TouchAxes(x: -100...32767, y: 0...1023), reports: Self.wholeReports)
        #expect(try recording(Self.whole) == expected)
        #expect(try recording(Self.whole.replacing("\n", with: "\r\n")) == expected)
        #expect(try recording("\u{feff}" + Self.whole) == expected)
    }

    @Test("a recording without a description has neither name nor axes, and one of a description no reports")
    func parts() throws {
        let events = try recording("E: 0.000001 0000 0000 0000\n")
        #expect(events == TouchRecording(reports: [report(0, 0, 0, 0)]))
        let description = try recording("N: Some\nA: 00 0 799 0 0\nA: 01 0 479 0 0\n")
        #expect(description == TouchRecording(name: "Some", axes: TouchAxes(x: 0...799, y: 0...479), reports: []))
        #expect(try recording("") == TouchRecording(reports: []))
    }

    private static let comments = """
        # EVEMU 1.2
        # Input device name: "Panel "A""
        # Supported events:
        #   Event type 1 (EV_KEY)
        #     Event code 53 (KEY_SLASH)
        #       Min        7
        #       Max        8
        #   Event type 3 (EV_ABS)
        #     Event code 53 (ABS_MT_POSITION_X)
        #       Value      5
        #       Min      -10
        #       Max      799
        #       Resolution 0
        #     Event code 54 (ABS_MT_POSITION_Y)
        #       Value      0
        #       Min        0
        #       Max      479
        # Properties:
        """

    @Test("where there are no A: lines the comments tell the axes, and the name where there is no N: line")
    func described() throws {
        let expected = TouchRecording(name: "Panel \"A\"", axes: TouchAxes(x: -10...799, y: 0...479), reports: [])
        #expect(try recording(Self.comments) == expected)
        let both = try recording(Self.comments + "\nA: 35 0 10 0 0\nA: 36 0 20 0 0\nN: B\n")
        #expect(both == TouchRecording(name: "B", axes: TouchAxes(x: 0...10, y: 0...20), reports: []))
    }

    @Test("what comments say that cannot be read is passed over")
    func brokenComments() throws {
        let text = "#\n# Event\n# Event code\n# Event type x\n# Event type 3 ()\n# Event code 99999\n# Min\n# Max 9\n"
        #expect(try recording(text + "# Event code 53\n# Min 99999999999999999999\n# Max\n#Event").axes == nil)
    }

    struct Refusal: Sendable {
        var text: String
        var place: String
        var problem: String

        init(_ text: String, _ place: String, _ problem: String) {
            self.text = text
            self.place = place
            self.problem = problem
        }
    }

    static let refusals: [Refusal] = [
        .init("E:", "line 1", "the time is missing, should be seconds and six decimals, such as 0.000001"),
        .init("N: a\n\nE: 1 0 0 0", "line 3", #"the time is "1", should be seconds and six decimals"#),
        .init("E: 1.5 0000 0000 0", "line 1", #"the time is "1.5""#),
        .init("E: 1.0000000 0000 0000 0", "line 1", #"the time is "1.0000000""#),
        .init("E: -1.000000 0000 0000 0", "line 1", #"the time is "-1.000000""#),
        .init("E: .000000 0000 0000 0", "line 1", #"the time is ".000000""#),
        .init("E: 1.00000a 0000 0000 0", "line 1", #"the time is "1.00000a""#),
        .init("E: 10000000000.000000 0 0 0", "line 1", #"the time is "10000000000.000000""#),
        .init("E: 99999999999999999999999.000000 0 0 0", "line 1", "the time is"),
        .init("E: 1.000000", "line 1", "the type is missing, should be hexadecimal digits, up to ffff"),
        .init("E: 1.000000 10000 0000 0", "line 1", #"the type is "10000", should be hexadecimal digits"#),
        .init("E: 1.000000 0x3 0000 0", "line 1", #"the type is "0x3""#),
        .init("E: 1.000000 -1 0000 0", "line 1", #"the type is "-1""#),
        .init("E: 1.000000 0003 003g 0", "line 1", #"the code is "003g""#),
        .init("E: 1.000000 0003 0035", "line 1", "the value is missing, should be a whole number of 32 bits"),
        .init("E: 1.000000 0003 0035 1f", "line 1", #"the value is "1f", should be a whole number of 32 bits"#),
        .init("E: 1.000000 0003 0035 -", "line 1", #"the value is "-""#),
        .init("E: 1.000000 0003 0035 --1", "line 1", #"the value is "--1""#),
        .init("E: 1.000000 0003 0035 2147483648", "line 1", #"the value is "2147483648""#),
        .init("E: 1.000000 0003 0035 -2147483649", "line 1", #"the value is "-2147483649""#),
        .init("E: 1.000000 0003 0035 1 2", "line 1", #"ends with "2", should end before it"#),
        .init("E: 1.000001 0 0 0\nE: 1.000000 0 0 0", "line 2", "is earlier than the report before"),
        .init("A: 35 0", "line 1", "the greatest value is missing"),
        .init("A: 35 0 9", "line 1", "the fuzz is missing"),
        .init("A: 35 0 9 0 0 0 0", "line 1", #"ends with "0""#),
        .init("A: 36 0 9 0 0\nA: 35 9 9 0 0", "line 2", "the axis is from 9 to 9, should be from one number to a"),
        .init("A: 36 9 0 0 0\nA: 35 0 9 0 0", "line 1", "the axis is from 9 to 0"),
        .init(comments.replacing("Max      479", with: "Max -1"), "line 17", "the axis is from 0 to -1"),
        .init("E: 1.000000 0 0 0\nX: 1", "line 2", "is not of evemu's format; should start with E:"),
        .init("E: 1.000000 0 0 0\n^C", "line 2", "is not of evemu's format"),
        .init("e: 1", "version", "is missing"),
        .init("# no\n\nGIF89a", "line 3", "is not of a recording; should be evemu's"),
    ]

    @Test("what is not evemu's format is refused by its line", arguments: refusals)
    func refuses(refused: Refusal) {
        let error = refusal(refused.text)
        #expect(error?.place == refused.place, "\(refused.text)")
        #expect(error?.problem.hasPrefix(refused.problem) == true, "\(String(describing: error))")
    }

    @Test("axes that are not touch's, or only one of two, may be as they are")
    func otherAxes() throws {
        #expect(try recording("A: 02 9 0 0 0\nA: 35 9 9 0 0\n").axes == nil)
        let text = "A: 35 9 9 0 0\nA: 00 0 9 0 0\nA: 01 0 99 0 0\n"
        #expect(try recording(text).axes == TouchAxes(x: 0...9, y: 0...99))
    }

    @Test("extreme numbers are read")
    func extremes() throws {
        let text = "A: 35 -2147483648 2147483647 0 0\nA: 36 0 1 0 0\nE: 0.000000 ffff FFFF -2147483648\n"
        let last = "E: 9999999999.999999 0000 0000 2147483647"
        let read = try recording(text + last)
        #expect(read.axes == TouchAxes(x: Int32.min...Int32.max, y: 0...1))
        let expected = [report(0, 0xffff, 0xffff, .min), report(9_999_999_999_999_999, 0, 0, .max)]
        #expect(read.reports == expected)
    }
}

@Suite("Touch recordings of libinput")
struct LibinputRecordingTests {
    /// As libinput 1.22 writes it: a keyboard whose keys it hides, a pen, a touch screen, the events of all layers.
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

    @Test("of several devices the first that reports contacts is read, its times from its own first report")
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

    @Test("without a device of contacts it is the first with BTN_TOUCH")
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

    @Test("the keys that are needed are enough")
    func short() throws {
        let expected = TouchRecording(
            name: "Screen", axes: TouchAxes(x: 0...799, y: 0...479),
            reports: [report(0, 3, 57, 7), report(12, 0, 0, 0)])
        #expect(try recording(Self.short) == expected)
    }

    struct Refusal: Sendable {
        /// What of the text above is replaced …
        var part: String
        /// … and by what.
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
        .init("[0, 12, 0, 0, 0]", "[0, 12, 0, 0]", "devices[0].events[0].evdev[1]", "has 4 elements, should have 5"),
        .init(
            "evdev:\n        - [0, 0, 3, 57, 7]\n        - [0, 12, 0, 0, 0]", "evdev: 1", "devices[0].events[0].evdev",
            "is a number, should be a list"),
        .init("name: Screen", "name: \"A \"B\"\"", "line 4, column 17", "did not find expected key"),
        .init("name: Screen", "name: A\n      name: B", "line 5, column 7", #"the key "name" stands twice"#),
        .init(
            "name: Screen", "name: &a A\n      id: *a", "line 5, column 11", "an alias stands where its value should"),
        .init("name: Screen", "name: !!str A", "line 4, column 13", "a value has a tag, should have none"),
        .init("name: Screen", "? [A]\n      : B", "line 4, column 9", "a key is not a string"),
        .init("name: Screen", "name: \"A", "line 12, column 1", "found unexpected end of stream"),
        .init("name: Screen", "\tname: A", "line 4, column 7", "found character that cannot start any token"),
        .init("name: Screen", "name: \u{1}", "line 4", "control characters are not allowed"),
        .init("version: 1", "--- {}\n---\nversion: 1", "line 2, column 1", "a second document begins"),
    ]

    @Test("what is not libinput's format is refused by its path, what is not YAML by its place", arguments: refusals)
    func refuses(refused: Refusal) {
        let text = Self.short.replacing(refused.part, with: refused.by)
        let error = refusal(text)
        #expect(text != Self.short)
        #expect(error?.place == refused.place, "\(refused): \(String(describing: error))")
        #expect(error?.problem.hasPrefix(refused.problem) == true, "\(String(describing: error))")
    }

    @Test("nesting is bounded, and so is what a few bytes can become")
    func bounds() {
        let deep = "version: " + String(repeating: "[", count: 100_000)
        #expect(refusal(deep)?.problem.contains("deeper") == true)
        let laughs = "version: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]\n"
        #expect(refusal(laughs)?.problem.hasPrefix("an alias") == true)
        #expect(refusal("---\n")?.problem == "is null, should be an object")
        #expect(refusal("%YAML 1.1\n")?.place == "line 2, column 1")
    }

    @Test("what each scalar without quotes means")
    func scalars() throws {
        let values = ["0x35": "53", "-8": "-8", "0X35": nil, "0x-5": nil, "+8": nil, "8 9": nil, "0x": nil, "": nil]
        for (text, value) in values {
            let recorded = Self.short.replacing("3, 57, 7", with: "3, 57, \(text)")
            let reports = try? recording(recorded).reports
            #expect(reports?.first?.value.description == value, "\(text)")
        }
    }
}

@Suite("Touch recordings")
struct TouchRecordingTests {
    @Test("a recording is known from a touch script by its first character")
    func kinds() {
        let recordings = ["E: 0.000001 0000 0000 0", " \n# EVEMU 1.3", "version: 1", "\u{feff}N: a"]
        for text in recordings { #expect(TouchRecording.looksLikeRecording(Array(text.utf8)), "\(text)") }
        let others = ["", " \r\n", "{\"at\": 0}", "\n\t {", "\u{feff}{"]
        for text in others { #expect(!TouchRecording.looksLikeRecording(Array(text.utf8)), "\(text)") }
    }

    struct Recorded: Sendable {
        var file: String
        var reports: Int
        var microseconds: Int64
        var x: Int32
        var y: Int32
        /// Where the device is described if not in the file itself.
        var description: String?

        init(
            _ file: String, _ reports: Int, _ microseconds: Int64, _ x: Int32, _ y: Int32, _ description: String? = nil
        ) {
            self.file = file
            self.reports = reports
            self.microseconds = microseconds
            self.x = x
            self.y = y
            self.description = description
        }

        func bytes() -> [UInt8]? {
            guard let events = Shared.bytes("recordings/\(file)") else { return nil }
            return (description.flatMap { Shared.bytes("recordings/\($0)") } ?? []) + events
        }
    }

    static let recorded: [Recorded] = [
        .init("Atmel_maXTouch_Touchscreen.1-finger-drag-up-down.events", 502, 2_199_869, 799, 479),
        .init("Atmel_maXTouch_Touchscreen.1-finger-fast-taps.events", 84, 1_934_007, 799, 479),
        .init("Atmel_maXTouch_Touchscreen.2-fingers-touch-release.events", 64, 824_235, 799, 479),
        .init("Atmel_maXTouch_Touchscreen.4-finger-drag-down.events", 309, 566_589, 799, 479),
        .init(
            "ELAN_CANDO_Windows7.1-finger-drag-up-down.events", 1849, 2_853_790, 3008, 1856,
            "ELAN_CANDO_Windows7.desc"),
        .init("EP0430M09.1-finger-drag-up-down.events", 735, 1_433_974, 1279, 767),
        .init("EP0430M09.2-finger-scroll-down.events", 695, 754_658, 1279, 767),
        .init("EP0430M09.2-fingers-touch-release.events", 58, 527_809, 1279, 767),
        .init("EP0430M09.4-finger-drag-down.events", 1091, 1_173_667, 1279, 767),
        .init("N-Trig_MultiTouch.1-finger-drag-NW-SE.events", 955, 1_567_108, 9600, 7200, "N-Trig_MultiTouch.desc"),
        .init(
            "N-Trig_MultiTouch.2-fingers-touch-release.events", 2203, 2_993_822, 9600, 7200, "N-Trig_MultiTouch.desc"),
        .init("QUANTA_OpticalTouchScreen.events", 2832, 13_888_014, 1920, 1080, "QUANTA_OpticalTouchScreen.desc"),
        .init(
            "QUANTA_OpticalTouchScreen.touch-hover.events", 448, 1_416_013, 1920, 1080, "QUANTA_OpticalTouchScreen.desc"
        ),
        .init(
            "QUANTA_OpticalTouchScreen.touch-on-left.events", 147, 927_996, 1920, 1080, "QUANTA_OpticalTouchScreen.desc"
        ),
        .init("Wacom_DTH2242_Finger.events", 16593, 24_129_831, 4648, 2556),
        .init("dell_canvas_touch.evemu", 5363, 13_865_195, 32767, 32767),
    ]

    @Test(
        "recordings of real devices are read whole, as evemu and as libinput wrote or would have written them",
        .enabled(if: !Shared.names("recordings").isEmpty, "no ../shared"), arguments: recorded)
    func devices(recorded: Recorded) throws {
        let bytes = try #require(recorded.bytes())
        #expect(TouchRecording.looksLikeRecording(bytes))
        let read = try TouchRecording(parsing: bytes)
        #expect(read.reports.count == recorded.reports)
        #expect(read.reports.last?.time == Instant(microseconds: recorded.microseconds))
        #expect(read.axes == TouchAxes(x: 0...recorded.x, y: 0...recorded.y))
        #expect(try TouchRecording(parsing: Self.yaml(read)) == read)
    }

    @Test("every recording beside the project is in the table")
    func table() {
        let files = Shared.names("recordings").filter { $0.hasSuffix(".events") || $0.hasSuffix(".evemu") }
        #expect(files.isEmpty || files == Self.recorded.map(\.file).sorted())
    }

    /// The recording as libinput's recorder writes it.
    private static func yaml(_ recording: TouchRecording) -> [UInt8] {
        let axes = recording.axes ?? TouchAxes(x: 0...1, y: 0...1)
        var text = "version: 1\ndevices:\n- node: /dev/input/event0\n  evdev:\n    name: \"\(recording.name ?? "")\"\n"
        text += "    absinfo:\n      53: [\(axes.x.lowerBound), \(axes.x.upperBound), 0, 0, 0]\n"
        text += "      54: [\(axes.y.lowerBound), \(axes.y.upperBound), 0, 0, 0]\n  events:\n  - evdev:\n"
        for report in recording.reports {
            let (seconds, rest) = report.time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            text += "    - [\(seconds), \(rest), \(report.type), \(report.code), \(report.value)] # some event\n"
        }
        return Array(text.utf8)
    }

    @Test("whatever bytes a file is of, it is read or refused", arguments: 1...40)
    func mutations(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for text in Self.samples {
            for _ in 0..<25 {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...6, using: &random) { Self.mutate(&bytes, &random) }
                Self.check(bytes, "seed \(seed)")
            }
        }
    }

    private static let samples = [
        "# Input device name: \"A\"\n# Event type 3 ()\n# Event code 53\n# Min 0\n# Max 9\n# Event code 54\n# Max 9\n",
        "N: A\nA: 35 0 9 0 0\nA: 36 0 9 0 0\nE: 0.000001 0003 0035 -12\nE: 0.000002 0000 0000 0000\t# SYN\n",
        """
        version: 1
        devices:
        - evdev: {name: "A", absinfo: {53: [0, 9, 0, 0, 0], 54: [0, 9, 0, 0, 0]}}
          events:
          - evdev:
            - [ 0, 1, 3, 53, 0x7] # a
        """,
    ]

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
        let at = Int.random(in: 0..<max(1, bytes.count), using: &random)
        let end = min(bytes.count, at + Int.random(in: 0..<8, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where at < bytes.count: bytes[at] = .random(in: 0...255, using: &random)
        case 1 where at < end: bytes.removeSubrange(at..<end)
        case 2 where at < end:
            bytes.insert(contentsOf: bytes[at..<end], at: .random(in: 0...bytes.count, using: &random))
        default:
            bytes.insert(
                Array("0-9.#:[]{}\n \t&*!EA".utf8).randomElement(using: &random) ?? 0, at: min(at, bytes.count))
        }
    }

    private static func check(_ bytes: [UInt8], _ note: String) {
        do throws(FormatError) {
            let read = try TouchRecording(parsing: bytes)
            let times = read.reports.map(\.time)
            #expect(times == times.sorted() && times.first ?? .zero == .zero, "\(note)")
            if let axes = read.axes { #expect(!axes.x.isEmpty && !axes.y.isEmpty, "\(note)") }
        } catch {
            #expect(!error.problem.isEmpty, "\(note)")
        }
    }
}
