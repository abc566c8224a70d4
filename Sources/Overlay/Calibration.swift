import Instrument

/// Finds how an overlay lies on the panel from taps on targets that the panel shows: one after the other, each a finger that
/// lands and lifts with no other down.
public struct Calibration {
    /// A place to tap, in LEDs.
    public struct Target: Hashable, Sendable {
        /// Where it is, in words.
        public var name: String
        /// Its column.
        public var column: Int
        /// Its row.
        public var row: Int
    }

    /// Why taps do not tell how the overlay lies.
    public enum Failure: Error, Hashable, CustomStringConvertible {
        /// There are too few.
        case incomplete(count: Int, of: Int)
        /// They are all on a line, or in a corner of the overlay.
        case tooNear
        /// They do not fit together: each misses its target by so many LEDs however the overlay lies.
        case doNotFit(misses: Double)

        /// What is wrong, and what to do.
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

    /// The targets, in the order in which they are tapped.
    public let targets: [Target]
    /// The targets that have been tapped.
    public var count: Int { taps.count }
    /// Whether all have been tapped.
    public var isComplete: Bool { taps.count == targets.count }

    private let columns: Int
    private let rows: Int
    /// Where each tap was on the overlay, 0…1.
    private var taps: [(x: Double, y: Double)] = []
    private var fingersDown: Set<Int> = []
    /// The finger that may become a tap: its places so far.
    private var finger: (contact: Int, places: [(x: Double, y: Double)])?

    /// Targets stand so far from the edges: where a finger is wholly on the panel, and most of the panel is between them.
    private static let inset = 3
    /// A fit may miss by so many LEDs. As there are four targets, that is one tap that is off by four times as much.
    private static let missMax = 0.5
    /// An overlay is no larger than so many panels.
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

    /// Takes in what a finger did on the overlay, uncalibrated.
    public mutating func take(_ report: FingerReport) {
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

    /// The matrix by which the taps come nearest to their targets (least squares).
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

    /// The a, b, c for which a·x + b·y + c comes nearest to `wanted` over all taps: the normal equations, about the taps'
    /// mean, by Cramer's rule.
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
