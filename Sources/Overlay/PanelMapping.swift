/// From places on an overlay to places on the panel (SPEC 3).
struct PanelMapping {
    /// A place on the panel.
    struct Place: Hashable {
        /// 0…1 across the panel and down it; beyond that, beyond the panel.
        var x: Double
        var y: Double
    }

    private let axes: TouchAxes
    private let matrix: [Double]
    private let columns: Double
    private let rows: Double
    private let hysteresis: Double

    /// So far beyond the panel's edge, in LEDs, a finger that lands still means the LED at the edge.
    private static let margin = 0.5
    /// So far beyond the middle of its LED a finger is still on it.
    private static let reach = 0.499_99

    init(_ device: TouchDevice, columns: Int, rows: Int) {
        precondition(device.settings.matrix.count == 6)
        axes = device.axes
        matrix = device.settings.matrix
        hysteresis = device.settings.hysteresis
        self.columns = Double(columns)
        self.rows = Double(rows)
    }

    /// Where on the panel the device's `x`, `y` is.
    func place(_ x: Int32, _ y: Int32) -> Place {
        let u = axes.x.part(x)
        let v = axes.y.part(y)
        return Place(
            x: matrix[0] * u + matrix[1] * v + matrix[2],
            y: matrix[3] * u + matrix[4] * v + matrix[5])
    }

    /// Whether a finger that lands at `place` means the panel.
    func isOnPanel(_ place: Place) -> Bool {
        let across = -Self.margin...columns + Self.margin
        let down = -Self.margin...rows + Self.margin
        return across.contains(place.x * columns) && down.contains(place.y * rows)
    }

    /// The place in LEDs, of which *n* spans n − ½ to n + ½, drawn in to the panel's edge.
    func position(_ place: Place) -> (column: Double, row: Double) {
        func clamp(_ value: Double, _ count: Double) -> Double {
            min(max(value * count - 0.5, -0.5), count - 1 + Self.reach)
        }
        return (clamp(place.x, columns), clamp(place.y, rows))
    }

    /// A finger's `next` place along one axis, in LEDs, if it has been at `last`: beyond the border of its LED only once it is
    /// clearly so.
    func hold(_ next: Double, at last: Double) -> Double {
        let led = (last + 0.5).rounded(.down)
        guard abs(next - led) <= 0.5 + hysteresis else { return next }
        return min(max(next, led - 0.5), led + Self.reach)
    }
}
