import Dispatch
import Formats
import Instrument

/// Stores the matrix of a calibration on the panel, on a queue of its own.
final class CalibrationKeeper: Sendable {
    private let file: CalibrationFile
    /// The configuration as in its file.
    private let configuration: Configuration
    private let post: @Sendable (Instrument.Event) -> Void
    private let queue = DispatchQueue(label: "calibration", qos: .utility)

    /// A keeper of the matrix for `configuration` in `file`; it reports a failure to the box by `post`.
    init(_ file: CalibrationFile, _ configuration: Configuration, post: @escaping @Sendable (Instrument.Event) -> Void)
    {
        self.file = file
        self.configuration = configuration
        self.post = post
    }

    /// Stores `matrix`.
    func keep(_ matrix: [Double]) {
        queue.async { [self] in
            do {
                // With several overlays it is unknown which one was tapped.
                if configuration.touch.overlays.count > 1 {
                    throw CommandError(
                        .usage, "the configuration has several overlays; calibrate each by touch calibrate --overlay N")
                }
                try file.check()
                try file.write(matrix, overlay: 0, of: configuration)
                Log.post("the overlay's matrix was written to \(file.path)")
            } catch {
                Log.post("the overlay lies as calibrated until the box is switched off: \(error)")
                post(.notice(.calibrationNotKept))
            }
        }
    }

    /// Waits until everything is stored.
    func finish() { queue.sync {} }
}
