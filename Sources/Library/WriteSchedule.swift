import Instrument

/// When to write: once the player pauses, but soon even if they never do. A value without a clock: it is told the time
/// of changes, and asks for one timer at a time.
struct WriteSchedule {
    /// A change is written this long after the last one,
    static let pause = Instant.Span.milliseconds(500)
    /// but at latest this long after the first that is not written yet.
    static let longest = Instant.Span.milliseconds(2000)
    /// After a failure it is tried again.
    static let retry = Instant.Span.milliseconds(2000)

    /// What to do when the timer has run out.
    enum Step: Hashable {
        case rest
        case write
        case wait(Instant.Span)
    }

    /// The first and the last change that no write has been begun for.
    private var unwritten: (first: Instant, last: Instant)?
    /// The changes that the write in progress is for.
    private var inWriting: (first: Instant, last: Instant)?
    /// When the timer runs out.
    private var timer: Instant?
    /// The latest time that is known.
    private var now = Instant.zero

    /// Whether there is anything to write.
    var isPending: Bool { unwritten != nil }

    /// Notes a change. Returns the length of the timer that it needs; nil if one is running.
    mutating func change(at now: Instant) -> Instant.Span? {
        self.now = max(self.now, now)
        unwritten = (unwritten?.first ?? self.now, self.now)
        return startTimer(of: Self.pause)
    }

    /// The timer has run out.
    mutating func timerEnded() -> Step {
        now = max(now, timer ?? now)
        timer = nil
        guard let unwritten else { return .rest }
        let due = min(unwritten.first + Self.longest, unwritten.last + Self.pause)
        if due <= now { return .write }
        return startTimer(of: due - now).map { .wait($0) } ?? .rest
    }

    /// Everything up to now is being written.
    mutating func beginWrite() {
        inWriting = unwritten
        unwritten = nil
    }

    /// It has been written.
    mutating func endWrite() { inWriting = nil }

    /// It has not, and is to be tried again, also if there was nothing to write and only the file to open. Returns the
    /// length of the timer that the next try needs; nil if one is running.
    mutating func failWrite() -> Instant.Span? {
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
