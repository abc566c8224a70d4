import Instrument

/// Collects the steps of tracks that sound into rounds of the pattern.
struct RoundCollector {
    /// The place of the round's first step, in twelfths of a step since Play or the last switch; nil until one begins.
    private var start: Int?
    /// Steps of the pattern in the round so far.
    private var length = 0
    /// The steps that sounded, by track, with places as reported. An early hit may come before its round.
    private var steps: [[HeardRound.Step]] = Track.allCases.map { _ in [] }

    /// A step of `track` sounds, which begins at `place`: a note with hits of its own, or all others.
    mutating func add(_ step: Int, of track: Track, at place: Int, note: Int?) {
        steps[track.rawValue].append(HeardRound.Step(place: place, step: step, note: note))
    }

    /// Step `step` of the pattern begins at `place`. Returns the round that ends with it, if it was heard from its
    /// begin on.
    mutating func begin(step: Int, at place: Int) -> HeardRound? {
        var heard: HeardRound?
        if let start, step == 0, place == start + HeardRound.twelfths * length {
            var round = HeardRound(length: length)
            for track in steps.indices {
                round.steps[track] = steps[track].filter { (start..<place).contains($0.place) }
                    .map { HeardRound.Step(place: $0.place - start, step: $0.step, note: $0.note) }
            }
            heard = round
        }
        if step == 0 {
            start = place
            length = 0
            // The place begins at 0 with Play and with another scene: what was heard before has higher ones.
            for track in steps.indices { steps[track].removeAll { $0.place < place || place == 0 } }
        } else if let begun = start, step != length || place != begun + HeardRound.twelfths * step {
            start = nil
        }
        length += 1
        return heard
    }
}
