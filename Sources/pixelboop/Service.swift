import Devices
import FoundationEssentials
import Glibc

/// The box as systemd runs it.
enum Service {
    static let unit = "pixelboop.service"

    /// Takes on the service's user, limits and environment, for good; returns the options of its command.
    static func takeOn() throws -> Arguments {
        let service: ServiceUnit
        do throws(DeviceFailure) {
            service = try ServiceUnit(unit)
        } catch {
            throw CommandError(.unavailable, "\(error)")
        }
        return try takeOn(service)
    }

    private static func takeOn(_ service: ServiceUnit) throws -> Arguments {
        do throws(DeviceFailure) {
            try service.takeOn()
        } catch {
            throw CommandError(.noPermission, "\(error)")
        }
        return try Arguments(ShellWords.split(service.environment["PIXELBOOP_OPTIONS"] ?? "")[...], of: Main.run)
    }

    /// Takes on the service, where there is one, for a command of root that names neither a configuration nor a state folder:
    /// root sets up the box of the machine, and stays out of the files that the service's user can write. Returns `arguments`,
    /// with the configuration that the service's options name.
    static func taking(_ arguments: Arguments) throws -> Arguments {
        let environment = ProcessInfo.processInfo.environment
        guard geteuid() == 0, arguments["--config"] == nil, environment["PIXELBOOP_CONFIG"] == nil,
            environment["STATE_DIRECTORY"] == nil, let service = try? ServiceUnit(unit)
        else { return arguments }
        return arguments.adding("--config", of: try takeOn(service))
    }
}
