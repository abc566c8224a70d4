/// A picture for the panel: `columns` × `rows` LEDs, row by row from the top left.
///
/// A frame is created once and reused; drawing allocates nothing. Drawing outside its edges has no effect.
public struct Frame: Hashable, Sendable {
    /// LEDs per row.
    public let columns: Int
    /// LEDs per column.
    public let rows: Int
    /// The LEDs, `pixels[row * columns + column]`.
    @inlinable public var pixels: [RGB] { storage }
    /// Three bytes for each LED, row by row.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 3 * columns * rows) { bytes, count in
            for pixel in storage {
                (bytes[count], bytes[count + 1], bytes[count + 2]) = (pixel.red, pixel.green, pixel.blue)
                count += 3
            }
        }
    }

    @usableFromInline var storage: [RGB]

    /// Rows of every panel.
    public static let panelRows = 24
    /// Column counts of the supported panels: the sequencer alone, or with the menu beside it.
    public static let panelColumns = [44, 46, 50]

    /// A dark frame of `columns` × `rows`.
    public init(columns: Int, rows: Int) {
        precondition(columns > 0 && rows > 0)
        self.columns = columns
        self.rows = rows
        storage = Array(repeating: .black, count: columns * rows)
    }

    /// The LED at `column`, `row`. Reading outside the edges returns black.
    @inlinable public subscript(column: Int, row: Int) -> RGB {
        get { contains(column, row) ? storage[row * columns + column] : .black }
        set { if contains(column, row) { storage[row * columns + column] = newValue } }
    }

    /// Sets every LED to `colour`.
    public mutating func fill(_ colour: RGB) { fill(columns: 0..<columns, rows: 0..<rows, colour) }

    /// Sets the LEDs of `columns` × `rows`, as far as the frame has them, to `colour`.
    @inline(never)  // Inlined, it makes the box for browsers 10 kB larger, compressed.
    public mutating func fill(columns: Range<Int>, rows: Range<Int>, _ colour: RGB) {
        let (width, inside) = (self.columns, columns.clamped(to: 0..<self.columns))
        let lines = rows.clamped(to: 0..<self.rows)
        storage.withUnsafeMutableBufferPointer { pixels in
            for line in lines {
                for column in inside { pixels[line * width + column] = colour }
            }
        }
    }

    /// Blends the LED at `column`, `row` towards `colour` by `alpha`, 0-1.
    @inlinable public mutating func blend(_ column: Int, _ row: Int, towards colour: RGB, _ alpha: Float) {
        guard contains(column, row) else { return }
        let index = row * columns + column
        storage[index] = storage[index].blended(towards: colour, alpha)
    }

    /// Copies the pixels of `other`, a frame of the same size, without allocation.
    public mutating func copy(_ other: Frame) {
        precondition(other.columns == columns && other.rows == rows)
        for index in storage.indices { storage[index] = other.storage[index] }
    }

    @inlinable func contains(_ column: Int, _ row: Int) -> Bool {
        column >= 0 && column < columns && row >= 0 && row < rows
    }
}
