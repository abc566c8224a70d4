import Glibc

/// The spectrum of 65536 samples, in double precision. A steady sound is seen through a seven-term Blackman-Harris
/// window: its side lobes are below −180 dB; a line shows in up to seven bins each side of its own, and up to 0.7 dB
/// lower if it is between two bins.
public struct Spectrum {
    /// Number of samples.
    public static let count = 1 << 16

    /// Hertz per bin.
    public let resolution: Double
    /// The mean of the samples.
    public let offset: Double

    private let amplitudes: [Double]

    private static let lobe = 8

    /// The spectrum of `samples`, `count` of them at `rate` a second, of a steady sound.
    public init(_ samples: [Float], rate: Double) {
        precondition(samples.count == Self.count, "\(samples.count) samples")
        self.init(samples, window: Self.window, rate: rate)
    }

    /// The spectrum of a sound that starts and ends in silence, at `rate` a second, without a window; of its first
    /// `count` samples if it is longer.
    public init(whole samples: [Float], rate: Double) {
        let silence = [Float](repeating: 0, count: max(0, Self.count - samples.count))
        self.init(samples.prefix(Self.count) + silence, window: Self.ones, rate: rate)
    }

    private init(_ samples: [Float], window: [Double], rate: Double) {
        let gain = window.reduce(0, +)
        var real = zip(samples, window).map { Double($0) * $1 }
        var imaginary = [Double](repeating: 0, count: Self.count)
        offset = real.reduce(0, +) / gain
        Self.transform(&real, &imaginary)
        amplitudes = (0...Self.count / 2).map { 2 * hypot(real[$0], imaginary[$0]) / gain }
        resolution = rate / Double(Self.count)
    }

    /// The mean frequency in hertz, weighted by energy.
    public var centroid: Double {
        let energies = amplitudes.map { $0 * $0 }
        let moment = energies.enumerated().reduce(0.0) { $0 + Double($1.offset) * $1.element }
        return moment / energies.reduce(0, +) * resolution
    }

    /// The share of the energy above `hertz`, from 0 to 1.
    public func share(above hertz: Double) -> Double {
        let energies = amplitudes.map { $0 * $0 }
        return energies[Int(hertz / resolution)...].reduce(0, +) / energies.reduce(0, +)
    }

    /// Amplitude of the line nearest to `hertz`.
    public func amplitude(at hertz: Double) -> Double {
        let bin = Int((hertz / resolution).rounded())
        return amplitudes[max(bin - 1, 0)...min(bin + 1, amplitudes.count - 1)].reduce(0, max)
    }

    /// The strongest line below `limit` that is neither the mean nor near a harmonic of `fundamental`, in decibels of
    /// the line at `fundamental`.
    public func worstSpur(fundamental: Double, below limit: Double) -> Spur {
        worstSpur(fundamentals: [fundamental], below: limit, reference: amplitude(at: fundamental))
    }

    /// The strongest line below `limit` that is neither the mean nor near a harmonic of one of `fundamentals`, in
    /// decibels of the strongest line.
    public func worstSpur(fundamentals: [Double], below limit: Double) -> Spur {
        worstSpur(fundamentals: fundamentals, below: limit, reference: amplitudes.reduce(0, max))
    }

    private func worstSpur(fundamentals: [Double], below limit: Double, reference: Double) -> Spur {
        var worst = (bin: 0, amplitude: 0.0)
        for bin in Self.lobe..<Int(limit / resolution) where amplitudes[bin] > worst.amplitude {
            let isHarmonic = fundamentals.contains { fundamental in
                let harmonic = max(1, (Double(bin) * resolution / fundamental).rounded())
                return abs(Double(bin) - harmonic * fundamental / resolution) <= Double(Self.lobe)
            }
            if !isHarmonic { worst = (bin, amplitudes[bin]) }
        }
        return Spur(hertz: Double(worst.bin) * resolution, decibels: 20 * log10(worst.amplitude / reference))
    }

    /// A spurious line.
    public struct Spur: CustomStringConvertible {
        /// Its frequency.
        public let hertz: Double
        /// Its level against the fundamental.
        public let decibels: Double
        /// Both, rounded.
        public var description: String { "\((decibels * 10).rounded() / 10) dB at \(Int(hertz)) Hz" }
    }

    private static let ones = [Double](repeating: 1, count: count)

    /// The window of Albrecht, "A family of cosine-sum windows for high-resolution measurements", 2001: 7 terms.
    private static let window = {
        let terms = [
            0.271051400693424, -0.433297939234485, 0.218122999543110, -0.065925446388031, 0.010811742098371,
            -0.000776584825226, 0.000013887217352,
        ]
        return (0..<count).map { index in
            let angle = 2 * Double.pi * Double(index) / Double(count)
            return terms.enumerated().reduce(0.0) { $0 + $1.element * cos(Double($1.offset) * angle) }
        }
    }()

    /// Half a turn, backwards. Every root is computed by the library's sine: a recurrence would lose half of the
    /// digits.
    private static let roots = (0..<count / 2).map { index -> (real: Double, imaginary: Double) in
        let angle = -2 * Double.pi * Double(index) / Double(count)
        return (cos(angle), sin(angle))
    }

    /// The discrete Fourier transform in place, radix 2, decimation in time.
    private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
        var reversed = 0
        for index in 1..<count {
            var bit = count >> 1
            while reversed & bit != 0 {
                reversed ^= bit
                bit >>= 1
            }
            reversed |= bit
            if index < reversed {
                real.swapAt(index, reversed)
                imaginary.swapAt(index, reversed)
            }
        }
        let roots = self.roots
        var half = 1
        while half < count {
            let step = count / (2 * half)
            for start in stride(from: 0, to: count, by: 2 * half) {
                for offset in 0..<half {
                    let root = roots[offset * step]
                    let low = start + offset
                    let high = low + half
                    let turnedReal = real[high] * root.real - imaginary[high] * root.imaginary
                    let turnedImaginary = real[high] * root.imaginary + imaginary[high] * root.real
                    real[high] = real[low] - turnedReal
                    imaginary[high] = imaginary[low] - turnedImaginary
                    real[low] += turnedReal
                    imaginary[low] += turnedImaginary
                }
            }
            half *= 2
        }
    }
}
