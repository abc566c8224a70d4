import Display
import Instrument
import Overlay

/// The targets of a calibration on the panel.
public struct CalibrationScreen {
    /// What has been tapped.
    public private(set) var calibration: Calibration
    /// When something was last touched.
    private var lastTouch: Instant

    /// A finger that does not come for so long will not.
    private static let patience = Instant.Span.milliseconds(30_000)

    /// Targets for a panel of `columns`, shown from `now` on.
    public init(columns: Int, at now: Instant) {
        calibration = Calibration(columns: columns, rows: Instrument.rows)
        lastTouch = now
    }

    /// Takes in what a finger did on the overlay, uncalibrated.
    public mutating func take(_ report: FingerReport) {
        calibration.take(report)
        lastTouch = max(lastTouch, report.time)
    }

    /// Whether all targets have been tapped, or nobody taps them.
    public func isOver(at now: Instant) -> Bool { calibration.isComplete || now - lastTouch >= Self.patience }

    /// Draws a cross where the next tap belongs, which breathes, and a point where one was.
    public func draw(into frame: inout Frame, at now: Instant) {
        frame.fill(.black)
        for (number, target) in calibration.targets.enumerated() where number <= calibration.count {
            let isNext = number == calibration.count
            frame[target.column, target.row] = isNext ? .white : Self.done
            guard isNext else { continue }
            let phase = Float(now.microseconds % Self.breath) / Float(Self.breath)
            let arm = RGB.black.blended(towards: .white, 0.2 + 0.6 * abs(2 * phase - 1))
            for distance in 1...2 {
                for (x, y) in [(-distance, 0), (distance, 0), (0, -distance), (0, distance)] {
                    frame[target.column + x, target.row + y] = arm
                }
            }
        }
    }

    private static let done = RGB(0x44ff44)
    /// Microseconds of one breath.
    private static let breath: Int64 = 1_000_000
}
