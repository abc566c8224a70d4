import Box
import Devices
import Formats
import Library

/// The box that `pixelboop doctor` looks at: its configuration, and the options it is started with.
struct DoctorSetup {
    /// The service's unit; nil for a look as this user.
    let service: String?
    /// The path of the configuration; nil for the defaults.
    let path: String?
    /// The configuration in force, calibrated.
    let configuration: Configuration
    /// What is kept of a calibration, if anything.
    let calibration: Finding?
    /// The options that the service hands to `run`; none for a look as this user.
    let options: BoxOptions
    /// How the panel would be shown.
    let view: View.Kind
    /// The library's file.
    let library: String
    /// The process that plays this library now.
    let player: Int32?
    private let document: JSON

    /// The box that `arguments` ask about. With `--service` this process takes on the service's user, limits and environment
    /// first, for good.
    init(_ arguments: Arguments) throws {
        service = arguments.has("--service") ? Service.unit : nil
        options = try service == nil ? BoxOptions() : BoxOptions(parsing: Service.takeOn())
        path = arguments["--config"] ?? Configuration.path(options.configuration)
        let configured: Configuration
        if let path {
            (configured, document) = try Files.document(path, status: .badConfiguration) {
                bytes throws(FormatError) in
                // A file of comments only is no JSON, and sets nothing.
                (try Configuration(parsing: bytes), (try? JSON(parsing: bytes, as: .json5)) ?? .object([:]))
            }
        } else {
            (configured, document) = (Configuration(), .object([:]))
        }
        let file = CalibrationFile(configuration: arguments["--config"] ?? options.configuration)
        do {
            configuration = try file.document().map(configured.calibrated(by:)) ?? configured
            calibration =
                configuration == configured ? nil : .ok("the matrix of the touch overlay is that of \(file.path)")
        } catch {
            configuration = configured
            calibration = Finding(state: .warning, what: "\(error)", fix: "calibrate again")
        }
        view = View.Kind(options.panel, configuration.panel)
        library = options.library ?? Libraries.path(configuration)
        player = Library.player(of: library)
    }

    /// Whether the configuration's file itself says what stands at `keys`, and not null.
    func names(_ keys: String...) -> Bool {
        var value = document
        for key in keys {
            guard case .object(let parts) = value, let part = parts[key] else { return false }
            value = part
        }
        return value != .null
    }
}
