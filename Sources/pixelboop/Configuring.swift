import Formats
import Foundation

extension Configuration {
    /// The configuration that the command line or else the system names: `--config`, `$PIXELBOOP_CONFIG`,
    /// `~/.config/pixelboop/config.json5`, `/etc/pixelboop/config.json5`; the defaults where there is none.
    static func load(_ arguments: Arguments) throws -> Configuration {
        let environment = ProcessInfo.processInfo.environment
        if let path = arguments["--config"] ?? environment["PIXELBOOP_CONFIG"] { return try read(path) }
        let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
        for folder in [home, "/etc"].compactMap({ $0 }) {
            let path = folder + "/pixelboop/config.json5"
            if FileManager.default.fileExists(atPath: path) { return try read(path) }
        }
        return Configuration()
    }

    private static func read(_ path: String) throws -> Configuration {
        try Files.document(path, status: .badConfiguration) { bytes throws(FormatError) in
            try Configuration(parsing: bytes)
        }
    }
}
