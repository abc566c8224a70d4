import InputEvents

/// Calculates the overlay's calibration matrix from taps on targets that the panel shows. A tap is a finger that lands
/// and lifts while no other finger is down.
public struct Calibration {
    /// A point to tap, in LEDs.
    public struct Target: Hashable, Sendable {
        /// Name of its position.
        public var name: String
        /// Column.
        public var column: Int
        /// Row.
        public var row: Int
    }

    /// Why the taps give no matrix.
    public enum Failure: Error, Hashable, CustomStringConvertible {
        /// Too few taps.
        case incomplete(count: Int, of: Int)
        /// Taps in a line, or all in a small part of the overlay.
        case tooNear
        /// Taps that no matrix maps onto the targets; the largest error in LEDs.
        case doNotFit(misses: Double)

        /// The problem and its remedy.
        public var description: String {
            switch self {
            case .incomplete(let count, let all): "\(count) of \(all) targets were tapped: tap them all"
            case .tooNear:
                "the taps are too near each other or in a line: tap the middle of each target, in the order that they light"
            case .doNotFit(let misses):
                "the taps do not fit together, they miss their targets by \((misses * 10).rounded() / 10) LEDs: tap the "
                    + "middle of each target, in the order that they light, with one finger"
            }
        }
    }

    /// The targets, in the order of tapping.
    public let targets: [Target]
    /// Number of targets tapped.
    public var count: Int { taps.count }
    /// Whether all targets have been tapped.
    public var isComplete: Bool { taps.count == targets.count }

    private let columns: Int
    private let rows: Int
    /// Where each tap was on the overlay, 0…1.
    private var taps: [(x: Double, y: Double)] = []
    private var fingersDown: Set<Int> = []
    /// Contact and positions so far of the finger that may become a tap.
    private var finger: (contact: Int, places: [(x: Double, y: Double)])?

    /// Distance of the targets from the edges, in LEDs: far enough for a whole finger, and near enough to enclose most
    /// of the panel.
    private static let inset = 3
    /// Maximum error of the fit at a target, in LEDs. With four targets this is one tap that is off by four times as
    /// much.
    private static let missMax = 0.5
    /// Maximum ratio of the areas of overlay and panel.
    private static let sizeMax = 16.0

    /// Targets for a panel of `columns` × `rows`.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        let (left, right) = (Self.inset, columns - 1 - Self.inset)
        let (top, bottom) = (Self.inset, rows - 1 - Self.inset)
        targets = [
            Target(name: "top left", column: left, row: top), Target(name: "top right", column: right, row: top),
            Target(name: "bottom right", column: right, row: bottom),
            Target(name: "bottom left", column: left, row: bottom),
        ]
    }

    /// Adds an uncalibrated finger report of the overlay.
    public mutating func add(_ report: FingerReport) {
        let contact = report.touch.contact
        switch report.touch.phase {
        case .down:
            fingersDown.insert(contact)
            finger = fingersDown.count == 1 ? (contact: contact, places: [(x: report.x, y: report.y)]) : nil
        case .move:
            if finger?.contact == contact { finger?.places.append((report.x, report.y)) }
        case .up:
            fingersDown.remove(contact)
            if let finger, finger.contact == contact, !isComplete { taps.append(Self.mean(finger.places)) }
            finger = nil
        case .cancel:
            fingersDown.remove(contact)
            finger = nil
        }
    }

    private static func mean(_ places: [(x: Double, y: Double)]) -> (x: Double, y: Double) {
        let sum = places.reduce((x: 0, y: 0)) { ($0.x + $1.x, $0.y + $1.y) }
        return (sum.x / Double(places.count), sum.y / Double(places.count))
    }

    /// The matrix that maps the taps onto the targets with the least squared error.
    public func matrix() throws(Failure) -> [Double] {
        guard isComplete else { throw .incomplete(count: taps.count, of: targets.count) }
        let across = try fit(targets.map { (Double($0.column) + 0.5) / Double(columns) })
        let down = try fit(targets.map { (Double($0.row) + 0.5) / Double(rows) })
        let size = abs(across[0] * down[1] - across[1] * down[0])
        guard size.isFinite, (1 / Self.sizeMax...Self.sizeMax).contains(size) else { throw .tooNear }
        let misses = zip(taps, targets).map { tap, target in
            let column = (across[0] * tap.x + across[1] * tap.y + across[2]) * Double(columns) - 0.5
            let row = (down[0] * tap.x + down[1] * tap.y + down[2]) * Double(rows) - 0.5
            let (missedAcross, missedDown) = (column - Double(target.column), row - Double(target.row))
            return (missedAcross * missedAcross + missedDown * missedDown).squareRoot()
        }
        let worst = misses.max() ?? 0
        guard worst <= Self.missMax else { throw .doNotFit(misses: worst) }
        return (across + down).map { ($0 * 1_000_000).rounded() / 1_000_000 }
    }

    /// The a, b, c that minimise the squared error of a·x + b·y + c against `wanted` over all taps: the normal
    /// equations about the mean of the taps, solved by Cramer's rule.
    private func fit(_ wanted: [Double]) throws(Failure) -> [Double] {
        let centre = Self.mean(taps)
        let middle = wanted.reduce(0, +) / Double(wanted.count)
        var (xx, xy, yy, xw, yw) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (tap, value) in zip(taps, wanted) {
            let (x, y, w) = (tap.x - centre.x, tap.y - centre.y, value - middle)
            xx += x * x
            xy += x * y
            yy += y * y
            xw += x * w
            yw += y * w
        }
        let determinant = xx * yy - xy * xy
        guard determinant > 1e-9 else { throw .tooNear }
        let a = (xw * yy - yw * xy) / determinant
        let b = (yw * xx - xw * xy) / determinant
        return [a, b, middle - a * centre.x - b * centre.y]
    }
}
