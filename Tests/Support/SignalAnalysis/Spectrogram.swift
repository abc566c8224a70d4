import Glibc

/// Levels of `samples` in decibels of full scale by time and pitch: `columns` moments, each with `rows` bands of equal
/// musical width from `lowest` to `highest` hertz, lowest first. A level is the peak within its column.
///
/// Each band is a resonator of three equal poles, one and a half bands wide or 30 Hz, whichever is more: narrower ones
/// would blur the beginnings of notes.
public func spectrogram(
    _ samples: [Float], rate: Double, columns: Int, rows: Int, lowest: Double, highest: Double
) -> [[Double]] {
    let ratio = pow(highest / lowest, 1 / Double(rows - 1))
    var levels = [[Double]](repeating: [Double](repeating: -200, count: rows), count: columns)
    for row in 0..<rows {
        let hertz = lowest * pow(ratio, Double(row))
        let width = max(30, 1.5 * hertz * (ratio - 1))
        // Three poles together are half as wide as one.
        let radius = exp(-2 * .pi * width / rate)
        let angle = 2 * .pi * hertz / rate
        let (real, imaginary) = (radius * cos(angle), radius * sin(angle))
        let gain = 1 - radius
        var states = [(real: Double, imaginary: Double)](repeating: (0, 0), count: 3)
        for column in 0..<columns {
            var peak = 0.0
            for frame in samples.count * column / columns..<samples.count * (column + 1) / columns {
                var input = (real: Double(samples[frame]), imaginary: 0.0)
                for pole in 0..<3 {
                    let state = states[pole]
                    input = (
                        gain * input.real + real * state.real - imaginary * state.imaginary,
                        gain * input.imaginary + imaginary * state.real + real * state.imaginary
                    )
                    states[pole] = input
                }
                peak = max(peak, input.real * input.real + input.imaginary * input.imaginary)
            }
            // A resonator sees half of a sine.
            levels[column][row] = 10 * log10(4 * peak + 1e-20)
        }
    }
    return levels
}
