/// A tick of a clock as it arrived.
struct Tick: Sendable {
    /// Arrival, in microseconds.
    var time: Double
    /// Number, counted from the first tick. It follows the clock: a tick that did not arrive has one too.
    var number: Int

    /// Its number and time, counted from `origin`.
    func point(from origin: Tick) -> (x: Double, y: Double) { (Double(number - origin.number), time - origin.time) }
}

/// The even places of ticks: a straight line through their arrivals.
struct TickLine: Sendable {
    /// Place of tick `number`, in microseconds.
    var place: Double
    /// The tick at `place`.
    var number: Int
    /// Distance of two ticks in microseconds.
    var period: Double

    /// A clock's period before the arrivals. It counts as much as ticks do whose squared distances from their middle
    /// sum up to `weight`.
    struct Prior: Sendable {
        var period: Double
        var weight: Double

        /// A period that counts as much as a second of ticks, at most 24 of them.
        init(_ period: Double) {
            self.period = period
            let ticks = min(24, 1_000_000 / period)
            weight = ticks * ticks * ticks / 12
        }
    }

    /// Part of its weight that an arrival at the ends loses.
    private static let taper = 0.7

    /// The line through `ticks`. The weight of an arrival falls to both ends as a parabola, by `Self.taper`, so that a
    /// jitter that rises and falls by turns, as the jitter of a clock in bursts does, tilts the line less. Nil for
    /// fewer than two ticks, or two of the same number.
    init?(_ ticks: [Tick], prior: Prior? = nil) {
        guard let first = ticks.first, let last = ticks.last, ticks.count > 1 else { return nil }
        let half = Double(last.number - first.number + 1) / 2
        let middle = Double(first.number - last.number) / 2
        var sums = Moments()
        for tick in ticks {
            let point = tick.point(from: last)
            let distance = (point.x - middle) / half
            sums.add(point, weight: 1 - Self.taper * distance * distance)
        }
        let square = sums.spread + (prior?.weight ?? 0)
        guard square > 0 else { return nil }
        period = (sums.product + (prior.map { $0.weight * $0.period } ?? 0)) / square
        place = last.time + (sums.y - period * sums.x) / sums.count
        number = last.number
    }

    /// Place of tick `number`, in microseconds.
    func place(of number: Int) -> Double { place + period * Double(number - self.number) }

    /// Root of the mean square of the deviations of `ticks`, in microseconds.
    func deviation(of ticks: [Tick]) -> Double {
        let sum = ticks.reduce(0.0) { sum, tick in
            let error = tick.time - place(of: tick.number)
            return sum + error * error
        }
        return (sum / Double(max(1, ticks.count - 2))).squareRoot()
    }

    /// Distance of the earliest and the latest deviation of `ticks`, in microseconds.
    func range(of ticks: [Tick]) -> Double {
        var (earliest, latest) = (Double.infinity, -Double.infinity)
        for tick in ticks {
            let error = tick.time - place(of: tick.number)
            earliest = min(earliest, error)
            latest = max(latest, error)
        }
        return latest - earliest
    }

    /// The smallest range of `ticks` about a line of nearly this period: the jitter, if it has a limit.
    func strip(of ticks: [Tick]) -> Double {
        let part = 1.5 / Double(ticks.count)
        var (low, high) = (period * (1 - part), period * (1 + part))
        func range(_ period: Double) -> Double {
            var line = self
            line.period = period
            return line.range(of: ticks)
        }
        // The range is a convex function of the period: its least is found by thirds, to a part of 300.
        for _ in 0..<14 {
            let third = (high - low) / 3
            if range(low + third) < range(high - third) { high -= third } else { low += third }
        }
        return range((low + high) / 2)
    }
}

/// Sums over points, from which their straight line follows.
struct Moments {
    var count = 0.0
    var x = 0.0
    var y = 0.0
    var xx = 0.0
    var xy = 0.0
    var yy = 0.0

    mutating func add(_ point: (x: Double, y: Double), weight: Double = 1) {
        count += weight
        x += weight * point.x
        y += weight * point.y
        xx += weight * point.x * point.x
        xy += weight * point.x * point.y
        yy += weight * point.y * point.y
    }

    /// Moves all points by `distance` along x.
    mutating func move(by distance: Double) { self = moving(self, by: distance) }

    static func - (all: Moments, part: Moments) -> Moments {
        Moments(
            count: all.count - part.count, x: all.x - part.x, y: all.y - part.y, xx: all.xx - part.xx,
            xy: all.xy - part.xy, yy: all.yy - part.yy)
    }

    /// The sums after the points of `part` moved by `distance` along x.
    func moving(_ part: Moments, by distance: Double) -> Moments {
        var moved = self
        moved.xx += distance * (2 * part.x + distance * part.count)
        moved.xy += distance * part.y
        moved.x += distance * part.count
        return moved
    }

    /// Sum of the squares of x, and of the products of x and y, about the middle.
    var spread: Double { xx - x * x / count }
    var product: Double { xy - x * y / count }
    /// The line's rise.
    var slope: Double { product / spread }
    /// Sum of the squared distances from the line.
    var rest: Double { max(0, yy - y * y / count - product * product / spread) }
    /// The line's y at `x`.
    func line(at x: Double) -> Double { y / count + slope * (x - self.x / count) }
}

/// The natural logarithm of a positive, normal `x`, to a part of 10⁻⁷; this target has no library with one.
func logarithm(_ x: Double) -> Double {
    // The logarithm of m is twice the series of the inverse hyperbolic tangent of (m − 1) / (m + 1), here at most a
    // third.
    let part = (x.significand - 1) / (x.significand + 1)
    let square = part * part
    var term = part
    var sum = 0.0
    for number in 0..<7 {
        sum += term / Double(2 * number + 1)
        term *= square
    }
    return Double(x.exponent) * 0.6931471805599453 + 2 * sum
}
