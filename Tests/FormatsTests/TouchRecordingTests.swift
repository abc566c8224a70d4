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
