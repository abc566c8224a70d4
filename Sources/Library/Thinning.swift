/// Selects the revisions of a pattern to keep: all recent ones, and fewer of older ones.
enum Thinning {
    /// Ages and intervals in seconds: of the revisions in a calendar interval that ended at least `age` ago, only the
    /// last is kept. Each interval consists of whole intervals of the next step, so the result does not depend on how
    /// often, or when, revisions were removed before.
    private static let steps: [(age: Int64, interval: Int64)] = [
        (30 * day, 30 * day), (day, day), (hour, 10 * minute), (10 * minute, minute),
    ]
    private static let minute: Int64 = 60
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// A revision, and the seconds of playing since it was saved. The time of day may step by years when a board
    /// without a real-time clock connects to the network; the playing time cannot, so the age of a revision is the
    /// smaller of the two.
    struct Aged {
        let revision: PatternRevision
        private let playedSince: Int64

        init(_ revision: PatternRevision, playedSince: Int64 = .max) {
            self.revision = revision
            self.playedSince = playedSince
        }

        /// The current time for this revision's age.
        func now(_ now: Int64) -> Int64 {
            let (limit, isBeyond) = revision.saved.addingReportingOverflow(playedSince)
            return isBeyond ? now : min(now, limit)
        }
    }

    /// Returns the numbers of the `revisions` to remove at `now` (seconds since 1970); `revisions` are oldest first.
    /// The newest is always kept. A revision is removed only in favour of one with a right checksum.
    static func dropped<Failure: Error>(
        _ revisions: [Aged], now: Int64, isWhole: (_ number: Int64) throws(Failure) -> Bool
    ) throws(Failure) -> [Int64] {
        var dropped: [Int64] = []
        /// The interval, its kept revision, and whether the checksum of that is known to be right.
        var kept: (interval: Range<Int64>, number: Int64, isWhole: Bool)?
        for revision in revisions.reversed() {
            let number = revision.revision.number
            guard let interval = interval(of: revision.revision.saved, now: revision.now(now)) else {
                kept = nil
                continue
            }
            guard let last = kept, last.interval == interval else {
                kept = (interval, number, false)
                continue
            }
            var lastIsWhole = last.isWhole
            if !lastIsWhole { lastIsWhole = try isWhole(last.number) }
            if lastIsWhole {
                kept?.isWhole = true
                dropped.append(number)
            } else {
                kept = (interval, number, false)
            }
        }
        return dropped
    }

    /// The interval around `saved` in which one revision is kept; nil while all are kept. If the clock went backwards
    /// no revision is old.
    private static func interval(of saved: Int64, now: Int64) -> Range<Int64>? {
        for step in steps {
            let past = saved % step.interval
            let start = saved - (past < 0 ? past + step.interval : past)
            if now - (start + step.interval) >= step.age { return start..<start + step.interval }
        }
        return nil
    }
}
