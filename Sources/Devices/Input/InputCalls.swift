import Glibc
import Runtime

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

/// What input devices need of the loop.
struct InputLoop {
    /// Its clock.
    let clock: any Clock
    /// Lets a descriptor end the loop's wait.
    let watch: (_ descriptor: Int32) -> Void
    /// Forgets a descriptor, which is about to be closed.
    let forget: (_ descriptor: Int32) -> Void
}

extension InputLoop {
    init(_ clock: SystemClock) {
        self.init(clock: clock, watch: { clock.watch($0) }, forget: { clock.forget($0) })
    }
}
