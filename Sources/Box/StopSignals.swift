import Dispatch
import Glibc
import Runtime

/// Signals that end a command cleanly: SIGINT and SIGTERM.
package enum StopSignals {
    private static let signals = [SIGINT, SIGTERM]

    /// Blocks the signals until they are handled. Call it before a second thread exists.
    package static func hold() {
        var ending = sigset_t()
        sigemptyset(&ending)
        for number in signals { sigaddset(&ending, number) }
        pthread_sigmask(SIG_BLOCK, &ending, nil)
    }

    /// Handles the signals, pending ones too, by `stopper`, for as long as the returned objects exist.
    static func stop(_ stopper: Stopper) -> [any DispatchSourceSignal] { handle { stopper.stop() } }

    /// Calls `stop` at each signal, pending ones too, for as long as the returned objects exist.
    static func handle(_ stop: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { stop() }
            source.resume()
            return source
        }
    }
}
