import Glibc

// The recipes of docs/spec.md, section 6 in double precision, with the C library's functions and the Audio EQ
// Cookbook's filters (R. Bristow-Johnson), which Web Audio specifies. Independent of the engine.

/// A filter of the Audio EQ Cookbook in direct form 1.
struct Biquad {
    enum Kind {
        case lowPass, highPass, bandPass
    }

    private let b: (Double, Double, Double)
    private let a: (Double, Double)
    private var x = (0.0, 0.0)
    private var y = (0.0, 0.0)

    init(_ kind: Kind, hertz: Double, q: Double, rate: Double) {
        let w = 2 * Double.pi * hertz / rate
        let alpha = sin(w) / (2 * q)
        let a0 = 1 + alpha
        switch kind {
        case .lowPass: b = ((1 - cos(w)) / 2 / a0, (1 - cos(w)) / a0, (1 - cos(w)) / 2 / a0)
        case .highPass: b = ((1 + cos(w)) / 2 / a0, -(1 + cos(w)) / a0, (1 + cos(w)) / 2 / a0)
        case .bandPass: b = (alpha / a0, 0, -alpha / a0)
        }
        a = (-2 * cos(w) / a0, (1 - alpha) / a0)
    }

    mutating func callAsFunction(_ input: Double) -> Double {
        let output = b.0 * input + b.1 * x.0 + b.2 * x.1 - a.0 * y.0 - a.1 * y.1
        x = (input, x.0)
        y = (output, y.0)
        return output
    }
}

/// The Q of Web Audio's default of 1 dB.
let oneDecibel = pow(10, 1.0 / 20)

enum Shape {
    case sine, triangle, saw, square

    /// Amplitude of harmonic `n`. The jumps are scaled by 0.92 (−0.7 dB), halfway between implementations of Web Audio
    /// that scale the overshoot of a jump to 1 (−1.4 dB) and others.
    func harmonic(_ n: Int) -> Double {
        let n = Double(n)
        let odd = n.truncatingRemainder(dividingBy: 2) == 1
        switch self {
        case .sine: return n == 1 ? 1 : 0
        case .triangle: return odd ? 8 * sin(n * .pi / 2) / pow(.pi * n, 2) : 0
        case .saw: return 0.92 * (odd ? 2 : -2) / (.pi * n)
        case .square: return odd ? 0.92 * 4 / (.pi * n) : 0
        }
    }

    /// `harmonics` of the wave at `turns` of its period.
    func value(at turns: Double, harmonics: Int) -> Double {
        (1...harmonics).reduce(0) { sum, n in
            let amplitude = harmonic(n)
            return amplitude == 0 ? sum : sum + amplitude * sin(2 * .pi * turns * Double(n))
        }
    }
}

/// Gain that falls exponentially from `peak` to 0.001 in `decay` seconds and stays there.
func fall(from peak: Double, decay: Double, at time: Double) -> Double {
    time >= decay ? 0.001 : peak * pow(0.001 / peak, time / decay)
}

/// Gain of a melodic note of `duration` seconds.
func envelope(velocity: Int, duration d: Double, at time: Double) -> Double {
    let level = 0.08 * Double(velocity)
    let attack = d > 0.2 ? 0.02 : 0.01
    let release = min(0.3 * d, 0.15)
    if time < attack {
        return level * time / attack
    }
    return time < d - release ? level : fall(from: level, decay: release, at: time - (d - release))
}
