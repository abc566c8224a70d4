/// The search for numbers that describe the arrivals better.
extension TickNumbers {
    /// Number of ticks that are judged together.
    private static let judged = 256
    /// Minimum saving of a change.
    private static let margin = 6.0
    /// Price of each further missing tick of a gap.
    private static let furtherPrice = 6.0
    /// Minimum deviation in microseconds: the deviation by the times' own steps.
    private static let deviationMin = 100.0

    /// A change of the numbers.
    private enum Change {
        /// The numbers from a tick on change by some ticks.
        case gap(index: Int, ticks: Int)
        /// The tempo changed at a tick, whose place is given.
        case turn(index: Int, place: Double)
    }

    private func price(ofGap distance: Int) -> Double {
        distance > 1 ? jitter.gapPrice + Self.furtherPrice * Double(distance - 2) : 0
    }

    /// Number of ticks from the one before `index` to it.
    private func distance(at index: Int) -> Int { ticks[index].number - ticks[index - 1].number }

    /// The measure of `count` ticks whose squared deviations sum up to `rest`; `floor` is the square of the floor.
    private func length(_ rest: Double, _ count: Double, _ floor: Double) -> Double {
        count / 2 * logarithm(max(rest / count, floor))
    }

    /// The floor of ticks of `period`, squared.
    private func floor(_ period: Double) -> Double {
        let floor = max(jitter.floor * period, Self.deviationMin)
        return floor * floor
    }

    /// Makes the change that saves most, if there is one. Returns whether another may follow.
    mutating func improve() -> Bool {
        let begin = max(0, ticks.count - Self.judged)
        let first = ticks[begin]
        var all = Moments()
        for tick in ticks[begin...] { all.add(tick.point(from: first)) }
        let period = all.slope
        // Faster than any music: nothing is to be found.
        guard let last = ticks.last, period >= periodMin, all.rest / all.count > 1.2 * floor(period) else {
            return false
        }
        // A tick near its place tells nothing new.
        let point = last.point(from: first)
        let error = point.y - all.line(at: point.x)
        guard error * error > 1.7 * all.rest / all.count || taken % 8 == 0 else { return false }
        let gap = bestGap(begin, all)
        switch bestTurn(begin, all, saving: gap.saved) ?? gap.change {
        case .gap(let index, let change):
            renumber(from: index, by: change)
            return true
        case .turn(let index, let place):
            turn(at: index, place: place)
            return false
        case nil: return false
        }
    }

    /// The best change of one gap among the ticks from `begin` on, whose sums are `all`; nil if none saves enough.
    private func bestGap(_ begin: Int, _ all: Moments) -> (saved: Double, change: Change?) {
        let floor = floor(all.slope)
        let before = length(all.rest, all.count, floor)
        var best = (saved: Self.margin, change: Change?.none)
        if jitter.comesInBursts, isWithinBurst { return best }
        var later = Moments()
        for index in stride(from: ticks.count - 1, to: begin, by: -1) {
            later.add(ticks[index].point(from: ticks[begin]))
            let now = distance(at: index)
            let measured = ((ticks[index].time - ticks[index - 1].time) / all.slope).rounded()
            for next in [now + 1, max(1, Int(measured)), now - 1, 1] where next != now && next > 0 {
                let moved = all.moving(later, by: Double(next - now))
                guard moved.spread > 0, moved.product > 0, moved.rest < all.rest || next < now else { continue }
                let saved = before - length(moved.rest, all.count, floor) - price(ofGap: next) + price(ofGap: now)
                if saved > best.saved { best = (saved, .gap(index: index, ticks: next - now)) }
            }
        }
        return best
    }

    /// The best change of tempo among the ticks from `begin` on, whose sums are `all`: the line goes on from the place
    /// of a tick with another period. Nil if none saves more than `saving`.
    private func bestTurn(_ begin: Int, _ all: Moments, saving: Double) -> Change? {
        let floor = floor(all.slope)
        let before = length(all.rest, all.count, floor)
        var best = (saved: saving, change: Change?.none)
        var (own, later) = (Moments(), Moments())
        var gapPrices = 0.0
        for index in stride(from: ticks.count - 2, through: begin + 4, by: -1) {
            // Later ticks by their distance from this one, as if none were missing between them.
            let point = ticks[index + 1].point(from: ticks[begin])
            later.move(by: 1)
            later.add((1, point.y))
            own.add(point)
            gapPrices += price(ofGap: distance(at: index + 1))
            let earlier = all - own
            guard Int(later.count) >= jitter.changeTicks, earlier.spread > 0 else { continue }
            let place = earlier.line(at: Double(ticks[index].number - ticks[begin].number))
            let product = later.xy - place * later.x
            guard product / later.xx >= periodMin else { continue }
            let rest = later.yy - place * (2 * later.y - place * later.count) - product * product / later.xx
            // A clock of half the tempo looks like a clock that loses every second tick; a few lost ticks are no
            // reason.
            let missing = newest - ticks[index].number - Int(later.count)
            let isHalved = missing >= 6 && 2 * missing >= Int(later.count)
            let sum = earlier.rest + max(0, rest)
            // The new line has to fit about as well as the one before.
            let noise = max(floor, earlier.rest / earlier.count)
            guard sum < all.rest || isHalved, rest < 4 * noise * later.count else { continue }
            let saved =
                before - length(sum, all.count, floor) - jitter.changePrice + (isHalved ? gapPrices : 0)
            guard saved > best.saved else { continue }
            let time = place + ticks[begin].time
            if !isHalved, rest > restOfDelay(after: index, place: time, earlier.slope) / 2 { continue }
            best = (saved, .turn(index: index, place: time))
        }
        return best.change
    }

    /// The squared deviations of the ticks after the one at `index`, if a part of them, to the newest, are late or
    /// early by the same: that is no other tempo. `place` is the tick's.
    private func restOfDelay(after index: Int, place: Double, _ period: Double) -> Double {
        var (sum, square, explained) = (0.0, 0.0, 0.0)
        for later in stride(from: ticks.count - 1, to: index, by: -1) {
            let error = ticks[later].time - place - period * Double(later - index)
            sum += error
            square += error * error
            explained = max(explained, sum * sum / Double(ticks.count - later))
        }
        return max(0, square - explained)
    }

    /// Numbers the judged ticks anew, if that saves enough: steps from tick to tick along lines of several periods.
    /// Gaps that have tilted the line are found together, where none would be found alone.
    mutating func guess() {
        if jitter.comesInBursts, isWithinBurst { return }
        let now = Array(ticks.suffix(Self.judged))
        guard let line = TickLine(now), line.period >= periodMin else { return }
        let ticksPerArrival = Double(newest - now[0].number) / Double(now.count - 1)
        var best = (length: length(of: now, line) - Self.margin, ticks: now)
        // Up to one tick in seven is missing.
        for part in stride(from: 0.86, through: 1.0, by: 0.01) {
            let next = Self.numbers(of: now, period: line.period * ticksPerArrival * part)
            guard let line = TickLine(next), line.period > 0 else { continue }
            let length = length(of: next, line)
            if length < best.length { best = (length, next) }
        }
        renumber(best.ticks)
    }

    private func length(of ticks: [Tick], _ line: TickLine) -> Double {
        let deviation = line.deviation(of: ticks)
        let gaps = zip(ticks, ticks.dropFirst()).reduce(0.0) { $0 + min(6, price(ofGap: $1.1.number - $1.0.number)) }
        return length(deviation * deviation * Double(ticks.count), Double(ticks.count), floor(line.period)) + gaps
    }

    /// `ticks` with the numbers of the nearest places along a line of about `period`.
    private static func numbers(of ticks: [Tick], period: Double) -> [Tick] {
        var numbered = ticks
        var place = ticks[0].time
        for index in ticks.indices.dropFirst() {
            let distance = max(1, ((ticks[index].time - place) / period).rounded())
            numbered[index].number = numbered[index - 1].number + Int(distance)
            place += distance * period
            place += 0.15 * (ticks[index].time - place)
        }
        return numbered
    }
}
