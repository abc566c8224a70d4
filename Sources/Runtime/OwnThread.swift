import Glibc

/// A thread of its own for work that blocks in system calls, which must not hold up a shared pool.
public final class OwnThread: @unchecked Sendable {
    private let handle: pthread_t

    /// Starts a thread that runs `body`; nil when the system has no thread to give.
    public init?(body: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let box = Unmanaged.passRetained(Body(body))
        guard pthread_create(&handle, nil, runBody, box.toOpaque()) == 0 else {
            box.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits until the body has returned. Once, and not from the thread itself.
    public func join() {
        pthread_join(handle, nil)
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
