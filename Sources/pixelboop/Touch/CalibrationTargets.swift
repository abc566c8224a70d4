import Display
import Formats
import FoundationEssentials
import Glibc
import Instrument
import Overlay

/// The targets of a calibration on the panel, and in words.
struct CalibrationTargets {
    /// What has been tapped.
    private(set) var calibration: Calibration
    private var told: Int?

    /// Targets for a panel of `columns`.
    init(columns: Int) { calibration = Calibration(columns: columns, rows: Instrument.rows) }

    /// Takes in what a finger did.
    mutating func take(_ report: FingerReport) { calibration.take(report) }

    /// Says what is to be tapped now, if it has not been said.
    mutating func tell() {
        guard told != calibration.count, !calibration.isComplete else { return }
        told = calibration.count
        let target = calibration.targets[calibration.count]
        print("tap the middle of the cross at the \(target.name) (\(calibration.count + 1) of 4)")
        fflush(nil)
    }

    /// Draws a cross where the next tap belongs, which breathes, and a point where one was.
    func draw(into frame: inout Frame, at now: Instant) {
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

/// The configuration that a calibration is written to.
enum CalibrationFile {
    /// Where it is, or will be.
    static func path(_ arguments: Arguments) throws -> String {
        let path = Configuration.path(arguments) ?? Configuration.newPath
        guard Files.isFileOrNothing(path), path != "-" else {
            throw CommandError(.usage, "\(Files.name(path)): is no file; name one for the matrix with --config FILE")
        }
        return path
    }

    /// Sets the matrix of the overlay, or of entry `overlay` of several, in the file at `path`.
    static func write(_ matrix: [Double], overlay: Int?, to path: String) throws {
        let isThere = FileManager.default.fileExists(atPath: path)
        let text = isThere ? try Files.read(path) : []
        let place = overlay.map { ["touch", "overlays", "\($0)", "matrix"] } ?? ["touch", "matrix"]
        let edited = try Files.parse(text, from: path, status: .badConfiguration) { text throws(FormatError) in
            try Configuration.setting(place, to: .numbers(matrix), in: text)
        }
        if !isThere { try Files.makeFolder(Files.folder(of: path)) }
        try Files.write(edited, to: path)
    }
}
