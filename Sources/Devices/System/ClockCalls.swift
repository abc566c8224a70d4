import CSystem
import Glibc
import InputEvents

/// The system calls of the loop's clock, one closure each so that a test can make any of them fail.
struct ClockCalls: Sendable {
    /// The current time of CLOCK_MONOTONIC.
    var now: @Sendable () -> Instant
    /// Creates an event: a counter that is readable while it is not 0.
    var openEvent: @Sendable () -> Result<Int32, SystemError>
    /// Creates a set of watched descriptors, readable while one of them is.
    var openWatched: @Sendable () -> Result<Int32, SystemError>
    /// Adds a descriptor to the set.
    var watch: @Sendable (_ watched: Int32, _ descriptor: Int32) -> Result<Int32, SystemError>
    /// Removes a descriptor from the set.
    var forget: @Sendable (_ watched: Int32, _ descriptor: Int32) -> Result<Int32, SystemError>
    /// Waits until the set is readable; returns 0 after `nanoseconds`.
    var waitReadable: @Sendable (_ watched: Int32, _ nanoseconds: Int64) -> Result<Int32, SystemError>
    /// Sets an event to 0. EAGAIN, if it is 0 already, is no failure.
    var clear: @Sendable (_ event: Int32) -> Void
    /// Adds 1 to an event. EAGAIN means that the counter is full, so that the event is readable anyway.
    var increment: @Sendable (_ event: Int32) -> Void
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void

    /// The real calls.
    static let linux = ClockCalls(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
        },
        openEvent: { Result(returned: system_eventfd()) },
        openWatched: { Result(returned: system_epoll()) },
        watch: { Result(returned: system_epoll_watch($0, $1)) },
        forget: { Result(returned: system_epoll_unwatch($0, $1)) },
        waitReadable: { Result(returned: system_wait_readable($0, $1)) },
        clear: { event in
            var count: UInt64 = 0
            _ = read(event, &count, MemoryLayout.size(ofValue: count))
        },
        increment: { event in
            var count: UInt64 = 1
            _ = write(event, &count, MemoryLayout.size(ofValue: count))
        },
        close: { _ = Glibc.close($0) })
}
