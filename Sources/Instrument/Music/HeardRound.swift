/// A round of the pattern as it was heard: which steps of its tracks sounded, after their chances and conditions.
public struct HeardRound: Hashable, Sendable {
    /// A step of a track that sounded.
    public struct Step: Hashable, Sendable {
        /// Where it began, in twelfths of a step of the pattern since the round's begin. Its first hit may lie beside
        /// it.
        public var place: Int
        /// Which of the track's steps it was, 0-127.
        public var step: Int
        /// The note with hits of its own that sounded; nil: all others of the step.
        public var note: Int?

        /// A step that began at `place`.
        public init(place: Int, step: Int, note: Int? = nil) {
            self.place = place
            self.step = step
            self.note = note
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
    /// With a harmony all notes are written where they sound, and it is gone: it may move them elsewhere in another order.
    /// Nil if a track does not fit: its round has more than 32 of its steps, or does not begin with one of them.
    func keeping(_ round: HeardRound) -> Pattern? {
        var kept = withoutHarmony.settled
        for track in Track.allCases where !isPlain(track) {
            let heard = round.steps[track.rawValue]
            if repeats(track, as: heard, in: round.length) { continue }
            guard kept.unroll(track, of: self, heard, in: round.length) else { return nil }
        }
        return kept
    }

    /// The pattern with its notes where a harmony moves them.
    private var withoutHarmony: Pattern {
        let harmonies = Track.allCases.map { self[origin: $0]?.harmony ?? lanes.harmony }
        if harmonies.allSatisfy({ $0.isEmpty }) { return self }
        let all = sounding
        var result = self
        for track in Track.allCases where track != .rhythm { result.writeSounding(track, of: all) }
        result.lanes.harmony = Harmony()
        return result
    }

    /// Whether `track` plays `heard` in every round of `length` steps, without chances and conditions.
    private func repeats(_ track: Track, as heard: [HeardRound.Step], in length: Int) -> Bool {
        guard !lanes.has(track, .chance), !lanes.has(track, .when), self[shape: track].direction != .random,
            !lanes.hasNotes(track, in: [.chance, .when])
        else { return false }
        let span = self[shape: track].division.twelfths
        let whole = HeardRound.twelfths * length
        guard whole % (span * cycle(of: track)) == 0 else { return false }
        let all = sounding
        let steps = (0..<whole / span).flatMap { number -> [HeardRound.Step] in
            let step = sounding(number, of: track).step
            return all.hits(of: track, step: step).map {
                HeardRound.Step(place: number * span, step: step, note: $0)
            }
        }
        return Set(steps) == Set(heard) && steps.count == heard.count
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
            for note in source.notes(of: place, on: track) {
                self[track, note: note, step: target] = source[track, note: note, step: step]
                for lane in Lane.ofNotes where lane != .chance && lane != .when {
                    let value = source.lanes[track, lane, note: note, step: step]
                    setValue(value, track, lane, note: note, step: target)
                }
            }
            for lane in Lane.ofTracks where lane != .chance && lane != .when {
                lanes[track, lane, step: target] = pattern.lanes[track, lane, step: step]
            }
        }
        var places = Set<Int>()
        for place in heard where places.insert(place.place).inserted {
            sustain(track, from: place.place / span, as: place.step, of: source, in: count)
        }
        return true
    }

    /// The notes of `track` with hits of their own at `step`, and nil for all others if there are any.
    func hits(of track: Track, step: Int) -> [Int?] {
        let notes = track.notes.filter { self[track, note: $0, step: step].isStart }
        let own = notes.filter { lanes.isTimed(track, note: $0, step: step) }
        let shared: [Int?] = own.count < notes.count ? [nil] : []
        return shared + own.map { .some($0) }
    }

    /// The notes of `track` that sounded with `step`.
    private func notes(of step: HeardRound.Step, on track: Track) -> [Int] {
        track.notes.filter { note in
            guard self[track, note: note, step: step.step].isStart else { return false }
            return step.note.map { $0 == note } ?? !lanes.isTimed(track, note: note, step: step.step)
        }
    }

    /// Gives the notes that begin at `target` the length that they have at `step` of `source`, with `count` steps in
    /// the track.
    private mutating func sustain(_ track: Track, from target: Int, as step: Int, of source: Pattern, in count: Int) {
        if lanes[track, .gate, step: target] != nil { return }
        var (gates, isShort) = (Set<Int>(), false)
        for note in track.notes where source[track, note: note, step: step].isStart {
            // It was left out, or has a length of its own.
            if !self[track, note: note, step: target].isStart { continue }
            if lanes[track, .gate, note: note, step: target] != nil { continue }
            let wanted = source.runLength(track, note: note, step: step)
            var length = 1
            while length < min(wanted, count), self[track, note: note, step: (target + length) % count] == .empty {
                self[track, note: note, step: (target + length) % count] = .sustain
                length += 1
            }
            gates.insert(100 * wanted * (lanes.value(track, .ratchet, note: note, step: target) ?? 1))
            if length < wanted { isShort = true }
        }
        // A note that begins again before its end: cells cannot say its length, a gate can if it is the gate of the
        // whole step.
        guard isShort, gates.count == 1, let gate = gates.first else { return }
        if Lane.gate.values.contains(gate) { lanes[track, .gate, step: target] = gate }
    }
}
