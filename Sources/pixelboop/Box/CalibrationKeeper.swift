import Dispatch
import Formats
import Instrument

/// Writes how the overlay lies into the configuration, beside the music.
final class CalibrationKeeper: Sendable {
    private let arguments: Arguments
    /// The configuration describes several overlays, and which of them was tapped is not known.
    private let hasSeveral: Bool
    private let say: @Sendable (Event) -> Void
    private let queue = DispatchQueue(label: "calibration", qos: .utility)

    /// A keeper for the configuration that `arguments` name; it tells the box what comes of it by `say`.
    init(_ arguments: Arguments, _ configuration: Configuration, say: @escaping @Sendable (Event) -> Void) {
        self.arguments = arguments
        hasSeveral = configuration.touch.overlays.count > 1
        self.say = say
    }

    /// Keeps `matrix`.
    func keep(_ matrix: [Double]) {
        queue.async { [self] in
            do {
                if hasSeveral {
                    throw CommandError(
                        .usage, "the configuration has several overlays; calibrate each by touch calibrate --overlay N")
                }
                let path = try CalibrationFile.path(arguments)
                try CalibrationFile.write(matrix, overlay: nil, to: path)
                Main.tell("the overlay's matrix was written to \(path)")
            } catch {
                Main.tell("the overlay lies as calibrated until the box is switched off: \(error)")
                say(.notice(.calibrationNotKept))
            }
        }
    }
}
