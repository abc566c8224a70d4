import CWebSockets
import Synchronization

/// The mailbox from the answering threads to the service's thread. The lock is held for one copy.
final class SetupMailbox: Sendable {
    struct State: Sendable {
        /// The answers, and the numbers of their exchanges.
        var answers: [(number: Int, answer: SetupAnswer)] = []
        var isStopping = false
        /// The bits of the pointer to the `lws_context`; 0 if there is none.
        var contextBits: UInt = 0

        /// Wakes the service thread to read the mailbox.
        func wake() {
            guard contextBits != 0 else { return }
            lws_cancel_service(OpaquePointer(bitPattern: contextBits))
        }
    }

    let state = Mutex(State())

    func post(_ answer: SetupAnswer, to number: Int) {
        state.withLock { state in
            state.answers.append((number, answer))
            state.wake()
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.wake()
        }
    }
}
