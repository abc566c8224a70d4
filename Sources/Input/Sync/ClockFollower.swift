import InputEvents

/// Follows the ticks of an external clock: finds their even places in the arrival times, which jitter, and counts them.
///
/// A second-order delay-locked loop (F. Adriaensen, "Using a DLL to filter time", 2005). Until its band is as narrow as it
/// stays, the gains are those of the straight line through all ticks so far, which locks after the fewest ticks. A change of
/// tempo is found by comparing two explanations of the last arrivals: the loop goes on, or another line begins at one of them.
public struct ClockFollower: Sendable {
    /// Number of the newest tick, counted from the first. It follows the time: a tick that does not arrive is counted.
    public private(set) var count = 0
    /// Ticks that did not arrive.
    public private(set) var missing = 0
    /// Distance of two ticks in microseconds; nil before the second.
    public private(set) var period: Double?
    /// Arrival of the newest tick; nil before the first.
    public private(set) var newest: Instant?
    /// Differences of the last arrivals and the places at which the loop expected them.
    private(set) var errors: ErrorMemory
    /// Whether enough ticks have arrived since the first, or since a change of tempo.
    var isSettled: Bool { first == nil && age >= Self.firstTicks }

    /// Even place of the newest tick, in microseconds of the loop's clock.
    private var place = 0.0
    /// Ticks in the straight line.
    private var age = 0
    /// Mean magnitude of the deviations, in microseconds.
    private var spread = Self.spreadMin
    /// Arrivals of the first ticks, until there are enough for the loop; nil after them.
    private var first: (count: Int, times: [Double])? = (0, [])
    /// The last arrivals.
    private var arrivals: [Arrival] = []
    /// Minimum distance of two ticks, in microseconds: less is a bounce, or a tempo that nothing has.
    private let distanceMin: Double

    private struct Arrival: Sendable {
        var time: Double
        /// The tick's number and place, as the loop saw them then.
        var count: Int
        var place: Double
        /// How little the loop explains it.
        var cost: Double
    }

    /// Bandwidth of the loop in hertz once it is narrow: 2.8 ms of jitter then leave 0.2 ms at 120 beats a minute, 0.3 at 60.
    private static let bandwidth = 0.1
    /// Maximum of 2π · bandwidth · period: slow pulses would make the loop unstable.
    private static let omegaMax = 0.25
    /// Part of a period beyond which a tick is no measure of the tempo.
    private static let outlier = 0.35
    /// Number of ticks of the first line.
    private static let firstTicks = 12
    /// Arrivals among which a change of tempo is looked for, and the least that show one.
    private static let memory = 17
    private static let changeMin = 3
    private static let spreadMin = 100.0
    /// Standard deviation of evenly spread deviations, as a multiple of their mean magnitude.
    private static let deviation = 2 / 3.0.squareRoot()
    /// Maximum beats per minute.
    private static let tempoMax = 1000.0
    /// Maximum number of quarter notes in the time for which errors are kept.
    private static let quartersMax = Int(tempoMax / 15) + 1
    /// A pause in microseconds after which the clock may have other places, and the age of the line after it.
    private static let pause = 1_000_000.0
    private static let ageAfterPause = 12

    /// Costs, in squares of the standard deviation: the limit of an arrival, a missing tick, an arrival too many, and the
    /// difference that makes a change of tempo.
    private static let costMax = 20.0
    private static let missingCost = 6.0
    private static let extraCost = 24.0
    private static let change = 40.0
    /// Cost up to which an arrival can be the last one before a change.
    private static let soundCost = 6.0

    /// A follower of a clock with `ticksPerQuarter` ticks a quarter note.
    public init(ticksPerQuarter: Int) {
        distanceMin = 60_000_000 / Self.tempoMax / Double(ticksPerQuarter)
        errors = ErrorMemory(capacity: ticksPerQuarter * Self.quartersMax)
        arrivals.reserveCapacity(Self.memory + 1)
    }

    /// Begins anew with the next tick. The period stays until then.
    public mutating func restart() {
        guard newest != nil else { return }
        first = (count + 1, [])
        arrivals.removeAll(keepingCapacity: true)
    }

    /// The position at `time` in ticks: whole at the place of each.
    public func position(at time: Double) -> Double {
        guard let period else { return Double(count) }
        return Double(count) + (time - place) / period
    }

    /// Takes a tick that arrived at `time`. Returns false if it came too soon after the one before to be one.
    public mutating func tick(at time: Instant) -> Bool {
        let now = Double(time.microseconds)
        if let newest, now - Double(newest.microseconds) < distanceMin { return false }
        newest = time
        if first != nil { takeFirst(now) } else { take(now) }
        return true
    }

    /// Takes one of the first ticks.
    private mutating func takeFirst(_ now: Double) {
        guard var begun = first else { return }
        begun.times.append(now)
        first = begun
        guard begun.times.count > 1 else {
            (count, place) = (begun.count, now)
            return
        }
        let line = Line.best(through: begun.times)
        count = begun.count + (line.counts.last ?? 0)
        place = line.place(of: line.counts.count - 1)
        period = max(distanceMin, line.period)
        guard begun.times.count == Self.firstTicks else { return }
        missing += (line.counts.last ?? 0) - (Self.firstTicks - 1)
        age = Self.firstTicks
        spread = max(Self.spreadMin, line.deviation / Self.deviation)
        first = nil
    }

    private mutating func take(_ now: Double) {
        guard let period else { return }
        let distance = now - place
        let ticks = Int((distance / period).rounded())
        if distance > Self.pause, ticks > Self.memory {
            // The place is nearer to where it would be than half a tick.
            count += ticks
            missing += ticks - 1
            place = now
            age = Self.ageAfterPause
            arrivals.removeAll(keepingCapacity: true)
            return
        }
        let error = distance - Double(max(1, ticks)) * period
        let scaled = error / (Self.deviation * spread)
        var cost = min(scaled * scaled, Self.costMax) + Self.missingCost * Double(max(0, ticks - 1))
        if ticks > 0 {
            errors.add(error, at: Instant(microseconds: Int64(now)))
            age += 1
            count += ticks
            missing += ticks - 1
            place += Double(ticks) * period
        } else {
            cost = Self.extraCost
        }
        if ticks > 0, abs(error) <= Self.outlier * period {
            let gains = gains(period: period)
            place += gains.place * error
            self.period = max(distanceMin, period + gains.period * error / Double(ticks))
            spread += (max(Self.spreadMin, min(abs(error), 3 * spread)) - spread) / 64
        }
        if arrivals.count == Self.memory { arrivals.removeFirst() }
        arrivals.append(Arrival(time: now, count: count, place: place, cost: cost))
        followChange()
    }

    /// The gains of the straight line through `age` ticks, or of the narrow loop.
    private func gains(period: Double) -> (place: Double, period: Double) {
        let age = Double(age)
        let omega = min(Self.omegaMax, 2 * Double.pi * Self.bandwidth * period / 1_000_000)
        return (
            max(2 * (2 * age - 1) / (age * (age + 1)), 2.0.squareRoot() * omega),
            max(6 / (age * (age + 1)), omega * omega)
        )
    }

    // MARK: Changes of tempo

    /// Follows a change of tempo, if the last arrivals show one: a line that begins at the place of one of them explains the
    /// later ones much better than the loop does.
    private mutating func followChange() {
        guard arrivals.count > Self.changeMin, arrivals.reduce(0, { $0 + $1.cost }) > Self.change else { return }
        var best: (gain: Double, begin: Int, line: Line)?
        var cost = 0.0
        for begin in arrivals.indices.dropLast().reversed() {
            cost += arrivals[begin + 1].cost
            guard arrivals.count - 1 - begin >= Self.changeMin, arrivals[begin].cost <= Self.soundCost else { continue }
            let line = Line(
                from: arrivals[begin].place, through: arrivals[(begin + 1)...].map(\.time), after: arrivals[begin].time)
            // A line that begins with a missing tick began one later.
            guard let line, line.counts.first == 1, line.period >= distanceMin else { continue }
            let gain = cost - self.cost(of: line)
            if gain > max(Self.change, best?.gain ?? 0) { best = (gain, begin, line) }
        }
        guard let (_, begin, line) = best, let ticks = line.counts.last else { return }
        let begun = arrivals[begin]
        missing = max(0, missing - max(0, count - begun.count - ticks))
        count = begun.count + ticks
        place = line.place(of: line.counts.count - 1)
        period = line.period
        age = line.counts.count + 2
        arrivals.removeFirst(begin)
        arrivals[0].cost = 0
        for (index, ticks) in line.counts.enumerated() {
            arrivals[index + 1].count = begun.count + ticks
            arrivals[index + 1].place = line.place(of: index)
            arrivals[index + 1].cost = 0
        }
    }

    private func cost(of line: Line) -> Double {
        let missing = (line.counts.last ?? 0) - line.counts.count
        return line.times.indices.reduce(Self.missingCost * Double(missing)) { sum, index in
            let scaled = (line.times[index] - line.place(of: index)) / (Self.deviation * spread)
            return sum + min(scaled * scaled, Self.costMax)
        }
    }
}

/// Even places near to arrival times, some of which may have no arrival.
private struct Line {
    /// Arrivals, and the numbers of their ticks.
    let times: [Double]
    let counts: [Int]
    /// Place of tick 0 and distance of two ticks, in microseconds.
    let start: Double
    let period: Double
    /// Root of the mean square of the deviations, in microseconds.
    let deviation: Double

    func place(of index: Int) -> Double { start + period * Double(counts[index]) }

    /// The best line through `times`, at least two: ticks are missing only where that explains the times much better.
    static func best(through times: [Double]) -> Line {
        let simple = Line(times, counts: Array(times.indices))
        guard times.count > 3 else { return simple }
        var others = [Line(times, counts: [0] + counts(of: Array(times.dropFirst()), after: times[0]))]
        for gap in times.indices.dropFirst() {
            others.append(Line(times, counts: times.indices.map { $0 + ($0 >= gap ? 1 : 0) }))
        }
        func part(_ line: Line) -> Double { line.deviation / line.period }
        guard let other = others.min(by: { part($0) < part($1) }), part(other) < 0.6 * part(simple) else {
            return simple
        }
        return other
    }

    /// The straight line nearest to `times` as ticks `counts`.
    private init(_ times: [Double], counts: [Int]) {
        let middle = Double(counts.reduce(0, +)) / Double(counts.count)
        let mean = times.reduce(0, +) / Double(times.count)
        var product = 0.0
        var square = 0.0
        for (time, count) in zip(times, counts) {
            product += (Double(count) - middle) * (time - mean)
            square += (Double(count) - middle) * (Double(count) - middle)
        }
        self.init(times, counts, start: mean - middle * product / square, period: product / square)
    }

    /// The line from tick 0 at `place` that is nearest to `times`; the arrival before them was at `before`. Nil if two are at the
    /// same time.
    init?(from place: Double, through times: [Double], after before: Double) {
        let counts = Self.counts(of: times, after: before)
        guard !counts.isEmpty else { return nil }
        let product = zip(times, counts).reduce(0.0) { $0 + Double($1.1) * ($1.0 - place) }
        let square = counts.reduce(0.0) { $0 + Double($1) * Double($1) }
        self.init(times, counts, start: place, period: product / square)
    }

    private init(_ times: [Double], _ counts: [Int], start: Double, period: Double) {
        (self.times, self.counts, self.start, self.period) = (times, counts, start, period)
        let sum = zip(times, counts).reduce(0.0) { sum, tick in
            let error = tick.0 - start - period * Double(tick.1)
            return sum + error * error
        }
        deviation = (sum / Double(times.count)).squareRoot()
    }

    /// Numbers of the ticks at `times`, if most distances are one tick; empty if two are at the same time.
    private static func counts(of times: [Double], after before: Double) -> [Int] {
        let distances = zip(times, [before] + times).map { $0 - $1 }
        let median = distances.sorted()[(distances.count - 1) / 2]
        guard median > 0 else { return [] }
        var count = 0
        return distances.map { distance in
            count += max(1, Int((distance / median).rounded()))
            return count
        }
    }
}
