import Documents
import Formats
import FoundationEssentials
import Glibc

extension Configuration {
    /// The configuration at `path`, else of the system; the defaults if there is none.
    package static func load(_ path: String?) throws -> Configuration {
        guard let path = self.path(path) else { return Configuration() }
        return try Files.document(path, status: .badConfiguration) { bytes throws(FormatError) in
            try Configuration(parsing: bytes)
        }
    }

    /// Path of the configuration: `path`, `$PIXELBOOP_CONFIG`, `~/.config/pixelboop/` or `/etc/pixelboop/`; nil if
    /// there is none.
    package static func path(_ path: String?) -> String? {
        let environment = ProcessInfo.processInfo.environment
        if let path = path ?? environment["PIXELBOOP_CONFIG"] { return path }
        return usualPaths.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// Path of a new configuration: the machine's for root, else the user's.
    static var newPath: String { geteuid() == 0 ? usualPaths[usualPaths.count - 1] : usualPaths[0] }

    /// The user's, if there is a home, and the machine's.
    private static var usualPaths: [String] {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
        return [home, "/etc"].compactMap { $0.map { $0 + "/pixelboop/config.json5" } }
    }
}
