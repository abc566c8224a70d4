import InputEvents
import Formats
import Instrument
import Input
import TestSupport
import Testing

@Suite("Touch recordings")
struct TouchRecordingTests {
    @Test("the first character distinguishes a recording from a touch script")
    func kinds() {
        let recordings = ["E: 0.000001 0000 0000 0", " \n# EVEMU 1.3", "version: 1", "\u{feff}N: a"]
        for text in recordings { #expect(TouchRecording.looksLikeRecording(Array(text.utf8)), "\(text)") }
        let others = ["", " \r\n", "{\"at\": 0}", "\n\t {", "\u{feff}{"]
        for text in others { #expect(!TouchRecording.looksLikeRecording(Array(text.utf8)), "\(text)") }
    }

    @Test(
        "recordings of real devices are read completely, in the formats of evemu and libinput",
        arguments: TouchFixture.all)
    func devices(recorded: TouchFixture) throws {
        let evemu = Self.evemu(recorded)
        #expect(TouchRecording.looksLikeRecording(evemu))
        let read = try TouchRecording(parsing: evemu)
        #expect(read.name == recorded.name)
        let events = recorded.packets.flatMap { packet in
            (packet.events + [.end]).map { event in
                InputReport(
                    time: Instant(microseconds: packet.time), type: event.type, code: event.code, value: event.value)
            }
        }
        #expect(read.reports == events)
        let axes = Dictionary(uniqueKeysWithValues: recorded.axes.map { ($0.code, $0.first...$0.last) })
        let x = try #require(axes[InputCode.positionX])
        let y = try #require(axes[InputCode.positionY])
        #expect(read.axes == TouchAxes(x: x, y: y))
        #expect(try TouchRecording(parsing: Self.yaml(read)) == read)
    }

    /// An original file of evemu's, its contents, and the time of its last event in microseconds.
    struct Original: Sendable {
        var file: String
        var name: String
        var axes: TouchAxes
        var reports: Int
        var microseconds: Int64
    }

    static let originals: [Original] = [
        .init(
            file: "Atmel_maXTouch_Touchscreen.2-fingers-touch-release.events", name: "Atmel maXTouch Touchscreen",
            axes: TouchAxes(x: 0...799, y: 0...479), reports: 64, microseconds: 824_235),
        .init(
            file: "QUANTA_OpticalTouchScreen.touch-on-left.events", name: "QUANTA OpticalTouchScreen",
            axes: TouchAxes(x: 0...1920, y: 0...1080), reports: 147, microseconds: 927_996),
        .init(
            file: "Wacom_DTH2242_Finger.events", name: "Wacom DTH2242 Finger",
            axes: TouchAxes(x: 0...4648, y: 0...2556), reports: 120, microseconds: 371_994),
        .init(
            file: "dell_canvas_touch.evemu", name: "Advanced Silicon S.A. CoolTouch® System",
            axes: TouchAxes(x: 0...32767, y: 0...32767), reports: 120, microseconds: 331_004),
    ]

    @Test("evemu's own files are read, in each version of the format", arguments: originals)
    func evemuFiles(original: Original) throws {
        let read = try TouchRecording(parsing: Fixtures.bytes("evemu/\(original.file)"))
        #expect(read.name == original.name)
        #expect(read.axes == original.axes)
        #expect(read.reports.count == original.reports)
        #expect(read.reports.last?.time == Instant(microseconds: original.microseconds))
    }

    @Test("every original file of evemu's is in the table")
    func table() throws {
        #expect(try Fixtures.names("evemu") == Self.originals.map(\.file).sorted())
    }

    /// The recording in evemu's format.
    private static func evemu(_ recorded: TouchFixture) -> [UInt8] {
        var text = "N: \(recorded.name)\n"
        for axis in recorded.axes {
            text += "A: \(String(axis.code, radix: 16)) \(axis.first) \(axis.last) 0 0\n"
        }
        for packet in recorded.packets {
            let fraction = String(packet.time % 1_000_000 + 1_000_000).dropFirst()
            for event in packet.events + [.end] {
                text += "E: \(packet.time / 1_000_000).\(fraction) \(String(event.type, radix: 16)) "
                text += "\(String(event.code, radix: 16)) \(event.value)\n"
            }
        }
        return Array(text.utf8)
    }

    /// The recording in the format of libinput's recorder.
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
