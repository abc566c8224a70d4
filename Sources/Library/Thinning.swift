/// Which revisions of a pattern are worth keeping: all of the last minutes, and fewer and fewer of older ones.
enum Thinning {
    /// Of the revisions within an interval of the calendar that ended at least so long ago, in seconds, the last is
    /// kept. Each interval is made of whole ones of the next step: so it does not matter how often, or when, there was
    /// thinning before.
    private static let steps: [(age: Int64, interval: Int64)] = [
        (30 * day, 30 * day), (day, day), (hour, 10 * minute), (10 * minute, minute),
    ]
    private static let minute: Int64 = 60
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// A revision, with how long boxes have played since, in seconds. The time of day may step by years when a board without
    /// a clock of its own meets the network; what was played since cannot, so a revision is as old as the smaller of the two.
    struct Aged {
        let revision: PatternRevision
        private let playedSince: Int64

        init(_ revision: PatternRevision, playedSince: Int64 = .max) {
            self.revision = revision
            self.playedSince = playedSince
        }

        /// The time as it is for this revision.
        func now(_ now: Int64) -> Int64 {
            let (limit, isBeyond) = revision.saved.addingReportingOverflow(playedSince)
            return isBeyond ? now : min(now, limit)
        }
    }

    /// The numbers of those of `revisions`, oldest first, that go `now`, in seconds since 1970. The newest stays. One that stays
    /// for others of its interval is whole: none goes for the sake of a damaged one.
    static func dropped<Failure: Error>(
        _ revisions: [Aged], now: Int64, isWhole: (_ number: Int64) throws(Failure) -> Bool
    ) throws(Failure) -> [Int64] {
        var dropped: [Int64] = []
        /// The interval, the revision that stays of it, and whether that is known to be whole.
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

    /// The interval around `saved` of which one revision is kept; nil while all are. A clock that went backwards makes
    /// nothing old.
    private static func interval(of saved: Int64, now: Int64) -> Range<Int64>? {
        for step in steps {
            let past = saved % step.interval
            let start = saved - (past < 0 ? past + step.interval : past)
            if now - (start + step.interval) >= step.age { return start..<start + step.interval }
        }
        return nil
    }
}
