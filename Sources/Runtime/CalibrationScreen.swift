import InputEvents
import Display
import Instrument
import Input

/// The calibration targets on the panel.
public struct CalibrationScreen {
    /// The calibration with the taps so far.
    public private(set) var calibration: Calibration
    /// Time of the last touch.
    private var lastTouch: Instant

    /// Give up after 30 s without a touch.
    private static let timeout = Instant.Span.milliseconds(30_000)

    /// Targets for a panel of `columns`, shown from `now` on.
    public init(columns: Int, at now: Instant) {
        calibration = Calibration(columns: columns, rows: Instrument.rows)
        lastTouch = now
    }

    /// Takes an uncalibrated finger report of the overlay.
    public mutating func handle(_ report: FingerReport) {
        calibration.add(report)
        lastTouch = max(lastTouch, report.time)
    }

    /// Whether all targets have been tapped or the time without a touch has run out.
    public func isOver(at now: Instant) -> Bool { calibration.isComplete || now - lastTouch >= Self.timeout }

    /// Draws a pulsing cross at the next target, and a dot at each target that was tapped.
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
    /// Period of the pulse, in microseconds.
    private static let breath: Int64 = 1_000_000
}
