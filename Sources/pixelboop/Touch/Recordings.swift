import Formats
import Instrument
import Input
import Replay

/// Recordings of touch devices, read in place of a device.
enum Recordings {
    /// The option that gives the ranges of the axes.
    static let range = "--range"

    /// The recording in `bytes`, read from `path`, with the calibration of `configuration`.
    static func touch(
        _ bytes: [UInt8], from path: String, _ arguments: Arguments, _ configuration: Configuration
    ) throws -> RecordedTouch {
        let recording = try Files.parse(bytes, from: path) { bytes throws(FormatError) in
            try TouchRecording(parsing: bytes)
        }
        guard let axes = try axes(arguments) ?? recording.axes else {
            throw CommandError(
                .badData,
                "\(Files.name(path)): does not say the ranges of the device's axes; add \(range) X Y, the largest value of each"
            )
        }
        let device = TouchDevice(axes: axes, settings: configuration.touch.settings(of: recording.name))
        return RecordedTouch(device: device, reports: recording.reports)
    }

    private static func axes(_ arguments: Arguments) throws -> TouchAxes? {
        guard let (x, y) = arguments.pair(range) else { return nil }
        return TouchAxes(x: try axis(x), y: try axis(y))
    }

    /// `MAX`, or `MIN:MAX`.
    private static func axis(_ text: String) throws -> ClosedRange<Int32> {
        let ends = text.split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) }
        let (low, high) = ends.count == 1 ? (0, ends[0]) : (ends[0], ends.count == 2 ? ends[1] : nil)
        guard let low, let high, low < high else {
            throw CommandError(.usage, "\(range) has \(text), should be the axis's largest value, or SMALLEST:LARGEST")
        }
        return low...high
    }
}

extension Configuration.TouchSettings {
    /// The settings of the overlay with this name: its own entry's, else the first entry's.
    fileprivate func settings(of name: String?) -> OverlaySettings {
        let own = overlays.first { overlay in name.map { overlay.device == .named($0) } ?? false }
        return (own ?? overlays[0]).settings
    }
}
