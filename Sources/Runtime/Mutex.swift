#if hasFeature(Embedded)
    /// Replaces Synchronization's mutex, which Embedded Swift lacks without an operating system. It locks nothing: a
    /// browser's worker runs the loop, its inputs and its outputs on one thread.
    public final class Mutex<Value>: @unchecked Sendable {
        private var value: Value

        /// A holder of `value`.
        public init(_ value: consuming sending Value) { self.value = value }

        /// Runs `body` with the value.
        public func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try body(&value)
        }
    }
#endif
