import Formats
import FoundationEssentials
import Library

/// Opens the libraries that commands name.
package enum Libraries {
    /// Path of the library: the configured one, else the system's.
    package static func path(_ configuration: Configuration) -> String {
        configuration.library ?? Library.defaultPath(environment: ProcessInfo.processInfo.environment)
    }

    /// Why `path` cannot name a library; nil if it can. SQLite takes some names for something else than a file.
    package static func problem(with path: String) -> String? {
        let isFile = !path.isEmpty && path != ":memory:" && !path.hasPrefix("file:") && !path.utf8.contains(0)
        return isFile ? nil : "library is \"\(path)\", should be the path of a file"
    }

    /// The library at `path` for a command of this role; created if missing.
    package static func open(_ path: String, as role: Library.Role) throws -> Library {
        try opening(path) { path throws(LibraryError) in try Library(path: path, as: role) }
    }

    /// The library of a box: the one at `path`, which has to be usable now; else the configured or the system's, which
    /// may become usable while the box plays.
    package static func player(_ path: String?, _ configuration: Configuration) throws -> Library {
        try opening(path ?? Self.path(configuration)) { place throws(LibraryError) in
            path == nil ? try Library(waitingFor: place) : try Library(path: place, as: .player)
        }
    }

    /// The library of a virtual box at `path`, whose writes are due by `timer`.
    package static func player(_ path: String, timer: @escaping Library.Timer) throws -> Library {
        try opening(path) { place throws(LibraryError) in try Library(playing: place, timer: timer) }
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
    /// The exit status for it; nil if that depends on the request.
    package var status: ExitStatus? {
        switch self {
        case .noPattern, .noSound, .noTuning: .noInput
        case .damaged, .needsRepair, .badBackup: .badData
        case .inUse, .locked: .unavailable
        default: nil
        }
    }
}

extension CommandError {
    /// A library's error, of a request that reads or writes one.
    package init(_ error: LibraryError) { self.init(error.status ?? .ioError, "\(error)") }
}
