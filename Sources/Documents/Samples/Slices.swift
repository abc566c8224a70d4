import Instrument

/// Cuts a sound into slices for the pads of a kit: ranges of frames that follow each other and cover the sound.
public enum Slices {
    /// Number of slices for a kit: the rhythm track's drums.
    public static let countMax = 12
    /// Minimum distance of two beginnings in milliseconds: a roll at 200 BPM has 75 between its strokes, a flam 30.
    static let distance = 50

    /// The slices of `sound` that begin where it does: at most `count`, at its beginning and at its strongest onsets.
    /// Each begins just before the attack, on a zero crossing if there is one within 2 ms.
    public static func byOnset(_ sound: SampleSound, count: Int = countMax) -> [Range<Int>] {
        guard sound.frames > 0, count > 0 else { return [] }
        let strengths = OnsetStrength(sound)
        // Half a hop is the precision of a place, and a low-pass is late.
        let lead = 2 * strengths.hop
        let distance = distance * sound.rate / 1000
        var begins = [0]
        let peaks = strengths.peaks.inOrder { ($1.strength, $0.place) < ($0.strength, $1.place) }
        for peak in peaks where begins.count < count {
            let begin = quietPlace(before: max(0, peak.place * strengths.hop - lead), in: sound)
            if begins.allSatisfy({ abs($0 - begin) >= distance }) { begins.append(begin) }
        }
        return ranges(from: begins, to: sound.frames)
    }

    /// The slices of `sound`, which has as many `steps` of equal length: each step if there are at most `count`, else
    /// the beginning and the steps with the strongest onsets. Where strengths are equal, steps on stronger beats come
    /// first.
    public static func byStep(_ sound: SampleSound, steps: Int, count: Int = countMax) -> [Range<Int>] {
        guard sound.frames > 0, steps > 0, count > 0 else { return [] }
        // More steps than frames have no places of their own.
        let steps = min(steps, sound.frames)
        let places = (0..<steps).map { Int((2 * Int64($0) * Int64(sound.frames) + Int64(steps)) / Int64(2 * steps)) }
        guard steps > count else { return ranges(from: places, to: sound.frames) }
        let strengths = OnsetStrength(sound)
        let ordered = (1..<steps).map { (step: $0, strength: strengths.strength(near: places[$0])) }
            .inOrder { one, other in
                (other.strength, other.step.trailingZeroBitCount, one.step)
                    < (one.strength, one.step.trailingZeroBitCount, other.step)
            }
        return ranges(from: [0] + ordered.prefix(count - 1).map { places[$0.step] }, to: sound.frames)
    }

    private static func ranges(from begins: [Int], to end: Int) -> [Range<Int>] {
        let begins = begins.sorted()
        return zip(begins, begins.dropFirst() + [end]).map { $0..<$1 }
    }

    /// The last zero crossing of the channels' sum in the 2 ms before `frame`, else the first in the 2 ms after it,
    /// else `frame`.
    private static func quietPlace(before frame: Int, in sound: SampleSound) -> Int {
        let reach = sound.rate / 500
        func isCrossing(_ frame: Int) -> Bool {
            guard frame > 0 else { return true }
            let (before, at) = (sound.sum(at: frame - 1), sound.sum(at: frame))
            return at == 0 || (before < 0) != (at < 0)
        }
        let earlier = (max(0, frame - reach)...frame).last(where: isCrossing)
        let later = (frame..<min(sound.frames, frame + reach)).first(where: isCrossing)
        return earlier ?? later ?? frame
    }
}
