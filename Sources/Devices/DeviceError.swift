import Glibc

/// An error number of the system (errno(3)).
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    var errno: Int32

    /// There is no such device, or no longer.
    var isAbsence: Bool { [ENOENT, ENODEV, ENXIO].contains(errno) }
    /// There is one, and this user may not open it.
    var isForbidden: Bool { [EACCES, EPERM].contains(errno) }

    /// The system's own words. Stands for `strerror`.
    var description: String { String(cString: strerror(errno)) }
}

extension Result where Success: SignedInteger, Failure == SystemError {
    /// What a C function returned: 0 or more, or less and `errno`.
    init(returned value: Success) {
        self = value < 0 ? .failure(SystemError(errno: errno)) : .success(value)
    }
}

/// What a device or the system refused.
public struct DeviceError: Error, CustomStringConvertible, Sendable {
    /// What was asked for.
    public var what: String
    /// The error number.
    public var errno: Int32

    init(_ what: String, errno: Int32) {
        self.what = what
        self.errno = errno
    }

    /// Whether another user might.
    public var isForbidden: Bool { SystemError(errno: errno).isForbidden }

    /// One line that says both.
    public var description: String { "\(what): \(SystemError(errno: errno))" }
}

/// What stands in the way of a device.
public struct DeviceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and why.
    public var what: String
    /// What to do.
    public var fix: String
    /// It stays so while the device is plugged in.
    var isLasting = false

    init(_ what: String, fix: String, isLasting: Bool = false) {
        self.what = what
        self.fix = fix
        self.isLasting = isLasting
    }

    /// Both, in one line.
    public var description: String { "\(what): \(fix)" }

    /// What lets a user open the devices of `group`.
    public static func fix(joining group: String) -> String {
        "add the user to the group \(group) (sudo usermod -aG \(group) USER) and log in again"
    }
}
