import Glibc

/// The frequency of the strongest partial near `hertz`, from the phase's advance over `samples`.
public func frequency(of samples: ArraySlice<Float>, near hertz: Double, rate: Double) -> Double {
    let half = samples.count / 2
    let phases = [0, half / 2].map { start -> Double in
        var (sine, cosine) = (0.0, 0.0)
        for index in 0..<half {
            let frame = start + index
            let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(half))
            let angle = 2 * .pi * hertz / rate * Double(frame)
            cosine += window * Double(samples[samples.startIndex + frame]) * cos(angle)
            sine -= window * Double(samples[samples.startIndex + frame]) * sin(angle)
        }
        return atan2(sine, cosine)
    }
    let advance = remainder(phases[1] - phases[0], 2 * .pi)
    return hertz + advance / (2 * .pi) / (Double(half / 2) / rate)
}

/// The distance of the strongest partial near `hertz` from it, in cents.
public func detuning(of samples: ArraySlice<Float>, from hertz: Double, rate: Double) -> Double {
    1200 * log2(frequency(of: samples, near: hertz, rate: rate) / hertz)
}
