import Devices
import FoundationEssentials
import Glibc

/// The box as systemd runs it.
package enum Service {
    package static let unit = "pixelboop.service"

    /// Adopts the service's user, limits and environment, permanently; returns the options of its command, and its
    /// filter of addresses.
    package static func adopt() throws -> (options: [String], filter: NetworkFilter) {
        let service: ServiceUnit
        do throws(DeviceFailure) {
            service = try ServiceUnit(unit)
        } catch {
            throw CommandError(.unavailable, "\(error)")
        }
        return (try adopt(service), service.filter)
    }

    private static func adopt(_ service: ServiceUnit) throws -> [String] {
        do throws(DeviceFailure) {
            try service.apply()
        } catch {
            throw CommandError(.noPermission, "\(error)")
        }
        return ShellWords.split(service.environment["PIXELBOOP_OPTIONS"] ?? "")
    }

    /// Adopts the service, if installed, for a command of root that names neither a configuration nor a state folder:
    /// root sets up the machine's box, and stays out of files that the service's user can write. Returns the options of
    /// the service's command; nil if it adopted nothing.
    package static func adopt(unlessNamed configuration: String?) throws -> [String]? {
        let environment = ProcessInfo.processInfo.environment
        guard geteuid() == 0, configuration == nil, environment["PIXELBOOP_CONFIG"] == nil,
            environment["STATE_DIRECTORY"] == nil, let service = try? ServiceUnit(unit)
        else { return nil }
        return try adopt(service)
    }
}
