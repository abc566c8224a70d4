// The hits of a track with lanes or a shape of its own, as the engine plays them, for files.

/// A whole number of parts of a step.
public struct StepFraction: Hashable, Comparable, Sendable {
    /// Parts, and their number in a step.
    public let parts, perStep: Int

    init(_ parts: Int, perStep: Int = 1) {
        self.parts = parts
        self.perStep = perStep
    }

    /// This number of steps in `units` of a step, rounded to the nearest.
    public func rounded(unitsPerStep units: Int) -> Int {
        (2 * parts * units + perStep).quotientAndRemainder(flooring: 2 * perStep).quotient
    }

    /// The sum.
    public static func + (one: StepFraction, other: StepFraction) -> StepFraction {
        StepFraction(
            one.parts * other.perStep + other.parts * one.perStep, perStep: one.perStep * other.perStep)
    }

    static func * (one: StepFraction, other: StepFraction) -> StepFraction {
        StepFraction(one.parts * other.parts, perStep: one.perStep * other.perStep)
    }

    /// The order of the places.
    public static func < (one: StepFraction, other: StepFraction) -> Bool {
        one.parts * other.perStep < other.parts * one.perStep
    }
}

/// A note that a hit of a track's step begins.
public struct HitNote: Hashable, Sendable {
    /// Its number on the track.
    public var note: Int
    /// MIDI velocity.
    public var velocity: Int
    /// Where it begins, in steps of the pattern since Play.
    public var begin: StepFraction
    /// Its length, in steps of the pattern.
    public var length: StepFraction
}

extension Pattern {
    /// Whether `track` plays its cells as they stand: without lanes, and in the pattern's steps. A borrowed one has its
    /// own begin.
    public func isPlain(_ track: Track) -> Bool {
        if isBorrowed(track) { return false }
        let shape = self[shape: track]
        return !lanes.has(track) && shape.length == nil && shape.division == .whole && shape.direction == .forward
    }

    /// The notes of `track` that begin within `steps` steps of the pattern after Play, with the first of each pair of
    /// steps `swing` per cent of it. FILL is not held. If the pattern does not go on after them, because another
    /// follows, its next step does not sound early, and late hits of the last ones sound after their end.
    public func hitNotes(of track: Track, swing: Int, steps: Int, goesOn: Bool = true) -> [HitNote] {
        let (numerator, denominator) = self[shape: track].division.fraction
        let division = StepFraction(numerator, perStep: denominator)
        let end = StepFraction(steps)
        func value(_ lane: Lane, _ step: Int) -> Int? { lanes[track, lane, step: step] }
        func begin(_ number: Int, _ step: Int, hit: Int) -> StepFraction {
            var place = StepFraction(number / 2 * 2) * division
            if number % 2 == 1 { place = place + StepFraction(2 * swing, perStep: 100) * division }
            let late = StepFraction(value(.shift, step) ?? 0, perStep: 100)
            return place + (late + StepFraction(hit, perStep: value(.ratchet, step) ?? 1)) * division
        }
        var wasMet = false
        var found: [HitNote] = []
        // Decisions come in the order of the first hits.
        let order = (0...(steps * denominator / numerator + 1)).map {
            number -> (begin: StepFraction, step: Int, turn: Int) in
            let (step, turn) = sounding(number, of: track)
            return (begin(number, step, hit: 0), step, turn)
        }
        let numbers = indicesInOrder(of: order.count) { order[$0].begin < order[$1].begin }
        for number in numbers {
            if !goesOn, !(StepFraction(number) * division < end) { continue }
            let (step, turn) = (order[number].step, order[number].turn)
            let notes = track.notes.filter { self[track, note: $0, step: step].isStart }
            guard !notes.isEmpty, sounds(track, step: step, turn: turn, &wasMet) else { continue }
            let hits = value(.ratchet, step) ?? 1
            for hit in 0..<hits {
                let place = begin(number, step, hit: hit)
                // The first hit of a step that begins before Play sounds there; further ones up to there are left out.
                guard hit == 0 || StepFraction(0) < place else { continue }
                let begin = max(place, StepFraction(0))
                guard begin < end || !goesOn else { break }
                for note in notes {
                    let cell = self[track, note: note, step: step] == .accent ? 2 : 1
                    let length =
                        value(.gate, step).map { StepFraction($0, perStep: 100 * hits) }
                        ?? StepFraction(runLength(track, note: note, step: step))
                    let velocity = Pattern.ramped(
                        value(.velocity, step) ?? Track.midiVelocity(of: cell), value(.ramp, step) ?? 0, hit, of: hits)
                    found.append(HitNote(note: note, velocity: velocity, begin: begin, length: length * division))
                }
            }
        }
        return found.inOrder { $0.begin < $1.begin }
    }

    /// Loops of the pattern after which it begins together with the order of each of its tracks that have notes: the
    /// least common multiple of their durations.
    public var loopsToMeet: Int {
        let twelfths = HeardRound.twelfths * length
        let orders = Track.allCases.filter { !isEmpty($0) }.map { self[shape: $0].division.twelfths * cycle(of: $0) }
        return orders.reduce(twelfths) { $0 / greatestCommonDivisor($0, $1) * $1 } / twelfths
    }

    /// Steps of `track` until its order repeats.
    func cycle(of track: Track) -> Int {
        let length = length(of: track)
        return self[shape: track].direction == .pendulum && length > 1 ? 2 * length - 2 : length
    }

    /// The step of the cells that sounds as step `number` of `track` after Play, and how often the track has begun
    /// before.
    func sounding(_ number: Int, of track: Track) -> (step: Int, turn: Int) {
        let length = length(of: track)
        let direction = self[shape: track].direction
        let cycle = cycle(of: track)
        let (turn, place) = (number / cycle, number % cycle)
        switch direction {
        case .forward: return (place, turn)
        case .back: return (length - 1 - place, turn)
        case .pendulum: return (place < length ? place : 2 * length - 2 - place, turn)
        case .random: return (Int(die(track, step: place, turn: turn) % UInt64(length)), turn)
        }
    }

    /// Whether `step` sounds in `turn`; `wasMet` is whether the last condition of the track was met.
    private func sounds(_ track: Track, step: Int, turn: Int, _ wasMet: inout Bool) -> Bool {
        if let condition = lanes[track, .when, step: step].flatMap(StepCondition.init(code:)) {
            switch condition {
            case .every(let place, let turns): wasMet = turn % turns == place - 1
            case .first: wasMet = turn == 0
            case .notFirst: wasMet = turn != 0
            case .fill: wasMet = false
            case .notFill: wasMet = true
            case .previous: break
            case .notPrevious: wasMet.toggle()
            }
            if !wasMet { return false }
        }
        guard let chance = lanes[track, .chance, step: step] else { return true }
        return (die(track, step: step, turn: turn) >> 32) * 100 < UInt64(chance) << 32
    }

    /// The die of `step` of `track` in `turn`: SplitMix64's finaliser (Steele, Lea, Flood: Fast Splittable Pseudorandom
    /// Number Generators, 2014).
    private func die(_ track: Track, step: Int, turn: Int) -> UInt64 {
        var x = UInt64(seed(of: track)) << 48 &+ UInt64(track.rawValue) << 44 &+ UInt64(step) << 32 &+ UInt64(turn)
        x = (x ^ x >> 30) &* 0xbf58_476d_1ce4_e5b9
        x = (x ^ x >> 27) &* 0x94d0_49bb_1331_11eb
        return x ^ x >> 31
    }

    /// The velocity of one hit of a ratchet: with a ramp it rises from a part to the whole, or falls.
    private static func ramped(_ velocity: Int, _ ramp: Int, _ hit: Int, of hits: Int) -> Int {
        let share = ramp > 0 ? hit + 1 : hits - hit
        return ramp == 0 ? velocity : max(1, (velocity * share + hits / 2) / hits)
    }
}

/// The greatest whole number that divides both (Euclid's algorithm).
private func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : greatestCommonDivisor(other, one % other)
}
