import InputEvents

/// Times of writing: soon after the last change, and at latest a fixed time after the first. Has no clock: callers pass
/// the time, and it requests one timer at a time.
package struct WriteSchedule {
    /// Delay of a write after the last change.
    package static let pause = Instant.Span.milliseconds(500)
    /// Maximum delay after the first unwritten change.
    package static let longest = Instant.Span.milliseconds(2000)
    /// Delay of a retry after a failure.
    package static let retry = Instant.Span.milliseconds(2000)

    /// Action at the end of the timer.
    package enum Step: Hashable {
        case rest
        case write
        case wait(Instant.Span)
    }

    /// Times of the first and the last change that no write includes yet.
    private var unwritten: (first: Instant, last: Instant)?
    /// Times of the changes in the current write.
    private var inWriting: (first: Instant, last: Instant)?
    /// End of the timer.
    package private(set) var timer: Instant?
    /// Latest known time.
    private var now = Instant.zero

    /// A schedule without a change.
    package init() {}

    /// Whether there are unwritten changes.
    package var isPending: Bool { unwritten != nil }

    /// Records a change. Returns the length of the timer to start; nil if one is running.
    package mutating func change(at now: Instant) -> Instant.Span? {
        self.now = max(self.now, now)
        unwritten = (unwritten?.first ?? self.now, self.now)
        return startTimer(of: Self.pause)
    }

    /// The timer ended.
    package mutating func timerEnded() -> Step {
        now = max(now, timer ?? now)
        timer = nil
        guard let unwritten else { return .rest }
        let due = min(unwritten.first + Self.longest, unwritten.last + Self.pause)
        if due <= now { return .write }
        return startTimer(of: due - now).map { .wait($0) } ?? .rest
    }

    /// A write of all changes begins.
    package mutating func beginWrite() {
        inWriting = unwritten
        unwritten = nil
    }

    /// The write succeeded.
    package mutating func endWrite() { inWriting = nil }

    /// The write failed, or the file could not be opened; retries also without a change. Returns the length of the
    /// timer to start; nil if one is running.
    package mutating func failWrite() -> Instant.Span? {
        let first = inWriting?.first ?? unwritten?.first ?? now
        unwritten = (first, unwritten?.last ?? inWriting?.last ?? now)
        inWriting = nil
        return startTimer(of: Self.retry)
    }

    private mutating func startTimer(of span: Instant.Span) -> Instant.Span? {
        guard timer == nil else { return nil }
        timer = now + span
        return span
    }
}
