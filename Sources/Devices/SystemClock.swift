import InputEvents
import CSystem
import Glibc
import Runtime

/// The machine's monotonic clock (CLOCK_MONOTONIC), by which the kernel stamps touch reports and ALSA periods too.
public final class SystemClock: Clock, Sendable {
    /// An eventfd: the counter that `wake` increments.
    private let event: Int32
    /// An epoll descriptor for the event counter and the devices.
    private let watched: Int32

    /// A clock. Throws when the process has no file descriptor left. Calls `eventfd` and `epoll_create1`.
    public init() throws(DeviceError) {
        event = system_eventfd()
        guard event >= 0 else { throw DeviceError("the loop's wake-up event", errno: errno) }
        watched = system_epoll()
        guard watched >= 0, system_epoll_watch(watched, event) == 0 else {
            throw DeviceError("the loop's wake-up events", errno: errno)
        }
    }

    deinit {
        if watched >= 0 { close(watched) }
        if event >= 0 { close(event) }
    }

    /// The time since the machine started. Calls `clock_gettime`.
    public var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Adds a descriptor that ends the wait while it is readable; its owner has to read it. Calls `epoll_ctl`.
    public func watch(_ descriptor: Int32) { _ = system_epoll_watch(watched, descriptor) }

    /// Removes a descriptor, before it is closed. Calls `epoll_ctl`.
    public func forget(_ descriptor: Int32) { _ = system_epoll_unwatch(watched, descriptor) }

    /// Sleeps until `deadline` or `wake`, or until a watched descriptor is readable. Calls `ppoll`.
    public func wait(until deadline: Instant) {
        let span = max(0, (deadline - now).microseconds)
        guard system_wait_readable(watched, span * 1000) > 0 else { return }
        var count: UInt64 = 0
        _ = read(event, &count, MemoryLayout.size(ofValue: count))
    }

    /// Ends the current wait, or the next one. From any thread. Calls `write` on an `eventfd`.
    public func wake() {
        var count: UInt64 = 1
        _ = write(event, &count, MemoryLayout.size(ofValue: count))
    }
}
