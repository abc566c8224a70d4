import Dispatch
import Instrument
import Synchronization

/// Runs slow tasks in the background: the panel's requests to the library, and the exchange with a stick.
///
/// Jobs of one kind run one after the other. Each kind has its own queue, so that a stick that does not answer does not
/// block the library. A job that exceeds the deadline is reported on the panel, and further jobs of its kind are
/// refused until it has ended.
final class JobQueues: Sendable {
    /// Does a job, which may wait for a disk; returns the events of its result.
    typealias Work = @Sendable (Instrument.Job) -> [Instrument.Event]

    private let work: Work
    private let post: @Sendable (Instrument.Event) -> Void
    private let deadline: DispatchTimeInterval
    private let exchanges = Line("exchanges")
    private let requests = Line("requests")

    /// Jobs of one kind.
    private final class Line: Sendable {
        let queue: DispatchQueue
        /// Whether the present job has exceeded its deadline.
        let isLate = Mutex(false)

        init(_ name: String) { queue = DispatchQueue(label: name, qos: .utility) }
    }

    /// Jobs that `work` does and whose events go to `post`. The default `deadline` is above the time in which thousands
    /// of patterns are written to a slow stick.
    init(
        deadline: DispatchTimeInterval = .seconds(60), post: @escaping @Sendable (Instrument.Event) -> Void,
        work: @escaping Work
    ) {
        self.work = work
        self.post = post
        self.deadline = deadline
    }

    /// Starts `job`.
    func run(_ job: Instrument.Job) {
        let line = job.isExchange ? exchanges : requests
        guard !line.isLate.withLock(\.self) else { return post(.notice(.busy)) }
        line.queue.async { [self] in
            let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
            timer.schedule(deadline: .now() + deadline)
            timer.setEventHandler { [post] in
                line.isLate.withLock { $0 = true }
                post(.notice(.busy))
            }
            timer.resume()
            let events = work(job)
            timer.cancel()
            line.isLate.withLock { $0 = false }
            for event in events { post(event) }
        }
    }
}

extension Instrument.Job {
    /// Whether a stick is to be read or written.
    fileprivate var isExchange: Bool {
        switch self {
        case .importPatterns, .exportPatterns: true
        default: false
        }
    }
}
