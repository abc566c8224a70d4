import InputEvents

/// Follows the ticks of an external clock: finds their even places in the arrival times, which jitter, and counts them.
///
/// The places are on a straight line through the ticks of the last eight seconds. Which ticks are missing is judged
/// twice, for a clock whose jitter is small and for a clock that comes in bursts; the tempo is the number of ticks
/// divided by their time in both. A burst that comes a little more often than the ticks looks at first like a steady
/// clock that loses a tick now and then: the second judgement holds if it explains all arrivals by the bursts alone.
public struct ClockFollower: Sendable {
    /// Number of the newest tick, counted from the anchor: 0 at the anchor, negative before it. It follows the time: a
    /// tick that does not arrive is counted, as soon as it is clear that it does not.
    public var count: Int { anchorsNext ? -1 : numbers.newest - numbers.anchor }
    /// Ticks that did not arrive.
    public var missing: Int { numbers.missing }
    /// Distance of two ticks in microseconds; nil before the second.
    public private(set) var period: Double?
    /// Arrival of the newest tick; nil before the first.
    public private(set) var newest: Instant?
    /// Differences of the last arrivals and the places at which the line expected them.
    private(set) var errors: ErrorMemory
    /// Whether enough ticks have arrived since the first, or since a change of tempo.
    var isSettled: Bool { !beginsAnew && (quiet.prior != nil || quiet.ticks.count >= Self.settledTicks) }

    /// The ticks, judged twice.
    private var quiet: TickNumbers
    private var loud: TickNumbers
    private var isLoud = false
    /// Ticks for which the second judgement has held without being followed.
    private var doubts = 0
    /// Ticks that are held.
    private var held = 0
    /// Whether the next tick begins a new line.
    private var beginsAnew = true
    /// Whether the anchor is the next tick.
    private var anchorsNext = true
    /// Minimum distance of two ticks in microseconds; less is a bounce.
    private let distanceMin: Double

    private var numbers: TickNumbers { isLoud ? loud : quiet }

    private static let settledTicks = 12
    /// Maximum beats per minute.
    private static let tempoMax = 1000.0
    /// Maximum number of quarter notes in the time for which errors are kept.
    private static let quartersMax = Int(tempoMax / 15) + 1
    /// A pause in microseconds after which the clock may have other places, and in periods.
    private static let pause = 1_000_000.0
    private static let pausePeriods = 16.0
    /// Largest gap in microseconds, beside three periods, that jitter explains: two bursts.
    private static let gapMax = 100_000.0

    /// A follower of a clock with `ticksPerQuarter` ticks a quarter note. `bounces`: two edges that are nearer than the
    /// edges of 1000 beats a minute are one edge; a wire of bytes never bounces.
    public init(ticksPerQuarter: Int, bounces: Bool = false) {
        let periodMin = 60_000_000 / Self.tempoMax / Double(ticksPerQuarter)
        distanceMin = bounces ? periodMin : 0
        errors = ErrorMemory(capacity: ticksPerQuarter * Self.quartersMax)
        quiet = TickNumbers(.quiet, periodMin: periodMin)
        loud = TickNumbers(.loud, periodMin: periodMin)
    }

    /// Begins a new line with the next tick. The period stays until then.
    public mutating func restart() { beginsAnew = true }

    /// Counts from the next tick.
    public mutating func anchorAtNext() { anchorsNext = true }

    /// Counts from the newest tick.
    public mutating func anchorAtNewest() {
        anchorsNext = false
        (quiet.anchor, loud.anchor) = (quiet.newest, loud.newest)
    }

    /// The position at `time` in ticks from the anchor: whole at the place of each.
    public func position(at time: Double) -> Double {
        guard let period, let place else { return Double(count) }
        return Double(count) + (time - place) / period
    }

    /// Even place of the newest tick in microseconds; nil before the first.
    private var place: Double? {
        numbers.line.map { $0.place(of: numbers.newest) } ?? numbers.ticks.last?.time
    }

    /// Even place of the next tick in microseconds; nil if it is not known.
    var next: Double? {
        guard !beginsAnew, let period, let place else { return nil }
        return place + period
    }

    /// How far from its place a tick may arrive, in microseconds: the jitter, at least a millisecond.
    var tolerance: Double {
        max(1000, isLoud ? numbers.burst : 3 * (numbers.line?.deviation(of: numbers.ticks) ?? 0))
    }

    /// Receives a tick that arrived at `time`. Returns false if it came too soon after the tick before to be a tick.
    public mutating func tick(at time: Instant) -> Bool {
        let now = Double(time.microseconds)
        let before = newest.map { Double($0.microseconds) }
        if let before, now - before < distanceMin { return false }
        newest = time
        if beginsAnew {
            begin(at: now, skipping: 0)
        } else if let before, let period, let place, now - before > max(Self.pause, Self.pausePeriods * period) {
            // The place is nearer to where it would be than half a tick.
            begin(at: now, skipping: max(0, Int(((now - place) / period).rounded()) - 1))
        } else if !hold(now, after: before) {
            add(now)
        }
        if anchorsNext { anchorAtNewest() }
        return true
    }

    private mutating func add(_ now: Double, skipping skipped: Int = 0) {
        if isSettled, let next { errors.add((now - next).rounded(), at: Instant(microseconds: Int64(now))) }
        quiet.add(now, skipping: skipped, mayGuess: false)
        loud.add(now, skipping: skipped, mayGuess: isLoud)
        choose()
        if let line = numbers.line, line.period > 0 { period = max(quiet.periodMin, line.period) }
    }

    /// Holds a tick that comes after a gap that no jitter explains, and the ticks that come at once after it: the
    /// sender was held up, and their arrivals tell nothing about their places. The next tick that comes by itself
    /// follows them all. Returns whether the tick is held or added already.
    private mutating func hold(_ now: Double, after before: Double?) -> Bool {
        guard let before, let period, !anchorsNext else { return false }
        let begins = held == 0 && now - before > Self.gapMax + 3 * period
        if begins || held > 0 && now - before < TickNumbers.together * period {
            held += 1
            return true
        }
        defer { held = 0 }
        // A single held tick was late or early as any.
        if held == 1 { add(before) }
        if held > 1 { add(now, skipping: held) }
        return held > 1
    }

    private mutating func begin(at now: Double, skipping skipped: Int) {
        let number = numbers.ticks.isEmpty ? 0 : numbers.newest + skipped + 1
        if isLoud { quiet.adopt(loud) } else { loud.adopt(quiet) }
        let prior = period.map { TickLine.Prior($0) }
        quiet.begin(at: now, number: number, prior: prior, skipped: skipped)
        loud.begin(at: now, number: number, prior: prior, skipped: skipped)
        (beginsAnew, isLoud, doubts, held) = (false, false, 0, 0)
    }

    // MARK: The judgements

    /// Part of a period from which on the deviations mean a loud clock, and the part up to which a clock is quiet.
    private static let loudPart = 0.2
    private static let quietPart = 0.15
    /// Periods in microseconds from which on bursts are shorter than a period: 2048 frames at 44.1 kHz are 46 ms.
    private static let longPeriod = 60_000.0
    /// Periods in microseconds from which on bursts of about a period are rare: Bluetooth has intervals up to 30 ms for
    /// MIDI.
    private static let rarePeriod = 35_000.0
    /// Ticks for which the second judgement has to hold before it is followed.
    private static let doubtsMax = 8
    /// Duration of a line that is established, in microseconds, and the ticks of one.
    private static let established = 6_000_000.0
    private static let establishedTicks = 96

    /// Chooses the judgement that is followed.
    private mutating func choose() {
        guard let line = quiet.line, let other = loud.line else { return }
        let hasMoreGaps = hasMoreGaps(line)
        let noise = line.deviation(of: quiet.ticks)
        if noise > Self.loudPart * line.period || quiet.gapsAreEven {
            isLoud = true
        } else if line.period < Self.longPeriod, hasMoreGaps,
            // The arrivals are within bursts where the first judgement finds missing ticks.
            other.strip(of: loud.ticks) <= 1.03 * loud.burst + line.range(of: quiet.ticks)
        {
            doubts += 1
            isLoud = isLoud || doubts > Self.doubtsMax
            return
        } else {
            // The gaps that were none are forgotten.
            if isLoud, quiet.gapCount == loud.gapCount { quiet.adopt(loud) }
            isLoud = false
            // The gaps are real: both judgements know them.
            let isClear =
                noise < Self.quietPart * line.period && quiet.duration > Self.established && quiet.taken % 32 == 0
            if quiet.gapCount != loud.gapCount, isClear || hasMoreGaps && quiet.ticks.count >= Self.establishedTicks,
                !loud.isWithinBurst
            {
                loud.adopt(quiet)
            }
        }
        doubts = 0
    }

    /// Whether the first judgement, which has `line`, finds more missing ticks than chance may bring.
    private func hasMoreGaps(_ line: TickLine) -> Bool {
        10 * loud.ticks.count >= 9 * quiet.ticks.count && 4 * loud.gapCount <= quiet.gapCount
            && quiet.gapCount > loud.gapCount + gapsOfChance(line)
    }

    /// Number of missing ticks that may be missing indeed where the first judgement has `line`.
    private func gapsOfChance(_ line: TickLine) -> Int {
        if Self.isBlock(line.period) { return 0 }
        if quiet.duration > Self.established && !isLoud || line.range(of: quiet.ticks) > 0.06 * line.period { return 3 }
        return line.period > Self.rarePeriod ? 2 : 1
    }

    /// Whether ticks of this period come as often as blocks of audio do, at a rate of 44.1 or 48 kHz: no round tempo
    /// has such a period.
    private static func isBlock(_ period: Double) -> Bool {
        [44_100, 48_000].contains { rate in
            (9...12).contains { abs(period * rate / 1_000_000 / Double(1 << $0) - 1) < 0.0002 }
        }
    }
}
