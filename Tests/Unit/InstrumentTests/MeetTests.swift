import TestSupport
import Testing

@testable import Instrument

@Suite("Tracks that meet again")
struct MeetTests {
    /// A pattern of `length` whose tracks have a note, and these shapes.
    private func pattern(
        _ length: Int, _ shapes: [(track: Track, length: Int?, division: TrackShape.Division)],
        _ direction: TrackShape.Direction = .forward
    ) -> Pattern {
        var pattern = Pattern()
        pattern.length = length
        for shape in shapes {
            pattern[shape.track, note: 0, step: 0] = .normal
            pattern[shape: shape.track].length = shape.length
            pattern[shape: shape.track].division = shape.division
            pattern[shape: shape.track].direction = direction
        }
        return pattern
    }

    @Test("after the least common multiple of their durations, in loops of the pattern")
    func table() {
        #expect(Pattern().loopsToMeet == 1)
        #expect(pattern(16, [(.bass, 7, .whole)]).loopsToMeet == 7)
        #expect(pattern(16, [(.bass, 7, .whole), (.melody, 14, .half)]).loopsToMeet == 7)
        // 10 steps of two thirds are 6 2/3 steps: three of them are 20, and 80 are five loops.
        #expect(pattern(16, [(.bass, 10, .twoThirds)]).loopsToMeet == 5)
        #expect(pattern(8, [(.chords, nil, .quadruple)]).loopsToMeet == 4)
        #expect(pattern(32, [(.rhythm, nil, .threeHalves)]).loopsToMeet == 3)
        // A pendulum of 5 steps has 8.
        #expect(pattern(16, [(.bass, 5, .whole)], .pendulum).loopsToMeet == 1)
        #expect(pattern(32, [(.melody, 31, .whole), (.chords, 29, .whole), (.bass, 23, .whole)]).loopsToMeet == 20_677)
    }

    @Test("a track without notes is not waited for")
    func empty() {
        var pattern = pattern(16, [(.bass, 7, .whole)])
        pattern[shape: .melody].length = 11
        #expect(pattern.loopsToMeet == 7)
    }

    @Test("they do meet then, and not before")
    func byChance() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<300 {
            let pattern = pattern(
                4 * .random(in: 2...8, using: &random),
                [Track.melody, .rhythm].map {
                    (
                        $0, .random(in: 1...32, using: &random),
                        TrackShape.Division.allCases.randomElement(using: &random) ?? .half
                    )
                }, Bool.random(using: &random) ? .back : .pendulum)
            func meet(_ loops: Int) -> Bool {
                [Track.melody, .rhythm].allSatisfy { track in
                    let (shape, fraction) = (pattern[shape: track], pattern[shape: track].division.fraction)
                    let length = shape.length ?? pattern.length
                    let cycle = shape.direction == .pendulum ? max(1, 2 * length - 2) : length
                    return loops * pattern.length * fraction.denominator % (cycle * fraction.numerator) == 0
                }
            }
            let loops = pattern.loopsToMeet
            #expect(meet(loops) && !(1..<loops).contains(where: meet), "seed \(seed)")
        }
    }
}
