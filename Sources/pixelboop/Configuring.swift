import Formats
import FoundationEssentials
import Glibc

extension Configuration {
    /// The configuration that the command line or else the system names; the defaults where there is none.
    static func load(_ arguments: Arguments) throws -> Configuration {
        guard let path = path(arguments) else { return Configuration() }
        return try Files.document(path, status: .badConfiguration) { bytes throws(FormatError) in
            try Configuration(parsing: bytes)
        }
    }

    /// Where the configuration stands: `--config`, `$PIXELBOOP_CONFIG`, `~/.config/pixelboop/`, `/etc/pixelboop/`; nil
    /// where there is none.
    static func path(_ arguments: Arguments) -> String? {
        let environment = ProcessInfo.processInfo.environment
        if let path = arguments["--config"] ?? environment["PIXELBOOP_CONFIG"] { return path }
        let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
        return [home, "/etc"].compactMap { $0.map { $0 + "/pixelboop/config.json5" } }.first {
            FileManager.default.fileExists(atPath: $0)
        }
    }
}
