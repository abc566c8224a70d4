/// Exit statuses, as sysexits.h numbers them.
package enum ExitStatus: Int32 {
    case ok = 0
    /// The command line is wrong.
    case usage = 64
    /// A document is invalid.
    case badData = 65
    /// An input is missing.
    case noInput = 66
    /// A device or service is unavailable.
    case unavailable = 69
    /// A bug.
    case software = 70
    /// An output cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed.
    case ioError = 74
    /// Permission denied.
    case noPermission = 77
    /// The configuration is invalid.
    case badConfiguration = 78
}

/// The reason that a command failed: one line for the user, and the exit status.
package struct CommandError: Error, CustomStringConvertible {
    package let status: ExitStatus
    package let message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    package var description: String { message }

    /// The sound engine's memory cannot be had.
    package static let noMemory = CommandError(.unavailable, "there is not enough memory for the sound engine")
}
