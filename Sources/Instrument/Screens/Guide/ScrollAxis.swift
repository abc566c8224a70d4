import InputEvents

/// One axis of a view that scrolls by cells: its offset, and its movement after a throw. A pure function of the
/// finger's actions and the time: the frame rate has no effect.
struct ScrollAxis: Hashable, Sendable {
    /// LEDs from one cell to the next.
    let pitch: Int
    /// Number of cells.
    let count: Int
    /// Visible LEDs.
    let view: Int
    private var motion: Motion

    private enum Motion: Hashable, Sendable {
        case rest(Double)
        case glide(Glide)
        case thrown(Throw, Glide)
    }

    /// Movement between two offsets, eased at both ends.
    private struct Glide: Hashable, Sendable {
        var from: Double
        var to: Double
        var since: Instant
        var span: Instant.Span

        var end: Instant { since + span }

        func offset(at now: Instant) -> Double {
            guard now < end else { return to }
            let part = Double(max(0, (now - since).microseconds)) / Double(span.microseconds)
            return from + (to - from) * part * part * (3 - 2 * part)
        }
    }

    /// Movement that starts at the finger's speed and decays exponentially.
    private struct Throw: Hashable, Sendable {
        var from: Double
        /// LEDs per second.
        var velocity: Double
        var since: Instant
    }

    /// Time constant: the speed decays to 1/e in this time.
    private static let decaySeconds = 0.325
    /// Decay factor of one millisecond, e^(−1/325). It is a literal because mathematics libraries differ between
    /// platforms.
    private static let decayPerMillisecond = 0.9969278057995146
    /// Maximum duration of a throw; the fastest throw takes half of it.
    private static let throwMilliseconds = 4096
    /// Maximum speed in LEDs per second: no finger is faster, and a glitch must not be.
    private static let velocityMax = 1000.0
    /// Time for snapping to a cell.
    static let settle = Instant.Span.milliseconds(150)

    /// An axis of `count` cells of `pitch` LEDs, of which `view` LEDs are visible, at `offset`.
    init(pitch: Int, count: Int, view: Int, offset: Double = 0) {
        self.pitch = pitch
        self.count = count
        self.view = view
        motion = .rest(0)
        motion = .rest(clamped(offset))
    }

    /// Maximum offset; 0 if the content is smaller than the view.
    var limit: Double { Double(max(0, pitch * count - view)) }

    /// LEDs by which the content is moved to the left or up, 0 to `limit`.
    func offset(at now: Instant) -> Double {
        switch motion {
        case .rest(let offset): offset
        case .glide(let glide): glide.offset(at: now)
        case .thrown(let start, let glide): now < glide.since ? offset(of: start, at: now) : glide.offset(at: now)
        }
    }

    /// The offset in whole LEDs, for drawing.
    func drawnOffset(at now: Instant) -> Int { Int((offset(at: now) + 0.5).rounded(.down)) }

    /// Whether it moves by itself.
    func isMoving(at now: Instant) -> Bool {
        switch motion {
        case .rest: false
        case .glide(let glide), .thrown(_, let glide): now < glide.end
        }
    }

    /// The offset at which the cell `index` is the first visible one, at most `limit`.
    func offset(ofCell index: Int) -> Double { clamped(Double(index * pitch)) }

    /// Index of the first cell visible at `now`, even in part.
    func firstCell(at now: Instant) -> Int { (drawnOffset(at: now) + 1) / pitch }

    // MARK: Movement

    /// Stops at the current offset.
    mutating func stop(at now: Instant) { motion = .rest(offset(at: now)) }

    /// Moves to `offset` with the finger.
    mutating func drag(to offset: Double) { motion = .rest(clamped(offset)) }

    /// Moves smoothly to `offset`.
    mutating func glide(to offset: Double, in span: Instant.Span, at now: Instant) {
        let from = self.offset(at: now)
        let to = clamped(offset)
        motion = from == to ? .rest(to) : .glide(Glide(from: from, to: to, since: now, span: span))
    }

    /// Releases the content at `velocity` LEDs per second: it slows down and settles on a cell.
    mutating func release(velocity: Double, at now: Instant) {
        let velocity = min(max(velocity, -Self.velocityMax), Self.velocityMax)
        let start = Throw(from: offset(at: now), velocity: velocity, since: now)
        let goal = start.from + velocity * Self.decaySeconds
        let milliseconds = length(of: start)
        let end = now + .milliseconds(Int64(milliseconds))
        let from = clamped(unclampedOffset(of: start, milliseconds: milliseconds))
        // At the edge no snapping is needed. Otherwise the cell lies ahead, because the throw ends half a cell before
        // its goal.
        let isAtEdge = milliseconds > 0 && (from == 0 || from == limit)
        let to = isAtEdge ? from : nearestCell(to: goal)
        let span = from == to ? Instant.Span(microseconds: 0) : Self.settle
        motion = .thrown(start, Glide(from: from, to: to, since: end, span: span))
    }

    /// The axis for `count` cells, with `shift` more cells than now before the visible ones.
    func changed(count: Int, shift: Int, at now: Instant) -> ScrollAxis {
        let offset = offset(at: now) + Double(shift * pitch)
        var changed = ScrollAxis(pitch: pitch, count: count, view: view, offset: offset)
        if isMoving(at: now) { changed.release(velocity: velocity(at: now), at: now) }
        return changed
    }

    /// Current speed of a throw in LEDs per second; else 0.
    private func velocity(at now: Instant) -> Double {
        guard case .thrown(let start, let glide) = motion, now < glide.since else { return 0 }
        return start.velocity * Self.decay(Int((now - start.since).microseconds / 1000))
    }

    // MARK: The throw

    /// Milliseconds until the speed is below half a cell per time constant, or an edge is reached.
    private func length(of start: Throw) -> Int {
        let slow = Double(pitch) / 2 / Self.decaySeconds
        var range = 0..<Self.throwMilliseconds
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let offset = unclampedOffset(of: start, milliseconds: middle)
            let isOver =
                abs(start.velocity) * Self.decay(middle) <= slow
                || (start.velocity < 0 ? offset <= 0 : offset >= limit)
            range = isOver ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    private func offset(of start: Throw, at now: Instant) -> Double {
        let elapsed = max(0, (now - start.since).microseconds)
        let (milliseconds, rest) = (Int(elapsed / 1000), Double(elapsed % 1000) / 1000)
        let here = unclampedOffset(of: start, milliseconds: milliseconds)
        let next = unclampedOffset(of: start, milliseconds: milliseconds + 1)
        return clamped(here + (next - here) * rest)
    }

    private func unclampedOffset(of start: Throw, milliseconds: Int) -> Double {
        start.from + start.velocity * Self.decaySeconds * (1 - Self.decay(milliseconds))
    }

    /// Remaining part of the speed after `milliseconds`.
    private static func decay(_ milliseconds: Int) -> Double {
        var (power, factor, rest) = (1.0, decayPerMillisecond, milliseconds)
        while rest > 0 {
            if rest & 1 == 1 { power *= factor }
            factor *= factor
            rest >>= 1
        }
        return power
    }

    /// The offset nearest to `offset` that aligns a cell, or `limit`.
    private func nearestCell(to offset: Double) -> Double {
        let offset = clamped(offset)
        let cell = clamped((offset / Double(pitch) + 0.5).rounded(.down) * Double(pitch))
        return abs(limit - offset) < abs(cell - offset) ? limit : cell
    }

    private func clamped(_ offset: Double) -> Double { min(max(offset, 0), limit) }
}
