import InputEvents
import Input
import TestSupport
import Testing

@Suite("Calibration by four taps")
struct CalibrationTests {
    /// Taps on the targets; `place` maps a position on the panel to the overlay, and `error` is each tap's offset, in
    /// LEDs.
    private func calibrate(
        errors: [(Double, Double)] = [(0, 0), (0, 0), (0, 0), (0, 0)], _ place: (Double, Double) -> (Double, Double)
    ) -> Calibration {
        var calibration = Calibration(columns: 44, rows: 24)
        for (target, error) in zip(calibration.targets, errors) {
            let (x, y) = place(
                (Double(target.column) + error.0 + 0.5) / 44, (Double(target.row) + error.1 + 0.5) / 24)
            tap(&calibration, x, y)
        }
        return calibration
    }

    private func tap(_ calibration: inout Calibration, contact: Int = 0, _ x: Double, _ y: Double) {
        for phase in [.down, .up] as [Touch.Phase] { calibration.add(report(phase, contact, x, y)) }
    }

    private func report(_ phase: Touch.Phase, _ contact: Int, _ x: Double, _ y: Double) -> FingerReport {
        FingerReport(
            time: .zero, touch: Touch(contact: contact, phase: phase, column: 0, row: 0), x: x, y: y)
    }

    @Test("overlays that are turned, mirrored, shifted, larger or skewed are calibrated exactly")
    func exact() throws {
        let wanted: [[Double]] = [
            [1, 0, 0, 0, 1, 0], [0, -1, 1, 1, 0, 0], [-1, 0, 1, 0, -1, 1], [0, 1, 0, -1, 0, 1], [-1, 0, 1, 0, 1, 0],
            [1.2, 0, -0.1, 0, 1.3, -0.2], [1.1, 0.05, -0.02, -0.03, 1.05, 0.01],
        ]
        for matrix in wanted {
            let determinant = matrix[0] * matrix[4] - matrix[1] * matrix[3]
            let calibration = calibrate { x, y in
                let (u, v) = (x - matrix[2], y - matrix[5])
                return (
                    (matrix[4] * u - matrix[1] * v) / determinant, (matrix[0] * v - matrix[3] * u) / determinant
                )
            }
            let found = try calibration.matrix()
            for (one, other) in zip(found, matrix) { #expect(abs(one - other) < 1e-5, "\(matrix) became \(found)") }
        }
    }

    @Test("inexact taps, up to 1 LED off, are fitted to half an LED")
    func inexact() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            let errors = (0..<4).map { _ in
                (Double.random(in: -0.35...0.35, using: &random), Double.random(in: -0.35...0.35, using: &random))
            }
            let matrix = try calibrate(errors: errors) { ($0, $1) }.matrix()
            for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)] {
                let across = (matrix[0] * x + matrix[1] * y + matrix[2] - x) * 44
                let down = (matrix[3] * x + matrix[4] * y + matrix[5] - y) * 24
                #expect(abs(across) < 1 && abs(down) < 1, "seed \(seed): \(across), \(down)")
            }
        }
    }

    @Test("one wrong tap is rejected with a message", arguments: [0, 1, 2, 3])
    func oneOff(which: Int) {
        var errors = [(0.0, 0.0), (0, 0), (0, 0), (0, 0)]
        errors[which] = (3, 0)
        let calibration = calibrate(errors: errors) { ($0, $1) }
        #expect(throws: Calibration.Failure.self) { try calibration.matrix() }
        let failure = Calibration.Failure.doNotFit(misses: 0.75)
        #expect(failure.description.contains("miss their targets by 0.8 LEDs"))
    }

    @Test("taps at one place or in a line are rejected")
    func degenerate() {
        #expect(throws: Calibration.Failure.tooNear) { try calibrate { _, _ in (0.4, 0.6) }.matrix() }
        #expect(throws: Calibration.Failure.tooNear) { try calibrate { x, _ in (x, x) }.matrix() }
        #expect(throws: Calibration.Failure.tooNear) { try calibrate { (0.5 + $0 / 10, 0.5 + $1 / 10) }.matrix() }
    }

    @Test("a second finger, or a palm, makes no tap; a tap's position is the finger's mean")
    func taps() throws {
        var calibration = Calibration(columns: 44, rows: 24)
        calibration.add(report(.down, 0, 0.1, 0.1))
        calibration.add(report(.down, 1, 0.9, 0.9))
        calibration.add(report(.up, 0, 0.1, 0.1))
        calibration.add(report(.up, 1, 0.9, 0.9))
        calibration.add(report(.down, 0, 0.1, 0.1))
        calibration.add(report(.cancel, 0, 0.1, 0.1))
        #expect(calibration.count == 0)
        for target in calibration.targets {
            let (x, y) = ((Double(target.column) + 0.5) / 44, (Double(target.row) + 0.5) / 24)
            calibration.add(report(.down, 3, x - 0.01, y))
            calibration.add(report(.move, 3, x + 0.01, y))
            calibration.add(report(.up, 3, x + 0.01, y))
        }
        #expect(calibration.isComplete)
        let matrix = try calibration.matrix()
        #expect(abs(matrix[2]) < 1e-6, "\(matrix)")
    }
}
