/// A round of the pattern as it was heard: which steps of its tracks sounded, after their chances and conditions.
public struct HeardRound: Hashable, Sendable {
    /// A step of a track that sounded.
    public struct Step: Hashable, Sendable {
        /// Where it began, in twelfths of a step of the pattern since the round's begin. Its first hit may lie beside
        /// it.
        public var place: Int
        /// Which of the track's steps it was, 0-31.
        public var step: Int

        /// A step that began at `place`.
        public init(place: Int, step: Int) {
            self.place = place
            self.step = step
        }
    }

    /// Twelfths in a step of the pattern: every division of a track is a whole number of them.
    public static let twelfths = 12

    /// Steps of the pattern.
    public var length: Int
    /// The steps of each track that sounded, by the track's number. A track that plays its cells as they stand has
    /// none.
    public var steps: [[Step]]

    /// A round of `length` steps of the pattern, without a step that sounded.
    public init(length: Int, steps: [[Step]] = Track.allCases.map { _ in [] }) {
        precondition(steps.count == Track.allCases.count)
        self.length = length
        self.steps = steps
    }
}

extension Pattern {
    /// The pattern that repeats `round`: its tracks have no chances and conditions any more, run forward, and are its own.
    /// Nil if a track does not fit: its round has more than 32 of its steps, or does not begin with one of them.
    func keeping(_ round: HeardRound) -> Pattern? {
        var kept = settled
        for track in Track.allCases where !isPlain(track) {
            let heard = round.steps[track.rawValue]
            if repeats(track, as: heard, in: round.length) { continue }
            guard kept.unroll(track, of: self, heard, in: round.length) else { return nil }
        }
        return kept
    }

    /// Whether `track` plays `heard` in every round of `length` steps, without chances and conditions.
    private func repeats(_ track: Track, as heard: [HeardRound.Step], in length: Int) -> Bool {
        guard !lanes.has(track, .chance), !lanes.has(track, .when), self[shape: track].direction != .random else {
            return false
        }
        let span = self[shape: track].division.twelfths
        let whole = HeardRound.twelfths * length
        guard whole % (span * cycle(of: track)) == 0 else { return false }
        let steps = (0..<whole / span).compactMap { number -> HeardRound.Step? in
            let step = sounding(number, of: track).step
            return hasNote(track, step: step) ? HeardRound.Step(place: number * span, step: step) : nil
        }
        return steps == heard.inOrder { $0.place < $1.place }
    }

    /// Writes the steps `heard` of `track` of `pattern` one after the other, and removes what chose them. Returns false
    /// if they do not fit.
    private mutating func unroll(
        _ track: Track, of pattern: Pattern, _ heard: [HeardRound.Step], in length: Int
    ) -> Bool {
        let span = pattern[shape: track].division.twelfths
        let (count, rest) = (HeardRound.twelfths * length).quotientAndRemainder(dividingBy: span)
        guard rest == 0, count <= Pattern.steps, heard.allSatisfy({ $0.place % span == 0 }) else { return false }
        // A voicing depends on the chord before, which may be another one now.
        let source = pattern.sounding
        clear(track)
        self[shape: track].division = pattern[shape: track].division
        self[shape: track].chordKind = pattern[shape: track].chordKind
        self[shape: track].length = count == self.length ? nil : count
        for place in heard {
            let (step, target) = (place.step, place.place / span)
            guard (0..<count).contains(target) else { return false }
            for note in track.notes where source[track, note: note, step: step].isStart {
                self[track, note: note, step: target] = source[track, note: note, step: step]
            }
            for lane in Lane.allCases where lane != .chance && lane != .when {
                lanes[track, lane, step: target] = pattern.lanes[track, lane, step: step]
            }
        }
        for place in heard { sustain(track, from: place.place / span, as: place.step, of: source, in: count) }
        return true
    }

    /// Gives the notes that begin at `target` the length that they have at `step` of `source`, with `count` steps in
    /// the track.
    private mutating func sustain(_ track: Track, from target: Int, as step: Int, of source: Pattern, in count: Int) {
        if lanes[track, .gate, step: target] != nil { return }
        var (lengths, isShort) = (Set<Int>(), false)
        for note in track.notes where source[track, note: note, step: step].isStart {
            let wanted = source.runLength(track, note: note, step: step)
            var length = 1
            while length < min(wanted, count), self[track, note: note, step: (target + length) % count] == .empty {
                self[track, note: note, step: (target + length) % count] = .sustain
                length += 1
            }
            lengths.insert(wanted)
            if length < wanted { isShort = true }
        }
        // A note that begins again before its end: cells cannot say its length, a gate can if it is the gate of the
        // whole step.
        guard isShort, lengths.count == 1, let length = lengths.first else { return }
        let gate = 100 * length * (lanes[track, .ratchet, step: target] ?? 1)
        if Lane.gate.values.contains(gate) { lanes[track, .gate, step: target] = gate }
    }
}
