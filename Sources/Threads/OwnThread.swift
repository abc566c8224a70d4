import Glibc
import Synchronization

/// A separate thread for work that blocks in system calls and would block a shared pool.
public final class OwnThread: @unchecked Sendable {
    private let handle: pthread_t

    /// Starts a thread that runs `body`; nil if the system cannot create one.
    public init?(body: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let box = Unmanaged.passRetained(Body(body))
        guard pthread_create(&handle, nil, runBody, box.toOpaque()) == 0 else {
            box.release()
            return nil
        }
        self.handle = handle
    }

    /// Sends the thread a signal, which its body has to wait for. Call it before `join`.
    public func interrupt(_ signal: Int32) { pthread_kill(handle, signal) }

    /// Waits until the body has returned. Call it once, and not from the thread itself.
    public func join() {
        pthread_join(handle, nil)
    }
}

extension Mutex where Value == OwnThread? {
    /// Waits for the thread's end, once.
    public borrowing func join() {
        withLock { thread in
            thread?.join()
            thread = nil
        }
    }
}

private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
