/// How strongly a sound begins anew at each moment.
///
/// The measure is the rise of the logarithm of the energy in frequency bands, summed over the bands (A. Klapuri, "Sound
/// onset detection by applying psychoacoustic knowledge", ICASSP 1999): the ear hears a change relative to the level,
/// so that a quiet stroke in one band counts beside a loud tone in another. Peaks count if they exceed the median
/// around them (J. P. Bello et al., "A tutorial on onset detection in music signals", IEEE TSAP 13, 2005, section IV).
///
/// Only additions, multiplications and divisions: the same slices on every machine.
struct OnsetStrength {
    /// Frames of a hop, the unit of time here: half a millisecond.
    let hop: Int
    /// Strength of a beginning at the first frame of each hop.
    private(set) var values: [Double] = []

    /// Hops of a second.
    static let hopsPerSecond = 2000
    /// Hops after a moment whose energy is compared with that before it, and hops before it. The second is longer, so
    /// that a cycle of a deep tone is no beginning.
    private static let (after, before) = (20, 40)
    /// Energy below which there is silence, relative to the loudest moment: -50 dB.
    private static let floor = 1e-5
    /// Upper edges in Hz of all bands but the last.
    private static let edges = [150.0, 600, 2400]

    /// The strengths in `sound`.
    init(_ sound: SampleSound) {
        hop = max(1, (sound.rate + Self.hopsPerSecond / 2) / Self.hopsPerSecond)
        let count = (sound.frames + hop - 1) / hop
        let bands = Self.energies(of: sound, hop: hop, count: count)
        // Sums from the beginning, for the energy between any two hops.
        let sums = bands.map { energies in
            var sums = [0.0]
            sums.reserveCapacity(count + 1)
            for energy in energies { sums.append(sums[sums.count - 1] + energy) }
            return sums
        }
        func mean(_ sums: [Double], _ begin: Int, _ end: Int) -> Double {
            // Outside the sound is silence.
            (sums[min(count, end)] - sums[max(0, begin)]) / Double(end - begin)
        }
        var loudest = 0.0
        for place in 0..<count {
            loudest = max(loudest, sums.reduce(0) { $0 + mean($1, place, place + Self.after) })
        }
        // One step of a sample is silence too.
        let floor = max(Double(hop), loudest * Self.floor)
        values = (0..<count).map { place in
            sums.reduce(0) { sum, band in
                let (after, before) = (
                    mean(band, place, place + Self.after) + floor, mean(band, place - Self.before, place) + floor
                )
                return sum + max(0, Self.logarithm(max(1, after / before)))
            }
        }
    }

    /// The energy of each band in each of `count` hops.
    private static func energies(of sound: SampleSound, hop: Int, count: Int) -> [[Double]] {
        var bands = [[Double]](repeating: [Double](repeating: 0, count: count), count: edges.count + 1)
        // Two one-pole low-passes for each edge; the bands are their differences. g is the gain of such a filter's
        // integrator.
        let coefficients = edges.map { edge in
            let g = 2 * Double.pi * edge / Double(sound.rate)
            return g / (1 + g)
        }
        var states = [(Double, Double)](repeating: (0, 0), count: edges.count)
        for frame in 0..<sound.frames {
            let input = Double(sound.sum(at: frame))
            var below = 0.0
            for band in edges.indices {
                states[band].0 += coefficients[band] * (input - states[band].0)
                states[band].1 += coefficients[band] * (states[band].0 - states[band].1)
                let part = states[band].1 - below
                bands[band][frame / hop] += part * part
                below = states[band].1
            }
            bands[edges.count][frame / hop] += (input - below) * (input - below)
        }
        return bands
    }

    /// The logarithm to the base 2 of `x` with straight lines between the powers of two: at most 0.09 too small.
    private static func logarithm(_ x: Double) -> Double { Double(x.exponent) + x.significand - 1 }

    // MARK: Peaks

    /// A beginning.
    struct Onset {
        /// Its hop.
        var place: Int
        /// How strong it is.
        var strength: Double
    }

    /// Hops around a peak in which it is the largest value, and those whose median is its surroundings.
    private static let (neighbours, surroundings) = (50, 200)
    /// How far a peak exceeds the median: 6 dB in two bands. Steady noise varies less.
    private static let threshold = 4.0

    /// The peaks, in order of time.
    var peaks: [Onset] {
        values.indices.compactMap { place in
            let value = values[place]
            guard value > Self.threshold else { return nil }
            let earlier = values[max(0, place - Self.neighbours)..<place]
            let later = values[(place + 1)...].prefix(Self.neighbours)
            guard earlier.allSatisfy({ $0 < value }), later.allSatisfy({ $0 <= value }) else { return nil }
            let around = values[max(0, place - Self.surroundings)...].prefix(2 * Self.surroundings).sorted()
            return value > around[around.count / 2] + Self.threshold ? Onset(place: place, strength: value) : nil
        }
    }

    /// The largest strength within 15 ms of `frame`: what is played by hand is not exactly on the step.
    func strength(near frame: Int) -> Double {
        let place = frame / hop
        return values[max(0, place - 30)...].prefix(61).max() ?? 0
    }
}
