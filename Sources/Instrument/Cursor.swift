import InputEvents
import Display

/// The place on the panel that the keyboard touches: arrows move it, Enter and the space bar put a finger down there.
public struct Cursor: Hashable, Sendable {
    /// Column in LEDs from the panel's left.
    public internal(set) var column: Int
    /// Row in LEDs from the panel's top.
    public internal(set) var row: Int
    /// Whether the panel shows it. Until then arrows and the space bar have their other functions.
    public internal(set) var isShown = false
    /// The key that holds its finger down; nil while the finger is up.
    var holder: Key?

    init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }

    /// The row where it is first shown: the lowest of the melody.
    static let firstRow = Track.melody.rows.upperBound - 1
    /// Opacity of its ring while the finger is up, and while it is down.
    private static let ring: (up: Float, down: Float) = (0.4, 0.85)

    /// Draws a ring round its LED, which keeps its own colour.
    func draw(into frame: inout Frame) {
        let alpha = holder == nil ? Self.ring.up : Self.ring.down
        for y in row - 1...row + 1 {
            for x in column - 1...column + 1 where x != column || y != row {
                frame.blend(x, y, towards: .white, alpha)
            }
        }
    }
}
