import Documents
import Formats
import InputEvents
import Instrument
import Replay
import Testing

@Suite("The sound of harmonies and of recorded faders")
struct KeptMovesTests {
    /// Four voices on a pattern of 16 steps, with held notes.
    private static var tune: Pattern {
        var pattern = Pattern()
        pattern.length = 16
        let notes: [(Track, [Int])] = [
            (.melody, [0, 4, 9]), (.chords, [0, 4, 7]), (.bass, [0, -5]), (.rhythm, [0, 7]),
        ]
        for (track, notes) in notes {
            for (place, note) in notes.enumerated() {
                for step in stride(from: place, to: 16, by: 4) {
                    pattern[track, note: note, step: step] = step % 8 == 0 ? .accent : .normal
                    if track == .chords { pattern[track, note: note, step: step + 1] = .sustain }
                }
            }
        }
        return pattern
    }

    /// The samples of `script` on `pattern` until `end` milliseconds, and the pattern then.
    private func play(
        _ pattern: Pattern, _ script: TouchScript = TouchScript([]), until end: Int64
    ) throws -> (samples: [Float], pattern: Pattern) {
        var plan = Replay.Plan(script)
        plan.start = PatternDocument(pattern: pattern)
        plan.until = Instant(milliseconds: end)
        var samples: [Float] = []
        var observers = Replay.Observers()
        observers.sound = { samples += $0 }
        let state = try Replay.run(plan, observers).state
        return (samples, state.session.composition.pattern)
    }

    private func pressed() -> Hand {
        var hand = Hand()
        hand.send(.key(.playStop))
        return hand
    }

    @Test("a pattern with a harmony sounds to the bit as one whose notes are written there, and so is its MIDI file")
    func harmony() throws {
        var moved = Self.tune
        for (step, degree) in [(2, 1), (4, -3), (8, 5), (12, 7)] { moved.lanes.harmony[step] = degree }
        moved[shape: .bass].transposition = -2
        var written = moved.sounding
        #expect(written != moved)
        written.lanes.harmony = Harmony()
        written[shape: .bass].transposition = 0
        let (one, other) = (
            try play(moved, pressed().script, until: 5000), try play(written, pressed().script, until: 5000)
        )
        let unmoved = try play(Self.tune, pressed().script, until: 5000)
        #expect(one.samples == other.samples && one.samples.contains { $0 != 0 } && one.samples != unmoved.samples)
        let files = [moved, written, Self.tune].map { MIDIFile.bytes(PatternDocument(pattern: $0), loops: 2) }
        #expect(files[0] == files[1] && files[0] != files[2])
    }

    /// A finger on the cut-off of the melody from the pattern's start to `end` milliseconds later, with REC or without.
    private func sweep(records: Bool, until end: Int64) -> Hand {
        var hand = Hand()
        hand.openSound()
        hand.send(.record(records))
        hand.send(.key(.playStop))
        hand.wait(300)
        hand.touch([[(16, 10), (16, 15)]], moving: end)
        return hand
    }

    @Test("a fader that is recorded sounds under the finger as one that is not, in every pass")
    func underFinger() throws {
        // Two passes of the pattern: the first has written what the second plays over.
        let hands = [true, false].map { sweep(records: $0, until: 5000) }
        let end = hands[0].now.microseconds / 1000 - 200
        var tune = Self.tune
        // The melody runs by its own steps from the start, and had a value.
        tune.lanes[.melody, .gate, step: 0] = 100
        let moved = try play(tune, hands[1].script, until: end)
        tune.lanes[.melody, .cutoff, step: 15] = 100
        let recorded = try play(tune, hands[0].script, until: end)
        #expect(recorded.samples == moved.samples && recorded.samples.contains { $0 != 0 })
        #expect((0..<16).filter { recorded.pattern.lanes[.melody, .cutoff, step: $0] != nil }.count == 16)
        #expect(!moved.pattern.lanes.has(.melody, .cutoff))
        // Where its own steps begin with the finger, voices are added in another order.
        let others = try hands.map { try play(Self.tune, $0.script, until: end).samples }
        #expect(zip(others[0], others[1]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("what was recorded plays back from the next pass on, from the fader's old setting")
    func playBack() throws {
        let hand = sweep(records: true, until: 1500)
        let (samples, written) = try play(Self.tune, hand.script, until: 12_000)
        #expect(written.lanes.has(.melody, .cutoff))
        let steps = (0..<16).compactMap { written.lanes[.melody, .cutoff, step: $0] }
        #expect(steps.count > 8 && zip(steps, steps.dropFirst()).allSatisfy { $0 >= $1 } && steps.last ?? 0 < -20)
        // The last pass, against one of the pattern as it was written.
        var other = Hand()
        other.openSound()
        other.send(.key(.playStop))
        let again = try play(written, other.script, until: 12_000)
        let tail = 2 * 48_000 * 2
        #expect(samples.suffix(tail) == again.samples.suffix(tail))
    }
}
