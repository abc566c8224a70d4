import Dispatch
import Instrument
import Synchronization

/// Runs slow tasks in the background: the panel's requests to the library, and the exchange with a stick.
///
/// Jobs of one kind run one after the other. Each kind has its own queue, so that a stick that does not answer does not block
/// the library. A job that exceeds the deadline is reported on the panel, and further ones of its kind are refused until it
/// has ended.
final class JobQueues: Sendable {
    /// Does a job, which may wait for a disk; returns the events of its result.
    typealias Work = @Sendable (Job) -> [Event]

    private let work: Work
    private let say: @Sendable (Event) -> Void
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

    /// Jobs that `work` does and whose events go to `say`. The default `deadline` is above the time in which thousands of
    /// patterns are written to a slow stick.
    init(deadline: DispatchTimeInterval = .seconds(60), say: @escaping @Sendable (Event) -> Void, work: @escaping Work)
    {
        self.work = work
        self.say = say
        self.deadline = deadline
    }

    /// Starts `job`.
    func run(_ job: Job) {
        let line = job.isExchange ? exchanges : requests
        guard !line.isLate.withLock(\.self) else { return say(.notice(.busy)) }
        line.queue.async { [self] in
            let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
            timer.schedule(deadline: .now() + deadline)
            timer.setEventHandler { [say] in
                line.isLate.withLock { $0 = true }
                say(.notice(.busy))
            }
            timer.resume()
            let events = work(job)
            timer.cancel()
            line.isLate.withLock { $0 = false }
            for event in events { say(event) }
        }
    }
}

extension Job {
    /// Whether a stick is to be read or written.
    fileprivate var isExchange: Bool {
        switch self {
        case .importPatterns, .exportPatterns: true
        default: false
        }
    }
}
