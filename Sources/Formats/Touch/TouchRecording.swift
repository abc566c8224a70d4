import Documents
import InputEvents
import Instrument
import Input

/// The reports of a touch device, recorded by evemu or libinput.
public struct TouchRecording: Hashable, Sendable {
    /// Name of the device, if recorded.
    public var name: String?
    /// Ranges of the device's axes, if recorded.
    public var axes: TouchAxes?
    /// The reports in order of time, relative to the first.
    public var reports: [InputReport]

    /// A recording of `reports` in order of time.
    public init(name: String? = nil, axes: TouchAxes? = nil, reports: [InputReport]) {
        self.name = name
        self.axes = axes
        self.reports = reports
    }

    /// Reads a recording in evemu's format (evemu's README.md), with or without the description of the device, or in
    /// the format of libinput-record(1), whose first touch device is used. Throws `FormatError` with the line or path
    /// of the first error, including reports that step back in time or are more than a day after the first, and axes
    /// without extent.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        if try Self.isEvemu(bytes) {
            self = try EvemuReader.recording(bytes)
        } else {
            self = try TouchRecording(libinput: JSONField(JSON(yaml: bytes)))
        }
    }

    /// Whether a file is a recording rather than a touch script, which begins with a brace or is empty.
    public static func looksLikeRecording(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes[bytes.textStart...].first(where: { !isBlank($0) }) else { return false }
        return first != UInt8(ascii: "{")
    }

    /// Distinguishes the formats by the first line that is not a comment; a file of only comments is evemu's.
    private static func isEvemu(_ bytes: [UInt8]) throws(FormatError) -> Bool {
        var number = 1
        var at = bytes.textStart
        while at < bytes.count {
            let end = bytes[at...].firstIndex(of: 0x0a) ?? bytes.count
            let line = bytes[at..<end].drop(while: isBlank)
            if let first = line.first, first != UInt8(ascii: "#") {
                if EvemuReader.isLine(line) { return true }
                let isYAML = line.starts(with: "---".utf8) || line.starts(with: "%".utf8)
                if isYAML || line.contains(UInt8(ascii: ":")) { return false }
                throw FormatError(
                    "line \(number)",
                    "is not of a recording; should be evemu's, such as 'E: 0.000001 0003 0035 0404', "
                        + "or libinput's, such as 'version: 1'")
            }
            at = end + 1
            number += 1
        }
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}

/// The ranges of a recorded device's axes, each with its place in the recording.
struct RecordedAxes {
    /// A recorded axis.
    struct Axis {
        var minimum: Int
        var maximum: Int
        /// The line or path.
        var place: String

        fileprivate func range() throws(FormatError) -> ClosedRange<Int32> {
            guard minimum < maximum, let low = Int32(exactly: minimum), let high = Int32(exactly: maximum) else {
                throw FormatError(
                    place, "the axis is from \(minimum) to \(maximum), should be from one number to a greater one")
            }
            return low...high
        }
    }

    /// The axes by code (`ABS_MT_POSITION_X`, …).
    var byCode: [UInt16: Axis] = [:]

    /// The touch axes: multi-touch, otherwise single-touch.
    func touch() throws(FormatError) -> TouchAxes? {
        for (x, y) in [(InputCode.positionX, InputCode.positionY), (InputCode.x, InputCode.y)] {
            guard let across = byCode[x], let down = byCode[y] else { continue }
            return TouchAxes(x: try across.range(), y: try down.range())
        }
        return nil
    }
}

/// Reports in order of time, relative to the first.
struct RecordedReports {
    private(set) var reports: [InputReport] = []
    private var first: Int64?

    /// Range of a recorder's clock, in seconds: up to the year 2286.
    static let seconds = 0...9_999_999_999
    /// Range of the values of axes and reports.
    static let values = Int(Int32.min)...Int(Int32.max)
    /// Maximum length of a recording, in seconds: a day, as for a touch script. A replay also plays the pauses between
    /// reports, which can be years long if the recorder's clock was set during the recording.
    static let secondsMax: Int64 = 86_400

    /// Adds a report at `microseconds` of the recorder's clock. Returns an error, and adds nothing, if that time is
    /// invalid.
    mutating func add(at microseconds: Int64, type: UInt16, code: UInt16, value: Int32) -> String? {
        let start = first ?? microseconds
        let time = Instant(microseconds: microseconds - start)
        guard time >= reports.last?.time ?? .zero else {
            return "is earlier than the report before, should be at the same time or later"
        }
        guard time.microseconds <= Self.secondsMax * 1_000_000 else {
            return
                "is \(time.microseconds / 1_000_000) s after the first report, should be at most \(Self.secondsMax) s (a day)"
        }
        first = start
        reports.append(InputReport(time: time, type: type, code: code, value: value))
        return nil
    }
}
