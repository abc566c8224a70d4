/// The ticks of a clock that arrived in the last seconds, and their numbers: which ticks between them did not arrive.
///
/// All is judged by one measure, the description length: half the number of ticks times the logarithm of their mean
/// square deviation from the line, and a price for each gap and each change of tempo. A number is changed if the sum
/// falls by a margin, also the number of a tick that arrived seconds ago. Deviations below a floor count as the floor.
struct TickNumbers: Sendable {
    /// A model of a clock's jitter.
    struct Jitter: Sendable {
        /// The floor, as a part of the period.
        var floor: Double
        /// Price of a gap with one missing tick, and of a change of tempo.
        var gapPrice: Double
        var changePrice: Double
        /// Ticks that show a change of tempo at the least.
        var changeTicks: Int
        /// Whether the jitter may be as large as the burst in which a sender or a radio passes ticks on, so that
        /// nothing within it is a gap.
        var comesInBursts: Bool

        /// A clock whose jitter is small beside its period.
        static let quiet = Jitter(floor: 0.03, gapPrice: 10, changePrice: 35, changeTicks: 3, comesInBursts: false)
        /// A clock that comes in bursts, or late by more than a period.
        static let loud = Jitter(floor: 0.25, gapPrice: 8, changePrice: 80, changeTicks: 6, comesInBursts: true)
    }

    let jitter: Jitter
    /// Minimum period in microseconds.
    let periodMin: Double
    /// The ticks, at least one after `begin`.
    private(set) var ticks: [Tick] = []
    /// The line through them; nil before the second.
    private(set) var line: TickLine?
    /// Ticks that did not arrive, since the clock's first.
    private(set) var missing = 0
    /// A tick whose number somebody remembers; it follows the numbers.
    var anchor = 0

    /// The clock's period before the beginning; nil if it is not known, or after a change of tempo.
    private(set) var prior: TickLine.Prior?
    /// Ticks since the beginning or a change of tempo, and since the beginning.
    private var age = 0
    private(set) var taken = 0
    /// Places in `taken` of the last gaps of one tick that were found soon.
    private var gaps: [Int] = []

    /// Duration of the ticks that are remembered, in microseconds, and their numbers: a slow clock has fewer, a flood
    /// no more.
    private static let span = 8_000_000.0
    private static let countMin = 8
    private static let countMax = 1024

    init(_ jitter: Jitter, periodMin: Double) {
        (self.jitter, self.periodMin) = (jitter, periodMin)
        ticks.reserveCapacity(Self.countMax + 1)
    }

    /// Begins anew with tick `number` at `time`, whose clock may have the period `prior`. `skipped` ticks before it are
    /// missing.
    mutating func begin(at time: Double, number: Int, prior: TickLine.Prior?, skipped: Int = 0) {
        ticks.removeAll(keepingCapacity: true)
        ticks.append(Tick(time: time, number: number))
        line = nil
        self.prior = prior
        missing += skipped
        (age, taken) = (1, 1)
        gaps.removeAll()
    }

    /// Number of the newest tick.
    var newest: Int { ticks.last?.number ?? 0 }
    /// Duration of the remembered ticks, in microseconds.
    var duration: Double { (ticks.last?.time ?? 0) - (ticks.first?.time ?? 0) }
    /// Missing ticks among the remembered ones.
    var gapCount: Int { newest - (ticks.first?.number ?? 0) - (ticks.count - 1) }

    /// Adds the next tick, after `skipped` that are not remembered. `mayGuess` lets it guess all numbers anew now and
    /// then, as it does at the beginning.
    mutating func add(_ time: Double, skipping skipped: Int = 0, mayGuess: Bool) {
        ticks.append(Tick(time: time, number: newest + skipped + 1))
        while ticks.count > Self.countMax || duration > Self.span, ticks.count > Self.countMin { ticks.removeFirst() }
        age += 1
        taken += 1
        fit()
        if age == 16 || age % 32 == 0, mayGuess || age <= 128 { guess() }
        // Each round changes one number; a tick rarely brings more than one.
        for _ in 0..<4 where ticks.count > 3 {
            guard improve() else { break }
            fit()
        }
    }

    private mutating func fit() { line = TickLine(ticks, prior: prior) }

    /// Copies the numbers of `other`, whose ticks are the same.
    mutating func adopt(_ other: TickNumbers) {
        (ticks, line, missing, anchor) = (other.ticks, other.line, other.missing, other.anchor)
    }

    /// Distance of two bursts in microseconds; the distance of two ticks, if each comes alone.
    var burst: Double {
        guard let line, let first = ticks.first else { return 0 }
        var (last, count) = (first.time, 0.0)
        for tick in ticks where tick.time - last > Self.together * line.period {
            count += 1
            last = tick.time
        }
        return max(line.period, count > 0 ? (last - first.time) / count : 0)
    }

    /// Whether the deviations are within a burst.
    var isWithinBurst: Bool {
        guard let line else { return true }
        let limit = 1.3 * burst
        return line.range(of: ticks) <= limit || line.strip(of: ticks) <= limit
    }

    /// Whether the last four gaps were evenly spaced, each a hundred ticks and more after the other: a burst that comes
    /// a little more often than the ticks looks like that.
    var gapsAreEven: Bool {
        guard gaps.count == Self.gapsMax else { return false }
        let distances = zip(gaps.dropFirst(), gaps).map { $0 - $1 }
        guard let least = distances.min(), let most = distances.max() else { return false }
        return least >= 128 && most - least <= 1
    }

    /// Part of a period within which ticks come at once.
    static let together = 0.3
    private static let gapsMax = 4
    /// Ticks after a gap within which it is found soon.
    private static let soon = 8

    /// Changes the numbers from the tick at `index` on by `change`.
    mutating func renumber(from index: Int, by change: Int) {
        if ticks[index].number <= anchor { anchor += change }
        for later in index..<ticks.count { ticks[later].number += change }
        missing += change
        if change == 1, ticks.count - index < Self.soon {
            gaps.append(taken - (ticks.count - index))
            if gaps.count > Self.gapsMax { gaps.removeFirst() }
        } else {
            gaps.removeAll()
        }
    }

    /// Gives the newest ticks the numbers of `others`, of which the first has its own.
    mutating func renumber(_ others: [Tick]) {
        let begin = ticks.count - others.count
        let before = newest
        if let known = ticks.lastIndex(where: { $0.number <= anchor }), known >= begin, anchor <= newest {
            anchor += others[known - begin].number - ticks[known].number
        } else if anchor > newest, let last = others.last {
            anchor += last.number - newest
        }
        ticks.replaceSubrange(begin..., with: others)
        missing += newest - before
        fit()
    }

    /// Forgets the ticks before the one at `index`, whose place is `place`, and numbers the later ticks one by one: the
    /// tempo changed there.
    mutating func turn(at index: Int, place: Double) {
        let number = ticks[index].number
        var rest = Array(ticks[index...])
        rest[0].time = place
        for later in rest.indices { rest[later].number = number + later }
        renumber(rest)
        ticks.removeFirst(index)
        prior = nil
        age = ticks.count
        fit()
    }
}
