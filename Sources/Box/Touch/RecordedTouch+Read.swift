import Documents
import Formats
import Instrument
import Input
import Replay

extension RecordedTouch {
    /// The recording in `bytes`, read from `path`, with the calibration of `configuration`. `axes` are the ranges of
    /// the device's axes; nil if the recording has them.
    package init(_ bytes: [UInt8], from path: String, axes: TouchAxes?, _ configuration: Configuration) throws {
        let recording = try Files.parse(bytes, from: path) { bytes throws(FormatError) in
            try TouchRecording(parsing: bytes)
        }
        guard let axes = axes ?? recording.axes else {
            throw CommandError(
                .badData,
                "\(Files.name(path)): does not say the ranges of the device's axes; add --range X Y, the largest value of each"
            )
        }
        let device = TouchDevice(axes: axes, settings: configuration.touch.settings(of: recording.name))
        self.init(device: device, reports: recording.reports)
    }
}

extension Configuration.TouchSettings {
    /// The settings of the overlay with this name: its own entry's, else the first entry's.
    fileprivate func settings(of name: String?) -> OverlaySettings {
        let own = overlays.first { overlay in name.map { overlay.device == .named($0) } ?? false }
        return (own ?? overlays[0]).settings
    }
}
