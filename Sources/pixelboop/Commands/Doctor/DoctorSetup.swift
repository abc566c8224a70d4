import Devices
import Formats
import Library

/// The box that `pixelboop doctor` looks at: its configuration, and the options it is started with.
struct DoctorSetup {
    /// The service's unit; nil for a look as this user.
    let service: String?
    /// The path of the configuration; nil for the defaults.
    let path: String?
    let configuration: Configuration
    /// The options that the service hands to `run`; none for a look as this user.
    let options: Arguments
    /// How the panel would be shown.
    let view: View.Kind
    /// The library's file.
    let library: String
    /// The process that plays this library now.
    let player: Int32?
    private let document: JSON

    static let unit = "pixelboop.service"

    /// The box that `arguments` ask about. With `--service` this process takes on the service's user, limits and environment
    /// first, for good.
    init(_ arguments: Arguments) throws {
        service = arguments.has("--service") ? Self.unit : nil
        options = try service.map(Self.takeOn) ?? Arguments([], of: Main.run)
        path = arguments["--config"] ?? Configuration.path(options)
        if let path {
            (configuration, document) = try Files.document(path, status: .badConfiguration) {
                bytes throws(FormatError) in
                // A file of comments only is no JSON, and sets nothing.
                (try Configuration(parsing: bytes), (try? JSON(parsing: bytes, as: .json5)) ?? .object([:]))
            }
        } else {
            (configuration, document) = (Configuration(), .object([:]))
        }
        view = try View.Kind(options, configuration.panel)
        library = options["--library"] ?? Libraries.path(configuration)
        player = Library.player(of: library)
    }

    /// Takes on what systemd gives the unit `name`; returns the options of its command.
    private static func takeOn(_ name: String) throws -> Arguments {
        let unit: ServiceUnit
        do throws(DeviceFailure) {
            unit = try ServiceUnit(name)
        } catch {
            throw CommandError(.unavailable, "\(error)")
        }
        do throws(DeviceFailure) {
            try unit.takeOn()
        } catch {
            throw CommandError(.noPermission, "\(error)")
        }
        return try Arguments(ShellWords.split(unit.environment["PIXELBOOP_OPTIONS"] ?? "")[...], of: Main.run)
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
