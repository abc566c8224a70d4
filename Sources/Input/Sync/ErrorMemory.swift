import InputEvents

/// The errors of the last four seconds, in a ring of fixed size.
struct ErrorMemory: Sendable {
    private var ring: [(time: Instant, microseconds: Double)]
    /// Place of the next error in the ring, and number of errors in it.
    private var next = 0
    private var count = 0

    /// Time for which an error is kept.
    private static let span = Instant.Span.milliseconds(4000)

    /// A memory of at most `capacity` errors; a further one replaces the oldest.
    init(capacity: Int) {
        ring = Array(repeating: (.zero, 0), count: max(1, capacity))
    }

    /// Adds an error; times do not decrease.
    mutating func add(_ microseconds: Double, at now: Instant) {
        ring[next] = (now, microseconds)
        next = (next + 1) % ring.count
        count = min(count + 1, ring.count)
    }

    /// Writes the errors of the four seconds before `now` into `status`.
    func fill(_ status: inout SyncStatus, at now: Instant) {
        var columns: [UInt16] = []
        var (number, sum, worst) = (0, 0.0, 0.0)
        for age in 1...max(1, count) where count > 0 {
            let error = ring[(next - age + ring.count) % ring.count]
            if now - error.time > Self.span { break }
            if columns.isEmpty { columns = Array(repeating: 0, count: SyncStatus.columns) }
            columns[Self.column(of: error.microseconds)] += 1
            number += 1
            sum += error.microseconds * error.microseconds
            worst = max(worst, abs(error.microseconds))
        }
        guard number > 0 else { return }
        status.errors = columns
        status.rms = (sum / Double(number)).squareRoot() / 1000
        status.worst = worst / 1000
    }

    /// The column of an error: the middle is between the two middle columns.
    private static func column(of microseconds: Double) -> Int {
        let half = Double(SyncStatus.columns / 2)
        return Int(min(max(half + microseconds / SyncStatus.columnWidth, 0), 2 * half - 1).rounded(.down))
    }
}
