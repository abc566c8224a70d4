import TestSupport
import Testing

@testable import Instrument

@Suite("The steps to which a note is played")
struct StepGridTests {
    /// A place in steps of the pattern, the step nearest to it, and the shift that a quantise leaves.
    struct Case: Sendable {
        var place: Double
        var division = TrackShape.Division.whole
        var swing = 50
        var quantise = 0
        let number: Int
        let shift: Int
    }

    static let cases: [Case] = [
        // On the step, before and after it.
        Case(place: 0, number: 0, shift: 0), Case(place: 5, number: 5, shift: 0),
        Case(place: 5.3, number: 5, shift: 30), Case(place: 4.7, number: 5, shift: -30),
        // In the middle the earlier one is nearest.
        Case(place: 4.5, number: 4, shift: 50), Case(place: 4.51, number: 5, shift: -49),
        // No step is before the first, and a shift is at most half a step.
        Case(place: -0.25, number: 0, shift: -25), Case(place: -0.9, number: 0, shift: -50),
        // The quantise removes its part of the distance; the rest is rounded, halves up.
        Case(place: 5.3, quantise: 50, number: 5, shift: 15), Case(place: 4.7, quantise: 50, number: 5, shift: -15),
        Case(place: 5.3, quantise: 100, number: 5, shift: 0), Case(place: 5.25, quantise: 90, number: 5, shift: 3),
        Case(place: 5.25, quantise: 99, number: 5, shift: 0), Case(place: 5.5, quantise: 99, number: 5, shift: 1),
        // Swing: of each pair the second step begins later, at 2 × 66 %.
        Case(place: 5, swing: 66, number: 5, shift: -32), Case(place: 5.32, swing: 66, number: 5, shift: 0),
        Case(place: 4.65, swing: 66, number: 4, shift: 50), Case(place: 4.67, swing: 66, number: 5, shift: -50),
        Case(place: 5.65, swing: 66, number: 5, shift: 33), Case(place: 5.67, swing: 66, number: 6, shift: -33),
        Case(place: 6, swing: 75, number: 6, shift: 0), Case(place: 5.5, swing: 75, number: 5, shift: 0),
        // Divisions: a shift is a part of the track's own step.
        Case(place: 0.25, division: .quarter, number: 1, shift: 0),
        Case(place: 0.3, division: .quarter, number: 1, shift: 20),
        Case(place: 7, division: .quadruple, number: 2, shift: -25),
        Case(place: 5, division: .quadruple, number: 1, shift: 25),
        Case(place: 2, division: .twoThirds, number: 3, shift: 0),
        Case(place: 2.2, division: .twoThirds, number: 3, shift: 30),
        Case(place: 2.8, division: .threeHalves, number: 2, shift: -13),
        // Both: the second step of a pair of halves begins at 0.66.
        Case(place: 0.66, division: .half, swing: 66, number: 1, shift: 0),
        Case(place: 2.8, division: .half, swing: 66, number: 5, shift: 28),
    ]

    @Test("are the nearest, and the shift is what the quantise leaves of the distance", arguments: cases)
    func table(_ test: Case) {
        let grid = StepGrid(test.division, swing: test.swing)
        let number = grid.number(nearestTo: test.place)
        #expect(number == test.number)
        #expect(grid.shift(of: test.place, from: number, quantise: test.quantise) == test.shift)
    }

    @Test("no other step is nearer, and what a shift misses is the quantised part of the distance")
    func anyPlace() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<20_000 {
            let division = TrackShape.Division.allCases.randomElement(using: &random) ?? .whole
            let grid = StepGrid(division, swing: .random(in: 50...75, using: &random))
            let place = Double.random(in: 0...500, using: &random)
            let number = grid.number(nearestTo: place)
            let distance = place - grid.place(of: number)
            let others = max(0, number - 4)...number + 4
            guard others.allSatisfy({ abs(place - grid.place(of: $0)) >= abs(distance) - 1e-9 }) else {
                Issue.record("seed \(seed): \(place), \(grid): \(number)")
                return
            }
            let quantise = Int.random(in: 0...100, using: &random)
            let shift = Double(grid.shift(of: place, from: number, quantise: quantise)) / 100 * grid.division
            // Half a per cent of a step by rounding; half a step is the farthest.
            let kept = (distance * Double(100 - quantise) / 100).magnitude
            let error = abs(min(kept, grid.division / 2) - abs(shift))
            #expect(error <= 0.00501 * grid.division, "seed \(seed): \(place), \(grid), \(quantise)")
        }
    }
}
