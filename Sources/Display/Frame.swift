/// What the panel shows at one moment: `columns` × `rows` LEDs, row by row from the top left.
///
/// A frame is made once and drawn into again and again; drawing allocates nothing. Drawing outside its edges
/// draws nothing.
public struct Frame: Hashable, Sendable {
    /// LEDs in a row.
    public let columns: Int
    /// LEDs in a column.
    public let rows: Int
    /// The LEDs, `pixels[row * columns + column]`.
    @inlinable public var pixels: [RGB] { storage }

    @usableFromInline var storage: [RGB]

    /// LEDs in a column of every panel.
    public static let panelRows = 24
    /// LEDs in a row of the panels that there are: the sequencer's, or with the menu beside it.
    public static let panelColumns = [44, 46, 50]

    /// A dark frame of `columns` × `rows`.
    public init(columns: Int, rows: Int) {
        precondition(columns > 0 && rows > 0)
        self.columns = columns
        self.rows = rows
        storage = Array(repeating: .black, count: columns * rows)
    }

    /// The LED at `column`, `row`. Reading outside the edges gives black.
    @inlinable public subscript(column: Int, row: Int) -> RGB {
        get { contains(column, row) ? storage[row * columns + column] : .black }
        set { if contains(column, row) { storage[row * columns + column] = newValue } }
    }

    /// Makes every LED `colour`.
    public mutating func fill(_ colour: RGB) {
        for index in storage.indices { storage[index] = colour }
    }

    /// Makes the LEDs of `columns` × `rows` `colour`.
    public mutating func fill(columns: Range<Int>, rows: Range<Int>, _ colour: RGB) {
        for row in rows { for column in columns { self[column, row] = colour } }
    }

    /// Moves the LED at `column`, `row` towards `colour` by `alpha`, 0-1.
    @inlinable public mutating func blend(_ column: Int, _ row: Int, towards colour: RGB, _ alpha: Float) {
        guard contains(column, row) else { return }
        let index = row * columns + column
        storage[index] = storage[index].blended(towards: colour, alpha)
    }

    /// Takes over what `other`, a frame of the same size, shows; without new storage.
    public mutating func copy(_ other: Frame) {
        precondition(other.columns == columns && other.rows == rows)
        for index in storage.indices { storage[index] = other.storage[index] }
    }

    @inlinable func contains(_ column: Int, _ row: Int) -> Bool {
        column >= 0 && column < columns && row >= 0 && row < rows
    }
}
