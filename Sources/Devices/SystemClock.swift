import CSystem
import Glibc
import Instrument
import Runtime

/// The machine's monotonic clock (CLOCK_MONOTONIC), which touch devices and ALSA count by too.
public final class SystemClock: Clock, Sendable {
    /// The event counter that ends the wait.
    private let event: Int32
    /// Watches the event counter, and the devices whose news end the wait too.
    private let watched: Int32

    /// A clock. Throws when the process has no file descriptor left. Stands for `eventfd` and `epoll_create1`.
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

    /// The time since the machine started. Stands for `clock_gettime`.
    public var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Lets `descriptor` end the wait while it is readable: whoever is woken has to read it. Stands for `epoll_ctl`.
    public func watch(_ descriptor: Int32) { _ = system_epoll_watch(watched, descriptor) }

    /// Forgets `descriptor`, which is about to be closed. Stands for `epoll_ctl`.
    public func forget(_ descriptor: Int32) { _ = system_epoll_unwatch(watched, descriptor) }

    /// Sleeps until `deadline` or `wake`, or until a watched descriptor is readable. Stands for `ppoll`.
    public func wait(until deadline: Instant) {
        let span = max(0, (deadline - now).microseconds)
        guard system_wait_readable(watched, span * 1000) > 0 else { return }
        var count: UInt64 = 0
        _ = read(event, &count, MemoryLayout.size(ofValue: count))
    }

    /// Ends the wait in progress, or the next. Stands for `write` on an `eventfd`.
    public func wake() {
        var count: UInt64 = 1
        _ = write(event, &count, MemoryLayout.size(ofValue: count))
    }
}
