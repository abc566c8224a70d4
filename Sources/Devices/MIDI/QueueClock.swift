import InputEvents

/// Maps the time of a sequencer's queue to the loop's clock. Both follow CLOCK_MONOTONIC; the queue began later, and
/// its timer may drift from it by some parts in a million, so the distance is measured again every second.
struct QueueClock {
    /// The loop's time minus the queue's, in microseconds.
    private var offset: Int64 = 0
    private var nextCheck = Instant.zero

    private static let interval = Instant.Span.milliseconds(1000)
    /// Readings of one check; the quickest reading counts.
    private static let readings = 3

    /// Measures the distance if it is due. `clock` reads the loop's clock, and `queue` the queue's in nanoseconds.
    mutating func check(clock: () -> Instant, queue: () -> Result<Int64, SystemError>) throws(SystemError) {
        guard clock() >= nextCheck else { return }
        var best: (width: Int64, offset: Int64)?
        for _ in 0..<Self.readings {
            let before = clock().microseconds
            let time = try queue().get()
            let after = clock().microseconds
            let reading = (width: after - before, offset: (before + after) / 2 - time / 1000)
            if best.map({ reading.width < $0.width }) ?? true { best = reading }
        }
        if let best { offset = best.offset }
        nextCheck = clock() + Self.interval
    }

    /// The loop's time of a queue's time in nanoseconds.
    func instant(ofQueue nanoseconds: Int64) -> Instant { Instant(microseconds: nanoseconds / 1000 + offset) }

    /// The queue's time at `instant`, in nanoseconds; 0 for a time before the queue began.
    func queueTime(at instant: Instant) -> Int64 { max(0, (instant.microseconds - offset) * 1000) }
}
