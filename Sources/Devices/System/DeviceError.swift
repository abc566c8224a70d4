import Glibc

/// An error number of the system (errno(3)).
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    var errno: Int32

    /// Whether the device is missing, or was unplugged.
    var isAbsence: Bool { [ENOENT, ENODEV, ENXIO].contains(errno) }
    /// Whether this user lacks the permission.
    var isForbidden: Bool { [EACCES, EPERM].contains(errno) }

    /// The system's message. Calls `strerror`.
    var description: String { String(cString: strerror(errno)) }
}

extension Result where Success: SignedInteger, Failure == SystemError {
    /// The result of a C function that returns a number from 0 up, or −1 and `errno`.
    init(returned value: Success) {
        self = value < 0 ? .failure(SystemError(errno: errno)) : .success(value)
    }
}

extension Result where Failure == SystemError {
    /// The value; throws the failure together with what the call was for.
    func get(for what: String) throws(DeviceError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw DeviceError(what, errno: error.errno)
        }
    }
}

/// A system call that failed, and what it was for.
public struct DeviceError: Error, CustomStringConvertible, Sendable {
    /// The purpose of the call.
    public var what: String
    /// The error number.
    public var errno: Int32

    init(_ what: String, errno: Int32) {
        self.what = what
        self.errno = errno
    }

    /// Whether this user lacks the permission.
    public var isForbidden: Bool { SystemError(errno: errno).isForbidden }

    /// Both in one line.
    public var description: String { "\(what): \(SystemError(errno: errno))" }
}

/// Why a device cannot be used, and what to do.
public struct DeviceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and its cause.
    public var what: String
    /// The remedy.
    public var fix: String
    /// Whether the failure lasts while the device is plugged in, so that a retry is useless.
    var isLasting = false
    /// Whether another process has the device alone.
    public internal(set) var isInUse = false

    init(_ what: String, fix: String, isLasting: Bool = false) {
        self.what = what
        self.fix = fix
        self.isLasting = isLasting
    }

    /// Both in one line.
    public var description: String { "\(what): \(fix)" }

    /// The fix that lets a user open the devices of `group`.
    public static func fix(joining group: String) -> String {
        "add the user to the group \(group) (sudo usermod -aG \(group) USER) and log in again"
    }
}
