import InputEvents
import Runtime

/// The machine's monotonic clock (CLOCK_MONOTONIC), by which the kernel stamps touch reports and ALSA periods too.
public final class SystemClock: LoopClock, Sendable {
    /// An eventfd: the counter that `wake` increments.
    private let event: Int32
    /// An epoll descriptor for the event counter and the devices.
    private let watched: Int32

    private let calls: ClockCalls

    /// A clock. Throws when the process has no file descriptor left. Calls `eventfd` and `epoll_create1`.
    public convenience init() throws(DeviceError) { try self.init(.linux) }

    init(_ calls: ClockCalls) throws(DeviceError) {
        self.calls = calls
        event = try calls.openEvent().get(for: "the loop's wake-up event")
        do throws(DeviceError) {
            watched = try calls.openWatched().get(for: "the loop's wake-up events")
        } catch {
            calls.close(event)
            throw error
        }
        // A failure from here on ends in `deinit`.
        _ = try calls.watch(watched, event).get(for: "the loop's wake-up events")
    }

    deinit {
        calls.close(watched)
        calls.close(event)
    }

    /// The time since the machine started. Calls `clock_gettime`.
    public var now: Instant { calls.now() }

    /// Adds a descriptor that ends the wait while it is readable; its owner has to read it. Calls `epoll_ctl`.
    public func watch(_ descriptor: Int32) { _ = calls.watch(watched, descriptor) }

    /// Removes a descriptor, before it is closed. Calls `epoll_ctl`.
    public func forget(_ descriptor: Int32) { _ = calls.forget(watched, descriptor) }

    /// Sleeps until `deadline` or `wake`, or until a watched descriptor is readable. A signal may end it early. Calls
    /// `ppoll`.
    public func wait(until deadline: Instant) {
        let span = max(0, (deadline - now).microseconds)
        guard case .success(let count) = calls.waitReadable(watched, span * 1000), count > 0 else { return }
        calls.clear(event)
    }

    /// An eventfd for a thread without Swift: to add to it is to call `wake`. Valid as long as the clock.
    public var descriptor: Int32 { event }

    /// Ends the current wait, or the next one. From any thread. Calls `write` on an `eventfd`.
    public func wake() { calls.increment(event) }
}
