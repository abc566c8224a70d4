import Glibc
import Runtime
import Synchronization
import Threads

/// Signals that end a command cleanly: SIGINT, SIGTERM, SIGQUIT, and SIGHUP of a terminal that closes. A signal that is
/// ignored at the start, as under nohup, stays ignored.
package enum StopSignals {
    private static let set = {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(number) { sigaddset(&set, number) }
        return set
    }()

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        // SIG_IGN is the handler 1.
        return sigaction(number, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Blocks the signals until they are handled. Call it before a second thread exists.
    package static func hold() {
        var ending = set
        pthread_sigmask(SIG_BLOCK, &ending, nil)
    }

    /// Handles the signals, pending ones too, by `stopper`, for as long as the returned object exists.
    static func stop(_ stopper: Stopper) throws -> Watch { try Watch { stopper.stop() } }

    /// A thread that calls `stop` at each signal, pending ones too, for as long as the watch exists. It needs no
    /// descriptor, which the system may not have to give.
    final class Watch: Sendable {
        private final class Flag: Sendable {
            let isEnding = Atomic<Bool>(false)
        }

        private let flag: Flag
        private let thread: OwnThread

        init(_ stop: @escaping @Sendable () -> Void) throws {
            let flag = Flag()
            let thread = OwnThread {
                var set = StopSignals.set
                while true {
                    let number = sigwaitinfo(&set, nil)
                    if flag.isEnding.load(ordering: .acquiring) { return }
                    if number > 0 { stop() }
                }
            }
            guard let thread else {
                throw CommandError(.unavailable, "the system has no thread to give for the end of the command")
            }
            (self.flag, self.thread) = (flag, thread)
        }

        deinit {
            flag.isEnding.store(true, ordering: .releasing)
            thread.interrupt(SIGTERM)
            thread.join()
        }
    }
}
