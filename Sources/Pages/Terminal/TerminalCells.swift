/// The layout of LEDs in a terminal's cells. A cell is about twice as high as wide, so that half a cell is a square; an
/// LED is `scale` of them across and down.
struct TerminalLayout: Hashable {
    /// Squares across and down of an LED.
    let scale: Int
    /// Columns and rows of LEDs.
    let columns: Int
    let rows: Int

    /// The largest layout of `columns` × `rows` LEDs, with a status line below, that fits a terminal of `size`.
    init?(columns: Int, rows: Int, in size: TerminalSize) {
        self.columns = columns
        self.rows = rows
        scale = min(size.columns / columns, (size.rows - 1) * 2 / rows)
        if scale < 1 { return nil }
    }

    /// The smallest terminal for `columns` × `rows` LEDs: one cell for two, and a status line.
    static func sizeMin(columns: Int, rows: Int) -> TerminalSize {
        TerminalSize(columns: columns, rows: (rows + 1) / 2 + 1)
    }

    /// Cells across and down.
    var cellColumns: Int { columns * scale }
    var cellRows: Int { (rows * scale + 1) / 2 }

    /// Whether some cells show two LEDs, an upper and a lower one.
    var sharesCells: Bool { scale % 2 == 1 }

    /// Whether a cell is part of the panel.
    func contains(cellColumn: Int, cellRow: Int) -> Bool {
        (0..<cellColumns).contains(cellColumn) && (0..<cellRows).contains(cellRow)
    }

    /// The rows of LEDs in the upper and the lower half of a row of cells; nil below the last LED.
    func ledRows(cellRow: Int) -> (upper: Int, lower: Int?) {
        let lower = (cellRow * 2 + 1) / scale
        return (cellRow * 2 / scale, lower < rows ? lower : nil)
    }

    /// The place at a cell's middle, or at the nearest cell's, in LEDs. In a cell with two LEDs, `isLower` selects the
    /// half.
    func place(cellColumn: Int, cellRow: Int, isLower: Bool) -> (x: Double, y: Double) {
        let column = min(max(cellColumn, 0), cellColumns - 1)
        let row = min(max(cellRow, 0), cellRows - 1)
        let (upper, lower) = ledRows(cellRow: row)
        // In squares, from the panel's upper edge.
        let middle = upper == lower ? 1 : isLower && lower != nil ? 1.5 : 0.5
        return ((Double(column) + 0.5) / Double(scale) - 0.5, (Double(row * 2) + middle) / Double(scale) - 0.5)
    }
}

/// Encodes frames as text with 24-bit colours, and only the cells that changed.
struct TerminalCells {
    /// The upper and the lower half of the cells of an LED in one row, 0xRRGGBB.
    private struct Cell: Equatable {
        var upper: UInt32
        var lower: UInt32
    }

    private let layout: TerminalLayout
    private var shown: [Cell?]

    init(_ layout: TerminalLayout) {
        self.layout = layout
        shown = Array(repeating: nil, count: layout.cellRows * layout.columns)
    }

    /// Appends the text that shows `pixels` (R, G, B of each LED, row by row); nothing if nothing changed.
    mutating func encode(_ pixels: [UInt8], into text: inout [UInt8]) {
        precondition(pixels.count == layout.columns * layout.rows * 3)
        var pen: (foreground: UInt32?, background: UInt32?) = (nil, nil)
        for row in 0..<layout.cellRows {
            var isPlaced = false
            for column in 0..<layout.columns {
                let cell = cell(pixels, column: column, row: row)
                let index = row * layout.columns + column
                guard shown[index] != cell else {
                    isPlaced = false
                    continue
                }
                shown[index] = cell
                if !isPlaced { text += "\u{1b}[\(row + 1);\(column * layout.scale + 1)H".utf8 }
                isPlaced = true
                if pen.background != cell.lower {
                    pen.background = cell.lower
                    Self.append(colour: cell.lower, as: "48", to: &text)
                }
                if cell.upper == cell.lower {
                    for _ in 0..<layout.scale { text.append(UInt8(ascii: " ")) }
                } else {
                    if pen.foreground != cell.upper {
                        pen.foreground = cell.upper
                        Self.append(colour: cell.upper, as: "38", to: &text)
                    }
                    for _ in 0..<layout.scale { text += "▀".utf8 }
                }
            }
        }
        if pen.background != nil { text += "\u{1b}[0m".utf8 }
    }

    /// Below the last row of an odd number of squares it is black.
    private func cell(_ pixels: [UInt8], column: Int, row: Int) -> Cell {
        let (upper, lower) = layout.ledRows(cellRow: row)
        return Cell(
            upper: colour(pixels, column: column, row: upper),
            lower: lower.map { colour(pixels, column: column, row: $0) } ?? 0)
    }

    private func colour(_ pixels: [UInt8], column: Int, row: Int) -> UInt32 {
        let start = (row * layout.columns + column) * 3
        return UInt32(pixels[start]) << 16 | UInt32(pixels[start + 1]) << 8 | UInt32(pixels[start + 2])
    }

    private static func append(colour: UInt32, as ground: String, to text: inout [UInt8]) {
        text += "\u{1b}[\(ground);2;\(colour >> 16);\(colour >> 8 & 0xff);\(colour & 0xff)m".utf8
    }
}
