import Formats
import Instrument
import Overlay
import TestSupport
import Testing

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
}
