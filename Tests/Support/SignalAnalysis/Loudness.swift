import Glibc

/// The integrated loudness of a stereo sound in LUFS by ITU-R BS.1770-5; −∞ if every block is below the absolute gate.
///
/// Blocks of 400 ms overlap by 75 %. Blocks at or below −70 LUFS are ignored, then blocks more than 10 LU below the
/// loudness of the remaining ones. `rate` is in frames per second, a multiple of 10.
public func integratedLoudness(left: [Float], right: [Float], rate: Int) -> Double {
    precondition(left.count == right.count && rate % 10 == 0)
    // Energies of 100 ms: four of them are a block, and one is the distance between two blocks.
    let energies = zip(
        hopEnergies(left, hop: rate / 10, rate: Double(rate)), hopEnergies(right, hop: rate / 10, rate: Double(rate))
    ).map { $0 + $1 }
    guard energies.count >= 4 else { return -.infinity }
    let blocks = (0...energies.count - 4).map { energies[$0..<$0 + 4].reduce(0, +) / 4 }
    let audible = blocks.filter { loudness(of: $0) > -70 }
    let gate = loudness(of: mean(audible)) - 10
    return loudness(of: mean(audible.filter { loudness(of: $0) > gate }))
}

/// The loudness of a K-weighted mean square, summed over the channels. The offset makes a 997 Hz sine of full scale in
/// one channel −3.01 LUFS.
private func loudness(of energy: Double) -> Double {
    -0.691 + 10 * log10(energy)
}

private func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
}

/// Mean squares of the K-weighted `samples` for each whole `hop`.
private func hopEnergies(_ samples: [Float], hop: Int, rate: Double) -> [Double] {
    var filter = KWeighting(rate: rate)
    var energies: [Double] = []
    var sum = 0.0
    for (index, sample) in samples.enumerated() {
        let weighted = filter(Double(sample))
        sum += weighted * weighted
        if (index + 1) % hop == 0 {
            energies.append(sum / Double(hop))
            sum = 0
        }
    }
    return energies
}

/// The K-weighting of BS.1770: a shelf for the head's effect, then a high-pass.
///
/// The recommendation lists coefficients for 48 kHz only. They are bilinear transforms of analogue prototypes, whose
/// parameters are from De Man, "Evaluation of implementations of the EBU R128 loudness measurement", AES 145, 2018; so
/// they can be computed for every rate.
public struct KWeighting {
    /// A filter of second order: b0, b1, b2 and, with a0 = 1, a1, a2.
    public struct Section: Sendable {
        /// Coefficients of the input and of its last two samples.
        public let b: [Double]
        /// Coefficients of the last two outputs.
        public let a: [Double]
    }

    /// The shelf at `rate` frames per second: 4 dB above 1.7 kHz.
    public static func shelf(rate: Double) -> Section {
        let k = tan(.pi * 1681.974450955533 / rate)
        let q = 0.7071752369554196
        let high = pow(10, 3.999843853973347 / 20)
        let band = pow(high, 0.4996667741545416)
        let a0 = 1 + k / q + k * k
        return Section(
            b: [
                (high + band * k / q + k * k) / a0, 2 * (k * k - high) / a0, (high - band * k / q + k * k) / a0,
            ],
            a: [2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0])
    }

    /// The high-pass at `rate` frames per second: 38 Hz. Its numerator is 1, −2, 1 in the recommendation, at every
    /// rate.
    public static func highPass(rate: Double) -> Section {
        let k = tan(.pi * 38.13547087602444 / rate)
        let q = 0.5003270373238773
        let a0 = 1 + k / q + k * k
        return Section(b: [1, -2, 1], a: [2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0])
    }

    private let sections: [Section]
    private var states = [(Double, Double)](repeating: (0, 0), count: 2)

    /// The weighting at rest for `rate` frames per second.
    public init(rate: Double) {
        sections = [Self.shelf(rate: rate), Self.highPass(rate: rate)]
    }

    /// The next weighted sample.
    public mutating func callAsFunction(_ input: Double) -> Double {
        var signal = input
        for (index, section) in sections.enumerated() {
            let output = section.b[0] * signal + states[index].0
            states[index].0 = section.b[1] * signal - section.a[0] * output + states[index].1
            states[index].1 = section.b[2] * signal - section.a[1] * output
            signal = output
        }
        return signal
    }
}
