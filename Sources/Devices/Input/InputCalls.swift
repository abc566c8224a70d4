import Glibc

/// The system calls that open and close input devices, one closure each so that a test can make any of them fail.
struct InputCalls: Sendable {
    /// Opens the device at a path; returns a descriptor.
    var open: @Sendable (_ path: String) -> Result<Int32, SystemError>
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void
    /// The calls on the folder of the devices.
    var folder = InputFolderCalls.linux

    /// The real calls.
    static let linux = InputCalls(
        open: { Result(returned: Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) },
        close: { _ = Glibc.close($0) })
}
