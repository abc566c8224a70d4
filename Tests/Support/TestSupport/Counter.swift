import Synchronization

/// A thread-safe counter.
public final class Counter: Sendable {
    private let count = Mutex(0)

    /// A counter at 0.
    public init() {}

    /// The count.
    public var value: Int { count.withLock { $0 } }

    /// Adds one.
    public func add() { count.withLock { $0 += 1 } }
}
