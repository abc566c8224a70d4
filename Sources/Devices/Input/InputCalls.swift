import Glibc

/// The system calls that open and close input devices, each by itself so that a test can make it fail.
struct InputCalls: Sendable {
    /// Opens the device at a path: a descriptor.
    var open: @Sendable (_ path: String) -> Result<Int32, SystemError>
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void

    /// Linux's own.
    static let linux = InputCalls(
        open: { Result(returned: Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) },
        close: { _ = Glibc.close($0) })
}
