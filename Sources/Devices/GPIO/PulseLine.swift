import CGPIO
import Glibc
import InputEvents
import Runtime
import Synchronization
import Threads

/// Pulses of analogue clock on a GPIO line, by a thread that sleeps until each begins and ends. A failure is reported
/// and never stops the box: a lost line is requested again every second.
public final class PulseLine: Sendable {
    /// The line and its pulses.
    public struct Wiring: Hashable, Sendable {
        /// The chip's label, name or path; nil means a Raspberry Pi's header.
        public var chip: String?
        /// The output.
        public var output: GPIOOutputs.Output
        /// Length of a pulse; a pulse is shorter if the one before or after is nearer than twice its length.
        public var length = Instant.Span.milliseconds(15)
        /// SCHED_FIFO priority of the thread, 0 for none.
        public var priority = 0

        /// Pulses on `output` of `chip`.
        public init(chip: String?, output: GPIOOutputs.Output) {
            self.chip = chip
            self.output = output
        }
    }

    private let wiring: Wiring
    private let calls: GPIOCalls
    private let clock: any LoopClock
    /// Signals that the mailbox has changed since the thread last read it.
    private let changes = MonotonicSemaphore()
    private let mailbox = Mutex(Mailbox())
    private let thread = Mutex<OwnThread?>(nil)

    private struct Mailbox: Sendable {
        /// Edges to come, oldest first.
        var edges: [Edge] = []
        /// Beginning of the newest pulse.
        var newest: Instant?
        var isStopping = false
        var problem: String?

        /// Removes and returns the oldest edge if it is due at `now`. After a late one the next keeps half of its
        /// distance: an instrument counts the pulses, so none may be lost.
        mutating func popDue(at now: Instant) -> Edge? {
            guard let due = edges.first, due.time <= now else { return nil }
            edges.removeFirst()
            if let next = edges.first {
                let half = Instant.Span(microseconds: (next.wanted - due.wanted).microseconds / 2)
                edges[0].time = max(next.time, now + half)
            }
            return due
        }

        /// Drops the edges that are due at `now`: there is no line.
        mutating func skipDue(at now: Instant) -> Edge? {
            edges.removeFirst(edges.prefix { $0.time <= now }.count)
            return nil
        }
    }

    private struct Edge: Sendable {
        var isHigh: Bool
        /// Time at which it should be.
        var wanted: Instant
        /// Time at which it will be: later after a late edge.
        var time: Instant

        init(_ time: Instant, isHigh: Bool) {
            self.isHigh = isHigh
            wanted = time
            self.time = time
        }
    }

    /// Pulses of two seconds at 200 BPM and 48 a quarter note. More in advance are dropped.
    private static let edgesMax = 2 * 320
    private static let distanceMin = Instant.Span.milliseconds(2)
    private static let idle = Instant.Span.milliseconds(1000)

    /// A line without pulses. Nil if the system cannot create a thread.
    public convenience init?(_ wiring: Wiring, clock: SystemClock) {
        self.init(wiring, clock: clock, calls: .linux)
        guard let thread = OwnThread(body: { [self] in run() }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    /// A line without a thread: call `pass` in its place.
    init(_ wiring: Wiring, clock: any LoopClock, calls: GPIOCalls) {
        self.wiring = wiring
        self.clock = clock
        self.calls = calls
        mailbox.withLock { $0.edges.reserveCapacity(Self.edgesMax) }
    }

    /// One line that says why the line does not work and what to do; nil while it does.
    public var problem: String? { mailbox.withLock { $0.problem } }

    /// Begins a pulse at `time`, or soon after the last one.
    public func pulse(at time: Instant) {
        let isNew = mailbox.withLock { mailbox in
            var (time, length) = (time, wiring.length)
            if let newest = mailbox.newest {
                // The sound's clock may have been set back. The line has to fall between two pulses.
                time = max(time, newest + Self.distanceMin)
                let half = Instant.Span(microseconds: (time - newest).microseconds / 2)
                length = min(length, half)
                if let fall = mailbox.edges.indices.last {
                    mailbox.edges[fall].wanted = min(mailbox.edges[fall].wanted, newest + half)
                    mailbox.edges[fall].time = min(mailbox.edges[fall].time, newest + half)
                }
            }
            guard mailbox.edges.count <= Self.edgesMax - 2 else { return false }
            mailbox.newest = time
            mailbox.edges.append(Edge(time, isHigh: true))
            mailbox.edges.append(Edge(time + length, isHigh: false))
            return true
        }
        if isNew { changes.signal() }
    }

    /// Sets the line inactive, releases it and ends the thread.
    public func stop() {
        mailbox.withLock { $0.isStopping = true }
        changes.signal()
        thread.join()
    }

    private func run() {
        if wiring.priority > 0 {
            var parameters = sched_param(sched_priority: Int32(wiring.priority))
            // Without the permission the pulses are late under load; the sound thread's warning says what to do.
            _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        }
        var lines = lines()
        while let next = pass(&lines) { changes.wait(timeout: max(.milliseconds(0), next - clock.now)) }
    }

    /// The line, not yet requested.
    func lines() -> GPIOLines {
        let output = GPIOLineSpecification(
            role: "clockOut", line: wiring.output.line, isActiveLow: wiring.output.isActiveLow)
        return GPIOLines(chip: wiring.chip, .outputs, [output], calls)
    }

    /// Sets the line as it is due now. Returns the time of the next edge, or of the next request of the line; nil after
    /// `stop`.
    func pass(_ lines: inout GPIOLines) -> Instant? {
        let now = clock.now
        let isOpen = lines.open(at: now)
        let (due, next, isStopping) = mailbox.withLock { mailbox in
            mailbox.problem = lines.problem
            return (
                isOpen ? mailbox.popDue(at: now) : mailbox.skipDue(at: now), mailbox.edges.first?.time,
                mailbox.isStopping
            )
        }
        if isOpen, let request = lines.request, let level = isStopping ? false : due?.isHigh,
            case .failure(let error) = calls.setValue(request, lines.offsets[0], level)
        {
            lines.lose(error, at: now)
        }
        guard !isStopping else {
            lines.close()
            return nil
        }
        return min(next ?? now + Self.idle, now + Self.idle)
    }
}
