import Foundation
import InputEvents
import Runtime
import Threads

/// Time that the test lets pass, for one thread that waits on it.
public final class ManualTime: LoopClock, TimedSemaphore, @unchecked Sendable {
    private let condition = NSCondition()
    private var time = Instant(milliseconds: 1000)
    private var count = 0
    /// End of the thread's wait; nil while the thread works.
    private var end: Instant?

    /// A second after the start.
    public init() {}

    /// The time that has passed.
    public var now: Instant { condition.withLock { time } }

    /// Does nothing: the test waits with `pass`.
    public func wait(until deadline: Instant) {}
    /// Does nothing.
    public func wake() {}

    /// Wakes the thread.
    public func signal() {
        condition.withLock {
            count += 1
            condition.broadcast()
        }
    }

    /// Called by the thread: waits for a signal, or until the test has let `timeout` pass.
    public func wait(timeout: Instant.Span) {
        condition.withLock {
            let end = time + timeout
            self.end = end
            condition.broadcast()
            while count == 0, time < end { condition.wait() }
            if count > 0 { count -= 1 }
            self.end = nil
        }
    }

    /// Lets `span` pass, and the thread do its work at each time at which it wakes. Throws if the thread works for ten
    /// seconds of real time.
    public func pass(_ span: Instant.Span = .milliseconds(0)) throws {
        let patience = Date() + 10
        try condition.withLock {
            let last = time + span
            while true {
                while end == nil || count > 0 {
                    guard condition.wait(until: patience) else { throw Silence() }
                }
                guard let end, end <= last else { break }
                time = end
                self.end = nil
                condition.broadcast()
            }
            time = last
        }
    }

    /// The thread works too long.
    public struct Silence: Error {}
}
