import Formats
import FoundationEssentials
import Library

/// Libraries that somebody names.
enum Libraries {
    /// Where the library is that `configuration` or the system has.
    static func path(_ configuration: Configuration) -> String {
        configuration.library ?? Library.defaultPath(environment: ProcessInfo.processInfo.environment)
    }

    /// The reason why `path` cannot name a library; nil if it can. Some names mean no file to SQLite.
    static func problem(with path: String) -> String? {
        let isFile = !path.isEmpty && path != ":memory:" && !path.hasPrefix("file:") && !path.utf8.contains(0)
        return isFile ? nil : "library is \"\(path)\", should be the path of a file"
    }

    /// The library at `path` for a command of that role, begun if there is none.
    static func open(_ path: String, as role: Library.Role) throws -> Library {
        try opening(path) { path throws(LibraryError) in try Library(path: path, as: role) }
    }

    /// The library of a box: the one at `path`, which has to be usable now; without one, that of `configuration` or the
    /// system, which the box waits for while it plays.
    static func player(_ path: String?, _ configuration: Configuration) throws -> Library {
        try opening(path ?? Self.path(configuration)) { place throws(LibraryError) in
            path == nil ? try Library(waitingFor: place) : try Library(path: place, as: .player)
        }
    }

    private static func opening(_ path: String, _ body: (String) throws(LibraryError) -> Library) throws -> Library {
        if let problem = problem(with: path) { throw CommandError(.usage, problem) }
        do throws(LibraryError) {
            return try body(path)
        } catch {
            throw CommandError(error.status ?? .cannotCreate, "\(error)")
        }
    }
}

extension LibraryError {
    /// The exit status that says it; nil where that depends on what was asked for.
    var status: ExitStatus? {
        switch self {
        case .noPattern: .noInput
        case .damaged, .needsRepair, .badBackup: .badData
        case .inUse, .locked: .unavailable
        default: nil
        }
    }
}
