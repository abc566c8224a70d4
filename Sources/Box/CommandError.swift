/// Exit statuses, as sysexits.h numbers them.
package enum ExitStatus: Int32 {
    case ok = 0
    /// The command line is wrong.
    case usage = 64
    /// A document is wrong.
    case badData = 65
    /// An input is not there.
    case noInput = 66
    /// A device or service is not to be had.
    case unavailable = 69
    /// A bug.
    case software = 70
    /// An output cannot be made.
    case cannotCreate = 73
    /// Reading or writing failed.
    case ioError = 74
    /// The user may not do that.
    case noPermission = 77
    /// The configuration is wrong.
    case badConfiguration = 78
}

/// Why a command ended: one line for the user, and the status for the shell.
package struct CommandError: Error, CustomStringConvertible {
    package let status: ExitStatus
    package let message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    package var description: String { message }
}
