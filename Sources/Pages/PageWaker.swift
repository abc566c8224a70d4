import CWebSockets
import Synchronization

/// Wakes and ends a server's thread, from any other.
final class PageWaker: Sendable {
    private struct State {
        /// The bits of the pointer to the `lws_context`; 0 if there is none.
        var contextBits: UInt = 0
        var isStopping = false
    }

    private let state = Mutex(State())

    /// Whether the thread should end.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Sets the context to wake, by the bits of its pointer. After 0 nothing wakes it: it can be destroyed.
    func setContext(_ bits: UInt) { state.withLock { $0.contextBits = bits } }

    /// Lets the context call its callbacks for a wake-up; returns whether there is a context. Calls
    /// `lws_cancel_service`.
    @discardableResult
    func wake() -> Bool {
        state.withLock { state in
            guard state.contextBits != 0 else { return false }
            lws_cancel_service(OpaquePointer(bitPattern: state.contextBits))
            return true
        }
    }

    /// Ends the thread.
    func stop() {
        state.withLock { $0.isStopping = true }
        wake()
    }
}
