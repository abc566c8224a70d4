import Glibc
import Runtime

/// The system calls that open and close input devices, each by itself so that a test can make it fail. What fails gives the
/// negative errno.
struct InputCalls: Sendable {
    /// Opens the device at a path: a descriptor.
    var open: @Sendable (_ path: String) -> Int32
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void

    /// Linux's own.
    static let linux = InputCalls(
        open: { path in
            let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            return descriptor < 0 ? -errno : descriptor
        },
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
