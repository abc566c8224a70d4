import Synchronization

/// The mailbox from the answering threads to the service's thread. The lock is held for one copy.
final class SetupMailbox: Sendable {
    /// An answer, and the number of the exchange that it is for.
    private typealias Numbered = (number: Int, answer: SetupAnswer)

    private let answers = Mutex<[Numbered]>([])
    /// Wakes and ends the service's thread.
    let waker = PageWaker()

    func post(_ answer: SetupAnswer, to number: Int) {
        answers.withLock { $0.append((number, answer)) }
        waker.wake()
    }

    /// The answers since the last call.
    func drain() -> [(number: Int, answer: SetupAnswer)] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }
}
