import Formats
import Instrument
import Input
import Testing

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

    @Test("reports, axes and name are read, times count from the first report, and leading zeros are ignored")
    func read() throws {
        let expected = TouchRecording(
            name: "CoolTouch® System #1", axes: TouchAxes(x: -100...32767, y: 0...1023), reports: Self.wholeReports)
        #expect(try recording(Self.whole) == expected)
        #expect(try recording(Self.whole.replacing("\n", with: "\r\n")) == expected)
        #expect(try recording("\u{feff}" + Self.whole) == expected)
    }

    @Test("a recording without a description has neither name nor axes, and one with only a description has no reports")
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

    @Test("without A: lines the axes are read from the comments, and without an N: line the name")
    func described() throws {
        let expected = TouchRecording(name: "Panel \"A\"", axes: TouchAxes(x: -10...799, y: 0...479), reports: [])
        #expect(try recording(Self.comments) == expected)
        let both = try recording(Self.comments + "\nA: 35 0 10 0 0\nA: 36 0 20 0 0\nN: B\n")
        #expect(both == TouchRecording(name: "B", axes: TouchAxes(x: 0...10, y: 0...20), reports: []))
    }

    @Test("unreadable comments are ignored")
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
        .init(
            "E: 1.000000 0 0 0\n\nE: 86401.000001 0 0 0", "line 3",
            "is 86400 s after the first report, should be at most 86400 s (a day)"),
        .init(
            "E: 0.000001 0 0 0\nE: 1700000000.000000 0 0 0", "line 2",
            "is 1699999999 s after the first report, should be"),
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

    @Test("lines that are not evemu's format are rejected by number", arguments: refusals)
    func refuses(refused: Refusal) {
        let error = refusal(refused.text)
        #expect(error?.place == refused.place, "\(refused.text)")
        #expect(error?.problem.hasPrefix(refused.problem) == true, "\(String(describing: error))")
    }

    @Test("axes other than touch, or only one of two, are accepted")
    func otherAxes() throws {
        #expect(try recording("A: 02 9 0 0 0\nA: 35 9 9 0 0\n").axes == nil)
        let text = "A: 35 9 9 0 0\nA: 00 0 9 0 0\nA: 01 0 99 0 0\n"
        #expect(try recording(text).axes == TouchAxes(x: 0...9, y: 0...99))
    }

    @Test("extreme numbers are read")
    func extremes() throws {
        let text = "A: 35 -2147483648 2147483647 0 0\nA: 36 0 1 0 0\nE: 9999900000.000000 ffff FFFF -2147483648\n"
        let last = "E: 9999986400.000000 0000 0000 2147483647"
        let read = try recording(text + last)
        #expect(read.axes == TouchAxes(x: Int32.min...Int32.max, y: 0...1))
        let expected = [report(0, 0xffff, 0xffff, .min), report(86_400_000_000, 0, 0, .max)]
        #expect(read.reports == expected)
    }
}
