/// Maps positions on an overlay to positions on the panel (docs/spec.md, section 3).
struct PanelMapping {
    /// A position on the panel.
    struct Place: Hashable {
        /// 0…1 across and down the panel; other values are beyond its edge.
        var x: Double
        var y: Double
    }

    private let axes: TouchAxes
    private let matrix: [Double]
    private let columns: Double
    private let rows: Double
    private let hysteresis: Double

    /// Maximum distance from the panel's edge, in LEDs, at which a landing finger still counts as on the edge LED.
    private static let margin = 0.5
    /// Distance from the centre of an LED to its border, in LEDs.
    private static let reach = 0.499_99

    init(_ device: TouchDevice, columns: Int, rows: Int) {
        precondition(device.settings.matrix.count == 6)
        axes = device.axes
        matrix = device.settings.matrix
        hysteresis = device.settings.hysteresis
        self.columns = Double(columns)
        self.rows = Double(rows)
    }

    /// The position on the panel for the device's `x`, `y`.
    func place(_ x: Int32, _ y: Int32) -> Place {
        let u = axes.x.part(x)
        let v = axes.y.part(y)
        return Place(
            x: matrix[0] * u + matrix[1] * v + matrix[2],
            y: matrix[3] * u + matrix[4] * v + matrix[5])
    }

    /// Whether a finger that lands at `place` is on the panel.
    func isOnPanel(_ place: Place) -> Bool {
        let across = -Self.margin...columns + Self.margin
        let down = -Self.margin...rows + Self.margin
        return across.contains(place.x * columns) && down.contains(place.y * rows)
    }

    /// The position in LEDs, limited to the panel; LED *n* spans n − ½ to n + ½.
    func position(_ place: Place) -> (column: Double, row: Double) {
        func clamp(_ value: Double, _ count: Double) -> Double {
            min(max(value * count - 0.5, -0.5), count - 1 + Self.reach)
        }
        return (clamp(place.x, columns), clamp(place.y, rows))
    }

    /// Hysteresis: the `next` position along one axis, in LEDs, which stays within the LED of `last` unless it is
    /// clearly beyond its border.
    func hold(_ next: Double, at last: Double) -> Double {
        let led = (last + 0.5).rounded(.down)
        guard abs(next - led) <= 0.5 + hysteresis else { return next }
        return min(max(next, led - 0.5), led + Self.reach)
    }
}
