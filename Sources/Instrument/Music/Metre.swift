/// The grouping of a pattern's steps, which are sixteenth notes, into beats and bars.
public struct Metre: Hashable, Sendable {
    /// Range of the beats in a bar.
    public static let beatsOfBar = 1...16
    /// Numbers of steps in a beat: an eighth note, a dotted eighth, a quarter and a dotted quarter.
    public static let stepsOfBeat = [2, 3, 4, 6]
    /// Steps of a quarter note, by which tempos and other clocks count.
    public static let stepsOfQuarter = 4
    /// Steps of the longest bar.
    public static let stepsOfBarMax = 96

    /// Beats in a bar, within `beatsOfBar`.
    public var beats = 4
    /// Steps in a beat, one of `stepsOfBeat`.
    public var steps = 4

    /// A metre of `beats` beats of `steps` steps; without numbers that of a new pattern, four quarter notes.
    public init(beats: Int = 4, steps: Int = 4) { (self.beats, self.steps) = (beats, steps) }

    /// Steps in a bar.
    public var stepsOfBar: Int { beats * steps }

    /// The weight of a step.
    public enum Weight: Sendable {
        /// The first beat of a bar, or the middle one of an even number from four on.
        case strong
        /// Another beat.
        case beat
        /// Between beats.
        case none
    }

    /// The weight of `step`, counted from the begin of a bar.
    public func weight(of step: Int) -> Weight {
        guard step % steps == 0 else { return .none }
        let beat = step / steps % beats
        return beat == 0 || beats >= 4 && beats % 2 == 0 && beat == beats / 2 ? .strong : .beat
    }

    /// The time signature with the same bars and beats: beats in a bar, and the note of one. A dotted beat counts as
    /// three shorter ones, as in 6/8.
    public var signature: (count: Int, note: Int) {
        switch steps {
        case 2: (beats, 8)
        case 3: (3 * beats, 16)
        case 6: (3 * beats, 8)
        default: (beats, 4)
        }
    }

    /// The metre of the time signature `count`/`note`; nil if no metre has its bars. Three eighths or sixteenths are
    /// one beat where they divide the bar.
    public init?(signature count: Int, _ note: Int) {
        let (beats, steps): (Int, Int)
        switch note {
        case 2: (beats, steps) = (2 * count, 4)
        case 4: (beats, steps) = (count, 4)
        case 8: (beats, steps) = count % 3 == 0 ? (count / 3, 6) : (count, 2)
        case 16 where count % 3 == 0: (beats, steps) = (count / 3, 3)
        case 16 where count % 2 == 0: (beats, steps) = (count / 2, 2)
        default: return nil
        }
        guard Metre.beatsOfBar.contains(beats) else { return nil }
        self.init(beats: beats, steps: steps)
    }

    /// The signature as text: `3/4`.
    var text: String { "\(signature.count)/\(signature.note)" }
}
