import Glibc

/// The left and right channels of the first `frames` frames of interleaved `samples`; silence follows a shorter sound.
public func channels(_ samples: [Float], frames: Int) -> (left: [Float], right: [Float]) {
    var left = [Float](repeating: 0, count: frames)
    var right = left
    for frame in 0..<min(frames, samples.count / 2) {
        left[frame] = samples[2 * frame]
        right[frame] = samples[2 * frame + 1]
    }
    return (left, right)
}

/// The energy of the difference of both channels in decibels of the energy of their sum; −∞ for one signal in the
/// middle.
public func stereoWidth(left: [Float], right: [Float]) -> Double {
    var sum = 0.0
    var difference = 0.0
    for (left, right) in zip(left, right) {
        sum += Double(left + right) * Double(left + right)
        difference += Double(left - right) * Double(left - right)
    }
    return 10 * log10(difference / sum)
}

/// `samples` after a Butterworth high-pass of second order at `hertz`, as a small loudspeaker has: 12 dB an octave.
public func highPassed(_ samples: [Float], at hertz: Double, rate: Double) -> [Float] {
    let k = tan(.pi * hertz / rate)
    let q = 0.5.squareRoot()
    let a0 = 1 + k / q + k * k
    let (a1, a2) = (2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0)
    var (first, second) = (0.0, 0.0)
    return samples.map { sample in
        let input = Double(sample) / a0
        let output = input + first
        first = -2 * input - a1 * output + second
        second = input - a2 * output
        return Float(output)
    }
}
