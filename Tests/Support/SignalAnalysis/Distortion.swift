import Glibc

/// Total harmonic distortion and noise of a sine of known frequency: the residue without the best-fitting sine and the
/// mean, in decibels of that sine.
public func distortion(of samples: [Float], increment: UInt32) -> Double {
    // The phase in 2^-32 turns, as the oscillator counts it: exact for any length.
    var phase: UInt32 = 0
    let rows = samples.map { sample -> (sine: Double, cosine: Double, sample: Double) in
        let angle = Double(phase) / 4_294_967_296 * 2 * .pi
        phase &+= increment
        return (sin(angle), cos(angle), Double(sample))
    }
    // Normal equations for sine, cosine and mean.
    var matrix = [[Double]](repeating: [0, 0, 0, 0], count: 3)
    for row in rows {
        let parts = [row.sine, row.cosine, 1]
        for line in 0..<3 {
            for column in 0..<3 { matrix[line][column] += parts[line] * parts[column] }
            matrix[line][3] += parts[line] * row.sample
        }
    }
    let fit = solve(matrix)
    let residue = rows.reduce(0.0) { sum, row in
        let error = row.sample - fit[0] * row.sine - fit[1] * row.cosine - fit[2]
        return sum + error * error
    }
    let amplitude = hypot(fit[0], fit[1])
    return 10 * log10(residue / Double(rows.count) / (amplitude * amplitude / 2))
}

/// Three equations in three unknowns, the right side in the last column. Gauss; the sums above are far from singular.
private func solve(_ equations: [[Double]]) -> [Double] {
    var rows = equations
    for pivot in 0..<3 {
        for line in 0..<3 where line != pivot {
            let factor = rows[line][pivot] / rows[pivot][pivot]
            for column in 0..<4 { rows[line][column] -= factor * rows[pivot][column] }
        }
    }
    return (0..<3).map { rows[$0][3] / rows[$0][$0] }
}
