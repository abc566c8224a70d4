import Formats
import FoundationEssentials
import Library

/// Libraries that somebody names.
enum Libraries {
    /// Where the library is that `configuration` or the system has.
    static func path(_ configuration: Configuration) -> String {
        configuration.library ?? Library.defaultPath(environment: ProcessInfo.processInfo.environment)
    }

    /// The library at `path`, begun if there is none.
    static func open(_ path: String) throws -> Library {
        do throws(LibraryError) {
            return try Library(path: path)
        } catch {
            throw CommandError(.cannotCreate, "\(error)")
        }
    }
}
