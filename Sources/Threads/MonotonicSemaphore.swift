import InputEvents
import Glibc

/// A counting semaphore with timeouts.
public protocol TimedSemaphore: AnyObject, Sendable {
    /// Increments the count.
    func signal()
    /// Decrements the count as soon as it is positive; gives up after `timeout`.
    func wait(timeout: Instant.Span)
}

/// A counting semaphore with timeouts on the monotonic clock. Dispatch's follow the time of day on Linux: when it steps
/// back by an hour, they are an hour late.
public final class MonotonicSemaphore: TimedSemaphore, @unchecked Sendable {
    private struct State {
        var mutex = pthread_mutex_t()
        var condition = pthread_cond_t()
        var count = 0
    }

    // The kernel and pthreads identify the mutex and the condition by their addresses.
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    /// A semaphore with a count of 0.
    public init() {
        state.initialize(to: State())
        pthread_mutex_init(&state.pointee.mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(&state.pointee.condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(&state.pointee.condition)
        pthread_mutex_destroy(&state.pointee.mutex)
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Increments the count. Calls `pthread_cond_signal`.
    public func signal() {
        pthread_mutex_lock(&state.pointee.mutex)
        state.pointee.count += 1
        pthread_cond_signal(&state.pointee.condition)
        pthread_mutex_unlock(&state.pointee.mutex)
    }

    /// Decrements the count as soon as it is positive; gives up after `timeout`. Calls `pthread_cond_timedwait`.
    public func wait(timeout: Instant.Span) {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let nanoseconds = deadline.tv_nsec + Int(timeout.microseconds % 1_000_000) * 1000
        deadline.tv_sec += Int(timeout.microseconds / 1_000_000) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(&state.pointee.mutex)
        defer { pthread_mutex_unlock(&state.pointee.mutex) }
        while state.pointee.count == 0 {
            guard pthread_cond_timedwait(&state.pointee.condition, &state.pointee.mutex, &deadline) == 0 else { return }
        }
        state.pointee.count -= 1
    }
}
