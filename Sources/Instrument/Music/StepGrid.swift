/// The steps of a track on the pattern's line of time, for notes that are played to them (docs/spec.md, section 12).
/// Places on the line count in steps of the pattern without swing, from Play or from the switch to the pattern.
struct StepGrid: Hashable, Sendable {
    /// Duration of the track's step, in steps of the pattern.
    let division: Double
    /// Share of the first step of a pair, in per cent.
    let swing: Int

    /// The steps of a track with `division`.
    init(_ division: TrackShape.Division, swing: Int) {
        let (numerator, denominator) = division.fraction
        self.division = Double(numerator) / Double(denominator)
        self.swing = swing
    }

    /// The place at which the step `number`, counted from 0, begins.
    func place(of number: Int) -> Double {
        let pair = Double(number / 2 * 2)
        return (number % 2 == 0 ? pair : pair + Double(swing) / 50) * division
    }

    /// The number of the step that begins nearest to `place`; of two equally near the earlier one. No step is before
    /// number 0.
    func number(nearestTo place: Double) -> Int {
        let pair = 2 * max(0, Int((place / (2 * division)).rounded(.down)))
        var best = pair
        for number in pair + 1...pair + 2
        where abs(place - self.place(of: number)) < abs(place - self.place(of: best)) { best = number }
        return best
    }

    /// The value of the lane `shift` for a note at `place`, played to the step `number`: the part of its distance that
    /// `quantise`, in per cent, leaves.
    func shift(of place: Double, from number: Int, quantise: Int) -> Int {
        let distance = (place - self.place(of: number)) / division
        return nearest(Double(100 - quantise) * distance).clamped(to: Lane.shift.values)
    }
}
