import Dispatch
import Glibc
import Runtime

/// The signals that end a command cleanly: Ctrl-C, and the service manager's.
enum Ending {
    private static let signals = [SIGINT, SIGTERM]

    /// Lets the signals wait until there is someone to take them. To be called before there is a second thread.
    static func hold() {
        var ending = sigset_t()
        sigemptyset(&ending)
        for number in signals { sigaddset(&ending, number) }
        pthread_sigmask(SIG_BLOCK, &ending, nil)
    }

    /// Lets each of the signals stop what `stopper` stops, those that wait too, for as long as what is returned is kept.
    static func stop(_ stopper: Stopper) -> [any DispatchSourceSignal] {
        signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { stopper.stop() }
            source.resume()
            return source
        }
    }
}
