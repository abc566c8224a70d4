import Dispatch
import InputEvents
import Runtime
import Synchronization
import Threads

/// A thread that sends the messages of the chains on one bus, one chain after the other. It lives as long as this
/// object.
final class SPIWorker: Sendable {
    /// The state that the thread shares with the caller.
    private final class Job: Sendable {
        let served: [(number: Int, line: SPILine)]
        let begun = DispatchSemaphore(value: 0)
        let finished = DispatchSemaphore(value: 0)
        let state = Mutex(State())

        struct State: Sendable {
            /// The messages of the current frame, by chain number; nil ends the thread.
            var messages: [[UInt8]]?
            var time = Instant.zero
            var delivery = PanelDelivery()
        }

        init(_ served: [(number: Int, line: SPILine)]) { self.served = served }

        func run() {
            while true {
                begun.wait()
                let (frame, time) = state.withLock { ($0.messages, $0.time) }
                guard let frame else { return }
                var delivery = PanelDelivery()
                for (number, line) in served where frame.indices.contains(number) {
                    delivery += line.deliver(frame[number], at: time)
                }
                state.withLock { $0.delivery = delivery }
                finished.signal()
            }
        }
    }

    private let job: Job
    private let thread: OwnThread

    /// A worker for the chains `served`. Nil if the system cannot create a thread.
    init?(_ served: [(number: Int, line: SPILine)]) {
        let job = Job(served)
        self.job = job
        guard let thread = OwnThread(body: { job.run() }) else { return nil }
        self.thread = thread
    }

    deinit {
        job.state.withLock { $0.messages = nil }
        job.begun.signal()
        thread.join()
    }

    /// Begins to send the worker's share of `messages`. Call `finish` before the next frame.
    func begin(_ messages: [[UInt8]], at now: Instant) {
        job.state.withLock {
            $0.messages = messages
            $0.time = now
        }
        job.begun.signal()
    }

    /// Returns when the share has been sent.
    func finish() -> PanelDelivery {
        job.finished.wait()
        return job.state.withLock { $0.delivery }
    }
}
