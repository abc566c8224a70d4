import Formats
import FoundationEssentials
import Glibc

extension Configuration {
    /// The configuration of the command line, else of the system; the defaults if there is none.
    static func load(_ arguments: Arguments) throws -> Configuration {
        guard let path = path(arguments) else { return Configuration() }
        return try Files.document(path, status: .badConfiguration) { bytes throws(FormatError) in
            try Configuration(parsing: bytes)
        }
    }

    /// Path of the configuration: `--config`, `$PIXELBOOP_CONFIG`, `~/.config/pixelboop/` or `/etc/pixelboop/`; nil if there is
    /// none.
    static func path(_ arguments: Arguments) -> String? {
        let environment = ProcessInfo.processInfo.environment
        if let path = arguments["--config"] ?? environment["PIXELBOOP_CONFIG"] { return path }
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
