import Dispatch
import Formats
import Instrument

/// Keeps the matrix that calibrating on the panel has found, on a queue of its own.
final class CalibrationKeeper: Sendable {
    private let file: CalibrationFile
    /// The configuration as its file has it.
    private let configuration: Configuration
    private let say: @Sendable (Event) -> Void
    private let queue = DispatchQueue(label: "calibration", qos: .utility)

    /// A keeper of the matrix for `configuration` in `file`; it reports a failure to the box by `say`.
    init(_ file: CalibrationFile, _ configuration: Configuration, say: @escaping @Sendable (Event) -> Void) {
        self.file = file
        self.configuration = configuration
        self.say = say
    }

    /// Keeps `matrix`.
    func keep(_ matrix: [Double]) {
        queue.async { [self] in
            do {
                // Which of several was tapped is unknown.
                if configuration.touch.overlays.count > 1 {
                    throw CommandError(
                        .usage, "the configuration has several overlays; calibrate each by touch calibrate --overlay N")
                }
                try file.check()
                try file.write(matrix, overlay: 0, of: configuration)
                Main.tell("the overlay's matrix was written to \(file.path)")
            } catch {
                Main.tell("the overlay lies as calibrated until the box is switched off: \(error)")
                say(.notice(.calibrationNotKept))
            }
        }
    }
}
