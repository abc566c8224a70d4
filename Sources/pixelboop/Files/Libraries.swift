import Formats
import FoundationEssentials
import Library

/// Libraries that somebody names.
enum Libraries {
    /// Where the library is that `configuration` or the system has.
    static func path(_ configuration: Configuration) -> String {
        configuration.library ?? Library.defaultPath(environment: ProcessInfo.processInfo.environment)
    }

    /// The library at `path` for a command of that role, begun if there is none.
    static func open(_ path: String, as role: Library.Role) throws -> Library {
        try opening { () throws(LibraryError) in try Library(path: path, as: role) }
    }

    /// The library of a box: the one at `path`, which has to be usable now; without one, that of `configuration` or the
    /// system, which the box waits for while it plays.
    static func player(_ path: String?, _ configuration: Configuration) throws -> Library {
        try opening { () throws(LibraryError) in
            if let path { return try Library(path: path, as: .player) }
            return try Library(waitingFor: Self.path(configuration))
        }
    }

    private static func opening(_ body: () throws(LibraryError) -> Library) throws -> Library {
        do throws(LibraryError) {
            return try body()
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
