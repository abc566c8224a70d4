import Box
import Devices
import Documents
import Formats
import Library

/// The box that `pixelboop doctor` checks: its configuration and options.
struct DoctorSetup {
    /// The service's unit; nil for a check as this user.
    let service: String?
    /// The service's filter of addresses; nil for a check as this user.
    let filter: NetworkFilter?
    /// The path of the configuration; nil for the defaults.
    let path: String?
    /// The configuration in force, calibrated.
    let configuration: Configuration
    /// The state of the kept calibration, if any.
    let calibration: Finding?
    /// The service's options for `run`; none for a check as this user.
    let options: BoxOptions
    /// The kind of panel.
    let view: PanelView.Kind
    /// The library's file.
    let library: String
    /// The process that has this library open.
    let player: Int32?
    /// The machine.
    let board: Board
    private let document: JSON

    /// The box of `arguments`. With `--service` this process first adopts the service's user, limits and environment,
    /// permanently.
    init(_ arguments: Arguments) throws {
        service = arguments.has("--service") ? Service.unit : nil
        if service != nil {
            let taken = try Service.adopt()
            (options, filter) = (try BoxOptions(parsing: taken.options), taken.filter)
        } else {
            (options, filter) = (BoxOptions(), nil)
        }
        path = arguments["--config"] ?? Configuration.path(options.configuration)
        let configured: Configuration
        if let path {
            (configured, document) = try Files.document(path, status: .badConfiguration) {
                bytes throws(FormatError) in
                // A file of comments only is not JSON, and sets nothing.
                (try Configuration(parsing: bytes), (try? JSON(parsing: bytes, as: .json5)) ?? .object([:]))
            }
        } else {
            (configured, document) = (Configuration(), .object([:]))
        }
        let file = CalibrationFile(configuration: arguments["--config"] ?? options.configuration)
        do {
            configuration = try file.document().map(configured.calibrated(by:)) ?? configured
            calibration =
                configuration == configured ? nil : .ok("the touch overlay's matrix comes from \(file.path)")
        } catch {
            configuration = configured
            calibration = Finding(state: .warning, what: "\(error)", fix: "calibrate again")
        }
        library = options.library ?? Libraries.path(configuration)
        player = Library.player(of: library)
        board = Board()
        view = PanelView.Kind(options.panel, configuration.panel, besideBox: player != nil)
    }

    /// Whether the configuration's file sets the value at `keys`, other than to null.
    func names(_ keys: String...) -> Bool {
        var value = document
        for key in keys {
            guard case .object(let parts) = value, let part = parts[key] else { return false }
            value = part
        }
        return value != .null
    }
}
