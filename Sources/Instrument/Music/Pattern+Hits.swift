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
    /// Whether `track` plays its cells as they stand: without lanes but velocities of single notes, and in the pattern's
    /// steps. A borrowed one has its own begin.
    public func isPlain(_ track: Track) -> Bool {
        if isBorrowed(track) { return false }
        let shape = self[shape: track]
        return lanes.isPlain(track) && shape.length == nil && shape.division == .whole && shape.direction == .forward
    }

    /// The notes of `track` that begin within `steps` steps of the pattern after Play, with the first of each pair of
    /// steps `swing` per cent of it. FILL is not held. If the pattern does not go on after them, because another
    /// follows, its next step does not sound early, and late hits of the last ones sound after their end.
    public func hitNotes(of track: Track, swing: Int, steps: Int, goesOn: Bool = true) -> [HitNote] {
        let (numerator, denominator) = self[shape: track].division.fraction
        let division = StepFraction(numerator, perStep: denominator)
        let end = StepFraction(steps)
        var decisions = Decisions()
        var found: [HitNote] = []
        // Decisions come in the order of the first hits.
        let order = (0...(steps * denominator / numerator + 1)).flatMap { number -> [TrackHits] in
            if !goesOn, !(StepFraction(number) * division < end) { return [] }
            var place = StepFraction(number / 2 * 2) * division
            if number % 2 == 1 { place = place + StepFraction(2 * swing, perStep: 100) * division }
            return trackHits(of: track, number: number, from: place, division)
        }
        let places = indicesInOrder(of: order.count) { order[$0].begin(0) < order[$1].begin(0) }
        for place in places {
            let hits = order[place]
            guard sounds(hits, of: track, &decisions) else { continue }
            for hit in 0..<hits.count {
                let place = hits.begin(hit)
                // The first hit of a step that begins before Play sounds there; further ones up to there are left out.
                guard hit == 0 || StepFraction(0) < place else { continue }
                let begin = max(place, StepFraction(0))
                guard begin < end || !goesOn else { break }
                for note in hits.notes {
                    func value(_ lane: Lane) -> Int? { lanes.value(track, lane, note: note, step: hits.step) }
                    let cell = self[track, note: note, step: hits.step] == .accent ? 2 : 1
                    let length =
                        value(.gate).map { StepFraction($0, perStep: 100 * hits.count) }
                        ?? StepFraction(runLength(track, note: note, step: hits.step))
                    let velocity = Pattern.ramped(
                        value(.velocity) ?? Track.midiVelocity(of: cell), value(.ramp) ?? 0, hit, of: hits.count)
                    found.append(HitNote(note: note, velocity: velocity, begin: begin, length: length * division))
                }
            }
        }
        return found.inOrder { $0.begin < $1.begin }
    }

    /// The hits of a step: those of a note, or of all notes that have none of their own.
    private struct TrackHits {
        /// The step's number, counted from Play.
        let number: Int
        let step: Int
        let turn: Int
        let notes: [Int]
        /// Whether they are the hits of one note.
        let isOfNote: Bool
        let count: Int
        /// The first hit, and the step's length.
        let first: StepFraction
        let division: StepFraction

        func begin(_ hit: Int) -> StepFraction { first + StepFraction(hit, perStep: count) * division }
    }

    /// The hits of the step `number` of `track`, which begins at `place`, the track's own first.
    private func trackHits(
        of track: Track, number: Int, from place: StepFraction, _ division: StepFraction
    ) -> [TrackHits] {
        let (step, turn) = sounding(number, of: track)
        let starts = track.notes.filter { self[track, note: $0, step: step].isStart }
        return hits(of: track, step: step).map { note in
            func value(_ lane: Lane) -> Int? {
                note.map { lanes.value(track, lane, note: $0, step: step) } ?? lanes[track, lane, step: step]
            }
            let late = StepFraction(value(.shift) ?? 0, perStep: 100) * division
            return TrackHits(
                number: number, step: step, turn: turn,
                notes: note.map { [$0] } ?? starts.filter { !lanes.isTimed(track, note: $0, step: step) },
                isOfNote: note != nil, count: value(.ratchet) ?? 1, first: place + late, division: division)
        }
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

    /// The decisions of conditions so far.
    private struct Decisions {
        /// Whether the last condition of the track was met.
        var wasMet = false
        /// Whether the last own conditions of notes were.
        var wereMet: [Int: Bool] = [:]
        /// Whether the track's condition at a step was met, by the step's number.
        var steps: [Int: Bool] = [:]
    }

    /// Whether `hits` sound.
    private func sounds(_ hits: TrackHits, of track: Track, _ decisions: inout Decisions) -> Bool {
        let (step, turn) = (hits.step, hits.turn)
        let note = hits.isOfNote ? hits.notes.first : nil
        func own(_ lane: Lane) -> Int? { note.flatMap { lanes[track, lane, note: $0, step: step] } }
        if let note, let condition = own(.when).flatMap(StepCondition.init(code:)) {
            let isMet = condition.isMet(turn: turn, wasMet: decisions.wereMet[note] ?? false)
            decisions.wereMet[note] = isMet
            if !isMet { return false }
        } else if let condition = lanes[track, .when, step: step].flatMap(StepCondition.init(code:)) {
            // Once for all notes of the step.
            let isMet = decisions.steps[hits.number] ?? condition.isMet(turn: turn, wasMet: decisions.wasMet)
            if decisions.steps.updateValue(isMet, forKey: hits.number) == nil { decisions.wasMet = isMet }
            if !isMet { return false }
        }
        func falls(_ die: UInt64, _ chance: Int) -> Bool { (die >> 32) * 100 < UInt64(chance) << 32 }
        if let note, let chance = own(.chance) {
            return falls(die(track, step: step, turn: turn, note: note), chance)
        }
        return lanes[track, .chance, step: step].map { falls(die(track, step: step, turn: turn), $0) } ?? true
    }

    /// The die of `step` of `track` in `turn`: SplitMix64's finaliser (Steele, Lea, Flood: Fast Splittable Pseudorandom
    /// Number Generators, 2014). The die of a `note` alone is a later number of SplitMix64.
    private func die(_ track: Track, step: Int, turn: Int, note: Int? = nil) -> UInt64 {
        var x = UInt64(seed(of: track)) << 48 &+ UInt64(track.rawValue) << 44 &+ UInt64(step) << 32 &+ UInt64(turn)
        if let note { x &+= UInt64(note - track.notes.lowerBound + 1) &* 0x9e37_79b9_7f4a_7c15 }
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

extension StepCondition {
    /// Whether it is met in `turn`, counted from 0, while FILL is not held; `wasMet` is whether the one before it was.
    fileprivate func isMet(turn: Int, wasMet: Bool) -> Bool {
        switch self {
        case .every(let place, let turns): turn % turns == place - 1
        case .first: turn == 0
        case .notFirst: turn != 0
        case .fill: false
        case .notFill: true
        case .previous: wasMet
        case .notPrevious: !wasMet
        }
    }
}

/// The greatest whole number that divides both (Euclid's algorithm).
private func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : greatestCommonDivisor(other, one % other)
}
